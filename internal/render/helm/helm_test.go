package helm

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// tree makes a repository of a txtar archive. A file whose content is "-> target" is a link.
func tree(archive string) fstest.MapFS {
	out := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if target, ok := strings.CutPrefix(string(f.Data), "-> "); ok {
			out[f.Name] = &fstest.MapFile{Data: []byte(strings.TrimSpace(target)), Mode: fs.ModeSymlink | 0o777}
			continue
		}
		out[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return out
}

// chartAt is a request for the chart at a path.
func chartAt(path string, h *unit.Helm) unit.Request {
	return unit.Request{Name: "app", Namespace: "prod", Source: unit.Source{Path: path, Helm: h}, Seed: 7}
}

// mustRender fails the test when the chart does not render.
func mustRender(t *testing.T, files fs.FS, req unit.Request) unit.Rendering {
	t.Helper()
	out := Render(files.(fstest.MapFS), req)
	if len(out.Gaps) > 0 {
		t.Fatalf("gap: %+v", out.Gaps[0])
	}
	if out.Tool != unit.HelmTool {
		t.Errorf("tool is %q", out.Tool)
	}
	return out
}

// mustGap fails the test unless the rendering is one gap without objects.
func mustGap(t *testing.T, files fs.FS, req unit.Request, reason diag.Reason, message string) diag.Gap {
	t.Helper()
	out := Render(files.(fstest.MapFS), req)
	if len(out.Gaps) != 1 || len(out.Objects) != 0 {
		t.Fatalf("want one gap and no object, got %d and %d: %+v", len(out.Gaps), len(out.Objects), out.Gaps)
	}
	g := out.Gaps[0]
	if g.Reason != reason || !strings.Contains(g.Message, message) {
		t.Errorf("got gap %s %q, want %s %q", g.Reason, g.Message, reason, message)
	}
	if g.Close == "" || strings.ContainsAny(g.Message+g.Close, "\n\r") {
		t.Errorf("message and close want one line each: %+v", g)
	}
	return g
}

// lines prints objects as "Kind namespace/name @ file".
func lines(objects []object.Object) []string {
	var out []string
	for _, o := range objects {
		out = append(out, fmt.Sprintf("%s @ %s", o.ID, o.Origin.File))
	}
	return out
}

func wantLines(t *testing.T, got []object.Object, want ...string) {
	t.Helper()
	if !slices.Equal(lines(got), want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(lines(got), "\n  "), strings.Join(want, "\n  "))
	}
}

// data is the data of the only object, a ConfigMap.
func data(t *testing.T, out unit.Rendering) map[string]any {
	t.Helper()
	if len(out.Objects) != 1 {
		t.Fatalf("want one object, got %v", lines(out.Objects))
	}
	return object.Map(out.Objects[0].Fields, "data")
}

func wantData(t *testing.T, out unit.Rendering, want map[string]any) {
	t.Helper()
	if got := data(t, out); !reflect.DeepEqual(got, want) {
		t.Errorf("got data %v\nwant     %v", got, want)
	}
}

// one is a chart with one ConfigMap, whose data is the given template lines.
func one(templateLines ...string) string {
	return "-- c/Chart.yaml --\napiVersion: v2\nname: c\nversion: 1.2.3\n" +
		"-- c/templates/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata:\n  " +
		strings.Join(templateLines, "\n  ") + "\n"
}

