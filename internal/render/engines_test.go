package render

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/unit"
)

func chart(templates ...string) []string {
	return append([]string{"c/Chart.yaml: {apiVersion: v2, name: c, version: 0.1.0}"}, templates...)
}

func request(path string) unit.Request {
	return unit.Request{Source: unit.Source{Path: path}, Name: "app", Namespace: "n", KubeVersion: "1.35"}
}

// TestRealEngines: each tool renders in a contained process.
func TestRealEngines(t *testing.T) {
	p := newPool(t, processes(t, "real"), Options{Size: 1, Memory: testMemory, Key: []byte("k")})
	tree := memory(
		"c/Chart.yaml: {apiVersion: v2, name: c, version: 0.1.0}",
		"c/templates/s.yaml: {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: hunter2}}",
		"k/kustomization.yaml: {secretGenerator: [{name: s, literals: [p=hunter2], options: {disableNameSuffixHash: true}}]}",
		"d/s.yaml: {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {p: aHVudGVyMg==}}]}",
	)
	digest := ""
	for path, tool := range map[string]unit.Tool{"c": unit.HelmTool, "k": unit.KustomizeTool, "d": unit.DirectoryTool} {
		r, err := p.Render(t.Context(), tree, request(path))
		if err != nil || len(r.Gaps) != 0 || len(r.Objects) != 1 || r.Tool != tool {
			t.Fatalf("%s: %+v %v", path, r.Rendering, err)
		}
		o := r.Objects[0]
		if o.ID.Kind != "Secret" || o.ID.Name != "s" {
			t.Errorf("%s: %s", path, o.ID)
		}
		value := object.String(o.Fields, "data", "p")
		if !object.IsSealed(value) || digest != "" && value != digest {
			t.Errorf("%s: value %q, others %q", path, value, digest)
		}
		digest = value
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		quotesNone(t, string(raw))
	}
}

const leaked = "hunter2-correct-horse"

// quotesNone fails if a text holds the secret or a form of it.
func quotesNone(t *testing.T, text string) {
	t.Helper()
	coded := base64.StdEncoding.EncodeToString([]byte(leaked))
	for _, form := range []string{"hunter2", "horse", coded[:12], "U6eA"} {
		if strings.Contains(text, form) {
			t.Errorf("it leaks: %s", text)
		}
	}
}

