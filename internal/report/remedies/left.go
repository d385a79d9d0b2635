package remedies

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// Open is what still opens a harm: the sets of at most one unusual step, each with the gravest that it opens, and how many sets
// of more there are.
type Open struct {
	Grades []Grade
	More   int
}

// Grade is a harm, and the sets that open it.
type Grade struct {
	Harm string // "sticky, silent"
	Sets []Set
}

// Set is a set of at most one unusual step.
type Set struct {
	Name string // "{abort}", and "{}" for ordinary steps alone
	What string // "the canary is aborted"
}

// Ordinary tells whether no unusual step is needed.
func (s Set) Ordinary() bool { return s.Name == words.Set(nil) }

// left is what the real releases leave, and what only the worst case leaves.
func left(r diag.Remedy) (real, worst Open) {
	only := slices.DeleteFunc(slices.Clone(r.LeftWorst), func(o diag.Opening) bool {
		return slices.ContainsFunc(r.Left, func(x diag.Opening) bool { return slices.Equal(x.Needs, o.Needs) })
	})
	return opened(r.Left), opened(only)
}

// opened puts sets together that open the same.
func opened(list []diag.Opening) Open {
	var out Open
	told := map[string]bool{}
	for _, o := range list {
		set := Set{Name: words.Set(o.Needs), What: "ordinary steps alone"}
		switch {
		case len(o.Needs) > 1:
			out.More++
			continue
		case told[set.Name]:
			continue
		case len(o.Needs) == 1:
			set.What = words.Unusual(o.Needs[0])
		}
		told[set.Name] = true
		harm := strings.Join(words.Harm(o.Harm, o.Persistence, o.Visibility), ", ")
		if o.Maybe {
			harm += ", if what is not known fails"
		}
		i := slices.IndexFunc(out.Grades, func(g Grade) bool { return g.Harm == harm })
		if i < 0 {
			i = len(out.Grades)
			out.Grades = append(out.Grades, Grade{Harm: harm})
		}
		out.Grades[i].Sets = append(out.Grades[i].Sets, set)
	}
	return out
}

// MoreWords say that there are sets of more than one unusual step, "" if there are none.
func (o Open) MoreWords() string {
	if o.More == 0 {
		return ""
	}
	return lines.Counted(o.More, "set") + " of two unusual steps or more"
}

// words are all grades, else how many sets of more there are, "" for nothing.
func (o Open) words() string {
	if len(o.Grades) == 0 {
		return o.MoreWords()
	}
	var out []string
	for _, g := range o.Grades {
		out = append(out, g.words())
	}
	return strings.Join(out, "; ")
}

func (g Grade) words() string {
	var sets []string
	for _, s := range g.Sets {
		sets = append(sets, s.Name)
	}
	return strings.Join(sets, " ") + " " + g.Harm
}

// Left is what still opens a harm. What only the worst case opens stands behind it.
func Left(r diag.Remedy) string {
	real, worst := left(r)
	text := real.words()
	if only := worst.words(); only != "" {
		text = strings.TrimPrefix(text+"; "+inWorst+" also "+only, "; ")
	}
	if text == "" {
		return nothing
	}
	return text
}

const (
	nothing = "nothing is left"
	inWorst = "in the worst case"
)
