package source

import (
	"path"
	"slices"

	"github.com/syncproof/syncproof/internal/source/git"
)

// listing collects names into directories: the part of a store that is known beforehand.
type listing struct {
	dirs  map[string]map[string]git.Entry
	files int
}

func newListing() *listing {
	return &listing{dirs: map[string]map[string]git.Entry{".": {}}}
}

// add puts something that is no directory at a valid name, and makes the directories above it. A directory wins over
// anything else of its Name: on disk both cannot be, so this only decides between what the caller made up.
func (l *listing) add(name string, e git.Entry) error {
	if l.files++; l.files > git.MaxNames {
		return ErrTooLarge
	}
	if _, dir := l.dirs[name]; dir {
		return nil
	}
	e.Name = path.Base(name)
	l.parent(name)[e.Name] = e
	return nil
}

// addDir puts a directory at a valid name.
func (l *listing) addDir(name string) {
	if _, known := l.dirs[name]; known {
		return
	}
	l.dirs[name] = map[string]git.Entry{}
	base := path.Base(name)
	l.parent(name)[base] = git.Entry{Name: base, Kind: git.Dir}
}

func (l *listing) parent(name string) map[string]git.Entry {
	dir := path.Dir(name)
	l.addDir(dir)
	return l.dirs[dir]
}

// done gives the directories in the form that [store] wants.
func (l *listing) done() static {
	s := make(static, len(l.dirs))
	for dir, names := range l.dirs {
		entries := make([]git.Entry, 0, len(names))
		for _, e := range names {
			entries = append(entries, e)
		}
		s[dir] = git.Sorted(slices.Clip(entries))
	}
	return s
}

// static is a finished listing: directories by path.
type static map[string][]git.Entry

func (s static) top() node { return top("") }

func (s static) list(dir node) ([]git.Entry, error) { return s[dir.path], nil }
