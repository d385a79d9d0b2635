// Package remedy judges what could be done about a pair: each remedy by the same proof, on the state that it would make.
//
// In go a pair, the real releases that touch it, and what is known of whose files are involved; out come the remedies with
// their verdicts, what still opens a harm, what they cost, what becomes of other readers, and an order with its reasons. No
// verdict is written down here: a remedy is a function on Cases (when things are done) or on snapshots (which unit delivers
// what), and the search says the rest. The package refuses to edit files: that a remedy can be written as a patch is said by
// who writes it.
//
// Reading order: list.go (the remedies), intents.go and package schedule (what they do), judge.go (the proof on it), costs.go and
// rank.go. docs/remedies.md has the rule of the order in words.
package remedy

import (
	"context"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// Input is a pair and what is known of it.
type Input struct {
	Releases []Release          // that touch the pair, oldest first, each once
	Newest   *snapshot.Snapshot // the revision that is read: readers and files are as they are there
	Ends     cone.Ends          // the pair there
	Removed  []object.ID        // consumers that are taken to be gone, without their clusters
	Bounds   proof.Bounds
	Sides    []diag.Side
	Cause    *diag.Cause
	// Only are the names of the remedies to judge. Nil: all.
	Only []string
	// File says who reviews a file of the newest revision, and whether it is there. Nil: nothing is known.
	File func(path string) (owner string, exists bool)
}

// Release is one real release of the pair.
type Release struct {
	Ends      cone.Ends
	Revisions []cone.Revision
	Snapshots []*snapshot.Snapshot
	// Setting is what the proof is told of a pair with the same provider.
	Setting func(cone.Ends) cone.Setting
}

// Judge judges all remedies for a pair, the best first, those that do not apply last. It is nil if the pair is none at the
// newest revision. Errors are those of the context.
func Judge(ctx context.Context, in Input) ([]diag.Remedy, error) {
	s, ok := newSituation(in)
	if !ok {
		return nil, nil
	}
	j := newJudge(ctx, s)
	if err := j.readBase(); err != nil {
		return nil, err
	}
	var out []judged
	for _, r := range remedies() {
		if in.Only != nil && !slices.Contains(in.Only, r.name) {
			continue
		}
		x, err := j.judge(r)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return ranked(out), nil
}

// steady tells whether the same units deliver both ends at all revisions. A release that brings an end, or moves it to another
// unit, is one about the structure, and no release that a remedy of the structure is for.
func (r Release) steady() bool {
	for _, id := range []object.ID{r.Ends.Consumer, r.Ends.Provider} {
		first := deliverers(r.Snapshots[0], id)
		if len(first) == 0 {
			return false
		}
		for _, s := range r.Snapshots[1:] {
			if !slices.Equal(first, deliverers(s, id)) {
				return false
			}
		}
	}
	return true
}

// deliverers are the units that render an object.
func deliverers(s *snapshot.Snapshot, id object.ID) []unit.ID {
	var out []unit.ID
	for _, u := range s.Units {
		if slices.ContainsFunc(u.Objects, func(o object.Object) bool { return o.ID == id }) {
			out = append(out, u.ID)
		}
	}
	return out
}

// situation is the pair as it stands at the newest revision.
type situation struct {
	Input
	consumer, provider object.Object
	from, to           []unit.ID // the units of the provider and of the consumer
	others             []reader
	transcoder         bool
}

// reader is another workload that reads the provider.
type reader struct {
	id    object.ID
	units []unit.ID
}

func newSituation(in Input) (*situation, bool) {
	in.Releases = slices.DeleteFunc(slices.Clone(in.Releases), func(r Release) bool { return !r.steady() })
	s := &situation{Input: in}
	var seen bool
	for _, ref := range in.Newest.Graph.References {
		switch {
		case ref.Provider != in.Ends.Provider || len(ref.ProviderUnits) == 0:
		case ref.Consumer == in.Ends.Consumer:
			seen = true
			s.from, s.to = ref.ProviderUnits, ref.ConsumerUnits
			s.transcoder = s.transcoder || ref.Descriptor != nil
		case s.isRemoved(ref.Consumer) || ref.Consumer.Kind == "EnvoyFilter":
		case !slices.ContainsFunc(s.others, func(r reader) bool { return r.id == ref.Consumer }):
			s.others = append(s.others, reader{ref.Consumer, ref.ConsumerUnits})
		}
	}
	if !seen || s.isRemoved(in.Ends.Consumer) {
		return nil, false
	}
	s.consumer, _ = in.Newest.Object(in.Ends.Consumer)
	s.provider, _ = in.Newest.Object(in.Ends.Provider)
	return s, true
}

func (s *situation) isRemoved(id object.ID) bool {
	id.Cluster = ""
	return slices.ContainsFunc(s.Removed, func(r object.ID) bool {
		r.Cluster = ""
		return r.Kind == id.Kind && r.Namespace == id.Namespace && r.Name == id.Name
	})
}

// together tells whether one unit delivers both ends already.
func (s *situation) together() bool { return unit.Overlap(s.from, s.to) }

// apart are the other readers that the consumer's units do not deliver.
func (s *situation) apart() []reader {
	return slices.DeleteFunc(slices.Clone(s.others), func(r reader) bool { return unit.Overlap(r.units, s.to) })
}

// names are the short names of units.
func (s *situation) names(ids []unit.ID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, s.Newest.Names[id])
	}
	return out
}

// pods tells whether the consumer has a pod template that reads a ConfigMap or Secret.
func (s *situation) reads() bool {
	return object.PodTemplate(s.consumer) != nil && s.Ends.Provider.IsConfig()
}
