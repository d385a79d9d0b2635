package yamledit

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
)

var (
	control = regexp.MustCompile(`^#+\s*\{\{-?\s*(if|else|end|range|with|define|include|template|block)\b|^#+\s*\{\{-|^#+\s*\{%`)
	notice  = regexp.MustCompile(`(?i)\b(do not|don't|never) (edit|modify|change)\b|\bauto-?generated\b|\bautomatically generated\b|@generated\b`)
	goRule  = regexp.MustCompile(`Code generated .*DO NOT EDIT`)
)

// headLines is how far down a file a notice that it is generated is looked for.
const headLines = 15

// Template tells whether a text is a template of Helm or the like, whose output is YAML but which is not, and the line of its first
// action. Actions inside of quoted, block and plain scalars do not count: the parameters of an ApplicationSet are ordinary YAML.
// Parse refuses templates.
func Template(data []byte) (line int, ok bool) {
	_, err := Parse(data)
	if r := (*Refusal)(nil); errors.As(err, &r) && r.Why == isTemplate {
		return r.Line, true
	}
	return 0, false
}

// templated finds the first action in a text that is no YAML.
func templated(data []byte) (line int, ok bool) {
	for _, mark := range []string{"{{", "{%"} {
		if i := bytes.Index(data, []byte(mark)); i >= 0 {
			return bytes.Count(data[:i], []byte("\n")) + 1, true
		}
	}
	return 0, false
}

// controlComment finds an action that is hidden in a comment: the template engine does not know comments.
func controlComment(f *File) (line int, ok bool) {
	for _, r := range f.remarks {
		if control.Match(f.text[r.start:r.end]) {
			return f.line(r.start), true
		}
	}
	return 0, false
}

const isTemplate = "the file is a template, not YAML"

func templateRefusal(line int) *Refusal {
	return &Refusal{line, isTemplate, "edit the template by hand, or the values that it takes"}
}

// Generated tells whether a file says that it is generated, and in which line: Go's convention, or "do not edit" and the like in a
// comment among the first lines. Whether to edit it all the same is the caller's decision.
func Generated(data []byte) (line int, ok bool) {
	for i, text := range strings.SplitN(string(bytes.TrimPrefix(data, bom)), "\n", headLines+1) {
		text = strings.TrimSpace(text)
		if i < headLines && strings.HasPrefix(text, "#") && (goRule.MatchString(text) || notice.MatchString(text)) {
			return i + 1, true
		}
	}
	return 0, false
}
