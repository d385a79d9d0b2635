package kustomization_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/source"
)

func set(files map[string]string) (source.Tree, *kustomization.Set) {
	data := map[string][]byte{}
	var names []string
	for name, text := range files {
		data[name] = []byte(text)
		if strings.HasSuffix(name, "kustomization.yaml") {
			names = append(names, name)
		}
	}
	t := source.Memory(data)
	slices.Sort(names)
	return t, kustomization.Read(t, names)
}

func TestUses(t *testing.T) {
	_, s := set(map[string]string{
		"a/kustomization.yaml": `
resources: [r.yaml, ../base, "https://example.com/x//y"]
components: [c]
patches: [{path: p.yaml}, {patch: "- op: x"}]
patchesStrategicMerge: [s.yaml, "kind: X\nmetadata: {}\n"]
configMapGenerator: [{files: [f, k=g], envs: [e], env: old}]
openapi: {path: schema.json}
helmCharts: [{valuesFile: v.yaml, additionalValuesFiles: [w.yaml]}]
`,
		"base/kustomization.yaml": "resources: [b.yaml]",
		"top/kustomization.yaml":  "resources: [../a]",
		"lost/kustomization.yaml": "resources: [",
	})
	var got []string
	for _, u := range s.At("a").Uses() {
		got = append(got, u.List+" "+u.Path)
	}
	want := []string{
		"resources a/r.yaml", "resources base", "components a/c", "patchesStrategicMerge a/s.yaml", "patches a/p.yaml", "openapi a/schema.json",
		"configMapGenerator a/f", "configMapGenerator a/g", "configMapGenerator a/e", "configMapGenerator a/old", "helmCharts a/v.yaml", "helmCharts a/w.yaml",
	}
	if !slices.Equal(got, want) {
		t.Errorf("uses\n%q\nwant\n%q", got, want)
	}
	if got := s.Tops("base"); !slices.Equal(got, []string{"top"}) {
		t.Errorf("tops = %q", got)
	}
	if got := s.Reached("top"); !slices.Equal(got, []string{"top", "a", "base"}) {
		t.Errorf("reached = %q", got)
	}
	if u := s.Naming("base/b.yaml"); len(u) != 1 || u[0].At != 0 || u[0].In.Name != "base/kustomization.yaml" {
		t.Errorf("naming = %+v", u)
	}
	if got := s.Unread(); !slices.Equal(got, []string{"lost/kustomization.yaml"}) || s.At("lost") != nil {
		t.Errorf("unread = %q", got)
	}
}

