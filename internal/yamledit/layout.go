package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fields is a mapping for new values whose keys keep their order; those of a Go map are sorted.
type Fields []Field

// Field is one pair of Fields.
type Field struct {
	Key   string
	Value any
}

// MarshalYAML makes Fields a mapping.
func (fields Fields) MarshalYAML() (any, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fields {
		var key, v yaml.Node
		if err := errors.Join(key.Encode(f.Key), v.Encode(f.Value)); err != nil {
			return nil, err
		}
		n.Content = append(n.Content, &key, &v)
	}
	return n, nil
}

// newNode turns a Go value into a node. Only what JSON knows is taken: an edit adds no tags, binaries or times.
func newNode(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	err := guarded(func() error { return n.Encode(v) })
	if err == nil && !jsonLike(n) {
		err = fmt.Errorf("it has parts that JSON does not know")
	}
	if err != nil {
		return nil, &Refusal{0, fmt.Sprintf("a %T cannot be written here: %v", v, err), "pass strings, numbers, bools, lists and mappings"}
	}
	return n, nil
}

func jsonLike(n *yaml.Node) bool {
	ok := strings.Contains(" !!str !!int !!float !!bool !!null !!map !!seq ", " "+n.Tag+" ")
	for _, kid := range n.Content {
		ok = ok && jsonLike(kid)
	}
	return ok
}

// pairOf and itemOf are collections of one entry: what an entry looks like depends on what it is in.
func pairOf(key, v *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, v}}
}

func itemOf(v *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{v}}
}

// layout is how the surroundings are written: what is new follows them.
type layout struct {
	json, compact bool   // compact is JSON without spaces
	step          int    // columns by which what is nested is indented
	dash          int    // columns by which a list in a mapping is indented, often 0
	newline       string // line end
	quotes        yaml.Style
}

// layoutAt reads the layout off a collection's own entries, else off the document, else off the rest of the file.
func (f *File) layoutAt(doc int, around *node) layout {
	l := layout{json: f.isJSON(f.docs[doc]), newline: f.newline(around.start), quotes: yaml.DoubleQuotedStyle}
	if bytes.Count(f.text, []byte("'")) > bytes.Count(f.text, []byte(`"`)) {
		l.quotes = yaml.SingleQuotedStyle
	}
	steps, dashes := map[int]int{}, map[int]int{}
	read := func(n *node, weight int) {
		for _, e := range n.entries {
			v := e.value
			switch {
			case n.isFlow() && e.key != nil && e.mark > 0 && !isSpace(f.text[min(e.mark, len(f.text)-1)]):
				l.compact = l.json
			case len(v.entries) == 0 || !f.firstOnLine(v.entries[0].start) || n.Kind != yaml.MappingNode:
			case v.Kind == yaml.SequenceNode && !v.isFlow():
				dashes[f.column(v.body)-f.column(n.body)] += weight
			case l.json || !v.isFlow():
				steps[max(1, f.column(v.entries[0].start)-f.column(n.entries[0].start))] += weight
			}
		}
	}
	for _, d := range f.docs {
		d.root.each(func(n *node) { read(n, 1) })
	}
	f.docs[doc].root.each(func(n *node) { read(n, 1_000) })
	read(around, 1_000_000)
	if root := f.docs[doc].root; l.json && len(root.entries) > 0 && f.firstOnLine(root.entries[0].start) {
		steps[max(1, f.column(root.entries[0].start))]++
	}
	l.step = commonest(steps, 2)
	l.dash = commonest(dashes, l.step)
	return l
}

// commonest is the key with the highest count, the lowest of several.
func commonest(counts map[int]int, otherwise int) int {
	best := otherwise
	for in, n := range counts {
		if n > counts[best] || n == counts[best] && in < best {
			best = in
		}
	}
	return best
}

// keepQuotes marks new scalars whose quotes are those of the value that they replace.
const keepQuotes yaml.Style = 1 << 21

// styled copies a new value with quotes like those around, or in flow style.
func (l layout) styled(n *yaml.Node, flow bool) *yaml.Node {
	out := *n
	out.Content = nil
	switch quoted := out.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle); {
	case n.Tag == "!!str" && strings.Contains(n.Value, "\n") && !literal(n.Value):
		out.Style = yaml.DoubleQuotedStyle
	case out.Style&keepQuotes != 0:
		out.Style &^= keepQuotes
	case quoted != 0 && !strings.ContainsAny(n.Value, `'"\`) && strings.IndexFunc(n.Value, isControl) < 0:
		out.Style = out.Style&^quoted | l.quotes
	case flow && n.Kind != yaml.ScalarNode:
		out.Style = yaml.FlowStyle
	}
	for _, kid := range n.Content {
		out.Content = append(out.Content, l.styled(kid, flow))
	}
	return &out
}

// literal tells whether a string with line ends is written as a literal block: it begins and ends as text does.
func literal(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	return strings.Trim(body, " \t\n") == body && body != ""
}

func isControl(r rune) bool { return r < ' ' || r > '~' }

// inline writes a value on one line, as a flow collection if it is one. In a flow collection around it, commas and brackets in
// a string need quotes: the value is written as an item and taken out again.
func (l layout) inline(n *yaml.Node, flow bool) string {
	switch {
	case l.json:
		return l.inJSON(n)
	case flow:
		return strings.TrimSuffix(strings.TrimPrefix(strings.Join(l.emit(itemOf(n), true), l.newline), "["), "]")
	}
	return strings.Join(l.emit(n, true), l.newline)
}

// inJSON writes a value as JSON on one line.
func (l layout) inJSON(n *yaml.Node) string {
	colon, comma := ": ", ", "
	if l.compact {
		colon, comma = ":", ","
	}
	var parts []string
	for i, kid := range n.Content {
		if text := l.inJSON(kid); n.Kind == yaml.MappingNode && i%2 == 1 {
			parts[i/2] += colon + text
		} else {
			parts = append(parts, text)
		}
	}
	switch {
	case n.Kind == yaml.MappingNode:
		return "{" + strings.Join(parts, comma) + "}"
	case n.Kind == yaml.SequenceNode:
		return "[" + strings.Join(parts, comma) + "]"
	case n.Tag != "!!str":
		return n.Value
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(n.Value) // a string always has a JSON form
	return strings.TrimSuffix(b.String(), "\n")
}

// spread writes a value over several lines, as pretty-printed JSON is, if it is JSON; indent is that of the line it starts on.
func (l layout) spread(n *yaml.Node, indent int) string {
	text := l.inline(n, true)
	var b bytes.Buffer
	if !l.json || json.Indent(&b, []byte(text), pad(indent), pad(l.step)) != nil {
		return text
	}
	return strings.ReplaceAll(b.String(), "\n", l.newline)
}

// emit writes a value; the lines come without indentation. What cannot be emitted is missing from the result, and that is noticed.
func (l layout) emit(n *yaml.Node, flow bool) []string {
	var b bytes.Buffer
	_ = guarded(func() error {
		enc := yaml.NewEncoder(&b)
		enc.SetIndent(l.step)
		if l.dash < l.step {
			enc.CompactSeqIndent()
		}
		return enc.Encode(l.styled(n, flow))
	})
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

// block writes the only entry of a collection in column col. The first line comes without its indentation.
func (l layout) block(one *yaml.Node, col int) []string {
	lines := l.emit(one, false)
	for i, line := range lines {
		if i > 0 && line != "" {
			lines[i] = pad(col) + line
		}
	}
	return lines
}
