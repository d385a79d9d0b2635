package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// writePairMarkdown prints a comparison for a comment on a change: the orders, a table of what callers meet, the steps.
func writePairMarkdown(w io.Writer, d diag.Pair) error {
	m := &markdown{}
	m.line("### Releases of an API: %s to %s", code(d.Old.Name), code(d.New.Name))
	m.line("")
	for _, s := range orderWords(d) {
		m.line("- **%s**: %s", s.name, plainText(s.text))
	}
	m.routes(d)
	if len(d.Migration) > 0 {
		m.line("")
		m.line("#### Releases that do it without harm")
		m.line("")
		for i, s := range d.Migration {
			m.line("%d. **%s**, %s", i+1, s.Name, plainText(s.When))
			what, left := leading(s.What, shownSteps)
			for _, text := range what {
				m.line("   - %s", plainText(text))
			}
			if left > 0 {
				m.line("   - and %d more, all of them in `--format json`", left)
			}
		}
	}
	if len(d.Limits) > 0 {
		m.line("")
		m.line("Not decided: %s.", plainText(strings.Join(d.Limits, "; ")))
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
	m.line("%d of %s affected (server: %s).", len(routes), counted(len(d.Routes), "route"), plainText(d.Server))
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
		name := plainText(state.text)
		for _, e := range metIn(r, state.name) {
			text := plainText(e.words(g))
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
	var lines []string
	list, left := leading(g.changes, shownChanges)
	for _, c := range list {
		if g.whole {
			r := c.places[0].route
			line := cell(r.Verb + " " + r.Template)
			if !routine(c.kind) {
				line += " " + plainText(c.whole())
			}
			lines = append(lines, line)
			continue
		}
		places, more := leading(c.places, shownPlaces)
		var names []string
		for _, at := range places {
			names = append(names, cell(at.words(c.title())))
		}
		line := plainText(c.title()) + "<br>in the " + c.effects[0].Direction + " of " + strings.Join(names, ", ")
		if more > 0 {
			line += " and " + counted(more, "more route") + " that carry the same message"
		}
		lines = append(lines, line)
	}
	switch {
	case left > 0 && g.whole:
		lines = append(lines, "and "+counted(left, "more route")+" that meet the same")
	case left > 0:
		lines = append(lines, "and "+counted(left, "more change")+" that mean the same")
	}
	return strings.Join(lines, "<br>")
}

// plainText takes text of a repository as text: no markup, no tags, no new cell of a table.
func plainText(s string) string {
	s = clean(s)
	return strings.NewReplacer(`\`, `\\`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
		"@", "&#64;", "#", "&#35;").Replace(s)
}

// code shows text of a repository as it is, but for backticks, which would end it.
func code(s string) string { return "`" + strings.ReplaceAll(clean(s), "`", "'") + "`" }

// cell is code in a table, where a bar ends even that.
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }
