package cone

import (
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Problem is one pair in one release, ready to be judged: the Case, and what its numbers stand for.
type Problem struct {
	Case  *delivery.Case
	Names Names
	Match *match.Table // what each combination means for callers
	// Means is the match's outcome for the Case's own numbers, as Case.Pair.Match has them. Nil where there are no callers to
	// tell of.
	Means func(consumer int, provider, filter delivery.Content) match.Outcome
	// Gaps are the gaps that may hide something of this pair: with any, a verdict is a lower bound.
	Gaps []diag.Gap
	// Assumes are the premises of this pair, one sentence each.
	Assumes []string
	// Undecided says why the model does not answer for this pair; "" if it does.
	Undecided string
}

// Names say what the numbers of a Case stand for. Slices go by the Case's own numbers.
type Names struct {
	Units     []UnitName
	Objects   []ObjectName
	Images    []string   // image references, by the match's version of the consumer
	Revisions []Revision // r0..rk
}

// UnitName is one unit.
type UnitName struct {
	ID    unit.ID
	Short string
}

// ObjectName is one object. Contents[i] is what content i+1 is called, "v1.8.0" or "@ 9e2f1c4"; Origins[i] is where it is
// written, at the first revision that has it. A Rest object has a zero ID.
type ObjectName struct {
	ID       object.ID
	Contents []string
	Origins  []object.Location
}

// Revision is one of r0..rk.
type Revision struct {
	Hash    string // full commit id
	Short   string
	Subject string
	Date    string // RFC 3339
}
