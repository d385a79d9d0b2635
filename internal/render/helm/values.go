package helm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"
	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// userValues merges what the Application sets over the chart's own values, the later winning: value files in order, then
// the inline values as one more file (util/helm/cmd.go template: ExtraValues comes last), then --set, --set-string and
// --set-file (Helm's pkg/cli/values/options.go MergeValues).
func (r *renderer) userValues() (map[string]any, *diag.Gap) {
	base := map[string]any{}
	files, gap := r.valueFiles()
	if gap != nil {
		return nil, gap
	}
	for _, file := range files {
		raw, err := r.tree.ReadFile(file)
		if err != nil {
			return nil, readGap(file, "value file "+shown(file), err)
		}
		values, err := loader.LoadValues(bytes.NewReader(raw))
		if err != nil {
			return nil, &diag.Gap{
				Reason:  diag.Unparsable,
				At:      object.Location{File: file, Line: yamlLine(err)},
				Message: fmt.Sprintf("value file %s is no YAML mapping: %s", shown(file), yamlText(err)),
				Close:   "correct the file",
			}
		}
		base = loader.MergeMaps(base, values)
	}
	inline, gap := r.inlineValues()
	if gap != nil {
		return nil, gap
	}
	base = loader.MergeMaps(base, inline)
	return r.parameters(base)
}

// inlineValues are valuesObject, or else values (pkg/apis/application/v1alpha1/values.go ValuesYAML).
func (r *renderer) inlineValues() (map[string]any, *diag.Gap) {
	text, field := []byte(r.helm.Values), "values"
	if r.helm.ValuesObject != nil {
		field = "valuesObject"
		raw, err := json.Marshal(r.helm.ValuesObject)
		if err == nil {
			text, err = yaml.JSONToYAML(raw)
		}
		if err != nil {
			return nil, r.gap(diag.Unparsable, "helm.valuesObject cannot be written as YAML", closeValues)
		}
	}
	values, err := loader.LoadValues(bytes.NewReader(text))
	if err != nil {
		return nil, r.gap(diag.Unparsable, fmt.Sprintf("helm.%s is no YAML mapping: %s", field, yamlText(err)), closeValues)
	}
	return values, nil
}

// assignment is one --set, --set-string or --set-file in Helm's syntax.
type assignment struct {
	name string
	into func(values map[string]any) error
}

// parameters applies parameters and fileParameters. Argo CD keeps each kind in a map, so the last one of a name counts and
// Helm gets them in random order; where that order decides, so does chance, and nothing can be claimed.
func (r *renderer) parameters(base map[string]any) (map[string]any, *diag.Gap) {
	files, gap := r.fileAssignments()
	if gap != nil {
		return nil, gap
	}
	backward := deepCopy(base).(map[string]any)
	for _, kind := range [][]assignment{r.assignments(false), r.assignments(true), files} {
		for _, a := range kind {
			if a.into(base) != nil {
				return nil, r.gap(diag.RenderFailed, fmt.Sprintf("parameter %q cannot be set: its name is malformed, "+
					"or leads through a value that is no mapping or list", a.name), closeValues)
			}
		}
		for _, a := range slices.Backward(kind) {
			_ = a.into(backward) // an error shows as a difference
		}
	}
	if !reflect.DeepEqual(base, backward) {
		return nil, r.gap(diag.RenderFailed,
			"helm.parameters overlap, and Argo CD passes them in random order", "set each value once")
	}
	return base, nil
}

// assignments are the parameters of one kind, by name.
func (r *renderer) assignments(forceString bool) []assignment {
	last := map[string]string{}
	for _, p := range r.helm.Parameters {
		if p.ForceString == forceString {
			last[p.Name] = p.Value
		}
	}
	set := strvals.ParseInto
	if forceString {
		set = strvals.ParseIntoString
	}
	var out []assignment
	for _, name := range slices.Sorted(maps.Keys(last)) {
		text := name + "=" + escapeCommas(r.env.Expand(last[name]))
		out = append(out, assignment{name, func(values map[string]any) error { return set(text, values) }})
	}
	return out
}

// fileAssignments are the fileParameters by name; each path is resolved as a value file's is.
func (r *renderer) fileAssignments() ([]assignment, *diag.Gap) {
	last := map[string]string{}
	for _, p := range r.helm.FileParameters {
		last[p.Name] = p.Path
	}
	var out []assignment
	for _, name := range slices.Sorted(maps.Keys(last)) {
		file, gap := r.resolve(last[name], "file parameter "+name)
		if gap != nil {
			return nil, gap
		}
		raw, err := r.tree.ReadFile(file)
		if err != nil {
			return nil, readGap(file, fmt.Sprintf("file %s of parameter %s", shown(file), name), err)
		}
		content := func([]rune) (any, error) { return string(raw), nil }
		out = append(out, assignment{name, func(values map[string]any) error {
			return strvals.ParseIntoFile(name+"=file", values, content)
		}})
	}
	return out, nil
}

// escapeCommas keeps a comma from ending a --set, unless the value is a list in Helm's syntax or the comma is escaped
// already (util/helm/cmd.go cleanSetParameters).
func escapeCommas(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	var b strings.Builder
	var before rune
	for _, c := range value {
		if c == ',' && before != '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
		before = c
	}
	return b.String()
}

func deepCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = deepCopy(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = deepCopy(e)
		}
		return out
	}
	return v
}
