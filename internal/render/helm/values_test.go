package helm

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

func TestPrecedence(t *testing.T) {
	files := tree(one(
		`chart: {{ .Values.chart }}`, `first: {{ .Values.first }}`, `second: {{ .Values.second }}`, `inline: {{ .Values.inline }}`,
		`set: {{ .Values.set }}`, `string: {{ .Values.string }}`, `file: {{ .Values.file }}`, `deep: {{ .Values.deep | toJson | quote }}`,
	) + `
-- c/values.yaml --
{chart: chart, first: chart, second: chart, inline: chart, set: chart, string: chart, file: chart, deep: {a: chart, b: chart, gone: chart}}
-- c/one.yaml --
{first: one, second: one, inline: one, set: one, string: one, file: one, deep: {b: one, c: one}}
-- env/two.yaml --
{second: two, inline: two, set: two, string: two, file: two, deep: {c: two, gone: null}}
-- content.txt --
content
`)
	h := unit.Helm{
		ValueFiles:   []string{"one.yaml", "../env/two.yaml"},
		ValuesObject: map[string]any{"inline": "object", "set": "object", "string": "object", "file": "object", "n": json.Number("3")},
		Values:       "{inline: text, set: text}", // not read beside valuesObject
		Parameters: []unit.Parameter{
			{Name: "set", Value: "lost"}, {Name: "set", Value: "parameter"}, {Name: "string", Value: "1"}, {Name: "file", Value: "parameter"},
			{Name: "string", Value: "0123", ForceString: true}, {Name: "deep.d[0].e", Value: "true"},
		},
		FileParameters: []unit.FileParameter{{Name: "file", Path: "/content.txt"}},
	}
	wantData(t, mustRender(t, files, chartAt("c", &h)), map[string]any{
		"chart": "chart", "first": "one", "second": "two", "inline": "object", "set": "parameter", "string": json.Number("83"),
		"file": "content", "deep": `{"a":"chart","b":"one","c":"two","d":[{"e":true}]}`,
	})
	h.ValuesObject = nil
	h.Parameters = nil
	wantData(t, mustRender(t, files, chartAt("c", &h)), map[string]any{
		"chart": "chart", "first": "one", "second": "two", "inline": "text", "set": "text", "string": "two",
		"file": "content", "deep": `{"a":"chart","b":"one","c":"two"}`,
	})
}

func TestParameterSyntax(t *testing.T) {
	files := tree(one(`v: {{ .Values.v | toJson | quote }}`))
	set := func(value string, force bool) *unit.Helm {
		return &unit.Helm{Parameters: []unit.Parameter{{Name: "v", Value: value, ForceString: force}}}
	}
	for _, c := range []struct {
		value string
		force bool
		want  string
	}{
		{"a,b", false, `"a,b"`},
		{`a\,b`, false, `"a,b"`},
		{"{a,b}", false, `["a","b"]`},
		{"a=b", false, `"a=b"`},
		{"7", false, `7`},
		{"7", true, `"7"`},
		{"null", false, `null`},
		{"TRUE", false, `true`},
		{"", false, `""`},
		{"$ARGOCD_APP_NAME-$$-${ARGOCD_APP_NAMESPACE}-$UNKNOWN.", false, `"app-$-prod-."`},
		{"$ARGOCD_APP_REVISION_SHORT $ARGOCD_APP_REVISION_SHORT_8 $ARGOCD_APP_PROJECT_NAME", true, `"0123456 01234567 team"`},
		{"$ARGOCD_APP_SOURCE_PATH@$ARGOCD_APP_SOURCE_TARGET_REVISION $ARGOCD_APP_SOURCE_REPO_URL $ARGOCD_APP_REVISION", false,
			`"c@main https://git/x 0123456789"`},
	} {
		req := chartAt("c", set(c.value, c.force))
		req.Project, req.Revision = "team", "0123456789"
		req.Source.RepoURL, req.Source.TargetRevision = "https://git/x", "main"
		wantData(t, mustRender(t, files, req), map[string]any{"v": c.want})
	}
	// Inline values and names are not substituted.
	wantData(t, mustRender(t, files, chartAt("c", &unit.Helm{Values: "v: $ARGOCD_APP_NAME"})), map[string]any{"v": `"$ARGOCD_APP_NAME"`})
}

