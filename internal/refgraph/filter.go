package refgraph

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
)

// filter is a transcoder filter that was found in a configuration of Envoy.
type filter struct {
	path   string // where it stands, "spec.configPatches[0].patch.value"
	config *descriptor.Transcoder
	err    error // it is a transcoder, but cannot be read: config is nil
}

// maxWalk is deeper than any configuration of Envoy nests.
const maxWalk = 64

var errSealed = errors.New("its configuration is encrypted")

// filtersIn finds the transcoder filters anywhere in decoded JSON: in a list of HTTP filters, in the connection manager
// of a listener, in the overrides of a route (typed_per_filter_config). Sorted by path.
func filtersIn(v any, path string) []filter {
	return walk(v, path, 0, nil)
}

func walk(v any, path string, depth int, out []filter) []filter {
	if depth > maxWalk {
		return out
	}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			out = walk(e, fmt.Sprintf("%s[%d]", path, i), depth+1, out)
		}
	case map[string]any:
		if f, ok := asFilter(v, path); ok {
			return append(out, f)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := key
			if path != "" {
				at = path + "." + key
			}
			out = walk(v[key], at, depth+1, out)
		}
	}
	return out
}

// asFilter reads a map as a filter, or as the typed configuration of one.
func asFilter(m map[string]any, path string) (filter, bool) {
	t, ok, err := descriptor.FromFields(m)
	if _, typed := m["@type"]; !ok && typed {
		t, ok, err = descriptor.FromFields(map[string]any{"typed_config": m})
	}
	if ok && sealedIn(m, 0) {
		return filter{path: path, err: errSealed}, true
	}
	return filter{path: path, config: t, err: err}, ok
}

func sealedIn(v any, depth int) bool {
	if depth > maxWalk {
		return true
	}
	switch v := v.(type) {
	case string:
		return object.IsSealed(v)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return sealedIn(e, depth+1) })
	case map[string]any:
		for _, e := range v {
			if sealedIn(e, depth+1) {
				return true
			}
		}
	}
	return false
}
