package source

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Trace is all that a tree was asked and what it answered, without the contents: over another tree that gives the same
// answers, a computation that depends on nothing else has the same result. Slices are sorted by path, each path stands
// once in each. Names are those that were asked for, except in Links.
type Trace struct {
	Files   []Seen   // read: digest of the content
	Lists   []Seen   // directories that were listed: digest of names and types
	Stats   []Seen   // described: digest of type and, of a file, size
	Links   []Seen   // links that were followed on the way, by real path: digest of the target
	Missing []string // looked for in any of these ways, and not there
}

// Seen is one answer. Digest is a SHA-256 in hexadecimal; or "error: " and the reason, for a name that exists and cannot
// be read; or [Unstable].
type Seen struct {
	Path   string
	Digest string
}

// Unstable stands for an answer that no tree will give again: two answers differed, or reading failed for a reason that
// does not lie in the tree, such as a context that ended or an object that this clone lacks.
const Unstable = "unstable"

// ownErrors are those that follow from what a tree holds and its limits.
var ownErrors = [...]error{ErrEscapes, ErrTooLarge, ErrSubmodule, ErrLinkLoop, errNotDir, errIsDir, errNotFile, errNotLink}

// Recorder is a [Tree] that passes everything on to another one and notes it. Like every tree it may be used by several
// goroutines at once.
type Recorder struct {
	tree Tree

	mu      sync.Mutex
	files   answers
	lists   answers
	stats   answers
	links   answers
	missing map[string]bool
}

var _ fs.ReadLinkFS = (*Recorder)(nil)

// answers are digests by path.
type answers map[string]string

func (a answers) note(name, digest string) {
	if before, ok := a[name]; ok && before != digest {
		digest = Unstable
	}
	a[name] = digest
}

func (a answers) sorted() []Seen {
	var list []Seen
	for _, name := range slices.Sorted(maps.Keys(a)) {
		list = append(list, Seen{name, a[name]})
	}
	return list
}

// Record starts to record what is read through the tree it returns.
func Record(t Tree) *Recorder {
	return &Recorder{
		tree: t, files: answers{}, lists: answers{}, stats: answers{}, links: answers{}, missing: map[string]bool{},
	}
}

// Trace gives what was recorded so far.
func (r *Recorder) Trace() Trace {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Trace{
		Files:   r.files.sorted(),
		Lists:   r.lists.sorted(),
		Stats:   r.stats.sorted(),
		Links:   r.links.sorted(),
		Missing: slices.Sorted(maps.Keys(r.missing)),
	}
}

// note records the answer to one question about a name, and the links on the way to it.
func (r *Recorder) note(kind answers, name string, err error, digest func() string) {
	if errors.Is(err, fs.ErrInvalid) {
		return // the answer is the same in every tree
	}
	answer := ""
	if err == nil {
		answer = digest()
	}
	r.noteWay(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.missing[name] = true
	case err != nil:
		kind.note(name, failed(err))
	default:
		kind.note(name, answer)
	}
}

// noteWay records the links that are followed on the way to a name.
func (r *Recorder) noteWay(name string) {
	t, ok := r.tree.(interface {
		passing(name string) map[string]string
	})
	if !ok {
		return
	}
	links := t.passing(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	for link, target := range links {
		r.links.note(link, digestOf([]byte(target)))
	}
}

// failed is the digest of an error.
func failed(err error) string {
	for _, own := range ownErrors {
		if errors.Is(err, own) {
			return "error: " + own.Error()
		}
	}
	return Unstable
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Open implements [fs.FS]. It counts as describing and as reading or listing.
func (r *Recorder) Open(name string) (fs.File, error) { return open(r, name) }

// ReadFile implements [fs.ReadFileFS].
func (r *Recorder) ReadFile(name string) ([]byte, error) {
	data, err := r.tree.ReadFile(name)
	r.note(r.files, name, err, func() string { return digestOf(data) })
	return data, err
}

// Digest gives the SHA-256 of a file's content in hexadecimal, and counts as reading it. If the tree is of a commit it is
// read only once.
func (r *Recorder) Digest(name string) (sum string, err error) {
	if v, ok := r.tree.(*view); ok {
		sum, err = v.digest(name)
	} else {
		var data []byte
		data, err = r.tree.ReadFile(name)
		sum = digestOf(data)
	}
	r.note(r.files, name, err, func() string { return sum })
	return sum, err
}

// ReadDir implements [fs.ReadDirFS].
func (r *Recorder) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := r.tree.ReadDir(name)
	r.note(r.lists, name, err, func() string {
		var lines strings.Builder
		for _, e := range entries {
			fmt.Fprintf(&lines, "%s %q\n", e.Type(), e.Name())
		}
		return digestOf([]byte(lines.String()))
	})
	recorded := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		recorded[i] = recordedEntry{e, r, path.Join(name, e.Name())}
	}
	return recorded, err
}

// recordedEntry notes when somebody asks for more than is in the listing.
type recordedEntry struct {
	fs.DirEntry
	recorder *Recorder
	path     string
}

func (e recordedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	e.recorder.described(e.path, info, err)
	return info, err
}

// Stat implements [fs.StatFS].
func (r *Recorder) Stat(name string) (fs.FileInfo, error) {
	info, err := r.tree.Stat(name)
	r.described(name, info, err)
	return info, err
}

// Lstat implements [fs.ReadLinkFS].
func (r *Recorder) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(r.tree, name)
	r.described(name, info, err)
	return info, err
}

// described notes a description. That of a link itself goes with the links, since under its name stands what Stat says of
// where it leads.
func (r *Recorder) described(name string, info fs.FileInfo, err error) {
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		_, _ = r.ReadLink(name)
		return
	}
	r.note(r.stats, name, err, func() string {
		size := info.Size()
		if info.IsDir() {
			size = 0
		}
		return digestOf(fmt.Appendf(nil, "%s %d", info.Mode().Type(), size))
	})
}

// ReadLink implements [fs.ReadLinkFS].
func (r *Recorder) ReadLink(name string) (string, error) {
	target, err := fs.ReadLink(r.tree, name)
	if real, e := realPath(r.tree, path.Dir(name)); err == nil && e == nil {
		r.noteWay(path.Dir(name))
		name = path.Join(real, path.Base(name))
	}
	r.note(r.links, name, err, func() string { return digestOf([]byte(target)) })
	return target, err
}

// passing makes it possible to record a recorder.
func (r *Recorder) passing(name string) map[string]string {
	r.noteWay(name)
	if t, ok := r.tree.(interface {
		passing(name string) map[string]string
	}); ok {
		return t.passing(name)
	}
	return nil
}

// real needs no entry but the links: whether the name exists is asked by whoever reads it.
func (r *Recorder) real(name string) (string, error) {
	r.noteWay(name)
	return realPath(r.tree, name)
}