func TestParametersThatOverlap(t *testing.T) {
	files := tree(one(`v: {{ .Values.v | toJson | quote }}`))
	for _, c := range []struct {
		parameters []unit.Parameter
		message    string
	}{
		{[]unit.Parameter{{Name: "v", Value: "{x,y}"}, {Name: "v[0]", Value: "z"}}, "overlap"},
		{[]unit.Parameter{{Name: "v.a", Value: "1"}, {Name: "v", Value: "2"}}, `parameter "v.a" cannot be set`},
		{[]unit.Parameter{{Name: "v..", Value: "2"}}, `parameter "v.." cannot be set`},
		{[]unit.Parameter{{Name: "v[70000]", Value: "2"}}, `parameter "v[70000]" cannot be set`},
	} {
		mustGap(t, files, chartAt("c", &unit.Helm{Parameters: c.parameters}), diag.RenderFailed, c.message)
	}
	ok := []unit.Parameter{{Name: "v[1]", Value: "b"}, {Name: "v[0]", Value: "a"}}
	wantData(t, mustRender(t, files, chartAt("c", &unit.Helm{Parameters: ok})), map[string]any{"v": `["a","b"]`})
}

func TestFileParameters(t *testing.T) {
	files := tree(one(`pb: {{ .Values.proto.descriptor | b64enc }}`, `size: {{ len .Values.proto.descriptor }}`) + `
-- protos/link.pb --
-> hello,world.pb
-- c/local.pb --
x
`)
	files["protos/hello,world.pb"] = &fstest.MapFile{Data: []byte{0xff, 0x00, 0x0a, 0xfe, '$', '{', ','}}
	file := func(path string) unit.Request {
		return chartAt("c", &unit.Helm{FileParameters: []unit.FileParameter{{Name: "proto.descriptor", Path: path}}})
	}
	want := map[string]any{"pb": "/wAK/iR7LA==", "size": json.Number("7")}
	wantData(t, mustRender(t, files, file("../protos/hello,world.pb")), want)
	wantData(t, mustRender(t, files, file("/protos/link.pb")), want)
	wantData(t, mustRender(t, files, file("local.pb")), map[string]any{"pb": "eAo=", "size": json.Number("2")})
	mustGap(t, files, file("none.pb"), diag.PathMissing, "file c/none.pb of parameter proto.descriptor does not exist")
	mustGap(t, files, file("../../x.pb"), diag.Escape, "leaves the repository")

	// Without the parameter the template fails, as it does for Helm.
	g := mustGap(t, files, chartAt("c", nil), diag.RenderFailed, "helm: ")
	if g.At.File != "c/templates/cm.yaml" || g.At.Line != 5 || !strings.Contains(g.Message, "nil pointer evaluating interface {}.descriptor") {
		t.Errorf("gap: %+v", g)
	}
	g = mustGap(t, files, chartAt("c", &unit.Helm{Values: "proto: {other: 1}"}), diag.RenderFailed, "invalid value; expected string")
	if g.At.Line != 5 || !strings.Contains(g.Close, "spec.source.helm") || !strings.Contains(g.Close, "roots:") {
		t.Errorf("gap: %+v", g)
	}
}

