package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/changes"
	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// found is one judged pair of one release.
type found struct {
	step      Step
	replay    string // why its traces were not run again on the whole release
	candidate hazard.Candidate
	reads     []object.ID // what the consumer reads in the provider's place, by revision
	solved    proof.Solved
	snapshot  *snapshot.Snapshot   // rk
	names     []*snapshot.Snapshot // r0..rk
	at        int                  // place of the step among all
	window    *window              // nil: the step is one release
}

// findings joins what has one shape: the same pair, with the same kind of change, over clusters and releases. The gravest
// and newest of them speaks for all.
func (j *judging) findings() []diag.Finding {
	shapes := map[string][]found{}
	var ids []string
	for _, f := range slices.Concat(j.found, j.graver()) {
		id := f.shape()
		if shapes[id] == nil {
			ids = append(ids, id)
		}
		shapes[id] = append(shapes[id], f)
	}
	out := append([]diag.Finding{}, j.structural...)
	for _, id := range ids {
		if f := j.finding(id, shapes[id]); j.in.All || reported(f) {
			out = append(out, f)
		}
	}
	if j.in.All {
		out = append(out, j.unseen...)
	}
	slices.SortFunc(out, diag.Finding.Compare)
	return out
}

// reported tells whether a finding is one without being asked for: what is safe or not decided is not.
func reported(f diag.Finding) bool {
	return f.Verdict != string(proof.Safe) && f.Verdict != string(proof.Undecided)
}

// verdicts counts the judged pairs of all releases by verdict.
func (j *judging) verdicts() map[string]int {
	out := map[string]int{}
	for _, f := range j.found {
		out[string(f.solved.Verdict)]++
	}
	if n := len(j.unseen); n > 0 {
		out[string(proof.Undecided)] += n
	}
	return out
}

// shape is the id of a finding.
func (f found) shape() string {
	return hashed(f.candidate.Rule, identity(f.candidate.Consumer.Object), identity(f.candidate.Provider.Object), f.kind())
}

// kind is the kind of change that a release brings, as far as it makes a difference to the pair: what the API's two versions
// mean for each other, whether the list of services changes, the verdict, and the harms that ordinary steps reach.
func (f found) kind() string {
	parts := []string{string(f.solved.Verdict)}
	if f.window != nil {
		parts = append(parts, "window")
	}
	if m := f.solved.Match; m != nil && m.SafeOrder != "" {
		parts = append(parts, m.SafeOrder, m.SafeIfUnused, m.Preferred)
	}
	if c := f.solved.Case; c != nil && c.Pair.Filter != delivery.None && c.Varies(c.Pair.Filter) {
		parts = append(parts, "filter")
	}
	for _, o := range f.solved.Openings {
		if len(o.Set) == 0 {
			parts = append(parts, string(o.Harm))
		}
	}
	slices.Sort(parts[1:])
	return strings.Join(slices.Compact(parts), " ")
}

// finding tells of all releases and places of one shape.
func (j *judging) finding(id string, all []found) diag.Finding {
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(
			slices.Index(diag.Verdicts(), string(a.solved.Verdict))-slices.Index(diag.Verdicts(), string(b.solved.Verdict)),
			strings.Compare(b.date(), a.date()),
		)
	})
	head := all[0]
	c := explain.Context{
		ID: id, Rule: head.candidate.Rule, At: head.candidate.Consumer.At,
		Changes: changes.Of(head.names, head.objects(), head.candidate.Consumer.Object),
		Webhook: j.in.Discover.Config.Controller.Trigger == "webhook",
		Assumes: assumed(j.in.Discover.Config),
	}
	for _, f := range all {
		c.Releases = append(c.Releases, f.shown())
		if f.rev() == head.rev() {
			x := diag.Instance{Consumer: end(f.candidate.Consumer, f.snapshot), Provider: end(f.candidate.Provider, f.snapshot), Links: f.candidate.Links}
			same := func(o diag.Instance) bool { return o.Consumer == x.Consumer && o.Provider == x.Provider }
			if !slices.ContainsFunc(c.Instances, same) { // commits in flight end where the release does
				c.Instances = append(c.Instances, x)
			}
		}
	}
	c.Feeds = head.feeds()
	slices.SortStableFunc(c.Releases, func(a, b diag.Shown) int { return strings.Compare(b.Date, a.Date) })
	c.Releases = slices.CompactFunc(c.Releases, func(a, b diag.Shown) bool { return a.Commit == b.Commit })
	f := explain.Finding(head.solved, c)
	f.Pair = shape(head.candidate)
	if f.Proof != nil {
		f.Proof.Replay = head.replay
	}
	if head.window != nil && f.Release != nil {
		f.Release.Window = head.windowWords()
		f.Message = f.Release.Window + "; " + f.Message
	}
	return f
}

