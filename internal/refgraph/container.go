package refgraph

import (
	"fmt"

	"github.com/syncproof/syncproof/internal/object"
)

// containerReferences finds what containers take from ConfigMaps and Secrets into their environment. It is read when a
// container starts, and kept.
func (b *builder) containerReferences(t *podTemplate) {
	for _, c := range t.containers {
		for i, e := range object.List(c.fields, "env") {
			for _, s := range environmentSources {
				path := fmt.Sprintf("%s.env[%d].valueFrom.%s", c.path, i, s.one)
				b.environment(t, s.kind, object.Map(e, "valueFrom", s.one), path)
			}
		}
		for i, e := range object.List(c.fields, "envFrom") {
			for _, s := range environmentSources {
				b.environment(t, s.kind, object.Map(e, s.all), fmt.Sprintf("%s.envFrom[%d].%s", c.path, i, s.all))
			}
		}
	}
}

// environmentSources are the fields that name a source: of one variable (with a key), and of all (without).
var environmentSources = [...]struct{ kind, one, all string }{
	{"ConfigMap", "configMapKeyRef", "configMapRef"},
	{"Secret", "secretKeyRef", "secretRef"},
}

func (b *builder) environment(t *podTemplate, kind string, ref map[string]any, path string) {
	name := object.String(ref, "name")
	if name == "" {
		return
	}
	b.add(t.owner, Reference{
		Provider: core(kind, t.id(), name),
		How:      Start,
		Key:      object.String(ref, "key"),
		Optional: object.Bool(ref, "optional"),
		Via:      t.via + path,
	})
}
