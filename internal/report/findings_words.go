package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// The verdicts that are told in a way of their own.
const (
	broken    = "broken"
	exposed   = "exposed"
	safe      = "safe"
	undecided = "undecided"
)

// verdictWords are the verdict as it heads a finding.
func verdictWords(f diag.Finding) string {
	text := strings.ToUpper(f.Verdict)
	if !f.Complete && f.Verdict != broken && f.Verdict != safe && f.Verdict != undecided {
		text += " OR WORSE"
	}
	return text
}

// gradeWords say how grave the headline is: "sticky, silent, needs no unusual step".
func gradeWords(f diag.Finding) string {
	if f.Harm == "" {
		return ""
	}
	parts := words.Harm(f.Harm, f.Persistence, f.Visibility)
	switch {
	case f.Verdict == broken, f.Unavoidable:
		parts = append(parts, "in every order")
	case len(f.Needs) == 0:
		parts = append(parts, "needs no unusual step")
	default:
		parts = append(parts, "needs "+words.Set(f.Needs))
	}
	return strings.Join(parts, ", ")
}

// others are the openings that are not the headline: without those that take the same unusual steps.
func others(f diag.Finding) []diag.Opening {
	return slices.DeleteFunc(slices.Clone(f.Openings), func(o diag.Opening) bool { return slices.Equal(o.Needs, f.Needs) })
}

// alsoWords head those.
func alsoWords(f diag.Finding) string {
	if len(f.Needs) == 0 {
		return "with an unusual step"
	}
	return "with another unusual step"
}

// ordersWords are the orders that are worth a word: those that do not break by ordinary steps, or that none is left.
func ordersWords(o *diag.Orders) (sentences []string, openings [][]diag.Opening) {
	if o == nil {
		return nil, nil
	}
	breaks := func(x diag.Order) bool {
		return slices.ContainsFunc(x.Openings, func(o diag.Opening) bool { return len(o.Needs) == 0 })
	}
	if breaks(o.ProviderFirst) && breaks(o.ConsumerFirst) {
		return []string{"none is safe: " + o.ProviderFirst.Sentence + ", " + o.ConsumerFirst.Sentence}, [][]diag.Opening{nil}
	}
	for _, x := range []diag.Order{o.ProviderFirst, o.ConsumerFirst} {
		if !breaks(x) {
			sentences, openings = append(sentences, x.Sentence), append(openings, x.Openings)
		}
	}
	return sentences, openings
}

// releaseWords are the release, and the commits that are on their way with it.
func releaseWords(r *diag.Release) string {
	text := words.Commit(r.Commit)
	if r.Date != "" {
		text += fmt.Sprintf(" of %.10s", r.Date)
	}
	if len(r.Base) > 1 {
		var before []string
		for _, c := range r.Base[1:] {
			before = append(before, words.Commit(c))
		}
		text += " while " + strings.Join(before, " and ") + " is on its way"
	}
	if r.Changes != "" {
		text += ": " + r.Changes
	}
	return text
}

// mostCalls is how many calls, releases or places are listed before the rest is counted.
const mostCalls = 8

// shortestWords head the steps.
func shortestWords(f diag.Finding) string {
	n := lines.Counted(len(f.Steps), "step")
	switch {
	case f.Verdict == broken:
		return "breaks whatever comes first; the shortest way has " + n
	case f.Verdict == exposed:
		return "may break in " + n
	}
	return "breaks in " + n
}

// breakingWords say whether old calls break for good, "" if none does.
func breakingWords(f diag.Finding) string {
	switch f.Breaking {
	case "yes":
		return "old calls break in every order, also if both sides change at once"
	case "?":
		return "not known, since what the old image serves is not known"
	}
	return ""
}

func alreadyWords(f diag.Finding) string {
	if f.Repaired {
		return "fails before the release; the release repairs it"
	}
	return "fails before the release, and after it"
}

func proofWords(p *diag.Proof) string {
	text := fmt.Sprintf("%s, %s, up to %s", lines.Counted(p.States, "state"), lines.Counted(p.Edges, "transition"), lines.Counted(p.UnusualSteps, "unusual step"))
	if p.Bound != "" {
		text += "; ended at " + p.Bound
	}
	if p.Replay != "" {
		text += "; not run again on the whole release: " + p.Replay
	}
	return text
}

// safeFindingWords are all that is said of what holds, in one line.
func safeFindingWords(f diag.Finding) string {
	text := "no harm"
	if f.Release != nil {
		text = "release " + cmp.Or(f.Release.Short, f.Release.Commit.Commit) + ": no harm"
	}
	if f.Proof != nil {
		text += fmt.Sprintf(" with up to %s, %s", lines.Counted(f.Proof.UnusualSteps, "unusual step"), lines.Counted(f.Proof.States, "state"))
	}
	if !f.Complete {
		text += ", as far as could be seen"
	}
	if more := len(f.Releases) - 1; more > 0 {
		text += ", as for " + lines.Counted(more, "more release")
	}
	if n := len(f.Breaks); n > 0 {
		text += "; breaking in every order: " + lines.Counted(n, "old call")
	}
	if n := len(f.AlreadyBroken); n > 0 {
		text += "; failing before it: " + lines.Counted(n, "call")
	}
	return text
}

// shownWords are a release in a list.
func shownWords(s diag.Shown) string {
	text := cmp.Or(s.Short, s.Commit.Commit)
	if s.With != "" {
		text = s.With + " and " + text
	}
	text += fmt.Sprintf("  %.10s  %s", s.Date, s.Verdict)
	if s.Breaking == "yes" {
		text += ", breaking"
	}
	return text
}

// verdictCounts are the verdicts of the findings that are listed, gravest first: "2 race, 1 fragile".
func verdictCounts(r diag.Report) string {
	counts := map[string]int{}
	for _, f := range r.Findings {
		counts[f.Verdict]++
	}
	return cmp.Or(byGravity(r, counts), "none")
}

// judgedWords are the verdicts of all pairs of all releases that were judged, "" if no release was.
func judgedWords(r diag.Report) string {
	n := 0
	for _, count := range r.Counts.Verdicts {
		n += count
	}
	switch {
	case n == 0 && r.Counts.Releases == 0 && r.Counts.Commits > 0:
		return "no release: nothing that units render changes" + unrendered(r)
	case n == 0 && r.Counts.Releases == 0:
		return ""
	case n == 0:
		return "no pair is touched by " + lines.Counted(r.Counts.Releases, "release")
	}
	return lines.Counted(n, "pair") + " in releases: " + byGravity(r, r.Counts.Verdicts)
}

// unrendered says of how many units nothing is known.
func unrendered(r diag.Report) string {
	n := 0
	for _, u := range r.Units {
		if u.Rendered {
			n++
		}
	}
	switch {
	case n == 0:
		return ", but none could be rendered: nothing is known (see gaps)"
	case n < len(r.Units):
		return fmt.Sprintf(", as far as they could be rendered: %d of %d could (see gaps)", n, len(r.Units))
	}
	return ""
}

func byGravity(r diag.Report, counts map[string]int) string {
	var list []string
	for _, v := range append(wordsOf(r), diag.Verdicts()...) {
		if counts[v] > 0 {
			list = append(list, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	return strings.Join(list, ", ")
}

// wordsOf are the verdicts that are no verdicts of the proof.
func wordsOf(r diag.Report) []string {
	var out []string
	for _, f := range r.Findings {
		if !slices.Contains(diag.Verdicts(), f.Verdict) && !slices.Contains(out, f.Verdict) {
			out = append(out, f.Verdict)
		}
	}
	slices.Sort(out)
	return out
}
