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
	"github.com/syncproof/syncproof/internal/report/words"
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
	say := func(format string, args ...any) {
		for i, a := range args {
			if text, ok := a.(string); ok {
				args[i] = lines.Comment(text)
			}
		}
		fmt.Fprintf(&b, format, args...)
	}
	say("### %s\n\n%s\n\n", p.Title, p.Remedy+": "+p.What)
	if p.Refused != "" {
		say("No patch: %s\n\n", p.Refused)
	}
	for _, x := range p.Passed {
		say("- not taken, %s: %s\n", x.What, x.Why)
	}
	if len(p.Passed) > 0 {
		b.WriteString("\n")
	}
	for _, s := range p.Stages {
		markdownStage(say, s)
	}
	if p.End != nil {
		say("\nIn the end %s, made again on what the stages leave, is **%s**", words.Commit(p.End.Of), p.End.Verdict)
		if len(p.End.Left) > 0 {
			say("; left: %s", openings(p.End.Left))
		}
		b.WriteString(".\n")
	}
	for _, t := range p.ByHand {
		say("- [ ] by hand: %s\n", t)
	}
	for _, t := range p.Notes {
		say("- %s\n", t)
	}
	return b.String()
}

// markdownStage is one entry of a numbered list, with a box for whatever somebody has to see to.
func markdownStage(say func(string, ...any), s diag.PlanStage) {
	say("%d. **%s**: %s\n", s.Number, s.Title, s.Why)
	for _, f := range s.Files {
		say("   - %s\n", file(f))
	}
	for _, r := range s.Review {
		say("   - review: %s\n", r)
	}
	say("   - proved: %s\n", s.Proved)
	if len(s.Held) > 0 {
		say("   - with %s it stops half-way, and harms nothing\n", held(s.Held))
	}
	if s.Rush != "" {
		say("   - together with the stage before, as one: %s\n", s.Rush)
	}
	if s.Release != nil && s.Release.Hold != "" {
		say("   - [ ] hold: %s\n", s.Release.Hold)
	}
	for _, w := range s.Wait {
		say("   - [ ] then wait: %s\n", w)
	}
}
