package pipeline_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/source"
)

// together are the findings about windows.
func together(r diag.Report) []diag.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f diag.Finding) bool { return f.Release.Window == "" })
}

// Two commits, each of which touches one end, are safe by themselves. A unit that sees both at once delivers them as one.
func TestWindow(t *testing.T) {
	for _, tc := range []struct {
		name           string
		second, third  time.Time
		window         time.Duration
		imageFirst     bool
		verdict, apart string // "" for none
	}{
		{name: "12 minutes", second: noon, third: noon.Add(12 * time.Minute), window: time.Hour, verdict: "exposed", apart: "12 min"},
		{name: "the other way round", second: noon, third: noon.Add(12 * time.Minute), window: time.Hour, imageFirst: true, verdict: "fragile", apart: "12 min"},
		{name: "the very hour", second: noon, third: noon.Add(time.Hour), window: time.Hour, verdict: "exposed", apart: "1 h"},
		{name: "a second more", second: noon, third: noon.Add(time.Hour + time.Second), window: time.Hour},
		{name: "not asked for", second: noon, third: noon.Add(12 * time.Minute)},
		{name: "dates that go backwards", second: noon, third: noon.Add(-time.Minute), window: time.Hour},
		{name: "dates of 1970", second: time.Unix(0, 0).UTC(), third: time.Unix(60, 0).UTC(), window: time.Hour},
		{name: "from 1970 to 2099", second: time.Unix(0, 0).UTC(), third: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), window: time.Hour},
		{name: "from 2099 to now", second: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), third: noon, window: time.Hour},
	} {
		t.Run(tc.name, func(t *testing.T) {
			halves := []map[string][]byte{files("other/c.yaml", cc("two")), files("web/d.yaml", web(2))}
			if tc.imageFirst {
				slices.Reverse(halves)
			}
			r, ids := past(t, []source.Change{
				first(), {Message: "one half", When: tc.second, Files: halves[0]}, {Message: "the other", When: tc.third, Files: halves[1]},
			}, func(in *pipeline.Input) { in.All, in.Releases.Window = true, tc.window })
			list := together(r)
			if got := len(list) == 1; got != (tc.verdict != "") {
				t.Fatalf("%d windows", len(list))
			}
			if n := r.Counts.Verdicts["safe"]; n != 2 {
				t.Errorf("by themselves: %v", r.Counts.Verdicts)
			}
			if tc.verdict == "" {
				return
			}
			f := list[0]
			want := ids[1][:7] + " and " + ids[2][:7] + ", " + tc.apart + " apart: delivered as one if a unit sees both at once"
			if f.Verdict != tc.verdict || f.Release.Window != want || !strings.HasPrefix(f.Message, want+"; ") || f.Releases[0].With != ids[1][:7] {
				t.Errorf("%s, %q, %q", f.Verdict, f.Release.Window, f.Message)
			}
			e := f.Story.Evidence
			if e.Touched != 2 || e.Both != 0 || len(e.Windows) != 1 || e.Windows[0].Verdict != tc.verdict || e.Windows[0].Apart != tc.apart {
				t.Errorf("evidence %+v", e)
			}
		})
	}
}

// Only neighbours that touch the pair are looked at, and dates between them have to make sense.
func TestWindowNeighbours(t *testing.T) {
	minute := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }
	note := func(when time.Time) source.Change {
		return source.Change{Message: "note", When: when, Files: files("NOTE.md", []byte(when.String()))}
	}
	image := func(n, at int) source.Change {
		return source.Change{Message: "image", When: minute(at), Files: files("web/d.yaml", web(n))}
	}
	settings := source.Change{Message: "settings", When: minute(20), Files: files("other/c.yaml", cc("two"))}
	for _, tc := range []struct {
		name    string
		changes []source.Change
		windows int
	}{
		{"nothing between", []source.Change{image(2, 0), settings}, 1},
		{"a note between", []source.Change{image(2, 0), note(minute(10)), settings}, 1},
		{"a note of another year between", []source.Change{image(2, 0), note(minute(60 * 24 * 365)), settings}, 0},
		{"a note of last year between", []source.Change{image(2, 0), note(minute(-60 * 24 * 365)), settings}, 0},
		{"three in a row", []source.Change{image(2, 0), image(3, 10), settings}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			start := first()
			start.When = minute(-600)
			r, _ := past(t, append([]source.Change{start}, tc.changes...), all)
			n := 0
			for _, f := range r.Findings {
				if f.Story != nil {
					n = max(n, len(f.Story.Evidence.Windows))
				}
			}
			if n != tc.windows {
				t.Errorf("%d windows, want %d", n, tc.windows)
			}
		})
	}
}

// A window that is no worse than its releases by themselves is told with the pair, and is no finding of its own.
func TestWindowOfARevert(t *testing.T) {
	r, ids := past(t, []source.Change{
		first(),
		{Message: "release 2", When: noon.Add(24 * time.Hour), Files: files("web/d.yaml", web(2), "other/c.yaml", cc("two"))},
		{
			Message: "Revert \"release 2\"\n\nThis reverts commit %1.", When: noon.Add(24*time.Hour + 52*time.Minute),
			Files: files("web/d.yaml", web(1), "other/c.yaml", cc("one")),
		},
	}, nil)
	if n := len(together(r)); n != 0 || len(r.Findings) != 1 || len(r.Findings[0].Releases) != 2 {
		t.Fatalf("%d windows of %d findings", n, len(r.Findings))
	}
	e := r.Findings[0].Story.Evidence
	if len(e.Windows) != 1 || e.Windows[0].Commits[1].Commit != ids[2] || len(e.Fixes) != 1 || e.Fixes[0].Kind != "revert" || e.Fixes[0].After != "52 min" {
		t.Errorf("windows %+v, fixes %+v", e.Windows, e.Fixes)
	}
}
