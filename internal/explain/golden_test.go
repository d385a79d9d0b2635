package explain_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shopReport is what scan --all says of the shop: one finding of each verdict and more.
func shopReport(t *testing.T) diag.Report {
	t.Helper()
	r := diag.Report{
		Schema: diag.SchemaVersion,
		Head: diag.Head{
			Revision: "9e2f1c4" + strings.Repeat("0", 33), Subject: "release api v1.9.0", Date: "2026-01-20T09:30:00Z",
			Roots: []diag.Root{}, ThisURLs: []string{}, Assumptions: []string{"Argo CD 3.5, polling"},
		},
		Units: []diag.Unit{}, Gaps: []diag.Gap{},
		Counts: diag.Counts{Latent: map[string]int{}, Gaps: map[string]int{}, Verdicts: map[string]int{}},
	}
	for i, tc := range golden() {
		c := tc.context
		if c.ID == "" {
			c = shop("split-pair")
		}
		c.ID = strings.Repeat(string("abcdef01234567"[i]), 8)
		f := explain.Finding(solve(t, tc.p), c)
		r.Findings = append(r.Findings, f)
		r.Counts.Verdicts[f.Verdict]++
	}
	slices.SortStableFunc(r.Findings, diag.Finding.Compare)
	r.Counts.Findings = len(r.Findings)
	return r
}

func TestGolden(t *testing.T) {
	r := shopReport(t)
	for _, f := range report.Formats() {
		var out bytes.Buffer
		if err := report.Write(&out, f, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("testdata", "shop."+string(f))
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

func TestFindingsFollowTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/report.json")
	if err != nil {
		t.Fatal(err)
	}
	r := shopReport(t)
	for _, tc := range solved(t) {
		r.Findings = append(r.Findings, explain.Finding(tc.s, shop("split-pair")))
	}
	var out bytes.Buffer
	if err := report.Write(&out, report.JSON, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Error(err)
	}
}

// pipelineContext is shop with what a pipeline knows of other releases and places.
func pipelineContext() explain.Context {
	c := shop("split-pair")
	c.Releases = []diag.Shown{
		{Commit: diag.Commit{Commit: "9e2f1c4" + strings.Repeat("0", 33), Short: "9e2f1c4", Subject: "release api v1.9.0", Date: "2026-01-20T09:30:00Z"}, Verdict: "race", Breaking: "no"},
		{Commit: diag.Commit{Commit: "5c0ffee" + strings.Repeat("0", 33), Short: "5c0ffee", Subject: "release api v1.7.0", Date: "2025-12-02T09:30:00Z"}, Verdict: "race", Breaking: "yes"},
	}
	for _, env := range []string{"prd", "stg"} {
		c.Instances = append(c.Instances, diag.Instance{
			Consumer: diag.End{Object: "Rollout api/api", Unit: "api-" + env, At: object.Location{File: "app/helm/api/values/" + env + ".yaml", Line: 4}},
			Provider: diag.End{Object: "ConfigMap api/api-descriptor", Unit: "config-" + env, At: object.Location{File: "app/config/files/api.pb"}},
			Links:    []string{},
		})
	}
	return c
}
