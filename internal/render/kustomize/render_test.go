package kustomize_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/unit"
)

// TestMain takes the network and every program away: a test that would use them fails.
func TestMain(m *testing.M) {
	http.DefaultTransport = noNetwork{}
	if err := os.Setenv("PATH", ""); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	panic("a build used the network: " + r.URL.String())
}

// tree makes a tree of an archive. A file whose only line is "-> target" becomes a link.
func tree(archive string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if target, ok := strings.CutPrefix(string(f.Data), "-> "); ok {
			files[f.Name] = &fstest.MapFile{Data: []byte(strings.TrimSpace(target)), Mode: fs.ModeSymlink}
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

func request(path string) unit.Request { return unit.Request{Source: unit.Source{Path: path}} }

// shown is "Kind ns/name file:line", one object a string.
func shown(objects []object.Object) []string {
	var out []string
	for _, o := range objects {
		out = append(out, fmt.Sprintf("%s %s:%d", o.ID, o.Origin.File, o.Origin.Line))
	}
	return out
}

func render(t *testing.T, archive string, req unit.Request) []object.Object {
	t.Helper()
	r := kustomize.Render(tree(archive), req)
	for _, g := range r.Gaps {
		t.Errorf("gap %s at %s:%d: %s", g.Reason, g.At.File, g.At.Line, g.Message)
	}
	if r.Tool != unit.KustomizeTool {
		t.Errorf("tool is %q", r.Tool)
	}
	return r.Objects
}

func field(t *testing.T, o object.Object, path ...string) string {
	t.Helper()
	raw, err := json.Marshal(object.Get(o.Fields, path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The hashes of names are those of https://github.com/kubernetes-sigs/kustomize, api/hasher, worked out by hand: the first ten
// hexadecimal digits of SHA-256 over {"data":...,"kind":...,"name":""}, with 0, 1, 3, a, e written g, h, k, m, t.
const shop = `
-- base/kustomization.yaml --
resources:
- deploy.yaml
- service.yaml
configMapGenerator:
- name: cfg
  literals: [mode=fast]
  files: [app.conf]
-- base/app.conf --
listen 80
-- base/deploy.yaml --
# the web server
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: registry.example/web:v1
        envFrom: [{secretRef: {name: key}}]
      volumes:
      - name: cfg
        configMap: {name: cfg}
-- base/service.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
# entry
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
-- components/debug/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: add, path: /spec/template/spec/hostNetwork, value: true}
-- overlays/prod/kustomization.yml --
namespace: shop
namePrefix: prod-
resources: [../../base]
components: [../../components/debug]
images:
- name: registry.example/web
  newTag: v2
replicas:
- {name: web, count: 3}
configMapGenerator:
- name: cfg
  behavior: merge
  literals: [mode=slow]
secretGenerator:
- name: key
  literals: [token=abc]
patches:
- path: memory.yaml
-- overlays/prod/memory.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, resources: {limits: {memory: 1Gi}}}]}}}
`

func TestRenderOverlay(t *testing.T) {
	objects := render(t, shop, request("overlays/prod"))
	want := []string{
		"Deployment shop/prod-web base/deploy.yaml:2",
		"ServiceAccount shop/prod-web base/service.yaml:1",
		"Service shop/prod-web base/service.yaml:6",
		"ConfigMap shop/prod-cfg-c6f6mkf7dm base/kustomization.yaml:5",
		"Secret shop/prod-key-dbdgd77ct8 overlays/prod/kustomization.yml:15",
	}
	got := shown(objects)
	if !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
	for _, tt := range []struct {
		object int
		path   []string
		want   string
	}{
		{0, []string{"spec", "replicas"}, `3`},
		{0, []string{"spec", "template", "spec", "hostNetwork"}, `true`},
		{0, []string{"spec", "template", "spec", "containers"}, `[{"envFrom":[{"secretRef":{"name":"prod-key-dbdgd77ct8"}}],` +
			`"image":"registry.example/web:v2","name":"web","resources":{"limits":{"memory":"1Gi"}}}]`},
		{0, []string{"spec", "template", "spec", "volumes"}, `[{"configMap":{"name":"prod-cfg-c6f6mkf7dm"},"name":"cfg"}]`},
		{0, []string{"metadata"}, `{"name":"prod-web","namespace":"shop"}`},
		{3, []string{"data"}, `{"app.conf":"listen 80\n","mode":"slow"}`},
		{4, []string{"data"}, `{"token":"YWJj"}`},
	} {
		if got := field(t, objects[tt.object], tt.path...); got != tt.want {
			t.Errorf("%s of %s: got %s, want %s", tt.path, objects[tt.object].ID, got, tt.want)
		}
	}
	if o := objects[0]; o.ID.Group != "apps" || o.Version != "v1" {
		t.Errorf("group %q, version %q", o.ID.Group, o.Version)
	}
}

func TestRenderLegacyFields(t *testing.T) {
	objects := render(t, `
-- app/Kustomization --
bases: [../base]
commonLabels: {team: a}
imageTags: [{name: nginx, newTag: "2"}]
patchesStrategicMerge:
- |-
  apiVersion: v1
  kind: Pod
  metadata: {name: p}
  spec: {nodeName: $(NODE)}
- patch.yaml
patchesJson6902:
- target: {version: v1, kind: Pod, name: p}
  path: ops.json
vars:
- name: NODE
  objref: {apiVersion: v1, kind: Pod, name: p}
  fieldref: {fieldpath: metadata.labels.team}
configurations: [vars.yaml]
-- app/vars.yaml --
varReference: [{path: spec/nodeName, kind: Pod}]
-- app/patch.yaml --
apiVersion: v1
kind: Pod
metadata: {name: p, annotations: {a: b}}
-- app/ops.json --
[{"op": "add", "path": "/spec/hostIPC", "value": true}]
-- base/kustomization.yaml --
resources: [pod.yaml]
-- base/pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: nginx}]}
`, request("app"))
	if len(objects) != 1 {
		t.Fatalf("got %q", shown(objects))
	}
	const want = `{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"a":"b"},"labels":{"team":"a"},"name":"p"},` +
		`"spec":{"containers":[{"image":"nginx:2","name":"c"}],"hostIPC":true,"nodeName":"a"}}`
	if got := field(t, objects[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRenderBuiltinPlugins(t *testing.T) {
	objects := render(t, `
-- app/kustomization.yaml --
generators:
- gen.yaml
- |-
  apiVersion: builtin
  kind: ConfigMapGenerator
  metadata: {name: inline}
  name: two
  literals: [a=b]
  options: {disableNameSuffixHash: true}
transformers:
- ../labels
-- app/gen.yaml --
# generator
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: gen}
name: one
files: [data=../app/x.txt]
options: {disableNameSuffixHash: true}
-- app/x.txt --
x
-- labels/kustomization.yaml --
resources: [labels.yaml]
-- labels/labels.yaml --
apiVersion: builtin
kind: LabelTransformer
metadata: {name: l}
labels: {team: a}
fieldSpecs: [{path: metadata/labels, create: true}]
`, request("app"))
	want := []string{"ConfigMap two app/kustomization.yaml:3", "ConfigMap one app/gen.yaml:2"}
	if got := shown(objects); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got := field(t, objects[1]); got != `{"apiVersion":"v1","data":{"data":"x\n"},"kind":"ConfigMap","metadata":{"labels":{"team":"a"},"name":"one"}}` {
		t.Errorf("got %s", got)
	}
}

// Kustomize's own notes leave no trace, unless the user asks for them.
func TestRenderBuildMetadata(t *testing.T) {
	const base = `
-- app/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: c, annotations: {config.kubernetes.io/origin: mine, keep: me}}
-- app/bare.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: bare}
-- app/kustomization.yaml --
resources: [cm.yaml, bare.yaml]
`
	objects := render(t, base, request("app"))
	if got := field(t, objects[0], "metadata") + field(t, objects[1], "metadata"); got !=
		`{"annotations":{"keep":"me"},"name":"c"}{"name":"bare"}` {
		t.Errorf("without: got %s", got)
	}
	objects = render(t, base+"buildMetadata: [originAnnotations, managedByLabel]\n", request("app"))
	if got := field(t, objects[1], "metadata", "annotations"); got != `{"config.kubernetes.io/origin":"path: bare.yaml\n"}` {
		t.Errorf("with: got %s", got)
	}
	if label := objects[0].Labels()["app.kubernetes.io/managed-by"]; !strings.HasPrefix(label, "kustomize-") {
		t.Errorf("label is %q", label)
	}
	if !slices.Equal(objects[0].Unstable, []string{"/metadata/labels/app.kubernetes.io~1managed-by"}) {
		t.Errorf("unstable is %q", objects[0].Unstable)
	}
	objects = render(t, base+"buildMetadata: [transformerAnnotations]\nnamePrefix: x-\n", request("app"))
	if got := objects[1].Annotations(); len(got) != 1 || !strings.Contains(got["alpha.config.kubernetes.io/transformations"], "PrefixTransformer") {
		t.Errorf("transformations: got %q", got)
	}
}

// A schema that one kustomization brings must not reach the next build, nor one before it that build.
func TestRenderSchemaStaysInItsBuild(t *testing.T) {
	const pod = `
-- plain/kustomization.yaml --
resources: [../base]
patches:
- path: patch.yaml
- patch: |-
    apiVersion: v1
    kind: Pod
    metadata: {name: p}
    spec: {containers: [{name: b}]}
-- plain/patch.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {parts: [{name: b, size: 2}]}
-- custom/kustomization.yaml --
openapi: {path: schema.json}
resources: [../plain]
-- custom/schema.json --
{"definitions": {"v1.Widget": {
  "properties": {"spec": {"properties": {"parts": {"type": "array",
    "items": {"type": "object"}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}},
  "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Widget", "version": "v1"}]}}}
-- base/kustomization.yaml --
resources: [w.yaml, p.yaml]
-- base/p.yaml --
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: a}]}
-- base/w.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {parts: [{name: a, size: 1}]}
`
	// The built-in schema merges containers by name; the custom one knows only widgets, and merges their parts.
	want := map[string]string{
		"plain":  `[{"name":"b","size":2}] [{"name":"b"},{"name":"a"}]`,
		"custom": `[{"name":"b","size":2},{"name":"a","size":1}] [{"name":"b"}]`,
	}
	for _, dir := range []string{"plain", "custom", "plain", "custom", "plain"} {
		objects := render(t, pod, request(dir))
		if got := field(t, objects[0], "spec", "parts") + " " + field(t, objects[1], "spec", "containers"); got != want[dir] {
			t.Errorf("%s: got %s, want %s", dir, got, want[dir])
		}
	}
}

func TestRenderConcurrently(t *testing.T) {
	files := tree(shop)
	want := shown(kustomize.Render(files, request("overlays/prod")).Objects)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := shown(kustomize.Render(files, request("overlays/prod")).Objects); !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
		})
	}
	wg.Wait()
}

func BenchmarkRender(b *testing.B) {
	files := tree(shop)
	kustomize.Render(files, request("overlays/prod")) // the first build parses the schema
	for b.Loop() {
		if r := kustomize.Render(files, request("overlays/prod")); len(r.Objects) != 5 {
			b.Fatal(r.Gaps)
		}
	}
}
