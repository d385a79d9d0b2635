package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Rename gives a key another name, at its place and in its quotes.
type Rename struct {
	Path Path
	To   string
}

func (e Rename) plan(f *File, doc int) (*change, error) {
	n, err := f.written(doc, e.Path)
	if err != nil {
		return nil, err
	}
	if err := f.ordinary(n.owner, n.within); err != nil {
		return nil, err
	}
	key := n.owner.key
	if key == nil {
		return nil, f.refuse(n.start, "check the path", "%s is an item of a list, it has no key", e.Path)
	}
	if at := n.within.index(e.To); at >= 0 {
		return nil, f.refuse(n.owner.start, "merge the two by hand", "the key %q exists already in line %d", e.To, f.line(n.within.entries[at].start))
	}
	if err := f.removable(key.start, key.end, key); err != nil {
		return nil, err
	}
	v, err := newNode(e.To)
	if err != nil {
		return nil, err
	}
	c := f.newChange(n.owner.start)
	_, in, kid := c.wanted(doc, e.Path)
	in.Content[kid-1] = clone(v, anyStyle)
	in.Content[kid-1].Anchor = key.Anchor
	return c, f.revalue(c, doc, key, v, false)
}

// Wrap makes the value of a key the only item of a list. The lines of the value are kept, comments and all, and indented anew where
// the style of the document's lists asks for it. Rename and Wrap together turn "source:" into "sources:".
type Wrap struct{ Path Path }

func (e Wrap) plan(f *File, doc int) (*change, error) {
	n, err := f.written(doc, e.Path)
	if err != nil {
		return nil, err
	}
	if err := f.ordinary(n.owner, n.within); err != nil {
		return nil, err
	}
	c := f.newChange(n.owner.start)
	slot, _, _ := c.wanted(doc, e.Path)
	*slot = itemOf(*slot)
	(*slot).Style = anyStyle
	switch {
	case n.start != n.body:
		return nil, f.refuse(n.start, "wrap it by hand", "the value has an anchor or a tag, which would move to the list")
	case n.Kind == yaml.MappingNode && !n.isFlow() && n.owner.key != nil:
		return c, f.wrapBlock(c, doc, n)
	case n.isFlow(), n.written() && f.line(n.body) == f.line(n.end) && n.Kind == yaml.ScalarNode:
		f.wrapFlow(c, doc, n)
		return c, nil
	}
	return nil, f.refuse(n.start, "wrap it by hand", "only mappings and values on one line can be wrapped")
}

func (f *File) wrapFlow(c *change, doc int, n *node) {
	l := f.layoutAt(doc, n.within)
	spread, indent := f.spread(n)
	if !spread || !l.json {
		c.replace(n.body, n.body, "[")
		c.replace(n.end, n.end, "]")
		return
	}
	inner := l.newline + pad(indent+l.step)
	c.replace(n.body, n.body, "["+inner)
	for at := nextLine(f.text, n.body); at >= 0 && at < n.end; at = nextLine(f.text, at) {
		if !f.blankLine(at) {
			c.replace(at, at, pad(l.step))
		}
	}
	c.replace(n.end, n.end, l.newline+pad(indent)+"]")
}

// wrapBlock puts a dash before the first key of a mapping that stands below its key and moves all of its lines as far as that asks for.
func (f *File) wrapBlock(c *change, doc int, n *node) error {
	l := f.layoutAt(doc, n.within)
	old := f.column(n.body)
	dash := f.column(n.owner.start) + l.dash
	by := dash + len("- ") - old
	end := f.below(n.end, old, true)
	for at := nextLine(f.text, n.owner.mark); at >= 0 && at < end; at = nextLine(f.text, at) {
		line := f.text[at:lineEnd(f.text, at)]
		shift, spaces := by, leading(line)
		switch {
		case at == lineStart(f.text, n.body):
			c.replace(at, n.body, pad(dash)+"- ")
			continue
		case len(bytes.TrimSpace(line)) == 0 && spaces <= old:
			continue
		case at < n.body:
			shift = dash - old // a comment above the first key stands above the item
		}
		if _, remark := f.remarkAt(at); remark && spaces+shift < 0 {
			shift = -spaces
		}
		switch {
		case spaces+shift < 0:
			return f.refuse(at, "indent the lines of the value alike first", "the line is indented less than the mapping it belongs to")
		case shift > 0:
			c.replace(at, at, pad(shift))
		case shift < 0:
			c.replace(at, at-shift, "")
		}
	}
	return nil
}
