package report

import (
	"cmp"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/routes"
)

// routes draws the ways that a release takes to what runs.
func (p *printer) routes(r *diag.Routes) {
	if !p.full {
		return
	}
	for _, line := range routes.Lines(r) {
		p.Line("%s", line)
	}
}

// routes lists the ways that a release takes to what runs, a line each, and where they meet.
func (m *markdown) routes(r *diag.Routes) {
	ways := routes.Drawn(r)
	if !m.full || len(ways) == 0 {
		return
	}
	m.line("")
	m.line("**Routes** %s", lines.Comment(cmp.Or(routes.Heading(r), "to the cluster")))
	m.line("")
	for _, w := range ways {
		var files []string
		for _, file := range routes.Files(w) {
			files = append(files, mdRoute(file))
		}
		parts := []string{strings.Join(files, ", ")}
		for _, text := range append(routes.Stages(w), w.Stops...) {
			parts = append(parts, lines.Comment(text))
		}
		m.line("- %s", strings.Join(parts, " → "))
	}
	for _, facts := range routes.AllFacts(ways) {
		m.line("- %s", lines.Comment(facts))
	}
	if r.Meet != "" {
		m.line("- they meet %s", lines.Comment(r.Meet))
	}
}

// mdRoute is a file as it is, and what is said in place of files as text.
func mdRoute(file string) string {
	if strings.HasPrefix(file, "(") || strings.HasPrefix(file, "and ") {
		return lines.Comment(file)
	}
	return lines.CommentCode(file)
}
