// Package dictionary reads the descriptor set, and the transcoder's configuration, that somebody names: a serialized set, protos,
// a manifest, or any of these at a revision of a repository.
//
// In goes a name as it stands on a command line, out comes what a proxy would load. Errors are about the name and begin with it,
// except that of a context that has ended. What a proxy would refuse is refused.
package dictionary

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

// Release is what a proxy loads.
type Release struct {
	Name   string // as it was asked for
	Set    *descriptor.Set
	Filter *descriptor.Transcoder // of an EnvoyFilter; nil if the input has none
}

// Reader reads releases. It holds processes, which Close ends.
type Reader struct {
	Key     string // of the ConfigMaps that hold a set; "": the only one
	imports []mount
	ends    []func()
}

// Close ends what was started to read them.
func (r *Reader) Close() {
	for _, end := range slices.Backward(r.ends) {
		end()
	}
}

// mount is a directory that imports may come from.
type mount struct {
	prefix string      // of the import, without a slash at its end; "" for all
	tree   source.Tree // nil: each side's own, see [Reader.selfName]
}

// ownTree is what stands for a directory in -I PREFIX=: of protos that import each other by the path of their module.
const ownTree = ":"

// Mount opens the directories of -I.
func (r *Reader) Mount(ctx context.Context, flags []string) error {
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
			return fmt.Errorf("-I %s: %w", flag, unreadable(dir, err))
		}
		r.imports = append(r.imports, mount{strings.Trim(prefix, "/"), tree})
	}
	return nil
}

// Read gives one side. A name on disk goes before REV:path.
func (r *Reader) Read(ctx context.Context, name string) (Release, error) {
	info, err := os.Stat(name)
	rev, inside, isRevision := strings.Cut(name, ":")
	var found Release
	switch {
	case err == nil && info.IsDir():
		found, err = r.directory(ctx, name)
	case err == nil:
		found, err = r.file(ctx, name)
	case isRevision && rev != "" && errors.Is(err, fs.ErrNotExist):
		found, err = r.revision(ctx, rev, inside)
	default:
		return Release{}, unreadable(name, err)
	}
	switch {
	case ctx.Err() != nil:
		return Release{}, ctx.Err()
	case err != nil:
		return Release{}, fmt.Errorf("%s: %s", name, printable(err.Error()))
	}
	found.Name = name
	if len(found.Set.Refusals) > 0 {
		why, hint := printable(found.Set.Refusals[0]), ""
		if strings.HasSuffix(why, "not in the set") {
			hint = "; protoc needs --include_imports"
		}
		return Release{}, fmt.Errorf("%s: a proxy would refuse this set: %s%s", name, why, hint)
	}
	return found, nil
}

// unreadable is what is said of a path that cannot be used.
func unreadable(path string, err error) error {
	var named *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case errors.As(err, &named):
		return fmt.Errorf("%s cannot be read: %w", path, named.Err)
	}
	return err
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

func (r *Reader) directory(ctx context.Context, dir string) (Release, error) {
	tree, err := source.OpenDir(ctx, dir, source.Options{})
	if err != nil {
		return Release{}, err
	}
	return r.compileAll(ctx, tree, ".")
}

func (r *Reader) file(ctx context.Context, name string) (Release, error) {
	content, err := readLimited(name)
	if err != nil {
		return Release{}, err
	}
	if !strings.HasSuffix(name, ".proto") {
		return r.decode(name, content)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return Release{}, err
	}
	root, inside := importRoot(filepath.ToSlash(abs), content)
	tree, err := source.OpenDir(ctx, filepath.FromSlash(root), source.Options{})
	if err != nil {
		return Release{}, err
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

func (r *Reader) revision(ctx context.Context, rev, inside string) (Release, error) {
	if strings.HasPrefix(inside, "./") || strings.HasPrefix(inside, "../") { // git counts these from the current directory
		return Release{}, errors.New("does not exist; in REV:path, paths count from the top of the repository, without ./ and ../")
	}
	repo, err := source.Open(ctx, ".", source.Options{FileSize: maxInput})
	if errors.Is(err, source.ErrNotRepository) {
		return Release{}, errors.New("does not exist, and REV:path needs a Git repository here")
	}
	if err != nil {
		return Release{}, err
	}
	r.ends = append(r.ends, repo.Close)
	commit, err := repo.Resolve(ctx, rev)
	if err != nil {
		return Release{}, fmt.Errorf("does not exist, and %q is no revision of this repository", rev)
	}
	tree, err := repo.Tree(ctx, commit)
	if err != nil {
		return Release{}, err
	}
	inside = path.Clean(inside)
	info, err := fs.Stat(tree, inside)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return Release{}, fmt.Errorf("revision %s has no such path; paths count from the top of the repository", rev)
	case err != nil:
		return Release{}, err
	case info.IsDir():
		return r.compileAll(ctx, tree, inside)
	}
	content, err := tree.ReadFile(inside)
	switch {
	case err != nil:
		return Release{}, err
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
func (r *Reader) compileAll(ctx context.Context, tree source.Tree, root string) (Release, error) {
	var names []string
	err := fs.WalkDir(tree, root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".proto") {
			names = append(names, below(root, name))
		}
		return err
	})
	if err != nil {
		return Release{}, err
	}
	if len(names) == 0 {
		return Release{}, errors.New("no .proto file is in this directory")
	}
	return r.compile(ctx, tree, root, names)
}

func below(root, name string) string {
	if root == "." {
		return name
	}
	return strings.TrimPrefix(name, root+"/")
}

func (r *Reader) compile(ctx context.Context, tree source.Tree, root string, names []string) (Release, error) {
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
		return Release{}, fmt.Errorf("cannot be compiled: %w%s", err, importHint(err))
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		return Release{}, err
	}
	return Release{Set: set}, nil
}

// selfName is the prefix by which the files of a side import each other, of those that -I PREFIX=: names: the whole tree
// goes by it then. A file under two names would declare everything twice. "" if they use none.
func (r *Reader) selfName(tree source.Tree, root string, names []string) string {
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
func (r *Reader) decode(name string, content []byte) (Release, error) {
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return Release{}, errors.New("is compressed with gzip: unpack it first")
	}
	if isManifest(name, content) {
		return r.manifest(name, content)
	}
	set, err := descriptor.Decode(content)
	if err != nil {
		return Release{}, err
	}
	return Release{Set: set}, nil
}

func isManifest(name string, content []byte) bool {
	switch path.Ext(filepath.ToSlash(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return utf8.Valid(content) && manifestLine.Match(content)
}

var manifestLine = regexp.MustCompile(`(?m)^\s*\{?\s*"?(apiVersion|kind)"?\s*:`)
