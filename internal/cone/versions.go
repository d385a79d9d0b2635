package cone

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/object"
)

// digest is a digest of decoded JSON. Sealed values of secrets are digests themselves.
func digest(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "unreadable: " + err.Error() // decoded JSON is encodable
	}
	sum := sha256.Sum256(raw)
	return string(sum[:])
}

// whole is all of an object that counts: no status, and nothing that comes out differently at every rendering.
func whole(o object.Object) any {
	fields := maps.Clone(o.Fields)
	delete(fields, "status")
	if data := object.Map(fields, "binaryData"); len(data) > 0 {
		fields["binaryData"] = unwrapped(data)
	}
	var out any = fields
	for _, pointer := range o.Unstable {
		out = without(out, strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
	}
	return out
}

// unwrapped is base64 without the line breaks that some tools put into it: they are no part of the bytes.
func unwrapped(data map[string]any) map[string]any {
	out := maps.Clone(data)
	for key, v := range data {
		if text, ok := v.(string); ok {
			out[key] = strings.Join(strings.Fields(text), "")
		}
	}
	return out
}

// without is decoded JSON without what a JSON pointer names. Only the way to it is copied.
func without(v any, path []string) any {
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	switch v := v.(type) {
	case map[string]any:
		child, ok := v[key]
		if !ok {
			return v
		}
		out := maps.Clone(v)
		if len(path) == 1 {
			delete(out, key)
		} else {
			out[key] = without(child, path[1:])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			switch {
			case itoa(i) != key:
				out[i] = child
			case len(path) > 1:
				out[i] = without(child, path[1:])
			}
		}
		return out
	}
	return v
}

// keyOf is one key of a ConfigMap or Secret, or all its data if the key is "".
func keyOf(o object.Object, key string) any {
	if key == "" {
		return []any{o.Fields["data"], unwrapped(object.Map(o.Fields, "binaryData")), o.Fields["stringData"]}
	}
	for _, part := range []string{"data", "binaryData", "stringData"} {
		values := object.Map(o.Fields, part)
		if part == "binaryData" {
			values = unwrapped(values)
		}
		if v, ok := values[key]; ok {
			return v
		}
	}
	return nil
}

// numbering gives the versions of one object their numbers, in the order in which they come.
type numbering struct{ seen []string }

// of is the number of a version, 0 once there are too many.
func (n *numbering) of(digest string) delivery.Content {
	for i, s := range n.seen {
		if s == digest {
			return delivery.Content(i + 1)
		}
	}
	if len(n.seen) == delivery.MaxContents {
		return 0
	}
	n.seen = append(n.seen, digest)
	return delivery.Content(len(n.seen))
}
