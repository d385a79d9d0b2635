package html

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/report"
)

// tidied is a value of which every string is printable: what must not be printed is taken out, control characters are
// replaced, lines stay lines. It is done once, before texts are measured, broken and escaped, so that nothing hides in a break.
func tidied[T any](v T) T {
	return tidy(reflect.ValueOf(&v).Elem()).Interface().(T)
}

// tidy copies a value. Only what reports are made of is walked: structs, pointers, slices, maps and strings.
func tidy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(printable(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(tidy(v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(tidy(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(tidy(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(tidy(key), tidy(v.MapIndex(key)))
			}
		}
	}
	return out
}

func printable(s string) string {
	if !strings.Contains(s, "\n") {
		return report.Line(s)
	}
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, report.Line(strings.TrimRight(line, "\r\n")))
	}
	return strings.Join(lines, "\n")
}

// font is what a text is measured with: the widest of the usual fonts, so that a text fits whatever the reader has.
type font struct {
	size float64
	mono bool
	bold bool
}

// width of a text in pixels, rather too much than too little.
func (f font) width(s string) float64 {
	total := 0.0
	for _, r := range s {
		total += f.advance(r)
	}
	return total * f.size
}

// advance is that of one rune at a size of one pixel. A font of equal widths may be missing, and another take its place.
func (f font) advance(r rune) float64 {
	wide := 0.63
	switch {
	case r >= 0x1100: // East Asian and pictures
		wide = 1.3
	case strings.ContainsRune("mwMW@%", r):
		wide = 1.0
	case r >= 'A' && r <= 'Z':
		wide = 0.78
	case r > 0x7f:
		wide = 0.78
	case !f.mono && strings.ContainsRune("il.,:;'|!jI()[]{}tfr- /", r):
		wide = 0.42
	}
	if f.bold {
		wide *= 1.12
	}
	return wide
}

// wrapped breaks a text into lines of at most so many pixels: between words, else behind a sign that parts a name, else
// anywhere.
func (f font) wrapped(s string, width float64) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && f.width(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			out = append(out, line)
		}
		for f.width(word) > width {
			n := f.fits(word, width)
			out = append(out, word[:n])
			word = word[n:]
		}
		line = word
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// fits is how many bytes of a word go into a line, one rune at least.
func (f font) fits(word string, width float64) int {
	last, sign, used := 0, 0, 0.0
	for i, r := range word {
		used += f.advance(r) * f.size
		if used > width {
			break
		}
		last = i + utf8.RuneLen(r)
		if strings.ContainsRune("/-._:@{}", r) {
			sign = last
		}
	}
	if last == 0 {
		_, n := utf8.DecodeRuneInString(word)
		return n
	}
	if sign > last/3 {
		return sign
	}
	return last
}
