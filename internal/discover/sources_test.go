package discover_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
)

// commit is one of main.
type commit struct {
	files map[string]string
	tag   string
}

// history writes a repository and gives the hashes of its commits.
func history(t *testing.T, commits ...commit) (*source.Repository, []string) {
	t.Helper()
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Bare: true, DefaultBranch: "main"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	who := source.Person{Name: "platform-team", Mail: "platform-team@example.com"}
	var hashes []string
	for _, c := range commits {
		raw := map[string][]byte{}
		for name, text := range c.files {
			raw[name] = []byte(text)
		}
		hash, err := w.Commit(source.Change{Branch: "main", Author: who, When: when, Message: "change", Files: raw})
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
		if c.tag != "" {
			if err := w.Tag(c.tag, hash, who, when, c.tag); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	return repo, hashes
}

const (
	here   = "https://git.example.com/shop/here"
	charts = "https://git.example.com/shop/charts"
)

// sources is an Application in flow style.
func sources(list ...string) string {
	return fmt.Sprintf("{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: app},\n"+
		"spec: {sources: [%s], destination: {name: in-cluster, namespace: shop}}}\n", strings.Join(list, ", "))
}

// entry is one source: a ref alone, or a chart with value files.
func entry(url, rev, ref string, files ...string) string {
	rev = cmp.Or(rev, "HEAD")
	if ref != "" {
		return fmt.Sprintf("{repoURL: %q, targetRevision: %q, ref: %s}", url, rev, ref)
	}
	return fmt.Sprintf("{repoURL: %q, targetRevision: %q, path: chart, helm: {valueFiles: ['%s']}}", url, rev, strings.Join(files, "', '"))
}

// chart renders the value v, and which file came last.
func chart(v string) map[string]string {
	return map[string]string{
		"chart/Chart.yaml":        "{apiVersion: v2, name: chart, version: 0.1.0}\n",
		"chart/values.yaml":       "v: " + v + "\n",
		"chart/templates/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.v }}}\n",
	}
}

func with(maps ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// TestValueFilesOfOtherSources: whose file counts at which revision, and what Argo CD refuses.
func TestValueFilesOfOtherSources(t *testing.T) {
	for name, c := range map[string]struct{ app, want string }{
		"chart elsewhere, values here": {
			sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, "", "v")), "ConfigMap shop/new chart/templates/cm.yaml"},
		"chart elsewhere, values of a tag here": {
			sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, "old", "v")), "ConfigMap shop/old chart/templates/cm.yaml"},
		"chart of a tag elsewhere": {
			sources(entry(charts, "v1", "", "$v/env/none.yaml"), entry(here, "", "v")), "value file $v/env/none.yaml does not exist (git.example.com/shop/charts at "},
		"chart here, values elsewhere": {
			sources(entry(here, "", "", "$v/env/v.yaml"), entry(charts, "", "v")), "ConfigMap shop/charts chart/templates/cm.yaml"},
		"pattern elsewhere": {
			sources(entry(here, "", "", "$v/env/*.yaml"), entry(charts, "v1", "v")), "ConfigMap shop/charts chart/templates/cm.yaml"},
		"values of the branch": {
			sources(entry(here, "", "", "$v/env/v.yaml"), entry(here, "main", "v")), "ConfigMap shop/new chart/templates/cm.yaml"},
		"values of a tag of the same commit": {
			sources(entry(here, "", "", "$v/env/v.yaml"), entry(here, "new", "v")), "ConfigMap shop/new chart/templates/cm.yaml"},
		"values of an earlier tag, same repository": {
			sources(entry(here, "", "", "$v/env/v.yaml"), entry(here, "old", "v")),
			`render-failed a.yaml:1 app: $v is at another revision of the repository that its user lies in ("old", not "HEAD"), which Argo CD refuses`},
		"values of an earlier tag that nobody reads": {
			sources(entry(here, "", "", "../env/v.yaml"), entry(here, "old", "v")), "ConfigMap shop/new chart/templates/cm.yaml"},
		"two refs at two revisions": {
			sources(entry(charts, "", "", "$v/env/v.yaml", "$w/env/v.yaml"), entry(here, "", "v"), entry(here, "main", "w")),
			`render-failed a.yaml:1 app: $v and $w are of one repository, at different revisions ("HEAD" and "main"), which Argo CD refuses`},
		"a file that is named twice counts where it comes first": {
			sources(entry(charts, "", "", "$v/env/v.yaml", "$v/env/w.yaml", "$w/env/v.yaml"), entry(here, "", "v"), entry(here, "", "w")),
			"ConfigMap shop/last chart/templates/cm.yaml"},
		"a ref that is no revision": {
			sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, "gone", "v")),
			`revision-unknown a.yaml:1 app: targetRevision "gone" is no branch, tag or commit of the analysed repository`},
		"chart of a Helm repository": {
			sources("{repoURL: 'https://charts.example.com', chart: redis, targetRevision: 1.2.3, helm: {valueFiles: [$v/env/v.yaml]}}", entry(here, "", "v")),
			"remote a.yaml:1 app: chart redis 1.2.3 of https://charts.example.com is not in the repository"},
		"broken values": {
			sources(entry(charts, "", "", "$v/env/broken.yaml"), entry(here, "", "v")), "unparsable env/broken.yaml:0 app: value file $v/env/broken.yaml is no YAML mapping"},
		"no way round the ref": {
			sources(entry(charts, "", "", "$v/env/v.yaml", "/.git/v/env/v.yaml"), entry(here, "", "v")), "path-missing a.yaml:1 app: value file /.git/v/env/v.yaml does not exist"},
		"no source inside what is lent": {
			sources("{repoURL: '"+charts+"', path: .git/v/env, helm: {valueFiles: [$v/env/v.yaml]}}", entry(here, "", "v")),
			"path-missing a.yaml:1 app: the source's path .git/v/env does not exist at this revision"},
	} {
		t.Run(name, func(t *testing.T) {
			other, _ := history(t, commit{files: with(chart("chart"), map[string]string{"env/v.yaml": "v: charts\n"}), tag: "v1"})
			repo, hashes := history(t,
				commit{files: with(chart("chart"), map[string]string{"env/v.yaml": "v: old\n"}), tag: "old"},
				commit{files: map[string]string{"env/v.yaml": "v: new\n", "env/w.yaml": "v: last\n", "env/broken.yaml": "[1]\n", "a.yaml": c.app}, tag: "new"})
			got := describe(t, input(t, repo, hashes[1], other))
			if !strings.Contains(got, c.want) {
				t.Errorf("missing %q in:\n%s", c.want, got)
			}
		})
	}
}

