package unit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	kubejson "sigs.k8s.io/json"
)

// wrongType is how the decoder says that a field has the wrong type.
var wrongType = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field [^ .]*\.(\S+) of type`)

// inertKustomize are fields of spec.source.kustomize that change nothing in what is rendered here.
var inertKustomize = []string{"version", "ignoreMissingComponents"}

// appliedKustomize are the fields of spec.source.kustomize that a rendering applies.
var appliedKustomize = []string{
	"namePrefix", "nameSuffix", "namespace", "images", "replicas", "commonLabels", "commonAnnotations", "components",
	"patches", "kubeVersion", "apiVersions",
}

// DecodeSource reads spec.source (or one of spec.sources) of an Application from decoded JSON. Keys that Argo CD does not
// know are dropped, as its API server drops them; keys of kustomize that are known and not applied are named in
// [Kustomize.Other]. The error says which field has the wrong type.
func DecodeSource(fields map[string]any) (Source, error) {
	normal := normalise(fields)
	raw, err := json.Marshal(normal)
	if err != nil {
		return Source{}, fmt.Errorf("encode source: %w", err)
	}
	var s Source
	// Field names are case-sensitive to the API server, and so here.
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(raw, &s); err != nil {
		if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
			return Source{}, fmt.Errorf("source field %s cannot be a %s", m[2], m[1])
		}
		return Source{}, fmt.Errorf("read source: %w", err)
	}
	if s.Kustomize != nil {
		s.Kustomize.Other = otherKustomize(normal)
	}
	// A block in which nothing is set does not choose the tool (Argo CD drops it when it reads the Application).
	if s.Helm != nil && len(s.Helm.ValuesObject) == 0 && says(s.Helm) == `{"valuesObject":{}}` || says(s.Helm) == "{}" {
		s.Helm = nil
	}
	if says(s.Kustomize) == "{}" {
		s.Kustomize = nil
	}
	if s.Directory != nil && len(s.Directory.Jsonnet) == 0 {
		s.Directory.Jsonnet = nil
	}
	if says(s.Directory) == "{}" {
		s.Directory = nil
	}
	if s.Helm != nil && s.Helm.ValuesObject != nil {
		// The round trip above turned big numbers into floats; the caller's decoded form keeps them as written.
		helm := fields["helm"].(map[string]any)
		s.Helm.ValuesObject = helm["valuesObject"].(map[string]any)
	}
	return s, nil
}

// says is a block in JSON: "{}" if nothing is set in it.
func says(block any) string {
	raw, err := json.Marshal(block)
	if err != nil {
		return ""
	}
	return string(raw)
}

// normalise copies the two levels that need a change: replica counts may be written as strings, and an empty block means
// the same as none.
func normalise(fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for k, v := range fields {
		if m, ok := v.(map[string]any); ok && len(m) == 0 && k != "plugin" {
			continue
		}
		out[k] = v
	}
	k, ok := out["kustomize"].(map[string]any)
	if !ok {
		return out
	}
	list, ok := k["replicas"].([]any)
	if !ok {
		return out
	}
	counts := make([]any, len(list))
	for i, e := range list {
		counts[i] = replica(e)
	}
	copied := make(map[string]any, len(k))
	for name, v := range k {
		copied[name] = v
	}
	copied["replicas"] = counts
	out["kustomize"] = copied
	return out
}

func replica(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	s, ok := m["count"].(string)
	if !ok {
		return v
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return v
	}
	return map[string]any{"name": m["name"], "count": n}
}

func otherKustomize(fields map[string]any) []string {
	var other []string
	k, _ := fields["kustomize"].(map[string]any)
	for name, v := range k {
		if slices.Contains(appliedKustomize, name) || slices.Contains(inertKustomize, name) || v == nil || v == false {
			continue
		}
		other = append(other, name)
	}
	slices.Sort(other)
	return other
}