func TestValueFilePaths(t *testing.T) {
	files := tree(one(`v: {{ .Values.v }}`) + `
-- c/values.yaml --
v: default
-- c/a.yaml --
v: a
-- top.yaml --
v: top
-- envs/app.yaml --
v: app
-- envs/b.yaml --
v: b
-- envs/deep/z.yaml --
v: z
-- c/link.yaml --
-> ../top.yaml
-- c/multi.yaml --
v: 1
---
v: 2
-- c/bom.yaml --
` + "\ufeffv: bom\n" + `
-- c/broken.yaml --
v: [1
-- c/list.yaml --
- v
`)
	for _, c := range []struct {
		paths  []string
		ignore bool
		want   any
	}{
		{paths: nil, want: "default"},
		{paths: []string{"a.yaml"}, want: "a"},
		{paths: []string{"./../c/a.yaml"}, want: "a"},
		{paths: []string{"/top.yaml"}, want: "top"},
		{paths: []string{"../top.yaml", "a.yaml"}, want: "a"},
		{paths: []string{"a.yaml", "/top.yaml", "a.yaml"}, want: "top"}, // a file counts where it comes first
		{paths: []string{"link.yaml"}, want: "top"},
		{paths: []string{"multi.yaml"}, want: json.Number("2")},
		{paths: []string{"bom.yaml"}, want: "bom"},
		{paths: []string{"../envs/$ARGOCD_APP_NAME.yaml"}, want: "app"},
		{paths: []string{"a.yaml", "missing.yaml"}, ignore: true, want: "a"},
		{paths: []string{"../envs/*.yaml"}, want: "b"},
		{paths: []string{"/envs/b.yaml", "/envs/?*.yaml"}, want: "app"},
		{paths: []string{"/envs/*.yaml", "/envs/app.yaml"}, want: "app"}, // what is listed itself stays there
		{paths: []string{"/*/deep/z.yaml"}, want: "z"},
		{paths: []string{"/none/*.yaml"}, ignore: true, want: "default"},
	} {
		h := &unit.Helm{ValueFiles: c.paths, IgnoreMissingValueFiles: c.ignore}
		wantData(t, mustRender(t, files, chartAt("c", h)), map[string]any{"v": c.want})
	}
	for _, c := range []struct {
		path    string
		ignore  bool
		reason  diag.Reason
		message string
	}{
		{"missing.yaml", false, diag.PathMissing, "value file c/missing.yaml does not exist"},
		{"../../etc/passwd", true, diag.Escape, "leaves the repository"},
		{"/../x.yaml", false, diag.Escape, "leaves the repository"},
		{"..", false, diag.Escape, "leaves the repository"},
		{"https://user:secret@example.com/v.yaml", false, diag.Remote, "lies behind the network: https://example.com/v.yaml"},
		{"s3://bucket/v.yaml", false, diag.RenderFailed, `the URL scheme "s3" is not allowed`},
		{"$values/envs/b.yaml", false, diag.Unsupported, "taken from another source: $values/envs/b.yaml"},
		{"${ref}/b.yaml", true, diag.Unsupported, "taken from another source"},
		{"/none/*.yaml", false, diag.PathMissing, "matches no file"},
		{"/envs/**/*.yaml", false, diag.Unsupported, "only * and ? are expanded"},
		{"/envs/[ab].yaml", false, diag.Unsupported, "only * and ? are expanded"},
		{"/envs", false, diag.RenderFailed, "cannot be read"},
		{"broken.yaml", false, diag.Unparsable, "value file c/broken.yaml is no YAML mapping"},
		{"list.yaml", false, diag.Unparsable, "value file c/list.yaml is no YAML mapping"},
	} {
		t.Run(c.path, func(t *testing.T) {
			h := &unit.Helm{ValueFiles: []string{c.path}, IgnoreMissingValueFiles: c.ignore}
			mustGap(t, files, chartAt("c", h), c.reason, c.message)
		})
	}
}

func TestValuesAreNotTold(t *testing.T) {
	const secret = "hunter2-hunter2"
	for name, h := range map[string]*unit.Helm{
		"no mapping":     {Values: secret},
		"not YAML":       {Values: "a: [" + secret},
		"wrong type":     {Values: "sub: " + secret},
		"tpl":            {Values: "t: '{{ " + secret + " }}'"},
		"tpl that fails": {Values: `t: '{{ fail "x" }} ` + secret + `'`},
		"parameter":      {Parameters: []unit.Parameter{{Name: "t.x", Value: secret}}, Values: "t: " + secret},
		"schema":         {Values: "port: " + secret},
		"not a manifest": {Values: "line: '\"" + secret + "\" \"'"},
	} {
		t.Run(name, func(t *testing.T) {
			files := tree(one(`x: {{ tpl (.Values.t | default "") . }}`, `{{ .Values.line | default "y: z" }}`) + `
-- c/values.schema.json --
{"properties": {"port": {"type": "integer"}}}
-- c/charts/sub/Chart.yaml --
{apiVersion: v2, name: sub, version: 0.1.0}
`)
			out := Render(files, chartAt("c", h))
			if len(out.Gaps) != 1 {
				t.Fatalf("want a gap, got %v", lines(out.Objects))
			}
			if strings.Contains(out.Gaps[0].Message, "hunter2") {
				t.Errorf("the gap tells the value: %s", out.Gaps[0].Message)
			}
		})
	}
}
