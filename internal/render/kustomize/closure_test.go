package kustomize_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/source"
)

func TestNamed(t *testing.T) {
	files := tree(shop)
	tests := []struct {
		dir  string
		want kustomize.Names
	}{
		{"base", kustomize.Names{
			File:  "base/kustomization.yaml",
			Files: []string{"base/app.conf", "base/deploy.yaml", "base/kustomization.yaml", "base/service.yaml"},
		}},
		{"./overlays/prod", kustomize.Names{
			File:     "overlays/prod/kustomization.yml",
			Includes: []string{"base", "components/debug"},
			Files:    []string{"overlays/prod/kustomization.yml", "overlays/prod/memory.yaml"},
		}},
	}
	for _, tt := range tests {
		got, gap := kustomize.Named(files, tt.dir)
		if gap != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v and %v, want %+v", tt.dir, got, gap, tt.want)
		}
	}
}

// What does not exist, lies behind the network or would be a cycle is left out; the rest is still told.
func TestNamedByBrokenKustomizations(t *testing.T) {
	got, gap := kustomize.Named(tree(`
-- app/kustomization.yaml --
resources: [../broken, ../mid, gone.yaml, "https://example.com/x", ../shared.yaml, ../empty, ../twice, ..]
components: [../component]
generators: [gen.yaml, plugins]
-- app/gen.yaml --
apiVersion: builtin
kind: SecretGenerator
metadata: {name: g}
envs: [secret.env]
-- app/secret.env --
-- app/plugins/kustomization.yaml --
resources: [more.yaml]
-- app/plugins/more.yaml --
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: c}
files: [plugins/c.conf]
-- app/plugins/c.conf --
-- broken/kustomization.yaml --
resources: [
-- mid/Kustomization --
resources: [../app, ../leaf]
-- leaf/kustomization.yml --
-- component/kustomization.yaml --
kind: Component
-- empty/x.yaml --
-- twice/kustomization.yaml --
-- twice/kustomization.yml --
-- kustomization.yaml --
-- shared.yaml --
`), "app")
	want := kustomize.Names{
		File:     "app/kustomization.yaml",
		Includes: []string{"broken", "component", "mid"},
		Files: []string{
			"app/gen.yaml", "app/kustomization.yaml", "app/plugins/c.conf", "app/plugins/kustomization.yaml", "app/plugins/more.yaml",
			"app/secret.env", "shared.yaml",
		},
	}
	if gap != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v and %v\nwant %+v", got, gap, want)
	}
}

// Named reads no more than it must: what others change in files that it only names is no news.
func TestNamedReadsOnlyWhatTellsNames(t *testing.T) {
	r := source.Record(tree(shop))
	if _, gap := kustomize.Named(r, "overlays/prod"); gap != nil {
		t.Fatal(gap)
	}
	var read []string
	for _, f := range r.Trace().Files {
		read = append(read, f.Path)
	}
	if want := []string{"overlays/prod/kustomization.yml"}; !reflect.DeepEqual(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
}

func TestNamedGaps(t *testing.T) {
	files := tree("-- a/kustomization.yaml --\nresources: [\n-- b/x.yaml --\n-- big/kustomization.yaml --\n# " + strings.Repeat("x", 1<<20) +
		"\nnamePrefix: a\n-- bomb/kustomization.yaml --\n" + bomb())
	for dir, want := range map[string]string{
		"a":    "unparsable a/kustomization.yaml:1",
		"b":    "path-missing b:0",
		"c":    "path-missing c:0",
		"big":  "content-missing big/kustomization.yaml:0",
		"bomb": "unparsable bomb/kustomization.yaml:0",
	} {
		_, gap := kustomize.Named(files, dir)
		if gap == nil {
			t.Errorf("%s: no gap", dir)
			continue
		}
		if got := fmt.Sprintf("%s %s:%d", gap.Reason, gap.At.File, gap.At.Line); got != want {
			t.Errorf("%s: got %s, want %s", dir, got, want)
		}
	}
}

func TestIsKustomization(t *testing.T) {
	for name, want := range map[string]bool{
		"kustomization.yaml": true, "kustomization.yml": true, "Kustomization": true, "Kustomization.yaml": false, "x": false,
	} {
		if kustomize.IsKustomization(name) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
}

func FuzzNamed(f *testing.F) {
	f.Add("resources: [a.yaml, ../b]\n", "kind: A\n")
	f.Add("<<: &a {resources: [*a]}\n", "")
	f.Add("patches: [{path: a.yaml}]\ngenerators: [a.yaml]\n", "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nname: c\nfiles: [a.yaml]\n")
	f.Fuzz(func(t *testing.T, kustomization, file string) {
		files := tree("")
		for name, content := range map[string]string{
			"app/kustomization.yaml": kustomization, "app/a.yaml": file, "b/kustomization.yaml": "resources: [../app]\n",
		} {
			files[name] = tree("-- x --\n")["x"]
			files[name].Data = []byte(content)
		}
		kustomize.Named(files, "app")
		r := kustomize.Render(files, request("app"))
		if len(r.Gaps) > 0 && len(r.Objects) > 0 {
			t.Error("objects beside gaps")
		}
		for _, g := range r.Gaps {
			if strings.Contains(g.Message, "\n") {
				t.Errorf("message of several lines: %q", g.Message)
			}
		}
	})
}
