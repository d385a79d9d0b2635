// Package lines makes lines for people of text that may hold anything, for a terminal and for Markdown.
//
// In goes text of a repository, out comes text that stays text: no name moves a cursor, opens a tag or ends a cell of a table.
// It refuses to know what it prints.
package lines

import (
	"fmt"
	"strings"
	"unicode"
)

// Width is where long sentences are broken; paths and names are never broken.
const Width = 118

// Clean replaces control characters, so that text of a repository stays text on a terminal.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Counted is a number of things: "1 route", "2 routes".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Printer collects lines. Whatever comes from the repository goes through Clean.
type Printer struct{ Out strings.Builder }

// Line prints one line. Strings among the arguments are cleaned; the format is ours.
func (p *Printer) Line(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Clean(s)
		}
	}
	fmt.Fprintf(&p.Out, strings.TrimRight(format, " ")+"\n", args...)
}

// Wrapped prints a long text behind an indent, its further lines two columns deeper.
func (p *Printer) Wrapped(indent int, text string) {
	line := strings.Repeat(" ", indent)
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > Width:
			p.Line("%s", line)
			line = strings.Repeat(" ", indent+2) + word
		default:
			line += " " + word
		}
	}
	p.Line("%s", line)
}

// Field prints one entry of a head: a name in a column of its own, then values, one a line.
func (p *Printer) Field(name string, values ...string) {
	for i, v := range values {
		if i > 0 {
			name = ""
		}
		p.Line("%-11s %s", name, v)
	}
}

// Markdown takes text of a repository as text: no markup, no tags, no new cell of a table.
func Markdown(s string) string {
	s = Clean(s)
	return strings.NewReplacer(`\`, `\\`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
		"@", "&#64;", "#", "&#35;").Replace(s)
}

// Code shows text of a repository as it is, but for backticks, which would end it.
func Code(s string) string { return "`" + strings.ReplaceAll(Clean(s), "`", "'") + "`" }
