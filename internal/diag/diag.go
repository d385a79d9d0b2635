// Package diag holds what a run says, as plain values: findings about the user's repository, gaps in what could be
// analysed, and the report around them.
//
// Stages fill it, formats print it. It computes nothing. Findings, gaps and Go errors are three channels: a finding is
// about the user's repository, a gap is about what we could not see, an error means that we failed. None is ever turned
// into another.
package diag

import (
	"cmp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Gap is one thing that could not be analysed. The rest of the repository still is.
type Gap struct {
	Reason  Reason          `json:"reason"`
	At      object.Location `json:"at"`
	Unit    string          `json:"unit,omitempty"` // short name of the unit that lost objects by it; "" if none did
	Message string          `json:"message"`        // what could not be analysed and why, one line
	Close   string          `json:"close"`          // what the user can do about it, one line
}

// Reason is the class of a gap: a closed set, counted in reports and stable for scripts.
type Reason string

// The reasons.
const (
	RepositoryEmpty    Reason = "repository-empty"    // no commit, or no file at the revision
	NotGiven           Reason = "repository-missing"  // a source in a repository that is not on disk
	RevisionUnknown    Reason = "revision-unknown"    // a targetRevision that does not resolve
	PathMissing        Reason = "path-missing"        // a source path that does not exist at the revision
	Unparsable         Reason = "unparsable"          // a file that is not what its place says (YAML, JSON, descriptor)
	RenderFailed       Reason = "render-failed"       // an engine refused: template error, missing value, bad patch
	RenderLimit        Reason = "render-limit"        // time or memory limit, or the worker died
	Escape             Reason = "escape"              // a path or symlink that leaves the repository
	Remote             Reason = "remote"              // a chart, base or file that lies behind the network
	Unsupported        Reason = "unsupported"         // a feature that this version does not render or expand
	Cycle              Reason = "cycle"               // Applications that deliver each other
	DuplicateUnit      Reason = "duplicate-unit"      // two documents claim one Application
	RootAmbiguous      Reason = "root-ambiguous"      // looks like a root, but was left out
	ContentMissing     Reason = "content-missing"     // a blob that the clone lacks, a submodule, a file over the limit
	ConfigurationInert Reason = "configuration-inert" // configuration that this version reads but does not use
)

// Reasons are all reasons.
func Reasons() []Reason {
	return []Reason{
		RepositoryEmpty, NotGiven, RevisionUnknown, PathMissing, Unparsable, RenderFailed, RenderLimit, Escape, Remote,
		Unsupported, Cycle, DuplicateUnit, RootAmbiguous, ContentMissing, ConfigurationInert,
	}
}

// Compare orders gaps by place, then by what is said of it, then by unit: what several units lost by one cause stands
// together.
func (g Gap) Compare(o Gap) int {
	return cmp.Or(
		g.At.Compare(o.At),
		strings.Compare(string(g.Reason), string(o.Reason)),
		strings.Compare(g.Message, o.Message),
		strings.Compare(g.Close, o.Close),
		strings.Compare(g.Unit, o.Unit),
	)
}

// SortGaps sorts and drops exact duplicates.
func SortGaps(gaps []Gap) []Gap {
	slices.SortFunc(gaps, Gap.Compare)
	return slices.Compact(gaps)
}
