package diag

import (
	"slices"

	"github.com/syncproof/syncproof/internal/object"
)

// Finding is a statement about the user's repository with a verdict: one shape, however many releases and clusters show it.
// What a field says of the headline is about the gravest way to harm. Sentences have no full stop. What is not known, or
// does not apply, is empty and is not printed.
type Finding struct {
	ID      string          `json:"id"`             // first 8 hex digits of the hash of its shape
	Pair    string          `json:"pair,omitempty"` // the id of the pair, whatever a release does to it: that of its latent entry
	Rule    string          `json:"rule"`
	Verdict string          `json:"verdict"` // broken, race, exposed, fragile, safe, undecided, or a word of the rule's own
	Title   string          `json:"title"`   // "Rollout api/api <-> ConfigMap api/api-descriptor"
	Message string          `json:"message"` // one sentence that names both sides
	At      object.Location `json:"at"`

	// Complete: nothing that could not be seen could make it worse. Else the verdict is a lower bound, "or worse".
	// Gaps are those that could.
	Complete bool  `json:"complete"`
	Gaps     []Gap `json:"gaps,omitempty"`

	Harm        string   `json:"harm,omitempty"`        // skew, absent or blocked
	Persistence string   `json:"persistence,omitempty"` // sticky, recurring or transient
	Visibility  string   `json:"visibility,omitempty"`  // silent or visible
	Needs       []string `json:"needs"`                 // unusual steps of the headline; none: ordinary steps alone do it
	Unavoidable bool     `json:"unavoidable"`           // no order of ordinary steps escapes the headline
	Unknown     []string `json:"unknown,omitempty"`     // matches that the headline hangs on and that are not known
	Reason      string   `json:"reason,omitempty"`      // why it is undecided
	Close       string   `json:"close,omitempty"`       // how to make known what is not

	// Breaking says whether calls of the old consumer break even when both halves change at once: yes, no, or ? for not
	// known. That is no matter of order. Breaks are those calls, AlreadyBroken calls that fail before the release, too.
	Breaking      string `json:"breaking,omitempty"`
	Breaks        []Call `json:"breaks,omitempty"`
	AlreadyBroken []Call `json:"already_broken,omitempty"`
	Repaired      bool   `json:"repaired,omitempty"` // the release repairs what is already broken

	// Now says why the pair is none any more at the revision that is read; "" if it is one still, or that is not known.
	Now     string   `json:"now,omitempty"`
	Release *Release `json:"release,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	Assumes []string `json:"assumes,omitempty"`

	Steps    []Step    `json:"steps,omitempty"`   // the shortest way to the headline's harm
	Outcome  []Call    `json:"outcome,omitempty"` // what callers meet then
	Lasts    string    `json:"lasts,omitempty"`   // until what
	Window   string    `json:"window,omitempty"`  // how far apart the two can be
	Orders   *Orders   `json:"orders,omitempty"`
	Openings []Opening `json:"openings,omitempty"` // all ways to harm, the headline first

	Releases  []Shown    `json:"releases,omitempty"` // all releases of this shape that were looked at, newest first
	Instances []Instance `json:"instances,omitempty"`
	Routes    *Routes    `json:"routes,omitempty"`
	Proof     *Proof     `json:"proof,omitempty"`
	Story     *Story     `json:"story,omitempty"`
	// Protections look as if they kept the two in step, and do not.
	Protections []Protection `json:"protections,omitempty"`
	// Remedies are what could be done about the pair, the best first. Empty unless asked for.
	Remedies []Remedy `json:"remedies,omitempty"`
}

// Commit is one commit of the tracked branch.
type Commit struct {
	Commit  string `json:"commit"` // full id
	Short   string `json:"short"`
	Subject string `json:"subject,omitempty"`
	Date    string `json:"date,omitempty"` // RFC 3339
}

// Release is what a verdict is about.
type Release struct {
	Commit
	// Base are the commits before it that the case starts from and goes through, oldest first: its parent, or what was
	// delivered before and the commit that was still on its way.
	Base    []Commit `json:"base"`
	Changes string   `json:"changes,omitempty"` // "changes both"
	// Window says that the release is one only for units that see several commits at once: "0f3c1ab and 7d21e9c, 12 min
	// apart: delivered as one if a unit sees both at once".
	Window string `json:"window,omitempty"`
	// Brings is how many commits that are no merges a merge or a range brings; 0 if it is one. Parts are some of them, newest
	// first: those that touch the files of the two ends before others.
	Brings int    `json:"brings,omitempty"`
	Parts  []Part `json:"parts,omitempty"`
}

// Part is a commit that a merge brings. Touches: it changes a file that the two ends are made of.
type Part struct {
	Commit
	Touches bool `json:"touches,omitempty"`
}

// Shown is a release of a shape and what was found in it.
type Shown struct {
	Commit
	Verdict  string `json:"verdict"`
	Breaking string `json:"breaking,omitempty"`
	With     string `json:"with,omitempty"` // short id of the commit that it makes a window with
}

// Change is what a release changes in one object that matters here.
type Change struct {
	Unit string          `json:"unit"`
	At   object.Location `json:"at"`
	What string          `json:"what"` // "image registry/api v1.8.0 -> v1.9.0"
}

// Step is one turn of an actor. Several steps of one actor in a row are one turn.
type Step struct {
	Number  int    `json:"number"`            // from 1
	Actor   string `json:"actor"`             // short name of a unit, or who else acts
	Unusual string `json:"unusual,omitempty"` // the kind of unusual step
	Does    string `json:"does"`
	Then    string `json:"then,omitempty"` // what that means for the pair
}

// Call is something that callers do, and what they meet.
type Call struct {
	What  string `json:"what"` // "GET /v1/orders/{id}"
	Meets string `json:"meets,omitempty"`
	New   bool   `json:"new,omitempty"` // only the new consumer serves it
}

// Opening is one minimal set of unusual steps that opens a harm, and the gravest that it opens.
type Opening struct {
	Needs       []string `json:"needs"` // none: ordinary steps alone
	Harm        string   `json:"harm"`
	Persistence string   `json:"persistence"`
	Visibility  string   `json:"visibility"`
	Maybe       bool     `json:"maybe,omitempty"` // only if a match that is not known does not work
	Steps       []Step   `json:"steps,omitempty"`
}

// Orders say what is left of the harm if one side goes first, in every place.
type Orders struct {
	ProviderFirst Order `json:"provider_first"`
	ConsumerFirst Order `json:"consumer_first"`
}

// Order is one order.
type Order struct {
	Sentence string    `json:"sentence"`
	Openings []Opening `json:"openings"`
}

// Proof is how far the search went.
type Proof struct {
	States       int    `json:"states"`
	Edges        int    `json:"edges"`
	UnusualSteps int    `json:"unusual_steps"`   // that a run could have
	Bound        string `json:"bound,omitempty"` // what ended the search before everything was seen
	// Replay says why the ways to harm were not, or could not be, run again on the whole release; "" if they were.
	Replay string `json:"replay,omitempty"`
}

// gravity is the order in which verdicts are told.
var gravity = []string{"broken", "race", "exposed", "fragile", "undecided", "safe"}

// Verdicts are the verdicts of the proof, gravest first.
func Verdicts() []string { return slices.Clone(gravity) }

// date is that of the release, "" if there is none.
func (f Finding) date() string {
	if f.Release == nil {
		return ""
	}
	return f.Release.Date
}
