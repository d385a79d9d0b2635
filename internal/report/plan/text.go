package plan

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// printer writes labelled paragraphs.
type printer struct{ out strings.Builder }

const indent = 12

// field prints a text behind a label, broken between words.
func (p *printer) field(label, text string) {
	line := fmt.Sprintf("%-*s", indent, label)
	fresh := true
	for _, w := range strings.Split(lines.Clean(text), " ") {
		switch {
		case fresh:
			line += w
		case len(line)+1+len(w) > lines.Width:
			p.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", indent) + "  " + w
		default:
			line += " " + w
		}
		fresh = false
	}
	p.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

// list prints texts of one label.
func (p *printer) list(label string, texts []string) {
	for i, t := range texts {
		if i > 0 {
			label = ""
		}
		p.field(label, t)
	}
}

// Text is a plan for people.
func Text(d diag.Plan) string {
	p := &printer{}
	if d.Title != "" {
		p.field("finding", d.Finding+" "+d.Title)
	}
	if d.At.Short != "" {
		p.field("on", fmt.Sprintf("%s %q", d.At.Short, d.At.Subject))
	}
	if d.Remedy != "" {
		p.field("remedy", d.Remedy+": "+d.What)
	}
	p.passed(d.Passed)
	switch {
	case d.Refused != "":
		p.field("no patch", d.Refused)
	case d.Done:
		p.field("done", "there is nothing to do: the repository is what the remedy makes of it")
	}
	for _, s := range d.Stages {
		p.stage(s, d)
	}
	p.end(d)
	return p.out.String()
}

// passed are the ways that were not taken. What was refused for one reason is said once.
func (p *printer) passed(all []diag.PlanPassed) {
	label := "not taken"
	for i, x := range all {
		what := x.What
		for j := range i {
			if all[j].Why == x.Why {
				what = ""
			}
		}
		if what == "" {
			continue
		}
		for _, y := range all[i+1:] {
			if y.Why == x.Why {
				what += "; " + y.What
			}
		}
		p.field(label, what+": "+x.Why)
		label = ""
		for _, s := range x.Steps {
			p.field("", fmt.Sprintf("  %d %s %s", s.Number, s.Actor, doing(s)))
		}
	}
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

func (p *printer) stage(s diag.PlanStage, d diag.Plan) {
	fmt.Fprintf(&p.out, "\n%s\n", lines.Clean(fmt.Sprintf("stage %d     %s", s.Number, s.Title)))
	p.field("", s.Why)
	var files []string
	for _, f := range s.Files {
		files = append(files, file(f))
	}
	p.list("files", files)
	p.list("review", s.Review)
	p.field("renders", s.Renders)
	proved := s.Proved
	if s.Pairs > 0 {
		proved = fmt.Sprintf("%s, %s", s.Verdict, proved)
	}
	p.field("proved", proved)
	if left := openings(s.Left); left != "" {
		p.field("left", left)
	}
	if len(s.Held) > 0 {
		p.field("", "with "+held(s.Held)+" it stops half-way, and harms nothing")
	}
	if s.Rush != "" {
		p.field("rush", fmt.Sprintf("together with stage %d, as one, it would be a %s", s.Number-1, s.Rush))
	}
	p.release("a release", s.Release, d)
	p.list("then wait", s.Wait)
}

// held are the settings, without those that contain another one.
func held(all []string) string {
	var out []string
	for _, a := range all {
		wider := false
		for _, b := range all {
			wider = wider || a != b && strings.Contains(a, b)
		}
		if !wider {
			out = append(out, a)
		}
	}
	return strings.Join(out, ", or ")
}

// release says what a release comes to. What is left is told at the end only.
func (p *printer) release(label string, r *diag.PlanRelease, d diag.Plan) {
	if r == nil {
		return
	}
	text := fmt.Sprintf("made now it is %s", r.Verdict)
	if r == d.End {
		text = fmt.Sprintf("%s %q, made again on what the stages leave, is %s", r.Of.Short, r.Of.Subject, r.Verdict)
	}
	if r.Hold != "" {
		text += ": " + r.Hold
	}
	p.field(label, text)
	if r == d.End {
		if left := openings(r.Left); left != "" {
			p.field("left", left)
		}
	}
}

// openings are the sets of one unusual step, by what they open; sets of more are counted.
func openings(all []diag.Opening) string {
	var order []string
	by := map[string][]string{}
	more := 0
	for _, o := range all {
		if len(o.Needs) > 1 {
			more++
			continue
		}
		what := strings.Join([]string{o.Harm, o.Persistence, o.Visibility}, ", ")
		if by[what] == nil {
			order = append(order, what)
		}
		by[what] = append(by[what], "{"+strings.Join(o.Needs, ", ")+"}")
	}
	var out []string
	for _, what := range order {
		out = append(out, strings.Join(by[what], " ")+" "+what)
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more with two", more))
	}
	return strings.Join(out, "; ")
}

func file(f diag.PlanFile) string {
	text := f.Path
	switch f.Kind {
	case "changed":
	case "moved", "copied":
		text = fmt.Sprintf("%s, %s from %s", f.Path, f.Kind, f.From)
	default:
		text += ", " + f.Kind
	}
	switch {
	case f.Binary && f.Kind == "changed":
		text += ", binary"
	case f.Added+f.Deleted > 0 && f.Kind != "deleted":
		text += fmt.Sprintf(" +%d -%d", f.Added, f.Deleted)
	}
	return text
}

func (p *printer) end(d diag.Plan) {
	if len(d.Stages) > 0 {
		p.out.WriteString("\n")
	}
	p.release("in the end", d.End, d)
	if d.Judged > 0 {
		text := fmt.Sprintf("%d cases, each stage as a release", d.Judged)
		if len(d.Variations) > 0 {
			text += ", under " + strings.Join(d.Variations, "; ")
		}
		p.field("judged", text)
	}
	p.list("by hand", d.ByHand)
	p.list("note", d.Notes)
}
