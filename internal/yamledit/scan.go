package yamledit

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

func (s *scanner) scalar(n *node, indent int) {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		s.quoted('"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		s.quoted('\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		s.blockScalar(n, indent)
	default:
		s.plain(n.Value)
	}
}

func (s *scanner) quoted(quote byte) {
	if !s.take(quote) {
		s.fail(s.pos)
	}
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch {
		case c == '\\' && quote == '"':
			s.pos++
		case c == quote && quote == '\'' && s.pos < len(s.text) && s.text[s.pos] == quote:
			s.pos++
		case c == quote:
			return
		}
	}
	s.fail(s.pos)
}

// plain walks the text of an unquoted scalar along its value: a run of blanks with line ends in it was folded to a space, or to
// one line end less than it has.
func (s *scanner) plain(value string) {
	for v := 0; v < len(value); {
		run := s.pos
		for run < len(s.text) && isSpace(s.text[run]) {
			run++
		}
		want, got := value[v:v+1], string(s.text[s.pos:min(s.pos+1, len(s.text))])
		if breaks := bytes.Count(s.text[s.pos:run], []byte("\n")); breaks > 0 {
			folded := " "
			if breaks > 1 {
				folded = strings.Repeat("\n", breaks-1)
			}
			want, got = value[v:min(v+len(folded), len(value))], folded
			s.pos = run
		} else {
			s.pos++
		}
		if want != got {
			s.fail(min(s.pos, len(s.text)))
			s.pos = min(s.pos, len(s.text))
			return
		}
		v += len(got)
	}
}

// blockScalar reads "|" and ">". Its lines are indented by at least the first one that is not blank, or by what its header says.
func (s *scanner) blockScalar(n *node, indent int) {
	header := s.text[s.pos:lineEnd(s.text, s.pos)]
	size := 1
	for size < len(header) && strings.IndexByte("+-123456789", header[size]) >= 0 {
		size++
	}
	s.pos += size
	n.head = s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
	if s.at("#") {
		end := lineEnd(s.text, s.pos)
		s.remarks = append(s.remarks, span{s.pos, end})
	}
	s.pos = n.head
	least, content := max(1, indent+1), 0
	if digit := bytes.IndexAny(header[:size], "123456789"); digit > 0 {
		content = max(indent, 0) + int(header[digit]-'0')
	}
	keep := bytes.IndexByte(header[:size], '+') > 0
	for at := nextLine(s.text, s.pos); at >= 0; at = nextLine(s.text, at) {
		end := lineEnd(s.text, at)
		spaces := leading(s.text[at:end])
		blank := spaces == end-at
		if content == 0 { // the first line that is not blank decides, but no less than those before
			if least = max(least, spaces); !blank {
				content = least
			}
		}
		switch {
		case blank && (content == 0 || spaces <= content):
			if keep && (end < len(s.text) || spaces > 0) {
				s.pos = end
			}
		case spaces < content:
			return
		default:
			s.pos = end
		}
	}
}

func (s *scanner) blockSequence(n *node) {
	indent := column(s.text, s.pos)
	for i, y := range n.Content {
		if i > 0 {
			s.space()
		}
		e := entry{start: s.pos}
		if !s.indicator("-") {
			s.fail(s.pos)
			return
		}
		s.pos++
		e.mark = s.pos
		e.value = s.node(y, indent, false)
		n.entries = append(n.entries, e)
	}
}

func (s *scanner) blockMapping(n *node) {
	indent := column(s.text, s.pos)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			s.space()
		}
		n.entries = append(n.entries, s.pair(n.Content[i], n.Content[i+1], indent, false))
	}
}

// pair reads a key, its colon and its value.
func (s *scanner) pair(key, value *yaml.Node, indent int, flow bool) entry {
	e := entry{start: s.pos, mark: -1}
	if s.indicator("?") {
		e.explicit = true
		s.pos++
	}
	e.key = s.node(key, indent, flow)
	s.space()
	if s.take(':') {
		e.mark = s.pos
	} else {
		s.pos = e.key.end
	}
	e.value = s.node(value, indent, flow)
	return e
}

func (s *scanner) flowMapping(n *node) {
	if !s.take('{') {
		n.open = true
		if len(n.Content) != 2 {
			s.fail(s.pos)
			return
		}
		n.entries = []entry{s.pair(n.Content[0], n.Content[1], -1, true)}
		return
	}
	if s.at("{") && !s.template {
		s.template, s.templateAt = true, s.pos
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		s.separator(i > 0)
		n.entries = append(n.entries, s.pair(n.Content[i], n.Content[i+1], -1, true))
	}
	s.closing('}')
}

func (s *scanner) flowSequence(n *node) {
	if !s.take('[') {
		s.fail(s.pos)
	}
	for i, y := range n.Content {
		s.separator(i > 0)
		e := entry{start: s.pos, mark: s.pos}
		e.value = s.node(y, -1, true)
		n.entries = append(n.entries, e)
	}
	s.closing(']')
}

// separator skips to the next entry of a flow collection.
func (s *scanner) separator(comma bool) {
	if s.space(); comma && !s.take(',') {
		s.fail(s.pos)
	}
	s.space()
}

func (s *scanner) closing(bracket byte) {
	if s.space(); s.take(',') {
		s.space()
	}
	if !s.take(bracket) {
		s.fail(s.pos)
	}
}