func TestRender(t *testing.T) {
	files := tree(`
-- deploy/web/Chart.yaml --
apiVersion: v2
name: web
version: 1.2.3
appVersion: "9"
-- deploy/web/values.yaml --
replicas: 2
-- deploy/web/templates/_helpers.tpl --
{{- define "web.name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
-- deploy/web/templates/NOTES.txt --
Thank you for {{ .Chart.Name }}.
-- deploy/web/templates/service.yaml --
apiVersion: v1
kind: Service
metadata:
  name: {{ include "web.name" . }}
-- deploy/web/templates/deployment.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "web.name" . }}
  namespace: {{ .Release.Namespace }}
  labels: {chart: {{ .Chart.Name }}-{{ .Chart.Version }}, app: {{ .Chart.AppVersion | quote }}}
spec:
  replicas: {{ .Values.replicas }}
-- deploy/web/templates/empty.yaml --
{{ if .Values.nothing }}kind: Nothing{{ end }}
`)
	out := mustRender(t, files, chartAt("deploy/web", nil))
	wantLines(t, out.Objects,
		"Deployment prod/app-web @ deploy/web/templates/deployment.yaml",
		"Service app-web @ deploy/web/templates/service.yaml")
	d := out.Objects[0]
	if d.ID.Group != "apps" || d.Version != "v1" || d.Origin.Line != 0 || d.Unstable != nil {
		t.Errorf("deployment: %+v", d)
	}
	want := map[string]string{"chart": "web-1.2.3", "app": "9"}
	if got := d.Labels(); !reflect.DeepEqual(got, want) {
		t.Errorf("labels: %v, want %v", got, want)
	}
	if got := fmt.Sprintf("%T %v", object.Get(d.Fields, "spec", "replicas"), object.Get(d.Fields, "spec", "replicas")); got != "json.Number 2" {
		t.Errorf("replicas: %s", got)
	}
	if out.Lookups != nil {
		t.Errorf("lookups: %v", out.Lookups)
	}
}

func TestRelease(t *testing.T) {
	files := tree(one(`who: {{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.Service }} {{ .Release.Revision }} ` +
		`{{ .Release.IsInstall }} {{ .Release.IsUpgrade }}`))
	for _, c := range []struct {
		name string
		req  unit.Request
		want string
	}{
		{"the Application's", chartAt("c", nil), "app prod Helm 1 true false"},
		{"set", chartAt("c", &unit.Helm{ReleaseName: "rel", Namespace: "ns"}), "rel ns Helm 1 true false"},
		{"no namespace", unit.Request{Name: "app", Source: unit.Source{Path: "/c/"}}, "app default Helm 1 true false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantData(t, mustRender(t, files, c.req), map[string]any{"who": c.want})
		})
	}
	for _, name := range []string{strings.Repeat("x", 54), "Upper", "a_b", "{{ now }}", ""} {
		req := chartAt("c", nil)
		req.Name = name
		mustGap(t, files, req, diag.RenderFailed, "cannot be the name of a Helm release")
	}
}

func TestCapabilities(t *testing.T) {
	probe := `v: {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.HelmVersion.Version }}`
	has := func(v string) string { return fmt.Sprintf(`v: {{ .Capabilities.APIVersions.Has %q | quote }}`, v) }
	for _, c := range []struct {
		name, template string
		cluster        string
		given          []string
		helm           *unit.Helm
		want           string
	}{
		{name: "default", template: probe, want: "v1.35.0 35 v4.2.1"},
		{name: "cluster", template: probe, cluster: "1.31", want: "v1.31.0 31 v4.2.1"},
		{name: "patch", template: probe, cluster: "v1.31.4-gke.100", want: "v1.31.4 31 v4.2.1"},
		{name: "application", template: probe, cluster: "1.31", helm: &unit.Helm{KubeVersion: "1.29"}, want: "v1.29 29 v4.2.1"},
		{name: "version that Helm knows", template: has("apps/v1"), want: "true"},
		{name: "kind that a cluster serves", template: has("networking.k8s.io/v1/Ingress"), want: "true"},
		{name: "kind not yet", template: has("resource.k8s.io/v1/ResourceClaim"), cluster: "1.33", want: "false"},
		{name: "kind no more", template: has("policy/v1beta1/PodSecurityPolicy"), want: "false"},
		{name: "kind still", template: has("policy/v1beta1/PodSecurityPolicy"), cluster: "1.24", want: "true"},
		{name: "not given", template: has("monitoring.coreos.com/v1"), want: "false"},
		{name: "given", template: has("monitoring.coreos.com/v1"), given: []string{"monitoring.coreos.com/v1"}, want: "true"},
		{name: "the Application's list replaces the cluster's", template: has("monitoring.coreos.com/v1"),
			given: []string{"monitoring.coreos.com/v1"}, helm: &unit.Helm{APIVersions: []string{"x/v1"}}, want: "false"},
		{name: "the Application's list", template: has("x/v1"), helm: &unit.Helm{APIVersions: []string{"x/v1"}}, want: "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := chartAt("c", c.helm)
			req.KubeVersion, req.APIVersions = c.cluster, c.given
			wantData(t, mustRender(t, tree(one(c.template)), req), map[string]any{"v": c.want})
		})
	}
	req := chartAt("c", nil)
	req.KubeVersion = "latest"
	mustGap(t, tree(one("a: b")), req, diag.RenderFailed, `Kubernetes version "latest" cannot be read`)
}

