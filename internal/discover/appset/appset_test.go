package appset_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/discover/appset"
	"github.com/syncproof/syncproof/internal/object"
)

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := object.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const list = `
metadata: {name: sites, namespace: argocd}
spec:
  goTemplate: %v
  generators:
  - list:
      elements:
      - {name: docs, replicas: %s, values: {path: sites/docs}}
      - {name: Blog_Site, replicas: %s, values: {path: sites/blog}}
  template:
    metadata: {name: '%s', namespace: ignored, labels: {? '%s' : "yes"}}
    spec:
      source: {path: '%s', helm: {parameters: [{name: n, value: '%s'}]}}
      keep: true
`

// listSet fills in four templates: of the name, of a label, of the path and of a parameter.
func listSet(goTemplate bool, templates ...any) string {
	three, one := `"3"`, `"1"`
	if goTemplate {
		three, one = "3", "1"
	}
	return fmt.Sprintf(list, append([]any{goTemplate, three, one}, templates...)...)
}

func TestExpandList(t *testing.T) {
	for name, set := range map[string]string{
		"fasttemplate": listSet(false, "{{ name }}", "{{name}}", "{{values.path}}/{{unknown}}", "{{replicas}}"),
		"goTemplate":   listSet(true, "{{ .name }}", "{{.name}}", "{{ .values.path }}/{{`{{`}}unknown}}", "{{.replicas}}"),
	} {
		t.Run(name, func(t *testing.T) {
			apps, err := appset.Expand(decode(t, set))
			if err != nil {
				t.Fatal(err)
			}
			if len(apps) != 2 {
				t.Fatalf("%d applications", len(apps))
			}
			first := apps[0]
			for path, want := range map[string]string{
				"kind":                 "Application",
				"apiVersion":           "argoproj.io/v1alpha1",
				"metadata.name":        "docs",
				"metadata.namespace":   "argocd",
				"metadata.labels.docs": "yes",
				"spec.source.path":     "sites/docs/{{unknown}}",
			} {
				if got := object.String(first, strings.Split(path, ".")...); got != want {
					t.Errorf("%s = %q, want %q", path, got, want)
				}
			}
			value := object.String(object.List(first, "spec", "source", "helm", "parameters")[0], "value")
			if value != "3" || !object.Bool(first, "spec", "keep") {
				t.Errorf("value = %q, keep lost: %v", value, first)
			}
			if got := object.String(apps[1], "metadata", "name"); got != "Blog_Site" {
				t.Errorf("second is %q", got)
			}
		})
	}
}

func TestGoTemplateFunctions(t *testing.T) {
	set := listSet(true, `{{ .name | normalize }}`, `{{ if eq .name "docs" }}a{{ else }}b{{ end }}`,
		`{{ trimPrefix "sites/" .values.path | upper }}`, `{{ default "none" .missing }}`)
	apps, err := appset.Expand(decode(t, set))
	if err != nil {
		t.Fatal(err)
	}
	if got := object.String(apps[1], "metadata", "name"); got != "blog-site" {
		t.Errorf("name = %q", got)
	}
	if got := object.String(apps[1], "spec", "source", "path"); got != "BLOG" {
		t.Errorf("path = %q", got)
	}
	if got := object.String(apps[1], "metadata", "labels", "b"); got != "yes" {
		t.Errorf("labels = %v", apps[1])
	}
}

func TestExpandRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ set, want string }{
		"git generator":   {"spec: {template: {}, generators: [{git: {repoURL: x}}]}", "generator git is not expanded by this version"},
		"selector":        {"spec: {template: {}, generators: [{list: {elements: []}, selector: {}}]}", "a generator's selector is not expanded by this version"},
		"templatePatch":   {"spec: {template: {}, templatePatch: x}", "templatePatch is not expanded by this version"},
		"elementsYaml":    {"spec: {template: {}, generators: [{list: {elementsYaml: x}}]}", "elementsYaml is not expanded by this version"},
		"own template":    {"spec: {template: {}, generators: [{list: {elements: [], template: {metadata: {}}}}]}", "a generator's own template is not expanded by this version"},
		"range":           {listSet(true, "{{range .values}}x{{end}}", "a", "b", "c"), "template construct {{range .values}}x{{end}} is not expanded by this version"},
		"sprig":           {listSet(true, "{{ until 5 }}", "a", "b", "c"), "template function until is not expanded by this version"},
		"call":            {listSet(true, "{{ call .x }}", "a", "b", "c"), "template function call is not expanded by this version"},
		"printf":          {listSet(true, `{{ printf `+"`%%99999999d`"+` 1 }}`, "a", "b", "c"), "template function printf is not expanded by this version"},
		"define":          {listSet(true, `{{define `+"`t`"+`}}{{end}}x`, "a", "b", "c"), "a template that defines templates is not expanded by this version"},
		"strange options": {"spec: {template: {}, goTemplate: true, goTemplateOptions: [x]}", "goTemplateOptions x is not expanded by this version"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := appset.Expand(decode(t, tc.set))
			var u *appset.Unsupported
			if !errors.As(err, &u) || u.Error() != tc.want {
				t.Errorf("error = %v\nwant    %s", err, tc.want)
			}
		})
	}
}

