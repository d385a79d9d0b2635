package compared

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// writeMarkdown prints a comparison for a comment on a change: the orders, a table of what callers meet, the steps.
func writeMarkdown(w io.Writer, d diag.Pair) error {
	m := &markdown{}
	m.line("### Releases of an API: %s to %s", lines.Code(d.Old.Name), lines.Code(d.New.Name))
	m.line("")
	for _, s := range orderWords(d) {
		m.line("- **%s**: %s", s.name, lines.Markdown(s.text))
	}
	m.routes(d)
	if len(d.Migration) > 0 {
		m.line("")
		m.line("#### Releases that do it without harm")
		m.line("")
		for i, s := range d.Migration {
			m.line("%d. **%s**, %s", i+1, s.Name, lines.Markdown(s.When))
			what, left := leading(s.What, shownSteps)
			for _, text := range what {
				m.line("   - %s", lines.Markdown(text))
			}
			if left > 0 {
				m.line("   - and %d more, all of them in `--format json`", left)
			}
		}
	}
	if len(d.Limits) > 0 {
		m.line("")
		m.line("Not decided: %s.", lines.Markdown(strings.Join(d.Limits, "; ")))
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdown struct{ out strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

func (m *markdown) routes(d diag.Pair) {
	routes := affected(d)
	m.line("")
	if len(routes) == 0 {
		m.line("No route is affected.")
		return
	}
	m.line("%d of %s affected (server: %s).", len(routes), lines.Counted(len(d.Routes), "route"), lines.Markdown(d.Server))
	m.line("")
	m.line("| route | state | what callers meet |")
	m.line("|---|---|---|")
	for _, g := range groups(d) {
		m.group(g)
	}
}

func (m *markdown) group(g group) {
	r := g.as()
	title := titleCell(g)
	for _, state := range pairStates() {
		name := lines.Markdown(state.text)
		for _, e := range metIn(r, state.name) {
			text := lines.Markdown(e.words(g))
			if example := e.exampleWords(); example != "" {
				text += "<br>" + cell(example)
			}
			m.line("| %s | %s | %s |", title, name, text)
			title, name = "", ""
		}
	}
	m.line("| %s | | breaks %s<br>**do**: %s |", title, breakWords(r), adviceWords(r))
}

// titleCell names the changes of a group, and their routes.
func titleCell(g group) string {
	var rows []string
	list, left := leading(g.changes, shownChanges)
	for _, c := range list {
		if g.whole {
			r := c.places[0].route
			line := cell(r.Verb + " " + r.Template)
			if !routine(c.kind) {
				line += " " + lines.Markdown(c.whole())
			}
			rows = append(rows, line)
			continue
		}
		places, more := leading(c.places, shownPlaces)
		var names []string
		for _, at := range places {
			names = append(names, cell(at.words(c.title())))
		}
		line := lines.Markdown(c.title()) + "<br>in the " + c.effects[0].Direction + " of " + strings.Join(names, ", ")
		if more > 0 {
			line += " and " + lines.Counted(more, "more route") + " that carry the same message"
		}
		rows = append(rows, line)
	}
	switch {
	case left > 0 && g.whole:
		rows = append(rows, "and "+lines.Counted(left, "more route")+" that meet the same")
	case left > 0:
		rows = append(rows, "and "+lines.Counted(left, "more change")+" that mean the same")
	}
	return strings.Join(rows, "<br>")
}

// cell is code in a table, where a bar ends even that.
func cell(s string) string { return strings.ReplaceAll(lines.Code(s), "|", `\|`) }
