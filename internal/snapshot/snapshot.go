// Package snapshot is a repository at one revision: units, objects, references and gaps as one value.
//
// In goes what discovery needs, out comes the snapshot that rules look at. It refuses to compare revisions by itself and
// to judge. Nobody changes a snapshot once it is built.
package snapshot

import (
	"context"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

// Snapshot is everything known of one revision. All slices are sorted.
type Snapshot struct {
	Units       []discover.Delivered
	Names       map[unit.ID]string // short names of the units
	Roots       []discover.Root
	URLs        []string // repoURLs that were taken as this repository
	Branches    []string // targetRevisions that were taken as this revision
	Assumptions []string
	Graph       refgraph.Graph
	Gaps        []diag.Gap // of discovery and of the references

	objects map[object.ID]object.Object
	sets    *refgraph.Sets // shared with the snapshots that are made of this one
}

// Build reads a revision. Errors are failures of ours or a cancelled context.
func Build(ctx context.Context, in discover.Input) (*Snapshot, error) {
	found, err := discover.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Units:       found.Units,
		Names:       found.Names,
		Roots:       found.Roots,
		URLs:        found.URLs,
		Branches:    found.Branches,
		Assumptions: found.Assumptions,
	}
	s.sets = &refgraph.Sets{}
	s.index()
	s.Gaps = diag.SortGaps(slices.Concat(found.Gaps, s.Graph.Gaps))
	return s, nil
}

// Object finds a rendered object. If several units render it, that of the first unit counts.
func (s *Snapshot) Object(id object.ID) (object.Object, bool) {
	o, ok := s.objects[id]
	return o, ok
}

// Has tells whether an object of that kind and name is rendered, of whatever group and in whatever cluster.
func (s *Snapshot) Has(kind, namespace, name string) bool {
	for id := range s.objects {
		if id.Kind == kind && id.Namespace == namespace && id.Name == name {
			return true
		}
	}
	return false
}
