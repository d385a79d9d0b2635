package source

import (
	"io/fs"
	"maps"
	"path"

	"github.com/syncproof/syncproof/internal/source/git"
)

// Memory gives a tree of these files, by slash path from the top. Names that no repository could have are left out.
func Memory(files map[string][]byte) Tree {
	l := newListing()
	for name := range files {
		if git.ValidName(name) {
			_ = l.add(name, git.Entry{Kind: git.File}) // the only error is a bound on what is read from outside
		}
	}
	return &view{memory{l.done(), maps.Clone(files)}}
}

type memory struct {
	static
	files map[string][]byte
}

func (m memory) size(file node) (int64, error)  { return int64(len(m.files[file.path])), nil }
func (m memory) read(file node) ([]byte, error) { return m.files[file.path], nil }
func (m memory) target(node) (string, error)    { return "", errNotLink }

// Overlay gives base with these files written over it, as if somebody had edited a checkout: nil deletes a file, a link
// or a whole directory, anything else replaces what has its name, and directories come and go with their files. Names are
// taken literally, so one that leads through a link of base replaces the link by a directory. Links of base see the
// edited files. Names that no repository could have are left out.
//
// To record what is read, put the [Recorder] around the overlay: an overlay lists each directory on the way to a name.
func Overlay(base Tree, files map[string][]byte) Tree {
	o := overlay{base: base, files: map[string][]byte{}, gone: map[string]bool{}, touched: map[string]bool{}}
	l := newListing()
	for name, data := range files {
		if !git.ValidName(name) {
			continue
		}
		if data == nil {
			o.gone[name] = true
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				o.touched[dir] = true
			}
			continue
		}
		o.files[name] = data
		_ = l.add(name, git.Entry{Kind: git.File})
	}
	o.static = l.done()
	return &view{o}
}

// overlay is a store. Entries that base has as well carry the id fromBase.
type overlay struct {
	static  // what was written
	base    Tree
	files   map[string][]byte
	gone    map[string]bool // what was deleted
	touched map[string]bool // directories from which something was deleted
}

const fromBase = "base"

func (o overlay) top() node { return top(fromBase) }

func (o overlay) list(dir node) ([]git.Entry, error) {
	written := o.static[dir.path]
	if dir.ID != fromBase {
		return written, nil
	}
	base, err := o.base.ReadDir(dir.path)
	if err != nil {
		return nil, err
	}
	entries := make([]git.Entry, 0, len(base)+len(written))
	edited := map[string]bool{}
	for _, e := range written {
		edited[e.Name] = true
	}
	for _, b := range base {
		e := git.Entry{Name: b.Name(), Kind: kindOf(b.Type()), ID: fromBase}
		n := dir.child(e)
		switch {
		case !git.ValidName(e.Name) || o.gone[n.path]:
			continue
		case edited[e.Name] && (e.Kind != git.Dir || !o.writtenDir(n.path)):
			continue // replaced
		case e.Kind == git.Dir && o.touched[n.path] && !edited[e.Name]:
			if left, err := o.list(n); err != nil {
				return nil, err
			} else if len(left) == 0 {
				continue
			}
		}
		entries = append(entries, e)
	}
	// Directories that both have are in there already, and stay: they come first, and know of base.
	return git.Sorted(append(entries, written...)), nil
}

func (o overlay) writtenDir(name string) bool {
	_, dir := o.static[name]
	return dir
}

func (o overlay) size(file node) (int64, error) {
	if file.ID != fromBase {
		return int64(len(o.files[file.path])), nil
	}
	info, err := fs.Lstat(o.base, file.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (o overlay) read(file node) ([]byte, error) {
	if file.ID != fromBase {
		return o.files[file.path], nil
	}
	return o.base.ReadFile(file.path)
}

func (o overlay) target(link node) (string, error) { return fs.ReadLink(o.base, link.path) }
