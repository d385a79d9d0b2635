package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
)

// moment is something of the pair's history that has a date.
type moment struct {
	at      time.Time
	verdict string // "" of a commit that is no release of the pair
	own     bool   // it has the shape of the finding
	note    string
}

// drawStrip draws the releases of a pair over time, each by its verdict, and what took them back; nothing if there is no time
// between them.
func drawStrip(id string, f diag.Finding) []drawing {
	list := moments(f)
	if len(list) < 2 || list[0].at.Equal(list[len(list)-1].at) {
		return nil
	}
	return []drawing{oneStrip(id+"-wide", "wide", 1060, list, f), oneStrip(id+"-narrow", "narrow", narrow, list, f)}
}

// moments are the releases, oldest first.
func moments(f diag.Finding) []moment {
	var out []moment
	seen := map[string]bool{}
	add := func(c diag.Commit, verdict string, own bool) {
		when, err := time.Parse(time.RFC3339, c.Date)
		if err != nil || seen[c.Commit] {
			return
		}
		seen[c.Commit] = true
		out = append(out, moment{when, verdict, own, fmt.Sprintf("%.10s %s: %s", c.Date, c.Short, verdict)})
	}
	for _, s := range f.Releases {
		add(s.Commit, s.Verdict, true)
	}
	if f.Story != nil && f.Story.Evidence != nil {
		for _, s := range f.Story.Evidence.Releases {
			add(s.Commit, s.Verdict, false)
		}
	}
	slices.SortStableFunc(out, func(a, b moment) int { return a.at.Compare(b.at) })
	return out
}

// Places of a strip, from the top.
const (
	fixY  = 20
	axisY = 58
)

func oneStrip(id, class string, width int, list []moment, f diag.Finding) drawing {
	d := drawing{ID: id, Class: class, W: width, H: axisY + 34, Title: "Releases of the pair over time, by verdict"}
	from, to := list[0].at, list[len(list)-1].at
	x := func(t time.Time) int {
		return 16 + int(float64(width-32)*float64(t.Sub(from))/float64(to.Sub(from)))
	}
	d.Lines = append(d.Lines, stroke{"axis", fmt.Sprintf("M8 %dL%d %d", axisY, width-8, axisY)})
	d.years(from, to, width, x)
	var desc []string
	for _, m := range list {
		d.moment(m, x(m.at))
		desc = append(desc, m.note)
	}
	for _, fix := range fixes(f) {
		a, errA := time.Parse(time.RFC3339, fix.Release.Date)
		b, errB := time.Parse(time.RFC3339, fix.By.Date)
		if errA != nil || errB != nil || fix.Kind == "" || a.Before(from) || b.After(to) {
			continue
		}
		d.Lines = append(d.Lines, stroke{"fix", fmt.Sprintf("M%d %dL%d %dL%d %dL%d %d", x(a), axisY-12, x(a), fixY+4, x(b), fixY+4, x(b), axisY-12)})
		anchor, at := "middle", (x(a)+x(b))/2
		if at < 50 {
			anchor, at = "start", 4
		} else if at > width-50 {
			anchor, at = "end", width-4
		}
		for _, line := range lay([]run{{"small", small, fix.Kind}}, 96)[:1] {
			d.Texts = append(d.Texts, text{"small", at, fixY - 4, anchor, line.S})
		}
		desc = append(desc, fmt.Sprintf("%s of %s by %s", fix.Kind, fix.Release.Short, fix.By.Short))
	}
	d.Desc = strings.Join(desc, "; ")
	return d
}

func fixes(f diag.Finding) []diag.Fix {
	if f.Story == nil || f.Story.Evidence == nil {
		return nil
	}
	return f.Story.Evidence.Fixes
}

// moment draws one release: shapes tell the verdicts apart, not colours alone.
func (d *drawing) moment(m moment, x int) {
	size, shape := 10, "circle"
	switch colour(m.verdict) {
	case "grave":
		shape, size = "diamond", 14
	case "warn":
		shape = "rect"
	}
	if m.own {
		size += 4
	}
	class := "moment " + colour(m.verdict)
	if m.own {
		class += " own"
	}
	d.Marks = append(d.Marks, mark{class, shape, x - size/2, axisY - size/2, size, size})
}

// years writes the first and the last day below the axis, and the beginnings of years between them.
func (d *drawing) years(from, to time.Time, width int, x func(time.Time) int) {
	for y := from.Year() + 1; y <= to.Year(); y++ {
		if at := x(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)); at > 110 && at < width-110 {
			d.Lines = append(d.Lines, stroke{"axis", fmt.Sprintf("M%d %dL%d %d", at, axisY+6, at, axisY+14)})
			d.Texts = append(d.Texts, text{"small", at, axisY + 28, "middle", strconv.Itoa(y)})
		}
	}
	d.Texts = append(d.Texts, text{"small", 8, axisY + 28, "start", from.UTC().Format(time.DateOnly)},
		text{"small", width - 8, axisY + 28, "end", to.UTC().Format(time.DateOnly)})
}
