package yamledit

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Set gives a key or item that exists another value, usually a scalar. The style of the old value is kept where the new one allows
// it; a comment behind it stays. A key that only a merge brings gets an entry of its own. A collection that is replaced goes with
// the comments inside it.
type Set struct {
	Path  Path
	Value any
}

func (e Set) plan(f *File, doc int) (*change, error) {
	last, steps, err := f.walk(doc, e.Path)
	if err != nil {
		return nil, err
	}
	if steps == len(e.Path)-1 && f.merged(last, e.Path[steps]) {
		return Insert{Path: e.Path, Value: e.Value}.plan(f, doc)
	}
	v, err := newNode(e.Value)
	if err != nil {
		return nil, err
	}
	n, err := f.written(doc, e.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case n.owner == nil:
		return nil, f.refuse(n.start, "rewrite the document by hand", "the whole document would be replaced")
	case n.owner.isMerge():
		return nil, f.ordinary(n.owner, n.within)
	}
	if err := f.removable(n.start, n.end, n); err != nil {
		return nil, err
	}
	c := f.newChange(n.start)
	c.drop = span{n.start, n.end}
	slot, _, _ := c.wanted(doc, e.Path)
	*slot = clone(v, anyStyle)
	if n.Kind != yaml.AliasNode {
		(*slot).Anchor = n.Anchor
	}
	return c, f.revalue(c, doc, n, v, false)
}

// revalue plans the text of another value for n. With brief a collection is written between brackets.
func (f *File) revalue(c *change, doc int, n *node, v *yaml.Node, brief bool) error {
	if n.Style&yaml.TaggedStyle != 0 || bytes.HasPrefix(f.text[n.start:n.body], []byte("!")) {
		return f.refuse(n.start, "change value and tag together by hand", "the value has the explicit tag %s", n.Tag)
	}
	around := n
	if n.within != nil {
		around = n.within
	}
	l := f.layoutAt(doc, around)
	multiline := v.Kind == yaml.ScalarNode && strings.Contains(v.Value, "\n")
	switch {
	case n.Kind == yaml.ScalarNode && n.written() && n.head == 0 && v.Kind == yaml.ScalarNode && (n.Style&written != 0 || !multiline):
		c.replace(n.body, n.end, l.inline(restyled(v, n), n.flow))
		return nil
	case n.flow || n.owner == nil || brief:
		return f.inlineValue(c, l, n, v)
	}
	x := n.owner.mark // where the value starts that the new text replaces
	if n.start < n.props {
		x = n.props
	}
	end := n.end
	if len(n.entries) > 0 && !n.isFlow() { // the comment behind its last line is about what goes
		end = lineEnd(f.text, end)
		c.drop.end = max(c.drop.end, end)
	}
	head, below := f.beside(l, n, v)
	switch {
	case !n.written():
		c.replace(n.end, n.end, head)
		c.replace(lineEnd(f.text, n.end), lineEnd(f.text, n.end), below)
	case f.line(x) != f.line(n.body): // a collection below its key
		c.replace(x, x, head)
		c.replace(lineEnd(f.text, x), end, below)
		c.drop.start = min(c.drop.start, lineEnd(f.text, x))
	case n.head > 0:
		c.replace(x, n.head, head)
		c.replace(lineEnd(f.text, n.head), n.end, below)
	default:
		c.replace(x, end, head)
		c.replace(lineEnd(f.text, end), lineEnd(f.text, end), below)
	}
	return nil
}

// restyled gives a new scalar the quotes of the old one.
func restyled(v *yaml.Node, old *node) *yaml.Node {
	out := *v
	if quotes := old.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle); v.Tag == "!!str" && quotes != 0 {
		out.Style = quotes | keepQuotes
	}
	return &out
}

// beside writes a value behind the colon or dash of the entry that n is the value of: on its line, and below it.
func (f *File) beside(l layout, n *node, v *yaml.Node) (head, below string) {
	one, sign := itemOf(v), "-"
	if n.owner.key != nil {
		one, sign = pairOf(&yaml.Node{Kind: yaml.ScalarNode, Value: "k"}, v), "k:"
	}
	lines := l.block(one, f.column(n.owner.start))
	for _, line := range lines[1:] {
		below += l.newline + line
	}
	return strings.TrimPrefix(lines[0], sign), below
}

// inlineValue replaces a value by one that is a scalar or stands between brackets.
func (f *File) inlineValue(c *change, l layout, n *node, v *yaml.Node) error {
	text := l.inline(v, n.flow)
	if spread, indent := f.spread(n); spread && n.isFlow() {
		text = l.spread(v, indent)
	}
	switch {
	case n.written():
		c.replace(n.body, n.end, text)
	case n.owner == nil:
		return f.refuse(n.start, "write the document by hand", "the document is empty")
	case n.owner.mark < 0:
		c.replace(n.end, n.end, ": "+text)
	default:
		c.replace(n.end, n.end, " "+text)
	}
	return nil
}

// spread tells whether the flow collection around n, or n as the root, has its entries on lines of their own, and how far the line
// of n is indented.
func (f *File) spread(n *node) (bool, int) {
	up := n
	for up.within != nil && up.within.isFlow() {
		up = up.within
	}
	return len(up.entries) > 0 && f.firstOnLine(up.entries[0].start), f.indent(n.start)
}
