package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// full has every field set.
func full() diag.Report {
	return diag.Report{
		Schema: diag.SchemaVersion,
		Head: diag.Head{
			Revision:    strings.Repeat("5a", 20),
			Subject:     "release api v1.9.0",
			Date:        "2026-01-20T09:30:00Z",
			Dirty:       true,
			Shallow:     true,
			Roots:       []diag.Root{{Name: "gcp", Path: "argocd/overlays/gcp", Kind: "kustomize", From: "configuration"}},
			Branches:    []string{"main", "release"},
			ThisURLs:    []string{"git.example.com/shop/manifests"},
			Assumptions: []string{"Argo CD 3.5, polling", "kustomize is run with --enable-helm"},
		},
		Units: []diag.Unit{
			{
				Name: "api", Kind: "Application", Root: "gcp", Namespace: "api", Cluster: "in-cluster", Source: "app/api@main",
				Parent: "bootstrap", Automated: true, Prune: true, SelfHeal: true, Objects: 4, Rendered: true,
				At: object.Location{File: "argocd/api.yaml", Line: 1},
			},
			{Name: "sets", Kind: "symbolic", Root: "gcp", At: object.Location{File: "argocd/sets.yaml", Line: 7}},
		},
		Latent: []diag.Latent{{
			ID: "4f1c9a02", Rule: "split-pair", Kinds: "Rollout -> ConfigMap", Summary: "Rollout api/api reads at start ConfigMap api/d",
			Instances: []diag.Instance{{
				Consumer: diag.End{Object: "Rollout api/api", Unit: "api", At: object.Location{File: "app/api/templates/rollout.yaml"}},
				Provider: diag.End{Object: "ConfigMap api/d", Unit: "config", At: object.Location{Repository: "git.example.com/x", File: "d.yaml", Line: 3}},
				Links:    []string{"start; key api.pb"},
			}},
		}},
		References: []diag.Reference{{
			Consumer: diag.End{Object: "Rollout api/api", Unit: "api", At: object.Location{File: "app/api/templates/rollout.yaml"}},
			Provider: diag.End{Object: "ConfigMap api/d"},
			How:      "start", Key: "api.pb", Optional: true, Via: "metadata.annotations[x]", Words: "start; key api.pb; optional",
			Descriptor: &diag.Descriptor{
				Filter: "EnvoyFilter api/t", Path: "/etc/d/api.pb", Services: []string{"shop.v1.Orders"}, Methods: 3, Problem: "p",
			},
		}},
		Findings: []diag.Finding{everything()},
		Gaps: []diag.Gap{{
			Reason: diag.Unparsable, At: object.Location{File: "a.yaml", Line: 9}, Unit: "api",
			Message: "hostile name \x1b[31m\u202ered", Close: "correct it",
		}},
		Counts: diag.Counts{
			Roots: 1, Units: 2, Objects: 4, References: 3, Latent: map[string]int{"Rollout -> ConfigMap": 1, "A -> B": 2},
			Findings: 1, Releases: 12, Verdicts: map[string]int{"race": 1, "undecided": 2, "safe": 7}, Gaps: map[string]int{"unparsable": 1},
		},
	}
}

func TestGolden(t *testing.T) {
	for _, f := range report.Formats() {
		var out bytes.Buffer
		if err := report.Write(&out, f, full(), report.Options{Units: true}); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("testdata", "full."+string(f))
		if *update {
			if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s differs from %s:\n%s", f, name, out.String())
		}
	}
}

func TestJSONFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/report.json")
	if err != nil {
		t.Fatal(err)
	}
	empty := diag.Report{Schema: diag.SchemaVersion, Units: []diag.Unit{}, Findings: []diag.Finding{}, Gaps: []diag.Gap{}}
	empty.Head.Roots, empty.Head.ThisURLs = []diag.Root{}, []string{}
	empty.Counts.Latent, empty.Counts.Gaps = map[string]int{}, map[string]int{}
	for name, r := range map[string]diag.Report{"full": full(), "empty": empty} {
		var out bytes.Buffer
		if err := report.Write(&out, report.JSON, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryReasonIsInTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/schema/report.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	listed := object.List(schema, "$defs", "gap", "properties", "reason", "enum")
	for _, r := range diag.Reasons() {
		found := false
		for _, l := range listed {
			found = found || l == string(r)
		}
		if !found {
			t.Errorf("reason %q is not in the schema", r)
		}
	}
	if len(listed) != len(diag.Reasons()) {
		t.Errorf("the schema lists %d reasons, there are %d", len(listed), len(diag.Reasons()))
	}
}

func TestTextJoinsGapsOfOneCause(t *testing.T) {
	var r diag.Report
	for _, u := range []string{"a", "b", "c", "d", "e", "f"} {
		r.Gaps = append(r.Gaps, diag.Gap{Reason: diag.Remote, At: object.Location{File: "x"}, Unit: u, Message: "m", Close: "c"})
	}
	r.Gaps = append(r.Gaps, diag.Gap{Reason: diag.Remote, At: object.Location{File: "x"}, Unit: "g", Message: "another", Close: "c"})
	var out bytes.Buffer
	if err := report.Write(&out, report.Text, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(out.String(), "close it\n")
	want := `  remote  x  a, b, c, d and 2 more
      m
      close: c
  remote  x  g
      another
      close: c
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestTextJoinsPlacesOfOneCause(t *testing.T) {
	var r diag.Report
	for i, f := range []string{"a", "b", "c", "d", "e", "f"} {
		r.Gaps = append(r.Gaps, diag.Gap{Reason: diag.Remote, At: object.Location{File: f, Line: i}, Unit: "u" + f, Message: "m", Close: "c"})
	}
	want := `  remote  a  ua
  remote  b:1  ub
  remote  c:2  uc
  remote  d:3  ud
  remote  and 2 more places
      m
      close: c
`
	if _, got, _ := strings.Cut(text(t, r), "close it\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestTextDrawsAFan(t *testing.T) {
	var r diag.Report
	for _, c := range []string{"a", "b", "c", "d", "e"} {
		r.Latent = append(r.Latent, diag.Latent{
			ID: "0000000" + c, Rule: "split-pair", Summary: "s",
			Instances: []diag.Instance{{
				Consumer: diag.End{Object: "Deployment shop/" + c, Unit: c},
				Provider: diag.End{Object: "ConfigMap shop/env", Unit: "config", At: object.Location{File: "env.yaml", Line: 1}},
				Links:    []string{"start"},
			}},
		})
	}
	want := `  split-pair  5 objects of other units read ConfigMap shop/env
      config  env.yaml:1
        0000000a  Deployment shop/a  (a)
        0000000b  Deployment shop/b  (b)
        0000000c  Deployment shop/c  (c)
        0000000d  Deployment shop/d  (d)
        0000000e  Deployment shop/e  (e)
`
	if _, got, _ := strings.Cut(text(t, r), "looked at\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func text(t *testing.T, r diag.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, report.Text, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextMovesNoCursor(t *testing.T) {
	var out bytes.Buffer
	if err := report.Write(&out, report.Text, full(), report.Options{Units: true}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("control characters reach the terminal:\n%q", out.String())
	}
}

// What cannot happen any more comes last, however grave it was.
func TestPastComesLast(t *testing.T) {
	list := []diag.Finding{
		{ID: "1", Verdict: "broken", Now: "Deployment shop/web is gone"},
		{ID: "2", Verdict: "race"},
		{ID: "3", Verdict: "broken"},
	}
	slices.SortFunc(list, diag.Finding.Compare)
	if got := list[0].ID + list[1].ID + list[2].ID; got != "321" {
		t.Errorf("order %s", got)
	}
}
