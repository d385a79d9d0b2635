package routes

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// Lines draw the routes: a line each where there is room, and where they meet below them. The first one is the heading. There
// are none if there is nothing to draw.
func Lines(r *diag.Routes) []string {
	ways := Drawn(r)
	if len(ways) == 0 {
		return nil
	}
	out := broken("  routes    ", indent, cmp.Or(Heading(r), "to the cluster"))
	wide := columns(ways)
	for _, w := range ways {
		if wide != nil {
			out = append(out, aligned(w, wide)...)
		} else {
			out = append(out, stacked(w)...)
		}
	}
	for _, facts := range AllFacts(ways) {
		out = append(out, broken(indent+"|    ", indent+"|    ", facts)...)
	}
	if r.Meet != "" {
		out = append(out, broken(indent+"`- meet ", indent+"        ", r.Meet)...)
	}
	return out
}

// indent is the column of a finding's texts.
const indent = "            "

// widest is how wide a route may get before what runs, its arrows below those of the others.
const widest = 96

// columns are the widths of files, units and objects; nil if they are too wide to stand beside each other.
func columns(ways []diag.Route) []int {
	wide := make([]int, 3)
	for _, w := range ways {
		for _, file := range Files(w) {
			wide[0] = max(wide[0], printed(file))
		}
		for i, text := range Stages(w) {
			wide[i+1] = max(wide[i+1], printed(text))
		}
	}
	if 12+3+wide[0]+4+wide[1]+4+wide[2]+4 > widest {
		return nil
	}
	return wide
}

// printed is how wide a text is.
func printed(s string) int { return utf8.RuneCountInString(lines.Clean(s)) }

// aligned is a route in columns; its further files stand below the first.
func aligned(w diag.Route, wide []int) []string {
	files := Files(w)
	lead := indent + "|- "
	for i, text := range append(files[:1:1], Stages(w)...) {
		if i > 0 {
			lead += " -> "
		}
		lead += text + strings.Repeat(" ", wide[i]-printed(text))
	}
	if len(w.Stops) > 0 {
		lead += " -> "
	}
	out := broken(lead, indent+"|"+strings.Repeat(" ", printed(lead)-len(indent)-1), stops(w))
	for _, file := range files[1:] {
		out = append(out, indent+"|  "+file)
	}
	return out
}

// stacked is a route with a line for each stage.
func stacked(w diag.Route) []string {
	var out []string
	bullet := "|- "
	for _, file := range Files(w) {
		out = append(out, indent+bullet+file)
		bullet = "|  "
	}
	texts := Stages(w)
	if len(w.Stops) > 0 {
		texts = append(texts, stops(w))
	}
	for _, text := range texts {
		out = append(out, broken(indent+"|    -> ", indent+"|       ", text)...)
	}
	return out
}

// broken is a text behind a lead, its further lines behind another one of the same width.
func broken(lead, further, text string) []string {
	var out []string
	line := lead
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && printed(line)+1+printed(word) > lines.Width:
			out = append(out, line)
			line = further + word
		case i > 0:
			line += " " + word
		default:
			line += word
		}
	}
	return append(out, strings.TrimRight(line, " "))
}
