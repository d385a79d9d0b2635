package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/syncproof/syncproof/internal/source/git"
)

// disk is the store of files on disk. Which names there are is settled when it is made; content is read when it is asked
// for, by names of the listing only, so that a link cannot lead to an ignored file or into .git.
type disk struct {
	static
	ctx     context.Context // as in objects
	path    string          // of the top
	limit   int64
	objects objects // for what a sparse checkout left out; entries of it have an id
}

// WorkTree gives what lies in the work tree and could be committed as it is: tracked files, and others that are not
// ignored by rules inside the repository. For what a sparse checkout left out it gives the content of the index. Files
// that change later are read as they are then.
//
// A bare repository gives [ErrNoWorkTree].
func (r *Repository) WorkTree(ctx context.Context) (Tree, error) {
	d, err := r.disk(ctx)
	if err != nil {
		return nil, err
	}
	return &view{d}, nil
}

func (r *Repository) disk(ctx context.Context) (*disk, error) {
	if r.Bare() {
		return nil, ErrNoWorkTree
	}
	tracked, err := r.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	untracked, err := r.Untracked(ctx)
	if err != nil {
		return nil, err
	}
	l, err := newLister(r.Top())
	if err != nil {
		return nil, fmt.Errorf("list work tree: %w", err)
	}
	defer l.close()
	for _, t := range tracked {
		if err := l.tracked(t); err != nil {
			return nil, fmt.Errorf("list work tree: %w", err)
		}
	}
	for _, e := range untracked {
		if err := l.untracked(e); err != nil {
			return nil, fmt.Errorf("list work tree: %w", err)
		}
	}
	return &disk{l.done(), ctx, r.Top(), r.fileSize, objects{repo: r, ctx: ctx}}, ctx.Err()
}

// lister puts names that git lists into directories, as far as they are on disk.
type lister struct {
	*listing
	root *os.Root
	real map[string]bool // directories of which no element is a link
}

func newLister(top string) (*lister, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	return &lister{newListing(), root, map[string]bool{".": true}}, nil
}

func (l *lister) close() { _ = l.root.Close() }

func (l *lister) tracked(t git.Tracked) error {
	kind, on := l.lstat(t.Name)
	switch {
	case t.Kind == git.Module && (!on || kind == git.Dir):
		return l.add(t.Name, git.Entry{Kind: git.Module})
	case on && kind != git.Dir:
		return l.add(t.Name, git.Entry{Kind: kind})
	case !on && t.Skipped:
		return l.add(t.Name, git.Entry{Kind: t.Kind, ID: t.ID})
	}
	return nil // deleted, or a directory took its place, the files of which are listed by themselves
}

func (l *lister) untracked(e git.Entry) error {
	kind, on := l.lstat(e.Name)
	switch {
	case !on, kind == git.Dir && e.Kind != git.Module:
		return nil
	case kind == git.Dir:
		kind = git.Module
	}
	return l.add(e.Name, git.Entry{Kind: kind})
}

// lstat tells what is at a name, if the directories above it are directories: Git takes what is behind a link for deleted.
func (l *lister) lstat(name string) (git.Kind, bool) {
	if !l.realDir(path.Dir(name)) {
		return 0, false
	}
	info, err := l.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return 0, false
	}
	return kindOf(info.Mode()), true
}

func (l *lister) realDir(dir string) bool {
	known, ok := l.real[dir]
	if !ok {
		kind, on := l.lstat(dir)
		known = on && kind == git.Dir
		l.real[dir] = known
	}
	return known
}

func kindOf(m fs.FileMode) git.Kind {
	switch {
	case m.IsRegular():
		return git.File
	case m.IsDir():
		return git.Dir
	case m&fs.ModeSymlink != 0:
		return git.Link
	}
	return git.Other
}

func (d *disk) size(file node) (int64, error) {
	if file.ID != "" {
		return d.objects.size(file)
	}
	root, err := d.open()
	if err != nil {
		return 0, err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(file.path))
	if err == nil && !info.Mode().IsRegular() {
		err = errNotFile
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (d *disk) read(file node) ([]byte, error) {
	if file.ID != "" {
		return d.objects.read(file)
	}
	f, size, err := d.openRegular(file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > d.limit {
		return nil, ErrTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(f, d.limit+1))
	if err == nil && int64(len(data)) > d.limit {
		err = ErrTooLarge // it grows
	}
	return data, err
}

func (d *disk) target(link node) (string, error) {
	if link.ID != "" {
		return d.objects.target(link)
	}
	root, err := d.open()
	if err != nil {
		return "", err
	}
	defer root.Close()
	target, err := root.Readlink(filepath.FromSlash(link.path))
	return filepath.ToSlash(target), err
}

// open opens the top. It is done for each read, so that a tree holds nothing that must be closed.
func (d *disk) open() (*os.Root, error) {
	if err := d.ctx.Err(); err != nil {
		return nil, err
	}
	return os.OpenRoot(d.path)
}

// openRegular opens a regular file for reading. Without O_NONBLOCK, opening a pipe that took the place of the file in the
// meantime would wait for a writer.
func (d *disk) openRegular(name string) (*os.File, int64, error) {
	root, err := d.open()
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	if info, err := root.Lstat(name); err != nil {
		return nil, 0, err
	} else if !info.Mode().IsRegular() {
		return nil, 0, errNotFile
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotFile
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}
