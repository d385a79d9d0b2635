package helm

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

const bare = "-- c/Chart.yaml --\napiVersion: v2\nname: c\nversion: 1.2.3\n-- c/templates/all.yaml --\n"

func named(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, template string
		want           []string
	}{
		{"one", named("a"), []string{"a"}},
		{"leading and trailing separators", "---\n" + named("a") + "---\n", []string{"a"}},
		{"two", named("a") + "---\n" + named("b"), []string{"a", "b"}},
		{"blanks and a comment after the separator", named("a") + "--- \t# next\n" + named("b"), []string{"a", "b"}},
		{"nothing after the separator but the document", named("a") + "---" + named("b"), []string{"a", "b"}},
		{"empty and comment documents", "---\n---\n# only a comment\n---\n" + named("a") + "---\n\n", []string{"a"}},
		{"windows line ends", strings.ReplaceAll(named("a")+"---\n"+named("b"), "\n", "\r\n"), []string{"a", "b"}},
		{"dashes inside a block", named("a") + "data:\n  x: |\n    ---\n    y\n---\n" + named("b"), []string{"a", "b"}},
		{"a trimmed action eats the line end", named("a") + "{{- if true }}\n---\n" + named("b") + "{{- end }}\n", []string{"a", "b"}},
		{"document end marks", named("a") + "...\n", []string{"a"}},
		{"byte order mark", "\ufeff" + named("a"), []string{"a"}},
		{"null", "null\n---\n" + named("a"), []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, o := range mustRender(t, tree(bare+c.template), chartAt("c", nil)).Objects {
				got = append(got, o.ID.Name)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func FuzzSplitTemplate(f *testing.F) {
	for _, s := range []string{
		"", "---", "a\n---\nb", "---a\n---- b\n", " \n--- \t# c\n  d\n", "a\r\n---\r\nb", "-\n--\n---", "\xff---\n\xfe", "a\v\n\u00a0---\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		split := releaseutil.SplitManifests(body)
		var want []string
		for i := range len(split) {
			want = append(want, split["manifest-"+strconv.Itoa(i)])
		}
		if got := splitTemplate(body); !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, Helm has %q", got, want)
		}
	})
}

func TestNotManifests(t *testing.T) {
	for _, c := range []struct{ name, template, message string }{
		{"text", "just some words\n", "a document is no mapping"},
		{"list", "- a\n- b\n", "a document is no mapping"},
		{"no kind", "apiVersion: v1\nmetadata: {name: a}\n", "no apiVersion or no kind"},
		{"no apiVersion", "kind: ConfigMap\nmetadata: {name: a}\n", "no apiVersion or no kind"},
		{"no name", "apiVersion: v1\nkind: ConfigMap\n", "a ConfigMap has no metadata.name"},
		{"number for a name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 12}\n", "metadata.name is no string"},
		{"boolean for a namespace", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: n}\n", "metadata.namespace is no string"},
		{"empty mapping", "{}\n", "no apiVersion or no kind"},
		{"indentation", "apiVersion: v1\n kind: ConfigMap\n", "line 2"},
		{"first line indented", "  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n", "line 2"},
		{"annotations", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: [x]}\n", "metadata.annotations is no mapping"},
		{"item", "apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}]\n", "no apiVersion or no kind"},
		{"second of two", named("a") + "---\nfoo: bar\n", "no apiVersion or no kind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := mustGap(t, tree(bare+c.template), chartAt("c", nil), diag.Unparsable, c.message)
			if g.At != (object.Location{File: "c/templates/all.yaml"}) {
				t.Errorf("at %+v", g.At)
			}
		})
	}
}

