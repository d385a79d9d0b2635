package yamledit

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	sigs "sigs.k8s.io/yaml"
)

// cases are typed by hand: the text before, an edit, and the text after; or a part of the refusal, with its line.
type editCase struct {
	name   string
	before string
	edit   Edit
	after  string
	line   int    // of the refusal
	refuse string // part of it
}

func runCases(t *testing.T, cases []editCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse([]byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			out, err := f.Apply(0, c.edit)
			if c.refuse != "" {
				var r *Refusal
				if !errors.As(err, &r) || !strings.Contains(err.Error(), c.refuse) || r.Line != c.line {
					t.Fatalf("got %q, error %v; want a refusal in line %d with %q", out, err, c.line, c.refuse)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(out) != c.after {
				t.Fatalf("got\n%s\nwant\n%s", out, c.after)
			}
			if f.text = nil; strings.Contains(c.before, "---") {
				return
			}
			want := edited(decodeAll(t, []byte(c.before))[0], c.edit)
			if got := decodeAll(t, out)[0]; !reflect.DeepEqual(got, want) {
				t.Errorf("decoded: got %v, want %v", got, want)
			}
		})
	}
}

func TestSet(t *testing.T) {
	runCases(t, []editCase{
		{name: "plain", before: "a: 1 # one\nb: 2\n", edit: Set{Path{"a"}, 7}, after: "a: 7 # one\nb: 2\n"},
		{name: "plain text", before: "a:   old\n", edit: Set{Path{"a"}, "new text"}, after: "a:   new text\n"},
		{name: "plain that needs quotes", before: "a: old\n", edit: Set{Path{"a"}, "1"}, after: "a: \"1\"\n"},
		{name: "YAML 1.1 bool", before: "a: old\n", edit: Set{Path{"a"}, "yes"}, after: "a: \"yes\"\n"},
		{name: "single quotes", before: "a: 'old' # c\n", edit: Set{Path{"a"}, "it's"}, after: "a: 'it''s' # c\n"},
		{name: "double quotes", before: "a: \"old\"\n", edit: Set{Path{"a"}, "say \"x\""}, after: "a: \"say \\\"x\\\"\"\n"},
		{name: "quoted to number", before: "a: \"1\"\n", edit: Set{Path{"a"}, 2}, after: "a: 2\n"},
		{name: "empty value", before: "a: # c\nb: 1\n", edit: Set{Path{"a"}, "v"}, after: "a: v # c\nb: 1\n"},
		{name: "empty value at the end", before: "b: 1\na:", edit: Set{Path{"a"}, "v"}, after: "b: 1\na: v"},
		{name: "empty item", before: "- \n- b\n", edit: Set{Path{0}, "v"}, after: "- v \n- b\n"},
		{name: "item", before: "l:\n- a # c\n- b\n", edit: Set{Path{"l", 0}, "x"}, after: "l:\n- x # c\n- b\n"},
		{name: "flow", before: "a: {b: 1, c: [x, y]} # c\n", edit: Set{Path{"a", "c", 1}, "z, z"}, after: "a: {b: 1, c: [x, 'z, z']} # c\n"},
		{name: "flow key without value", before: "a: {b, c: 1}\n", edit: Set{Path{"a", "b"}, "v"}, after: "a: {b: v, c: 1}\n"},
		{name: "multi-line plain", before: "a: one\n  two\n\n  three # c\nb: 1\n", edit: Set{Path{"a"}, "v"}, after: "a: v # c\nb: 1\n"},
		{name: "multi-line quoted", before: "a: \"one\n  two\" # c\nb: 1\n", edit: Set{Path{"a"}, "v"}, after: "a: \"v\" # c\nb: 1\n"},
		{name: "multi-line flow", before: "a: [ # first\n  x, # second\n  y ]\n", edit: Set{Path{"a", 0}, "z"}, after: "a: [ # first\n  z, # second\n  y ]\n"},
		{name: "literal to literal", before: "a: |\n  one\n  two\nb: 1\n", edit: Set{Path{"a"}, "one\n2\n"}, after: "a: |\n  one\n  2\nb: 1\n"},
		{name: "literal to line", before: "a: | # c\n  one\n  two\n\nb: 1\n", edit: Set{Path{"a"}, "v"}, after: "a: v # c\n\nb: 1\n"},
		{name: "kept blank lines", before: "a: |+\n  one\n\nb: 1\n", edit: Set{Path{"a"}, "v"}, after: "a: v\nb: 1\n"},
		{name: "indentation indicator", before: "a: |2\n    one\n  two\nb: 1\n", edit: Set{Path{"b"}, 2}, after: "a: |2\n    one\n  two\nb: 2\n"},
		{name: "alias", before: "a: &x 1\nb: *x # c\n", edit: Set{Path{"b"}, 2}, after: "a: &x 1\nb: 2 # c\n"},
		{name: "anchor that nobody uses", before: "a: &x 1\n", edit: Set{Path{"a"}, 2}, after: "a: &x 2\n"},
		{name: "anchor in use", before: "a: &x 1\nb: *x\n", edit: Set{Path{"a"}, 2}, line: 1, refuse: "line 2 repeats it"},
		{name: "inside an anchor in use", before: "a: &x\n  c: 1\nb: *x\n", edit: Set{Path{"a", "c"}, 2}, line: 1, refuse: "line 3 repeats it"},
		{name: "through an alias", before: "a: &x\n  c: 1\nb: *x\n", edit: Set{Path{"b", "c"}, 2}, line: 3, refuse: "is the alias *x of line 1"},
		{name: "tag", before: "a: !!str 1\n", edit: Set{Path{"a"}, "2"}, line: 1, refuse: "explicit tag"},
		{name: "key from a merge", before: "x: &x {c: 1}\na:\n  <<: *x\n  d: 1\n", edit: Set{Path{"a", "c"}, 2}, after: "x: &x {c: 1}\na:\n  <<: *x\n  d: 1\n  c: 2\n"},
		{name: "below a key from a merge", before: "x: &x {c: {d: 1}}\na:\n  <<: *x\n", edit: Set{Path{"a", "c", "d"}, 2}, line: 3, refuse: "comes from a merge"},
		{name: "a merge", before: "x: &x {c: 1}\na:\n  <<: *x\n", edit: Set{Path{"a", "<<"}, 2}, line: 3, refuse: "is a merge"},
		{name: "duplicate keys", before: "a:\n  b: 1\n  c: 1\n  b: 2\n", edit: Set{Path{"a", "c"}, 2}, line: 4, refuse: "the key \"b\" stands here and in line 2"},
		{name: "the document", before: "a: 1\n", edit: Set{Path{}, 2}, line: 1, refuse: "whole document"},
		{name: "missing", before: "a:\n  b: 1\n", edit: Set{Path{"a", "c"}, 2}, line: 2, refuse: "a.c does not exist"},
		{name: "quoted key with dots", before: "\"a.b/c\": 1\nd: 1\n", edit: Set{Path{"a.b/c"}, 2}, after: "\"a.b/c\": 2\nd: 1\n"},
		{name: "number as key", before: "1: a\n2: b\n", edit: Set{Path{"2"}, "c"}, after: "1: a\n2: c\n"},
		{name: "beside a complex key", before: "? [a, b]\n: 1\nc: 2\n", edit: Set{Path{"c"}, 3}, after: "? [a, b]\n: 1\nc: 3\n"},
		{name: "value of an explicit key", before: "? a\n: 1 # c\nc: 2\n", edit: Set{Path{"a"}, 3}, after: "? a\n: 3 # c\nc: 2\n"},
		{name: "mapping by mapping", before: "a: # c\n  b: 1\n\nd: 1\n", edit: Set{Path{"a"}, Fields{{"x", 1}, {"w", []any{"z"}}}}, after: "a: # c\n  x: 1\n  w:\n    - z\n\nd: 1\n"},
		{name: "mapping by scalar", before: "a: # c\n  b: 1\nd: 1\n", edit: Set{Path{"a"}, 1}, after: "a: 1 # c\nd: 1\n"},
		{name: "scalar by mapping", before: "a: 1 # c\nd: 1\n", edit: Set{Path{"a"}, Fields{{"x", 1}}}, after: "a: # c\n  x: 1\nd: 1\n"},
		{name: "CRLF", before: "a: 1\r\nb: |\r\n  x\r\nc: 1\r\n", edit: Set{Path{"a"}, "x\ny\n"}, after: "a: |\r\n  x\r\n  y\r\nb: |\r\n  x\r\nc: 1\r\n"},
		{name: "BOM and directive", before: "\ufeff%YAML 1.1\n---\n# c\na: 1\n...\n", edit: Set{Path{"a"}, 2}, after: "\ufeff%YAML 1.1\n---\n# c\na: 2\n...\n"},
		{name: "tab in a comment", before: "a: 1\t# x\ty\n# z\t\nb: 1\n", edit: Set{Path{"a"}, 2}, after: "a: 2\t# x\ty\n# z\t\nb: 1\n"},
		{name: "not ASCII", before: "ä: {ö: 1, ü: '€'} # ß\nb: 1\n", edit: Set{Path{"ä", "ü"}, "¥"}, after: "ä: {ö: 1, ü: '¥'} # ß\nb: 1\n"},
		{name: "JSON", before: "{\"a\": {\"b\": 1}, \"c\": \"x\"}\n", edit: Set{Path{"a", "b"}, "v"}, after: "{\"a\": {\"b\": \"v\"}, \"c\": \"x\"}\n"},
		{name: "parameter of an ApplicationSet", before: "a: '{{path}}'\nb: app-{{name}}\n", edit: Set{Path{"a"}, "{{.path}}"}, after: "a: '{{.path}}'\nb: app-{{name}}\n"},
	})
}

