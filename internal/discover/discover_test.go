package discover_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

func newPool(t *testing.T) *render.Pool {
	t.Helper()
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	t.Cleanup(pool.Close)
	return pool
}

// TestScenarios compares what is found in the repo/ part of each archive with its file want, which is typed by hand.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	pool := newPool(t)
	shared := memo.New(memo.Options{}) // by all scenarios: what one has must not show in another
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tree := map[string][]byte{}
			want, rendered := "", int64(0)
			in := discover.Input{Config: config.Default(), Renderer: pool, Jobs: 2}
			for _, f := range a.Files {
				name, inRepo := strings.CutPrefix(f.Name, "repo/")
				switch {
				case inRepo:
					tree[name] = f.Data
				case f.Name == "want":
					want = string(f.Data)
				case f.Name == "remotes":
					in.Remotes = strings.Fields(string(f.Data))
				default:
					t.Fatalf("section %s has no meaning", f.Name)
				}
			}
			if text, ok := tree[config.FileName]; ok {
				if in.Config, err = config.Parse(config.FileName, text); err != nil {
					t.Fatal(err)
				}
			}
			in.Tree = source.Memory(tree)
			got := describe(t, in)
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			in.Jobs = 1
			if again := describe(t, in); again != got {
				t.Errorf("with one job it differs:\n%s", again)
			}
			in.Memo, in.Renderer = shared, render.Remember(pool, shared)
			for range 2 {
				before := pool.Rendered()
				if again := describe(t, in); again != got {
					t.Errorf("remembered it differs:\n%s", again)
				}
				rendered = pool.Rendered() - before
			}
			if rendered > 0 {
				t.Errorf("%d renderings of what is known", rendered)
			}
		})
	}
}

// describe is the result in lines that a person can type.
func describe(t *testing.T, in discover.Input) string {
	t.Helper()
	res, err := discover.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, r := range res.Roots {
		fmt.Fprintf(&out, "root %s %s\n", r.Name, r.Tool)
	}
	for _, u := range res.Units {
		fmt.Fprintf(&out, "unit %s %s of %s", res.Names[u.ID], u.Kind, u.Destination.Cluster)
		if u.Parent.Name != "" {
			fmt.Fprintf(&out, " by %s", res.Names[u.Parent])
		}
		fmt.Fprintln(&out)
		for _, o := range u.Objects {
			fmt.Fprintf(&out, "  %s %s:%d\n", o.ID, o.Origin.File, o.Origin.Line)
		}
	}
	for _, b := range res.Branches {
		fmt.Fprintf(&out, "branch %s\n", b)
	}
	for _, u := range res.URLs {
		fmt.Fprintf(&out, "home %s\n", u)
	}
	for _, a := range res.Assumptions {
		fmt.Fprintf(&out, "assume %s\n", a)
	}
	for _, g := range res.Gaps {
		fmt.Fprintf(&out, "gap %s %s:%d %s: %s\n", g.Reason, g.At.File, g.At.Line, g.Unit, g.Message)
	}
	return out.String()
}

// repository writes one with a branch, a tag, and a later commit on main that the tag does not have.
func repository(t *testing.T) *source.Repository {
	t.Helper()
	dir := t.TempDir()
	ctx := context.Background()
	w, err := source.Create(ctx, dir, source.WriterOptions{Bare: true, DefaultBranch: "main"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	who := source.Person{Name: "platform-team", Mail: "platform-team@example.com"}
	commit := func(message string, files map[string]string) string {
		raw := map[string][]byte{}
		for name, text := range files {
			raw[name] = []byte(text)
		}
		hash, err := w.Commit(source.Change{Branch: "main", Author: who, When: when, Message: message, Files: raw})
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	app := func(name, rev string) string {
		return fmt.Sprintf(`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: %s},
spec: {source: {repoURL: "https://git.example.com/shop/m", path: app, targetRevision: %s}, destination: {name: in-cluster, namespace: shop}}}
`, name, rev)
	}
	first := commit("first", map[string]string{
		"argo/head.yaml":    app("head", "HEAD"),
		"argo/main.yaml":    app("main", "main"),
		"argo/tag.yaml":     app("tag", "v1"),
		"argo/range.yaml":   app("range", `"v1.*"`),
		"argo/unknown.yaml": app("unknown", "gone"),
		"app/cm.yaml":       "{apiVersion: v1, kind: ConfigMap, metadata: {name: old}}\n",
	})
	if err := w.Tag("v1", first, who, when, "v1"); err != nil {
		t.Fatal(err)
	}
	commit("second", map[string]string{"app/cm.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: new}}\n"})
	if err := w.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(ctx, dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	return repo
}

func TestTargetRevisions(t *testing.T) {
	ctx := context.Background()
	repo := repository(t)
	head, err := repo.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(ctx, head)
	if err != nil {
		t.Fatal(err)
	}
	got := describe(t, discover.Input{
		Tree: tree, Revision: head.Hash, Refs: repo, Config: config.Default(), Renderer: newPool(t), Jobs: 2,
	})
	for _, want := range []string{
		"unit head Application of in-cluster@argo by bootstrap\n  ConfigMap shop/new app/cm.yaml:1\n",
		"unit main Application of in-cluster@argo by bootstrap\n  ConfigMap shop/new app/cm.yaml:1\n",
		"unit tag Application of in-cluster@argo by bootstrap\n  ConfigMap shop/old app/cm.yaml:1\n",
		"unit range Application of in-cluster@argo by bootstrap\n  ConfigMap shop/old app/cm.yaml:1\n",
		"branch main\nhome ",
		`gap revision-unknown argo/unknown.yaml:1 unknown: targetRevision "gone" is no branch, tag or commit of the analysed repository` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in:\n%s", want, got)
		}
	}
}

func TestOtherRepositories(t *testing.T) {
	ctx := context.Background()
	other := repository(t)
	tree := source.Memory(map[string][]byte{
		"a.yaml": []byte(`
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: here}
spec: {source: {repoURL: "https://git.example.com/shop/here", path: x}, destination: {name: in-cluster, namespace: shop}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: given}
spec: {source: {repoURL: "git@git.example.com:shop/m.git", path: app, targetRevision: v1}, destination: {name: in-cluster, namespace: shop}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: other}
spec: {source: {repoURL: "https://git.example.com/shop/other", path: x}, destination: {name: in-cluster, namespace: shop}}
`),
		"x/cm.yaml": []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n"),
	})
	in := discover.Input{
		Tree: tree, Remotes: []string{"https://git.example.com/shop/here.git"}, Config: config.Default(), Renderer: newPool(t), Jobs: 1,
		Given: []discover.Given{{URLs: []string{"https://git.example.com/shop/m"}, Refs: other}},
	}
	res, err := discover.Run(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(res.Units, func(u discover.Delivered) bool { return u.ID.Name == "given" })
	if i < 0 || len(res.Units[i].Objects) != 1 {
		t.Fatalf("given is not rendered: %s", describe(t, in))
	}
	o := res.Units[i].Objects[0]
	if o.ID.Name != "old" || o.Origin.Repository != "git.example.com/shop/m" {
		t.Errorf("%s from %+v, want the tag's object from the other repository", o.ID, o.Origin)
	}
	want := "gap repository-missing a.yaml:12 other: the source lies in another repository, https://git.example.com/shop/other\n"
	if got := describe(t, in); !strings.Contains(got, want) {
		t.Errorf("missing %q in:\n%s", want, got)
	}
}
