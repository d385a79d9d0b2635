package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// findings prints what was found, each as far as there is something to say: a line whose content is missing is left out.
func (p *printer) findings(list []diag.Finding) {
	for i, f := range list {
		switch {
		case i == 0:
			p.Line("")
			p.Line("FINDINGS")
		case f.Verdict != safe || list[i-1].Verdict != safe:
			p.Line("")
		}
		p.finding(f)
	}
}

func (p *printer) finding(f diag.Finding) {
	if f.Verdict == safe {
		p.Out.WriteString(p.painted(f.Verdict, lines.Clean(verdictWords(f))))
		p.Line("  %s", strings.Join(nonEmpty(f.ID, f.Rule, f.Title, safeFindingWords(f)), "  "))
		return
	}
	p.heading(f, gradeWords(f))
	p.entry("now", f.Now)
	p.release(f)
	if len(f.Steps) == 0 && f.Verdict != undecided {
		p.entry("what", f.Message)
		if f.Release == nil && f.At.File != "" {
			p.entry("at", place(f.At))
		}
	}
	p.entry("why", f.Reason)
	p.entry("assumes", strings.Join(f.Assumes, "; "))
	p.routes(f.Routes)
	p.story(f)
	p.entry("window", f.Window)
	p.orders(f.Orders)
	if f.Orders == nil && f.Verdict != undecided {
		p.ways("also", alsoWords(f), others(f))
	}
	p.everyWay(f)
	p.breaking(f)
	p.entries("unknown", f.Unknown)
	p.entry("close", f.Close)
	p.worse(f)
	p.protections(f)
	p.remedies(f.Remedies)
	p.background(f)
	p.releases(f)
	p.places(f)
	if f.Proof != nil && f.Verdict != undecided {
		p.entry("proof", proofWords(f.Proof))
	}
}

// heading is the verdict and what it is about, with the grade at the right end where it fits.
func (p *printer) heading(f diag.Finding, grade string) {
	verdict := verdictWords(f)
	text := strings.Join(nonEmpty(f.ID, f.Rule, f.Title), "  ")
	used := utf8.RuneCountInString(lines.Clean(verdict + "  " + text))
	p.Out.WriteString(p.painted(f.Verdict, lines.Clean(verdict)))
	switch {
	case grade == "":
		p.Line("  %s", text)
		return
	case used+2+utf8.RuneCountInString(grade) > lines.Width:
		p.Line("  %s", text)
		p.Wrapped(2, grade)
		return
	}
	p.Line("  %s%s%s", text, strings.Repeat(" ", lines.Width-used-utf8.RuneCountInString(grade)), grade)
}

// painted is a verdict in its colour, if there are colours.
func (p *printer) painted(verdict, text string) string {
	switch {
	case !p.colour:
		return text
	case verdict == safe:
		return "\x1b[32m" + text + "\x1b[0m"
	case verdict == undecided, verdict == exposed, verdict == "fragile":
		return "\x1b[33m" + text + "\x1b[0m"
	}
	return "\x1b[1;31m" + text + "\x1b[0m"
}

// entry is a line of a finding: a name in a column of its own, and a text that is broken behind it.
func (p *printer) entry(name, text string) {
	if text != "" {
		p.hanging("  "+name+strings.Repeat(" ", max(1, 10-len(name))), text)
	}
}

func (p *printer) entries(name string, list []string) {
	for i, text := range list {
		p.entry(first(i, name), text)
	}
}

// hanging prints a text behind a lead, its further lines below where it begins.
func (p *printer) hanging(lead, text string) {
	indent := utf8.RuneCountInString(lines.Clean(lead))
	line := lead
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(lines.Clean(line))+1+utf8.RuneCountInString(lines.Clean(word)) > lines.Width:
			p.Line("%s", line)
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
	}
	p.Line("%s", strings.TrimRight(line, " "))
}

// How wide a column of a table gets that is not the last one. What is wider stands alone, and the rest below it.
const (
	widest     = 36
	widestPath = 48
)

// table prints rows in columns up to a width; the last one is broken.
func (p *printer) table(indent, widest int, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	last := len(rows[0]) - 1
	wide := make([]int, last)
	for _, row := range rows {
		for i := range wide {
			if n := utf8.RuneCountInString(lines.Clean(row[i])); n <= widest {
				wide[i] = max(wide[i], n)
			}
		}
	}
	for _, row := range rows {
		lead, column, over := strings.Repeat(" ", indent), indent, false
		for i := range wide {
			n := utf8.RuneCountInString(lines.Clean(row[i]))
			lead += row[i] + strings.Repeat(" ", max(0, wide[i]-n)) + "  "
			column += wide[i] + 2
			over = over || n > wide[i] || column > lines.Width-24
		}
		if over && row[last] != "" {
			p.Line("%s", strings.TrimRight(lead, " "))
			lead = strings.Repeat(" ", min(column, lines.Width/2))
		}
		p.hanging(lead, row[last])
	}
}

