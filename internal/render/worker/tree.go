package worker

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// errGone is what reading gives when the parent has hung up.
var errGone = errors.New("the parent process is gone")

// remoteTree is the parent's tree as an engine sees it: a [source.Tree] whose answers are asked for once and kept for the
// length of one rendering. It lives in a process that can open no file, so it is all that an engine can read.
type remoteTree struct {
	ask func(Ask) (Answer, []byte, error) // one question, one answer; an error means that the parent is gone

	mu            sync.Mutex
	ended         bool
	stats, lstats map[string]statAnswer
	files, links  map[string]fileAnswer
	lists         map[string]listAnswer
}

var _ fs.ReadLinkFS = (*remoteTree)(nil)

type statAnswer struct {
	info fs.FileInfo
	err  error
}

type fileAnswer struct {
	data []byte
	err  error
}

type listAnswer struct {
	entries []fs.DirEntry
	err     error
}

func newRemoteTree(ask func(Ask) (Answer, []byte, error)) *remoteTree {
	return &remoteTree{
		ask:    ask,
		stats:  map[string]statAnswer{},
		lstats: map[string]statAnswer{},
		files:  map[string]fileAnswer{},
		links:  map[string]fileAnswer{},
		lists:  map[string]listAnswer{},
	}
}

// question asks unless the rendering is over: a goroutine that an engine left behind must not talk into the next one. The
// caller holds t.mu.
func (t *remoteTree) question(q Ask) (Answer, []byte, error) {
	if t.ended {
		return Answer{}, nil, fs.ErrClosed
	}
	return t.ask(q)
}

func (t *remoteTree) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// Stat implements [fs.StatFS]; links are followed.
func (t *remoteTree) Stat(name string) (fs.FileInfo, error) { return t.describe(OpStat, t.stats, name) }

// Lstat implements [fs.ReadLinkFS].
func (t *remoteTree) Lstat(name string) (fs.FileInfo, error) {
	return t.describe(OpLstat, t.lstats, name)
}

func (t *remoteTree) describe(op Op, known map[string]statAnswer, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: string(op), Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := known[name]; ok {
		return s.info, s.err
	}
	answer, _, err := t.question(Ask{Op: op, Name: name})
	if err != nil {
		return nil, &fs.PathError{Op: string(op), Path: name, Err: err}
	}
	var s statAnswer
	switch {
	case answer.Failure != nil:
		s.err = answer.Failure.Err()
	case answer.Info == nil:
		s.err = &fs.PathError{Op: string(op), Path: name, Err: errors.New("empty answer")}
	default:
		s.info = fileInfo{path.Base(name), answer.Info.Mode, answer.Info.Size}
	}
	known[name] = s
	return s.info, s.err
}

// ReadLink implements [fs.ReadLinkFS].
func (t *remoteTree) ReadLink(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.links[name]; ok {
		return string(l.data), l.err
	}
	answer, target, err := t.question(Ask{Op: OpReadLink, Name: name})
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	l := fileAnswer{data: target, err: answer.Failure.Err()}
	t.links[name] = l
	return string(l.data), l.err
}

// ReadFile implements [fs.ReadFileFS]. The caller owns the result.
func (t *remoteTree) ReadFile(name string) ([]byte, error) {
	data, err := t.contents(name)
	return slices.Clone(data), err
}

// contents is ReadFile without the copy.
func (t *remoteTree) contents(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, ok := t.files[name]; ok {
		return f.data, f.err
	}
	answer, body, err := t.question(Ask{Op: OpReadFile, Name: name})
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	f := fileAnswer{data: body}
	if answer.Failure != nil {
		f = fileAnswer{err: answer.Failure.Err()}
	}
	t.files[name] = f
	return f.data, f.err
}

