package source

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source/git"
)

// node is an entry at its real path, one without links in it. Its ID is for the store that made it.
type node struct {
	path string
	git.Entry
}

func top(id string) node { return node{".", git.Entry{Name: ".", Kind: git.Dir, ID: id}} }

func (n node) child(e git.Entry) node { return node{path.Join(n.path, e.Name), e} }

// store is what the kinds of trees differ in. It knows real paths only; [view] does the rest.
type store interface {
	top() node
	list(dir node) ([]git.Entry, error) // sorted by name, names valid and unique; nobody changes it
	size(file node) (int64, error)      // of git.File
	read(file node) ([]byte, error)     // of git.File; nobody changes it
	target(link node) (string, error)   // of git.Link
}

// maxLinks is how many links are followed on the way to one name, as in Linux.
const maxLinks = 40

// Errors that name a path but have no better sentinel.
var (
	errNotDir  = errors.New("is not a directory")
	errIsDir   = errors.New("is a directory")
	errNotFile = errors.New("is no regular file")
	errNotLink = errors.New("is no link")
)

// view makes a [Tree] of a store: it follows links, never out of the tree, and gives the shapes and errors of [io/fs].
// It is an [fs.ReadLinkFS] too. Times are zero and permissions say only what is a directory: Git keeps neither.
type view struct{ store store }

var _ fs.ReadLinkFS = (*view)(nil)

// walk finds the node of a name. Links on the way are followed as a POSIX system does ("..", after a link, is the parent
// of where it leads), the last element only if follow is set. passed, if set, is told every link that is followed.
func (v *view) walk(name string, follow bool, passed func(link node, target string)) (node, error) {
	at := []node{v.store.top()} // from the top to where we are
	rest := strings.Split(name, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		here := at[len(at)-1]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(at) == 1 {
				return node{}, ErrEscapes
			}
			at = at[:len(at)-1]
			continue
		}
		next, err := v.child(here, part)
		if err != nil {
			return node{}, err
		}
		if next.Kind != git.Link || len(rest) == 0 && !follow {
			at = append(at, next)
			continue
		}
		if links++; links > maxLinks {
			return node{}, ErrLinkLoop
		}
		target, err := v.store.target(next)
		if err != nil {
			return node{}, err
		}
		if passed != nil {
			passed(next, target)
		}
		switch {
		case target == "":
			return node{}, fs.ErrNotExist
		case path.IsAbs(target):
			return node{}, ErrEscapes
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at[len(at)-1], nil
}

func (v *view) child(dir node, name string) (node, error) {
	switch dir.Kind {
	case git.Dir:
	case git.Module:
		return node{}, ErrSubmodule
	default:
		return node{}, fs.ErrNotExist
	}
	entries, err := v.store.list(dir)
	if err != nil {
		return node{}, err
	}
	byName := func(e git.Entry, name string) int { return strings.Compare(e.Name, name) }
	i, ok := slices.BinarySearchFunc(entries, name, byName)
	if !ok {
		return node{}, fs.ErrNotExist
	}
	return dir.child(entries[i]), nil
}

// find is walk for names from outside, with their errors.
func (v *view) find(op, name string, follow bool) (node, error) {
	if !fs.ValidPath(name) {
		return node{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if len(name) > git.MaxPath {
		return node{}, fail(op, name[:64]+"...", ErrTooLarge)
	}
	n, err := v.walk(name, follow, nil)
	return n, fail(op, name, err)
}

// fail names the path that an error is about, once.
func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var about *fs.PathError
	if errors.As(err, &about) {
		err = about.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Open implements [fs.FS]. A file is read as a whole.
func (v *view) Open(name string) (fs.File, error) { return open(v, name) }

// ReadFile implements [fs.ReadFileFS].
func (v *view) ReadFile(name string) ([]byte, error) {
	n, err := v.file(name)
	if err != nil {
		return nil, err
	}
	data, err := v.store.read(n)
	if err != nil {
		return nil, fail("read", name, err)
	}
	return slices.Clip(append([]byte{}, data...)), nil // the caller may change it
}

// file finds the node of a file that is to be read.
func (v *view) file(name string) (node, error) {
	n, err := v.find("read", name, true)
	if err != nil {
		return node{}, err
	}
	switch n.Kind {
	case git.File:
		return n, nil
	case git.Module:
		err = ErrSubmodule
	case git.Dir:
		err = errIsDir
	default:
		err = errNotFile
	}
	return node{}, fail("read", name, err)
}

// digest gives the SHA-256 of what ReadFile gives, in hexadecimal, and the same errors.
func (v *view) digest(name string) (string, error) {
	n, err := v.file(name)
	if err != nil {
		return "", err
	}
	if s, ok := v.store.(digester); ok {
		sum, err := s.digest(n)
		return sum, fail("read", name, err)
	}
	data, err := v.store.read(n)
	if err != nil {
		return "", fail("read", name, err)
	}
	return digestOf(data), nil
}

// digester is a store that knows digests of contents without reading them again.
type digester interface {
	digest(file node) (string, error) // of git.File: what digestOf says of its content
}

// ReadDir implements [fs.ReadDirFS]. Links are listed as links, and a submodule as a directory that cannot be read.
func (v *view) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := v.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	switch dir.Kind {
	case git.Dir:
	case git.Module:
		return nil, fail("readdir", name, ErrSubmodule)
	default:
		return nil, fail("readdir", name, errNotDir)
	}
	entries, err := v.store.list(dir)
	if err != nil {
		return nil, fail("readdir", name, err)
	}
	list := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		list[i] = dirEntry{v, dir.child(e)}
	}
	return list, nil
}

// Stat implements [fs.StatFS].
func (v *view) Stat(name string) (fs.FileInfo, error) { return v.info("stat", name, true) }

// Lstat implements [fs.ReadLinkFS].
func (v *view) Lstat(name string) (fs.FileInfo, error) { return v.info("lstat", name, false) }

// ReadLink implements [fs.ReadLinkFS].
func (v *view) ReadLink(name string) (string, error) {
	n, err := v.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if n.Kind != git.Link {
		return "", fail("readlink", name, errNotLink)
	}
	target, err := v.store.target(n)
	return target, fail("readlink", name, err)
}

func (v *view) info(op, name string, follow bool) (fs.FileInfo, error) {
	n, err := v.find(op, name, follow)
	if err != nil {
		return nil, err
	}
	info, err := v.describe(n)
	if err != nil {
		return nil, fail(op, name, err)
	}
	info.name = path.Base(name)
	return info, nil
}

// describe gives what [fs.FileInfo] says of a node itself.
func (v *view) describe(n node) (fileInfo, error) {
	info := fileInfo{name: n.Name, mode: modes[n.Kind]}
	switch n.Kind {
	case git.File:
		size, err := v.store.size(n)
		if err != nil {
			return fileInfo{}, err
		}
		info.size = size
	case git.Link:
		target, err := v.store.target(n)
		if err != nil {
			return fileInfo{}, err
		}
		info.size = int64(len(target))
	}
	return info, nil
}

// real gives the real path of a name.
func (v *view) real(name string) (string, error) {
	n, err := v.find("real path", name, true)
	return n.path, err
}

// passing gives the links that are followed on the way to a name, with their targets, wherever the way ends.
func (v *view) passing(name string) map[string]string {
	links := map[string]string{}
	if fs.ValidPath(name) && len(name) <= git.MaxPath {
		_, _ = v.walk(name, true, func(link node, target string) { links[link.path] = target })
	}
	return links
}
