package boundary_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/boundary"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// tree makes a tree of files given as name and text in turn.
func tree(files ...string) source.Tree {
	m := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = []byte(files[i+1])
	}
	return source.Memory(m)
}

// history is a list of commits, newest first, that all change everything.
type history []source.Commit

func (h history) FirstParents(_ context.Context, tip source.Commit, n int) ([]source.Commit, error) {
	for i, c := range h {
		if c.Hash == tip.Hash {
			return h[i:min(len(h), i+n)], nil
		}
	}
	return nil, nil
}

func (h history) Range(context.Context, source.Commit, source.Commit) ([]source.Commit, error) {
	return nil, nil
}

func (h history) Changed(context.Context, source.Commit, source.Commit) ([]string, error) {
	return []string{"app/values.yaml", "app/Chart.yaml"}, nil
}

func commits() history {
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ada := source.Commit{Author: "Ada Lovelace", AuthorMail: "ada@example.com", Committer: "GitHub", CommitterMail: "noreply@github.com", When: when}
	bot := source.Commit{Author: "renovate[bot]", AuthorMail: "r@example.com", Committer: "renovate[bot]", CommitterMail: "r@example.com", When: when}
	out := history{ada, bot, ada}
	for i := range out {
		out[i].Hash = strings.Repeat(string(rune('a'+i)), 40)
		if i > 0 {
			out[i-1].Parents = []string{out[i].Hash}
		}
	}
	return out
}

const delivers = "on: push\nsteps:\n- run: |\n    yq -i x=1 gitops/app/values.yaml\n    git push\n"

func updater(annotations string) object.Object {
	fields, err := object.Decode([]byte(`{"metadata": {"annotations": {"argocd-image-updater.argoproj.io/image-list": "a=x/y"` + annotations + `}},
		"spec": {"source": {"repoURL": "https://git.example.com/m", "path": "app"}}}`))
	if err != nil {
		panic(err)
	}
	return object.Object{
		ID:     object.ID{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: "web"},
		Fields: fields, Origin: object.Location{File: "apps/web.yaml", Line: 3},
	}
}

