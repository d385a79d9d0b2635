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
			for _, what := range s.What {
				m.line("   - %s", plainText(what))
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
	for _, r := range routes {
		route := cell(r.Verb + " " + r.Template)
		for _, state := range pairStates() {
			name := plainText(state.text)
			for _, e := range metIn(r, state.name) {
				text := plainText(e.words())
				if example := e.exampleWords(); example != "" {
					text += "<br>" + cell(example)
				}
				m.line("| %s | %s | %s |", route, name, text)
				route, name = "", ""
			}
		}
		m.line("| %s | | breaks %s<br>**do**: %s |", route, breakWords(r), adviceWords(r))
	}
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
