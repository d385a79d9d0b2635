package refgraph

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// rootNamespace is Istio's default: an EnvoyFilter there applies to all namespaces.
const rootNamespace = "istio-system"

// patch is one patch of an EnvoyFilter with the transcoders that it carries.
type patch struct {
	context string // SIDECAR_INBOUND, GATEWAY, ...; "" for any
	merged  bool   // the value is merged into filters that are defined elsewhere
	filters []filter
}

// envoyFilterReferences follows the chain from an EnvoyFilter with a transcoder: the pods that it selects, the file that
// their proxies open, the mount, the volume, the ConfigMap, the key, the descriptor set in it. It gives, for each selected
// workload,
//
//   - workload -> EnvoyFilter (live): proxies follow it; with an inline descriptor the EnvoyFilter is the provider;
//   - workload -> ConfigMap key (start): the proxy reads the file when its listener is built, and keeps it;
//   - EnvoyFilter -> ConfigMap key (apply): the listener is accepted only if the set has the services that are listed.
//
// EnvoyFilters without a transcoder give nothing.
func (b *builder) envoyFilterReferences(r Rendered) {
	id := r.Object.ID
	if id.Group != "networking.istio.io" || id.Kind != "EnvoyFilter" {
		return
	}
	patches := append(configPatches(r.Object), oldFilters(r.Object)...)
	if len(patches) == 0 {
		return
	}
	if refs := object.List(r.Object.Fields, "spec", "targetRefs"); len(refs) > 0 {
		b.gap(diag.Unsupported, r.Object.Origin, "select the pods of sidecars by workloadSelector, if they are meant",
			"%s configures a transcoder for waypoints (targetRefs), which is not followed", id)
		return
	}
	for _, p := range patches {
		for _, f := range p.filters {
			switch {
			case p.context == "WAYPOINT":
				b.gap(diag.Unsupported, r.Object.Origin, "select the pods of sidecars by workloadSelector, if they are meant",
					"%s (%s) configures a transcoder for waypoints, which is not followed", id, f.path)
			case p.merged:
				b.gap(diag.Unsupported, r.Object.Origin, "insert the whole filter in one patch",
					"%s (%s) merges into a transcoder that is defined elsewhere, which is not followed", id, f.path)
			case errors.Is(f.err, errSealed):
				b.gap(diag.Unsupported, r.Object.Origin, "keep the descriptor in a ConfigMap that is not encrypted",
					"%s (%s) configures a transcoder, but is encrypted", id, f.path)
			case f.err != nil:
				b.gap(diag.Unparsable, r.Object.Origin, "correct the filter's configuration",
					"%s (%s): %v", id, f.path, f.err)
			default:
				b.followFilter(r, p, f)
			}
		}
	}
}

// configPatches reads the patches that insert, add or replace a transcoder.
func configPatches(o object.Object) []patch {
	var out []patch
	for i, e := range object.List(o.Fields, "spec", "configPatches") {
		operation := object.String(e, "patch", "operation")
		if operation == "REMOVE" {
			continue
		}
		p := patch{
			context: object.String(e, "match", "context"),
			merged:  operation == "MERGE" && object.String(e, "applyTo") == "HTTP_FILTER",
			filters: filtersIn(object.Get(e, "patch", "value"), fmt.Sprintf("spec.configPatches[%d].patch.value", i)),
		}
		if p.context == "ANY" {
			p.context = ""
		}
		if len(p.filters) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// oldFilters reads spec.filters, the form before Istio 1.3: a name and an untyped configuration.
func oldFilters(o object.Object) []patch {
	var out []patch
	for i, e := range object.List(o.Fields, "spec", "filters") {
		value := map[string]any{"name": object.Get(e, "filterName"), "config": object.Get(e, "filterConfig")}
		p := patch{
			context: object.String(e, "listenerMatch", "listenerType"),
			filters: filtersIn(value, fmt.Sprintf("spec.filters[%d].filterConfig", i)),
		}
		if p.context == "ANY" {
			p.context = ""
		}
		if len(p.filters) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// selection is what an EnvoyFilter says about the pods it is for.
type selection struct {
	labels map[string]string // none: all
	field  string            // "spec.workloadSelector" or "spec.workloadLabels"
}

func selectionOf(o object.Object) (selection, bool) {
	s := selection{field: "spec.workloadSelector"}
	v := object.Get(o.Fields, "spec", "workloadSelector", "labels")
	if v == nil {
		if v = object.Get(o.Fields, "spec", "workloadLabels"); v != nil {
			s.field = "spec.workloadLabels"
		}
	}
	labels, ok := labelsOf(v)
	s.labels = labels
	return s, ok
}

// selected gives the pod templates that an EnvoyFilter is for. With labels these are the pods that have them and may have
// a proxy. Without labels it is for every proxy of the namespace: templates count of which something says that they have
// one, since most pods of a cluster may have none. In the root namespace it is for all namespaces.
func (b *builder) selected(r Rendered, p patch) ([]*podTemplate, bool) {
	id := r.Object.ID
	s, ok := selectionOf(r.Object)
	if !ok {
		b.gap(diag.Unparsable, r.Object.Origin, "quote the labels", "%s: a value of %s is no string", id, s.field)
		return nil, false
	}
	for _, label := range slices.Sorted(maps.Keys(s.labels)) {
		if slices.Contains(runtimeLabels, label) {
			b.gap(diag.Unsupported, r.Object.Origin, "select by labels of the pod template",
				"%s selects pods by label %s, which a controller sets at run time", id, label)
			return nil, false
		}
	}
	var out []*podTemplate
	for _, t := range b.templates {
		if t.id().Cluster != id.Cluster || (t.id().Namespace != id.Namespace && id.Namespace != rootNamespace) {
			continue
		}
		if t.proxy == proxyNo || !selects(s.labels, t.labels) {
			continue
		}
		if len(s.labels) == 0 && (t.proxy == proxyUnknown || !p.isFor(t)) {
			continue
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		b.gap(diag.NotGiven, r.Object.Origin, "give the repository of the workload with --repo, or correct "+s.field,
			"%s configures a transcoder for %s, and no unit renders such a workload with a proxy", id, s.describe(id.Namespace))
	}
	return out, len(out) > 0
}

// runtimeLabels are on pods and not in their template.
var runtimeLabels = []string{"controller-revision-hash", "pod-template-hash", "rollouts-pod-template-hash",
	"statefulset.kubernetes.io/pod-name"}

func (p patch) isFor(t *podTemplate) bool {
	switch p.context {
	case "GATEWAY":
		return t.isGateway()
	case "SIDECAR_INBOUND", "SIDECAR_OUTBOUND":
		return !t.isGateway()
	}
	return true
}

func (s selection) describe(namespace string) string {
	where := "namespace " + namespace
	if namespace == rootNamespace {
		where = "all namespaces"
	}
	if len(s.labels) == 0 {
		return "every proxy of " + where
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s.labels)) {
		parts = append(parts, k+"="+s.labels[k])
	}
	return "pods of " + where + " with " + strings.Join(parts, ",")
}
