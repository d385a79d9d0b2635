package patch

import (
	"bytes"
	"slices"
)

// line is one line of a comparison, with its end.
type line struct {
	op   byte // ' ', '-', '+'
	text []byte
}

// hunk is a run of lines with some that did not change around them.
type hunk struct {
	oldAt, oldN, newAt, newN int // lines from 1
	lines                    []line
}

const context = 3

// lines cuts a text after its line feeds.
func lines(data []byte) [][]byte {
	var out [][]byte
	for len(data) > 0 {
		n := bytes.IndexByte(data, '\n') + 1
		if n == 0 {
			n = len(data)
		}
		out, data = append(out, data[:n]), data[n:]
	}
	return out
}

// mostCells bounds the table of a comparison; beyond it the middle of two texts is taken as replaced.
const mostCells = 16 << 20

// script compares two texts: what is common at both ends, and the longest common part of the rest.
func script(a, b [][]byte) []line {
	var head, tail []line
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		head, a, b = append(head, line{' ', a[0]}), a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		tail, a, b = append(tail, line{' ', a[len(a)-1]}), a[:len(a)-1], b[:len(b)-1]
	}
	slices.Reverse(tail)
	return slices.Concat(head, middle(a, b), tail)
}

// middle is the part of a script in which the texts differ.
func middle(a, b [][]byte) []line {
	var out []line
	if (len(a)+1)*(len(b)+1) > mostCells {
		for _, l := range a {
			out = append(out, line{'-', l})
		}
		for _, l := range b {
			out = append(out, line{'+', l})
		}
		return out
	}
	common := make([][]int32, len(a)+1) // by what is left of both
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && bytes.Equal(a[i], b[j]):
			out = append(out, line{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, line{'-', a[i]})
			i++
		default:
			out = append(out, line{'+', b[j]})
			j++
		}
	}
	return out
}

// hunks cuts a script into the parts that change, with the lines around them.
func hunks(all []line) []hunk {
	var spans [][2]int // of all
	for i, l := range all {
		if l.op == ' ' {
			continue
		}
		from, to := max(0, i-context), min(len(all), i+1+context)
		if n := len(spans); n > 0 && from <= spans[n-1][1] {
			spans[n-1][1] = to
		} else {
			spans = append(spans, [2]int{from, to})
		}
	}
	var out []hunk
	done, oldAt, newAt := 0, 0, 0 // lines of both texts before
	for _, s := range spans {
		olds, news := count(all[done:s[0]])
		h := hunk{oldAt: oldAt + olds, newAt: newAt + news, lines: all[s[0]:s[1]]}
		h.oldN, h.newN = count(h.lines)
		done, oldAt, newAt = s[1], h.oldAt+h.oldN, h.newAt+h.newN
		if h.oldN > 0 {
			h.oldAt++
		}
		if h.newN > 0 {
			h.newAt++
		}
		out = append(out, h)
	}
	return out
}

// count is how many lines of each text there are.
func count(list []line) (olds, news int) {
	for _, l := range list {
		if l.op != '+' {
			olds++
		}
		if l.op != '-' {
			news++
		}
	}
	return olds, news
}
