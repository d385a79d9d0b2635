package yamledit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// lineStart is the offset of the first byte of the line that at is in.
func lineStart(text []byte, at int) int {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	if start == 0 && at >= len(bom) && bytes.HasPrefix(text, bom) {
		return len(bom)
	}
	return start
}

// lineEnd is the offset of the line end that follows at, "\r\n" or "\n", or of the end of the text.
func lineEnd(text []byte, at int) int {
	n := bytes.IndexByte(text[at:], '\n')
	if n < 0 {
		return len(text)
	}
	if n > 0 && text[at+n-1] == '\r' {
		n--
	}
	return at + n
}

// nextLine is the offset of the line after the one at is in, -1 if there is none.
func nextLine(text []byte, at int) int {
	n := bytes.IndexByte(text[at:], '\n')
	if n < 0 {
		return -1
	}
	return at + n + 1
}

// column counts characters from 0, as the parser does.
func column(text []byte, at int) int { return utf8.RuneCount(text[lineStart(text, at):at]) }

// leading counts the spaces at the start of a line.
func leading(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

func pad(n int) string { return strings.Repeat(" ", max(0, n)) }

func (f *File) line(at int) int { return bytes.Count(f.text[:min(at, len(f.text))], []byte("\n")) + 1 }

func (f *File) column(at int) int { return column(f.text, at) }

// firstOnLine tells whether only spaces stand before at.
func (f *File) firstOnLine(at int) bool {
	return len(bytes.Trim(f.text[lineStart(f.text, at):at], " ")) == 0
}

// newline is the line end of the line that at is in; of a last line that has none, that of the line before.
func (f *File) newline(at int) string {
	end := lineEnd(f.text, at)
	if end == len(f.text) {
		end = max(0, bytes.LastIndexByte(f.text, '\n')-1)
	}
	if bytes.HasPrefix(f.text[end:], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// indent is the number of spaces that the line of at starts with.
func (f *File) indent(at int) int {
	start := lineStart(f.text, at)
	return leading(f.text[start:lineEnd(f.text, start)])
}

// remarkAt is the comment that makes up the line that starts at at, false if the line is anything else.
func (f *File) remarkAt(at int) (span, bool) {
	if at < 0 {
		return span{}, false
	}
	hash := at + leading(f.text[at:lineEnd(f.text, at)])
	for hash < len(f.text) && f.text[hash] == '\t' {
		hash++
	}
	i, ok := slices.BinarySearchFunc(f.remarks, hash, func(r span, at int) int { return r.start - at })
	if !ok {
		return span{}, false
	}
	return f.remarks[i], true
}

func (f *File) blankLine(at int) bool {
	return len(bytes.TrimSpace(f.text[at:lineEnd(f.text, at)])) == 0
}

// remarksAbove is the start of the first comment line that belongs to the line of at: directly above it, without a blank line
// between, and at its indentation; opens tells whether they open the document.
func (f *File) remarksAbove(at int) (first int, opens bool) {
	first, indent := lineStart(f.text, at), f.column(at)
	for first > lineStart(f.text, 0) {
		prev := lineStart(f.text, first-1)
		r, ok := f.remarkAt(prev)
		if !ok || f.column(r.start) != indent {
			return first, bytes.HasPrefix(f.text[prev:], []byte("---"))
		}
		first = prev
	}
	return first, true
}

// above is where an entry starts with its comments. Comments that open the document are about the document.
func (f *File) above(at int) int {
	first, opens := f.remarksAbove(at)
	if opens {
		return lineStart(f.text, at)
	}
	return first
}

// below is the end of the last line that belongs to an entry in column col that ends at at: comment lines that are indented deeper,
// and, behind the last entry of a collection, those at its own indentation that follow without a blank line.
func (f *File) below(at, col int, last bool) int {
	own := last && f.nextColumn(at) < col
	end := lineEnd(f.text, at)
	gap := false
	for next := nextLine(f.text, at); next >= 0; next = nextLine(f.text, next) {
		r, ok := f.remarkAt(next)
		switch {
		case ok && f.column(r.start) > col, ok && own && !gap && f.column(r.start) == col:
			end = r.end
			gap = false
		case !ok && f.blankLine(next):
			gap = true
		default:
			return end
		}
	}
	return end
}

// nextColumn is the column of the first content behind at, -1 if the document ends before.
func (f *File) nextColumn(at int) int {
	s := &scanner{text: f.text, pos: at}
	s.space()
	if s.pos == len(f.text) || f.column(s.pos) == 0 && (s.indicator("---") || s.indicator("...")) {
		return -1
	}
	return f.column(s.pos)
}
