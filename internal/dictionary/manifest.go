package dictionary

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// candidate is one place of a manifest that may hold the descriptor set.
type candidate struct {
	where string
	key   string // of a ConfigMap
	raw   []byte
	err   error // it cannot be decoded, for a reason that is worth a word
}

// manifest reads the one descriptor set of a file of ConfigMaps and EnvoyFilters, and the transcoder's configuration if
// there is one.
func (r *Reader) manifest(name string, content []byte) (Release, error) {
	objects, err := plain.Documents(name, content)
	var bad *plain.Error
	if errors.As(err, &bad) {
		return Release{}, fmt.Errorf("is no manifest: line %d: %s", bad.Line, bad.Reason)
	}
	if err != nil {
		return Release{}, err
	}
	var found []candidate
	var out Release
	for _, o := range objects {
		switch {
		case o.ID.Kind == "ConfigMap" && o.ID.Group == "":
			found = append(found, keysOf(o)...)
		case o.ID.Kind == "EnvoyFilter":
			f, err := transcoderOf(o)
			if err != nil {
				return Release{}, fmt.Errorf("%s: %w", o.ID, err)
			}
			switch {
			case f == nil:
				continue
			case out.Filter != nil:
				return Release{}, fmt.Errorf("%s: a second transcoder: name a file with one", o.ID)
			}
			out.Filter = f
			if f.ProtoDescriptorBin != nil {
				found = append(found, candidate{where: o.ID.String() + ", proto_descriptor_bin", raw: f.ProtoDescriptorBin})
			}
		}
	}
	if out.Filter != nil && len(out.Filter.Services) == 0 {
		return Release{}, errors.New("the transcoder lists no services: the filter is off")
	}
	out.Set, err = r.choose(found, out.Filter)
	return out, err
}

// choose takes the one candidate that is a descriptor set.
func (r *Reader) choose(found []candidate, filter *descriptor.Transcoder) (*descriptor.Set, error) {
	if r.Key != "" {
		found = slices.DeleteFunc(found, func(c candidate) bool { return c.key != "" && c.key != r.Key })
	}
	var sets []*descriptor.Set
	var names, why []string
	for _, c := range found {
		set, err := descriptor.Decode(c.raw)
		if c.err != nil {
			err = c.err
		}
		if err != nil {
			why = append(why, fmt.Sprintf("%s %v", c.where, err))
			continue
		}
		sets, names = append(sets, set), append(names, c.where)
	}
	switch {
	case len(sets) == 1:
		return sets[0], nil
	case len(sets) > 1:
		return nil, fmt.Errorf("holds %d descriptor sets (%s): --key KEY names the one", len(sets), strings.Join(names, "; "))
	case len(why) > 0:
		return nil, fmt.Errorf("holds no descriptor set: %s", strings.Join(why, "; "))
	case r.Key != "":
		return nil, fmt.Errorf("no ConfigMap in it has the key %q", r.Key)
	case filter != nil && filter.ProtoDescriptor != "":
		return nil, fmt.Errorf("the transcoder reads the file %s, which is not in here: name the ConfigMap that holds it", filter.ProtoDescriptor)
	}
	return nil, errors.New("holds no descriptor set: no ConfigMap with content, and no EnvoyFilter with proto_descriptor_bin")
}

// keysOf lists the keys of a ConfigMap, those of binaryData first.
func keysOf(o object.Object) []candidate {
	var out []candidate
	for _, field := range []string{"binaryData", "data"} {
		values := object.Map(o.Fields, field)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			c := candidate{where: fmt.Sprintf("%s, %s key %q", o.ID, field, key), key: key}
			text, ok := values[key].(string)
			switch {
			case !ok:
				c.err = errors.New("is no string")
			case field == "binaryData":
				if c.raw, c.err = base64.StdEncoding.DecodeString(strings.TrimSpace(text)); c.err != nil {
					c.err = fmt.Errorf("is not base64: %w", c.err)
				}
			default:
				c.raw, c.err = []byte(text), misplaced(text)
			}
			out = append(out, c)
		}
	}
	return out
}

// misplaced recognises a descriptor set in base64 below data, where nobody decodes it.
func misplaced(text string) error {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	if _, err := descriptor.Decode(raw); err != nil {
		return nil
	}
	return errors.New("is a descriptor set in base64, and a proxy would read that text as it is: it belongs below binaryData")
}

// transcoderOf reads the one transcoder of an EnvoyFilter, which may stand in several patches; nil if there is none.
func transcoderOf(o object.Object) (*descriptor.Transcoder, error) {
	for _, p := range object.List(o.Fields, "spec", "configPatches") {
		merged, err := transcodersIn(object.Get(p, "patch", "value"), 0)
		if err == nil && len(merged) > 0 && object.String(p, "patch", "operation") == "MERGE" && object.String(p, "applyTo") == "HTTP_FILTER" {
			return nil, errors.New("merges into a transcoder that is defined elsewhere: name a file with the whole filter")
		}
	}
	filters, err := transcodersIn(o.Fields["spec"], 0)
	if err != nil || len(filters) == 0 {
		return nil, err
	}
	for _, f := range filters[1:] {
		if !reflect.DeepEqual(f, filters[0]) {
			return nil, errors.New("configures two transcoders that differ: name a file with one")
		}
	}
	return filters[0], nil
}

// maxFilterDepth is deeper than any configuration of Envoy nests.
const maxFilterDepth = 64

// transcodersIn finds transcoders anywhere in the configuration of an EnvoyFilter.
func transcodersIn(v any, depth int) ([]*descriptor.Transcoder, error) {
	if depth > maxFilterDepth {
		return nil, errors.New("its configuration is nested too deeply")
	}
	var inner []any
	switch v := v.(type) {
	case []any:
		inner = v
	case map[string]any:
		f, ok, err := descriptor.FromFields(asFilter(v))
		if ok || err != nil {
			return []*descriptor.Transcoder{f}, err
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner = append(inner, v[key])
		}
	}
	var out []*descriptor.Transcoder
	for _, e := range inner {
		below, err := transcodersIn(e, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, below...)
	}
	return out, nil
}

// asFilter writes the other forms of a filter as the usual one: typed_config alone, as overrides of a route have it, and
// filterName with filterConfig, from before Istio 1.3.
func asFilter(m map[string]any) map[string]any {
	if _, typed := m["@type"]; typed {
		return map[string]any{"typed_config": m}
	}
	if name, ok := m["filterName"]; ok {
		return map[string]any{"name": name, "config": m["filterConfig"]}
	}
	return m
}
