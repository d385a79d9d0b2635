package plain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// shape is "Kind ns/name @line", one object a string.
func shapes(objects []object.Object) []string {
	var out []string
	for _, o := range objects {
		out = append(out, fmt.Sprintf("%s @%d", o.ID, o.Origin.Line))
	}
	return out
}

func TestDocumentsLines(t *testing.T) {
	tests := []struct {
		name, file, content string
		want                []string
	}{
		{"one document", "a.yaml", "kind: A\nmetadata: {name: x}\n", []string{"A x @1"}},
		{"separator first", "a.yaml", "---\nkind: A\n---\nkind: B\n", []string{"A  @2", "B  @4"}},
		{"comments before content", "a.yaml", "# licence\n\n---\n# about A\n\n  # indented\nkind: A\n", []string{"A  @7"}},
		{"separator with a comment", "a.yaml", "kind: A\n--- # next\nkind: B\n", []string{"A  @1", "B  @3"}},
		{"CRLF", "a.yaml", "# c\r\nkind: A\r\n---\r\n\r\nkind: B\r\n", []string{"A  @2", "B  @5"}},
		{"byte order mark", "a.yaml", "\xef\xbb\xbf# c\nkind: A\n---\nkind: B\n", []string{"A  @2", "B  @4"}},
		{"empty documents are dropped", "a.yaml", "---\n---\n# nothing\n---\nnull\n---\nkind: A\n---\n", []string{"A  @7"}},
		{"indented dashes in a block scalar", "a.yaml", "kind: A\ndata:\n  k: |\n    ---\n    --- x\n---\nkind: B\n", []string{"A  @1", "B  @7"}},
		{"document end", "a.yaml", "kind: A\n...\n---\nkind: B\n...\n", []string{"A  @1", "B  @4"}},
		{"what follows a document end is ignored", "a.yaml", "kind: A\n...\nkind: B\n", []string{"A  @1"}},
		{"no line break at the end", "a.yaml", "kind: A\n---\nkind: B", []string{"A  @1", "B  @3"}},
		{"list", "a.yaml", "apiVersion: v1\nkind: List\nitems:\n# first\n- kind: A\n  metadata: {name: a}\n-\n  kind: B\n", []string{"A a @5", "B  @8"}},
		{"second document a list of its own kind", "a.yaml", "kind: X\n---\n# c\nkind: ConfigMapList\nitems:\n  - {kind: ConfigMap}\n", []string{"X  @1", "ConfigMap  @6"}},
		{"empty lists", "a.yaml", "kind: List\nitems: []\n---\nkind: ConfigMapList\nitems: null\n---\nkind: A\n", []string{"A  @7"}},
		{"items beside a spec", "a.yaml", "kind: A\nspec: null\nitems: null\n", []string{"A  @1"}},
		{"flow mapping", "a.yaml", "# c\n{kind: A}\n", []string{"A  @2"}},
		{"JSON values in a YAML file", "a.yaml", "\n{\"kind\":\"A\"}\n{\"kind\":\n \"B\"}\n\n{\"kind\":\"C\"}", []string{"A  @2", "B  @3", "C  @6"}},
		{"JSON and then YAML", "a.yaml", "{\"kind\":\"A\"}\n---\nkind: B\n", []string{"A  @1", "B  @3"}},
		{"JSON file", "a.json", "\n{\n\t\"kind\": \"A\"\n}\n", []string{"A  @2"}},
		{"JSON list with tabs", "a.json", "{\n\t\"kind\": \"List\",\n\t\"items\": [\n\t\t{\"kind\": \"A\"},\n\t\t{\n\t\t\t\"kind\": \"B\"\n\t\t}\n\t]\n}\n", []string{"A  @4", "B  @5"}},
		{"aliased items", "a.yaml", "x: &i\n- kind: A\n- kind: B\nkind: List\nitems: *i\n", []string{"A  @2", "B  @3"}},
		{"other YAML is ignored", "a.yaml", "replicas: 3\nimage: {tag: v1}\n", nil},
		{"other YAML that cannot be read is ignored", "a.yaml", "{{ if .x }}\nreplicas: 3\n{{ end }}\n", nil},
		{"nothing", "a.yaml", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			objects, err := plain.Documents(tt.file, []byte(tt.content))
			if err != nil {
				t.Fatal(err)
			}
			if got := shapes(objects); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDocumentsErrors(t *testing.T) {
	const good = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
	deep := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i <= 'k'; i++ {
		deep += fmt.Sprintf("%c: &%c [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", i-1), 10), ","))
	}
	wide := "a: &a " + strings.Repeat("x", 1<<20) + "\nl: [" + strings.TrimSuffix(strings.Repeat("*a,", 200), ",") + "]\n"
	tests := []struct {
		name, file, content string
		line                int
		reason              string // a part of it
		before              int    // objects given with the error
	}{
		{"second document broken", "a.yaml", good + "---\nkind: B\nmetadata: [\n", 7, "did not find expected", 1},
		{"first document broken, looks like a manifest", "a.yaml", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n bad: x\n", 5, "did not find expected key", 0},
		{"no kind after an object", "a.yaml", good + "---\n\napiVersion: v1\n", 7, "the document has no kind", 1},
		{"no kind but looks like a manifest", "a.yaml", "# kind: A\n\napiVersion: v1\nmetadata: {}\n", 3, "the document has no kind", 0},
		{"kind is no string", "a.yaml", "apiVersion: v1\nkind: yes\nmetadata: {name: a}\n", 1, "the document has no kind", 0},
		{"text behind a separator", "a.yaml", good + "--- text\nkind: B\n", 5, "document separator", 0},
		{"four dashes", "a.yaml", good + "-----BEGIN CERTIFICATE-----\n", 5, "document separator", 0},
		{"text behind the second separator", "a.yaml", good + "---\n" + good + "--- text\n", 10, "document separator", 1},
		{"directive", "a.yaml", "%YAML 1.1\n---\n" + good, 1, "did not find expected <document start>", 0},
		{"directive of YAML 1.2", "a.yaml", "%YAML 1.2\n---\n" + good, 1, "found incompatible YAML document", 0},
		{"list item out of line", "a.yaml", "apiVersion: v1\nkind: A\nmetadata:\n  l:\n  - a\n  b\n", 6, "could not find expected", 0},
		{"template", "a.yaml", "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Values.name }}\n", 1, "key must", 0},
		{"list of documents", "a.yaml", good + "---\n- a\n", 6, "the document is no mapping", 1},
		{"item without kind", "a.yaml", "kind: List\nitems:\n- kind: A\n- apiVersion: v1\n", 4, "item 1 of the list has no kind", 1},
		{"item that is no mapping", "a.yaml", "kind: List\nitems: [1]\n", 2, "item 0 of the list has no kind", 0},
		{"unknown alias", "a.yaml", good + "x: *nope\n", 1, "an anchor that does not exist", 0},
		{"infinity", "a.yaml", good + "x: .inf\n", 1, "no JSON form", 0},
		{"not UTF-8", "a.yaml", good + "x: \"\xff\"\n", 5, "not UTF-8", 0},
		{"alias bomb", "a.yaml", good + deep, 1, "aliases expand", 0},
		{"alias bomb of long text", "a.yaml", good + wide, 1, "aliases expand", 0},
		{"alias in itself", "a.yaml", good + "x: &x [*x]\n", 1, "an alias contains itself", 0},
		{"JSON file without kind", "a.json", "\n{\"a\": 1}\n", 2, "the document has no kind", 0},
		{"JSON file with two values", "a.json", "{\"kind\":\"A\"}\n\n{\"kind\":\"B\"}\n", 3, "one object only", 0},
		{"JSON file broken", "a.json", "{\n\"kind\": \"A\",\n}\n", 3, "invalid character", 0},
		{"JSON file cut", "a.json", "{\n\"kind\": \"A\"\n", 3, "ends too early", 0},
		{"empty JSON file", "a.json", "", 1, "ends too early", 0},
		{"JSON file with a list", "a.json", "[]", 1, "no mapping", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			objects, err := plain.Documents(tt.file, []byte(tt.content))
			var e *plain.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v and %v, want an error", shapes(objects), err)
			}
			if e.File != tt.file || e.Line != tt.line || !strings.Contains(e.Reason, tt.reason) {
				t.Errorf("got %v, want line %d and %q", e, tt.line, tt.reason)
			}
			if len(objects) != tt.before {
				t.Errorf("got %d objects before the error, want %d", len(objects), tt.before)
			}
		})
	}
}

