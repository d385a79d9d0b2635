package edit_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// TestAsByHand makes the move of the demo's branch "fixed" and ends with the files that people ended with, but for the name of
// the template and a comment in it. Then it names the descriptor by its content.
func TestAsByHand(t *testing.T) {
	built, err := demo.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), built.Manifests, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	at := func(rev string) source.Tree {
		c, err := repo.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := repo.Tree(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2, Key: []byte("k")})
	t.Cleanup(pool.Close)
	tree := at("main")
	steps := []string{
		"annotate config ConfigMap/api/api-descriptor argocd.argoproj.io/sync-options Prune=false",
		"suspend config",
		"adopt config api ConfigMap/api/api-descriptor",
		"drop config ConfigMap/api/api-descriptor",
		"annotate api ConfigMap/api/api-descriptor argocd.argoproj.io/sync-options -",
		"remove config",
		"content-name api ConfigMap/api/api-descriptor Rollout/api/api",
	}
	for _, step := range steps {
		if strings.HasPrefix(step, "content-name") {
			compare(t, tree, at("fixed"))
		}
		before := build(t, pool, tree)
		got, err := do(edit.New(tree, before), before, strings.Fields(step))
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		tree = source.Overlay(tree, got.Files)
		if out := law.Check(before, build(t, pool, tree), got.Want, got.Gone); len(out.Wrong) > 0 {
			t.Errorf("%s: %q", step, out.Wrong)
		}
	}
}

// compare leaves out what releases change.
func compare(t *testing.T, got, want source.Tree) {
	t.Helper()
	files := func(tree source.Tree) map[string]string {
		all := contents(t, tree)
		maps.DeleteFunc(all, func(name, _ string) bool {
			return !strings.HasPrefix(name, "app/") && !strings.HasPrefix(name, "argocd/") || strings.Contains(name, "values/prd") || strings.Contains(name, "storefront")
		})
		for name := range all {
			if strings.HasSuffix(name, ".pb") {
				all[name] = ""
			}
		}
		return all
	}
	a, b := files(got), files(want)
	const ours, theirs = "app/helm/api/templates/configmap-api-descriptor.yaml", "app/helm/api/templates/descriptor.yaml"
	_, text, _ := strings.Cut(b[theirs], "\n")
	b[ours] = text
	delete(b, theirs)
	if !maps.Equal(a, b) {
		t.Errorf("files %q\nby hand %q", slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
		for name := range a {
			if a[name] != b[name] {
				t.Errorf("%s:\n%s", name, lines(b[name], a[name]))
			}
		}
	}
}
