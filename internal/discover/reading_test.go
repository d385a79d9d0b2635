package discover_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// reads counts how often each file is read.
type reads struct {
	source.Tree
	count map[string]int
}

func (r reads) ReadFile(name string) ([]byte, error) {
	r.count[name]++
	return r.Tree.ReadFile(name)
}

// TestAChainOfKustomizationsIsReadOnce: what it costs to know that the top reaches an Application must not grow with the
// square of the length.
func TestAChainOfKustomizationsIsReadOnce(t *testing.T) {
	const length = 300
	files := map[string][]byte{
		"k0/kustomization.yaml": []byte("resources: [app.yaml]\n"),
		"k0/app.yaml":           []byte("apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: p}\nspec: {}\n"),
	}
	for i := 1; i < length; i++ {
		files[fmt.Sprintf("k%d/kustomization.yaml", i)] = fmt.Appendf(nil, "resources: [../k%d]\n", i-1)
	}
	tree := reads{source.Memory(files), map[string]int{}}
	renderer := &rendered{}
	in := discover.Input{Tree: tree, Config: config.Default(), Renderer: renderer, Jobs: 1}
	if _, err := discover.Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if top := fmt.Sprintf("k%d", length-1); len(renderer.paths) == 0 || renderer.paths[0] != top {
		t.Errorf("rendered %v, want %s first", renderer.paths, top)
	}
	for name, n := range tree.count {
		if n > 4 {
			t.Errorf("%s is read %d times", name, n)
		}
	}
}

// TestWhatIsSaidOfFilesIsSaidAgain: gaps that come from what is remembered come at every revision, and once.
func TestWhatIsSaidOfFilesIsSaidAgain(t *testing.T) {
	files := map[string][]byte{
		"silent/kustomization.yaml":   []byte("resources: [\n"),
		"speaking/kustomization.yaml": []byte("resources: [\n"),
		"speaking/app.yaml":           []byte("apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: p}\nspec: {}\n"),
		"outer/kustomization.yaml":    []byte("resources: [../speaking]\n"), // is as broken, and holds nothing itself
		"chart/Chart.yaml":            []byte("{apiVersion: v2, name: c, version: 0.1.0}"),
		"chart/kustomization.yaml":    []byte("resources: [\n"),
		"d/app.yaml":                  []byte("apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: p}\nspec: {}\n"),
	}
	const want = "silent/kustomization.yaml: a kustomization cannot be read, so that nobody knows whether it holds Applications\n" +
		"speaking/kustomization.yaml: speaking speaks of Applications, but cannot be read as a root\n"
	in := discover.Input{Config: config.Default(), Renderer: newPool(t), Memo: memo.New(memo.Options{}), Jobs: 1}
	for range 3 {
		in.Tree = source.Memory(files)
		res, err := discover.Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, g := range res.Gaps {
			what, _, _ := strings.Cut(g.Message, ":")
			got += g.At.File + ": " + what + "\n"
		}
		if got != want {
			t.Errorf("gaps:\n%swant:\n%s", got, want)
		}
	}
}

// rendered renders nothing, and notes what it is asked for.
type rendered struct{ paths []string }

func (r *rendered) Render(_ context.Context, _ source.Tree, req unit.Request) (render.Result, error) {
	r.paths = append(r.paths, req.Source.Path)
	return render.Result{}, nil
}
