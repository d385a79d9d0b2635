package kustomize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/unit"
)

const web = `
-- app/kustomization.yaml --
resources: [web.yaml]
-- app/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: old}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "example.com/web:v1"}, {name: d, image: "sidecar@sha256:0000"}]}
-- app/components/a/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
commonAnnotations: {a: "1"}
-- app/components/b/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
commonAnnotations: {b: "1"}
`

func TestApplicationSettings(t *testing.T) {
	var (
		metadata = []string{"metadata"}
		replicas = []string{"spec", "replicas"}
		labels   = []string{"spec", "selector", "matchLabels"}
		images   = []string{"spec", "template", "spec", "containers"}
	)
	const digest = "sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3"
	image := func(c string) string {
		return `[{"image":"` + c + `","name":"c"},{"image":"sidecar@sha256:0000","name":"d"}]`
	}
	tests := []struct {
		name     string
		file     string // appended to the kustomization
		settings unit.Kustomize
		path     []string
		want     string
	}{
		{"nothing set", "", unit.Kustomize{KubeVersion: "1.30"}, metadata, `{"name":"web","namespace":"old"}`},
		{"names", "namePrefix: x-\n", unit.Kustomize{NamePrefix: "a-", NameSuffix: "-z", Namespace: "new"}, metadata,
			`{"name":"a-web-z","namespace":"new"}`},
		{"new tag", "", unit.Kustomize{Images: []string{"example.com/web:v2"}}, images, image("example.com/web:v2")},
		{"new name", "", unit.Kustomize{Images: []string{"example.com/web=other"}}, images, image("other:v1")},
		{"new name and tag", "", unit.Kustomize{Images: []string{"example.com/web=host:5000/other:v2"}}, images, image("host:5000/other:v2")},
		{"digest", "", unit.Kustomize{Images: []string{"example.com/web@" + digest}}, images, image("example.com/web@" + digest)},
		{"new name and digest", "", unit.Kustomize{Images: []string{"example.com/web=other@" + digest}}, images, image("other@" + digest)},
		{"tag and digest", "", unit.Kustomize{Images: []string{"example.com/web=other:v2@" + digest}}, images, image("other:v2@" + digest)},
		{"replaces the file's entry", "images: [{name: example.com/web, newName: filed, newTag: v9}]\n",
			unit.Kustomize{Images: []string{"example.com/web:v2"}}, images, image("example.com/web:v2")},
		{"keeps parts of the file's entry", "images: [{name: example.com/web, newName: filed, newTag: v9}]\n",
			unit.Kustomize{Images: []string{"example.com/web=*:v2"}}, images, image("filed:v2")},
		{"old field", "imageTags: [{name: example.com/web, newTag: v9}]\n",
			unit.Kustomize{Images: []string{"sidecar=example.com/sidecar:v1"}}, images,
			`[{"image":"example.com/web:v9","name":"c"},{"image":"example.com/sidecar:v1","name":"d"}]`},
		{"the last of two counts", "", unit.Kustomize{Images: []string{"example.com/web:v2", "example.com/web:v3"}}, images, image("example.com/web:v3")},
		{"build environment", "", unit.Kustomize{Images: []string{"example.com/web:$ARGOCD_APP_REVISION_SHORT-${ARGOCD_APP_NAME}$NOPE"}}, images,
			image("example.com/web:0123456-shop")},
		{"replicas", "replicas: [{name: web, count: 2}]\n", unit.Kustomize{Replicas: []unit.Replica{{Name: "web", Count: 5}}}, replicas, `5`},
		{"labels go into selectors", "", unit.Kustomize{CommonLabels: map[string]string{"team": "$ARGOCD_APP_PROJECT_NAME", "q": `"x"`}}, labels,
			`{"app":"web","q":"x","team":"default"}`},
		{"annotations keep dollars", "commonAnnotations: {a: b}\n", unit.Kustomize{CommonAnnotations: map[string]string{"c": "$ARGOCD_APP_NAME"}}, metadata,
			`{"annotations":{"a":"b","c":"$ARGOCD_APP_NAME"},"name":"web","namespace":"old"}`},
		{"components", "components: [components/a]\n", unit.Kustomize{Components: []string{"components/*"}}, metadata,
			`{"annotations":{"a":"1","b":"1"},"name":"web","namespace":"old"}`},
		{"patches come after the file's", "patches: [{patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 7}]', target: {kind: Deployment}}]\n",
			unit.Kustomize{Patches: []any{map[string]any{
				"target": map[string]any{"kind": "Deployment", "unknown": "dropped"}, "extra": true,
				"patch": "- op: test\n  path: /spec/replicas\n  value: 7\n- op: replace\n  path: /spec/replicas\n  value: 8\n",
			}}}, replicas, `8`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			archive := strings.Replace(web, "resources: [web.yaml]\n", "resources: [web.yaml]\n"+tt.file, 1)
			req := request("app")
			req.Name, req.Project, req.Revision = "shop", "default", "0123456789abcdef"
			req.Source.Kustomize = &tt.settings
			objects := render(t, archive, req)
			if len(objects) != 1 {
				t.Fatalf("got %q", shown(objects))
			}
			if got := field(t, objects[0], tt.path...); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if objects[0].Origin != (object.Location{File: "app/web.yaml", Line: 1}) {
				t.Errorf("origin is %v", objects[0].Origin)
			}
		})
	}
}

