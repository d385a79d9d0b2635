package remedy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Annotations that remedies set and read.
const (
	waveAnnotation    = "argocd.argoproj.io/sync-wave"
	optionsAnnotation = "argocd.argoproj.io/sync-options"
	userVolume        = "sidecar.istio.io/userVolume"
)

// set is a copy of nested maps with a value at a path. Only the way to it is copied.
func set(v any, value any, path ...string) map[string]any {
	m, _ := v.(map[string]any)
	out := maps.Clone(m)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) == 1 {
		out[path[0]] = value
	} else {
		out[path[0]] = set(out[path[0]], value, path[1:]...)
	}
	return out
}

// annotate is an object with an annotation.
func annotate(o object.Object, key, value string) object.Object {
	o.Fields = set(o.Fields, value, "metadata", "annotations", key)
	return o
}

// annotatePods is a workload whose pod template has an annotation.
func annotatePods(o object.Object, key, value string) object.Object {
	path := []string{"spec", "template", "metadata", "annotations", key}
	if o.ID.Kind == "CronJob" {
		path = []string{"spec", "jobTemplate", "spec", "template", "metadata", "annotations", key}
	}
	o.Fields = set(o.Fields, value, path...)
	return o
}

// named is an object under another name.
func named(o object.Object, name string) object.Object {
	o.ID.Name = name
	o.Fields = set(o.Fields, name, "metadata", "name")
	return o
}

// contentHash is equal for ConfigMaps and Secrets with equal data.
func contentHash(o object.Object) string {
	raw, err := json.Marshal([]any{o.Fields["data"], o.Fields["binaryData"], o.Fields["stringData"]})
	if err != nil {
		return "unreadable" // decoded JSON is encodable
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])[:10]
}

// holders are the fields of a pod template in which a ConfigMap or a Secret is named, in lower case: the injector's annotations
// are read without regard to case.
var holders = map[string][]string{
	"ConfigMap": {"configmap", "configmapref", "configmapkeyref"},
	"Secret":    {"secret", "secretref", "secretkeyref"},
}

// renamed is a workload that reads another object in the place of one.
func renamed(o object.Object, provider object.ID, to string) object.Object {
	r := renaming{holders[provider.Kind], provider.Name, to}
	if spec, ok := r.value(o.Fields["spec"]).(map[string]any); ok {
		o.Fields = set(o.Fields, spec, "spec")
	}
	return o
}

type renaming struct {
	holders  []string
	from, to string
}

// value is a copy of decoded JSON with the name changed where it is held.
func (r renaming) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			switch text, isText := e.(string); {
			case key == userVolume && isText:
				out[key] = r.text(text)
			case slices.Contains(r.holders, strings.ToLower(key)):
				out[key] = r.held(r.value(e))
			default:
				out[key] = r.value(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = r.value(e)
		}
		return out
	}
	return v
}

func (r renaming) held(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key, e := range m {
		if k := strings.ToLower(key); e == r.from && (k == "name" || k == "secretname") {
			m[key] = r.to
		}
	}
	return m
}

// text is an annotation that holds JSON, with the name changed; as it is if it cannot be read.
func (r renaming) text(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.value(v)); err != nil {
		return text
	}
	return strings.TrimSpace(out.String())
}
