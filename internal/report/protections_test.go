package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
)

// guarded is a finding with what does not protect it, and with whose files it is written in.
func guarded() diag.Finding {
	return diag.Finding{
		ID: "4f1c9a02", Rule: "split-pair", Verdict: "race", Title: "Rollout api/api <-> ConfigMap api/d", Message: "breaks", Needs: []string{}, Complete: true,
		Protections: []diag.Protection{
			{Kind: "application-waves", What: "sync-wave 0 on Application config and 1 on Application api", Why: "they wait for nothing", At: object.Location{File: "apps.yaml", Line: 3}},
			{Kind: "sync-options", What: "self-heal of config", Why: "it acts inside one unit"},
		},
		Story: &diag.Story{Sides: []diag.Side{
			{
				End: "consumer", Unit: "api", Paths: []string{"app/values.yaml"}, Owner: "@shop/api", Owners: []diag.Owned{{By: "@shop/api", Paths: []string{"app/values.yaml"}}},
				Writers: []string{"CI (3 commits)"}, Whose: "a change of the consumer's side is for @shop/api to review",
				Automation: []diag.Writing{{By: "the pipeline of ../api", At: object.Location{Repository: "../api", File: "ci.yaml", Line: 2}, Path: "app/values.yaml", Sure: true}},
			},
			{End: "provider", Unit: "config", Paths: []string{"config/d.pb"}, Owner: "@shop/config"},
		}},
	}
}

func TestProtectionsAndBoundary(t *testing.T) {
	again := guarded()
	again.ID = "11111111"
	r := diag.Report{Findings: []diag.Finding{guarded(), again}, Units: []diag.Unit{}, Gaps: []diag.Gap{}}
	text := written(t, report.Text, r, report.Options{})
	const want = `  no help   sync-wave 0 on Application config and 1 on Application api (apps.yaml:3): they wait for nothing
  whose     consumer, api: app/values.yaml; written in the last year by CI (3 commits)
            a change of the consumer's side is for @shop/api to review
            provider, config: config/d.pb; owned by @shop/config
`
	if strings.Count(text, want) != 1 || strings.Count(text, "no help") != 1 {
		t.Errorf("told not once, but:\n%s", text)
	}
	full := written(t, report.Text, r, report.Options{Full: true})
	if !strings.Contains(full, "            self-heal of config: it acts inside one unit\n") {
		t.Errorf("what nearly every pair has is not told to those who ask for all:\n%s", full)
	}
	markdown := written(t, report.Markdown, r, report.Options{})
	for _, line := range []string{
		"**Looks as if it protected, and does not**",
		"- sync-wave 0 on Application config and 1 on Application api (apps.yaml:3): they wait for nothing",
		"**Whose files**",
	} {
		if !strings.Contains(markdown, line+"\n") {
			t.Errorf("no line %q in:\n%s", line, markdown)
		}
	}
	if strings.Contains(markdown, "@shop") {
		t.Errorf("a team is mentioned: a comment would call it\n%s", markdown)
	}
}

// TestSchemaOfProtections: the parts of the JSON that only some findings have are as the schema says.
func TestSchemaOfProtections(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/report.json")
	if err != nil {
		t.Fatal(err)
	}
	r := full()
	r.Findings = []diag.Finding{guarded()}
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

// TestProtectionsAreText puts hostile text into what is told of protections and sides.
func TestProtectionsAreText(t *testing.T) {
	f := guarded()
	side := &f.Story.Sides[0]
	for _, s := range []*string{
		&f.Protections[0].What, &f.Protections[0].Why, &f.Protections[0].At.File, &side.Unit, &side.Paths[0], &side.Owner, &side.Writers[0], &side.Whose,
	} {
		*s = hostile
	}
	r := diag.Report{Findings: []diag.Finding{f}}
	if text := written(t, report.Text, r, report.Options{}); strings.Contains(text, "\x1b") || strings.Contains(text, "hunter2") {
		t.Errorf("got:\n%q", text)
	}
	for _, bad := range []string{"<script>", "</details><script>", "hunter2", "@root", "\x1b"} {
		if text := written(t, report.Markdown, r, report.Options{}); strings.Contains(text, bad) {
			t.Errorf("%q is in:\n%s", bad, text)
		}
	}
}

// The subject of the commit that split a pair stands in its line; below it stands what else the commit says.
func TestWhatTheCommitSays(t *testing.T) {
	f := guarded()
	f.Story.Cause = &diag.Cause{Since: &diag.Commit{Short: "9d5e32a", Subject: "deliver it once", Date: "2024-03-11T00:00:00Z"}, Message: "deliver it once\n\nTwo copies\ndrifted."}
	text := written(t, report.Text, diag.Report{Findings: []diag.Finding{f}, Units: []diag.Unit{}, Gaps: []diag.Gap{}}, report.Options{Full: true})
	if !strings.Contains(text, "the commit says: Two copies drifted.\n") || strings.Count(text, "deliver it once") != 1 {
		t.Error(text)
	}
}
