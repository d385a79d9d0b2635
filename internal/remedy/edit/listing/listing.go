// Package listing is what has to be known of a whole tree before one of its files is changed: which kustomizations name it,
// and which links lead to it.
//
// In goes a tree, out comes an index of it. It reads no file but kustomizations, and nothing of submodules.
package listing

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/source"
)

// Index is what has to be known of a whole tree before one of its files is changed.
type Index struct {
	Kustomizations *kustomization.Set
	Links          map[string]string // by the path of the link: where it leads, "" if that is not known
}

// New walks a tree.
func New(t source.Tree) *Index {
	x := &Index{Links: map[string]string{}}
	var names []string
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := t.ReadDir(dir)
		if err != nil {
			return // a submodule: nothing in it belongs to this tree
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case e.Type()&fs.ModeSymlink != 0:
				x.Links[name] = target(t, name)
			case e.IsDir():
				walk(name)
			case kustomization.Is(e.Name()):
				names = append(names, name)
			}
		}
	}
	walk(".")
	x.Kustomizations = kustomization.Read(t, names)
	return x
}

func target(t source.Tree, link string) string {
	l, ok := t.(fs.ReadLinkFS)
	if !ok {
		return ""
	}
	to, err := l.ReadLink(link)
	if err != nil || path.IsAbs(to) {
		return ""
	}
	return path.Join(path.Dir(link), to)
}

// Real follows the links on the way to a name. It is false if one of them leads nowhere that is known.
func (x *Index) Real(name string) (string, bool) {
	for range 40 {
		link := ""
		for at := name; at != "."; at = path.Dir(at) {
			if _, ok := x.Links[at]; ok {
				link = at // the outermost
			}
		}
		if link == "" {
			return name, true
		}
		if x.Links[link] == "" {
			return "", false
		}
		name = path.Join(x.Links[link], strings.TrimPrefix(name, link))
	}
	return "", false
}

// Leading are the links that lead to a file, or to a directory above it.
func (x *Index) Leading(file string) []string {
	var all []string
	for link := range x.Links {
		if to, ok := x.Real(link); ok && Within(file, to) {
			all = append(all, link)
		}
	}
	slices.Sort(all)
	return all
}

// Within tells whether a path is a directory or below it.
func Within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}