// What Kubernetes reads is what was asked for: YAML 1.1 takes more words and numbers for something other than strings.
func TestNewStringsStayStrings(t *testing.T) {
	for _, text := range []string{"yes", "On", "n", "0777", "0o17", "1_000", "1:30", "12e03", "0x1f", ".5", "1.", "+1", "~", "null", "NULL", "<<", "=", "2001-01-01", "",
		" x", "x ", "a: b", "a #b", "#", "- a", "-", "?", "{a", "[", "*a", "&a", "!a", "%a", "@a", "`a", "'", "\"", "\\", "a\nb", "\n", "a\n\n", "\ta", "\u0085", "\u2028", "\ufeff", "€", "😀", "{{path}}", "true", "a,b]", "---", "..."} {
		for before, edits := range map[string][]Edit{
			"a: x\n":            {Set{Path{"a"}, text}, Insert{Path{"b", text}, text, ""}},
			"a: 'x'\n":          {Set{Path{"a"}, text}, Insert{Path{"b", text}, text, ""}},
			"a: \"x\"\nb: {}\n": {Set{Path{"a"}, text}, Insert{Path{"b", text}, text, ""}},
			"{\"a\":\"x\"}":     {Set{Path{"a"}, text}, Insert{Path{"b", text}, text, ""}},
		} {
			f, err := Parse([]byte(before))
			if err != nil {
				t.Fatal(err)
			}
			out, err := f.Apply(0, edits...)
			if err != nil {
				if !strings.ContainsAny(text, "\u0085\u2028\ufeff") {
					t.Errorf("%q in %q: %v", text, before, err)
				}
				continue
			}
			var got map[string]any
			if err := sigs.Unmarshal(out, &got); err != nil {
				t.Errorf("%q: %v\n%s", text, err, out)
				continue
			}
			if want := map[string]any{"a": text, "b": map[string]any{text: text}}; !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %v\n%s", text, got, out)
			}
		}
	}
}

