package yamledit

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Insert adds a key that is not there, at the end of its mapping or behind the key After. Mappings that are missing on the way are
// created, empty ones ("{}", "null" or nothing) are filled.
type Insert struct {
	Path  Path
	Value any
	After string
}

func (e Insert) plan(f *File, doc int) (*change, error) {
	v, err := newNode(e.Value)
	if err != nil {
		return nil, err
	}
	n, here, err := f.walk(doc, e.Path)
	switch {
	case err != nil:
		return nil, err
	case here == len(e.Path):
		return nil, f.refuse(n.start, "set its value instead", "%s exists already", e.Path)
	case here < len(e.Path)-1 && f.merged(n, e.Path[here]):
		return nil, f.refuse(n.start, "change the anchor that is merged, or write the mapping out here first", "%s comes from a merge (<<) only", e.Path[:here+1])
	}
	for i := len(e.Path) - 1; i >= here; i-- {
		key, ok := e.Path[i].(string)
		if !ok {
			return nil, f.refuse(n.start, "add an item to the list instead", "%s is missing, and an item cannot be created on the way", e.Path[:i+1])
		}
		k, err := newNode(key)
		if err != nil {
			return nil, err
		}
		v = pairOf(k, v)
	}
	return f.grow(doc, n, e.Path[:here], v, e.After, -1)
}

// Add puts an item into a list, before the item At; At < 0 and At = length append. An empty list ("[]", "null" or nothing) is filled.
type Add struct {
	Path  Path
	At    int
	Value any
}

// Append adds an item at the end of a list.
func Append(path Path, v any) Add { return Add{path, -1, v} }

func (e Add) plan(f *File, doc int) (*change, error) {
	v, err := newNode(e.Value)
	if err != nil {
		return nil, err
	}
	n, err := f.written(doc, e.Path)
	if err != nil {
		return nil, err
	}
	return f.grow(doc, n, e.Path, itemOf(v), "", e.At)
}

// grow plans one more entry in the collection n; one is a collection that holds only that entry.
func (f *File) grow(doc int, n *node, path Path, one *yaml.Node, after string, at int) (*change, error) {
	c := f.newChange(n.start)
	slot, _, _ := c.wanted(doc, path)
	isNull := n.Kind == yaml.ScalarNode && n.Tag == "!!null"
	switch {
	case n.Kind == yaml.AliasNode:
		return nil, f.refuse(n.start, "replace the alias by its own copy of the value, or edit the anchor there", "%s is the alias *%s of line %d", path, n.Value, n.Alias.Line)
	case n.Kind != one.Kind && !isNull:
		return nil, f.refuse(n.start, "check the path", "%s is not a %s", path, map[yaml.Kind]string{yaml.MappingNode: "mapping", yaml.SequenceNode: "list"}[one.Kind])
	case n.open:
		return nil, f.refuse(n.start, "put braces around the pair first", "the pair stands in a list without braces")
	case len(n.entries) == 0 && (after != "" || at > 0):
		return nil, f.refuse(n.start, "check the path", "%s is empty, it has no entry to stand behind", path)
	case len(n.entries) == 0:
		*slot = clone(one, anyStyle)
		(*slot).Anchor = n.Anchor
		last := one.Content[len(one.Content)-1]
		return c, f.revalue(c, doc, n, one, n.isFlow() && len(last.Content) == 0 && !strings.Contains(last.Value, "\n"))
	}
	if err := f.uniqueKeys(n); err != nil {
		return nil, err
	}
	width := len(one.Content)
	if after != "" {
		if at = n.index(after) + 1; at == 0 {
			return nil, f.refuse(n.start, "check the key", "%s has no key %q", path, after)
		}
	}
	if at < 0 {
		at = len(n.entries)
	}
	if at > len(n.entries) {
		return nil, f.refuse(n.start, "check the index", "%s has %d items, there is no place %d", path, len(n.entries), at)
	}
	(*slot).Content = slices.Insert((*slot).Content, at*width, clone(one, anyStyle).Content...)
	l := f.layoutAt(doc, n)
	if n.isFlow() {
		f.growFlow(c, l, n, one, at)
	} else {
		f.growBlock(c, l, n, one, at)
	}
	return c, nil
}

func (f *File) growBlock(c *change, l layout, n *node, one *yaml.Node, at int) {
	col := f.column(n.body)
	lines := l.block(one, col)
	near := n.entries[max(0, at-1)]
	l.newline = f.newline(near.value.end)
	if near.key == nil && near.value.written() && f.line(near.value.start) == f.line(near.mark) {
		more := pad(f.column(near.value.start) - f.column(near.mark) - 1) // as many spaces behind the dash as there
		lines[0] = "-" + more + lines[0][1:]
		for i := range lines[1:] {
			lines[i+1] = more + lines[i+1]
		}
	}
	text := strings.Join(lines, l.newline)
	switch {
	case at > 0:
		end := f.below(n.entries[at-1].value.end, col, at == len(n.entries))
		c.replace(end, end, l.newline+pad(col)+text)
	case f.firstOnLine(n.body):
		start := f.above(n.body)
		c.replace(start, start, pad(col)+text+l.newline)
	default:
		c.replace(n.body, n.body, text+l.newline+pad(col))
	}
}

func (f *File) growFlow(c *change, l layout, n *node, one *yaml.Node, at int) {
	spread := f.firstOnLine(n.entries[0].start)
	near := n.entries[max(0, at-1)]
	indent := f.indent(near.start)
	text, comma := l.inline(one, true), ", "
	if l.compact {
		comma = ","
	}
	if spread {
		text, comma = strings.TrimSpace(l.spread(one, indent-l.step)), ","+l.newline+pad(indent)
	}
	text = strings.TrimSpace(text[1 : len(text)-1]) // without its brackets
	end := near.value.end
	behind := f.commaBehind(end)
	rest := max(end, behind)
	switch {
	case at == 0:
		c.replace(near.start, near.start, text+comma)
	case !spread || !f.commentOrNothing(rest):
		c.replace(end, end, comma+text)
	case behind < 0:
		c.replace(end, end, ",")
		c.replace(lineEnd(f.text, rest), lineEnd(f.text, rest), comma[1:]+text)
	default:
		c.replace(lineEnd(f.text, rest), lineEnd(f.text, rest), comma[1:]+text+",")
	}
}

// commaBehind is the offset behind the comma that follows at, -1 if there is none.
func (f *File) commaBehind(at int) int {
	s := &scanner{text: f.text, pos: at}
	if s.space(); s.take(',') {
		return s.pos
	}
	return -1
}

// commentOrNothing tells whether the rest of the line is blank or a comment.
func (f *File) commentOrNothing(at int) bool {
	rest := strings.TrimSpace(string(f.text[at:lineEnd(f.text, at)]))
	return rest == "" || rest[0] == '#'
}
