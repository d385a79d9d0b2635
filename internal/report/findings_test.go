package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
)

// everything has every field of a finding set, some to text that wants to be more than text.
func everything() diag.Finding {
	call := diag.Call{What: "GET /v1/orders/{id}", Meets: "415, not routed", New: true}
	steps := []diag.Step{
		{Number: 1, Actor: "api", Does: "syncs 9e2f1c4", Then: "Rollout api/api gets image v1.9.0"},
		{Number: 2, Actor: "Rollout api", Unusual: "stale-kubelet", Does: "starts a pod", Then: "its proxy loads d @ v1.8.0"},
	}
	opening := diag.Opening{Needs: []string{"stale-kubelet"}, Harm: "skew", Persistence: "sticky", Visibility: "silent", Maybe: true, Steps: steps}
	commit := diag.Commit{Commit: strings.Repeat("5a", 20), Short: "5a5a5a5", Subject: "release | @everyone <b>`x`", Date: "2026-01-20T09:30:00Z"}
	return diag.Finding{
		ID: "4f1c9a02", Rule: "split-pair", Verdict: "race", Title: "Rollout api/api <-> ConfigMap api/d_e", Message: "release 5a5a5a5 breaks them",
		At:   object.Location{File: "app/values.yaml", Line: 4},
		Gaps: []diag.Gap{{Reason: diag.Unparsable, At: object.Location{File: "a.yaml", Line: 9}, Unit: "api", Message: "no YAML", Close: "correct it"}},
		Harm: "skew", Persistence: "sticky", Visibility: "silent", Needs: []string{"stale-kubelet", "churn or scale"}, Unavoidable: true,
		Unknown: []string{"whether v1.9.0 works"}, Reason: "a bound", Close: "say it",
		Breaking: "yes", Breaks: []diag.Call{call}, AlreadyBroken: []diag.Call{{What: "GET /v1/old", Meets: "503"}}, Repaired: true,
		Release: &diag.Release{Commit: commit, Base: []diag.Commit{commit, commit}, Changes: "changes both, in one commit"},
		Changes: []diag.Change{{Unit: "api", At: object.Location{File: "app/values.yaml", Line: 4}, What: "image https://me:secret@registry/api v1.8.0 -> v1.9.0"}},
		Assumes: []string{"image v1.9.0 serves the descriptor committed with it", "Argo CD 3.5, polling"},
		Steps:   steps, Outcome: []diag.Call{call}, Lasts: "stays until somebody acts", Window: "up to 180 s",
		Orders: &diag.Orders{
			ProviderFirst: diag.Order{Sentence: "config first may break", Openings: []diag.Opening{opening}},
			ConsumerFirst: diag.Order{Sentence: "api first breaks", Openings: []diag.Opening{{Needs: []string{}, Harm: "skew", Persistence: "sticky", Visibility: "silent"}}},
		},
		Openings: []diag.Opening{opening},
		Releases: []diag.Shown{{Commit: commit, Verdict: "race", Breaking: "yes"}, {Commit: commit, Verdict: "fragile"}},
		Instances: []diag.Instance{
			{Consumer: diag.End{Object: "Rollout api/api", Unit: "api-prd"}, Provider: diag.End{Object: "ConfigMap api/d_e", Unit: "config-prd"}, Links: []string{"start"}},
			{Consumer: diag.End{Object: "Rollout api/api", Unit: "api-stg"}, Provider: diag.End{Object: "ConfigMap api/d_e", Unit: "config-stg"}, Links: []string{"start"}},
		},
		Proof: &diag.Proof{States: 837, Edges: 2447, UnusualSteps: 2, Bound: "2000000 states"},
	}
}

