package pipeline

import (
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// structure is the verdict on a split that a release brings: no order of this release is judged, but those of all later ones
// are open.
const structure = "structure"

// structures are the pairs that the last snapshot splits and the first one does not, each shape once.
func (j *judging) structures(snaps []*snapshot.Snapshot) []diag.Finding {
	before := map[string]bool{}
	for _, c := range j.split(snaps[0]) {
		before[shape(c)] = true
	}
	last := snaps[len(snaps)-1]
	var fresh []hazard.Candidate
	for _, c := range j.split(last) {
		if !before[shape(c)] {
			fresh = append(fresh, c)
		}
	}
	var out []diag.Finding
	for _, l := range group(fresh, last) {
		first := l.Instances[0]
		out = append(out, diag.Finding{
			ID: l.ID, Rule: l.Rule, Verdict: structure, Complete: true, Needs: []string{},
			Title: first.Consumer.Object + " <-> " + first.Provider.Object,
			Message: first.Consumer.Object + " (" + first.Consumer.Unit + ") and " + first.Provider.Object + " (" + first.Provider.Unit +
				") must match, and from this change on two units deliver them, with no order between the two",
			At: first.Consumer.At, Instances: l.Instances,
		})
	}
	return out
}

// split are the pairs that a snapshot splits, without those that are parts of others.
func (j *judging) split(s *snapshot.Snapshot) []hazard.Candidate {
	var out []hazard.Candidate
	for _, c := range hazard.Run(j.in.Rules, s) {
		if !covered(s, proof.Ends{Consumer: c.Consumer.Object, Provider: c.Provider.Object}) {
			out = append(out, c)
		}
	}
	return out
}