func TestInsert(t *testing.T) {
	deep := Fields{{"x", "1"}, {"w", []any{"z"}}}
	runCases(t, []editCase{
		{name: "end", before: "a: 1\nb: 2\n", edit: Insert{Path{"c"}, 3, ""}, after: "a: 1\nb: 2\nc: 3\n"},
		{name: "no final newline", before: "a: 1\nb: 2", edit: Insert{Path{"c"}, 3, ""}, after: "a: 1\nb: 2\nc: 3"},
		{name: "behind a key", before: "a: 1 # c\n# about b\nb: 2\n", edit: Insert{Path{"c"}, 3, "a"}, after: "a: 1 # c\nc: 3\n# about b\nb: 2\n"},
		{name: "behind a mapping with a comment", before: "a:\n  x: 1\n  # y: 2\nb: 2\n", edit: Insert{Path{"c"}, 3, "a"}, after: "a:\n  x: 1\n  # y: 2\nc: 3\nb: 2\n"},
		{name: "end with a commented entry", before: "a:\n  x: 1\n  # y: 2\nb: 2\n", edit: Insert{Path{"a", "c"}, 3, ""}, after: "a:\n  x: 1\n  # y: 2\n  c: 3\nb: 2\n"},
		{name: "end before the comment of the next", before: "a:\n- x: 1\n# about b\nb: 2\n", edit: Insert{Path{"a", 0, "c"}, 3, ""}, after: "a:\n- x: 1\n  c: 3\n# about b\nb: 2\n"},
		{name: "end before a blank line", before: "a:\n  x: 1\n\nb: 2\n", edit: Insert{Path{"a", "c"}, 3, ""}, after: "a:\n  x: 1\n  c: 3\n\nb: 2\n"},
		{name: "four columns", before: "a:\n    x: 1\n", edit: Insert{Path{"a", "c"}, deep, ""}, after: "a:\n    x: 1\n    c:\n        x: \"1\"\n        w:\n            - z\n"},
		{name: "lists not indented", before: "a:\n- x\nb: 1\n", edit: Insert{Path{"c"}, deep, ""}, after: "a:\n- x\nb: 1\nc:\n  x: \"1\"\n  w:\n  - z\n"},
		{name: "missing parents", before: "metadata:\n  name: x # n\nspec: {}\n", edit: Insert{Path{"metadata", "annotations", "argocd.argoproj.io/sync-wave"}, "-1", ""},
			after: "metadata:\n  name: x # n\n  annotations:\n    argocd.argoproj.io/sync-wave: \"-1\"\nspec: {}\n"},
		{name: "single quotes around", before: "a: 'x'\n", edit: Insert{Path{"b"}, "1", ""}, after: "a: 'x'\nb: '1'\n"},
		{name: "empty mapping", before: "a: {} # c\nb: 1\n", edit: Insert{Path{"a", "x"}, "1", ""}, after: "a: {x: \"1\"} # c\nb: 1\n"},
		{name: "empty mapping, nested value", before: "a: {} # c\nb: 1\n", edit: Insert{Path{"a", "x"}, deep, ""}, after: "a: # c\n  x:\n    x: \"1\"\n    w:\n      - z\nb: 1\n"},
		{name: "nothing", before: "a:\n\nb: 1\n", edit: Insert{Path{"a", "x"}, 1, ""}, after: "a:\n  x: 1\n\nb: 1\n"},
		{name: "null", before: "a: null # c\nb: 1\n", edit: Insert{Path{"a", "x"}, 1, ""}, after: "a: # c\n  x: 1\nb: 1\n"},
		{name: "flow", before: "a: { x: 1, y: 2 }\n", edit: Insert{Path{"a", "z"}, deep, "x"}, after: "a: { x: 1, z: {x: \"1\", w: [z]}, y: 2 }\n"},
		{name: "flow over lines", before: "a: {\n  x: 1, # one\n  y: 2 # two\n}\n", edit: Insert{Path{"a", "z"}, 3, ""}, after: "a: {\n  x: 1, # one\n  y: 2, # two\n  z: 3\n}\n"},
		{name: "flow over lines, last comma", before: "a: {\n  x: 1, # one\n}\n", edit: Insert{Path{"a", "z"}, 3, ""}, after: "a: {\n  x: 1, # one\n  z: 3,\n}\n"},
		{name: "item", before: "- a: 1\n- b: 1\n", edit: Insert{Path{0, "c"}, 1, ""}, after: "- a: 1\n  c: 1\n- b: 1\n"},
		{name: "block scalar before", before: "a: |\n  x\n\n  y\n\nb: 1\n", edit: Insert{Path{"c"}, 1, "a"}, after: "a: |\n  x\n\n  y\nc: 1\n\nb: 1\n"},
		{name: "kept blank lines before", before: "a: |+\n  x\n\nb: 1\n", edit: Insert{Path{"c"}, 1, "a"}, after: "a: |+\n  x\n\nc: 1\nb: 1\n"},
		{name: "block scalar at the end of the text", before: "a: |\n  x", edit: Insert{Path{"c"}, 1, ""}, line: 1, refuse: "by hand"},
		{name: "several lines", before: "a:\n    b: 1\n", edit: Insert{Path{"a", "c"}, "x\n\ny\n", ""}, after: "a:\n    b: 1\n    c: |\n        x\n\n        y\n"},
		{name: "before the document end", before: "a: 1\n...\n---\nb: 1\n", edit: Insert{Path{"c"}, 1, ""}, after: "a: 1\nc: 1\n...\n---\nb: 1\n"},
		{name: "CRLF", before: "a: 1\r\nb: 1\r\n", edit: Insert{Path{"c", "d"}, 1, "a"}, after: "a: 1\r\nc:\r\n  d: 1\r\nb: 1\r\n"},
		{name: "mixed line ends", before: "a: 1\r\nb: 1\n", edit: Insert{Path{"c"}, 1, "b"}, after: "a: 1\r\nb: 1\nc: 1\n"},
		{name: "JSON on a line", before: "{\"a\":{\"b\":1}}", edit: Insert{Path{"a", "c"}, deep, ""}, after: "{\"a\":{\"b\":1,\"c\":{\"x\":\"1\",\"w\":[\"z\"]}}}"},
		{name: "JSON, pretty", before: "{\n    \"a\": {\n        \"b\": 1\n    }\n}\n", edit: Insert{Path{"c"}, deep, ""},
			after: "{\n    \"a\": {\n        \"b\": 1\n    },\n    \"c\": {\n        \"x\": \"1\",\n        \"w\": [\n            \"z\"\n        ]\n    }\n}\n"},
		{name: "JSON, behind a key", before: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", edit: Insert{Path{"c"}, 3, "a"}, after: "{\n  \"a\": 1,\n  \"c\": 3,\n  \"b\": 2\n}\n"},
		{name: "JSON, empty mapping", before: "{\n  \"a\": {}\n}\n", edit: Insert{Path{"a", "x"}, "y", ""}, after: "{\n  \"a\": {\n    \"x\": \"y\"\n  }\n}\n"},
		{name: "exists", before: "a: 1\n", edit: Insert{Path{"a"}, 1, ""}, line: 1, refuse: "exists already"},
		{name: "not a mapping", before: "a: x\n", edit: Insert{Path{"a", "b"}, 1, ""}, line: 1, refuse: "not a mapping"},
		{name: "into an alias", before: "a: &x {c: 1}\nb: *x\n", edit: Insert{Path{"b", "d"}, 1, ""}, line: 2, refuse: "alias *x of line 1"},
		{name: "missing item", before: "a: []\n", edit: Insert{Path{"a", 0, "b"}, 1, ""}, line: 1, refuse: "item cannot be created"},
		{name: "After is missing", before: "a: 1\n", edit: Insert{Path{"b"}, 1, "c"}, line: 1, refuse: "no key \"c\""},
		{name: "no such value", before: "a: 1\n", edit: Insert{Path{"b"}, "\xff", ""}, line: 0, refuse: "cannot be written"},
	})
}

func TestAdd(t *testing.T) {
	pair := Fields{{"x", 1}, {"w", 2}}
	runCases(t, []editCase{
		{name: "append", before: "a:\n- x # c\nb: 1\n", edit: Append(Path{"a"}, "w"), after: "a:\n- x # c\n- w\nb: 1\n"},
		{name: "append a mapping", before: "a:\n  - x: 0\n    y: 0\n\nb: 1\n", edit: Append(Path{"a"}, pair), after: "a:\n  - x: 0\n    y: 0\n  - x: 1\n    w: 2\n\nb: 1\n"},
		{name: "wide dashes", before: "a:\n-   x: 0\n    y: 0\n", edit: Append(Path{"a"}, pair), after: "a:\n-   x: 0\n    y: 0\n-   x: 1\n    w: 2\n"},
		{name: "in front", before: "a:\n  # about x\n  - x\n", edit: Add{Path{"a"}, 0, "w"}, after: "a:\n  - w\n  # about x\n  - x\n"},
		{name: "between", before: "a:\n- x\n# about z\n- z\n", edit: Add{Path{"a"}, 1, "w"}, after: "a:\n- x\n- w\n# about z\n- z\n"},
		{name: "list in a list", before: "- - a\n  - b\n", edit: Add{Path{0}, 0, "w"}, after: "- - w\n  - a\n  - b\n"},
		{name: "flow", before: "a: [x, y] # c\n", edit: Append(Path{"a"}, "z"), after: "a: [x, y, z] # c\n"},
		{name: "flow in front", before: "a: [x, y]\n", edit: Add{Path{"a"}, 0, pair}, after: "a: [{x: 1, w: 2}, x, y]\n"},
		{name: "flow over lines", before: "a: [\n  x,\n  y\n]\n", edit: Append(Path{"a"}, "z"), after: "a: [\n  x,\n  y,\n  z\n]\n"},
		{name: "flow over lines in front", before: "a: [\n  x,\n  y\n]\n", edit: Add{Path{"a"}, 0, "z"}, after: "a: [\n  z,\n  x,\n  y\n]\n"},
		{name: "empty", before: "a: []\n", edit: Append(Path{"a"}, "z"), after: "a: [z]\n"},
		{name: "empty, a mapping", before: "b:\n- x\na: [] # c\n", edit: Append(Path{"a"}, Fields{{"x", pair}}), after: "b:\n- x\na: # c\n- x:\n    x: 1\n    w: 2\n"},
		{name: "nothing", before: "a: # c\nb: 1\n", edit: Append(Path{"a"}, pair), after: "a: # c\n  - x: 1\n    w: 2\nb: 1\n"},
		{name: "JSON", before: "[\n  {\n    \"a\": 1\n  }\n]\n", edit: Append(Path{}, pair), after: "[\n  {\n    \"a\": 1\n  },\n  {\n    \"x\": 1,\n    \"w\": 2\n  }\n]\n"},
		{name: "index too large", before: "a: [x]\n", edit: Add{Path{"a"}, 3, "y"}, line: 1, refuse: "no place 3"},
		{name: "not a list", before: "a: {x: 1}\n", edit: Append(Path{"a"}, "y"), line: 1, refuse: "not a list"},
	})
}

func TestDelete(t *testing.T) {
	runCases(t, []editCase{
		{name: "entry with its comments", before: "a: 1\n\n# far\n\n# near\n# nearer\nb: 2 # beside\n# about c\nc: 3\n", edit: Delete{Path: Path{"b"}}, after: "a: 1\n\n# far\n\n# about c\nc: 3\n"},
		{name: "entry with lines below", before: "a: 1\nb:\n  x: 1\n  # y: 2\nc: 3\n", edit: Delete{Path: Path{"b"}}, after: "a: 1\nc: 3\n"},
		{name: "comment that opens the document", before: "# licence\na: 1\nb: 2\n", edit: Delete{Path: Path{"a"}}, after: "# licence\nb: 2\n"},
		{name: "last without newline", before: "a: 1\nb: 2", edit: Delete{Path: Path{"b"}}, after: "a: 1\n"},
		{name: "block scalar", before: "a: |\n  # not a comment\n\n  x\nb: 2\n", edit: Delete{Path: Path{"a"}}, after: "b: 2\n"},
		{name: "behind a block scalar with #", before: "a: |\n  x\n  # text\nb: 2\nc: 3\n", edit: Delete{Path: Path{"b"}}, after: "a: |\n  x\n  # text\nc: 3\n"},
		{name: "first of an item", before: "- a: 1 # c\n  b: 2\n- c: 3\n", edit: Delete{Path: Path{0, "a"}}, after: "- b: 2\n- c: 3\n"},
		{name: "first of an item, comment behind", before: "- a: 1\n  # about b\n  b: 2\n", edit: Delete{Path: Path{0, "a"}}, line: 2, refuse: "comment would be lost"},
		{name: "item", before: "l:\n  # about a\n  - a: 1\n    b: 2\n  # about c\n  - c\n", edit: Delete{Path: Path{"l", 0}}, after: "l:\n  # about c\n  - c\n"},
		{name: "only entry", before: "a: # c\n  # about b\n  b: 1\nd: 1\n", edit: Delete{Path: Path{"a", "b"}}, after: "a: {} # c\nd: 1\n"},
		{name: "only item, not indented", before: "a:\n- b\nd: 1\n", edit: Delete{Path: Path{"a", 0}}, after: "a: []\nd: 1\n"},
		{name: "only entry of an item", before: "- a: 1\n- b\n", edit: Delete{Path: Path{0, "a"}}, after: "- {}\n- b\n"},
		{name: "only entry, pruned", before: "x: 1\na:\n  b:\n  - c: 1\nd: 1\n", edit: Delete{Path{"a", "b", 0, "c"}, true}, after: "x: 1\nd: 1\n"},
		{name: "only entry of the document", before: "a: 1\n", edit: Delete{Path: Path{"a"}}, after: "{}\n"},
		{name: "all of the document, pruned", before: "a:\n  b: 1\n", edit: Delete{Path{"a", "b"}, true}, line: 2, refuse: "nothing would be left"},
		{name: "flow", before: "a: {x: 1, y: 2, z: 3} # c\n", edit: Delete{Path: Path{"a", "y"}}, after: "a: {x: 1, z: 3} # c\n"},
		{name: "flow first", before: "a: [x, y]\n", edit: Delete{Path: Path{"a", 0}}, after: "a: [y]\n"},
		{name: "flow only", before: "a: [ x ] # c\n", edit: Delete{Path: Path{"a", 0}}, after: "a: [] # c\n"},
		{name: "flow over lines", before: "a: {\n  x: 1, # x\n  # about y\n  y: 2 # y\n}\n", edit: Delete{Path: Path{"a", "y"}}, after: "a: {\n  x: 1 # x\n}\n"},
		{name: "flow over lines, inner comment", before: "a: [x, # about x\n  y, z]\n", edit: Delete{Path: Path{"a", 1}}, line: 1, refuse: "comment would be lost"},
		{name: "JSON", before: "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 1\n  }\n}\n", edit: Delete{Path: Path{"b"}}, after: "{\n  \"a\": 1\n}\n"},
		{name: "JSON, the first", before: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", edit: Delete{Path: Path{"a"}}, after: "{\n  \"b\": 2\n}\n"},
		{name: "anchor used outside", before: "a: &x 1\nb: *x\n", edit: Delete{Path: Path{"a"}}, line: 1, refuse: "repeats it"},
		{name: "anchor inside used outside", before: "a:\n  c: &x 1\nb: *x\n", edit: Delete{Path: Path{"a"}}, line: 2, refuse: "used in line 3"},
		{name: "anchor and alias go together", before: "a:\n  c: &x 1\n  d: *x\nb: 1\n", edit: Delete{Path: Path{"a"}}, after: "b: 1\n"},
		{name: "only from a merge", before: "x: &x {c: 1}\na:\n  <<: *x\n", edit: Delete{Path: Path{"a", "c"}}, line: 3, refuse: "comes from a merge"},
		{name: "explicit key", before: "? a\n: 1\nb: 1\n", edit: Delete{Path: Path{"a"}}, line: 1, refuse: "explicit key"},
		{name: "CRLF", before: "a: 1\r\n# c\r\nb: 2\r\nc: 3\r\n", edit: Delete{Path: Path{"b"}}, after: "a: 1\r\nc: 3\r\n"},
		{name: "pair without braces", before: "a: [b: 1]\n", edit: Delete{Path: Path{"a", 0, "b"}}, line: 1, refuse: "without braces"},
	})
}

func TestRenameAndWrap(t *testing.T) {
	runCases(t, []editCase{
		{name: "rename", before: "a:\n  'b': 1 # c\n", edit: Rename{Path{"a", "b"}, "c d"}, after: "a:\n  'c d': 1 # c\n"},
		{name: "rename plain to what needs quotes", before: "a: 1\n", edit: Rename{Path{"a"}, "on"}, after: "\"on\": 1\n"},
		{name: "rename in JSON", before: "{\"a\": 1}", edit: Rename{Path{"a"}, "b"}, after: "{\"b\": 1}"},
		{name: "rename to what exists", before: "a: 1\nb: 2\n", edit: Rename{Path{"a"}, "b"}, line: 1, refuse: "exists already in line 2"},
		{name: "rename an item", before: "- a\n", edit: Rename{Path{0}, "b"}, line: 1, refuse: "has no key"},
		{name: "wrap", before: "a: # c\n  # about x\n  x: 1 # d\n\n  y: |\n    t\n\n      u\n  # end\nb:\n  - l\n", edit: Wrap{Path{"a"}},
			after: "a: # c\n  # about x\n  - x: 1 # d\n\n    y: |\n      t\n\n        u\n    # end\nb:\n  - l\n"},
		{name: "wrap where lists are not indented", before: "a:\n  x: 1\n  y: \"s\n  t\"\nb:\n- l\n", edit: Wrap{Path{"a"}}, after: "a:\n- x: 1\n  y: \"s\n  t\"\nb:\n- l\n"},
		{name: "wrap four columns", before: "a:\n    x: 1\n    y: 1\nb:\n- l\n", edit: Wrap{Path{"a"}}, after: "a:\n- x: 1\n  y: 1\nb:\n- l\n"},
		{name: "wrap a flow mapping", before: "a: {x: 1} # c\n", edit: Wrap{Path{"a"}}, after: "a: [{x: 1}] # c\n"},
		{name: "wrap a scalar", before: "a: x # c\n", edit: Wrap{Path{"a"}}, after: "a: [x] # c\n"},
		{name: "wrap JSON", before: "{\n  \"a\": {\n    \"x\": 1\n  }\n}\n", edit: Wrap{Path{"a"}}, after: "{\n  \"a\": [\n    {\n      \"x\": 1\n    }\n  ]\n}\n"},
		{name: "wrap an anchor", before: "a: &x\n  b: 1\n", edit: Wrap{Path{"a"}}, line: 1, refuse: "anchor or a tag"},
		{name: "wrap a block scalar", before: "a: |\n  b\n", edit: Wrap{Path{"a"}}, line: 1, refuse: "only mappings"},
		{name: "wrap CRLF", before: "a:\r\n  x: 1\r\nb: 1\r\n", edit: Wrap{Path{"a"}}, after: "a:\r\n  - x: 1\r\nb: 1\r\n"},
	})
}

const application = `# the shop
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
spec:
  project: default
  source: # one source
    # where it is
    repoURL: https://example.com/shop.git
    path: deploy   # the folder
    helm:
      values: |
        a: 1

        b: 2
      parameters:
      - name: x
        value: "1"
  destination:
    server: https://kubernetes.default.svc
`

func TestSourceBecomesSources(t *testing.T) {
	f, err := Parse([]byte(application))
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Apply(0,
		Rename{Path{"spec", "source"}, "sources"},
		Wrap{Path{"spec", "sources"}},
		Append(Path{"spec", "sources"}, Fields{{"repoURL", "https://example.com/values.git"}, {"ref", "values"}}),
		Insert{Path{"metadata", "annotations", "argocd.argoproj.io/sync-wave"}, "2", ""},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(application, "  source: # one source\n    # where it is\n    repoURL", "  sources: # one source\n  # where it is\n  - repoURL", 1)
	want = strings.Replace(want, "        value: \"1\"\n", "        value: \"1\"\n  - repoURL: https://example.com/values.git\n    ref: values\n", 1)
	want = strings.Replace(want, "  name: shop\n", "  name: shop\n  annotations:\n    argocd.argoproj.io/sync-wave: \"2\"\n", 1)
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}
