package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/source"
)

// release is one of the two sides of a comparison: what a proxy loads.
type release struct {
	name   string
	set    *descriptor.Set
	filter *descriptor.Transcoder // of an EnvoyFilter; nil if the input has none
}

// releases reads what OLD and NEW name. Every error is about one of them, and begins with its name.
type releases struct {
	imports []mount
	key     string
	ends    []func()
}

// Close ends what was started to read them.
func (r *releases) Close() {
	for _, end := range slices.Backward(r.ends) {
		end()
	}
}

// mount is a directory that imports may come from.
type mount struct {
	prefix string      // of the import, without a slash at its end; "" for all
	tree   source.Tree // nil: each side's own, see [releases.selfName]
}

// ownTree is what stands for a directory in -I PREFIX=: of protos that import each other by the path of their module.
const ownTree = ":"

// mounts opens the directories of -I.
func (r *releases) mounts(ctx context.Context, flags []string) error {
	for _, flag := range flags {
		prefix, dir, ok := strings.Cut(flag, "=")
		if !ok {
			prefix, dir = "", flag
		}
		if ok && dir == ownTree {
			r.imports = append(r.imports, mount{prefix: strings.Trim(prefix, "/")})
			continue
		}
		tree, err := source.OpenDir(ctx, dir, source.Options{})
		if err != nil {
			return usagef("-I %s: %w", flag, unreadable(dir, err))
		}
		r.imports = append(r.imports, mount{strings.Trim(prefix, "/"), tree})
	}
	return nil
}

// read gives one side. A name on disk goes before REV:path.
func (r *releases) read(ctx context.Context, name string) (release, error) {
	info, err := os.Stat(name)
	rev, inside, isRevision := strings.Cut(name, ":")
	var found release
	switch {
	case err == nil && info.IsDir():
		found, err = r.directory(ctx, name)
	case err == nil:
		found, err = r.file(ctx, name)
	case isRevision && rev != "" && errors.Is(err, fs.ErrNotExist):
		found, err = r.revision(ctx, rev, inside)
	default:
		return release{}, unreadable(name, err)
	}
	switch {
	case ctx.Err() != nil:
		return release{}, ctx.Err()
	case err != nil:
		return release{}, usagef("%s: %s", name, printable(err.Error()))
	}
	found.name = name
	if len(found.set.Refusals) > 0 {
		why, hint := printable(found.set.Refusals[0]), ""
		if strings.HasSuffix(why, "not in the set") {
			hint = "; protoc needs --include_imports"
		}
		return release{}, usagef("%s: a proxy would refuse this set: %s%s", name, why, hint)
	}
	return found, nil
}

// printable keeps what an input says from moving the cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func (r *releases) directory(ctx context.Context, dir string) (release, error) {
	tree, err := source.OpenDir(ctx, dir, source.Options{})
	if err != nil {
		return release{}, err
	}
	return r.compileAll(ctx, tree, ".")
}

func (r *releases) file(ctx context.Context, name string) (release, error) {
	content, err := readLimited(name)
	if err != nil {
		return release{}, err
	}
	if !strings.HasSuffix(name, ".proto") {
		return r.decode(name, content)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return release{}, err
	}
	root, inside := importRoot(filepath.ToSlash(abs), content)
	tree, err := source.OpenDir(ctx, filepath.FromSlash(root), source.Options{})
	if err != nil {
		return release{}, err
	}
	return r.compile(ctx, tree, ".", []string{inside})
}

// maxInput leaves room for a descriptor set of the largest size in the base64 of a manifest.
const maxInput = 2 * descriptor.MaxSize

func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxInput {
		return nil, fmt.Errorf("more than the limit of %d bytes", maxInput)
	}
	return content, nil
}

func (r *releases) revision(ctx context.Context, rev, inside string) (release, error) {
	if strings.HasPrefix(inside, "./") || strings.HasPrefix(inside, "../") { // git counts these from the current directory
		return release{}, errors.New("does not exist; in REV:path, paths count from the top of the repository, without ./ and ../")
	}
	repo, err := source.Open(ctx, ".", source.Options{FileSize: maxInput})
	if errors.Is(err, source.ErrNotRepository) {
		return release{}, errors.New("does not exist, and REV:path needs a Git repository here")
	}
	if err != nil {
		return release{}, err
	}
	r.ends = append(r.ends, repo.Close)
	commit, err := repo.Resolve(ctx, rev)
	if err != nil {
		return release{}, fmt.Errorf("does not exist, and %q is no revision of this repository", rev)
	}
	tree, err := repo.Tree(ctx, commit)
	if err != nil {
		return release{}, err
	}
	inside = path.Clean(inside)
	info, err := fs.Stat(tree, inside)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return release{}, fmt.Errorf("revision %s has no such path; paths count from the top of the repository", rev)
	case err != nil:
		return release{}, err
	case info.IsDir():
		return r.compileAll(ctx, tree, inside)
	}
	content, err := tree.ReadFile(inside)
	switch {
	case err != nil:
		return release{}, err
	case strings.HasSuffix(inside, ".proto"):
		root, below := importRoot(inside, content)
		return r.compile(ctx, tree, root, []string{below})
	}
	return r.decode(inside, content)
}

