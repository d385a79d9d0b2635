package yamledit

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Delete takes out a key or an item, with the comment lines directly above it at its indentation, and with those below it that are
// indented deeper. If it was the last one of its collection, "{}" or "[]" stays; with Prune the entry of that collection goes
// instead, and so on upwards.
type Delete struct {
	Path  Path
	Prune bool
}

func (e Delete) plan(f *File, doc int) (*change, error) {
	n, err := f.written(doc, e.Path)
	if err != nil {
		return nil, err
	}
	path := e.Path
	for e.Prune && n.within != nil && len(n.within.entries) == 1 && n.within.owner != nil {
		n, path = n.within, path[:len(path)-1]
	}
	if err := f.ordinary(n.owner, n.within); err != nil {
		return nil, err
	}
	if len(n.within.entries) == 1 && e.Prune {
		return nil, f.refuse(n.start, "delete the document", "nothing would be left of the document")
	}
	c := f.newChange(n.owner.start)
	c.cut(doc, path)
	if n.within.isFlow() {
		f.cutFlow(c, n)
	} else if err := f.cutBlock(c, doc, n); err != nil {
		return nil, err
	}
	return c, f.removable(n.owner.start, n.end, n, n.owner.key)
}

func (c *change) cut(doc int, path Path) {
	_, in, kid := c.wanted(doc, path)
	first := kid
	if in.Kind == yaml.MappingNode {
		first--
	}
	in.Content = slices.Delete(in.Content, first, kid+1)
	if len(in.Content) == 0 {
		in.Style |= anyStyle
	}
}

func (f *File) cutBlock(c *change, doc int, n *node) error {
	in, start := n.within, n.owner.start
	end := f.below(n.end, f.column(start), false)
	c.drop = span{f.above(start), end}
	switch {
	case len(in.entries) == 1:
		return f.revalue(c, doc, in, &yaml.Node{Kind: in.Kind, Tag: in.Tag, Style: yaml.FlowStyle}, in.owner == nil)
	case f.firstOnLine(start):
		if c.drop.end = len(f.text); nextLine(f.text, end) >= 0 {
			c.drop.end = nextLine(f.text, end)
		}
		c.replace(c.drop.start, c.drop.end, "")
	case n.owner == &in.entries[0]: // behind the dash of an item: the next entry moves up
		c.replace(start, in.entries[1].start, "")
	default:
		return f.refuse(n.start, "delete it by hand", "the entry shares its line with others")
	}
	return nil
}

// cutFlow takes an entry out of a flow collection, with one comma, and with its lines if it has lines of its own.
func (f *File) cutFlow(c *change, n *node) {
	in := n.within
	i := slices.IndexFunc(in.entries, func(e entry) bool { return e.value == n })
	e, last := n.owner, i == len(in.entries)-1
	comma := f.commaBehind(e.value.end)
	rest := max(e.value.end, comma)
	switch {
	case len(in.entries) == 1:
		c.drop = span{f.above(e.start), lineEnd(f.text, e.value.end)}
		c.replace(in.body+1, in.end-1, "")
	case f.firstOnLine(e.start) && f.commentOrNothing(rest):
		c.drop = span{f.above(e.start), lineEnd(f.text, rest)}
		if next := nextLine(f.text, rest); next >= 0 {
			c.drop.end = next
		}
		c.replace(c.drop.start, c.drop.end, "")
		if last && comma < 0 {
			if before := f.commaBehind(in.entries[i-1].value.end); before > 0 {
				c.replace(before-1, before, "")
			}
		}
	case i == 0:
		c.replace(e.start, in.entries[1].start, "")
	default:
		c.replace(in.entries[i-1].value.end, e.value.end, "")
	}
}

// DeleteDocument takes a whole document out of a stream, with its separator. Comments at the top of the file that a blank line
// sets apart stay.
type DeleteDocument struct{}

func (DeleteDocument) plan(f *File, doc int) (*change, error) {
	d := f.docs[doc]
	c := f.newChange(d.root.start)
	c.want = slices.Delete(c.want, doc, doc+1)
	if len(f.docs) == 1 {
		return nil, f.refuse(d.root.start, "delete the file", "it is the only document of the file")
	}
	start, end := d.marker, len(f.text)
	if doc+1 < len(f.docs) {
		next := f.docs[doc+1]
		if end = next.marker; d.prolog || next.prolog || end < 0 {
			return nil, f.refuse(d.root.start, "delete it by hand", "a directive (%%YAML, %%TAG) stands before the document or the next one")
		}
	}
	if start < 0 { // the first one; its separator is that of the next
		start, _ = f.remarksAbove(d.root.start)
		if next := nextLine(f.text, end); next >= 0 && strings.TrimRight(string(f.text[end:lineEnd(f.text, end)]), " ") == "---" {
			end = next
		}
	}
	c.drop = span{start, end}
	c.replace(start, end, "")
	return c, f.removable(start, end, d.root)
}
