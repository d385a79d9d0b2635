package pipeline_test

import (
	"slices"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
)

// evidence is that of the only pair.
func evidence(t *testing.T, r diag.Report) *diag.Evidence {
	t.Helper()
	for _, f := range r.Findings {
		if f.Story != nil {
			return f.Story.Evidence
		}
	}
	t.Fatalf("no story in %d findings", len(r.Findings))
	return nil
}

// What a follow-up says decides what it is called; a revert that names what it takes back counts however late it is.
func TestFixes(t *testing.T) {
	const day = 24 * time.Hour
	for _, tc := range []struct {
		message string
		after   time.Duration
		want    string // "kind after"; "" for none
	}{
		{"web 3", 3 * time.Hour, "follow-up 3 h"},
		{"web 3", 25 * time.Hour, ""},
		{"web 3", -time.Hour, ""},
		{"fix: settings of web", time.Hour, "fix 1 h"},
		{"Hotfix for web", time.Hour, "fix 1 h"},
		{"hot-fix web", time.Hour, "fix 1 h"},
		{"roll back web", time.Hour, "fix 1 h"},
		{"Rollback of web 2", time.Hour, "fix 1 h"},
		{"undo web 2", time.Hour, "fix 1 h"},
		{"web is broken", time.Hour, "fix 1 h"},
		{"after the incident", time.Hour, "fix 1 h"},
		{"prefix of the fixture", time.Hour, "follow-up 1 h"},
		{"fix: settings of web", 25 * time.Hour, ""},
		{"Revert \"web 2\"", time.Hour, "revert 1 h"},
		{"Revert \"web 2\"", 25 * time.Hour, ""},
		{"Revert \"web 2\"\n\nThis reverts commit %1.", 30 * day, "revert 30 d"},
		{"back to 1\n\nthis reverts commit %1, reversing\nchanges made to %0.", 50 * time.Hour, "revert 2 d 2 h"},
		{"back to 1\n\nThis reverts commit %1.", -time.Hour, "revert "},
		{"back to 1\n\nThis reverts commit %0.", 2 * day, ""},
		{"back to 1\n\nThis reverts commit 0000000.", 2 * day, ""},
	} {
		t.Run(tc.message, func(t *testing.T) {
			at := noon.Add(day)
			r, ids := past(t, []source.Change{
				first(),
				{Message: "web 2", When: at, Files: files("web/d.yaml", web(2), "other/c.yaml", cc("two"))},
				{Message: tc.message, When: at.Add(tc.after), Files: files("web/d.yaml", web(3), "other/c.yaml", cc("three"))},
			}, nil)
			got := ""
			for _, f := range evidence(t, r).Fixes {
				got += f.Kind + " " + f.After
				if f.Release.Commit != ids[1] || f.By.Commit != ids[2] {
					t.Errorf("%+v", f)
				}
			}
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// A revert that came in by a merge, and a revert of what a merge brought.
func TestRevertsBehindMerges(t *testing.T) {
	r, ids := past(t, []source.Change{
		first(),
		{Branch: "two", From: "main", Message: "image 2", Files: files("web/d.yaml", web(2))},
		{Branch: "two", Message: "settings 2", Files: files("other/c.yaml", cc("two"))},
		{Message: "Merge two", Merge: []string{"two"}, Files: files("web/d.yaml", web(2), "other/c.yaml", cc("two"))},
		{Branch: "back", From: "main", Message: "notes", Files: files("NOTES", []byte("n"))},
		{Branch: "back", Message: "no\n\nThis reverts commit %2.", Files: files("web/d.yaml", web(1), "other/c.yaml", cc("one"))},
		{Message: "Merge back", Merge: []string{"back"}, Files: files("web/d.yaml", web(1), "other/c.yaml", cc("one"))},
	}, nil)
	e := evidence(t, r)
	if len(e.Fixes) != 1 || e.Fixes[0].Release.Commit != ids[3] || e.Fixes[0].By.Commit != ids[6] || e.Fixes[0].Kind != "revert" {
		t.Errorf("fixes %+v", e.Fixes)
	}
}

// A value that comes into both ends at once says more than that both changed.
func TestSharedLiteral(t *testing.T) {
	for name, tc := range map[string]struct {
		image string
		want  int
	}{"the same": {"r/web:v1.7.0", 1}, "another": {"r/web:v2.0.0", 0}} {
		t.Run(name, func(t *testing.T) {
			r, _ := past(t, []source.Change{
				first(),
				{Message: "both", Files: files("other/c.yaml", cc("schema v1.7.0"), "web/d.yaml", []byte(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web},
  spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "`+tc.image+`", envFrom: [{configMapRef: {name: cc}}]}]}}}}`))},
			}, nil)
			if e := evidence(t, r); e.Both != 1 || e.Literal != tc.want {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Findings of one verdict: what hurt comes before what only changed together, however often that was; then the newest.
func TestRank(t *testing.T) {
	shown := func(id string) []diag.Shown { return []diag.Shown{{Commit: diag.Commit{Commit: id}}} }
	finding := func(name, verdict, persistence, date string, both int, kind string) diag.Finding {
		f := diag.Finding{
			ID: name, Verdict: verdict, Persistence: persistence, Visibility: "silent", Title: name, Releases: shown(name),
			Release: &diag.Release{Commit: diag.Commit{Commit: name, Date: date}},
			Story:   &diag.Story{Evidence: &diag.Evidence{Touched: 300, Both: both}},
		}
		if kind != "" {
			f.Story.Evidence.Fixes = []diag.Fix{{Release: diag.Commit{Commit: name}, Kind: kind}}
		}
		return f
	}
	want := []diag.Finding{
		finding("structure", "structure", "", "2020", 0, ""),
		finding("broken", "broken", "transient", "2020", 0, ""),
		finding("reverted", "race", "sticky", "2021", 1, "revert"),
		finding("fixed", "race", "sticky", "2022", 1, "fix"),
		finding("followed", "race", "sticky", "2023", 1, "follow-up"),
		finding("together", "race", "sticky", "2024", 90, ""),
		finding("together before", "race", "sticky", "2023", 300, ""),
		finding("alone", "race", "sticky", "2026", 0, ""),
		finding("passes", "race", "transient", "2026", 1, "revert"),
		finding("exposed", "exposed", "sticky", "2026", 1, "revert"),
	}
	other := finding("another shape of that pair", "race", "sticky", "2019", 300, "")
	other.Story.Evidence.Fixes = []diag.Fix{{Release: diag.Commit{Commit: "reverted"}, Kind: "revert"}}
	want = slices.Insert(want, 7, other)
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, diag.Finding.Compare)
	for i := range want {
		if got[i].ID != want[i].ID {
			t.Errorf("place %d has %q, want %q", i, got[i].ID, want[i].ID)
		}
	}
}
