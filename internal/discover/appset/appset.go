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
	size := 0
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
			if size += sizeOf(app); size > maxSet {
				return nil, fmt.Errorf("the Applications of one set take more than %d bytes", maxSet)
			}
			out = append(out, complete(app, set))
		}
	}
	return out, nil
}

// maxSet bounds what one set expands to, in bytes of text.
const maxSet = 64 << 20

// sizeOf is the text in a filled template, in bytes.
func sizeOf(v any) int {
	size := 8
	switch v := v.(type) {
	case string:
		size += len(v)
	case []any:
		for _, e := range v {
			size += sizeOf(e)
		}
	case map[string]any:
		for k, e := range v {
			size += len(k) + sizeOf(e)
		}
	}
	return size
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

// fast fills {{name}} the way sets without goTemplate are filled: parameters are strings, those below values are called
// values.name, and a name that is unknown stays as it is written (applicationset/generators/list.go).
func fast(text string, params map[string]any) (string, error) {
	flat, err := flatten(params)
	if err != nil || !strings.Contains(text, "{{") {
		return text, err
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

// flatten names the parameters of one element.
func flatten(params map[string]any) (map[string]string, error) {
	flat := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(params)) {
		switch v := params[k].(type) {
		case string:
			flat[k] = v
		case map[string]any:
			if k != "values" {
				return nil, fmt.Errorf("the value of %s is no string; goTemplate would allow that", k)
			}
			for name, e := range v {
				text, ok := e.(string)
				if !ok {
					return nil, fmt.Errorf("the value of values.%s is no string", name)
				}
				flat["values."+name] = text
			}
		default:
			return nil, fmt.Errorf("the value of %s is no string; goTemplate would allow that", k)
		}
	}
	return flat, nil
}
