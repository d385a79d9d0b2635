// Package declared finds where a unit's object is written, in a repository that is to be edited there.
//
// In goes the tree of one revision with its snapshot; out come places: the file, the document or the entry of a generator, and
// the units that render it from there. It refuses a place where a change would reach anything but the object in all
// environments of the unit, and what it cannot read with certainty.
package declared

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/listing"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// Finder finds places. It may be used by several goroutines at once.
type Finder struct {
	Tree  source.Tree
	Snap  *snapshot.Snapshot
	Index func() *listing.Index // read when it is first needed: it walks the whole tree
	// Alike lists the environments of one root: units of each, in the same order, such as the consumer's and the provider's.
	Alike [][]unit.ID
}

// New makes a finder for a tree and the snapshot that was built of it.
func New(tree source.Tree, snap *snapshot.Snapshot) *Finder {
	return &Finder{Tree: tree, Snap: snap, Index: sync.OnceValue(func() *listing.Index { return listing.New(tree) })}
}

// Refusal says why an edit cannot be made safely, and what to do by hand. It is an error.
type Refusal struct {
	At     object.Location
	Why    string
	ByHand string
}

// Error is "file:line: why; what to do".
func (r *Refusal) Error() string {
	where := r.At.File
	if r.At.Repository != "" {
		where = r.At.Repository + " " + where
	}
	if r.At.Line > 0 {
		where += fmt.Sprintf(":%d", r.At.Line)
	}
	if where != "" {
		where += ": "
	}
	return where + r.Why + "; " + r.ByHand
}

// Refuse makes a refusal.
func Refuse(at object.Location, byHand, why string, args ...any) error {
	return &Refusal{at, fmt.Sprintf(why, args...), byHand}
}

// RefusedBy names the file of a refusal of yamledit.
func RefusedBy(file string, err error) error {
	var r *yamledit.Refusal
	if errors.As(err, &r) {
		return &Refusal{object.Location{File: file, Line: r.Line}, r.Why, r.ByHand}
	}
	return Refuse(object.Location{File: file}, "edit the file by hand", "%v", err)
}

// Unit finds a unit whose objects are known.
func (e *Finder) Unit(id unit.ID) (discover.Delivered, error) {
	for _, u := range e.Snap.Units {
		if u.ID != id {
			continue
		}
		if !u.Rendered {
			return u, Refuse(u.Origin, "close the gap of the unit first", "what %s renders is not known", e.Name(id))
		}
		return u, nil
	}
	return discover.Delivered{}, Refuse(object.Location{}, "name a unit of this revision", "there is no unit %s", id.Name)
}

// Name is the short name of a unit.
func (e *Finder) Name(id unit.ID) string {
	if short := e.Snap.Names[id]; short != "" {
		return short
	}
	return id.Name
}

// IsHome tells whether a source is read from the tree that is edited.
func (e *Finder) IsHome(u discover.Delivered, s unit.Source) bool {
	if u.Kind == unit.Bootstrap {
		return true
	}
	known := slices.Contains(e.Snap.URLs, source.NormalizeURL(s.RepoURL))
	at := s.TargetRevision == "" || s.TargetRevision == "HEAD" || slices.Contains(e.Snap.Branches, s.TargetRevision)
	return s.Chart == "" && known && at
}

// Home are the source directories of a unit in the tree that is edited.
func (e *Finder) Home(u discover.Delivered) []string {
	var dirs []string
	for _, s := range u.Sources {
		if !s.Lends() && e.IsHome(u, s) {
			dirs = append(dirs, Clean(s.Path))
		}
	}
	return dirs
}

// Clean is a source path as Argo CD reads it: "./a/", "a" and "/a" are one directory.
func Clean(p string) string {
	if p = path.Clean("/" + p); p == "/" {
		return "."
	}
	return p[1:]
}