// ReadDir implements [fs.ReadDirFS].
func (t *remoteTree) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.lists[name]; ok {
		return slices.Clone(l.entries), l.err
	}
	answer, _, err := t.question(Ask{Op: OpReadDir, Name: name})
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	var l listAnswer
	if answer.Failure != nil {
		l.err = answer.Failure.Err()
	}
	for _, e := range answer.Entries {
		l.entries = append(l.entries, dirEntry{tree: t, dir: name, name: e.Name, typ: e.Type.Type()})
	}
	t.lists[name] = l
	return slices.Clone(l.entries), l.err
}

// Open implements [fs.FS].
func (t *remoteTree) Open(name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if info.IsDir() {
		entries, err := t.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &openDir{info: info, name: name, entries: entries}, nil
	}
	data, err := t.contents(name)
	if err != nil {
		return nil, err
	}
	return &openFile{info: info, rest: data}, nil
}

// prefetch asks for everything below a directory in one question, so that what reads all of it anyway (a chart) costs one
// round trip. It is a hint: when the parent finds the directory too large for one answer, later reads ask one by one.
func (t *remoteTree) prefetch(dir string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	answer, body, err := t.question(Ask{Op: OpSubtree, Name: dir})
	if err != nil || answer.Failure != nil {
		return
	}
	lists := map[string][]fs.DirEntry{}
	for _, e := range answer.Entries {
		data, rest, err := Cut(body, e.Length)
		if err != nil {
			return
		}
		body = rest
		name := path.Join(dir, e.Name)
		if e.Name != "." {
			parent := path.Dir(name)
			lists[parent] = append(lists[parent], dirEntry{tree: t, dir: parent, name: path.Base(name), typ: e.Type.Type()})
		}
		t.keep(name, e, data)
	}
	for _, e := range answer.Entries {
		if name := path.Join(dir, e.Name); e.Listed {
			t.lists[name] = listAnswer{entries: sorted(lists[name])}
		}
	}
}

// keep notes one entry of a subtree.
func (t *remoteTree) keep(name string, e Entry, data []byte) {
	if e.Failure != nil {
		t.files[name] = fileAnswer{err: e.Failure.Err()}
		return
	}
	t.stats[name] = statAnswer{info: fileInfo{path.Base(name), e.Mode, e.Size}}
	if !e.Mode.IsDir() {
		t.files[name] = fileAnswer{data: data}
	}
}

// read returns the contents of all files that were read so far, by name.
func (t *remoteTree) read() map[string][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string][]byte{}
	for name, f := range t.files {
		if f.err == nil {
			out[name] = f.data
		}
	}
	return out
}

func sorted(entries []fs.DirEntry) []fs.DirEntry {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// fileInfo is what is known of a file without its time.
type fileInfo struct {
	name string
	mode fs.FileMode
	size int64
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

// dirEntry is one entry of a listing.
type dirEntry struct {
	tree      *remoteTree
	dir, name string
	typ       fs.FileMode
}

func (d dirEntry) Name() string      { return d.name }
func (d dirEntry) IsDir() bool       { return d.typ.IsDir() }
func (d dirEntry) Type() fs.FileMode { return d.typ }

// Info describes the entry itself, a link as a link. Most entries are none and may be known from Stat.
func (d dirEntry) Info() (fs.FileInfo, error) {
	name := path.Join(d.dir, d.name)
	if d.typ&fs.ModeSymlink != 0 {
		return d.tree.Lstat(name)
	}
	return d.tree.Stat(name)
}

func (d dirEntry) String() string { return fs.FormatDirEntry(d) }

type openFile struct {
	info   fs.FileInfo
	rest   []byte
	closed bool
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *openFile) Read(p []byte) (int, error) {
	if f.closed {
		return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: fs.ErrClosed}
	}
	if len(f.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

func (f *openFile) Close() error {
	f.closed = true
	return nil
}

type openDir struct {
	info    fs.FileInfo
	name    string
	entries []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

// ReadDir implements [fs.ReadDirFile].
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		rest := d.entries
		d.entries = nil
		return rest, nil
	}
	if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	out := d.entries[:n]
	d.entries = d.entries[n:]
	return out, nil
}
