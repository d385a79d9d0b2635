package proof

import (
	"github.com/syncproof/syncproof/internal/delivery"
)

// Verdict is what is said of one pair in one release. The words are defined in docs/proof.md.
type Verdict string

// The verdicts, the first that holds counts.
const (
	Broken    Verdict = "broken"    // harm when everything has arrived: no order helps
	Race      Verdict = "race"      // some order of ordinary steps alone reaches harm
	Exposed   Verdict = "exposed"   // the same, if an unknown match of a mixed state does not work
	Fragile   Verdict = "fragile"   // harm needs unusual steps
	Safe      Verdict = "safe"      // no harm with up to N unusual steps
	Undecided Verdict = "undecided" // a gap, a bound, or a match that is unknown when all is fresh
)

// Harm is what goes wrong.
type Harm string

// The harms, gravest first.
const (
	Skew    Harm = "skew"
	Absent  Harm = "absent"
	Blocked Harm = "blocked"
)

// Persistence is how long a harm lasts.
type Persistence string

// The persistences, gravest first.
const (
	Sticky    Persistence = "sticky"    // some fair run of ordinary steps stays in it for ever
	Recurring Persistence = "recurring" // it comes back for ever
	Transient Persistence = "transient"
)

// Visibility is whether Argo CD shows that something is wrong.
type Visibility string

// The visibilities, gravest first.
const (
	Silent  Visibility = "silent" // every unit is idle, Synced and Healthy in the harmed state
	Visible Visibility = "visible"
)

// Opening is one way to harm: a minimal multiset of kinds of unusual steps, and the gravest that they open.
type Opening struct {
	Set         []delivery.Unusual // sorted; empty: ordinary steps alone
	Harm        Harm
	Persistence Persistence
	Visibility  Visibility
	Maybe       bool // only if an unknown match does not work
	Trace       []delivery.Event
	Harmed      int // steps of Trace after which the harm is there; a lasting one stays through the rest
}

// Judgement is what the search says of one Case.
type Judgement struct {
	Verdict  Verdict
	Openings []Opening // gravest first; the first one is the headline
	// ProviderFirst are the openings of the runs in which nothing of the consumer changes before the provider is at rk;
	// ConsumerFirst those in which the provider does not change before the consumer is at rk. Only for a race or an exposure.
	ProviderFirst, ConsumerFirst []Opening
	// Unavoidable: no run of ordinary steps reaches the end without the headline's harm.
	Unavoidable bool
	// Fresh is the harm when fresh at rk, for Broken.
	Fresh   Harm
	Why     string // of Undecided, in one line
	Steps   int    // unusual steps that were allowed
	States  int
	Edges   int
	Bound   string // bounds that were reached; "" if the search was complete
	Arrives bool   // the end of the release is reachable: safe is not vacuous
}
