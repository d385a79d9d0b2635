package locate

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// add makes the files of a lender part of a place. One that has the same files as another lender shares its place: a value
// file that is named twice counts once.
func (p *Place) add(ref string, lender Place) {
	if same(*p, lender) {
		p.Lent[ref] = "."
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.lenders)) {
		if same(p.lenders[name], lender) {
			p.Lent[ref] = name
			return
		}
	}
	name := unit.LentPlace(ref)
	p.Lent[ref], p.lenders[name] = name, lender
}

// seal makes one tree of a place and its lenders.
func (p *Place) seal() {
	if len(p.lenders) == 0 {
		return
	}
	t := lending{base: p.Tree, others: map[string]source.Tree{}}
	for _, name := range slices.Sorted(maps.Keys(p.lenders)) {
		t.others[name] = p.lenders[name].Tree
		p.Key += "\x00" + name + "\x00" + p.lenders[name].Key
	}
	p.Tree = t
}

// Real is where a file of the tree really lies: its path and its repository, "" for the analysed one.
func (p Place) Real(file string) (name, repository string) {
	for place, lender := range p.lenders { // none lies in another
		if inner, ok := below(file, place); ok {
			return inner, lender.Repository
		}
	}
	return file, p.Repository
}

// below is the name relative to a directory, if it lies there or is the directory itself.
func below(name, dir string) (string, bool) {
	if name == dir {
		return ".", true
	}
	return strings.CutPrefix(name, dir+"/")
}

// lending is a tree with other trees in it, each at a name that base cannot have. Links of each are followed inside it, and
// the others are not listed: whoever does not ask for them by name sees base alone.
type lending struct {
	base   source.Tree
	others map[string]source.Tree
}

var _ fs.ReadLinkFS = lending{}

func (t lending) of(name string) (source.Tree, string) {
	for place, tree := range t.others { // none lies in another
		if inner, ok := below(name, place); ok {
			return tree, inner
		}
	}
	return t.base, name
}

func (t lending) Open(name string) (fs.File, error) {
	tree, inner := t.of(name)
	return tree.Open(inner)
}

func (t lending) ReadFile(name string) ([]byte, error) {
	tree, inner := t.of(name)
	return tree.ReadFile(inner)
}

func (t lending) ReadDir(name string) ([]fs.DirEntry, error) {
	tree, inner := t.of(name)
	return tree.ReadDir(inner)
}

func (t lending) Stat(name string) (fs.FileInfo, error) {
	tree, inner := t.of(name)
	info, err := tree.Stat(inner)
	if err != nil || inner != "." {
		return info, err
	}
	return named{info, path.Base(name)}, nil
}

func (t lending) Lstat(name string) (fs.FileInfo, error) {
	tree, inner := t.of(name)
	return fs.Lstat(tree, inner)
}

func (t lending) ReadLink(name string) (string, error) {
	tree, inner := t.of(name)
	return fs.ReadLink(tree, inner)
}

// named is the top of a tree under the name that it has in another one.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }
