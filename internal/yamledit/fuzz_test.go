package yamledit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// FuzzEdit makes one edit of a text: a generated one, or, where the fuzzer gives one, that. Either the edit is refused, or the decoded
// result is the edit of the decoded text, and no line outside of the edited place has changed.
func FuzzEdit(f *testing.F) {
	for seed := range uint64(300) {
		f.Add("", seed)
	}
	for i, text := range []string{
		application, "a: &x {b: 1}\nc: *x\n", "a: |+\n  x\n\nb: >-\n  y\n", "{\n  \"a\": [1, {\"b\": null}]\n}\n", "- - a\n  - b: {c, d: }\n-\n- ? x\n  : - y\n",
		"%YAML 1.1\n--- # c\na: !!str 1\n...\n---\n'b': \"x\n  y\"\n", "x: &x\n  k: 1\ny:\n  <<: *x\n", "\ufeffa: 1\r\nb:\r\n- c\r\n", "a: [ # x\n  b, # y\n  {c: d} ]\n",
	} {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		if text == "" {
			g := generator{rng: rng, newline: "\n"}
			if g.chance(8) {
				g.newline = "\r\n"
			}
			text = g.file()
		}
		file, err := Parse([]byte(text))
		if err != nil || len(file.docs) == 0 {
			if err != nil && !errors.As(err, new(*Refusal)) {
				t.Fatalf("%T is no refusal: %v", err, err)
			}
			return
		}
		doc := rng.IntN(len(file.docs))
		edit, place := randomEdit(rng, file.docs[doc].root)
		out, err := file.Apply(doc, edit)
		if err != nil {
			if !errors.As(err, new(*Refusal)) {
				t.Fatalf("%T is no refusal: %v", err, err)
			}
			return
		}
		want := decodeAll(t, []byte(text))
		want[doc] = edited(want[doc], edit)
		if got := decodeAll(t, out); !reflect.DeepEqual(got, want) {
			t.Fatalf("%#v of\n%s\ngives\n%s\ndecoded %v\nwant %v", edit, text, out, got, want)
		}
		checkLines(t, file, edit, place, out)
	})
}

// checkLines compares the changed lines with the lines of the edited place, its comments, and one line above (which may lose a comma).
func checkLines(t *testing.T, f *File, edit Edit, n *node, out []byte) {
	t.Helper()
	gone, came, first := changedLines(f.text, out)
	from, to := f.line(n.start), f.line(n.end)
	if n.owner != nil {
		from, to = f.line(f.above(n.owner.start))-1, f.line(f.below(n.end, f.column(n.owner.start), true))
	}
	if d, ok := edit.(Delete); ok && d.Prune || len(gone)+len(came) == 0 {
		return
	}
	if len(n.entries) > 0 && !n.isFlow() {
		to = max(to, f.line(f.below(n.end, f.column(n.body), true)))
	}
	from = max(0, from-2)
	if first < from || first+len(gone) > to+1 {
		t.Fatalf("%#v changes lines %d to %d, the place has %d to %d:\n%s\n%s", edit, first, first+len(gone), from, to, f.text, out)
	}
	switch edit.(type) {
	case Insert, Add:
		if len(gone) > 1 && len(n.entries) > 0 || len(came) < len(gone) && len(n.entries) > 0 {
			t.Fatalf("%#v takes %d lines out:\n%s\n%s", edit, len(gone), f.text, out)
		}
	}
}

var newValues = []any{"x", "", "1", "on", "a: b", " #", "- x", "[", "'\"\\", "one\ntwo\n", "x\n\n  y", "\t", "ä€", "\u0001", 7, -1, true, nil, []any{}, Fields{},
	[]any{"a, b", 1}, Fields{{"k", "v"}, {"l", []any{Fields{{"m", "n"}, {"on", "1.5"}}, []any{"x"}}}}}

// randomEdit picks a node, and an edit that might fit it; the node is the value that the edit is about.
func randomEdit(rng *rand.Rand, root *node) (Edit, *node) {
	type found struct {
		path Path
		n    *node
	}
	var all []found
	var visit func(n *node, path Path)
	visit = func(n *node, path Path) {
		all = append(all, found{path, n})
		for i, e := range n.entries {
			var step any = i
			if e.key != nil {
				step = e.key.Value
			}
			if e.key == nil || e.key.Kind == yaml.ScalarNode {
				visit(e.value, append(append(Path{}, path...), step))
			}
		}
	}
	visit(root, nil)
	pick := all[rng.IntN(len(all))]
	value := newValues[rng.IntN(len(newValues))]
	if pick.n.Kind != yaml.ScalarNode && rng.IntN(2) == 0 || len(pick.path) == 0 {
		if pick.n.Kind == yaml.SequenceNode || pick.n.Kind == yaml.ScalarNode && rng.IntN(2) == 0 {
			return Add{pick.path, rng.IntN(len(pick.n.entries)+2) - 1, value}, pick.n
		}
		path := append(append(Path{}, pick.path...), []any{"new", "a.b/c", "on", "x y: #"}[rng.IntN(4)])
		after := ""
		if len(pick.n.entries) > 0 && rng.IntN(2) == 0 {
			if key := pick.n.entries[rng.IntN(len(pick.n.entries))].key; key != nil {
				after = key.Value
			}
		} else if rng.IntN(2) == 0 {
			path = append(path, "deep")
		}
		return Insert{path, value, after}, pick.n
	}
	edits := []Edit{Set{pick.path, value}, Set{pick.path, value}, Delete{pick.path, false}, Delete{pick.path, true}, Rename{pick.path, "new"}, Wrap{pick.path}}
	return edits[rng.IntN(len(edits))], pick.n
}

