package source

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/syncproof/syncproof/internal/source/git"
)

// modes are what [fs.FileInfo] says of each kind. A submodule is a directory, so that whoever walks the tree meets
// [ErrSubmodule] instead of passing it over.
var modes = [...]fs.FileMode{
	git.File:   0o444,
	git.Dir:    fs.ModeDir | 0o555,
	git.Link:   fs.ModeSymlink | 0o777,
	git.Module: fs.ModeDir | 0o555,
	git.Other:  fs.ModeIrregular | 0o444,
}

type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }
func (i fileInfo) String() string     { return fs.FormatFileInfo(i) }

// dirEntry asks for sizes only when they are wanted.
type dirEntry struct {
	view *view
	node node
}

func (e dirEntry) Name() string      { return e.node.Name }
func (e dirEntry) IsDir() bool       { return e.Type().IsDir() }
func (e dirEntry) Type() fs.FileMode { return modes[e.node.Kind].Type() }
func (e dirEntry) String() string    { return fs.FormatDirEntry(e) }

func (e dirEntry) Info() (fs.FileInfo, error) {
	info, err := e.view.describe(e.node)
	if err != nil {
		return nil, fail("stat", e.node.path, err)
	}
	return info, nil
}

// open makes [fs.FS.Open] of the other methods of a tree.
func open(t Tree, name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		return nil, fail("open", name, err)
	}
	if info.IsDir() {
		entries, err := t.ReadDir(name)
		if err != nil {
			return nil, fail("open", name, err)
		}
		return &openDir{info: info, rest: entries}, nil
	}
	data, err := t.ReadFile(name)
	if err != nil {
		return nil, fail("open", name, err)
	}
	// On disk it may have grown since it was described.
	return &openFile{bytes.NewReader(data), fileInfo{path.Base(name), int64(len(data)), info.Mode()}}, nil
}

// openFile is a file, with its content in memory. It can seek.
type openFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

// openDir is a directory, with its listing in memory.
type openDir struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: errIsDir}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.rest) {
		if n > 0 && len(d.rest) == 0 {
			return nil, io.EOF
		}
		n = len(d.rest)
	}
	list := d.rest[:n:n]
	d.rest = d.rest[n:]
	return list, nil
}
