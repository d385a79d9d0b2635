// Package plan prints a plan: how a repository gets from what it is to what a remedy makes of it.
//
// In goes a plan, out comes text for people, Markdown for a review, or JSON for scripts. It refuses to decide what to print: all of
// the plan is.
package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// Formats are those that a plan is printed in.
func Formats() []report.Format { return []report.Format{report.Text, report.JSON, report.Markdown} }

// Write prints a plan.
func Write(w io.Writer, f report.Format, p diag.Plan) error {
	switch f {
	case report.JSON:
		return lines.WriteJSON(w, p)
	case report.Markdown:
		_, err := io.WriteString(w, markdown(p))
		return err
	}
	_, err := io.WriteString(w, Text(p))
	return err
}

// Text is a plan for people.
func Text(p diag.Plan) string {
	out := &lines.Printer{}
	if p.Title != "" {
		out.Field("finding", fmt.Sprintf("%s  %s", p.Finding, p.Title))
	}
	if p.At.Short != "" {
		out.Field("made for", fmt.Sprintf("%s %q", p.At.Short, p.At.Subject))
	}
	if p.Remedy != "" {
		out.Field("remedy", p.Remedy+": "+p.What)
	}
	for i, x := range p.Passed {
		out.Field(once(i, "passed by"), x.What+": "+x.Why)
		for _, s := range x.Steps {
			out.Field("", fmt.Sprintf("  %d  %s  %s", s.Number, s.Actor, doing(s)))
		}
	}
	switch {
	case p.Refused != "":
		out.Field("no patch", p.Refused)
	case p.Done:
		out.Field("nothing to do", "the repository is what the remedy makes of it")
	}
	for _, s := range p.Stages {
		stage(out, s, len(p.Stages))
	}
	end(out, p)
	return out.Out.String()
}

func doing(s diag.Step) string {
	text := s.Does
	if s.Unusual != "" {
		text = "{" + s.Unusual + "} " + text
	}
	if s.Then != "" {
		text += ": " + s.Then
	}
	return text
}

func once(i int, label string) string {
	if i == 0 {
		return label
	}
	return ""
}

func stage(out *lines.Printer, s diag.PlanStage, all int) {
	fmt.Fprintf(&out.Out, "\n%s\n", lines.Clean(fmt.Sprintf("stage %d of %d  %s", s.Number, all, s.Title)))
	for i, f := range s.Files {
		out.Field(once(i, "files"), file(f))
	}
	for i, r := range s.Review {
		out.Field(once(i, "review"), r)
	}
	out.Field("renders", s.Renders)
	out.Field("why", s.Why)
	proved := s.Proved
	if s.Pairs > 0 {
		proved = fmt.Sprintf("%s: %s", s.Verdict, s.Proved)
	}
	out.Field("proved", proved)
	for _, o := range s.Left {
		out.Field("", "left: "+opening(o))
	}
	if len(s.Held) > 0 {
		out.Field("", "stops half-way, with nothing harmed, with "+held(s.Held))
	}
	release(out, "a release", s.Release)
	for i, w := range s.Wait {
		out.Field(once(i, "then wait"), w)
	}
}

// held are the settings, those that others contain once.
func held(all []string) string {
	var out []string
	for _, a := range all {
		contained := false
		for _, b := range all {
			contained = contained || a != b && strings.Contains(a, b)
		}
		if !contained {
			out = append(out, a)
		}
	}
	return strings.Join(out, "; ")
}

func release(out *lines.Printer, label string, r *diag.PlanRelease) {
	if r == nil {
		return
	}
	text := fmt.Sprintf("%s, with %s %q made again here", r.Verdict, r.Of.Short, r.Of.Subject)
	if r.Hold != "" {
		text += ": " + r.Hold
	}
	out.Field(label, text)
	for _, o := range r.Left {
		if len(o.Needs) < 2 {
			out.Field("", opening(o))
		}
	}
}

func opening(o diag.Opening) string {
	return fmt.Sprintf("{%s}  %s, %s, %s", strings.Join(o.Needs, ", "), o.Harm, o.Persistence, o.Visibility)
}

func file(f diag.PlanFile) string {
	text := f.Kind + " " + f.Path
	if f.From != "" {
		text += " from " + f.From
	}
	switch {
	case f.Binary:
		text += "  (binary)"
	case f.Added+f.Deleted > 0:
		text += fmt.Sprintf("  +%d -%d", f.Added, f.Deleted)
	}
	return text
}

func end(out *lines.Printer, p diag.Plan) {
	if len(p.Stages) > 0 {
		fmt.Fprintln(&out.Out)
	}
	release(out, "at the end", p.End)
	if len(p.Variations) > 0 {
		out.Field("judged", fmt.Sprintf("%d cases: each stage as a release, in every order, under %s", p.Judged, strings.Join(p.Variations, "; ")))
	}
	for i, t := range p.ByHand {
		out.Field(once(i, "by hand"), t)
	}
	for i, t := range p.Notes {
		out.Field(once(i, "note"), t)
	}
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