func written(t *testing.T, f report.Format, r diag.Report, o report.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, f, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLittleToSay prints findings of which little is known: no heading without a text behind it.
func TestLittleToSay(t *testing.T) {
	r := diag.Report{Findings: []diag.Finding{
		{ID: "aaaaaaaa", Rule: "shared-object", Verdict: "standing", Title: "ConfigMap api/env", Message: "two units render ConfigMap api/env: a and b", At: object.Location{File: "a.yaml", Line: 3}, Complete: true},
		{ID: "bbbbbbbb", Rule: "split-pair", Verdict: "undecided", Title: "A <-> B", Reason: "the search ended at a bound", Complete: true},
		{ID: "cccccccc", Rule: "split-pair", Verdict: "safe", Title: "A <-> B", Complete: true, Release: &diag.Release{Commit: diag.Commit{Short: "9e2f1c4"}}, Proof: &diag.Proof{States: 837, UnusualSteps: 2}},
		{ID: "dddddddd", Rule: "split-pair", Verdict: "safe", Title: "A <-> C", Proof: &diag.Proof{States: 1, UnusualSteps: 1}},
	}}
	want := `STANDING  aaaaaaaa  shared-object  ConfigMap api/env
  what      two units render ConfigMap api/env: a and b
  at        a.yaml:3

UNDECIDED  bbbbbbbb  split-pair  A <-> B
  why       the search ended at a bound

SAFE  cccccccc  split-pair  A <-> B  release 9e2f1c4: no harm with up to 2 unusual steps, 837 states
SAFE  dddddddd  split-pair  A <-> C  no harm with up to 1 unusual step, 1 state, as far as could be seen
`
	if _, got, _ := strings.Cut(written(t, report.Text, r, report.Options{}), "FINDINGS\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	markdown := written(t, report.Markdown, r, report.Options{})
	for _, line := range []string{
		"### syncproof: 1 standing, 1 undecided, 2 safe",
		"| **STANDING** | Two units render ConfigMap api/env: a and b |  | `aaaaaaaa` |",
		"- A &lt;-&gt; C, no harm with up to 1 unusual step, 1 state, as far as could be seen",
	} {
		if !slices.Contains(strings.Split(markdown, "\n"), line) {
			t.Errorf("no line %q in:\n%s", line, markdown)
		}
	}
}

func TestHeadCountsWhatWasJudged(t *testing.T) {
	text := written(t, report.Text, full(), report.Options{})
	if want := "findings    1 race\njudged      10 pairs in releases: 1 race, 2 undecided, 7 safe\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in:\n%s", want, text)
	}
}

func TestColourIsOfTheVerdictAlone(t *testing.T) {
	plain, coloured := written(t, report.Text, full(), report.Options{}), written(t, report.Text, full(), report.Options{Colour: true})
	if strings.ReplaceAll(strings.ReplaceAll(coloured, "\x1b[1;31m", ""), "\x1b[0m", "") != plain {
		t.Error("colours change more than the verdict")
	}
	if strings.Count(coloured, "\x1b") != 2 || strings.Contains(plain, "\x1b") {
		t.Errorf("%d escapes with colours, %d without", strings.Count(coloured, "\x1b"), strings.Count(plain, "\x1b"))
	}
}

// hostile is a text of a repository at its worst.
const hostile = "x|</details><script>`*_[a](https://me:hunter2@evil.example/)\x1b[31m\u202e @root #1 $y$ www.evil.example\n# h"

// TestFindingsAreText puts hostile text into every string of a finding.
func TestFindingsAreText(t *testing.T) {
	f := everything()
	for _, s := range []*string{
		&f.Title, &f.Message, &f.At.File, &f.Unknown[0], &f.Close, &f.Breaks[0].What, &f.Breaks[0].Meets, &f.AlreadyBroken[0].What,
		&f.Release.Subject, &f.Release.Changes, &f.Release.Base[1].Subject, &f.Changes[0].Unit, &f.Changes[0].What, &f.Changes[0].At.File,
		&f.Assumes[0], &f.Steps[0].Actor, &f.Steps[0].Does, &f.Steps[0].Then, &f.Outcome[0].What, &f.Lasts, &f.Window, &f.Gaps[0].Message,
		&f.Orders.ProviderFirst.Sentence, &f.Releases[0].Subject, &f.Instances[0].Consumer.Object, &f.Instances[0].Provider.Unit,
	} {
		*s = hostile
	}
	r := full()
	r.Findings = []diag.Finding{f, f, f}
	r.Findings[1].Verdict, r.Findings[2].Verdict = "safe", "undecided"
	r.Findings[2].Steps, r.Findings[2].Reason = nil, hostile
	for _, format := range report.Formats() {
		out := written(t, format, r, report.Options{})
		if strings.Contains(out, "hunter2") {
			t.Errorf("%s: a password is printed", format)
		}
		if strings.ContainsAny(out, "\x1b") || format != report.JSON && strings.ContainsAny(out, "\u202e") {
			t.Errorf("%s: control characters are printed", format)
		}
	}
	for i, line := range strings.Split(written(t, report.Markdown, r, report.Options{}), "\n") {
		ours := strings.NewReplacer("<details>", "", "</details>", "", "<summary>", "", "</summary>", "", "<b>", "", "</b>", "", "<br>", "").Replace(outsideCode(line))
		if strings.ContainsAny(ours, "<>") || strings.Contains(ours, "@r") || strings.Contains(ours, "#1") || strings.Contains(ours, "://") || strings.Contains(ours, "www.") {
			t.Errorf("line %d of the markdown is alive: %s", i+1, line)
		}
		if i > 0 && strings.HasPrefix(line, "#") {
			t.Errorf("line %d of the markdown is a heading: %s", i+1, line)
		}
		if strings.HasPrefix(line, "| ") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("line %d of the markdown has another number of cells: %s", i+1, line)
		}
	}
}

