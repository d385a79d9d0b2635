// Package fields compares and changes manifests as decoded JSON.
//
// In go decoded documents, as [object.Object] has them; out come copies, differences, and the edits that make the one that is
// written what the other one, the rendered one, is. It refuses to write what is secret, of which only a digest is known.
package fields

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
	jsonyaml "sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
)

// Document reads one document of a text that yamledit has parsed, as the API server would: nil if it is no mapping.
func Document(data []byte, doc int) map[string]any {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var n yaml.Node
	for range doc + 1 {
		n = yaml.Node{}
		if err := dec.Decode(&n); err != nil {
			return nil
		}
	}
	var text bytes.Buffer
	if err := yaml.NewEncoder(&text).Encode(&n); err != nil {
		return nil
	}
	raw, err := jsonyaml.YAMLToJSON(text.Bytes())
	if err != nil {
		return nil
	}
	fields, err := object.Decode(raw)
	if err != nil {
		return nil
	}
	return fields
}

// Equal compares decoded JSON as an API server sees it: null is nothing, numbers are values.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range x {
			if v != nil && !Equal(v, y[k]) {
				return false
			}
		}
		for k, v := range y {
			if v != nil && x[k] == nil {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && sameNumber(string(x), string(y))
	}
	return reflect.DeepEqual(a, b)
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, err := strconv.ParseFloat(a, 64)
	y, other := strconv.ParseFloat(b, 64)
	return err == nil && other == nil && x == y && !wide(a) && !wide(b)
}

// wide tells a number that a float does not hold exactly.
func wide(s string) bool { return len(s) > 15 }

// Clone copies decoded JSON.
func Clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Clone(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Clone(e)
		}
		return out
	}
	return v
}

// Difference is the path of the first difference.
func Difference(a, b any) string { return difference(a, b, "") }

func difference(a, b any, at string) string {
	x, both := a.(map[string]any)
	y, ok := b.(map[string]any)
	if !both || !ok {
		if Equal(a, b) {
			return ""
		}
		return at
	}
	for _, k := range Keys(x, y) {
		if x[k] == nil && y[k] == nil {
			continue
		}
		if d := difference(x[k], y[k], at+"/"+k); d != "" {
			return d
		}
	}
	return ""
}

// HasSealed tells whether a value has a secret in it, of which only a digest is known.
func HasSealed(v any) bool {
	switch v := v.(type) {
	case string:
		return object.IsSealed(v)
	case map[string]any:
		for _, e := range v {
			if HasSealed(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, HasSealed)
	}
	return false
}

// Keys are the keys of all maps, sorted.
func Keys(maps ...map[string]any) []string {
	var all []string
	for _, m := range maps {
		for k := range m {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Value is decoded JSON as yamledit takes it.
func Value(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64() // it was a number of JSON
		return f
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Value(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Value(e)
		}
		return out
	}
	return v
}