// objects are those of the case that are no rest, the consumer first.
func (f found) objects() []object.ID {
	var out []object.ID
	for _, o := range f.solved.Names.Objects {
		if o.ID != (object.ID{}) {
			out = append(out, o.ID)
		}
	}
	return out
}

func (f found) last() cone.Revision {
	revisions := f.solved.Names.Revisions
	return revisions[len(revisions)-1]
}

// tip is the commit of the release itself.
func (f found) tip() source.Commit { return f.step.tip() }

// commitOf is a revision as a report has it.
func commitOf(r cone.Revision) diag.Commit {
	return diag.Commit{Commit: r.Hash, Short: r.Short, Subject: r.Subject, Date: r.Date}
}

func (f found) rev() string  { return f.last().Hash }
func (f found) date() string { return f.last().Date }

func (f found) shown() diag.Shown {
	s := diag.Shown{
		Commit:   commitOf(f.last()),
		Verdict:  string(f.solved.Verdict),
		Breaking: "?",
	}
	if f.window != nil {
		s.With = short(f.step.Commits[1].Hash)
	}
	if m := f.solved.Match; m != nil && m.Known {
		s.Breaking = "no"
		if len(m.Breaking) > 0 {
			s.Breaking = "yes"
		}
	}
	return s
}

// controller is what differs between set-ups of Argo CD.
func controller(c config.Config) delivery.Controller {
	return delivery.Controller{
		ApplicationHealth: c.Controller.ApplicationHealth,
		PruneInOrder:      before(c.Controller.ArgoCD, 2, 11), // [A4.1]
		WaitsForVanished:  before(c.Controller.ArgoCD, 3, 4),  // [A2.2]
	}
}

// before tells whether a version, "2.14" or "2.14.3", is older than another one.
func before(version string, major, minor int) bool {
	var a, b int
	if n, err := fmt.Sscanf(version, "%d.%d", &a, &b); err != nil || n != 2 {
		return false
	}
	return a < major || a == major && b < minor
}

// pairOf is what the configuration says of a candidate.
func (j *judging) pairOf(c hazard.Candidate) *config.Pair {
	for i := range j.in.Discover.Config.Pairs {
		p := &j.in.Discover.Config.Pairs[i]
		if means(p.Consumer, c.Consumer.Object) && means(p.Provider, c.Provider.Object) {
			return p
		}
	}
	return nil
}

func means(e config.End, id object.ID) bool {
	return e.Kind == id.Kind && e.Namespace == id.Namespace && e.Name == id.Name
}

// declaredRule is the rule under which pairs run that the configuration asks about.
const declaredRule = "declared-pair"

// declared are the pairs of the configuration that no rule names, since one unit delivers both ends.
func (j *judging) declared(s *snapshot.Snapshot) []hazard.Candidate {
	var out []hazard.Candidate
	for _, p := range j.in.Discover.Config.Pairs {
		for _, ref := range s.Graph.References {
			if !means(p.Consumer, ref.Consumer) || !means(p.Provider, ref.Provider) || !unit.Overlap(ref.ConsumerUnits, ref.ProviderUnits) {
				continue
			}
			provider, _ := s.Object(ref.Provider)
			c := hazard.Candidate{
				Rule:     declaredRule,
				Consumer: hazard.End{Object: ref.Consumer, Units: ref.ConsumerUnits, At: ref.At},
				Provider: hazard.End{Object: ref.Provider, Units: ref.ProviderUnits, At: provider.Origin},
				Summary:  ref.Consumer.String() + " and " + ref.Provider.String() + ", which the configuration asks about",
			}
			if !slices.ContainsFunc(out, func(o hazard.Candidate) bool {
				return o.Consumer.Object == c.Consumer.Object && o.Provider.Object == c.Provider.Object
			}) {
				out = append(out, c)
			}
		}
	}
	return out
}