// generator writes random YAML in all of the styles that people use.
type generator struct {
	rng     *rand.Rand
	newline string
	names   int
	anchors []string
}

func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

func (g *generator) oneOf(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g *generator) file() string {
	var docs []string
	for i := range 1 + g.rng.IntN(3) {
		head := ""
		if i > 0 || g.chance(3) {
			head = g.oneOf("---\n", "--- # doc\n", "---\n# about\n", "---\n\n# about\n\n")
		}
		docs = append(docs, head+strings.TrimPrefix(g.block(0, 3), "\n"))
	}
	text := strings.Join(docs, "")
	if g.chance(4) {
		text = strings.TrimRight(text, "\n")
	}
	if g.chance(10) {
		text = "\ufeff" + text
	}
	return strings.ReplaceAll(text, "\n", g.newline)
}

func (g *generator) comment(col int) string {
	switch g.rng.IntN(8) {
	case 0:
		return pad(col) + "# note\n"
	case 1:
		return "\n" + pad(col) + "# a: 1\n" + pad(col) + "# b\n"
	case 2:
		return "\n"
	}
	return ""
}

// block writes a collection in column col, as whole lines.
func (g *generator) block(col, depth int) string {
	var b strings.Builder
	list := g.chance(3)
	step := g.oneOf("  ", "  ", "    ", "   ")
	for range 1 + g.rng.IntN(4) {
		b.WriteString(g.comment(col))
		if list {
			dash := g.oneOf("- ", "- ", "-   ")
			b.WriteString(pad(col) + dash)
			if depth > 0 && g.chance(3) {
				inner := g.bare(col+len(dash), depth-1)
				b.WriteString(strings.TrimLeft(inner, " "))
				continue
			}
			b.WriteString(strings.TrimLeft(g.value(col+len(dash), depth-1, false), " "))
			continue
		}
		b.WriteString(pad(col) + g.key() + ":" + g.value(col+len(step), depth-1, true))
	}
	if g.chance(5) {
		b.WriteString(pad(col) + "# last\n")
	}
	return b.String()
}

// bare is a mapping that starts behind a dash.
func (g *generator) bare(col, depth int) string {
	var b strings.Builder
	for range 1 + g.rng.IntN(3) {
		b.WriteString(pad(col) + g.key() + ":" + g.value(col+2, depth-1, true))
	}
	return b.String()
}

func (g *generator) key() string {
	g.names++
	return fmt.Sprintf(g.oneOf("k%d", "k%d", "\"k%d\"", "'a.b/k%d'", "%d", "k%d x"), g.names)
}

// value is what follows a colon or dash, to the end of its lines; col is where nested lines may stand.
func (g *generator) value(col, depth int, key bool) string {
	behind := g.oneOf("\n", "\n", " # beside\n")
	anchor := ""
	if g.chance(12) {
		anchor = fmt.Sprintf(" &a%d", len(g.anchors))
		defer func() { g.anchors = append(g.anchors, anchor[2:]) }()
	}
	switch kind := g.rng.IntN(14); {
	case kind < 4 && depth > 0 && key:
		return anchor + behind + g.block(col, depth)
	case kind == 4 && anchor == "" && len(g.anchors) > 0:
		return " *" + g.anchors[g.rng.IntN(len(g.anchors))] + behind
	case kind == 5:
		return anchor + behind
	case kind == 6:
		head := g.oneOf("|", ">", "|-", ">-", "|+", "| # c")
		return anchor + " " + head + "\n" + pad(col) + "# text\n\n" + pad(col) + "  more\n" + pad(col) + "end\n" + g.oneOf("", "\n")
	case kind == 7:
		return anchor + g.oneOf(" \"one\n"+pad(col)+"two\"", " 'it''s\n\n"+pad(col)+"x'", " plain\n"+pad(col)+"more") + behind
	case kind < 10:
		return anchor + " " + g.flow(col, 2) + behind
	}
	return anchor + " " + g.oneOf("x", "1", "true", "'q'", "\"d\\n\"", "http://x/y?z", "a b c", "~", "null", "!!str 1", "x#y", "-1") + behind
}

func (g *generator) flow(col, depth int) string {
	if depth == 0 || g.chance(3) {
		return g.oneOf("x", "1", "'a, b'", "\"c\"", "null", "{}", "[]", "{ }")
	}
	open, end := "", ""
	if g.chance(3) {
		open, end = "\n"+pad(col+2), "\n"+pad(col)
		if g.chance(3) {
			open = " # c" + open
		}
	}
	var parts []string
	list := g.chance(2)
	for range 1 + g.rng.IntN(3) {
		switch {
		case list && g.chance(6):
			parts = append(parts, g.key()+": x")
		case list:
			parts = append(parts, g.flow(col+2, depth-1))
		default:
			parts = append(parts, g.key()+g.oneOf(": ", ":  ")+g.flow(col+2, depth-1))
		}
	}
	if g.chance(6) {
		end = "," + end
	}
	body := open + strings.Join(parts, ","+g.oneOf(" ", "")+open) + end
	if list {
		return "[" + body + "]"
	}
	return "{" + body + "}"
}
