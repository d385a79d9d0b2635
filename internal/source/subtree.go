package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// File is a regular file with its content.
type File struct {
	Path string // slash path below the directory that was asked for
	Data []byte
}

// Bounds of what [Subtree] collects. Links can make a small repository look endlessly large.
const (
	subtreeNames = 100_000
	subtreeBytes = 256 << 20
)

// Subtree reads every regular file below a directory, sorted by path. Links are followed, to files and to directories, and
// what they lead to stands below the link's name. Reading is complete or fails: an unreadable file, a dangling link, a
// link out of the tree or to a directory above it, a submodule, too much in all ([ErrTooLarge]) are errors.
func Subtree(t Tree, dir string) ([]File, error) {
	real, err := realPath(t, dir)
	if err != nil {
		return nil, err
	}
	s := &subtree{tree: t, dir: dir}
	if err := s.walk(real, ""); err != nil {
		return nil, err
	}
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return s.files, nil
}

type subtree struct {
	tree  Tree
	dir   string
	files []File
	names int
	bytes int64
	above []string // the directories that we are in
}

// walk takes a directory by its real path, so that links that lead to links are followed once and not from every file
// below them, and by its path below the start.
func (s *subtree) walk(dir, below string) error {
	if slices.Contains(s.above, dir) {
		return &fs.PathError{Op: "read all of", Path: path.Join(s.dir, below), Err: ErrLinkLoop}
	}
	s.above = append(s.above, dir)
	defer func() { s.above = s.above[:len(s.above)-1] }()
	entries, err := s.tree.ReadDir(dir)
	if err != nil {
		return err
	}
	if s.names += len(entries); s.names > subtreeNames {
		return s.tooLarge()
	}
	for _, e := range entries {
		name, mode := path.Join(dir, e.Name()), e.Type()
		if mode&fs.ModeSymlink != 0 {
			if name, err = realPath(s.tree, name); err != nil {
				return err
			}
			info, err := s.tree.Stat(name)
			if err != nil {
				return err
			}
			mode = info.Mode().Type()
		}
		switch {
		case mode.IsDir():
			err = s.walk(name, path.Join(below, e.Name()))
		case mode.IsRegular():
			err = s.read(name, path.Join(below, e.Name()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *subtree) read(name, below string) error {
	data, err := s.tree.ReadFile(name)
	if err != nil {
		return err
	}
	if s.bytes += int64(len(data)); s.bytes > subtreeBytes {
		return s.tooLarge()
	}
	s.files = append(s.files, File{below, data})
	return nil
}

func (s *subtree) tooLarge() error {
	return &fs.PathError{Op: "read all of", Path: s.dir, Err: ErrTooLarge}
}

// realPath gives the real path of a name, one without links in it. A tree of another package that has links does not say.
func realPath(t Tree, name string) (string, error) {
	if v, ok := t.(interface {
		real(name string) (string, error)
	}); ok {
		return v.real(name)
	}
	return name, nil
}
