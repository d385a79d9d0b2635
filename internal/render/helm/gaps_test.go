package helm

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

func TestTemplateErrors(t *testing.T) {
	helpers := `
-- c/templates/_helpers.tpl --
{{- define "c.deep" -}}
{{ required "helper wants .Values.h" .Values.h }}
{{- end }}
-- c/charts/sub/Chart.yaml --
{apiVersion: v2, name: sub, version: 0.1.0}
-- c/charts/sub/templates/x.yaml --


{{ if .Values.bad }}{{ fail "sub says no" }}{{ end }}
`
	for _, c := range []struct {
		template string
		file     string
		line     int
		message  string
		helm     *unit.Helm
	}{
		{`v: {{ required "image.tag is required" .Values.tag }}`, "c/templates/cm.yaml", 5, "helm: image.tag is required", nil},
		{`v: {{ fail "two\nlines" }}`, "c/templates/cm.yaml", 5, "helm: two lines", nil},
		{`v: {{ include "c.deep" . }}`, "c/templates/cm.yaml", 5, "helm: helper wants .Values.h", nil},
		{`v: {{ .Values.a.b.c }}`, "c/templates/cm.yaml", 5, "nil pointer evaluating interface {}.b", nil},
		{`v: {{ b64enc .Values.none }}`, "c/templates/cm.yaml", 5, "wrong type for value; expected string; got interface {}", nil},
		{`v: {{ include "nobody" . }}`, "c/templates/cm.yaml", 5, `no template "nobody"`, nil},
		{`v: {{ if }}`, "c/templates/cm.yaml", 5, "missing value for if", nil},
		{`v: {{ nofunction 1 }}`, "c/templates/cm.yaml", 5, `function "nofunction" not defined`, nil},
		{`v: {{ template "nobody" }}`, "c/templates/cm.yaml", 5, `template "nobody" not defined`, nil},
		{`v: {{ tpl "{{ .Values.x.y.z }}" . }}`, "c/templates/cm.yaml", 5, "helm: nil pointer evaluating interface {}.y", nil},
		{`v: x`, "c/charts/sub/templates/x.yaml", 3, "helm: sub says no", &unit.Helm{Values: "sub: {bad: true}"}},
		{`v: {{ fail (repeat 300 "x") }}`, "c/templates/cm.yaml", 5, "helm: " + strings.Repeat("x", 200) + "...", nil},
		{`v: {{ regexMatch "[" "x" }}`, "c/templates/cm.yaml", 5, "", nil}, // sprig swallows this one
		{`v: {{ tpl "{{ if }}" . }}`, "c/templates/cm.yaml", 5, "missing value for if", nil},
		{`v: {{ mustToJson (dict "f" .Files) | int }}{{ index .Values "a" "b" }}`, "c/templates/cm.yaml", 5, "error calling index", nil},
	} {
		t.Run(c.template, func(t *testing.T) {
			if c.message == "" {
				mustRender(t, tree(one(c.template)+helpers), chartAt("c", c.helm))
				return
			}
			g := mustGap(t, tree(one(c.template)+helpers), chartAt("c", c.helm), diag.RenderFailed, c.message)
			if g.At != (object.Location{File: c.file, Line: c.line}) {
				t.Errorf("at %+v, want %s:%d", g.At, c.file, c.line)
			}
		})
	}
}

func TestErrorInArchive(t *testing.T) {
	files := tree(one("v: x"))
	files["c/charts/sub-0.1.0.tgz"] = tgz(t, "-- sub/Chart.yaml --\n{apiVersion: v2, name: sub, version: 0.1.0}\n"+
		"-- sub/templates/x.yaml --\n{{ .Values.mode }}\n{{ if eq (.Values.mode | default \"\") \"fail\" }}{{ fail \"no\" }}{{ end }}\n")
	g := mustGap(t, files, chartAt("c", &unit.Helm{Values: "sub: {mode: fail}"}), diag.RenderFailed, "helm: template c/charts/sub/templates/x.yaml:2: no")
	if g.At != (object.Location{File: "c/charts/sub-0.1.0.tgz"}) {
		t.Errorf("at %+v", g.At)
	}
	g = mustGap(t, files, chartAt("c", &unit.Helm{Values: "sub: {mode: text}"}), diag.Unparsable, "(template c/charts/sub/templates/x.yaml)")
	if g.At != (object.Location{File: "c/charts/sub-0.1.0.tgz"}) {
		t.Errorf("at %+v", g.At)
	}
}

// broken is a tree in which one name cannot be read.
type broken struct {
	fstest.MapFS
	name string
	err  error
}

func (b broken) ReadFile(name string) ([]byte, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "read", Path: name, Err: b.err}
	}
	return b.MapFS.ReadFile(name)
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: b.err}
	}
	return b.MapFS.ReadDir(name)
}

func TestUnreadable(t *testing.T) {
	files := tree(one("v: {{ .Values.v }}") + "-- c/values.yaml --\nv: x\n-- c/big/f.bin --\n-- v.yaml --\nv: y\n")
	for _, c := range []struct {
		name    string
		err     error
		reason  diag.Reason
		message string
	}{
		{"c/big/f.bin", source.ErrTooLarge, diag.ContentMissing, "chart file big/f.bin is larger than the limit"},
		{"c/big/f.bin", source.ErrAbsent, diag.ContentMissing, "chart file big/f.bin is absent from this clone"},
		{"c/big", source.ErrSubmodule, diag.ContentMissing, "chart directory c/big lies in a submodule"},
		{"c/values.yaml", source.ErrEscapes, diag.Escape, "chart file values.yaml leaves the repository"},
		{"c/values.yaml", source.ErrLinkLoop, diag.RenderFailed, "chart file values.yaml is a loop of links"},
		{"c/values.yaml", errors.New("disk on fire"), diag.RenderFailed, "chart file values.yaml cannot be read"},
		{"c/.helmignore", source.ErrAbsent, diag.ContentMissing, ".helmignore is absent from this clone"},
		{"v.yaml", source.ErrTooLarge, diag.ContentMissing, "value file v.yaml is larger than the limit"},
		{"v.yaml", source.ErrEscapes, diag.Escape, "value file v.yaml leaves the repository"},
	} {
		t.Run(fmt.Sprint(c.name, c.err), func(t *testing.T) {
			out := Render(broken{files, c.name, c.err}, chartAt("c", &unit.Helm{ValueFiles: []string{"/v.yaml"}}))
			if len(out.Gaps) != 1 || len(out.Objects) != 0 {
				t.Fatalf("want one gap, got %+v", out)
			}
			if g := out.Gaps[0]; g.Reason != c.reason || g.Message != c.message || g.Close == "" || g.At.File != c.name {
				t.Errorf("gap: %+v", g)
			}
		})
	}
}

// panics is a tree that panics, as a library underneath might.
type panics struct{ fstest.MapFS }

func (panics) ReadDir(string) ([]fs.DirEntry, error) { panic("index out of range") }

func TestPanic(t *testing.T) {
	out := Render(panics{}, chartAt("c", nil))
	if len(out.Gaps) != 1 || out.Gaps[0].Message != "helm stopped unexpectedly: index out of range" || out.Tool != unit.HelmTool {
		t.Errorf("got %+v", out)
	}
}

func TestSchema(t *testing.T) {
	chart := one("v: {{ .Values.port }}") + `
-- c/values.yaml --
port: 80
-- c/values.schema.json --
{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/x.json",
 "properties": {"port": {"$ref": "#/definitions/port"}}, "required": ["port"],
 "definitions": {"port": {"type": "integer", "maximum": 65535}}}
-- c/charts/sub/Chart.yaml --
{apiVersion: v2, name: sub, version: 0.1.0}
-- c/charts/sub/values.schema.json --
{"properties": {"mode": {"enum": ["a", "b"]}}}
`
	set := func(values string, skip bool) unit.Request {
		return chartAt("c", &unit.Helm{Values: values, SkipSchemaValidation: skip})
	}
	mustRender(t, tree(chart), set("", false))
	mustRender(t, tree(chart), set("sub: {mode: a}", false))
	mustRender(t, tree(chart), set("port: eighty", true))
	mustGap(t, tree(chart), set("port: eighty", false), diag.RenderFailed, `the values of chart c do not meet values.schema.json: /port breaks "type"`)
	mustGap(t, tree(chart), set("port: 70000", false), diag.RenderFailed, `/port breaks "maximum"`)
	mustGap(t, tree(chart), set("port: null", false), diag.RenderFailed, "/ lacks port")
	mustGap(t, tree(chart), set("sub: {mode: c}", false), diag.RenderFailed, `the values of chart sub do not meet values.schema.json: /mode breaks "enum"`)
	mustGap(t, tree(chart), set("sub: text", false), diag.RenderFailed, `the value "sub" is no mapping, but names a subchart`)

	for ref, reason := range map[string]diag.Reason{
		"https://example.com/other.json": diag.Remote,
		"http://169.254.169.254/latest":  diag.Remote,
		"other.json":                     diag.Unsupported,
		"file:///etc/passwd":             diag.Unsupported,
	} {
		files := tree(one("v: x") + `-- c/values.schema.json --` + "\n" + `{"properties": {"p": {"$ref": "` + ref + `"}}}` + "\n")
		mustGap(t, files, chartAt("c", nil), reason, "values.schema.json of chart c refers to ")
		mustRender(t, files, set("", true))
	}
	mustRender(t, tree(one("v: x")+`-- c/values.schema.json --`+"\n"+`{"properties": {"p": {"$ref": "urn:x:y"}}}`+"\n"), set("p: 1", false))
	mustGap(t, tree(one("v: x")+"-- c/values.schema.json --\n{\n"), set("", false), diag.Unparsable, "is no JSON")
	mustGap(t, tree(one("v: x")+"-- c/values.schema.json --\n"+`{"type": 7}`+"\n"), set("", false), diag.RenderFailed, "is no JSON schema")
}
