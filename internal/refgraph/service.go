package refgraph

import (
	"github.com/syncproof/syncproof/internal/object"
)

// serviceReferences finds the workloads behind a Service: those of its namespace whose pods have all labels of its
// selector. Without a selector, or with an empty one, a Service finds no pods by itself.
func (b *builder) serviceReferences(r Rendered) {
	id := r.Object.ID
	if id.Group != "" || id.Kind != "Service" || object.String(r.Object.Fields, "spec", "type") == "ExternalName" {
		return
	}
	selector, ok := labelsOf(object.Get(r.Object.Fields, "spec", "selector"))
	if !ok || len(selector) == 0 {
		return
	}
	for _, t := range b.inNamespace[namespaceOf(id)] {
		if selects(selector, t.labels) {
			b.add(r, Reference{Provider: t.id(), How: Live, Via: "spec.selector"})
		}
	}
}

// labelsOf reads a map of labels; false if a value is no string, since leaving one out would select more.
func labelsOf(v any) (map[string]string, bool) {
	m, _ := v.(map[string]any)
	labels := object.StringMap(v)
	return labels, len(labels) == len(m)
}

// selects tells whether labels have everything that a selector asks for.
func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if have, ok := labels[k]; !ok || have != v {
			return false
		}
	}
	return true
}
