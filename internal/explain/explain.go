// Package explain turns a judged pair into a finding: what an on-call engineer is told.
//
// In goes a solved problem of the proof, and what the proof does not know: the rule, the shape's id, what changed in which
// file, which other releases and places have the same shape. Out comes a diag.Finding whose sentences name units, objects
// and revisions. It refuses to judge: verdicts, harms and grades are those of the proof, and a sentence says no more than
// the model has shown.
package explain

import (
	"cmp"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
)

// Context is what the proof does not know.
type Context struct {
	ID      string // of the shape
	Title   string // "" names the two ends
	Rule    string
	At      object.Location
	Changes []diag.Change // what the release changes in the pair, the consumer's first
	// Webhook: refreshes are triggered by a webhook; else by polling.
	Webhook bool
	// Assumes are what is assumed of the controller, one sentence each; they follow the premises of the pair.
	Assumes   []string
	Close     string // how to make known what an undecided or exposed finding hangs on; "" says the usual
	Releases  []diag.Shown
	Instances []diag.Instance
	Feeds     []Feed // by the units of the case; nil: nothing is known of them
}

// declare is how to make known what an image serves.
const declare = "say under pairs: in the configuration what the image serves"

// Finding explains a solved problem.
func Finding(s proof.Solved, c Context) diag.Finding {
	n := newNames(&s)
	f := diag.Finding{
		ID: c.ID, Rule: c.Rule, Verdict: string(s.Verdict), Title: cmp.Or(c.Title, n.title()), At: c.At,
		Complete: len(s.Gaps) == 0 && s.Bound == "", Gaps: s.Gaps,
		Needs: []string{}, Unavoidable: s.Unavoidable,
		Release: n.release(), Changes: c.Changes,
		Assumes:  slices.Concat(s.Assumes, c.Assumes),
		Openings: openings(n, s.Openings),
		Releases: c.Releases, Instances: c.Instances,
		Proof: &diag.Proof{States: s.States, Edges: s.Edges, UnusualSteps: s.Steps, Bound: s.Bound},
	}
	breaking(&f, &s)
	switch s.Verdict {
	case proof.Undecided:
		f.Reason, f.Unknown, f.Close = s.Why, n.unknownFresh(), c.Close
		if f.Close == "" && len(f.Unknown) > 0 {
			f.Close = n.advice()
		}
	case proof.Safe:
	default:
		headline(&f, n, c)
	}
	f.Message = message(&f, n)
	f.Routes = routes(n, c)
	return f
}

// breaking says which calls of the old consumer break for good, which is no matter of order.
func breaking(f *diag.Finding, s *proof.Solved) {
	if s.Match == nil {
		return
	}
	switch {
	case len(s.Match.Breaking) > 0:
		f.Breaking = "yes"
	case s.Match.Known:
		f.Breaking = "no"
	default:
		f.Breaking = "?"
	}
	f.Breaks = calls(s.Match.Breaking)
	f.AlreadyBroken, f.Repaired = calls(s.Match.AlreadyBroken), s.Match.Repaired
}

// headline tells the gravest opening.
func headline(f *diag.Finding, n *names, c Context) {
	at := gravest(n.s)
	if at < 0 {
		f.Harm = string(n.s.Fresh)
		return
	}
	o := n.s.Openings[at]
	first := f.Openings[at]
	f.Openings = slices.Insert(slices.Delete(f.Openings, at, at+1), 0, first)
	f.Harm, f.Persistence, f.Visibility, f.Needs = string(o.Harm), string(o.Persistence), string(o.Visibility), kinds(o.Set)
	story := tell(n, o)
	f.Steps = story.before
	f.Outcome = story.outcome(o)
	f.Lasts = lasts(n, o, story)
	f.Window = window(n, c.Webhook)
	if o.Maybe {
		f.Unknown, f.Close = story.unknown(), c.Close
		if f.Close == "" {
			f.Close = n.advice()
		}
	}
	if n.s.Verdict == proof.Race || n.s.Verdict == proof.Exposed {
		f.Orders = orders(n, f.Breaks)
	}
}

// gravest is the opening that is told, -1 if there is none. Where everything that has arrived does not match, the next pod
// that is made again shows it: that is told rather than a rarer step that opens as much.
func gravest(s *proof.Solved) int {
	if len(s.Openings) == 0 {
		return -1
	}
	first := s.Openings[0]
	for i, o := range s.Openings {
		if s.Verdict == proof.Broken && slices.Equal(o.Set, []delivery.Unusual{delivery.Churn}) && len(first.Set) == 1 &&
			o.Harm == first.Harm && o.Persistence == first.Persistence && o.Visibility == first.Visibility && o.Maybe == first.Maybe {
			return i
		}
	}
	return 0
}

// advice is what makes an unknown match known. What two versions of plain settings mean for each other no configuration says.
func (n *names) advice() string {
	if n.c.Pair.Proxy {
		return declare
	}
	return "no setting says whether these versions go together: who knows the consumer has to look"
}
