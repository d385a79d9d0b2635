package refgraph

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// maxBootstrap is the size that the API server allows for a whole ConfigMap.
const maxBootstrap = 1 << 20

// bootstrapReferences follows the chain of a proxy that is run without Istio: a container mounts a ConfigMap with a
// configuration of Envoy (YAML or JSON) in which a transcoder names a file, and the file lies in a volume that the same
// container mounts. It gives workload -> ConfigMap key (start). A set that stands in the configuration itself makes the
// configuration's ConfigMap the provider.
func (b *builder) bootstrapReferences(t *podTemplate) {
	for _, c := range t.containers {
		seen := make(map[contentKey]bool) // a volume may be mounted twice
		for _, m := range c.mounts {
			for _, k := range b.mountedKeys(t, m) {
				if seen[k] {
					continue
				}
				seen[k] = true
				for _, r := range b.objects[k.id] {
					b.bootstrap(t, c, r, k.key)
				}
			}
		}
	}
}

// mountedKeys gives the keys of rendered ConfigMaps that show through a mount.
func (b *builder) mountedKeys(t *podTemplate, m mount) []contentKey {
	var out []contentKey
	for _, v := range t.volumes {
		if v.name != m.volume {
			continue
		}
		for _, s := range v.sources {
			id := core("ConfigMap", t.id(), s.name)
			if s.kind != "ConfigMap" {
				continue
			}
			for _, r := range b.objects[id] {
				for _, key := range slices.Sorted(maps.Keys(object.Map(r.Object.Fields, "data"))) {
					if s.shows(key, m.subPath) {
						out = append(out, contentKey{id, key})
					}
				}
			}
		}
	}
	return out
}

func (s volumeSource) shows(key, subPath string) bool {
	if len(s.items) == 0 {
		return subPath == "" || subPath == key
	}
	return slices.ContainsFunc(s.items, func(i volumeItem) bool {
		return i.key == key && (subPath == "" || within(subPath, i.path))
	})
}

// bootstrap reads one key of a ConfigMap as a configuration of Envoy, if it can be one.
func (b *builder) bootstrap(t *podTemplate, c container, r Rendered, key string) {
	text := object.String(r.Object.Fields, "data", key)
	if len(text) > maxBootstrap || !mentionsTranscoder(text) {
		return
	}
	var doc any
	err := refuseAliases([]byte(text))
	if err == nil {
		err = yaml.Unmarshal(bytes.TrimPrefix([]byte(text), []byte("\ufeff")), &doc)
	}
	if err != nil {
		b.gap(diag.Unparsable, r.Object.Origin, "make it plain YAML",
			"key %q of %s configures a transcoder and is no YAML: %s", key, r.Object.ID, yamlFault(err))
		return
	}
	for _, f := range filtersIn(doc, "") {
		f.path = fmt.Sprintf("data[%s]: %s", key, f.path)
		if f.err != nil {
			b.gap(diag.Unparsable, r.Object.Origin, "correct the filter's configuration", "%s (%s): %v", r.Object.ID, f.path, f.err)
			continue
		}
		b.unknownOptions(r, f)
		b.followBootstrap(t, c, r, f, key)
	}
}

func (b *builder) followBootstrap(t *podTemplate, c container, r Rendered, f filter, key string) {
	via := fmt.Sprintf("%s %s -> ", r.Object.ID, f.path)
	if d := b.inlineDescriptor(r, f); d != nil {
		b.add(t.owner, Reference{Provider: r.Object.ID, How: Start, Key: key, Via: via + t.via + c.path, Descriptor: d})
		return
	}
	d := newDescriptor(r, f)
	d.Path = absolute(object.String(c.fields, "workingDir"), f.config.ProtoDescriptor)
	p, why := b.locate(t, c.mounts, d.Path)
	if why != nil {
		b.gap(why.reason, r.Object.Origin, why.toClose, "%s (%s): %s, in container %s of %s",
			r.Object.ID, f.path, why.text, c.name, t.id())
		return
	}
	b.fill(d, p, t.at)
	b.add(t.owner, Reference{
		Provider: p.provider, How: Start, Key: p.key, Optional: p.optional, Via: via + p.path, Descriptor: d,
	})
}

// mentionsTranscoder is a cheap test before YAML is parsed: the filter's name or its message.
func mentionsTranscoder(text string) bool {
	return strings.Contains(text, "grpc_json_transcoder") || strings.Contains(text, "GrpcJsonTranscoder")
}

// yamlFault words an error of the YAML parser: its place and reason, but not what it quotes from the document.
func yamlFault(err error) string {
	if errors.Is(err, errAliases) {
		return errAliases.Error()
	}
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	if fault, ok := strings.CutPrefix(text, "yaml: line "); ok && !strings.Contains(fault, "\n") {
		return "line " + fault
	}
	return "not a document with plain keys"
}
