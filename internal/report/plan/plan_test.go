package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/plan"
)

// whole is a plan in which everything is said.
func whole() diag.Plan {
	at := diag.Commit{Commit: strings.Repeat("a", 40), Short: "aaaaaaa", Subject: "release api v2", Date: "2026-01-02T03:04:05Z"}
	steps := []diag.Step{{Number: 1, Actor: "config", Unusual: "manual", Does: "is synced by hand", Then: "the ConfigMap is deleted"}}
	left := []diag.Opening{{Needs: []string{"manual"}, Harm: "skew", Persistence: "sticky", Visibility: "silent", Maybe: true, Steps: steps}}
	again := &diag.PlanRelease{Of: at, Verdict: "fragile", Left: left, Hold: "until CI moves"}
	return diag.Plan{
		Schema: diag.PlanSchemaVersion, Finding: "4f1c9a02", Title: "Rollout api/api <-> ConfigMap api/d", At: at, Remedy: "co-locate",
		What: "it moves", Reason: "nothing is before it", Refused: "no sequence is proved", Done: true,
		Stages: []diag.PlanStage{{
			Number: 1, Title: "config: d is not to be pruned", Why: "a mark", Wait: []string{"config is Synced"},
			Files:  []diag.PlanFile{{Path: "a.yaml", From: "b.yaml", Kind: "moved", Added: 2, Deleted: 1, Binary: true, Owner: "@shop/api"}},
			Review: []string{"@shop/api"}, Renders: "1 object changes", Verdict: "safe", Pairs: 1, Left: left, Proved: "safe",
			Held: []string{"FailOnSharedResource"}, Release: again, Rush: "race (absent)",
		}},
		Passed: []diag.PlanPassed{{What: "at once", Why: "race", Steps: steps}}, End: again, Variations: []string{"prune off"}, Judged: 57,
		ByHand: []string{"the pipeline writes d.pb"}, Notes: []string{"a note"},
	}
}

func TestJSONFollowsTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]diag.Plan{
		"whole": whole(),
		"empty": {Schema: diag.PlanSchemaVersion, Finding: "4f1c9a02", At: whole().At, Stages: []diag.PlanStage{}, Done: true},
	} {
		var b bytes.Buffer
		if err := plan.Write(&b, report.JSON, p); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNothingIsLeftOut(t *testing.T) {
	for _, f := range []report.Format{report.Text, report.Markdown} {
		p := whole()
		p.Refused, p.Done = "", false
		var b bytes.Buffer
		if err := plan.Write(&b, f, p); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{
			"co-locate", "config: d is not to be pruned", "a.yaml", "b.yaml", "shop/api", "config is Synced", "race (absent)", "FailOnSharedResource", "the pipeline writes d.pb", "a note", "at once",
			"until CI moves",
		} {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s lacks %q:\n%s", f, text, b.String())
			}
		}
	}
}
