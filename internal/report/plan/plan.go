// Package plan prints a plan: how a repository gets from what it is to what a remedy makes of it.
//
// In goes a plan, out comes text for people, Markdown for a review, or JSON for scripts. It refuses to decide what to print: all of
// the plan is.
package plan

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// Formats are those that a plan is printed in.
func Formats() []report.Format { return []report.Format{report.Text, report.JSON, report.Markdown} }

// Wanted is what is asked of a plan on the command line.
type Wanted struct {
	Remedy string
	Stage  int // 0: all
	Patch  string
	Write  bool
}

// Contradiction says what of it cannot be; "" if all can. Elsewhere tells that another revision than the checked out one is read.
func (w Wanted) Contradiction(format string, elsewhere bool) string {
	switch {
	case !slices.Contains(Formats(), report.Format(format)):
		return fmt.Sprintf("--format %q: say text, json or markdown", format)
	case w.Stage < 0:
		return "--stage counts from 1"
	case w.Write && w.Patch != "":
		return "--write and --patch exclude each other"
	case w.Write && elsewhere:
		return "--write changes what is checked out: --rev and --worktree have no meaning for it"
	}
	return ""
}

// Of is a plan with the stages that are asked for.
func (w Wanted) Of(p diag.Plan) diag.Plan {
	if w.Stage > 0 && w.Stage <= len(p.Stages) {
		p.Stages = p.Stages[w.Stage-1 : w.Stage]
	}
	return p
}

// Write prints a plan.
func Write(w io.Writer, f report.Format, p diag.Plan) error {
	var b bytes.Buffer
	switch f {
	case report.JSON:
		if err := lines.WriteJSON(&b, p); err != nil {
			return err
		}
	case report.Markdown:
		b.WriteString(markdown(p))
	default:
		b.WriteString(Text(p))
	}
	_, err := w.Write(lines.Redact(b.Bytes()))
	return err
}

func markdown(p diag.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", lines.Comment(p.Title), lines.Comment(p.Remedy+": "+p.What))
	if p.Refused != "" {
		fmt.Fprintf(&b, "No patch: %s\n\n", lines.Comment(p.Refused))
	}
	for _, s := range p.Stages {
		fmt.Fprintf(&b, "%d. **%s**: %s\n", s.Number, lines.Comment(s.Title), lines.Comment(s.Why))
		for _, f := range s.Files {
			fmt.Fprintf(&b, "   - %s %s\n", f.Kind, lines.CommentCode(f.Path))
		}
		for _, r := range s.Review {
			fmt.Fprintf(&b, "   - review: %s\n", lines.Comment(r))
		}
		fmt.Fprintf(&b, "   - %s: %s\n", s.Verdict, lines.Comment(s.Proved))
		for _, w := range s.Wait {
			fmt.Fprintf(&b, "   - [ ] %s\n", lines.Comment(w))
		}
	}
	for _, t := range p.ByHand {
		fmt.Fprintf(&b, "- [ ] by hand: %s\n", lines.Comment(t))
	}
	return b.String()
}