func (p *printer) release(f diag.Finding) {
	if f.Release != nil {
		p.entry("release", releaseWords(f.Release))
		p.entry(" ", f.Release.Window)
		p.entry(" ", partWords(f.Release))
	}
	var rows [][]string
	for i, c := range f.Changes {
		row := []string{c.Unit, place(c.At), c.What}
		if i > 0 && f.Changes[i-1].Unit == c.Unit && f.Changes[i-1].At == c.At {
			row[0], row[1] = "", ""
		}
		rows = append(rows, row)
	}
	p.table(4, widestPath, rows)
}

// story is the way to the harm, what callers meet then, and how long.
func (p *printer) story(f diag.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	p.Line("  %s", shortestWords(f))
	p.table(4, widest, stepRows(f.Steps))
	lead := "    => "
	p.calls(lead, f.Outcome)
	if f.Lasts != "" {
		p.hanging("       ", f.Lasts)
	}
}

func (p *printer) orders(o *diag.Orders) {
	sentences, openings := ordersWords(o)
	for i, s := range sentences {
		p.ways("order", s, openings[i])
		if len(openings[i]) == 0 {
			p.entry("order", s)
		}
	}
}

// ways are the openings of an order, or those beside the headline.
func (p *printer) ways(name, sentence string, openings []diag.Opening) {
	one, more := words.Ways(openings)
	if len(one) == 0 && more == 0 {
		return
	}
	if len(one) > 0 || name != "also" {
		p.entry(name, sentence)
	}
	var rows [][]string
	for _, w := range one {
		rows = append(rows, []string{w.Set, w.Grade, w.What})
	}
	p.table(14, widestPath, rows)
	switch {
	case more > 0 && len(one) == 0 && name == "also":
		p.entry(name, "with more than one unusual step, in "+lines.Counted(more, "way"))
	case more > 0:
		p.Line("              and %s with more than one", lines.Counted(more, "way"))
	}
}

func (p *printer) breaking(f diag.Finding) {
	const lead = "              "
	p.entry("breaking", breakingWords(f))
	p.calls(lead, f.Breaks)
	if len(f.AlreadyBroken) > 0 {
		p.entry("already", alreadyWords(f))
		p.calls(lead, f.AlreadyBroken)
	}
}

// calls prints what callers meet: calls that meet the same below it.
func (p *printer) calls(lead string, list []diag.Call) {
	groups, left := words.Groups(list, mostCalls)
	blank := strings.Repeat(" ", utf8.RuneCountInString(lead))
	for _, g := range groups {
		p.hanging(lead, g.Line)
		lead = blank
		for _, call := range g.Calls {
			p.hanging(blank+"  ", call)
		}
	}
	if left > 0 {
		p.Line("%sand %s", blank, lines.Counted(left, "more call"))
	}
}

// worse lists the gaps that could make it worse.
func (p *printer) worse(f diag.Finding) {
	for i, g := range f.Gaps {
		if i == most {
			p.entry(" ", lines.Counted(len(f.Gaps)-most, "more gap"))
			return
		}
		p.entry(first(i, "not seen"), strings.Join(nonEmpty(place(g.At), g.Unit, g.Message), ": "))
	}
}

func (p *printer) releases(f diag.Finding) {
	if len(f.Releases) < 2 {
		return
	}
	p.entry("releases", strconv.Itoa(len(f.Releases))+" of this shape, newest first")
	var rows [][]string
	for i, s := range f.Releases {
		if i == mostCalls && !p.full {
			break
		}
		rows = append(rows, []string{shownWords(s), words.Subject(s.Subject)})
	}
	p.table(14, widestPath, rows)
	if left := len(f.Releases) - mostCalls; left > 0 && !p.full {
		p.Line("              and %d more", left)
	}
}

// places are where the same stands more than once.
func (p *printer) places(f diag.Finding) {
	if len(f.Instances) < 2 {
		return
	}
	p.entry("places", "the same in "+lines.Counted(len(f.Instances), "place"))
	var rows [][]string
	for i, in := range f.Instances {
		if i == mostCalls && !p.full {
			break
		}
		rows = append(rows, []string{withUnit(in.Consumer), "<-> " + withUnit(in.Provider)})
	}
	p.table(14, widestPath, rows)
	if left := len(f.Instances) - mostCalls; left > 0 && !p.full {
		p.Line("              and %d more", left)
	}
}
