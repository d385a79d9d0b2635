package pipeline

import (
	"cmp"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// structure is the verdict on a split that a release brings: no order of this release is judged, but those of all later ones
// are open.
const structure = "structure"

// structures are the pairs that the last snapshot splits and the first one does not, each shape once.
func (j *judging) structures(r *cone.Release, snaps []*snapshot.Snapshot, revisions []cone.Revision) []diag.Finding {
	before := map[string]bool{}
	for _, c := range j.split(snaps[0]) {
		before[shape(c)] = true
	}
	last := snaps[len(snaps)-1]
	var fresh []hazard.Candidate
	for _, c := range j.split(last) {
		// What the base could not render may have been split all along.
		seen := r.Unrendered(endsOf(c)) == ""
		was := c // under the name that the provider had
		was.Provider.Object = cmp.Or(r.Reads(endsOf(c))[0], c.Provider.Object)
		if !before[shape(was)] && seen {
			fresh = append(fresh, c)
		}
	}
	var out []diag.Finding
	for _, l := range group(fresh, last) {
		first := l.Instances[0]
		out = append(out, diag.Finding{
			ID: l.ID, Pair: l.ID, Rule: l.Rule, Verdict: structure, Complete: true, Needs: []string{},
			Title: first.Consumer.Object + " <-> " + first.Provider.Object,
			Message: first.Consumer.Object + " (" + first.Consumer.Unit + ") and " + first.Provider.Object + " (" + first.Provider.Unit +
				") must match, and from this change on two units deliver them, with no order between the two",
			At: first.Consumer.At, Instances: l.Instances, Release: releaseOf(revisions),
		})
	}
	return out
}

// split are the pairs that a snapshot splits, without those that are parts of others.
func (j *judging) split(s *snapshot.Snapshot) []hazard.Candidate {
	var out []hazard.Candidate
	for _, c := range hazard.Run(j.in.Rules, s) {
		if !covered(s, endsOf(c)) {
			out = append(out, c)
		}
	}
	return out
}

// releaseOf is the release that goes through these revisions.
func releaseOf(revisions []cone.Revision) *diag.Release {
	last := len(revisions) - 1
	out := &diag.Release{Commit: commitOf(revisions[last])}
	for _, r := range revisions[:last] {
		out.Base = append(out.Base, commitOf(r))
	}
	return out
}

// undecided is a pair that could not be judged in a release.
func (j *judging) undecided(c hazard.Candidate, why string, revisions []cone.Revision, snaps []*snapshot.Snapshot) diag.Finding {
	at := snaps[len(snaps)-1]
	if _, ok := at.Object(c.Consumer.Object); !ok {
		at = snaps[0]
	}
	return diag.Finding{
		ID:   hashed(c.Rule, identity(c.Consumer.Object), identity(c.Provider.Object), "unseen"),
		Pair: shape(c),
		Rule: c.Rule, Verdict: string(proof.Undecided), Needs: []string{},
		Title:   c.Consumer.Object.String() + " <-> " + c.Provider.Object.String(),
		Message: c.Summary, Reason: why, Close: "close the gap of that unit, or judge a release at which it can be rendered",
		At: c.Consumer.At, Release: releaseOf(revisions),
		Instances: []diag.Instance{{Consumer: end(c.Consumer, at), Provider: end(c.Provider, at), Links: c.Links}},
	}
}
