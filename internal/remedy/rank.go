package remedy

import (
	"cmp"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
)

// price is what a remedy goes on costing, the least first.
type price int

const (
	free    price = iota // files change once, by the side that divides what is delivered; nothing else does
	rewired              // what a release writes, or what is built, changes once
	lasting              // something new has to run, something no longer happens by itself, or each release is made otherwise
)

// class is how a verdict counts in the order: whether it takes unusual steps to do harm.
func class(v proof.Verdict) int {
	switch v {
	case proof.Safe, proof.Fragile:
		return 0
	case proof.Exposed, proof.Undecided:
		return 1
	case proof.Race:
		return 2
	}
	return 3
}

// measures are what remedies are ordered by, one after the other, with what is said of the better one.
var measures = []struct {
	says string
	of   func(judged) []int
}{
	{"it holds in the real releases", func(x judged) []int { return []int{class(x.real)} }},
	{"it holds whatever a release changes", func(x judged) []int { return []int{class(x.worst)} }},
	{"other readers are better off", func(x judged) []int { return []int{class(x.elsewhere)} }},
	{"it costs less to have", func(x judged) []int { return []int{int(x.price)} }},
	{"less is left", func(x judged) []int { return append(weight(x.Left), weight(x.LeftWorst)...) }},
	{"fewer files change", func(x judged) []int { return []int{x.files} }},
	{"it is the smaller step", func(judged) []int { return nil }},
}

// weight counts what is left by how grave it is, the gravest first; sets of one unusual step before those of more.
func weight(left []diag.Opening) []int {
	grades := [][]int{}
	for harm := range 3 {
		for persistence := range 3 {
			for visibility := range 2 {
				grades = append(grades, []int{harm, persistence, visibility})
			}
		}
	}
	out := make([]int, 2*len(grades))
	for _, o := range left {
		i := slices.IndexFunc(grades, func(g []int) bool { return slices.Equal(g, grade(o)) })
		if len(o.Needs) > 1 {
			i += len(grades)
		}
		if i >= 0 {
			out[i]++
		}
	}
	return out
}

// ranked puts remedies in order and says why each stands before the next one. The order of the list breaks ties; those that do
// not apply come last, in the order of the list.
func ranked(all []judged) []diag.Remedy {
	slices.SortStableFunc(all, func(a, b judged) int {
		if a.Refused != "" || b.Refused != "" {
			return cmp.Compare(len(a.Refused[:min(1, len(a.Refused))]), len(b.Refused[:min(1, len(b.Refused))]))
		}
		for _, m := range measures {
			if n := slices.Compare(m.of(a), m.of(b)); n != 0 {
				return n
			}
		}
		return 0
	})
	out := make([]diag.Remedy, len(all))
	for i, x := range all {
		out[i] = x.Remedy
		if x.Refused != "" {
			continue
		}
		out[i].Rank = i + 1
		if i+1 < len(all) && all[i+1].Refused == "" {
			out[i].Reason = "before " + all[i+1].Name + ": " + reason(x, all[i+1])
		}
	}
	return out
}

// reason is the first measure by which a remedy is better than the next one.
func reason(a, b judged) string {
	for _, m := range measures[:len(measures)-1] {
		if slices.Compare(m.of(a), m.of(b)) != 0 {
			return m.says
		}
	}
	return measures[len(measures)-1].says
}