func input(t *testing.T, repo *source.Repository, hash string, other *source.Repository) discover.Input {
	t.Helper()
	tree, err := repo.Tree(t.Context(), source.Commit{Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	return discover.Input{
		Tree: tree, Revision: hash, Refs: repo, Remotes: []string{here}, Config: config.Default(), Renderer: newPool(t), Jobs: 1,
		Given: []discover.Given{{URLs: []string{charts}, Refs: other}},
	}
}

// TestOnlyTheLentFileRendersAgain: over a history a unit is rendered again when a value file changes that another source
// lends it, and not when another file of that repository does.
func TestOnlyTheLentFileRendersAgain(t *testing.T) {
	for name, app := range map[string]string{
		"chart elsewhere": sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, "", "v")),
		"chart here":      sources(entry(here, "", "", "$v/env/v.yaml"), entry(here, "", "v")),
		"beside a path":   sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, "", "v"), "{repoURL: '"+here+"', path: plain}"),
	} {
		t.Run(name, func(t *testing.T) {
			other, _ := history(t, commit{files: chart("chart")})
			repo, hashes := history(t,
				commit{files: with(chart("chart"), map[string]string{
					"env/v.yaml": "v: one\n", "env/w.yaml": "v: one\n", "a.yaml": app,
					"plain/cm.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}\n",
				})},
				commit{files: map[string]string{"env/w.yaml": "v: two\n", "env/x.yaml": "v: two\n"}},
				commit{files: map[string]string{"env/v.yaml": "v: two\n"}})
			m := memo.New(memo.Options{})
			pool := newPool(t)
			for i, c := range []struct {
				hash, want string
				again      bool
			}{{hashes[0], "shop/one", true}, {hashes[1], "shop/one", false}, {hashes[2], "shop/two", true}, {hashes[0], "shop/one", false}} {
				in := input(t, repo, c.hash, other)
				in.Memo, in.Renderer = m, render.Remember(pool, m)
				before := pool.Rendered()
				got := describe(t, in)
				if !strings.Contains(got, "ConfigMap "+c.want+" ") {
					t.Errorf("commit %d: missing %s in:\n%s", i, c.want, got)
				}
				executed := pool.Rendered() - before
				if i > 0 && executed != map[bool]int64{true: 1, false: 0}[c.again] {
					t.Errorf("commit %d: %d renderings, again: %t", i, executed, c.again)
				}
			}
		})
	}
}

// TestLostUnitStillDelivers: a unit of which one source is not given still delivers the place that another one names, so that
// nothing there is taken for a root.
func TestLostUnitStillDelivers(t *testing.T) {
	child := "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: child}, spec: {source: {repoURL: '" + here +
		"', path: plain}, destination: {name: in-cluster, namespace: shop}}}\n"
	in := discover.Input{
		Tree: source.Memory(map[string][]byte{
			"argo/a.yaml":             []byte(sources("{repoURL: '"+here+"', path: apps}", entry(charts, "", "v"))),
			"apps/kustomization.yaml": []byte("resources: [child.yaml]\n"),
			"apps/child.yaml":         []byte(child),
			"plain/cm.yaml":           []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}\n"),
		}),
		Remotes: []string{here}, Config: config.Default(), Renderer: newPool(t), Jobs: 1,
	}
	res, err := discover.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Roots) != 1 || res.Roots[0].Path != "argo" {
		t.Errorf("roots %+v", res.Roots)
	}
}

// TestOneRequestOverTwoTrees: two overlays have an Application of one name, whose values are lent by two revisions.
func TestOneRequestOverTwoTrees(t *testing.T) {
	app := func(rev string) string { return sources(entry(charts, "", "", "$v/env/v.yaml"), entry(here, rev, "v")) }
	other, _ := history(t, commit{files: chart("chart")})
	repo, hashes := history(t,
		commit{files: map[string]string{"env/v.yaml": "v: old\n"}, tag: "old"},
		commit{files: map[string]string{
			"env/v.yaml":              "v: new\n",
			"dev/kustomization.yaml":  "resources: [a.yaml]\n",
			"dev/a.yaml":              app(""),
			"prod/kustomization.yaml": "resources: [a.yaml]\n",
			"prod/a.yaml":             app("old"),
		}})
	got := describe(t, input(t, repo, hashes[1], other))
	for _, want := range []string{"unit dev:app Application of in-cluster@dev by dev:bootstrap\n  ConfigMap shop/new", "unit prod:app Application of in-cluster@prod by prod:bootstrap\n  ConfigMap shop/old"} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in:\n%s", want, got)
		}
	}
}