var packageLine = regexp.MustCompile(`(?m)^\s*package\s+([A-Za-z0-9_.]+)\s*;`)

// importRoot says from where a file's imports count, and the file's name from there: above the directories that spell its
// package, as nearly everybody lays files out; else the directory that it stands in.
func importRoot(name string, text []byte) (root, inside string) {
	dir := path.Dir(name)
	if m := packageLine.FindSubmatch(text); m != nil {
		below := strings.ReplaceAll(string(m[1]), ".", "/")
		if dir == below {
			return ".", name
		}
		if above, ok := strings.CutSuffix(dir, "/"+below); ok {
			return cmp.Or(above, "/"), path.Join(below, path.Base(name))
		}
	}
	return dir, path.Base(name)
}

// compileAll compiles every .proto file below a directory; imports count from it.
func (r *releases) compileAll(ctx context.Context, tree source.Tree, root string) (release, error) {
	var names []string
	err := fs.WalkDir(tree, root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".proto") {
			names = append(names, below(root, name))
		}
		return err
	})
	if err != nil {
		return release{}, err
	}
	if len(names) == 0 {
		return release{}, errors.New("no .proto file is in this directory")
	}
	return r.compile(ctx, tree, root, names)
}

func below(root, name string) string {
	if root == "." {
		return name
	}
	return strings.TrimPrefix(name, root+"/")
}

func (r *releases) compile(ctx context.Context, tree source.Tree, root string, names []string) (release, error) {
	self := r.selfName(tree, root, names)
	if self != "" {
		for i, name := range names {
			names[i] = path.Join(self, root, name)
		}
	}
	raw, err := descriptor.Compile(ctx, names, func(name string) ([]byte, error) {
		if own, ok := strings.CutPrefix(name, self+"/"); ok && self != "" {
			return readName(tree, own)
		}
		content, err := readName(tree, path.Join(root, name))
		for _, m := range r.imports {
			if !errors.Is(err, fs.ErrNotExist) {
				break
			}
			rest, ok := strings.CutPrefix(name, m.prefix+"/")
			if m.prefix == "" {
				rest, ok = name, true
			}
			if ok && m.tree != nil {
				content, err = readName(m.tree, rest)
			}
		}
		return content, err
	})
	if err != nil {
		return release{}, fmt.Errorf("cannot be compiled: %w%s", err, importHint(err))
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		return release{}, err
	}
	return release{set: set}, nil
}

// selfName is the prefix by which the files of a side import each other, of those that -I PREFIX=: names: the whole tree
// goes by it then. A file under two names would declare everything twice. "" if they use none.
func (r *releases) selfName(tree source.Tree, root string, names []string) string {
	for _, m := range r.imports {
		if m.tree != nil || m.prefix == "" {
			continue
		}
		line := regexp.MustCompile(`(?m)^\s*import\s+(public\s+|weak\s+)?"` + regexp.QuoteMeta(m.prefix) + `/`)
		for _, name := range names {
			if text, err := readName(tree, path.Join(root, name)); err == nil && line.Match(text) {
				return m.prefix
			}
		}
	}
	return ""
}

// readName takes a name as an import gives it.
func readName(tree source.Tree, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	return tree.ReadFile(name)
}

func importHint(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "; -I PREFIX=DIR says where imports are"
	}
	return ""
}

// decode tells by content what a file is: a descriptor set or a manifest.
func (r *releases) decode(name string, content []byte) (release, error) {
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return release{}, errors.New("is compressed with gzip: unpack it first")
	}
	if isManifest(name, content) {
		return r.manifest(name, content)
	}
	set, err := descriptor.Decode(content)
	if err != nil {
		return release{}, err
	}
	return release{set: set}, nil
}

func isManifest(name string, content []byte) bool {
	switch path.Ext(filepath.ToSlash(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return utf8.Valid(content) && manifestLine.Match(content)
}

var manifestLine = regexp.MustCompile(`(?m)^\s*\{?\s*"?(apiVersion|kind)"?\s*:`)