// TestEnginesQuoteNoSecrets makes the engines fail in ways that quote values. The engine itself has to quote them, where
// leaks says so, or the test would prove nothing.
func TestEnginesQuoteNoSecrets(t *testing.T) {
	asAuth := base64.StdEncoding.EncodeToString([]byte("auth:" + leaked + ":x"))
	coded := base64.StdEncoding.EncodeToString([]byte(leaked))
	withValues := func(values string) func(*unit.Request) {
		return func(r *unit.Request) { r.Source.Helm = &unit.Helm{Values: values} }
	}
	for name, c := range map[string]struct {
		files []string
		edit  func(*unit.Request)
		path  string
		leaks bool
	}{
		"helm fail": {path: "c", leaks: true, files: chart(
			"c/values.yaml: password: "+leaked,
			"c/templates/x.yaml: {{ fail .Values.password }}")},
		"helm fail with more text": {path: "c", leaks: true, files: chart(
			"c/values.yaml: {db: {credentials: [{user: admin, pw: "+leaked+"}]}}",
			`c/templates/x.yaml: {{ fail (printf "cannot use %v here" .Values.db) }}`)},
		"helm fail with base64": {path: "c", leaks: true, files: chart(
			"c/values.yaml: token: "+leaked,
			`c/templates/x.yaml: {{ fail (printf "auth:%s:x" .Values.token | b64enc) }}`)},
		"helm required": {path: "c", leaks: true, files: chart(
			"c/values.yaml: apiKey: "+leaked,
			`c/templates/x.yaml: {{ required (print "no name for " .Values.apiKey) .Values.name }}`)},
		"helm values of the Application": {path: "c", leaks: true, edit: withValues("password: " + leaked), files: chart(
			"c/templates/x.yaml: {{ fail .Values.password }}")},
		"helm parameter": {path: "c", leaks: true, edit: func(r *unit.Request) {
			r.Source.Helm = &unit.Helm{Parameters: []unit.Parameter{{Name: "auth.password", Value: leaked}}}
		}, files: chart("c/templates/x.yaml: {{ fail .Values.auth.password }}")},
		"helm valuesObject": {path: "c", leaks: true, edit: func(r *unit.Request) {
			r.Source.Helm = &unit.Helm{ValuesObject: map[string]any{"secret": map[string]any{"deep": leaked}}}
		}, files: chart("c/templates/x.yaml: {{ fail .Values.secret.deep }}")},
		"helm literal in a template": {path: "c", leaks: true, files: chart(
			"c/templates/x.yaml: apiVersion: v1\nkind: Secret\nstringData:\n  p: " + leaked + "\n  q: {{ fail \"" + leaked + "\" }}\n")},
		"helm variable": {path: "c", leaks: true, files: chart(
			"c/values.yaml: env:\n- name: DB_PASSWORD\n  value: "+leaked,
			"c/templates/x.yaml: {{ fail (index .Values.env 0).value }}")},
		"helm value of the wrong type": {path: "c", files: chart(
			"c/values.yaml: password: "+leaked,
			"c/templates/x.yaml: {{ .Values.password.hash }}")},
		"helm schema": {path: "c", files: chart(
			"c/values.yaml: password: "+leaked,
			`c/values.schema.json: {"properties": {"password": {"enum": ["a", "b"], "type": "string", "maxLength": 3}}}`,
			"c/templates/x.yaml: {}")},
		"helm broken output": {path: "c", files: chart(
			"c/values.yaml: password: "+leaked,
			"c/templates/x.yaml: apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  p: {{ .Values.password }}: {{ .Values.password }}\n   q: x\n")},
		"helm broken values": {path: "c", files: chart(
			"c/values.yaml: password: "+leaked+": x\n  y: [",
			"c/templates/x.yaml: {}")},
		"helm values that are no map": {path: "c", edit: withValues("password\n" + leaked), files: chart("c/templates/x.yaml: {}")},
		"kustomize literal": {path: "k", files: []string{
			"k/kustomization.yaml: {secretGenerator: [{name: s, literals: [" + leaked + "]}]}"}},
		"kustomize literal, block style": {path: "k", files: []string{
			"k/kustomization.yaml: secretGenerator:\n- name: s\n  literals:\n  - " + leaked + "\n"}},
		"kustomize patch": {path: "k", files: []string{
			"k/kustomization.yaml: {resources: [s.yaml], patches: [{path: p.yaml}]}",
			"k/s.yaml: {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {p: " + coded + "}}",
			"k/p.yaml: apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  p: " + coded + ": " + coded + "\n"}},
		"plain broken": {path: "d", files: []string{
			"d/s.yaml: apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  p: " + leaked + ": " + leaked + "\n"}},
		"plain, a tag": {path: "d", files: []string{
			"d/s.yaml: apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  p: !!int " + leaked + "\n"}},
		"plain, not closed": {path: "d", files: []string{
			"d/s.yaml: apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: \"" + leaked + "\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree, req := memory(c.files...), request(c.path)
			if c.edit != nil {
				c.edit(&req)
			}
			bare := map[string]worker.Engine{"c": Engines().Helm, "k": Engines().Kustomize, "d": Engines().Directory}[c.path](tree, req)
			if len(bare.Gaps) == 0 {
				t.Fatal("the engine does not fail")
			}
			unscrubbed := bare.Gaps[0].Message + bare.Gaps[0].Close
			t.Log(unscrubbed)
			if quotes := strings.Contains(unscrubbed, leaked) || strings.Contains(unscrubbed, asAuth[8:16]); quotes != c.leaks {
				t.Errorf("the engine quotes: %v", quotes)
			}
			p := newPool(t, worker.InProcess{Engines: Engines()}, Options{Size: 1})
			r, err := p.Render(t.Context(), tree, req)
			gap := gapOf(t, r, err)
			quotesNone(t, gap.Message+gap.Close)
			if c.leaks && !strings.Contains(gap.Message, object.Redacted) {
				t.Errorf("nothing is redacted: %s", gap.Message)
			}
			t.Log(gap.Message)
		})
	}
}

