package yamledit

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node is a node of the parser with its place in the text. The parser tells where nodes start, not where they end, so the
// text is walked along the tree: each node is read again, by its known kind, style and value, and has to match. Where the
// two disagree the file is refused.
type node struct {
	*yaml.Node
	start   int  // with anchor and tag
	props   int  // the end of anchor and tag
	body    int  // without them; of a block collection its first "-", "?" or key
	end     int  // behind its last byte; of a block scalar the end of its last line, with blank lines only where it keeps them
	head    int  // of a block scalar: the end of its header, "|-" and the like
	flow    bool // it stands inside a flow collection
	open    bool // a flow mapping of one pair without braces, "[a: b]"
	entries []entry
	owner   *entry // the entry whose value it is; nil for roots and keys
	within  *node  // the collection that has that entry
}

// entry is one pair of a mapping or one item of a sequence.
type entry struct {
	start    int   // of "-", "?" or the key
	key      *node // nil in sequences
	mark     int   // behind "-" or ":", -1 if nothing is there
	value    *node
	explicit bool // written with "?"
}

const mergeTag = "!!merge"

func (e *entry) isMerge() bool { return e.key != nil && e.key.Tag == mergeTag }

func (n *node) isFlow() bool { return n.Style&yaml.FlowStyle != 0 }

// written tells whether a scalar has any text besides anchor and tag.
func (n *node) written() bool { return n.body < n.end }

// index is the position of the entry that a step of a path leads to, -1 if there is none.
func (n *node) index(step any) int {
	switch step := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && step >= 0 && step < len(n.entries) {
			return step
		}
	case string:
		if n.Kind == yaml.MappingNode {
			return slices.IndexFunc(n.entries, func(e entry) bool { return e.key.Kind == yaml.ScalarNode && e.key.Value == step })
		}
	}
	return -1
}

// each visits n and everything below it, keys included. Nil has nothing.
func (n *node) each(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, e := range n.entries {
		e.key.each(visit)
		e.value.each(visit)
	}
}

type scanner struct {
	text       []byte
	pos        int
	remarks    []span
	aliases    []*node
	failed     *int // where text and tree disagree
	template   bool // "{{" where a flow mapping starts
	templateAt int
	counted    int // lines ends before this offset are in lines
	lines      int
}

func (s *scanner) fail(at int) {
	if s.pos = min(s.pos, len(s.text)); s.failed == nil {
		s.failed = &at
	}
}

func (s *scanner) at(prefix string) bool { return bytes.HasPrefix(s.text[s.pos:], []byte(prefix)) }

// take reads one expected byte.
func (s *scanner) take(c byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// indicator tells whether a "-", "?" or "---" stands here, with a blank or nothing behind it.
func (s *scanner) indicator(mark string) bool {
	return s.at(mark) && (s.pos+len(mark) == len(s.text) || isSpace(s.text[s.pos+len(mark)]))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// space skips blanks, line ends and comments.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case isSpace(c):
			s.pos++
		case c == '#':
			start := s.pos
			s.pos = lineEnd(s.text, s.pos)
			if k := len(s.remarks); k == 0 || s.remarks[k-1].start < start { // a skip may be repeated
				s.remarks = append(s.remarks, span{start, s.pos})
			}
		default:
			return
		}
	}
}

func (s *scanner) document(y *yaml.Node) *document {
	d := &document{marker: -1}
	s.space()
	for s.at("%") && lineStart(s.text, s.pos) == s.pos {
		d.prolog = true
		s.pos = lineEnd(s.text, s.pos)
		s.space()
	}
	if s.indicator("---") && column(s.text, s.pos) == 0 {
		d.marker = s.pos
		s.pos += len("---")
	}
	if y.Kind != yaml.DocumentNode || len(y.Content) != 1 {
		s.fail(s.pos)
		return d
	}
	d.root = s.node(y.Content[0], -1, false)
	d.end = s.pos
	for s.space(); s.indicator("...") && column(s.text, s.pos) == 0; s.space() {
		s.pos += len("...")
		d.end = s.pos
	}
	return d
}

const written = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// node reads the node y. indent is the column of the block collection around it, -1 at the root.
func (s *scanner) node(y *yaml.Node, indent int, flow bool) *node {
	n := &node{Node: y, flow: flow}
	empty := y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&written == 0
	if s.failed != nil || empty && y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 {
		n.start, n.body, n.end = s.pos, s.pos, s.pos
		return n
	}
	s.space()
	n.start = s.pos
	if y.Line != s.line(s.pos) || y.Column != column(s.text, s.pos)+1 {
		s.fail(s.pos)
	}
	n.props = s.properties(flow)
	if empty {
		s.pos = n.props
		n.body, n.end = n.props, n.props
		return n
	}
	n.body = s.pos
	switch {
	case y.Kind == yaml.AliasNode:
		if s.pos += 1 + len(y.Value); !bytes.HasPrefix(s.text[n.body:], []byte("*"+y.Value)) {
			s.fail(n.body)
		}
		s.aliases = append(s.aliases, n)
	case y.Kind == yaml.ScalarNode:
		s.scalar(n, indent)
	case y.Kind == yaml.MappingNode && y.Style&yaml.FlowStyle != 0:
		s.flowMapping(n)
	case y.Kind == yaml.MappingNode:
		s.blockMapping(n)
	case y.Kind == yaml.SequenceNode && y.Style&yaml.FlowStyle != 0:
		s.flowSequence(n)
	default:
		s.blockSequence(n)
	}
	n.end = s.pos
	for i := range n.entries {
		n.entries[i].value.owner, n.entries[i].value.within = &n.entries[i], n
	}
	return n
}

// properties skips anchor and tag and returns the end of the last one.
func (s *scanner) properties(flow bool) int {
	last := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == '&' || s.text[s.pos] == '!') {
		if s.at("!<") {
			s.pos += max(0, bytes.IndexByte(s.text[s.pos:], '>'))
		}
		for s.pos < len(s.text) && !isSpace(s.text[s.pos]) && !(flow && strings.IndexByte(",]}", s.text[s.pos]) >= 0) {
			s.pos++
		}
		last = s.pos
		s.space()
	}
	return last
}

// line counts on from the last call: nodes come in the order of the text.
func (s *scanner) line(at int) int {
	s.lines += bytes.Count(s.text[s.counted:max(at, s.counted)], []byte("\n"))
	s.counted = max(at, s.counted)
	return s.lines + 1
}
