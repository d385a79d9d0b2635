package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
)

// noon is when the first commit of a past is made.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// past is a repository with these commits on main, and the judgement of all of them but the first. A commit without a date is
// made a day after the one before it. What a message says of %0, %1, .. is the id of that commit.
func past(t *testing.T, changes []source.Change, adapt func(*pipeline.Input)) (diag.Report, []string) {
	t.Helper()
	dir := t.TempDir() + "/repository"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Remote: "https://git.example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var ids []string
	when := noon.Add(-24 * time.Hour)
	for _, c := range changes {
		c.Author = source.Person{Name: "T", Mail: "t@example.com"}
		if when = when.Add(24 * time.Hour); c.When.IsZero() {
			c.When = when
		}
		when = c.When
		for i := len(ids) - 1; i >= 0; i-- {
			c.Message = strings.ReplaceAll(c.Message, fmt.Sprintf("%%%d", i), ids[i])
		}
		id, err := w.Commit(c)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return judged(t, dir, adapt), ids
}

// judged looks back over the whole history of a repository.
func judged(t *testing.T, dir string, adapt func(*pipeline.Input)) diag.Report {
	t.Helper()
	in, commits := input(t, dir, 1000)
	in.Discover.Memo = memo.New(memo.Options{})
	in.Discover.Renderer = render.Remember(in.Discover.Renderer, in.Discover.Memo)
	in.Releases.Story, in.Releases.Window = true, pipeline.DefaultWindow
	for i := 1; i < len(commits); i++ {
		in.Releases.Steps = append(in.Releases.Steps, pipeline.Step{Commits: commits[i-1 : i+1]})
	}
	if adapt != nil {
		adapt(&in)
	}
	r, err := pipeline.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// web reads the settings cc of unit other at start; both have a version.
func web(image int) []byte {
	return fmt.Appendf(nil, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v%d", envFrom: [{configMapRef: {name: cc}}]}]}}}}`, image)
}

func cc(value string) []byte {
	return []byte(`{apiVersion: v1, kind: ConfigMap, metadata: {name: cc}, data: {a: "` + value + `"}}`)
}

// first is the commit that the pasts of web and other begin with.
func first() source.Change {
	files := shopFiles(nil)
	files["web/d.yaml"], files["other/c.yaml"] = web(1), cc("one")
	return source.Change{Message: "begin", Files: files}
}

func files(list ...any) map[string][]byte {
	out := map[string][]byte{}
	for i := 0; i < len(list); i += 2 {
		out[list[i].(string)] = list[i+1].([]byte)
	}
	return out
}

// all lists what is safe, too.
func all(in *pipeline.Input) { in.All = true }

// A release is a commit that changes what units render, wherever it writes.
func TestReleasesAreWhatIsRendered(t *testing.T) {
	for _, tc := range []struct {
		name                        string
		change                      source.Change
		commits, releases, partials int
	}{
		{"an image", source.Change{Files: files("web/d.yaml", web(2))}, 1, 1, 0},
		{"a text beside the manifests", source.Change{Files: files("web/README.md", []byte("how"))}, 1, 0, 0},
		{"a comment", source.Change{Files: files("web/d.yaml", append([]byte("# why\n"), web(1)...))}, 1, 0, 0},
		{"a file that moves within its unit", source.Change{Renames: map[string]string{"web/d.yaml": "web/e.yaml"}}, 1, 0, 0},
		{"a folder that no unit reads", source.Change{Files: files("web-old/d.yaml", web(9))}, 1, 0, 0},
		{"permissions", source.Change{Files: files("web/d.yaml", web(1)), Executable: []string{"web/d.yaml"}}, 1, 0, 0},
		{"an object that moves to another unit", source.Change{Renames: map[string]string{"web/d.yaml": "other/d.yaml"}, Files: files("web/s.yaml", []byte(service))}, 1, 1, 0},
		{"an Application that goes", source.Change{Files: files("apps/apps.yaml", []byte(automatedApp("web")))}, 1, 1, 0},
		{"a unit that fails", source.Change{Files: files("other/kustomization.yaml", []byte("resources: [nope.yaml]"))}, 1, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.change.Message = tc.name
			r, _ := past(t, []source.Change{first(), tc.change}, nil)
			if c := r.Counts; c.Commits != tc.commits || c.Releases != tc.releases || c.Partial != tc.partials {
				t.Errorf("%d releases in %d commits, %d in part; want %d, %d, %d", c.Releases, c.Commits, c.Partial, tc.releases, tc.commits, tc.partials)
			}
			if n := r.Counts.PartialBy[string(diag.PathMissing)]; n != tc.partials {
				t.Errorf("reasons %v", r.Counts.PartialBy)
			}
		})
	}
}

// What a unit is called, and where it is kept, is asked at each commit, not at the newest.
func TestOwnershipIsOfTheCommit(t *testing.T) {
	r, _ := past(t, []source.Change{
		first(),
		{Message: "both", Files: files("web/d.yaml", web(2), "other/c.yaml", cc("two"))},
		{
			Message: "front, not web", Renames: map[string]string{"web": "front"},
			Files: files("apps/apps.yaml", []byte(automatedApp("front")+automatedApp("other"))),
		},
		{Message: "both again", Files: files("front/d.yaml", web(3), "other/c.yaml", cc("three"))},
	}, nil)
	var got []string
	for _, f := range r.Findings {
		for _, s := range f.Releases {
			got = append(got, f.Verdict+" "+s.Subject)
		}
	}
	for _, want := range []string{"exposed both", "exposed both again"} {
		if !slices.Contains(got, want) {
			t.Errorf("found %q, not %q", got, want)
		}
	}
	if r.Counts.Releases != 3 {
		t.Errorf("%d releases", r.Counts.Releases)
	}
}

// What a merge brings is one release, and its parts are named.
func TestMergesNameTheirParts(t *testing.T) {
	side := []source.Change{
		first(),
		{Branch: "release", From: "main", Message: "image 2", Files: files("web/d.yaml", web(2))},
		{Branch: "release", Message: "notes", Files: files("NOTES.md", []byte("n"))},
		{Branch: "release", Message: "settings 2", Files: files("other/c.yaml", cc("two"))},
		{Branch: "hotfix", From: "main", Message: "more notes", Files: files("MORE.md", []byte("n"))},
	}
	both := files("web/d.yaml", web(2), "other/c.yaml", cc("two"), "NOTES.md", []byte("n"), "MORE.md", []byte("n"))
	for _, tc := range []struct {
		name   string
		merges []string
		brings int
		parts  []string // newest first
	}{
		{"a branch", []string{"release"}, 3, []string{"settings 2 touches", "notes", "image 2 touches"}},
		{"an octopus", []string{"release", "hotfix"}, 4, []string{"more notes", "settings 2 touches", "notes", "image 2 touches"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, _ := past(t, append(slices.Clone(side), source.Change{Message: "Merge release", Merge: tc.merges, Files: maps.Clone(both)}), nil)
			if len(r.Findings) != 1 || r.Findings[0].Release.Subject != "Merge release" || r.Counts.Releases != 1 {
				t.Fatalf("findings %+v", r.Findings)
			}
			var got []string
			for _, p := range r.Findings[0].Release.Parts {
				text := p.Subject
				if p.Touches {
					text += " touches"
				}
				got = append(got, text)
			}
			if r.Findings[0].Release.Brings != tc.brings || !slices.Equal(got, tc.parts) {
				t.Errorf("brings %d: %q; want %d: %q", r.Findings[0].Release.Brings, got, tc.brings, tc.parts)
			}
		})
	}
}

// The parts of a large merge are bounded; those that touch the pair are not left out.
func TestLargeMergesAreBounded(t *testing.T) {
	changes := []source.Change{first(), {Branch: "release", From: "main", Message: "image 2", Files: files("web/d.yaml", web(2))}}
	for i := range 60 {
		changes = append(changes, source.Change{Branch: "release", Message: fmt.Sprint("notes ", i), Files: files("NOTES.md", fmt.Append(nil, i))})
	}
	changes = append(changes, source.Change{Message: "Merge release", Merge: []string{"release"}, Files: files("web/d.yaml", web(2), "other/c.yaml", cc("two"))})
	r, _ := past(t, changes, nil)
	if len(r.Findings) != 1 {
		t.Fatalf("findings %+v", r.Findings)
	}
	release := r.Findings[0].Release
	if n := len(release.Parts); release.Brings != 61 || n != 20 || release.Parts[n-1].Subject != "image 2" {
		t.Errorf("brings %d, %d told, the last one %+v", release.Brings, n, release.Parts[n-1])
	}
}

// Siblings that change together all the time, without a reference between them, are no finding, nor what they share.
func TestSiblingsStaySilent(t *testing.T) {
	sibling := func(name string, n int) []byte {
		return fmt.Appendf(nil, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {template: {metadata: {labels: {app: %s}},
  spec: {containers: [{name: c, image: "registry/tool:v%d", envFrom: [{configMapRef: {name: %s}}]}]}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {topic: "orders-v%d"}}
`, name, name, n, name, name, n)
	}
	start := shopFiles(nil)
	start["web/a.yaml"], start["other/a.yaml"] = sibling("blue", 0), sibling("green", 0)
	changes := []source.Change{{Message: "begin", Files: start}}
	for n := 1; n <= 30; n++ {
		changes = append(changes, source.Change{
			Message: fmt.Sprintf("bump tool to v%d", n), When: noon.Add(time.Duration(n) * 10 * time.Minute),
			Files: files("web/a.yaml", sibling("blue", n), "other/a.yaml", sibling("green", n)),
		})
	}
	r, _ := past(t, changes, all)
	if len(r.Findings) != 0 || r.Counts.Releases != 30 || len(r.Counts.Verdicts) != 0 {
		t.Errorf("%d findings, counts %+v", len(r.Findings), r.Counts)
	}
}
