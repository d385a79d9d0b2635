package pipeline_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// fleet is a release of many units: each has a Deployment that reads the settings of the next unit, those settings, and some
// more objects that change along.
func fleet(units, more, version int) map[string][]byte {
	files := map[string][]byte{}
	var apps strings.Builder
	for u := range units {
		name := fmt.Sprintf("u%02d", u)
		apps.WriteString(app(name, name, inCluster))
		files[name+"/deploy.yaml"] = fmt.Appendf(nil, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {template: {metadata: {labels: {a: %s}},
  spec: {containers: [{name: c, image: "registry/i:v%d", envFrom: [{configMapRef: {name: u%02d}}]}]}}}}`, name, name, version, (u+1)%units)
		files[name+"/settings.yaml"] = fmt.Appendf(nil, `{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {a: "%d"}}`, name, version)
		for i := range more {
			files[fmt.Sprintf("%s/more%d.yaml", name, i)] = fmt.Appendf(nil, `{apiVersion: v1, kind: ConfigMap, metadata: {name: %s-%d}, data: {a: "%d"}}`, name, i, version)
		}
	}
	files["apps/apps.yaml"] = []byte(apps.String())
	return files
}

// released is a repository of two commits, and its judgement.
func released(t *testing.T, ctx context.Context, before, after map[string][]byte, change func(*pipeline.Input)) (diag.Report, error) {
	t.Helper()
	dir := t.TempDir() + "/repository"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Remote: "https://git.example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	when := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	by := source.Person{Name: "T", Mail: "t@example.com"}
	gone := maps.Clone(after) // what the second commit takes away
	for name := range before {
		if _, kept := after[name]; !kept {
			gone[name] = nil
		}
	}
	for i, files := range []map[string][]byte{before, gone} {
		if _, err := w.Commit(source.Change{Author: by, When: when.Add(time.Duration(i) * time.Hour), Message: "release", Files: files}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	in, commits := input(t, dir, 2)
	in.All, in.Releases.Structure = true, true
	in.Releases.Steps = []pipeline.Step{{Commits: commits}}
	if change != nil {
		change(&in)
	}
	return pipeline.Run(ctx, in)
}

// input is what the pipeline takes for the head of a repository, with its last commits, oldest first. No release is asked for.
func input(t *testing.T, dir string, most int) (pipeline.Input, []source.Commit) {
	t.Helper()
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	tip, err := repo.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	commits, err := repo.FirstParents(t.Context(), tip, most)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(commits)
	tree, err := repo.Tree(t.Context(), tip)
	if err != nil {
		t.Fatal(err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	t.Cleanup(pool.Close)
	return pipeline.Input{
		Commit: &tip, Rules: hazards.Rules(),
		Discover: discover.Input{
			Tree: tree, Revision: tip.Hash, Refs: repo, Remotes: []string{"https://git.example.com/m"},
			Config: config.Default(), Renderer: pool, Jobs: 2,
		},
		Releases: &pipeline.Releases{Repository: repo},
	}, commits
}

// A release of 60 units and 540 changed objects is answered, each pair with the search of one equal case.
func TestLargeRelease(t *testing.T) {
	r, err := released(t, t.Context(), fleet(60, 7, 1), fleet(60, 7, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Counts.Verdicts["exposed"]; n != 60 {
		t.Errorf("%d of 60 pairs are exposed: %v", n, r.Counts.Verdicts)
	}
	for _, f := range r.Findings {
		if f.Verdict != "exposed" || f.Proof.Bound != "" || len(f.Needs) != 0 {
			t.Fatalf("%s %s, bound %q, needs %v", f.Verdict, f.Title, f.Proof.Bound, f.Needs)
		}
	}
}

func TestBoundIsSaid(t *testing.T) {
	r, err := released(t, t.Context(), fleet(2, 1, 1), fleet(2, 1, 2), func(in *pipeline.Input) {
		in.Discover.Config.Limits.States = 20
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Proof.Bound == "" {
			t.Errorf("%s %s does not say that its search ended early", f.Verdict, f.Title)
		}
		if f.Verdict == "safe" || f.Verdict == "fragile" {
			t.Errorf("%s %s after 20 states", f.Verdict, f.Title)
		}
	}
	if len(r.Findings) == 0 {
		t.Error("nothing was found")
	}
}

// An interrupt keeps what was judged before, and says that it is a part.
func TestInterrupt(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, err := released(t, ctx, fleet(3, 1, 1), fleet(3, 1, 2), func(in *pipeline.Input) {
		in.Releases.Steps = append(in.Releases.Steps, in.Releases.Steps[0])
		in.Releases.Progress = func(done, _ int) {
			if done == 1 {
				stop()
			}
		}
	})
	if err == nil || ctx.Err() == nil {
		t.Fatalf("an interrupt gave %v", err)
	}
	if r.Counts.Releases != 1 || len(r.Findings) != 3 {
		t.Errorf("%d releases, %d findings", r.Counts.Releases, len(r.Findings))
	}
	if last := r.Head.Assumptions[len(r.Head.Assumptions)-1]; last != "interrupted: 1 of 2 releases were judged, the rest is missing" {
		t.Errorf("the head says %q", last)
	}
}
