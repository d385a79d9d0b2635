package stage

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/patch"
	"github.com/syncproof/syncproof/internal/source"
)

// Series are the stages as commits on top of one.
func (p Plan) Series(on source.Commit) patch.Series {
	s := patch.Series{First: 1, All: len(p.Stages), Name: "syncproof", Mail: "syncproof@localhost", When: on.When, SHA256: len(on.Hash) > 40}
	for i, stage := range p.Stages {
		e := p.Edits[i]
		s.Commits = append(s.Commits, patch.Commit{Title: stage.Title, Body: Message(stage, p.Remedy, len(p.Stages)), Changes: patch.Changes(e.Before, e.Files, e.From)})
	}
	return s
}

// Message is the body of a stage's commit.
func Message(s diag.PlanStage, remedy string, all int) string {
	var b strings.Builder
	b.WriteString(wrap(s.Why))
	fmt.Fprintf(&b, "\n%s", wrap("As a release it is "+s.Verdict+": "+s.Proved+"."))
	if s.Release != nil && s.Release.Hold != "" {
		fmt.Fprintf(&b, "\n%s", wrap(upper(s.Release.Hold)+"."))
	}
	if len(s.Wait) > 0 {
		b.WriteString("\nGo on when\n")
		for _, w := range s.Wait {
			b.WriteString("- " + w + "\n")
		}
	}
	fmt.Fprintf(&b, "\n%s\n", fmt.Sprintf("Stage %d of %d of %s.", s.Number, all, remedy))
	return b.String()
}

func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// wrap breaks a paragraph between words.
func wrap(text string) string {
	const most = 76
	var b strings.Builder
	n := 0
	for _, w := range strings.Fields(text) {
		switch {
		case n == 0:
		case n+1+len(w) > most:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	return b.String() + "\n"
}
