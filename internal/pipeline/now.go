package pipeline

import (
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// outdated says, of findings about releases of the past, which pairs are none any more at the revision that is read.
func (j *judging) outdated(findings []diag.Finding, head *snapshot.Snapshot) {
	split := map[string]bool{}
	for _, c := range j.split(head) {
		split[shape(c)] = true
	}
	for i := range findings {
		f, ok := j.headOf(findings[i])
		if !ok || f.snapshot == head || split[shape(f.candidate)] {
			continue
		}
		findings[i].Now = now(f, head)
	}
}

// now says why a pair is no split pair at a revision; "" if it may be one that is not seen.
func now(f found, head *snapshot.Snapshot) string {
	consumers := alike(head, f.candidate.Consumer.Object)
	providers := alike(head, f.candidate.Provider.Object)
	switch {
	case len(consumers) == 0 && unseen(head, f.candidate.Consumer.Units):
		return ""
	case len(consumers) == 0:
		return f.candidate.Consumer.Object.String() + " is gone"
	case len(providers) == 0 && unseen(head, f.candidate.Provider.Units):
		return ""
	}
	for _, ref := range head.Graph.References {
		if !slices.Contains(consumers, ref.Consumer) || identity(ref.Provider) != identity(f.candidate.Provider.Object) {
			continue
		}
		if unit.Overlap(ref.ConsumerUnits, ref.ProviderUnits) {
			return "unit " + unitNames(ref.ConsumerUnits, head) + " delivers both"
		}
		if len(ref.ProviderUnits) == 0 {
			return f.candidate.Provider.Object.String() + " is gone, and still read"
		}
		return "" // a pair that no rule names: another cluster's, or a part of another one
	}
	return f.candidate.Consumer.Object.String() + " does not read " + f.candidate.Provider.Object.String() + " any more"
}

// alike are the objects of a snapshot with an identity, whatever their cluster.
func alike(s *snapshot.Snapshot, id object.ID) []object.ID {
	var out []object.ID
	for _, u := range s.Units {
		for _, o := range u.Objects {
			if identity(o.ID) == identity(id) {
				out = append(out, o.ID)
			}
		}
	}
	return out
}

// unseen tells whether one of these units could not be rendered.
func unseen(s *snapshot.Snapshot, ids []unit.ID) bool {
	for _, u := range s.Units {
		for _, id := range ids {
			if u.ID.Namespace == id.Namespace && u.ID.Name == id.Name && !u.Rendered {
				return true
			}
		}
	}
	return false
}
