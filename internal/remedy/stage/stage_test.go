package stage_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/remedy/stage"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

var update = flag.Bool("update", false, "write the plans into the cases")

// The cases are archives below testdata. The comment of one says what it is about; a line "remedy NAME" names the remedy. Files are
// the repository, in which a line app(NAME DIR POLICY...) stands for an Application with the finalizer; the words of POLICY are
// prune, heal, empty, fail (FailOnSharedResource), hand (no automated sync), bare (no finalizer) and the URL of another cluster. "want" holds the plan: stages
// with their files and verdicts, and what was not taken.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2, Key: []byte("k")})
	t.Cleanup(pool.Close)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			runCase(t, pool, name, a)
		})
	}
}

func runCase(t *testing.T, pool *render.Pool, file string, a *txtar.Archive) {
	files, want, name, version := map[string][]byte{}, "", "", "3.5"
	for _, f := range a.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		files[f.Name] = applications(f.Data)
	}
	for line := range strings.Lines(string(a.Comment)) {
		fmt.Sscanf(line, "remedy %s", &name)
		fmt.Sscanf(line, "argocd %s", &version)
	}
	tree := source.Memory(files)
	plan := planned(t, pool, tree, name, version, 2)
	if got := tell(plan); got != want {
		if !*update {
			t.Errorf("plan:\n%s\nwant:\n%s", got, want)
		}
		for i := range a.Files {
			if a.Files[i].Name == "want" {
				a.Files[i].Data = []byte(got)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Stage after stage, what is left is planned and nothing twice.
	for i, e := range plan.Edits {
		tree = source.Overlay(tree, e.Files)
		rest := planned(t, pool, tree, name, version, 1) // which stages are left is no matter of unusual steps
		var titles []string
		for _, s := range rest.Stages {
			titles = append(titles, s.Title)
		}
		var left []string
		for _, s := range plan.Stages[i+1:] {
			left = append(left, s.Title)
		}
		if !slices.Equal(titles, left) {
			t.Errorf("after stage %d: %q (%s), want %q", i+1, titles, rest.Refused, left)
		}
		if len(left) == 0 && !rest.Done {
			t.Errorf("done, and it does not say so: %+v", rest.Plan)
		}
	}
}

func planned(t *testing.T, pool *render.Pool, tree source.Tree, name, version string, unusual int) stage.Plan {
	t.Helper()
	in := discover.Input{Tree: tree, Config: config.Default(), Renderer: pool, Jobs: 2}
	in.Config.Controller.ArgoCD = version
	snap, err := snapshot.Build(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	ends := cone.Ends{Provider: object.ID{Kind: "ConfigMap", Namespace: "shop", Name: "config"}, Consumer: object.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "work"}}
	for _, ref := range snap.Graph.References {
		if ref.Consumer.Kind == "Deployment" && ref.Consumer.Name == "work" && ref.Provider.Kind == "ConfigMap" {
			ends = cone.Ends{Consumer: ref.Consumer, Provider: ref.Provider}
		}
	}
	pair := remedy.Input{Newest: snap, Ends: ends, Bounds: proof.Bounds{Unusual: unusual, States: 2_000_000}}
	list, err := remedy.Judge(t.Context(), pair)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := stage.Make(t.Context(), stage.Input{Discover: in, Pair: pair, Remedies: list}, name)
	if err != nil {
		t.Fatal(err, snap.Gaps)
	}
	return plan
}

// tell is a plan in lines.
func tell(p stage.Plan) string {
	var b strings.Builder
	for _, x := range p.Passed {
		fmt.Fprintf(&b, "not %s: %s\n", x.What, x.Why)
	}
	if p.Refused != "" {
		fmt.Fprintf(&b, "refused: %s\n", p.Refused)
	}
	for i, s := range p.Stages {
		fmt.Fprintf(&b, "%d %s: %s", s.Number, s.Title, s.Verdict)
		if len(s.Held) > 0 {
			fmt.Fprintf(&b, ", held")
		}
		fmt.Fprintln(&b)
		for _, f := range s.Files {
			fmt.Fprintf(&b, "  %s %s\n", f.Kind, f.Path)
		}
		if len(p.Edits[i].Files) == 0 {
			fmt.Fprintln(&b, "  nothing")
		}
	}
	for _, t := range p.ByHand {
		fmt.Fprintf(&b, "by hand: %s\n", t)
	}
	for _, t := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", t)
	}
	return b.String()
}

// applications writes out the lines that stand for one.
func applications(data []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		inner, ok := strings.CutPrefix(strings.TrimSpace(line), "app(")
		words := strings.Fields(strings.TrimSuffix(inner, ")"))
		if !ok || len(words) < 2 {
			out.WriteString(line)
			continue
		}
		has := func(w string) bool { return slices.Contains(words[2:], w) }
		fmt.Fprintf(&out, "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: %s\n  namespace: argocd\n", words[0])
		if !has("bare") {
			out.WriteString("  finalizers:\n    - resources-finalizer.argocd.argoproj.io\n")
		}
		fmt.Fprintf(&out, "spec:\n  project: default\n  source:\n    repoURL: https://git.example.com/r.git\n    targetRevision: main\n    path: %s\n", words[1])
		server := "https://kubernetes.default.svc"
		if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "https:") }); i > 0 {
			server = words[i]
		}
		fmt.Fprintf(&out, "  destination:\n    server: %s\n    namespace: shop\n", server)
		if !has("hand") || has("fail") {
			out.WriteString("  syncPolicy:\n")
		}
		if !has("hand") {
			fmt.Fprintf(&out, "    automated:\n      prune: %t\n      selfHeal: %t\n      allowEmpty: %t\n", has("prune"), has("heal"), has("empty"))
		}
		if has("fail") {
			out.WriteString("    syncOptions:\n      - FailOnSharedResource=true\n")
		}
	}
	return []byte(out.String())
}
