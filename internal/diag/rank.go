package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Compare orders findings by what to look at first: pairs that still are before those that are none any more; words of rules' own and then by gravity of the verdict; what lasts and
// what nobody sees before the rest; what history shows to have hurt before what is structure alone; the newest release; and
// then by what is said of whom. How often two things changed together is no rank: siblings do that all the time.
func (f Finding) Compare(o Finding) int {
	return cmp.Or(
		cmp.Compare(f.past(), o.past()),
		cmp.Compare(slices.Index(gravity, f.Verdict), slices.Index(gravity, o.Verdict)),
		cmp.Compare(o.lurks(), f.lurks()),
		cmp.Compare(o.evidence(), f.evidence()),
		strings.Compare(o.date(), f.date()),
		strings.Compare(f.Rule, o.Rule),
		strings.Compare(f.Title, o.Title),
		f.At.Compare(o.At),
		strings.Compare(f.ID, o.ID),
	)
}

// past is 1 for what happened to a pair that is none any more.
func (f Finding) past() int {
	if f.Now != "" {
		return 1
	}
	return 0
}

// lurks is 1 for a harm that stays and that nothing shows.
func (f Finding) lurks() int {
	if f.Persistence == "sticky" && f.Visibility == "silent" {
		return 1
	}
	return 0
}

// Ranks of evidence.
const (
	none     = iota
	together // releases change both ends, or bring one new value into both
	followed // a release of this shape was followed within a day by one that touches the pair
	repaired // and that one says that it repairs something
	reverted
)

// evidence is the strongest sign that this shape, not only its pair, has hurt.
func (f Finding) evidence() int {
	if f.Story == nil || f.Story.Evidence == nil {
		return none
	}
	e, rank := f.Story.Evidence, none
	if e.Both > 0 || e.Literal > 0 {
		rank = together
	}
	for _, fix := range e.Fixes {
		if !slices.ContainsFunc(f.Releases, func(s Shown) bool { return s.Commit.Commit == fix.Release.Commit }) {
			continue
		}
		switch fix.Kind {
		case FixRevert:
			rank = max(rank, reverted)
		case FixSaid:
			rank = max(rank, repaired)
		default:
			rank = max(rank, followed)
		}
	}
	return rank
}
