// Package appset expands an ApplicationSet into the Applications that its controller would generate.
//
// In goes the decoded ApplicationSet, out come decoded Applications in the generator's order. List generators are
// expanded. Whatever else the document holds is refused with an [Unsupported] that names it: never a subset of the
// Applications that looks whole. Templates are evaluated without loops, so that no document can hang the caller.
package appset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Unsupported says which part of an ApplicationSet cannot be expanded here.
type Unsupported struct {
	What string // "generator git", "templatePatch", ...
}

func (u *Unsupported) Error() string { return u.What + " is not expanded by this version" }

// Expand returns the Applications of an ApplicationSet. The error is an [*Unsupported], or says what is wrong with the
// document.
//
// Modelled on Argo CD's applicationset/controllers/template/template.go and applicationset/generators/list.go: the
// generated Application lives in the namespace of the set, whatever its template says.
func Expand(set map[string]any) ([]map[string]any, error) {
	spec := object.Map(set, "spec")
	if spec["templatePatch"] != nil {
		return nil, &Unsupported{"templatePatch"}
	}
	template := object.Map(spec, "template")
	if template == nil {
		return nil, fmt.Errorf("spec.template is missing")
	}
	render, err := engine(spec)
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for i, g := range object.List(spec, "generators") {
		elements, err := listElements(g)
		if err != nil {
			return nil, err
		}
		for j, params := range elements {
			app, err := generate(template, params, render)
			if err != nil {
				return nil, fmt.Errorf("spec.generators[%d].list.elements[%d]: %w", i, j, err)
			}
			out = append(out, complete(app, set))
		}
	}
	return out, nil
}

// engine chooses between the two template languages an ApplicationSet can be written in.
func engine(spec map[string]any) (func(string, map[string]any) (string, error), error) {
	options := object.List(spec, "goTemplateOptions")
	if !object.Bool(spec, "goTemplate") {
		return fast, nil
	}
	strict := false
	for _, o := range options {
		switch o {
		case "missingkey=error":
			strict = true
		case "missingkey=default", "missingkey=invalid":
			strict = false
		default:
			return nil, &Unsupported{fmt.Sprintf("goTemplateOptions %v", o)}
		}
	}
	return func(text string, params map[string]any) (string, error) {
		return goTemplate(text, params, strict)
	}, nil
}

// listElements returns the parameters of one generator, which must be a plain list.
func listElements(generator any) ([]map[string]any, error) {
	g, ok := generator.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a generator is not a mapping")
	}
	for _, kind := range slices.Sorted(maps.Keys(g)) {
		switch kind {
		case "list":
		case "selector":
			return nil, &Unsupported{"a generator's selector"}
		default:
			return nil, &Unsupported{"generator " + kind}
		}
	}
	list, ok := g["list"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a generator is empty")
	}
	if list["template"] != nil && len(object.Map(list, "template")) > 0 {
		return nil, &Unsupported{"a generator's own template"}
	}
	if s := object.String(list, "elementsYaml"); s != "" {
		return nil, &Unsupported{"elementsYaml"}
	}
	var out []map[string]any
	for i, e := range object.List(list, "elements") {
		m, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("list.elements[%d] is not a mapping", i)
		}
		out = append(out, m)
	}
	return out, nil
}

// generate fills the template in with one set of parameters. Keys of maps are templates too.
func generate(template, params map[string]any, render func(string, map[string]any) (string, error)) (map[string]any, error) {
	filled, err := fill(template, params, render)
	if err != nil {
		return nil, err
	}
	return filled.(map[string]any), nil
}

func fill(v any, params map[string]any, render func(string, map[string]any) (string, error)) (any, error) {
	switch v := v.(type) {
	case string:
		return render(v, params)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			f, err := fill(e, params, render)
			if err != nil {
				return nil, err
			}
			out[i] = f
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			name, err := render(k, params)
			if err != nil {
				return nil, err
			}
			if out[name], err = fill(v[k], params, render); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// complete makes an Application document of a filled template.
func complete(app, set map[string]any) map[string]any {
	metadata := map[string]any{}
	for k, v := range object.Map(app, "metadata") {
		metadata[k] = v
	}
	delete(metadata, "namespace")
	if ns := object.String(set, "metadata", "namespace"); ns != "" {
		metadata["namespace"] = ns
	}
	return map[string]any{
		"apiVersion": "argoproj.io/v1alpha1",
		"kind":       "Application",
		"metadata":   metadata,
		"spec":       app["spec"],
	}
}

// fast fills {{name}} the way sets without goTemplate are filled: parameters are flattened to dotted names and made
// strings, and a name that is unknown stays as it is written.
func fast(text string, params map[string]any) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	flat := map[string]string{}
	for k, v := range params {
		flatten(flat, k, v)
	}
	var out strings.Builder
	rest := text
	for {
		before, tail, ok := strings.Cut(rest, "{{")
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		name, after, closed := strings.Cut(tail, "}}")
		if !closed {
			out.WriteString("{{" + tail)
			return out.String(), nil
		}
		if v, known := flat[strings.TrimSpace(name)]; known {
			out.WriteString(v)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		rest = after
	}
}

// flatten spells nested parameters "a.b" and "a.0", as the list generator does.
func flatten(into map[string]string, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			flatten(into, name+"."+k, e)
		}
	case []any:
		for i, e := range v {
			flatten(into, name+"."+strconv.Itoa(i), e)
		}
	case nil:
		into[name] = ""
	default:
		into[name] = fmt.Sprint(v)
	}
}
