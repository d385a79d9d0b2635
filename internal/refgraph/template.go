package refgraph

import (
	"fmt"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// podTemplate is what one rendering of a workload makes its pods from.
type podTemplate struct {
	owner       Rendered        // the workload
	holder      object.ID       // what the template is written in: the workload, or the Deployment that it refers to
	at          object.Location // where that is
	via         string          // "" or, when the template is another object's, what leads there
	meta        string          // path of the pods' metadata, "spec.template.metadata"
	pod         string          // path of the pods' spec, "spec.template.spec"
	labels      map[string]string
	annotations map[string]string
	spec        map[string]any
	containers  []container
	volumes     []volume
	proxy       presence
	sidecar     []mount // mounts of the injected proxy that annotations ask for
}

// container is one container of any of the three lists.
type container struct {
	name   string
	path   string // "spec.template.spec.containers[1]"
	fields map[string]any
	mounts []mount
}

// templatesOf gives the pod templates of a rendered object: none for most kinds, one for a workload, and several only for
// a Rollout that refers to a Deployment which several units render.
func (b *builder) templatesOf(r Rendered) []*podTemplate {
	id := r.Object.ID
	keys, ok := object.TemplatePath(id.Group, id.Kind)
	if !ok || id.Kind == "PodTemplate" { // makes no pods by itself
		return nil
	}
	if ref := object.Map(r.Object.Fields, "spec", "workloadRef"); ref != nil && id.Kind == "Rollout" {
		return b.referredTemplates(r, ref)
	}
	return []*podTemplate{b.newTemplate(r, r.Object, keys, "")}
}

// referredTemplates follows spec.workloadRef of a Rollout, which takes the pod template of a Deployment, a ReplicaSet or a
// PodTemplate of its namespace (argo-rollouts, rollout/templateref.go), and follows it while running.
func (b *builder) referredTemplates(r Rendered, ref map[string]any) []*podTemplate {
	group, _ := object.SplitAPIVersion(object.String(ref, "apiVersion"))
	kind := object.String(ref, "kind")
	target := core(kind, r.Object.ID, object.String(ref, "name"))
	target.Group = object.CanonicalGroup(group, kind)
	keys, ok := object.TemplatePath(target.Group, kind)
	if !ok || target.Name == "" {
		b.gap(diag.Unsupported, r.Object.Origin, "refer to a Deployment, a ReplicaSet or a PodTemplate",
			"%s takes its pod template from %s %q, which has none", r.Object.ID, kind, target.Name)
		return nil
	}
	b.add(r, Reference{Provider: target, How: Live, Via: "spec.workloadRef"})
	if len(b.objects[target]) == 0 {
		b.gap(diag.NotGiven, r.Object.Origin, "give the repository that delivers it with --repo, or correct spec.workloadRef",
			"%s takes its pod template from %s, which no unit renders", r.Object.ID, target)
		return nil
	}
	var out []*podTemplate
	for _, t := range b.objects[target] {
		out = append(out, b.newTemplate(r, t.Object, keys, fmt.Sprintf("spec.workloadRef -> %s ", target)))
	}
	return out
}

func (b *builder) newTemplate(owner Rendered, holder object.Object, keys []string, via string) *podTemplate {
	fields := object.Map(holder.Fields, keys...)
	prefix := ""
	for _, k := range keys {
		prefix += k + "."
	}
	t := &podTemplate{
		owner:       owner,
		holder:      holder.ID,
		at:          holder.Origin,
		via:         via,
		meta:        prefix + "metadata",
		pod:         prefix + "spec",
		labels:      object.StringMap(object.Get(fields, "metadata", "labels")),
		annotations: object.StringMap(object.Get(fields, "metadata", "annotations")),
		spec:        object.Map(fields, "spec"),
	}
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for i, c := range object.List(t.spec, list) {
			path := fmt.Sprintf("%s.%s[%d]", t.pod, list, i)
			m, ok := c.(map[string]any)
			if !ok {
				continue
			}
			t.containers = append(t.containers,
				container{name: object.String(m, "name"), path: path, fields: m, mounts: mountsOf(m, path)})
		}
	}
	t.volumes = volumesOf(t.spec, t.pod)
	t.proxy = b.findProxy(t)
	b.readSidecar(t)
	return t
}

func (t *podTemplate) id() object.ID { return t.owner.Object.ID }
