package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/remedies"
)

// remedies are what could be done, the best first.
func (p *printer) remedies(list []diag.Remedy) {
	if len(list) == 0 {
		return
	}
	p.entry("remedies", remedies.Heading(list, "in brackets"))
	name, verdict := 0, 0
	for _, r := range list {
		name, verdict = max(name, len(r.Name)), max(verdict, len(remedies.Verdict(r)))
	}
	for _, r := range list {
		if r.Refused != "" {
			p.hanging(fmt.Sprintf("     -  %-*s  ", name, r.Name), remedies.Refused(r))
			continue
		}
		p.hanging(fmt.Sprintf("    %2d  %-*s  %-*s  ", r.Rank, name, r.Name, verdict, remedies.Verdict(r)), remedies.Left(r))
		under := strings.Repeat(" ", 10+name)
		p.hanging(under, r.What)
		for _, text := range append(remedies.Migration(r.Migration), remedies.Others(r)...) {
			p.hanging(under, text)
		}
		if r.Rank > remedies.InFull {
			p.hanging(under, "costs "+strings.Join(remedies.Costs(r), "; "))
			continue
		}
		for i, text := range remedies.Costs(r) {
			p.hanging(under+[]string{"costs ", "      "}[min(i, 1)], text)
		}
	}
	p.entry(" ", remedies.Order(list))
}

// remedies are a table in a comment.
func (m *markdown) remedies(list []diag.Remedy) {
	if len(list) == 0 {
		return
	}
	m.line("")
	m.line("**Remedies** %s.", lines.Comment(remedies.Heading(list, "in brackets")))
	m.line("")
	m.line("| | remedy | verdict | what is left | costs |")
	m.line("|---|---|---|---|---|")
	for _, r := range list {
		if r.Refused != "" {
			m.line("| - | %s | | %s | |", lines.CommentCell(r.Name), lines.Comment(remedies.Refused(r)))
			continue
		}
		var costs []string
		for _, text := range slices.Concat(remedies.Others(r), remedies.Costs(r), remedies.Migration(r.Migration)) {
			costs = append(costs, lines.Comment(text))
		}
		m.line("| %d | %s: %s | %s | %s | %s |", r.Rank, lines.CommentCell(r.Name), lines.Comment(r.What), lines.Comment(remedies.Verdict(r)), lines.Comment(remedies.Left(r)), strings.Join(costs, "<br>"))
	}
}