// An empty kustomization may be there for the Application to fill.
func TestApplicationFillsAnEmptyFile(t *testing.T) {
	req := request("app")
	req.Source.Kustomize = &unit.Kustomize{Components: []string{"../c"}}
	objects := render(t, "-- app/kustomization.yaml --\n-- c/kustomization.yaml --\nkind: Component\nresources: [a.yaml]\n-- c/a.yaml --\n{kind: A, apiVersion: v1, metadata: {name: x}}\n", req)
	if got := shown(objects); !slices.Equal(got, []string{"A x c/a.yaml:1"}) {
		t.Errorf("got %q", got)
	}
}

func TestApplicationSettingsGaps(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		settings   unit.Kustomize
		want       string
	}{
		{"not applied", "", unit.Kustomize{Other: []string{"forceCommonLabels", "version"}},
			"unsupported app:0 this version does not apply spec.source.kustomize.forceCommonLabels, version"},
		{"label there already", "commonLabels: {team: a}\n", unit.Kustomize{CommonLabels: map[string]string{"team": "b"}},
			"render-failed app/kustomization.yaml:0 label team of the Application is in the kustomization already"},
		{"annotation there already", "commonAnnotations: {team: a}\n", unit.Kustomize{CommonAnnotations: map[string]string{"team": "b"}},
			"render-failed app/kustomization.yaml:0 annotation team of the Application is in the kustomization already"},
		{"image of no use", "", unit.Kustomize{Images: []string{"nginx"}}, "render-failed app/kustomization.yaml:0 image \"nginx\" of the Application has neither"},
		{"missing component", "", unit.Kustomize{Components: []string{"../nope"}}, "path-missing app/kustomization.yaml:0 components names ../nope, which does not exist"},
		{"component pattern without match", "", unit.Kustomize{Components: []string{"nope/*"}}, "path-missing app/kustomization.yaml:0 components names nope/*, which does not exist"},
		{"remote component", "", unit.Kustomize{Components: []string{"github.com/a/b?ref=*"}}, "remote app/kustomization.yaml:0 components names github.com/a/b?ref=*"},
		{"patch file", "", unit.Kustomize{Patches: []any{map[string]any{"path": "https://example.com/p"}}}, "remote app/kustomization.yaml:0 patches names https://example.com/p"},
		{"patch that is none", "", unit.Kustomize{Patches: []any{"x"}}, "render-failed app/kustomization.yaml:0 patch 0 of the Application is no mapping"},
		{"patch of the wrong shape", "", unit.Kustomize{Patches: []any{map[string]any{"patch": []any{}}}}, "unparsable app/kustomization.yaml:0 the field patches.patch has the wrong type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive := strings.Replace(web, "resources: [web.yaml]\n", "resources: [web.yaml]\n"+tt.file, 1)
			req := request("app")
			req.Source.Kustomize = &tt.settings
			checkGaps(t, kustomize.Render(tree(archive), req), []string{tt.want})
		})
	}
}

func TestBuildOptions(t *testing.T) {
	const archive = "-- app/kustomization.yaml --\nresources: [../x.yaml, ns.yaml]\n-- x.yaml --\n{kind: A, apiVersion: v1, metadata: {name: x}}\n" +
		"-- app/ns.yaml --\n{kind: Namespace, apiVersion: v1, metadata: {name: team}}\n"
	written, sorted := []string{"A x x.yaml:1", "Namespace team app/ns.yaml:1"}, []string{"Namespace team app/ns.yaml:1", "A x x.yaml:1"}
	const loose = "--load-restrictor LoadRestrictionsNone"
	for options, want := range map[string][]string{
		loose: written,
		"--enable-helm --load-restrictor=LoadRestrictionsNone --enable-alpha-plugins --enable-exec": written,
		loose + " --reorder legacy":                             sorted,
		loose + "  --reorder=none --helm-command helm3 -e A=b ": written,
	} {
		req := request("app")
		req.BuildOptions = options
		if got := shown(render(t, archive, req)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", options, got, want)
		}
	}
	for options, want := range map[string]string{
		"": "render-failed app/kustomization.yaml:1 resources names ../x.yaml, which lies outside",
		loose + " --load-restrictor LoadRestrictionsRootOnly": "render-failed app/kustomization.yaml:1 resources names ../x.yaml, which lies outside",
		"--load-restrictor none":                              "unsupported app:0 the kustomize build option --load-restrictor none is not known",
		"--load-restrictor":                                   "unsupported app:0 the kustomize build option --load-restrictor without a value",
		"--output /tmp/x":                                     "unsupported app:0 the kustomize build option --output is not known",
		"--new-option=1":                                      "unsupported app:0 the kustomize build option --new-option 1 is not known",
	} {
		req := request("app")
		req.BuildOptions = options
		checkGaps(t, kustomize.Render(tree(archive), req), []string{want})
	}
	req := request("app")
	req.BuildOptions = loose + " --enable-managedby-label"
	if o := render(t, archive, req)[0]; o.Labels()["app.kubernetes.io/managed-by"] == "" || len(o.Unstable) != 1 {
		t.Errorf("labels %q, unstable %q", o.Labels(), o.Unstable)
	}
}
