package html

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
)

// Sizes of the drawing of routes, in pixels. It runs from left to right where there is room, else from top to bottom.
const (
	apart  = 26 // between stages
	beside = 18 // between routes
	pad    = 9  // inside a box
	narrow = 340
)

// widths of the stages of a wide drawing: the commit, files, units, objects, what runs, where they meet.
var widths = []int{104, 196, 176, 196, 132, 130}

// stage is one box of one route.
type stage struct {
	class string
	lines []text
}

// drawRoutes draws the ways of a release, wide and narrow; nothing if there are none.
func drawRoutes(id string, r *diag.Routes, s report.Said) []drawing {
	if r == nil || len(s.Ways) == 0 {
		return nil
	}
	return []drawing{acrossRoutes(id+"-wide", r, s), downRoutes(id+"-narrow", r, s)}
}

func emptyRoutes(id, class string, r *diag.Routes, s report.Said) drawing {
	desc := []string{}
	for _, w := range s.Ways {
		parts := append([]string{strings.Join(w.Files, ", "), strings.Join(nonEmpty(w.By, w.Facts), ", "), w.Object}, w.Stops...)
		desc = append(desc, w.End+": "+strings.Join(parts, ", then "))
	}
	if r.Meet != "" {
		desc = append(desc, "they meet "+r.Meet)
	}
	return drawing{ID: id, Class: class, Title: "Routes: " + s.Routes, Desc: strings.Join(desc, ". ")}
}

// stages are the boxes of a route between the commit and where the routes meet.
func stages(w report.Way, widths []int) []stage {
	class := ""
	if !w.Changed {
		class = " still"
	}
	inside := func(i int) int { return widths[i] - 2*pad }
	var files []run
	for _, f := range w.Files {
		files = append(files, run{"mono", mono, f})
	}
	kind, name, _ := strings.Cut(w.Object, " ")
	out := []stage{
		{"box file" + class, lay(files, inside(0))},
		{"box unit" + class, lay([]run{{"strong", strong, w.By}, {"small", small, w.Facts}}, inside(1))},
		{"box object" + class, lay([]run{{"small", small, kind}, {"mono", mono, name}}, inside(2))},
	}
	if len(w.Stops) > 0 {
		var stops []run
		for i, stop := range w.Stops {
			if i > 0 {
				stop = "-> " + stop
			}
			stops = append(stops, run{"small", small, stop})
		}
		out = append(out, stage{"box stop" + class, lay(stops, inside(3))})
	}
	return out
}

func (s stage) height() int { return len(s.lines)*leading + 2*pad }

// commitLines are the box in which all routes begin.
func commitLines(r *diag.Routes, width int) []text {
	runs := []run{{"small", small, "Git"}}
	for _, c := range r.Commits {
		runs = append(runs, run{"mono", mono, c})
	}
	return lay(runs, width-2*pad)
}

func meetLines(r *diag.Routes, width int) []text {
	if r.Meet == "" {
		return nil
	}
	return lay([]run{{"strong", strong, "they meet"}, {"small", small, r.Meet}}, width-2*pad)
}

// box draws a box with its lines.
func (d *drawing) box(class string, lines []text, x, y, w, h int) {
	d.Marks = append(d.Marks, mark{Class: class, Shape: "rect", X: x, Y: y, W: w, H: h})
	d.put(lines, x+pad, y+(h-len(lines)*leading)/2)
}

// acrossRoutes draws from left to right, a row for each route.
func acrossRoutes(id string, r *diag.Routes, s report.Said) drawing {
	d := emptyRoutes(id, "wide", r, s)
	meet := meetLines(r, widths[5])
	begin := stage{"box commit", commitLines(r, widths[0])}
	end := stage{"box meet", meet}
	var rows [][]stage
	var heights []int
	total := -beside
	for _, w := range s.Ways {
		row, high := stages(w, widths[1:]), 0
		for _, st := range row {
			high = max(high, st.height())
		}
		rows, heights = append(rows, row), append(heights, high)
		total += high + beside
	}
	d.H = max(total, begin.height(), end.height()) + 4
	left := widths[0] + 2
	y := 2 + (d.H-4-total)/2
	right := 0
	for i := range rows {
		right = max(right, left+apart+sum(widths[1:1+len(rows[i])])+apart*(len(rows[i])-1))
	}
	if len(meet) > 0 {
		d.box(end.class, meet, right+apart, (d.H-end.height())/2, widths[5], end.height())
	}
	for i, row := range rows {
		d.row(row, left, y, heights[i], right, len(meet) > 0, s.Ways[i].Changed)
		y += heights[i] + beside
	}
	d.box(begin.class, begin.lines, 2, (d.H-begin.height())/2, widths[0], begin.height())
	d.W = right + 2
	if len(meet) > 0 {
		d.W = right + apart + widths[5] + 2
	}
	return d
}

