package fields_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/yamledit"
)

func TestCarry(t *testing.T) {
	const written = `apiVersion: v1
kind: Deployment
metadata:
  name: a # its name
  namespace: here
  creationTimestamp: null
spec:
  num: 1
  list: [a, {b: c}]
  gone: x
`
	for _, c := range []struct{ name, rendered, want string }{
		{"nothing", written, written},
		{
			"all kinds", `{"apiVersion": "v1", "kind": "Deployment", "metadata": {"name": "p-a", "namespace": "there", "labels": {"x": "z"}}, "spec": {"num": 2, "list": ["a", {"b": "d"}]}}`,
			`apiVersion: v1
kind: Deployment
metadata:
  name: p-a # its name
  namespace: here
  creationTimestamp: null
  labels:
    x: z
spec:
  num: 2
  list: [a, {b: d}]
`,
		},
		{"a list of another length", strings.Replace(written, "[a, {b: c}]", "[a]", 1), strings.Replace(written, " [a, {b: c}]", "\n    - a", 1)},
		{"an image", strings.Replace(written, "num: 1", "image: i:v2", 1), "refused"},
		{"a hash", strings.Replace(written, "gone: x", "gone: x-5bk7fb4h2f", 1), "names x-5bk7fb4h2f, whose name changes with its content"},
		{"a secret", strings.Replace(written, "gone: x", "more: "+object.Sealed("d"), 1), "spec.more comes from elsewhere and is secret"},
		{"sealed where it stands", strings.Replace(written, "gone: x", "gone: "+object.Sealed("d"), 1), written},
	} {
		if c.name == "an image" { // only one that stands there and changes is set by a kustomization
			c.want = strings.Replace(strings.Replace(written, "  num: 1\n", "", 1), "gone: x\n", "gone: x\n  image: i:v2\n", 1)
		}
		edits, err := fields.Carry(fields.Document([]byte(written), 0), fields.Document([]byte(c.rendered), 0))
		if err == nil {
			y, err := yamledit.Parse([]byte(written))
			if err != nil {
				t.Fatal(err)
			}
			text, err := y.Apply(0, edits...)
			if err != nil || string(text) != c.want {
				t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, text, c.want)
			}
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := fields.Carry(map[string]any{"image": "i"}, map[string]any{"image": "i:v2"}); err == nil {
		t.Error("an image is carried")
	}
	// What a Secret holds is sealed in data, wherever it is written.
	if edits, err := fields.Carry(map[string]any{"kind": "Secret", "stringData": map[string]any{"a": "b"}}, map[string]any{"kind": "Secret", "data": map[string]any{"a": object.Sealed("x")}}); err != nil || len(edits) > 0 {
		t.Errorf("a secret: %v, %v", edits, err)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{json.Number("1"), json.Number("1.0"), true},
		{json.Number("1"), "1", false},
		{json.Number("9007199254740993"), json.Number("9007199254740992"), false},
		{map[string]any{"a": nil}, map[string]any{}, true},
		{map[string]any{"a": nil}, map[string]any{"a": "x"}, false},
		{[]any{nil}, []any{}, false},
		{[]any{"a", "b"}, []any{"b", "a"}, false},
		{nil, map[string]any{}, false},
	} {
		if fields.Equal(c.a, c.b) != c.want || fields.Equal(c.b, c.a) != c.want {
			t.Errorf("%v and %v are equal: %v, want %v", c.a, c.b, !c.want, c.want)
		}
	}
}
