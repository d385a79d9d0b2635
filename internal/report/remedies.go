package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// inFull is how many remedies are told with all that they cost.
const inFull = 3

// remedies are what could be done, the best first.
func (p *printer) remedies(list []diag.Remedy) {
	if len(list) == 0 {
		return
	}
	p.entry("remedies", remediesWords(list))
	name, verdict := 0, 0
	for _, r := range list {
		name, verdict = max(name, len(r.Name)), max(verdict, len(remedyVerdict(r)))
	}
	for _, r := range list {
		if r.Refused != "" {
			p.hanging(fmt.Sprintf("     -  %-*s  ", name, r.Name), "does not apply: "+r.Refused)
			continue
		}
		p.hanging(fmt.Sprintf("    %2d  %-*s  %-*s  ", r.Rank, name, r.Name, verdict, remedyVerdict(r)), leftWords(r))
		under := strings.Repeat(" ", 10+name)
		p.hanging(under, r.What)
		for _, text := range append(migrationWords(r.Migration), otherWords(r)...) {
			p.hanging(under, text)
		}
		if r.Rank > inFull {
			p.hanging(under, "costs "+strings.Join(costWords(r), "; "))
			continue
		}
		for i, text := range costWords(r) {
			p.hanging(under+[]string{"costs ", "      "}[min(i, 1)], text)
		}
	}
	p.entry(" ", orderWords(list))
}

// remediesWords head the remedies.
func remediesWords(list []diag.Remedy) string {
	n := 0
	for _, r := range list {
		n = max(n, r.Releases)
	}
	return fmt.Sprintf("each judged by the same proof, over %s of the pair and, in brackets, for a release that fits in no mixed state", lines.Counted(n, "real release"))
}

// remedyVerdict is the gravest verdict over the real releases, and that of the worst case.
func remedyVerdict(r diag.Remedy) string {
	if r.WorstCase == "" {
		return r.Verdict
	}
	return r.Verdict + " (" + r.WorstCase + ")"
}

// leftWords are what still opens a harm: the sets of at most one unusual step, each with the gravest that it opens, else how many
// there are of more. What only the worst case opens stands behind it.
func leftWords(r diag.Remedy) string {
	text := setsByGrade(r.Left)
	only := slices.DeleteFunc(slices.Clone(r.LeftWorst), func(o diag.Opening) bool {
		return slices.ContainsFunc(r.Left, func(x diag.Opening) bool { return slices.Equal(x.Needs, o.Needs) })
	})
	if worst := setsByGrade(only); worst != "" {
		text = strings.Join(nonEmpty(text, "in the worst case also "+worst), "; ")
	}
	if text == "" {
		return "nothing is left"
	}
	return text
}

// setsByGrade puts sets together that open the same.
func setsByGrade(list []diag.Opening) string {
	var grades []string
	sets := map[string][]string{}
	told, more := map[string]bool{}, 0
	for _, o := range list {
		set := words.Set(o.Needs)
		switch {
		case len(o.Needs) > 1:
			more++
			continue
		case told[set]:
			continue
		}
		told[set] = true
		grade := strings.Join(words.Harm(o.Harm, o.Persistence, o.Visibility), ", ")
		if o.Maybe {
			grade += ", if what is not known fails"
		}
		if sets[grade] == nil {
			grades = append(grades, grade)
		}
		sets[grade] = append(sets[grade], set)
	}
	if len(grades) == 0 && more > 0 {
		return lines.Counted(more, "set") + " of two unusual steps or more"
	}
	var out []string
	for _, g := range grades {
		out = append(out, strings.Join(sets[g], " ")+" "+g)
	}
	return strings.Join(out, "; ")
}

// otherWords are what becomes of other readers.
func otherWords(r diag.Remedy) []string {
	var out []string
	for _, o := range r.Others {
		text := fmt.Sprintf("%s: %s, as today", o.Consumer, o.Verdict)
		if o.Verdict != o.Today {
			text = fmt.Sprintf("%s: %s, today %s", o.Consumer, o.Verdict, o.Today)
		}
		out = append(out, text)
	}
	return out
}

// migrationWords say what would have gone into which release.
func migrationWords(m *diag.Migration) []string {
	if m == nil {
		return nil
	}
	out := []string{"of " + words.Commit(m.Of) + ":"}
	for _, s := range m.Steps {
		text := s.Name + ": " + strings.Join(s.What, "; ")
		if s.When != "" {
			text += " (" + s.When + ")"
		}
		out = append(out, text)
	}
	return out
}

// costWords are what a remedy costs. What has to hold besides is told of the first ones.
func costWords(r diag.Remedy) []string {
	var out []string
	for _, c := range r.Costs {
		if r.Rank <= inFull || c.Kind != diag.CostPremise {
			out = append(out, c.Text)
		}
	}
	return out
}

// orderWords say why the first remedies stand in this order.
func orderWords(list []diag.Remedy) string {
	var out []string
	for _, r := range list {
		if r.Reason != "" && r.Rank <= inFull {
			out = append(out, r.Name+" "+r.Reason)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "in this order: " + strings.Join(out, "; ")
}

// remedies are a table in a comment.
func (m *markdown) remedies(list []diag.Remedy) {
	if len(list) == 0 {
		return
	}
	m.line("")
	m.line("**Remedies** %s.", lines.Comment(remediesWords(list)))
	m.line("")
	m.line("| | remedy | verdict | what is left | costs |")
	m.line("|---|---|---|---|---|")
	for _, r := range list {
		if r.Refused != "" {
			m.line("| - | %s | | does not apply: %s | |", lines.CommentCell(r.Name), lines.Comment(r.Refused))
			continue
		}
		var costs []string
		for _, text := range slices.Concat(otherWords(r), costWords(r), migrationWords(r.Migration)) {
			costs = append(costs, lines.Comment(text))
		}
		m.line("| %d | %s: %s | %s | %s | %s |", r.Rank, lines.CommentCell(r.Name), lines.Comment(r.What), lines.Comment(remedyVerdict(r)), lines.Comment(leftWords(r)), strings.Join(costs, "<br>"))
	}
}