func TestSide(t *testing.T) {
	owners := "* @shop/platform\n/app/values.yaml @shop/api ada@example.com @grace\n/app/nobody.yaml\n"
	files := []string{"app/values.yaml", "", "app/Chart.yaml", "", "app/nobody.yaml", ""}
	all := []string{"app/values.yaml", "app/Chart.yaml", "app/gone.yaml"}
	for _, c := range []struct {
		name  string
		files []string
		in    boundary.Input
		paths []string
		want  string // the sentence, then who wrote it
	}{
		{
			"several owners", []string{"CODEOWNERS", owners}, boundary.Input{}, all,
			"a change of the consumer's side is for @shop/platform (app/Chart.yaml) and @shop/api and 2 people (app/values.yaml) to review",
		},
		{
			"by name", []string{"CODEOWNERS", owners}, boundary.Input{Names: true, Log: commits()}, []string{"app/values.yaml"},
			"a change of the consumer's side is for @grace, @shop/api and ada@example.com to review | " +
				"1 person (Ada Lovelace: 2 commits) and Renovate (1 commit), 2 of them merged on GitHub's pages",
		},
		{
			"a path that has no owner", []string{"CODEOWNERS", owners}, boundary.Input{}, []string{"app/values.yaml", "app/nobody.yaml"},
			"a change of the consumer's side is for nobody (app/nobody.yaml) and @shop/api and 2 people (app/values.yaml) to review",
		},
		{
			"nobody, but authors", nil, boundary.Input{Log: commits()}, all,
			"nobody is named to review a change of the consumer's side: those who wrote it are to ask | " +
				"1 person (2 commits) and Renovate (1 commit), 2 of them merged on GitHub's pages",
		},
		{"nothing known", nil, boundary.Input{}, all, ""},
		{
			"a workflow here", []string{".github/workflows/a.yaml", delivers}, boundary.Input{}, all,
			"the pipeline of this repository (.github/workflows/a.yaml:4) writes app/values.yaml, and would have to write elsewhere if that moves",
		},
		{
			"a workflow elsewhere, and one that only reads", []string{".gitlab-ci.yml", "script: [helm template app -f app/values.yaml]\n"},
			boundary.Input{Others: []boundary.Repository{{Name: "../api", Tree: tree(".github/workflows/release.yaml", delivers)}}}, all,
			"the pipeline of ../api (.github/workflows/release.yaml:4) writes app/values.yaml, and would have to write elsewhere if that moves",
		},
		{
			"a workflow that names a variable", nil,
			boundary.Input{Others: []boundary.Repository{{Name: "../api", Tree: tree(".gitlab-ci.yml", "script:\n- cp x m/app/$FILE\n- yq -i x=1 $APP/values/$ENV.yaml app/$NAME.yaml\n- git push\n")}}}, all,
			"the pipeline of ../api (.gitlab-ci.yml:3) may write app/Chart.yaml, app/values.yaml",
		},
		{
			"an updater that commits", nil, boundary.Input{Objects: []object.Object{updater(`, "argocd-image-updater.argoproj.io/write-back-method": "git", "argocd-image-updater.argoproj.io/write-back-target": "helmvalues:values.yaml"`)}}, all,
			"Argo CD Image Updater (apps/web.yaml:3) writes app/values.yaml, and would have to write elsewhere if that moves",
		},
		{
			"an updater of another repository", nil, boundary.Input{
				Objects: []object.Object{updater(`, "argocd-image-updater.argoproj.io/write-back-method": "git", "argocd-image-updater.argoproj.io/write-back-target": "helmvalues:values.yaml"`)},
				Ours:    func(string) bool { return false },
			}, all, "",
		},
		{
			"an updater that does not commit", nil, boundary.Input{Objects: []object.Object{updater("")}}, all,
			"Argo CD Image Updater (apps/web.yaml:3) changes images of it in the cluster, and not in Git",
		},
		{
			"Flux", []string{"app/values.yaml", "a: 1\nimage: x:1 # {\"$imagepolicy\": \"flux-system:web\"}\n"}, boundary.Input{Objects: []object.Object{{
				ID:     object.ID{Group: "image.toolkit.fluxcd.io", Kind: "ImageUpdateAutomation", Name: "flux"},
				Fields: map[string]any{"spec": map[string]any{"update": map[string]any{"path": "./app"}}}, Origin: object.Location{File: "flux.yaml", Line: 1},
			}}}, all, "Flux image automation (flux.yaml:1) may write app/values.yaml",
		},
		{
			"programs", []string{"renovate.json", "{}", ".github/dependabot.yml", "updates: [{package-ecosystem: docker, directory: /app}]"}, boundary.Input{}, []string{"app/values.yaml"},
			"Dependabot (.github/dependabot.yml:1) may write app/values.yaml; Renovate (renovate.json) may write app/values.yaml",
		},
	} {
		in := c.in
		in.Tree = tree(append(append([]string{}, files...), c.files...)...)
		in.Tip = commits()[0]
		got, err := boundary.New(in).Of(t.Context(), boundary.Side{End: "consumer", Unit: "web", Apps: []string{"argocd/web"}, Paths: c.paths})
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(nonEmpty(got.Whose, strings.Join(got.Writers, ", ")), " | "); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, text, c.want)
		}
		if c.in.Names {
			continue
		}
		for _, text := range texts(got) {
			if strings.Contains(text, "ada") || strings.Contains(text, "grace") || strings.Contains(text, "Lovelace") {
				t.Errorf("%s: somebody is named: %s", c.name, text)
			}
		}
	}
}

func texts(s diag.Side) []string {
	out := append([]string{s.Owner, s.Whose}, s.Writers...)
	for _, o := range s.Owners {
		out = append(out, o.By)
	}
	return out
}

func nonEmpty(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestOneRepositoryTwice: what is given under two names writes once.
func TestOneRepositoryTwice(t *testing.T) {
	dir := t.TempDir() + "/r"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	by := source.Person{Name: "T", Mail: "t@example.com"}
	if _, err := w.Commit(source.Change{Author: by, When: time.Unix(1e9, 0), Message: "m", Files: map[string][]byte{".gitlab-ci.yml": []byte(delivers)}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	var others []boundary.Repository
	for _, name := range []string{"../api", "https://git.example.com/api"} {
		r, err := source.Open(t.Context(), dir, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		head, err := r.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tree, err := r.Tree(t.Context(), head)
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, boundary.Repository{Name: name, Tree: tree})
	}
	got, err := boundary.New(boundary.Input{Tree: tree("app/values.yaml", ""), Others: others}).Of(t.Context(), boundary.Side{End: "consumer", Paths: []string{"app/values.yaml"}})
	if err != nil || len(got.Automation) != 1 || got.Automation[0].At.Repository != "../api" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestBelow(t *testing.T) {
	changed := map[string]int{"app/b.yaml": 1, "app/a.yaml": 1, "app/c/d.yaml": 3, "application/x.yaml": 9, "values/prd.yaml": 2}
	if got := strings.Join(boundary.Below(changed, []string{"app/", "values/prd.yaml"}), " "); got != "app/c/d.yaml values/prd.yaml app/a.yaml app/b.yaml" {
		t.Errorf("got %s", got)
	}
	if got := boundary.Below(changed, []string{"."}); len(got) != 5 {
		t.Errorf("got %v", got)
	}
	if got := boundary.Below(changed, nil); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