func TestExpandReportsMistakes(t *testing.T) {
	for name, tc := range map[string]struct{ set, want string }{
		"no template": {"spec: {generators: []}", "spec.template is missing"},
		"no mapping":  {"spec: {template: {}, generators: [3]}", "a generator is not a mapping"},
		"element":     {"spec: {template: {}, generators: [{list: {elements: [a]}}]}", "list.elements[0] is not a mapping"},
		"missing key": {strings.Replace(listSet(true, "{{.nope}}", "a", "b", "c"), "goTemplate: true", "goTemplate: true\n  goTemplateOptions: [missingkey=error]", 1),
			`spec.generators[0].list.elements[0]: a template cannot be filled: template: :1:2: executing "" at <.nope>: map has no entry for key "nope"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := appset.Expand(decode(t, tc.set))
			if err == nil || err.Error() != tc.want {
				t.Errorf("error = %v\nwant    %s", err, tc.want)
			}
		})
	}
}

func TestFastLeavesUnclosedTags(t *testing.T) {
	set := listSet(false, "{{name}}-{{x", "a", "b", "c")
	apps, err := appset.Expand(decode(t, set))
	if err != nil {
		t.Fatal(err)
	}
	if got := object.String(apps[0], "metadata", "name"); got != "docs-{{x" {
		t.Errorf("name = %q", got)
	}
}

func TestNumbersAreFloatsToGoTemplates(t *testing.T) {
	set := listSet(true, `{{ if eq .replicas 3.0 }}three{{ else }}other{{ end }}`, "b", `{{ default "none" (index .values "no") }}`, "{{ .replicas }}")
	apps, err := appset.Expand(decode(t, set))
	if err != nil {
		t.Fatal(err)
	}
	if object.String(apps[0], "metadata", "name") != "three" || object.String(apps[1], "metadata", "name") != "other" {
		t.Errorf("%v", apps)
	}
	if got := object.String(apps[0], "spec", "source", "path"); got != "none" {
		t.Errorf("path = %q", got)
	}
}

func TestWithoutGoTemplateOnlyStrings(t *testing.T) {
	set := decode(t, "spec: {template: {metadata: {name: x}}, generators: [{list: {elements: [{num: 1}]}}]}")
	if _, err := appset.Expand(set); err == nil || !strings.Contains(err.Error(), "the value of num is no string") {
		t.Errorf("%v", err)
	}
}

func TestExpansionIsBounded(t *testing.T) {
	elements := strings.TrimSuffix(strings.Repeat("{},", 10000), ",")
	for name, set := range map[string]string{
		"many large Applications": "spec: {generators: [{list: {elements: [" + elements + "]}}], template: {metadata: {name: n}, spec: {project: '{{x}}" + strings.Repeat("y", 10000) + "'}}}",
		"deep nesting": "spec: {goTemplate: true, generators: [{list: {elements: [{}]}}], template: {metadata: {name: '" +
			strings.Repeat("{{if 1}}", 3000) + strings.Repeat("{{end}}", 3000) + "'}}}",
		"much output": "spec: {goTemplate: true, generators: [{list: {elements: [{v: '" + strings.Repeat("v", 60000) + "'}]}}], template: {metadata: {name: '" +
			strings.Repeat("{{.v}}", 100) + "'}}}",
	} {
		if _, err := appset.Expand(decode(t, set)); err == nil {
			t.Errorf("%s: no error", name)
		} else if len(err.Error()) > 400 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// TestTextsStaySmall: nesting that doubles a text at every level ends early, whichever function doubles.
func TestTextsStaySmall(t *testing.T) {
	for name, level := range map[string][2]string{
		"print":   {"{{ with print . . }}", "{{ end }}"},
		"quote":   {"{{ with quote . }}", "{{ end }}"},
		"replace": {`{{ with replace "" "aaaaaaaa" (print .) }}`, "{{ end }}"},
	} {
		text := strings.Repeat(level[0], 64) + strings.Repeat(level[1], 64)
		_, err := appset.Expand(decode(t, listSet(true, "x", strings.ReplaceAll(text, "'", "''"), "b", "c")))
		if err == nil || !strings.Contains(err.Error(), "grows beyond 65536 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzExpand: whatever a template says, it ends and does not panic.
func FuzzExpand(f *testing.F) {
	f.Add("{{ .name }}-{{ .values.path | upper }}", true)
	f.Add("{{name}}", false)
	f.Add("{{ with .values }}{{ .path }}{{ end }}{{ index .values `path` }}", true)
	f.Add("{{ if and .name (not .replicas) }}a{{ else if lt 1 2 }}b{{ end }}", true)
	f.Fuzz(func(t *testing.T, text string, goTemplate bool) {
		set := map[string]any{
			"metadata": map[string]any{"name": "s"},
			"spec": map[string]any{
				"goTemplate": goTemplate,
				"generators": []any{map[string]any{"list": map[string]any{"elements": []any{
					map[string]any{"name": "a", "replicas": json.Number("3"), "where": map[string]any{"path": "p"}},
				}}}},
				"template": map[string]any{"metadata": map[string]any{"name": text}, "spec": map[string]any{text: text}},
			},
		}
		apps, err := appset.Expand(set)
		if err == nil && len(apps) != 1 {
			t.Errorf("%d applications", len(apps))
		}
	})
}