func TestYAMLMeaning(t *testing.T) {
	files := tree(bare + `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
x: {yes: yes, on: on, no: no, octal: 0600, big: 9007199254740993, float: 1.50, text: "yes", tilde: ~, date: 2026-01-02}
`)
	fields := mustRender(t, files, chartAt("c", nil)).Objects[0].Fields
	want := map[string]any{
		"true": true, "false": false, "octal": json.Number("384"), "big": json.Number("9007199254740993"),
		"float": json.Number("1.5"), "text": "yes", "tilde": nil, "date": "2026-01-02",
	}
	if got := object.Map(fields, "x"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

// TestLastLine has a block of text whose line end a template took away: Helm prints one all the same.
func TestLastLine(t *testing.T) {
	files := tree(bare + named("a") + "data:\n  text: |\n    last\n  {{- \"\" -}}\n")
	wantData(t, mustRender(t, files, chartAt("c", nil)), map[string]any{"text": "last\n"})
}

func TestLists(t *testing.T) {
	files := tree(bare + `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
- {apiVersion: extensions/v1beta1, kind: Ingress, metadata: {name: b, namespace: ns}}
---
apiVersion: v1
kind: ConfigMapList
items: null
---
apiVersion: v1
kind: List
items: []
`)
	out := mustRender(t, files, chartAt("c", nil))
	wantLines(t, out.Objects, "ConfigMap a @ c/templates/all.yaml", "Ingress ns/b @ c/templates/all.yaml")
	if got := out.Objects[1]; got.ID.Group != "networking.k8s.io" || got.Version != "v1beta1" {
		t.Errorf("moved group: %+v", got.ID)
	}
}

func TestHooks(t *testing.T) {
	hook := func(annotations string) string {
		return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  annotations: {" + annotations + "}\n"
	}
	for _, c := range []struct {
		annotations string
		skipTests   bool
		kept        bool
	}{
		{annotations: `helm.sh/hook: pre-install`, kept: true},
		{annotations: `helm.sh/hook: "post-upgrade, post-install"`, kept: true},
		{annotations: `helm.sh/hook: pre-delete`, kept: true},
		{annotations: `helm.sh/hook: post-delete`, kept: true},
		{annotations: `helm.sh/hook: test`},
		{annotations: `helm.sh/hook: test-success`},
		{annotations: `helm.sh/hook: "test,post-install"`, kept: true},
		{annotations: `helm.sh/hook: "test,post-install"`, skipTests: true},
		{annotations: `helm.sh/hook: pre-rollback`},
		{annotations: `helm.sh/hook: "post-rollback,pre-upgrade"`, kept: true},
		{annotations: `helm.sh/hook: crd-install`},           // unknown to Helm since version 3
		{annotations: `helm.sh/hook: "pre-install,made-up"`}, // one unknown kind is enough for Helm
		{annotations: `helm.sh/hook: Pre-Install`},           // Helm takes it, Argo CD does not
		{annotations: `helm.sh/hook: ""`},                    // an empty kind is an unknown one
		{annotations: `helm.sh/hook: test, argocd.argoproj.io/hook: PostSync`, kept: true},
		{annotations: `argocd.argoproj.io/hook: PreSync`, kept: true},
		{annotations: `helm.sh/hook-weight: "5"`, kept: true},
		{annotations: `helm.sh/hook: true`},
	} {
		t.Run(c.annotations, func(t *testing.T) {
			out := mustRender(t, tree(bare+hook(c.annotations)), chartAt("c", &unit.Helm{SkipTests: c.skipTests}))
			if got := len(out.Objects) == 1; got != c.kept {
				t.Errorf("kept: %v, want %v", got, c.kept)
			}
		})
	}
	out := mustRender(t, tree(bare+hook(`helm.sh/hook: pre-install, helm.sh/hook-weight: "3"`)), chartAt("c", nil))
	want := map[string]string{"helm.sh/hook": "pre-install", "helm.sh/hook-weight": "3"}
	if got := out.Objects[0].Annotations(); !reflect.DeepEqual(got, want) {
		t.Errorf("annotations: %v", got)
	}
}

func TestGeneratedName(t *testing.T) {
	files := tree(bare + "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\n")
	wantLines(t, mustRender(t, files, chartAt("c", nil)).Objects, "Job  @ c/templates/all.yaml")
}