// What a reader quotes from a document may be a secret.
func TestErrorsQuoteNothing(t *testing.T) {
	const head = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n"
	for _, tail := range []string{
		"  ? [hunter2]\n  : x\n",
		"  n: !!int hunter2\n",
		"  b: !!float \"hunter2\"\n",
		"  {{ hunter2 }}: x\n",
		"  a: *hunter2\n",
		"  a: \"hunter2\n",
		"  hunter2\n  b: c\n",
	} {
		_, err := plain.Documents("s.yaml", []byte(head+tail))
		if err == nil {
			t.Errorf("%q: no error", tail)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error quotes the value: %v", tail, err)
		}
	}
}

func TestDocumentsValues(t *testing.T) {
	const content = `apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: web, namespace: front}
spec:
  replicas: 2
  replicas: 3
  paused: yes
  quoted: "yes"
  day: 2020-01-02
  big: 12345678901234567890
  octal: 0777
  half: 0.5
  7: seven
  base: &b {x: 1}
  merged:
    <<: *b
    z: 2
  text: |
    ---
    end
`
	objects, err := plain.Documents("a.yaml", []byte(content))
	if err != nil || len(objects) != 1 {
		t.Fatalf("got %d objects and %v", len(objects), err)
	}
	o := objects[0]
	if want := (object.ID{Group: "apps", Kind: "Deployment", Namespace: "front", Name: "web"}); o.ID != want {
		t.Errorf("ID is %#v, want %#v", o.ID, want)
	}
	if o.Version != "v1beta1" {
		t.Errorf("version is %q", o.Version)
	}
	got, err := json.Marshal(o.Fields["spec"])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"7":"seven","base":{"x":1},"big":12345678901234567890,"day":"2020-01-02","half":0.5,"merged":{"x":1,"z":2},` +
		`"octal":511,"paused":true,"quoted":"yes","replicas":3,"text":"---\nend\n"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n, ok := object.Get(o.Fields, "spec", "replicas").(json.Number); !ok || n != "3" {
		t.Errorf("replicas is %T, want json.Number", object.Get(o.Fields, "spec", "replicas"))
	}
}

func FuzzDocuments(f *testing.F) {
	for _, s := range []string{
		"kind: A\n---\nkind: List\nitems:\n- kind: B\n", "{\"kind\":\"A\"}\n---\nkind: B\n", "%YAML 1.1\n---\n", "a: &a [*a]\n",
		"kind: A\r\n...\r\n", "--- x\n", "{{ a }}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		lines := 1 + strings.Count(string(content), "\n")
		for _, name := range []string{"f.yaml", "f.json"} {
			objects, err := plain.Documents(name, content)
			var e *plain.Error
			if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Line > lines+1 || strings.Contains(e.Reason, "\n")) {
				t.Errorf("bad error %v", err)
			}
			for _, o := range objects {
				if o.ID.Kind == "" || o.Origin.Line < 1 || o.Origin.Line > lines {
					t.Errorf("bad object %v at %v", o.ID, o.Origin)
				}
			}
		}
	})
}
