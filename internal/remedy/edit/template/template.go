// Package template lets an editor of YAML work on the text of a Helm template.
//
// In goes the text of a template; out comes the same text with every action replaced by a token that YAML takes for an
// ordinary word, or for a comment where an action has a line of its own, and the way back. It renders nothing and refuses
// what would put new lines under a condition, where whitespace is trimmed away, or where an action would be lost.
package template

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Masked is a template whose actions are hidden.
type Masked struct {
	Text    []byte // lines are those of the template, also where an action has several
	actions []action
	token   string // what all tokens begin with; it is nowhere else in the text
}

type action struct {
	text  string // "{{ ... }}", or the line of it that the token stands for
	token string
	word  string // first word: "if", "end", "include", ".Values.x"; "" for a comment or the second line of an action
	alone bool   // on a line of its own: its token is a comment
	fresh bool   // not of the template: an edit brings it
}

// New is a template without a text, for values that do not have the word of its tokens in them.
func New(values string) *Masked {
	m := &Masked{token: "zq"}
	for strings.Contains(values, m.token) {
		m.token += "q"
	}
	return m
}

// Mask hides the actions of a template. The error says what cannot be read, with the line.
func Mask(text []byte) (*Masked, error) {
	m := New(string(text))
	var out strings.Builder
	for rest := string(text); ; {
		at := strings.Index(rest, "{{")
		if at < 0 {
			out.WriteString(rest)
			break
		}
		end := actionEnd(rest[at:])
		if end < 0 {
			return nil, fmt.Errorf("line %d: an action has no end", strings.Count(out.String()+rest[:at], "\n")+1)
		}
		out.WriteString(rest[:at])
		out.WriteString(m.hide(rest[at:at+end], false))
		rest = rest[at+end:]
	}
	m.Text = []byte(m.comments(out.String()))
	return m, nil
}

// Hide gives the token of a new action, to be used in values that are written into the text.
func (m *Masked) Hide(text string) string { return m.hide(text, true) }

func (m *Masked) hide(text string, fresh bool) string {
	var tokens []string
	for i, line := range strings.Split(text, "\n") {
		a := action{text: line, token: fmt.Sprintf("%s%dx", m.token, len(m.actions)), fresh: fresh}
		if i == 0 {
			a.word = firstWord(text)
		}
		m.actions = append(m.actions, a)
		tokens = append(tokens, a.token)
	}
	return strings.Join(tokens, "\n")
}

// comments turns lines that hold nothing but tokens into comments.
func (m *Masked) comments(text string) string {
	only := regexp.MustCompile(`^([ \t]*)((?:` + m.token + `\d+x[ \t]*)+\r?)$`)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		p := only.FindStringSubmatch(line)
		if p == nil {
			continue
		}
		lines[i] = p[1] + "#" + p[2]
		for j := range m.actions {
			if strings.Contains(p[2], m.actions[j].token) {
				m.actions[j].alone = true
			}
		}
	}
	return strings.Join(lines, "\n")
}

// actionEnd is the length of the action that a text begins with; -1 if it has no end.
func actionEnd(s string) int {
	if body := strings.TrimLeft(strings.TrimPrefix(s[2:], "-"), " \t\r\n"); strings.HasPrefix(body, "/*") {
		end := strings.Index(s, "*/")
		if end < 0 {
			return -1
		}
		closing := strings.Index(s[end:], "}}")
		if closing < 0 {
			return -1
		}
		return end + closing + 2
	}
	for i := 2; i < len(s); i++ {
		switch s[i] {
		case '"', '\'', '`':
			n := quoted(s[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '}':
			if strings.HasPrefix(s[i:], "}}") {
				return i + 2
			}
		}
	}
	return -1
}

// quoted is the length of the quoted text that s begins with; -1 if it has no end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '`':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && s[0] != '`':
			return -1
		}
	}
	return -1
}

func firstWord(text string) string {
	body := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, "{{"), "-"), " \t\r\n")
	if strings.HasPrefix(body, "/*") {
		return ""
	}
	if i := strings.IndexAny(body, " \t\r\n}-|("); i >= 0 {
		body = body[:i]
	}
	return body
}

// Plain tells whether the template has no actions at all.
func (m *Masked) Plain() bool { return len(m.actions) == 0 }

