package html

import (
	"fmt"
)

// drawing is one SVG: boxes, lines and texts at places in pixels, from back to front.
type drawing struct {
	ID    string // of its title and description
	Title string
	Desc  string // all that it shows, as text
	Class string // which screens it is for
	W, H  int
	Lines []stroke
	Marks []mark
	Texts []text
}

// stroke is a line along a path. Its class is one of ours.
type stroke struct{ Class, D string }

// mark is a box or a sign.
type mark struct {
	Class      string
	Shape      string // rect, circle or diamond
	X, Y, W, H int    // of the rect, or of what is around the sign
}

// CX, CY and R are those of a circle; Points those of a diamond.
func (m mark) CX() int { return m.X + m.W/2 }
func (m mark) CY() int { return m.Y + m.H/2 }
func (m mark) R() int  { return m.W / 2 }
func (m mark) Points() string {
	return fmt.Sprintf("%d,%d %d,%d %d,%d %d,%d", m.CX(), m.Y, m.X+m.W, m.CY(), m.CX(), m.Y+m.H, m.X, m.CY())
}

// text is one line.
type text struct {
	Class  string
	X, Y   int
	Anchor string // "" is start
	S      string
}

// The fonts of drawings; the style sheet has them under the same names.
var (
	plain  = font{size: 13}
	small  = font{size: 12}
	strong = font{size: 13, bold: true}
	mono   = font{size: 12, mono: true}
)

// run is a text in a font, to be broken.
type run struct {
	class string
	font  font
	s     string
}

const leading = 17

// lay breaks runs into lines of a width.
func lay(runs []run, width int) []text {
	var out []text
	for _, r := range runs {
		for _, line := range r.font.wrapped(r.s, float64(width)) {
			out = append(out, text{Class: r.class, S: line})
		}
	}
	return out
}

// put places lines below each other; y is the top of the first.
func (d *drawing) put(lines []text, x, y int) {
	for i, line := range lines {
		line.X, line.Y = x, y+13+i*leading
		d.Texts = append(d.Texts, line)
	}
}

// arrow is a path from one place to another, with one bend.
func arrow(x1, y1, x2, y2 int, vertical bool) string {
	switch {
	case vertical && x1 == x2, !vertical && y1 == y2:
		return fmt.Sprintf("M%d %dL%d %d", x1, y1, x2, y2)
	case vertical:
		mid := (y1 + y2) / 2
		return fmt.Sprintf("M%d %dL%d %dL%d %dL%d %d", x1, y1, x1, mid, x2, mid, x2, y2)
	}
	mid := (x1 + x2) / 2
	return fmt.Sprintf("M%d %dL%d %dL%d %dL%d %d", x1, y1, mid, y1, mid, y2, x2, y2)
}

// tip is the head of an arrow that ends at a place.
func tip(x, y int, vertical bool) stroke {
	if vertical {
		return stroke{"tip", fmt.Sprintf("M%d %dL%d %dL%d %dZ", x, y, x-4, y-7, x+4, y-7)}
	}
	return stroke{"tip", fmt.Sprintf("M%d %dL%d %dL%d %dZ", x, y, x-7, y-4, x-7, y+4)}
}

// colour is the class of a verdict: what is grave, what may be, what is not known, what holds.
func colour(verdict string) string {
	switch verdict {
	case "broken", "race":
		return "grave"
	case "exposed", "fragile":
		return "warn"
	case "safe":
		return "good"
	case "undecided", "":
		return "dim"
	}
	return "grave" // a word of a rule's own
}
