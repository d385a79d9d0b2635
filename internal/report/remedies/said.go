package remedies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// Said is what a page says of remedies. What there is nothing to say of is empty.
type Said struct {
	Heading string
	First   string   // the best
	Reason  string   // why it is: "before own-wave: less is left"
	Readers []string // what becomes of each other reader, over all remedies
	Always  []string // what holds in some of the releases whatever is done
	Help    []One    // that do not harm by ordinary steps alone, as far as is known
	Rest    []One
	Failed  string // heads the rest, with their verdicts
	Refused []diag.Remedy
}

// One is one remedy.
type One struct {
	diag.Remedy
	Brief    Brief
	Open     Open
	Worst    Open // what only the worst case opens
	Price    string
	MoreCost int
	Counts   []Count
	Always   []string // what holds in some of the releases under this one; nothing that holds under all
	Spent    []string
	Kept     []string // what goes on as it is
	Mind     []string // what has to hold, and is not judged
	Readers  []Reader
	Notes    []string // what else it means for other readers
	Steps    []Step
	Of       string // the release that the steps are of
}

// Brief is what is left, where there is room for a line: a few words, then the gravest harm with the sets that open it, and how
// many sets there are beside those.
type Brief struct {
	Before string
	Grade  Grade
	More   int
}

// Count is how many releases have a verdict.
type Count struct {
	Verdict string
	N       int
}

// Reader is another reader.
type Reader struct{ Consumer, Verdict, Today string }

// Step is one release of a migration.
type Step struct{ Name, What string }

// Say tells what is said of remedies, the best first.
func Say(list []diag.Remedy) Said {
	if len(list) == 0 {
		return Said{}
	}
	s := Said{Heading: Heading(list, "as the worst case"), Readers: readers(list)}
	var failed []string
	for _, r := range list {
		switch {
		case r.Refused != "":
			s.Refused = append(s.Refused, r)
		case r.Verdict == "race" || r.Verdict == "broken":
			s.Rest = append(s.Rest, one(r))
			failed = append(failed, r.Name+" ("+r.Verdict+")")
		default:
			s.Help = append(s.Help, one(r))
		}
		if r.Rank == 1 {
			s.First, s.Reason = r.Name, r.Reason
		}
	}
	s.always()
	if len(failed) > 0 {
		s.Failed = fmt.Sprintf("%d of them do not keep the two in step: %s", len(failed), strings.Join(failed, ", "))
		if len(failed) == 1 {
			s.Failed = "one of them does not keep the two in step: " + failed[0]
		}
	}
	return s
}

// always puts first what would be told of every remedy.
func (s *Said) always() {
	all := slices.Concat(s.Help, s.Rest)
	if len(all) < 2 || slices.ContainsFunc(all, func(o One) bool { return !slices.Equal(o.Always, all[0].Always) }) {
		return
	}
	s.Always = all[0].Always
	for _, list := range [][]One{s.Help, s.Rest} {
		for i := range list {
			list[i].Always = nil
		}
	}
}

func one(r diag.Remedy) One {
	out := One{Remedy: r}
	out.Open, out.Worst = left(r)
	out.Brief = out.brief()
	out.Price, out.MoreCost = Price(r)
	for _, v := range diag.Verdicts() {
		if r.By[v] > 0 {
			out.Counts = append(out.Counts, Count{v, r.By[v]})
		}
	}
	if r.Unavoidable > 0 {
		out.Always = append(out.Always, fmt.Sprintf("in %d of %s no order of ordinary steps escapes the harm", r.Unavoidable, lines.Counted(r.Releases, "release")))
	}
	if r.Breaking > 0 {
		out.Always = append(out.Always, fmt.Sprintf("in %d of %s old calls break when all has arrived, which no order helps", r.Breaking, lines.Counted(r.Releases, "release")))
	}
	apart := []string{diag.CostKept, diag.CostPremise, diag.CostOthers}
	out.Spent = costs(r, func(kind string) bool { return !slices.Contains(apart, kind) })
	out.Kept = costs(r, func(kind string) bool { return kind == diag.CostKept })
	out.Mind = costs(r, func(kind string) bool { return kind == diag.CostPremise })
	out.Notes = costs(r, func(kind string) bool { return kind == diag.CostOthers })
	for _, o := range r.Others {
		out.Readers = append(out.Readers, Reader{o.Consumer, o.Verdict, today(o)})
	}
	if r.Migration != nil {
		out.Of = words.Commit(r.Migration.Of)
		for _, x := range r.Migration.Steps {
			out.Steps = append(out.Steps, Step{x.Name, step(x)})
		}
	}
	return out
}

// brief says the gravest of what is left.
func (o One) brief() Brief {
	grades, before := o.Open.Grades, o.Open.MoreWords()
	if len(grades) == 0 && before == "" {
		grades, before = o.Worst.Grades, inWorst
		if len(grades) == 0 && o.Worst.More > 0 {
			before += " " + o.Worst.MoreWords()
		}
	}
	switch {
	case len(grades) == 0 && before == inWorst:
		return Brief{Before: nothing}
	case len(grades) == 0:
		return Brief{Before: before}
	case before != inWorst:
		before = ""
	}
	more := 0
	for _, g := range grades[1:] {
		more += len(g.Sets)
	}
	return Brief{before, grades[0], more}
}
