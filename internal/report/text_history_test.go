package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
)

func TestHistoryWords(t *testing.T) {
	for _, tc := range []struct {
		counts diag.Counts
		want   []string
	}{
		{diag.Counts{Releases: 53, Commits: 53}, nil},
		{diag.Counts{Commits: 3}, nil}, // what was judged says that there is no release
		{diag.Counts{Releases: 53, Commits: 74}, []string{"53 releases among 74 commits: the others change nothing that is rendered"}},
		{
			diag.Counts{Releases: 2, Commits: 2, Partial: 1, PartialBy: map[string]int{"render-failed": 1, "remote": 1}},
			[]string{"1 release could not be rendered in full: remote 1, render-failed 1"},
		},
	} {
		if got := historyWords(tc.counts); !slices.Equal(got, tc.want) {
			t.Errorf("%+v: %q, want %q", tc.counts, got, tc.want)
		}
	}
	if got := judgedWords(diag.Report{Units: []diag.Unit{{Rendered: true}, {}}, Counts: diag.Counts{Commits: 1}}); !strings.HasSuffix(got, "as far as they could be rendered: 1 of 2 could (see gaps)") {
		t.Errorf("some could not be rendered: %q", got)
	}
	if got := judgedWords(diag.Report{Units: []diag.Unit{{Rendered: true}}, Counts: diag.Counts{Commits: 1}}); got != "no release: nothing that units render changes" {
		t.Errorf("no release: %q", got)
	}
}

func TestEvidenceWords(t *testing.T) {
	one, two := diag.Commit{Commit: "11", Short: "1", Subject: "api v2"}, diag.Commit{Commit: "22", Short: "2", Subject: "back"}
	e := &diag.Evidence{Judged: 41, Commits: 53, Touched: 24, Both: 3, By: map[string]int{"race": 20, "safe": 4}}
	for got, want := range map[string]string{
		evidenceWords(e): "24 of the 41 releases among the last 53 commits touch the pair, 3 of them both ends: 20 race, 4 safe",
		evidenceWords(&diag.Evidence{Judged: 41, Commits: 41, Touched: 1, By: map[string]int{"safe": 1}}):                                                   "1 of the last 41 releases touch the pair, none of them both ends: 1 safe",
		fixWords(diag.Fix{Release: one, By: two, Kind: "revert", After: "24 min"}):                                                                          `1 "api v2" was reverted after 24 min (2)`,
		fixWords(diag.Fix{Release: one, By: two, Kind: "revert"}):                                                                                           `1 "api v2" was reverted (2)`,
		fixWords(diag.Fix{Release: one, By: two, Kind: "fix", After: "2 h"}):                                                                                `1 "api v2" was fixed after 2 h by 2 "back"`,
		fixWords(diag.Fix{Release: one, By: two, Kind: "follow-up", After: "2 h"}):                                                                          `1 "api v2" was followed after 2 h by 2 "back"`,
		togetherWords(diag.Window{Commits: []diag.Commit{one, two}, Apart: "12 min", Verdict: "exposed"}, nil):                                              "1 and 2, 12 min apart, are delivered as one if a unit sees both at once: exposed",
		togetherWords(diag.Window{Commits: []diag.Commit{one, two}, Apart: "24 min", Verdict: "race"}, []diag.Fix{{Release: one, By: two, Kind: "revert"}}): "1 and its revert 2, 24 min apart, are delivered as one if a unit sees both at once: race",
		lastYear(e): "the last year",
		lastYear(&diag.Evidence{Last: &diag.Commit{Date: "2026-07-07T08:00:00Z"}}): "the year before 2026-07-07",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Those parts of a merge that touch the pair are told first, and how many there are in all.
func TestPartWords(t *testing.T) {
	part := func(name string, touches bool) diag.Part {
		return diag.Part{Commit: diag.Commit{Short: name}, Touches: touches}
	}
	r := &diag.Release{Commit: diag.Commit{Subject: "Merge branch release"}, Base: make([]diag.Commit, 1), Brings: 2, Parts: []diag.Part{part("a", false), part("b", true)}}
	if got := partWords(r); got != "merges 2 commits: b, a" {
		t.Error(got)
	}
	r.Brings, r.Parts = 14, slices.Repeat(r.Parts, 7)
	if got := partWords(r); got != "merges 14 commits, among them: b, b, b, b, b" {
		t.Error(got)
	}
	r.Subject = "api v2\x1b[31m"
	if got := partWords(r); !strings.HasPrefix(got, "brings 14 commits") {
		t.Error(got)
	}
	if got := partWords(&diag.Release{}); got != "" {
		t.Error(got)
	}
}
