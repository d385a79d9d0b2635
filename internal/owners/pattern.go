package owners

import (
	"strings"
	"unicode/utf8"
)

// pattern is a path pattern by segments. A segment that is everySegment stands for any number of segments, also none.
type pattern struct {
	segments []string
	sets     bool // "[a-z]" is a set of characters; otherwise it stands for itself
}

// everySegment cannot be written in a file: a segment of a pattern never holds a slash.
const everySegment = "/"

// gitignored reads a pattern as .gitignore has it, the way in which GitHub and Bitbucket take it: without a slash before
// its end it is about names in any directory, what matches a directory matches what is below it, except that "docs/*"
// stops at the files of the directory itself. A pattern of nothing but slashes matches nothing, and gives false.
func gitignored(text string) (pattern, bool) {
	body := strings.TrimPrefix(text, "/")
	below := strings.HasSuffix(body, "/")
	body = strings.TrimSuffix(body, "/")
	if body == "" {
		return pattern{}, false
	}
	var p pattern
	if !strings.HasPrefix(text, "/") && !strings.Contains(body, "/") {
		p.segments = append(p.segments, everySegment)
	}
	parts := strings.Split(body, "/")
	for _, s := range parts {
		if s == "**" {
			s = everySegment
		}
		p.segments = append(p.segments, s)
	}
	last := parts[len(parts)-1]
	switch {
	case below || last == "**":
		p.segments = append(p.segments, everySegment, "*")
	case last == "*" && len(parts) > 1:
	default:
		p.segments = append(p.segments, everySegment)
	}
	return p, true
}

// globbed reads a pattern as GitLab does, which hands it to Ruby's File.fnmatch with FNM_PATHNAME and FNM_DOTMATCH
// (ee/lib/gitlab/code_owners/file.rb, normalize_pattern). A directory is meant only by a slash at the end, and "**" at
// the end is no more than "*".
func globbed(text string) pattern {
	if text == "*" {
		text = "/**/*"
	}
	if !strings.HasPrefix(text, "/") {
		text = "/**/" + text
	}
	if strings.HasSuffix(text, "/") {
		text += "**/*"
	}
	p := pattern{sets: true}
	parts := strings.Split(text[1:], "/")
	for i, s := range parts {
		if s == "**" && i+1 < len(parts) {
			s = everySegment
		}
		p.segments = append(p.segments, s)
	}
	return p
}

// matches tells whether a path, given by its segments, matches as a whole. Where it does not, only the latest
// everySegment takes one segment more: an earlier one could gain nothing. So the time is bounded by the product of the
// lengths.
func (p pattern) matches(path []string) bool {
	at, again, from := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case at < len(p.segments) && p.segments[at] == everySegment:
			again, from = at, i
			at++
		case at < len(p.segments) && segmentMatches(p.segments[at], path[i], p.sets):
			at++
			i++
		case again >= 0:
			from++
			at, i = again+1, from
		default:
			return false
		}
	}
	for at < len(p.segments) && p.segments[at] == everySegment {
		at++
	}
	return at == len(p.segments)
}

// segmentMatches matches one name: "*" any characters, "?" one, "\" takes the next one literally, and sets if there are.
// Like above, only the latest star is tried again.
func segmentMatches(pat, name string, sets bool) bool {
	at, again, from := 0, -1, 0
	for i := 0; i < len(name); {
		if at < len(pat) && pat[at] == '*' {
			again, from = at, i
			at++
			continue
		}
		if width, taken := oneMatches(pat[at:], name[i:], sets); taken > 0 {
			at, i = at+width, i+taken
			continue
		}
		if again < 0 {
			return false
		}
		from++
		at, i = again+1, from
	}
	return strings.Trim(pat[at:], "*") == ""
}

// oneMatches matches the first element of a pattern against the first character of a name. It gives how long both are;
// no length of a character means that it does not match.
func oneMatches(pat, name string, sets bool) (width, taken int) {
	if pat == "" {
		return 0, 0
	}
	char, size := utf8.DecodeRuneInString(name)
	switch {
	case pat[0] == '?':
		return 1, size
	case pat[0] == '[' && sets:
		in, width := setHolds(pat, char)
		if !in {
			return 0, 0
		}
		return width, size
	case pat[0] == '\\' && len(pat) > 1:
		if _, n := utf8.DecodeRuneInString(pat[1:]); strings.HasPrefix(name, pat[1:1+n]) {
			return 1 + n, n
		}
		return 0, 0
	case pat[0] == name[0]:
		return 1, 1
	}
	return 0, 0
}

// setHolds reads a set at the beginning of a pattern and tells whether it holds a character, and how long it is. A set
// that does not end holds nothing.
func setHolds(pat string, char rune) (in bool, width int) {
	i := 1
	negated := i < len(pat) && (pat[i] == '!' || pat[i] == '^')
	if negated {
		i++
	}
	next := func() rune {
		if pat[i] == '\\' && i+1 < len(pat) {
			i++
		}
		r, n := utf8.DecodeRuneInString(pat[i:])
		i += n
		return r
	}
	for i < len(pat) && pat[i] != ']' {
		low := next()
		high := low
		if i+1 < len(pat) && pat[i] == '-' && pat[i+1] != ']' {
			i++
			high = next()
		}
		in = in || low <= char && char <= high
	}
	if i >= len(pat) {
		return false, 0
	}
	return in != negated, i + 1
}

// maxAlternatives bounds what "{a,b}" in one pattern may stand for.
const maxAlternatives = 64

// alternatives writes out "src/{main,test}/*" as two patterns. It gives false if they are too many, or if a brace has no
// partner.
func alternatives(text string) ([]string, bool) {
	done, open := []string{}, []string{text}
	for len(open) > 0 {
		s := open[0]
		open = open[1:]
		// The innermost pair comes first, so that what it holds is plain.
		end := strings.IndexByte(s, '}')
		begin := -1
		if end >= 0 {
			begin = strings.LastIndexByte(s[:end], '{')
		}
		switch {
		case end < 0 && !strings.Contains(s, "{"):
			done = append(done, s)
		case begin < 0:
			return nil, false
		case strings.Count(s[begin:end], ",") >= maxAlternatives:
			return nil, false
		default:
			for choice := range strings.SplitSeq(s[begin+1:end], ",") {
				open = append(open, s[:begin]+choice+s[end+1:])
			}
		}
		if len(done)+len(open) > maxAlternatives {
			return nil, false
		}
	}
	return done, true
}