// row draws one route from left to right, between the commit and where the routes meet.
func (d *drawing) row(row []stage, left, y, high, right int, meets, changed bool) {
	class := edge(changed)
	mid := y + high/2
	x := left
	x += apart
	for i, st := range row {
		switch { // what does not change does not come from the commit
		case i > 0:
			d.Lines = append(d.Lines, tip(x, mid, false))
		case changed:
			d.Lines = append(d.Lines, stroke{class, arrow(left, d.H/2, x, mid, false)}, tip(x, mid, false))
		}
		d.box(st.class, st.lines, x, y+(high-st.height())/2, widths[1+i], st.height())
		x += widths[1+i]
		if i+1 < len(row) {
			d.Lines = append(d.Lines, stroke{class, arrow(x, mid, x+apart, mid, false)})
			x += apart
		}
	}
	if meets {
		d.Lines = append(d.Lines, stroke{class, fmt.Sprintf("M%d %dL%d %dL%d %dL%d %d", x, mid, right+apart/2, mid, right+apart/2, d.H/2, right+apart, d.H/2)},
			tip(right+apart, d.H/2, false))
	}
}

func edge(changed bool) string {
	if changed {
		return "way"
	}
	return "way still"
}

// downRoutes draws from top to bottom, a column for each route.
func downRoutes(id string, r *diag.Routes, s report.Said) drawing {
	d := emptyRoutes(id, "narrow", r, s)
	d.W = narrow
	n := len(s.Ways)
	column := (narrow - 4 - (n-1)*10) / n
	same := []int{column, column, column, column}
	var columns [][]stage
	heights := make([]int, 4)
	deepest := 0
	for _, w := range s.Ways {
		c := stages(w, same)
		for i, st := range c {
			heights[i] = max(heights[i], st.height())
		}
		columns, deepest = append(columns, c), max(deepest, len(c))
	}
	begin := stage{"box commit", commitLines(r, narrow)}
	d.box(begin.class, begin.lines, 2, 2, narrow-4, begin.height())
	top := 2 + begin.height()
	bottom := top
	for _, h := range heights[:deepest] {
		bottom += apart + h
	}
	for k, c := range columns {
		d.column(c, heights, 2+k*(column+10), top, column, bottom, r.Meet != "", s.Ways[k].Changed)
	}
	d.H = bottom + 2
	if end := (stage{"box meet", meetLines(r, narrow)}); r.Meet != "" {
		d.box(end.class, end.lines, 2, bottom+apart, narrow-4, end.height())
		d.H = bottom + apart + end.height() + 2
	}
	return d
}

// column draws one route from top to bottom.
func (d *drawing) column(c []stage, heights []int, x, y, wide, bottom int, meets, changed bool) {
	class := edge(changed)
	mid := x + wide/2
	for i, st := range c {
		if changed || i > 0 { // what does not change does not come from the commit
			d.Lines = append(d.Lines, stroke{class, arrow(mid, y, mid, y+apart, true)}, tip(mid, y+apart, true))
		}
		d.box(st.class, st.lines, x, y+apart, wide, heights[i])
		y += apart + heights[i]
	}
	if meets {
		d.Lines = append(d.Lines, stroke{class, arrow(mid, y, mid, bottom+apart, true)}, tip(mid, bottom+apart, true))
	}
}

func sum(list []int) int {
	total := 0
	for _, n := range list {
		total += n
	}
	return total
}

func nonEmpty(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
