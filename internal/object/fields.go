package object

import (
	"encoding/json"
	"strings"
)

// Get walks nested maps by keys and returns what it finds, or nil when a key is missing or a level is no map.
func Get(v any, path ...string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// String walks like [Get] and returns the string it finds, or "" for anything else.
func String(v any, path ...string) string {
	s, _ := Get(v, path...).(string)
	return s
}

// Bool walks like [Get] and returns the boolean it finds, or false for anything else.
func Bool(v any, path ...string) bool {
	b, _ := Get(v, path...).(bool)
	return b
}

// List walks like [Get] and returns the list it finds, or nil for anything else.
func List(v any, path ...string) []any {
	l, _ := Get(v, path...).([]any)
	return l
}

// Map walks like [Get] and returns the map it finds, or nil for anything else.
func Map(v any, path ...string) map[string]any {
	m, _ := Get(v, path...).(map[string]any)
	return m
}

// StringMap keeps those entries of a map whose values are strings; nil for anything that is no map.
func StringMap(v any) map[string]string {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, e := range m {
		if s, ok := e.(string); ok {
			out[k] = s
		}
	}
	return out
}

// Decode reads one JSON document with numbers kept as written (json.Number), the form that [Object.Fields] has.
func Decode(raw []byte) (map[string]any, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	return m, nil
}

// sealMark starts every sealed string. A document that happens to contain it is printed as redacted: the safe side.
const sealMark = "sealed:"

// Redacted is what people and files see in place of a sealed value.
const Redacted = "redacted"

// Sealed returns the string that stands for a secret value downstream of the renderer. The digest is a keyed one, so that
// equal values can be told from changed ones without the value; it is never printed (see [Public]).
func Sealed(digest string) string { return sealMark + digest }

// IsSealed tells whether a string stands for a secret value.
func IsSealed(s string) bool { return strings.HasPrefix(s, sealMark) }

// Public returns a deep copy of decoded JSON in which every sealed string reads [Redacted]. Whatever leaves the process
// goes through it.
func Public(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Public(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Public(e)
		}
		return out
	case string:
		if IsSealed(v) {
			return Redacted
		}
	}
	return v
}