// Controls tells whether an action decides what is rendered, or defines something.
func (m *Masked) Controls() bool {
	for _, a := range m.actions {
		switch a.word {
		case "if", "with", "range", "define", "block", "else", "end", "template", "break", "continue":
			return true
		}
	}
	return false
}

// Defines tells whether the file defines templates that others may use.
func (m *Masked) Defines() bool {
	for _, a := range m.actions {
		if a.word == "define" || a.word == "block" {
			return true
		}
	}
	return false
}

// Tokened tells whether a value holds an action.
func (m *Masked) Tokened(value string) bool { return strings.Contains(value, m.token) }

// Reveal puts the actions back into an edited text. Actions that the edit took away are gone; lost counts them. It is an
// error if one stands twice or out of its order: then the edit did more than it was asked.
func (m *Masked) Reveal(edited []byte) (text []byte, lost int, err error) {
	out := string(edited)
	from := 0
	for _, a := range m.actions {
		mark := a.token
		if a.alone {
			if at := strings.Index(out[from:], "#"+mark); at >= 0 {
				out = out[:from+at] + out[from+at+1:]
			}
		}
		switch at := strings.Index(out, mark); {
		case at < 0:
			lost++
		case strings.Count(out, mark) > 1:
			return nil, 0, fmt.Errorf("the action %s would stand twice", a.text)
		default:
			out = out[:at] + a.text + out[at+len(mark):]
			if a.fresh {
				continue
			}
			if at < from {
				return nil, 0, fmt.Errorf("the action %s would move", a.text)
			}
			from = at
		}
	}
	return []byte(out), lost, nil
}

// Safe says why lines that one edit added to the masked text would not be rendered exactly when line is, as they are: they
// stand under another condition, or beside an action that trims. Lines count from 1; line is one of the old text.
func (m *Masked) Safe(old, edited []byte, line int) error {
	before, after := strings.Split(string(old), "\n"), strings.Split(string(edited), "\n")
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	rest := 0
	for rest < len(before)-same && rest < len(after)-same && before[len(before)-1-rest] == after[len(after)-1-rest] {
		rest++
	}
	if m.under(before[:same]) != m.under(before[:min(max(line-1, 0), len(before))]) {
		return fmt.Errorf("line %d: the place is under another condition than the object", same+1)
	}
	if a, ok := m.last(before[:same]); ok && strings.HasSuffix(a.text, "-}}") {
		return fmt.Errorf("line %d: the action %s swallows the line end before the place", same, a.text)
	}
	if a, ok := m.first(before[len(before)-rest:]); ok && strings.HasPrefix(a.text, "{{-") && glues(a) {
		return fmt.Errorf("line %d: the action %s goes on the line before it", len(before)-rest+1, a.text)
	}
	return nil
}

// glues tells whether an action that trims what stands before it writes on that line.
func glues(a action) bool {
	switch a.word {
	case "", "if", "with", "range", "else", "end", "define":
		return false
	}
	return !strings.Contains(a.text, "nindent") && !strings.Contains(a.text, ":=")
}

// under writes the conditions that are open behind some lines.
func (m *Masked) under(lines []string) string {
	var open []string
	text := strings.Join(lines, "\n")
	for i, a := range m.actions {
		if !strings.Contains(text, a.token) {
			continue
		}
		switch a.word {
		case "if", "with", "range", "define", "block":
			open = append(open, fmt.Sprint(i))
		case "else":
			if len(open) > 0 {
				open[len(open)-1] = fmt.Sprint(i)
			}
		case "end":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return strings.Join(open, " ")
}

// last is the action that the last line with anything in it ends with.
func (m *Masked) last(lines []string) (action, bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" {
			continue
		}
		for _, a := range m.actions {
			if strings.HasSuffix(line, a.token) {
				return a, true
			}
		}
		return action{}, false
	}
	return action{}, false
}

// first is the action that the first line with anything in it begins with.
func (m *Masked) first(lines []string) (action, bool) {
	for _, line := range lines {
		line = strings.TrimPrefix(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		for _, a := range m.actions {
			if strings.HasPrefix(line, a.token) {
				return a, true
			}
		}
		return action{}, false
	}
	return action{}, false
}

// Literal writes text so that a template renders it as it is.
func Literal(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("{{"), []byte(`{{ "{{" }}`))
}