// outsideCode is a line of markdown without what stands between backticks.
func outsideCode(line string) string {
	out := ""
	for i, part := range strings.Split(strings.ReplaceAll(line, "\\`", ""), "`") {
		if i%2 == 0 {
			out += part
		}
	}
	return out
}

// TestLinesStayNarrow wraps long sentences; what cannot be broken may be longer.
func TestLinesStayNarrow(t *testing.T) {
	f := everything()
	f.Lasts = strings.Repeat("word ", 60)
	f.Steps[1].Then = strings.Repeat("word ", 60)
	f.Steps[0].Does = strings.Repeat("does ", 12)
	f.Changes[0].At.File = strings.Repeat("deep/", 15) + "values.yaml"
	f.Orders.ProviderFirst.Sentence = strings.Repeat("word ", 60)
	r := full()
	r.Findings = []diag.Finding{f}
	_, text, _ := strings.Cut(written(t, report.Text, r, report.Options{}), "FINDINGS\n")
	text, _, _ = strings.Cut(text, "\nUNITS")
	for _, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > 118 && strings.Contains(line, "word") || strings.HasSuffix(line, " ") {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
		}
	}
}

// TestSubjectsAreCut bounds what is printed of a subject wherever one stands, and quotes without escaping.
func TestSubjectsAreCut(t *testing.T) {
	long := diag.Commit{Commit: strings.Repeat("5a", 20), Short: "5a5a5a5", Subject: `the "old" ` + strings.Repeat("é", 10000), Date: "2026-01-20T09:30:00Z"}
	f := everything()
	f.Release.Commit, f.Releases[0].Commit, f.Releases[1].Commit = long, long, long
	f.Story = &diag.Story{
		Evidence: &diag.Evidence{Judged: 2, Touched: 2, Fixes: []diag.Fix{{Release: long, By: long, Kind: "follow-up", After: "1 h"}}},
		Cause:    &diag.Cause{Since: &long},
	}
	r := full()
	r.Head.Subject, r.Findings = long.Subject, []diag.Finding{f}
	for _, format := range []report.Format{report.Text, report.Markdown} {
		text := written(t, format, r, report.Options{Full: true})
		if strings.Contains(text, strings.Repeat("é", 200)) || !strings.Contains(text, "éé...") || strings.Contains(text, `\"old`) {
			t.Errorf("%s prints a subject as it is:\n%.3000s", format, text)
		}
	}
}

// TestCommentsStayShort keeps a report of a thousand findings within what a comment may be.
func TestCommentsStayShort(t *testing.T) {
	r := full()
	for range 1000 {
		r.Findings = append(r.Findings, everything())
	}
	for i := range 1000 {
		r.Gaps = append(r.Gaps, diag.Gap{Reason: diag.Remote, At: object.Location{File: "a"}, Message: strings.Repeat("m", i%7), Close: strings.Repeat("c", i)})
	}
	out := written(t, report.Markdown, r, report.Options{})
	if len(out) > 65_536 {
		t.Errorf("%d bytes", len(out))
	}
	for _, want := range []string{"The details of ", "and 981 more."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("a block of details is left open")
	}
}
