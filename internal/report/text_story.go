package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// background is why a pair is as it is. Findings of one pair share it: it is told with the first of them.
func (p *printer) background(f diag.Finding) {
	pair := cmp.Or(f.Pair, f.Title)
	if f.Story == nil || slices.Contains(p.told, pair) {
		return
	}
	p.told = append(p.told, pair)
	p.evidence(f.Story.Evidence)
	p.entries("since", causeWords(f.Story.Cause))
	if c := f.Story.Cause; p.full && c != nil && c.Since != nil && c.Message != "" {
		if _, body, _ := strings.Cut(c.Message, "\n"); strings.TrimSpace(body) != "" { // its subject stands above
			p.entry(" ", "the commit says: "+strings.Join(strings.Fields(body), " "))
		}
	}
	p.entries("whose", boundaryWords(f.Story))
	p.entries("not seen", f.Story.Limits)
}

func (p *printer) evidence(e *diag.Evidence) {
	if e == nil || e.Judged < 2 {
		return
	}
	p.entry("evidence", evidenceWords(e))
	p.together(e)
	for _, text := range fixesWords(e) {
		p.entry(" ", text)
	}
}

// fixesWords are the first of the repairs.
func fixesWords(e *diag.Evidence) []string {
	var out []string
	for i, fix := range e.Fixes {
		if i == mostCalls {
			return append(out, fmt.Sprintf("and %d more", len(e.Fixes)-mostCalls))
		}
		out = append(out, fixWords(fix))
	}
	return out
}

// together tells of releases that may have been delivered at once.
func (p *printer) together(e *diag.Evidence) {
	for i, w := range e.Windows {
		if i == mostCalls && !p.full {
			p.entry(" ", fmt.Sprintf("and %d more that may come together", len(e.Windows)-mostCalls))
			return
		}
		p.entry(" ", togetherWords(w, e.Fixes))
	}
}

// lastYear is the year that is looked at for who writes: it ends at the newest release of the pair, not today.
func lastYear(e *diag.Evidence) string {
	if e == nil || e.Last == nil || e.Last.Date == "" {
		return "the last year"
	}
	return fmt.Sprintf("the year before %.10s", e.Last.Date)
}

// everyWay tells all ways to harm step by step: in any order, and with either side first.
func (p *printer) everyWay(f diag.Finding) {
	if !p.full {
		return
	}
	p.steps("in any order", f.Openings)
	if f.Orders != nil {
		p.steps("provider first", f.Orders.ProviderFirst.Openings)
		p.steps("consumer first", f.Orders.ConsumerFirst.Openings)
	}
}

func (p *printer) steps(order string, openings []diag.Opening) {
	for _, o := range openings {
		needs := "ordinary steps alone"
		if len(o.Needs) > 0 {
			needs = words.Set(o.Needs)
		}
		p.entry("way", strings.Join(nonEmpty(order, needs, o.Harm, o.Persistence, o.Visibility, maybe(o)), ", "))
		p.table(12, widest, stepRows(o.Steps))
	}
}

// maybe is the condition of a way that hangs on a match that is not known.
func maybe(o diag.Opening) string {
	if o.Maybe {
		return "if what is not known fails"
	}
	return ""
}

// stepRows are the turns of a way to harm, as a table.
func stepRows(steps []diag.Step) [][]string {
	var rows [][]string
	for _, s := range steps {
		does := s.Does
		if s.Unusual != "" {
			does = words.Set([]string{s.Unusual}) + " " + does
		}
		rows = append(rows, []string{strconv.Itoa(s.Number), s.Actor, does, s.Then})
	}
	return rows
}

// evidenceWords are the counts of the releases that touch a pair.
func evidenceWords(e *diag.Evidence) string {
	var by []string
	for _, v := range diag.Verdicts() {
		if n := e.By[v]; n > 0 {
			by = append(by, fmt.Sprintf("%d %s", n, v))
		}
	}
	both := "none of them both ends"
	switch {
	case e.Both == e.Touched:
		both = "all of them both ends"
	case e.Both > 0:
		both = fmt.Sprintf("%d of them both ends", e.Both)
	}
	return fmt.Sprintf("%d of %s touch the pair, %s: %s", e.Touched, among(e), both, strings.Join(by, ", "))
}

func turnWords(c *diag.Commit) string {
	return fmt.Sprintf("%.10s %s", c.Date, words.Commit(*c))
}

// causeWords tell the structure's history as the trade-off that it was.
func causeWords(c *diag.Cause) []string {
	if c == nil {
		return nil
	}
	var out []string
	switch {
	case c.Since != nil && c.Born:
		out = append(out, turnWords(c.Since)+": two units deliver the pair from its first day")
	case c.Since != nil:
		out = append(out, turnWords(c.Since)+": from then on two units deliver the pair")
	}
	if c.Before != "" {
		out = append(out, "before: "+c.Before)
	}
	if n := len(c.Copies); n > 1 {
		out = append(out, copiesWords(c.Copies))
	}
	out = append(out, readersWords(c)...)
	if c.Lapsed != nil {
		out = append(out, turnWords(c.Lapsed)+": one reader is left, and with it the reason to share lapsed")
	}
	if c.Assumed != "" {
		out = append(out, c.Assumed)
	}
	return out
}

// copiesWords are what the pair's content was kept in before: the reason to keep it once.
func copiesWords(copies []diag.Copy) string {
	var names []string
	drifted := 0
	for _, c := range copies {
		names = append(names, fmt.Sprintf("%s (%s)", c.Object, c.Unit))
		drifted = max(drifted, c.Drifted)
	}
	text := "a reason to share: the same was kept in " + strings.Join(names, " and ")
	if drifted > 0 {
		text += fmt.Sprintf(", and differed after %s", lines.Counted(drifted, "commit"))
	}
	return text
}

// noun is what readers are called together: workloads, or all of one other kind.
func noun(names []string) string {
	kind, _, _ := strings.Cut(names[0], " ")
	for _, name := range names {
		if k, _, _ := strings.Cut(name, " "); k != kind {
			return "workload"
		}
	}
	switch kind {
	case "Deployment", "StatefulSet", "DaemonSet", "Rollout", "ReplicaSet", "Job", "CronJob", "Pod":
		return "workload"
	}
	return kind
}

// readersWords are who reads the provider, where that changed since the pair is apart.
func readersWords(c *diag.Cause) []string {
	var out []string
	for i, r := range c.Readers {
		if i < len(c.Readers)-1 && c.Since != nil && c.Readers[i+1].From.Date <= c.Since.Date {
			continue // before the pair was apart
		}
		out = append(out, fmt.Sprintf("read by %s since %.10s %s: %s", lines.Counted(len(r.Names), noun(r.Names)), r.From.Date, r.From.Short, strings.Join(r.Names, ", ")))
	}
	return out
}
