package yamledit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// change is what an edit wants: how the text changes, and, planned apart from that, how the nodes have to look afterwards.
type change struct {
	splices []splice
	want    []*yaml.Node // the roots
	drop    span         // comments in here may go
	at      int          // offset that refusals name
}

// splice replaces a range of the text.
type splice struct {
	span
	text string
}

// anyStyle marks wanted nodes that are written anew.
const anyStyle yaml.Style = 1 << 20

func (f *File) newChange(at int) *change {
	c := &change{at: at}
	for _, d := range f.docs {
		c.want = append(c.want, clone(d.root.Node, 0))
	}
	return c
}

func (c *change) replace(start, end int, text string) {
	c.splices = append(c.splices, splice{span{start, end}, text})
}

func clone(n *yaml.Node, style yaml.Style) *yaml.Node {
	out := *n
	out.Style |= style
	out.Content = nil
	for _, kid := range n.Content {
		out.Content = append(out.Content, clone(kid, style))
	}
	return &out
}

// wanted is the slot of the value at a path, with the collection it is in (nil at the root) and its place there.
func (c *change) wanted(doc int, path Path) (slot **yaml.Node, in *yaml.Node, kid int) {
	slot = &c.want[doc]
	for _, step := range path {
		in = *slot
		if item, ok := step.(int); ok {
			kid = item
		} else {
			for kid = 1; in.Content[kid-1].Value != step || in.Content[kid-1].Kind != yaml.ScalarNode; kid += 2 {
			}
		}
		slot = &in.Content[kid]
	}
	return slot, in, kid
}

// same compares nodes as far as edits have to keep them. Positions and the parser's idea of which comment belongs to what are
// not part of it: comments are compared as a list.
func same(want, got *yaml.Node) bool {
	return want.Kind == got.Kind && want.Tag == got.Tag && want.Value == got.Value && want.Anchor == got.Anchor &&
		(want.Style&anyStyle != 0 || want.Style == got.Style) && slices.EqualFunc(want.Content, got.Content, same)
}

// verified makes a change and returns the new file, unless anything but the asked change has happened.
func (f *File) verified(c *change) (*File, error) {
	const byHand = "make the change by hand"
	slices.SortStableFunc(c.splices, func(a, b splice) int { return a.start - b.start })
	var out bytes.Buffer
	done := 0
	for _, s := range c.splices {
		if s.start < done {
			return nil, f.refuse(c.at, byHand, "the change would touch the same text twice")
		}
		out.Write(f.text[done:s.start])
		out.WriteString(s.text)
		done = s.end
	}
	out.Write(f.text[done:])
	after, err := Parse(out.Bytes())
	if err != nil {
		return nil, f.refuse(c.at, byHand, "the text after the change would not be valid: %v", err)
	}
	kept, lost := f.comments(c)
	now, _ := after.comments(&change{})
	crlf, lf := lineEnds(f.text)
	nowCRLF, nowLF := lineEnds(after.text)
	switch {
	case !slices.EqualFunc(c.want, after.docs, func(want *yaml.Node, got *document) bool { return same(want, got.root.Node) }):
		return nil, f.refuse(c.at, byHand, "the change would have an effect on other places")
	case lost != nil:
		return nil, f.refuse(lost.start, "move the comment first", "a comment would be lost")
	case !slices.Equal(kept, now):
		return nil, f.refuse(c.at, byHand, "the change would alter a comment")
	case crlf+lf > 0 && (crlf == 0 && nowCRLF > 0 || lf == 0 && nowLF > 0):
		return nil, f.refuse(c.at, byHand, "the change would mix line ends")
	}
	for i, d := range after.docs {
		if len(after.docs) == len(f.docs) && f.isJSON(f.docs[i]) && !json.Valid(after.text[d.root.start:d.root.end]) {
			return nil, f.refuse(c.at, byHand, "the text after the change would not be valid JSON")
		}
	}
	return after, nil
}

// comments lists the comments that a change has to keep, and the first one that it takes out without leave.
func (f *File) comments(c *change) (kept []string, lost *span) {
	for _, r := range f.remarks {
		cut := slices.ContainsFunc(c.splices, func(s splice) bool { return s.start < r.end && s.end > r.start })
		switch {
		case !cut:
			kept = append(kept, strings.TrimSpace(string(f.text[r.start:r.end])))
		case r.start < c.drop.start || r.end > c.drop.end:
			return nil, &r
		}
	}
	return kept, nil
}

func lineEnds(text []byte) (crlf, lf int) {
	crlf = bytes.Count(text, []byte("\r\n"))
	return crlf, bytes.Count(text, []byte("\n")) - crlf
}