// TestHostileUnits: charts, kustomizations and documents that would hang, crash or fill a machine, or read it.
func TestHostileUnits(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector maps more memory than any limit")
	}
	patient := newPool(t, processes(t, "real"), Options{Size: 1, Memory: 700 << 20, Timeout: time.Minute})
	impatient := newPool(t, processes(t, "real"), Options{Size: 1, Memory: 700 << 20, Timeout: 2 * time.Second})
	ten := "[" + strings.Repeat("*a,", 9) + "*a]"
	for name, c := range map[string]struct {
		files  []string
		path   string
		reason diag.Reason
		says   string
		pool   *Pool
	}{
		"a loop without end": {path: "c", pool: impatient, reason: diag.RenderLimit, says: "takes longer than 2s", files: chart(
			"c/templates/x.yaml: {{ range until 30000 }}{{ range until 30000 }}{{ range until 30000 }}{{ end }}{{ end }}{{ end }}")},
		"a string that doubles": {path: "c", reason: diag.RenderLimit, says: "more than 700 MiB of memory", files: chart(
			`c/templates/x.yaml: {{ $x := "xxxxxxxx" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}`)},
		"a long list": {path: "c", reason: diag.RenderLimit, says: "memory", files: chart(
			"c/templates/x.yaml: {{ until 2000000000 | len }}")},
		"a template that includes itself": {path: "c", reason: diag.RenderFailed, says: "", files: chart(
			`c/templates/x.yaml: {{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}`)},
		"a text that renders itself": {path: "c", pool: impatient, reason: diag.RenderLimit, files: chart(
			"c/values.yaml: x: '{{ tpl .Values.x . }}'",
			"c/templates/x.yaml: {{ tpl .Values.x . }}")},
		"values like a bomb": {path: "c", files: chart(
			"c/values.yaml: "+strings.ReplaceAll("a: &a [1,2,3,4,5,6,7,8,9,0]\nb: &a TEN\nc: &a TEN\nd: &a TEN\ne: &a TEN\nf: &a TEN\ng: &a TEN\nh: &a TEN\ni: &a TEN\nj: &a TEN\n", "TEN", ten),
			"c/templates/x.yaml: {{ toYaml .Values }}")},
		"a document like a bomb": {path: "d", files: []string{
			"d/x.yaml: " + strings.ReplaceAll("apiVersion: v1\nkind: X\nmetadata: {name: x}\na: &a [1,2,3,4,5,6,7,8,9,0]\nb: &a TEN\nc: &a TEN\nd: &a TEN\ne: &a TEN\nf: &a TEN\ng: &a TEN\nh: &a TEN\ni: &a TEN\nj: &a TEN\n", "TEN", ten)}},
		"a document like a well": {path: "d", files: []string{"d/x.yaml: apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: " + strings.Repeat("[", 5_000_000)}},
		"a chart that reads the host": {path: "c", reason: diag.RenderFailed, says: "nothing", files: chart(
			`c/templates/x.yaml: {{ range tuple "/etc/passwd" "../../../etc/passwd" }}{{ $.Files.Get . }}{{ end }}{{ range $k, $v := .Files.Glob "/etc/*" }}{{ $k }}{{ end }}{{ fail "nothing" }}`)},
		"a generator that reads the host": {path: "k", files: []string{
			"k/kustomization.yaml: {configMapGenerator: [{name: c, files: [/etc/passwd]}]}"}},
		"a generator that reads the host from below": {path: "k", files: []string{
			"k/kustomization.yaml: {configMapGenerator: [{name: c, files: [../../../../etc/passwd]}]}"}},
		"a kustomization that includes itself": {path: "k", files: []string{
			"k/kustomization.yaml: {resources: [../l]}", "l/kustomization.yaml: {resources: [../k]}"}},
		"a program": {path: "k", files: []string{
			"k/kustomization.yaml: {generators: [g.yaml]}",
			"k/g.yaml: {apiVersion: v1, kind: X, metadata: {name: x, annotations: {config.kubernetes.io/function: 'exec: {path: ./x.sh}'}}}",
			"k/x.sh: #!/bin/sh\ntouch /tmp/hello\n"}},
		"a remote base": {path: "k", reason: diag.Remote, says: "example.com", files: []string{
			"k/kustomization.yaml: {resources: ['https://example.com/x//y?ref=z']}"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := patient
			if c.pool != nil {
				p = c.pool
			}
			start := time.Now()
			r, err := p.Render(t.Context(), memory(c.files...), request(c.path))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Gaps) == 0 || len(r.Objects) > 0 {
				t.Fatalf("%d objects, gaps %v", len(r.Objects), r.Gaps)
			}
			gap := r.Gaps[0]
			t.Logf("%s: %s (%s)", gap.Reason, gap.Message, time.Since(start).Round(time.Millisecond))
			if c.reason != "" && gap.Reason != c.reason || !strings.Contains(gap.Message, c.says) {
				t.Errorf("want %s %q", c.reason, c.says)
			}
			if strings.Contains(gap.Message, "root:") {
				t.Error("it has read the host")
			}
			if r, err := p.Render(t.Context(), memory("d/x.yaml: {apiVersion: v1, kind: X, metadata: {name: x}}"), request("d")); err != nil || len(r.Objects) != 1 {
				t.Errorf("the next unit suffers: %+v %v", r.Rendering, err)
			}
		})
	}
}
