package kustomize

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/syncproof/syncproof/internal/source"
)

// mount is where kustomize sees the top of the tree. A path above it is outside the repository.
const mount = "/repository"

var errReadOnly = errors.New("the tree is read-only")

// files shows a tree to kustomize. It answers reads only; instead gives other content to some names.
type files struct {
	tree    source.Tree
	instead map[string][]byte
	reals   map[string]string
	notes   []string // sentences of [unit.Rendering.Notes]
}

var _ filesys.FileSystem = (*files)(nil)

func newFiles(t source.Tree) *files {
	return &files{tree: t, instead: map[string][]byte{}, reals: map[string]string{}}
}

// note says once how files are read.
func (f *files) note(sentence string) {
	if !slices.Contains(f.notes, sentence) {
		f.notes = append(f.notes, sentence)
	}
}

// inTree gives the name in the tree of a path as kustomize has it.
func inTree(p string) (string, error) {
	p = path.Clean(filepath.ToSlash(p))
	switch rest, ok := strings.CutPrefix(p, mount); {
	case ok && rest == "":
		return ".", nil
	case ok && rest[0] == '/':
		return rest[1:], nil
	}
	return "", &fs.PathError{Op: "open", Path: p, Err: source.ErrEscapes}
}

func mounted(name string) string { return path.Join(mount, name) }

// maxLinks is how many links one path may pass.
const maxLinks = 40

// resolve gives the name that a name stands for once every link on its way is followed: kustomize's load restriction
// looks at where a file really lies. A tree that cannot tell links from what they point to gives names as they are.
func (f *files) resolve(name string) (string, error) {
	links, ok := f.tree.(fs.ReadLinkFS)
	if !ok {
		_, err := f.tree.Stat(name)
		return name, err
	}
	if real, ok := f.reals[name]; ok {
		return real, nil
	}
	real, err := follow(links, name)
	if err != nil {
		return "", &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	f.reals[name] = real
	return real, nil
}

func follow(links fs.ReadLinkFS, name string) (string, error) {
	done, rest, passed := ".", strings.Split(name, "/"), 0
	for len(rest) > 0 {
		element := rest[0]
		rest = rest[1:]
		switch element {
		case "", ".":
			continue
		case "..":
			if done == "." {
				return "", source.ErrEscapes
			}
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, element)
		info, err := links.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := links.ReadLink(next)
		if err != nil {
			return "", err
		}
		if passed++; passed > maxLinks {
			return "", source.ErrLinkLoop
		}
		switch {
		case target == "":
			return "", fs.ErrNotExist
		case path.IsAbs(target):
			return "", source.ErrEscapes
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}

// CleanedAbs gives the real directory and, for a file, its base name.
func (f *files) CleanedAbs(p string) (filesys.ConfirmedDir, string, error) {
	name, err := inTree(p)
	if err != nil {
		return "", "", err
	}
	real, err := f.resolve(name)
	if err != nil {
		return "", "", err
	}
	info, err := f.tree.Stat(real)
	if err != nil {
		return "", "", err
	}
	if info.IsDir() {
		return filesys.ConfirmedDir(mounted(real)), "", nil
	}
	return filesys.ConfirmedDir(mounted(path.Dir(real))), path.Base(real), nil
}

// Exists tells whether the path can be reached inside the tree.
func (f *files) Exists(p string) bool {
	name, err := inTree(p)
	if err != nil {
		return false
	}
	_, err = f.tree.Stat(name)
	return err == nil
}

// IsDir tells whether the path is a directory or a link to one.
func (f *files) IsDir(p string) bool {
	name, err := inTree(p)
	return err == nil && f.isDir(name)
}

func (f *files) isDir(name string) bool {
	info, err := f.tree.Stat(name)
	return err == nil && info.IsDir()
}

func (f *files) isFile(name string) bool {
	info, err := f.tree.Stat(name)
	return err == nil && !info.IsDir()
}

// ReadDir lists the names in a directory.
func (f *files) ReadDir(p string) ([]string, error) {
	name, err := inTree(p)
	if err != nil {
		return nil, err
	}
	entries, err := f.tree.ReadDir(name)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// ReadFile gives the content of a file, or what stands in for it.
func (f *files) ReadFile(p string) ([]byte, error) {
	name, err := inTree(p)
	if err != nil {
		return nil, err
	}
	return f.read(name)
}

// read is ReadFile for a name of the tree.
func (f *files) read(name string) ([]byte, error) {
	if content, ok := f.instead[name]; ok {
		return content, nil
	}
	return f.tree.ReadFile(name)
}

// Nothing below is called by a build; whatever calls it learns that the tree cannot change.

func (f *files) Create(string) (filesys.File, error)  { return nil, errReadOnly }
func (f *files) Open(string) (filesys.File, error)    { return nil, errReadOnly }
func (f *files) Mkdir(string) error                   { return errReadOnly }
func (f *files) MkdirAll(string) error                { return errReadOnly }
func (f *files) RemoveAll(string) error               { return errReadOnly }
func (f *files) WriteFile(string, []byte) error       { return errReadOnly }
func (f *files) Glob(string) ([]string, error)        { return nil, errReadOnly }
func (f *files) Walk(string, filepath.WalkFunc) error { return errReadOnly }
