package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
)

// withRemedies is a report of a finding with three remedies: one that leaves something, one that leaves nothing, and one that does
// not apply.
func withRemedies() diag.Report {
	r := full()
	r.Findings = []diag.Finding{everything()}
	opens := func(harm, persistence, visibility string, needs ...string) diag.Opening {
		return diag.Opening{Needs: needs, Harm: harm, Persistence: persistence, Visibility: visibility}
	}
	r.Findings[0].Remedies = []diag.Remedy{
		{
			Name: "multi-source", What: "a's Application gets b's source, too", Level: diag.LevelIntent, Rank: 1, Reason: "before in-image: it costs less to have",
			Releases: 21, Verdict: "fragile", WorstCase: "fragile", By: map[string]int{"fragile": 20, "safe": 1}, Breaking: 2,
			Left: []diag.Opening{
				opens("skew", "sticky", "silent", "manual"), opens("skew", "sticky", "silent", "refused"), opens("blocked", "sticky", "visible", "refused"),
			},
			LeftWorst: []diag.Opening{opens("skew", "sticky", "silent", "manual"), opens("skew", "transient", "visible", "undo")},
			Costs: []diag.Cost{
				{Kind: diag.CostFiles, Text: "2 files of @shop/platform (a.yaml, b.yaml)"}, {Kind: diag.CostFlow, Text: "CI \x1b[31mgoes on"},
			},
			Others: []diag.OtherReader{{Consumer: "Deployment n/other", Unit: "c", Today: "broken", Verdict: "broken"}},
		},
		{
			Name: "in-image", What: "each image brings what it needs", Level: diag.LevelIntent, Rank: 2, Releases: 21, Verdict: "safe", WorstCase: "safe",
			Migration: &diag.Migration{Of: diag.Commit{Commit: "abc", Short: "abc"}, Steps: []diag.MigrationStep{{Name: "expand", What: []string{"add b"}, When: "now"}}},
			By:        map[string]int{"safe": 21}, Left: []diag.Opening{}, LeftWorst: []diag.Opening{}, Costs: []diag.Cost{{Kind: diag.CostPremise, Text: "a | b"}},
			Others: []diag.OtherReader{{Consumer: "Deployment n/other", Unit: "c", Today: "broken", Verdict: "safe"}},
		},
		{
			Name: "checksum", What: "pods carry a checksum", Level: diag.LevelIntent, Refused: "two units render the two", Left: []diag.Opening{},
			LeftWorst: []diag.Opening{}, Costs: []diag.Cost{},
		},
	}
	return r
}

func TestRemediesAreTold(t *testing.T) {
	for format, want := range map[report.Format][]string{
		report.Text: {
			"  remedies  each judged by the same proof, over 21 real releases of the pair",
			"     1  multi-source  fragile (fragile)  {manual} {refused} sticky, silent; in the worst case also {undo} transient,\n",
			"                      Deployment n/other: broken, as today\n",
			"                      costs 2 files of @shop/platform (a.yaml, b.yaml)\n                            CI \ufffd[31mgoes on\n",
			"     2  in-image      safe (safe)        nothing is left\n",
			"                      of abc:\n                      expand: add b (now)\n",
			"                      Deployment n/other: safe, today broken\n",
			"     -  checksum      does not apply: two units render the two\n",
			"in this order: multi-source before in-image: it costs less to have\n",
		},
		report.Markdown: {
			"| 1 | `multi-source`: a's Application gets b's source, too | fragile (fragile) | {manual} {refused} sticky, silent;",
			`| 2 | ` + "`in-image`" + `: each image brings what it needs | safe (safe) | nothing is left | Deployment n/other: safe, today broken<br>a \| b<br>of abc:<br>expand: add b (now) |`,
			"| - | `checksum` | | does not apply: two units render the two | |",
		},
	} {
		var out bytes.Buffer
		if err := report.Write(&out, format, withRemedies(), report.Options{Full: true}); err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%s lacks %q:\n%s", format, line, out.String())
			}
		}
	}
}

func TestRemediesFollowTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/report.json")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out, report.JSON, withRemedies(), report.Options{}); err != nil {
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