func TestEffects(t *testing.T) {
	config := object.Object{
		ID:     object.ID{Kind: "ConfigMap", Namespace: "shop", Name: "a"},
		Fields: map[string]any{"metadata": map[string]any{"labels": map[string]any{"team": "x"}}},
	}
	deploy := object.Object{
		ID:     object.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "d"},
		Fields: map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"image": "i"}}}},
	}
	space := object.Object{ID: object.ID{Kind: "Namespace", Name: "other"}}
	role := object.Object{ID: object.ID{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "r"}}
	binding := object.Object{
		ID:     object.ID{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Name: "r"},
		Fields: map[string]any{"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": "default"}}},
	}
	for _, c := range []struct {
		text   string
		object object.Object
		want   string
	}{
		{"resources: []", config, ""},
		{"namespace: shop", config, ""},
		{"namespace: x", config, "namespace: x of k/kustomization.yaml"},
		{"namespace: shop", space, "namespace: shop of k/kustomization.yaml"},
		{"namespace: shop", role, ""},
		{"namespace: shop", binding, "namespace: shop of k/kustomization.yaml"},
		{"nameSuffix: -x", config, "nameSuffix of k/kustomization.yaml"},
		{"commonLabels: {team: x}", config, ""},
		{"commonLabels: {team: z}", config, "commonLabels of k/kustomization.yaml"},
		{"commonLabels: {}", deploy, ""},
		{"labels: [{pairs: {team: x}}]", config, ""},
		{"labels: [{pairs: {team: x}, includeSelectors: true}]", deploy, "labels of k/kustomization.yaml"},
		{"commonAnnotations: {a: b}", config, "commonAnnotations of k/kustomization.yaml"},
		{"images: [{name: i}]", config, ""},
		{"images: [{name: i}]", deploy, "images: of k/kustomization.yaml"},
		{"replicas: [{name: d, count: 2}]", deploy, "replicas: of k/kustomization.yaml"},
		{"patches: [{target: {kind: Deployment}, path: p.yaml}]", config, ""},
		{"patches: [{target: {kind: Config.*}, path: p.yaml}]", config, "patches[0] of k/kustomization.yaml"},
		{"patches: [{target: {name: b}, path: p.yaml}]", config, ""},
		{"patches: [{target: {labelSelector: x=y}, path: p.yaml}]", config, "patches[0] of k/kustomization.yaml"},
		{"patches: [{path: p.yaml}]", config, "patches[0] of k/kustomization.yaml"},
		{"patches: [{path: p.yaml}]", deploy, ""},
		{"patchesStrategicMerge: [missing.yaml]", config, "patchesStrategicMerge[0] of k/kustomization.yaml"},
		{"replacements: [{path: x.yaml}]", config, "replacements: of k/kustomization.yaml, whose effect is not told from text"},
		{"components: [../c]", config, "namePrefix of c/kustomization.yaml"},
		{"components: [../nowhere]", config, "the component nowhere of k/kustomization.yaml, which cannot be read"},
	} {
		tree, s := set(map[string]string{
			"k/kustomization.yaml": c.text,
			"k/p.yaml":             "{kind: ConfigMap, metadata: {name: a}}",
			"c/kustomization.yaml": "kind: Component\nnamePrefix: x-",
		})
		if got := s.Changes(tree, s.At("k"), c.object); got != c.want {
			t.Errorf("%s on a %s: %q, want %q", c.text, c.object.ID.Kind, got, c.want)
		}
	}
}

func TestNeeds(t *testing.T) {
	config := object.Object{ID: object.ID{Kind: "ConfigMap", Namespace: "shop", Name: "a"}}
	for text, want := range map[string]string{
		"patches: [{patch: \"kind: ConfigMap\\nmetadata: {name: a}\\n---\\nkind: Secret\\nmetadata: {name: b}\"}]": "patches[0] of k/kustomization.yaml",
		"resources: []":             "",
		"patches: [{path: p.yaml}]": "patches[0] of k/kustomization.yaml, sole",
		"patches: [{target: {kind: ConfigMap}, path: p.yaml}]":       "",
		"patches: [{target: {kind: ConfigMap, name: a}}]":            "patches[0] of k/kustomization.yaml, sole",
		"patchesStrategicMerge: [p.yaml]":                            "patchesStrategicMerge[0] of k/kustomization.yaml, sole",
		"replacements: [{source: {kind: ConfigMap, name: a}}]":       "replacements[0] of k/kustomization.yaml",
		"replacements: [{source: {kind: ConfigMap, name: b}}]":       "",
		"replacements: [{path: r.yaml}]":                             "replacements[0] of k/kustomization.yaml",
		"vars: [{name: X, objref: {kind: ConfigMap, name: a}}]":      "vars[0] of k/kustomization.yaml",
		"patches: [{patch: \"kind: Secret\\nmetadata: {name: a}\"}]": "",
	} {
		tree, s := set(map[string]string{"k/kustomization.yaml": text, "k/p.yaml": "{kind: ConfigMap, metadata: {name: a}}"})
		got := ""
		for _, n := range kustomization.Needs(tree, s.At("k"), config) {
			got += n.String() + map[bool]string{true: ", sole"}[n.Sole]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
