package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
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
	parts := harmWords(f.Harm, f.Persistence, f.Visibility)
	switch {
	case f.Verdict == broken, f.Unavoidable:
		parts = append(parts, "in every order")
	case len(f.Needs) == 0:
		parts = append(parts, "needs no unusual step")
	default:
		parts = append(parts, "needs "+setWords(f.Needs))
	}
	return strings.Join(parts, ", ")
}

// harmWords are a grade; skew is what goes without saying.
func harmWords(harm, persistence, visibility string) []string {
	if harm == "skew" {
		harm = ""
	}
	return nonEmpty(harm, persistence, visibility)
}

func setWords(needs []string) string { return "{" + strings.Join(needs, ", ") + "}" }

// unusualWords say what an unusual step is, for who does not have the words of the proof in mind.
func unusualWords(kind string) string {
	switch kind {
	case "churn or scale":
		return "a pod is made again (eviction, drain, lost node), or one is added"
	case "reload":
		return "a proxy restarts, or rebuilds its listener"
	case "abort":
		return "the canary is aborted"
	case "undo":
		return "the workload is set back by hand"
	case "refused":
		return "the API server refuses an object, or one never becomes healthy"
	case "stuck":
		return "an Application starts no sync any more"
	case "manual":
		return "a sync by hand or a self-heal covers a part"
	case "stale-kubelet":
		return "a kubelet gives a new pod the old content"
	case "stale-health":
		return "a wave begins on a health that is out of date"
	}
	return kind
}

// way is a row of a table of openings.
type way struct{ grade, set, what string }

// ways are openings as rows: those with one unusual step, and how many there are with more. Every set is told with the
// gravest that it opens, and what hangs on an unknown match only where nothing else is.
func ways(openings []diag.Opening) (one []way, more int) {
	told := map[string]bool{}
	for _, maybe := range []bool{false, true} {
		for _, o := range openings {
			set := setWords(o.Needs)
			if o.Maybe != maybe || told[set] || len(o.Needs) == 0 {
				continue
			}
			told[set] = true
			if len(o.Needs) > 1 {
				more++
				continue
			}
			grade := strings.Join(harmWords(o.Harm, o.Persistence, o.Visibility), ", ")
			if o.Maybe {
				grade += ", if what is not known fails"
			}
			one = append(one, way{grade, set, unusualWords(o.Needs[0])})
		}
	}
	return one, more
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

// commitWords name a commit: 9e2f1c4 "release api v1.9.0".
func commitWords(c diag.Commit) string {
	text := cmp.Or(c.Short, c.Commit)
	if c.Subject != "" {
		text += fmt.Sprintf(" \"%s\"", subject(c.Subject))
	}
	return text
}

// longestSubject bounds what is printed of a commit's subject, in runes: nothing bounds what a commit says.
const longestSubject = 200

// subject is a commit's subject as it is printed.
func subject(s string) string {
	if runes := []rune(s); len(runes) > longestSubject {
		return string(runes[:longestSubject]) + "..."
	}
	return s
}

// releaseWords are the release, and the commits that are on their way with it.
func releaseWords(r *diag.Release) string {
	text := commitWords(r.Commit)
	if r.Date != "" {
		text += fmt.Sprintf(" of %.10s", r.Date)
	}
	if len(r.Base) > 1 {
		var before []string
		for _, c := range r.Base[1:] {
			before = append(before, commitWords(c))
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

// callGroup is one line of what callers meet: a call and what it meets, or what several calls meet and which they are.
type callGroup struct {
	line  string
	calls []string
}

// callGroups put calls together that meet the same, in the order in which each first stands, up to mostCalls calls; left is
// how many more there are.
func callGroups(list []diag.Call) (out []callGroup, left int) {
	left = max(0, len(list)-mostCalls)
	list = list[:len(list)-left]
	var meets []string
	calls := map[string][]string{}
	for _, c := range list {
		if calls[c.Meets] == nil {
			meets = append(meets, c.Meets)
		}
		calls[c.Meets] = append(calls[c.Meets], c.What)
	}
	for _, m := range meets {
		switch all := calls[m]; {
		case m == "":
			for _, what := range all {
				out = append(out, callGroup{line: what})
			}
		case len(all) == 1:
			out = append(out, callGroup{line: all[0] + ": " + m})
		default:
			out = append(out, callGroup{line: m, calls: all})
		}
	}
	return out, left
}

// shortestWords head the steps.
func shortestWords(f diag.Finding) string {
	n := counted(len(f.Steps), "step")
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
	text := fmt.Sprintf("%s, %s, up to %s", counted(p.States, "state"), counted(p.Edges, "transition"), counted(p.UnusualSteps, "unusual step"))
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
		text += fmt.Sprintf(" with up to %s, %s", counted(f.Proof.UnusualSteps, "unusual step"), counted(f.Proof.States, "state"))
	}
	if !f.Complete {
		text += ", as far as could be seen"
	}
	if more := len(f.Releases) - 1; more > 0 {
		text += ", as for " + counted(more, "more release")
	}
	if n := len(f.Breaks); n > 0 {
		text += "; breaking in every order: " + counted(n, "old call")
	}
	if n := len(f.AlreadyBroken); n > 0 {
		text += "; failing before it: " + counted(n, "call")
	}
	return text
}

// shownWords are a release in a list.
func shownWords(s diag.Shown) string {
	text := fmt.Sprintf("%s  %.10s  %s", cmp.Or(s.Short, s.Commit.Commit), s.Date, s.Verdict)
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
	case n == 0 && r.Counts.Releases == 0:
		return ""
	case n == 0:
		return "no pair is touched by " + counted(r.Counts.Releases, "release")
	}
	return counted(n, "pair") + " in releases: " + byGravity(r, r.Counts.Verdicts)
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
