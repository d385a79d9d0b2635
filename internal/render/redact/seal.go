// Package redact keeps secrets inside the renderer: it seals the values of rendered objects, and cleans the messages of
// engines.
//
// In go objects and gaps as an engine gave them, with all that was read for them; out come objects in which a keyed digest
// stands for every secret value, so that equal values can be told from changed ones without the value, and messages that
// quote none. It refuses to judge what is worth protecting: the data of Secrets, what SOPS encrypted, and in messages
// whatever stands under a key that sounds like a secret.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// lastApplied is where kubectl keeps the whole object as it was applied, the data of a Secret included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// sopsValue starts every value that SOPS encrypted.
const sopsValue = "ENC[AES256_GCM,"

// Seal returns the object with every secret value replaced by its keyed digest:
//   - in a Secret, also one that is nested in another object, the values of data and the annotation of kubectl apply.
//     stringData goes into data as the API server puts it there (kubernetes pkg/registry/core/secret/strategy.go), so
//     that the two spellings of one value are equal downstream;
//   - anywhere, strings that hold a SOPS value; the sops block of a document is dropped.
//
// The given object is not changed: engines may share parts between objects.
func Seal(key []byte, o object.Object) object.Object {
	s := sealer{key}
	fields := s.mapping(o.Fields)
	if sops, ok := fields["sops"].(map[string]any); ok && sops["mac"] != nil {
		delete(fields, "sops")
	}
	o.Fields = fields
	if isSecret(fields) {
		o.Unstable = mergedPointers(o.Unstable)
	}
	return o
}

type sealer struct{ key []byte }

func (s sealer) digest(value []byte) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(value)
	return object.Sealed(hex.EncodeToString(mac.Sum(nil)))
}

func (s sealer) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return s.mapping(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = s.value(e)
		}
		return out
	case string:
		if strings.Contains(v, sopsValue) {
			return s.digest([]byte(v))
		}
	}
	return v
}

func (s sealer) mapping(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	secret := isSecret(m)
	for k, v := range m {
		switch {
		case secret && (k == "data" || k == "stringData"):
		case k == lastApplied && v != nil:
			out[k] = s.digest(encoded(v)) // of whatever object: it may nest a Secret
		case k == "items" && m["kind"] == "SecretList":
			out[k] = s.list(v)
		default:
			out[k] = s.value(v)
		}
	}
	if secret {
		s.secret(m, out)
	}
	return out
}

// list seals the items of a SecretList, which need not say what they are.
func (s sealer) list(v any) any {
	items, ok := v.([]any)
	if !ok {
		return s.digest(encoded(v))
	}
	out := make([]any, len(items))
	for i, e := range items {
		m, ok := e.(map[string]any)
		if !ok {
			out[i] = s.digest(encoded(e))
			continue
		}
		item := map[string]any{"kind": "Secret"}
		for k, v := range m {
			item[k] = v
		}
		out[i] = s.mapping(item)
	}
	return out
}

// secret fills in what a Secret holds. A field that is no map, which the API server refuses, is sealed as a whole.
func (s sealer) secret(m, out map[string]any) {
	data, isMap := m["data"].(map[string]any)
	plain, isPlainMap := m["stringData"].(map[string]any)
	switch {
	case m["data"] != nil && !isMap, m["stringData"] != nil && !isPlainMap:
		out["data"] = s.digest(encoded([]any{m["data"], m["stringData"]}))
	case data != nil || plain != nil:
		merged := make(map[string]any, len(data)+len(plain))
		for k, v := range data {
			merged[k] = s.entry(v, decodeBase64)
		}
		for k, v := range plain {
			merged[k] = s.entry(v, func(text string) []byte { return []byte(text) })
		}
		out["data"] = merged
	}
	meta, _ := out["metadata"].(map[string]any)
	notes, _ := meta["annotations"].(map[string]any) // a copy: value made it
	for k, v := range notes {
		if text, ok := v.(string); !ok || strings.Contains(strings.ToLower(text), "data") {
			notes[k] = s.digest(encoded(v)) // tools keep whole objects in annotations
		}
	}
}

// entry seals one value of data or stringData; what is no string, which the API server refuses too, by its JSON.
func (s sealer) entry(v any, bytesOf func(string) []byte) string {
	if text, ok := v.(string); ok {
		return s.digest(bytesOf(text))
	}
	return s.digest(encoded(v))
}

// decodeBase64 decodes as the API server does, and gives text that is no base64 as it is.
func decodeBase64(text string) []byte {
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
		return raw
	}
	return []byte(text)
}

func encoded(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // no JSON: nothing of it can leave the process
	}
	return raw
}

// isSecret goes by the kind alone: a Secret whose apiVersion is missing or wrong holds secrets all the same.
func isSecret(m map[string]any) bool { return m["kind"] == "Secret" }

// mergedPointers renames the unstable fields of a Secret that moved from stringData to data.
func mergedPointers(pointers []string) []string {
	if pointers == nil {
		return nil
	}
	out := make([]string, len(pointers))
	for i, p := range pointers {
		if rest, ok := strings.CutPrefix(p, "/stringData"); ok && (rest == "" || rest[0] == '/') {
			p = "/data" + rest
		}
		out[i] = p
	}
	slices.Sort(out)
	return slices.Compact(out)
}
