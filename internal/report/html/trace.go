package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/words"
)

// lanes of a trace: the units that deliver the pair, whether they act or not, and whoever else acts.
type lanes []string

func lanesOf(f diag.Finding, s report.Said) lanes {
	var out lanes
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, w := range s.Ways {
		if w.Unit != nil && w.Changed {
			add(w.Before)
			add(w.Unit.Name)
		}
	}
	for _, step := range f.Steps {
		add(step.Actor)
	}
	return out
}

// shape is what differs between a wide and a narrow trace.
type shape struct {
	class string
	lane  int // width of a lane
	total int
	named bool // lanes have their names above them
}

// drawTrace draws the way to harm, a lane for each who acts, time running down; nothing if there are no steps.
func drawTrace(id string, f diag.Finding, s report.Said) []drawing {
	if len(f.Steps) == 0 {
		return nil
	}
	all := lanesOf(f, s)
	lane := min(150, 560/len(all))
	return []drawing{
		oneTrace(id+"-wide", f, s, all, shape{"wide", lane, 1060, true}),
		oneTrace(id+"-narrow", f, s, all, shape{"narrow", min(30, 150/len(all)), narrow, false}),
	}
}

func oneTrace(id string, f diag.Finding, s report.Said, all lanes, sh shape) drawing {
	d := drawing{ID: id, Class: sh.class, W: sh.total, Title: "Trace: " + s.Heading, Desc: traceWords(f)}
	x := func(i int) int { return sh.lane/2 + i*sh.lane }
	y := 4
	if sh.named {
		y = d.heads(all, sh)
	}
	top, at := y, len(all)*sh.lane+14
	var path strings.Builder
	for i, step := range f.Steps {
		i = slices.Index(all, step.Actor)
		y = d.step(step, x(i), y, at, sh)
		point(&path, x(i), d.Marks[len(d.Marks)-1].CY())
	}
	last := x(slices.Index(all, f.Steps[len(f.Steps)-1].Actor))
	y = d.harm(f, last, y, at)
	point(&path, last, d.Marks[len(d.Marks)-1].CY())
	var back []stroke
	for i := range all {
		class := "lane"
		if !slices.ContainsFunc(f.Steps, func(s diag.Step) bool { return s.Actor == all[i] }) {
			class = "lane idle"
		}
		back = append(back, stroke{class, fmt.Sprintf("M%d %dL%d %d", x(i), top, x(i), y)})
	}
	d.Lines = append(back, stroke{"time", path.String()})
	d.H = y + 2
	return d
}

func point(path *strings.Builder, x, y int) {
	verb := "L"
	if path.Len() == 0 {
		verb = "M"
	}
	fmt.Fprintf(path, "%s%d %d", verb, x, y)
}

// heads are the names of the lanes.
func (d *drawing) heads(all lanes, sh shape) int {
	deep := 0
	for i, name := range all {
		lines := lay([]run{{"strong", strong, name}}, sh.lane-10)
		for k, line := range lines {
			line.X, line.Y, line.Anchor = sh.lane/2+i*sh.lane, 15+k*leading, "middle"
			d.Texts = append(d.Texts, line)
		}
		deep = max(deep, len(lines))
	}
	return deep*leading + 10
}

// step draws one step in its lane, and what it says beside the lanes.
func (d *drawing) step(s diag.Step, x, y, at int, sh shape) int {
	runs := []run{}
	head := s.Does
	if !sh.named {
		runs = append(runs, run{"strong", strong, s.Actor})
	}
	class, number := "dot", "number"
	if s.Unusual != "" {
		class, number = "dot unusual", "number warn"
		runs = append(runs, run{"strong warn", strong, words.Set([]string{s.Unusual}) + " unusual: " + words.Unusual(s.Unusual)})
	}
	runs = append(runs, run{"plain", plain, head}, run{"small", small, s.Then})
	lines := lay(runs, d.W-at-4)
	d.put(lines, at, y+4)
	d.Marks = append(d.Marks, mark{Class: class, Shape: "circle", X: x - 11, Y: y + 2, W: 22, H: 22})
	d.Texts = append(d.Texts, text{Class: number, X: x, Y: y + 17, Anchor: "middle", S: strconv.Itoa(s.Number)})
	return y + max(len(lines)*leading, 24) + 14
}

// harm draws the moment from which on callers meet it.
func (d *drawing) harm(f diag.Finding, x, y, at int) int {
	runs := []run{{"strong grave", strong, "from here on: harm"}}
	for i, g := range groups(f.Outcome) {
		if i == 2 {
			break
		}
		runs = append(runs, run{"plain", plain, g.Line})
	}
	lines := lay(runs, d.W-at-4)
	d.put(lines, at, y+4)
	d.Marks = append(d.Marks, mark{Class: "harm", Shape: "diamond", X: x - 13, Y: y, W: 26, H: 26})
	d.Texts = append(d.Texts, text{Class: "number", X: x, Y: y + 18, Anchor: "middle", S: "!"})
	return y + max(len(lines)*leading, 26) + 8
}

// traceWords are the steps as text.
func traceWords(f diag.Finding) string {
	var out []string
	for _, s := range f.Steps {
		does := s.Does
		if s.Unusual != "" {
			does = words.Set([]string{s.Unusual}) + " " + does
		}
		out = append(out, strings.Join(nonEmpty(fmt.Sprintf("%d. %s %s", s.Number, s.Actor, does), s.Then), ": "))
	}
	return strings.Join(append(out, "Then callers meet the harm"), ". ")
}