func TestKubeVersionConstraint(t *testing.T) {
	files := tree(strings.Replace(one("a: b"), "version: 1.2.3", "version: 1.2.3\nkubeVersion: '>=1.34.0-0'", 1))
	mustRender(t, files, chartAt("c", nil))
	req := chartAt("c", nil)
	req.KubeVersion = "1.33"
	mustGap(t, files, req, diag.RenderFailed, "wants Kubernetes >=1.34.0-0, and the cluster is taken to run v1.33.0")
}

func TestCRDs(t *testing.T) {
	files := tree(one("a: b") + `
-- c/crds/b.yaml --
# a comment alone
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: two.example.com}
--- # the next
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: one.example.com}
-- c/crds/README.md --
not a manifest
-- c/charts/sub/Chart.yaml --
apiVersion: v1
name: sub
version: 0.1.0
-- c/charts/sub/crds/s.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sub.example.com}
`)
	wantLines(t, mustRender(t, files, chartAt("c", nil)).Objects,
		"CustomResourceDefinition sub.example.com @ c/charts/sub/crds/s.yaml",
		"CustomResourceDefinition two.example.com @ c/crds/b.yaml",
		"CustomResourceDefinition one.example.com @ c/crds/b.yaml",
		"ConfigMap cm @ c/templates/cm.yaml")
	wantLines(t, mustRender(t, files, chartAt("c", &unit.Helm{SkipCRDs: true})).Objects,
		"ConfigMap cm @ c/templates/cm.yaml")
	files["c/crds/b.yaml"] = &fstest.MapFile{Data: []byte("---apiVersion: v1\nkind: X\n")}
	mustGap(t, files, chartAt("c", nil), diag.Unparsable, "a separator --- is followed by text")
}

func TestChartAtTheTop(t *testing.T) {
	files := tree(strings.ReplaceAll(one("v: {{ .Values.v }}"), "-- c/", "-- ") + "-- a.yaml --\nv: x\n")
	for _, path := range []string{"", ".", "/", "./"} {
		out := mustRender(t, files, chartAt(path, &unit.Helm{ValueFiles: []string{"a.yaml"}}))
		wantLines(t, out.Objects, "ConfigMap cm @ templates/cm.yaml")
	}
	g := mustGap(t, files, chartAt("", &unit.Helm{ReleaseName: "No"}), diag.RenderFailed, "name of a Helm release")
	if g.At.File != "Chart.yaml" {
		t.Errorf("at %+v", g.At)
	}
}

func TestPure(t *testing.T) {
	files := tree(one(`a: {{ uuidv4 }}`, `b: {{ now }}`, `c: {{ keys (dict "x" 1 "y" 2 "z" 3) | join "," }}`))
	first := mustRender(t, files, chartAt("c", nil))
	for range 20 {
		if again := mustRender(t, files, chartAt("c", nil)); !reflect.DeepEqual(first, again) {
			t.Fatalf("two renderings of one request differ:\n%v\n%v", first, again)
		}
	}
	other := chartAt("c", nil)
	other.Seed = 8
	if reflect.DeepEqual(data(t, first), data(t, mustRender(t, files, other))) {
		t.Error("the seed does not matter")
	}
}
