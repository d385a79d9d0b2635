package cone

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
)

// workload describes the consumer's pods: how they are replaced, and what those of each template need.
func (b *builder) workload() {
	pair := &b.c.Pair
	pair.Workload, pair.Consumer, pair.Filter = delivery.None, b.index(b.ends.Consumer), b.index(b.filter)
	pair.Provider = b.soleProvider()
	pair.Inline = b.inline
	if !b.pods() {
		return
	}
	pair.Workload = 0
	last := b.refs[b.last]
	pair.Proxy = last.Descriptor != nil
	if last.How == refgraph.Live && !pair.Proxy {
		pair.How = delivery.Follows
	}
	pair.Mounted = b.mounted(last)

	w := delivery.Workload{Object: pair.Consumer, Template: map[delivery.Content]int{}}
	newest, _ := b.r.views[b.last].one(b.ends.Consumer)
	w.Strategy, w.DynamicStable = strategy(newest)
	w.Many = many(newest)
	w.ReplacesFromNew = newest.ID.Kind == "DaemonSet"
	for i := range b.r.views {
		for _, h := range b.r.views[i].held[b.ends.Consumer] {
			content := b.numbers[pair.Consumer].of(b.version(i, h.object))
			if _, known := w.Template[content]; known {
				continue
			}
			w.Template[content] = len(w.Templates)
			w.Templates = append(w.Templates, b.template(i, len(w.Templates)))
			b.p.Names.Images = append(b.p.Names.Images, images(object.PodTemplate(h.object)))
			b.templates = append(b.templates, templateAt{i, h.object})
		}
	}
	b.c.Workloads = []delivery.Workload{w}
}

// images are those of a template's containers, without injected proxies.
func images(template map[string]any) string {
	var out []string
	for _, c := range object.List(template, "spec", "containers") {
		if image := object.String(c, "image"); image != "" && object.String(c, "name") != "istio-proxy" {
			out = append(out, image)
		}
	}
	return strings.Join(out, ", ")
}

// templateAt is a template's object and the first revision that has it.
type templateAt struct {
	revision int
	object   object.Object
}

// index is the number of an object in the case.
func (b *builder) index(id object.ID) int {
	for n, other := range b.ids {
		if other == id {
			return n
		}
	}
	return delivery.None
}

// soleProvider is the provider, if it is one object at all revisions that read one.
func (b *builder) soleProvider() int {
	sole := delivery.None
	for i := range b.r.views {
		if n := b.index(b.provider(i)); n != delivery.None {
			if sole != delivery.None && sole != n {
				return delivery.None
			}
			sole = n
		}
	}
	return sole
}

// template is what pods of the template of a revision need.
func (b *builder) template(i, image int) delivery.Template {
	t := delivery.Template{Image: image, Provider: b.index(b.provider(i))}
	for _, ref := range b.needs(i) {
		read := delivery.Read{Object: b.index(ref.Provider)}
		if read.Object != delivery.None && !slices.Contains(t.Reads, read) {
			t.Reads = append(t.Reads, read)
		}
	}
	return t
}

// mounted tells whether running pods see changes of the provider: there is a reference through a volume that follows it.
func (b *builder) mounted(last *refgraph.Reference) bool {
	if last.How == refgraph.Live {
		return true
	}
	for _, p := range b.r.views[b.last].pairs[b.ends.Consumer] {
		if p.Provider != last.Provider {
			continue
		}
		for _, ref := range p.References {
			if ref.How == refgraph.Live {
				return true
			}
		}
	}
	return false
}

// strategy is how a workload replaces its pods: [D1.1], [D1.3], [D2.2], [D2.3], [D2.4].
func strategy(o object.Object) (s delivery.Strategy, dynamicStable bool) {
	if o.ID.Kind != "Rollout" {
		return delivery.Rolling, false
	}
	spec := object.Map(o.Fields, "spec", "strategy")
	switch {
	case object.Map(spec, "blueGreen") != nil:
		return delivery.BlueGreen, false
	case object.Map(spec, "canary", "trafficRouting") != nil:
		return delivery.RoutedCanary, object.Bool(spec, "canary", "dynamicStableScale")
	}
	return delivery.BasicCanary, false
}

// many tells whether there may be two pods or more. Without a number of replicas an autoscaler may set it.
func many(o object.Object) bool {
	n, ok := object.Get(o.Fields, "spec", "replicas").(json.Number)
	if !ok {
		return true
	}
	count, err := n.Int64()
	return err != nil || count > 1
}

// unmodelled says why a consumer's pods are not modelled, "" if they are. Old pods that stay on purpose make a mixed state for
// good, which the model would take for a step on the way.
func (b *builder) unmodelled() string {
	switch kind := b.ends.Consumer.Kind; kind {
	case "Job", "CronJob", "Pod":
		return "how a " + strings.ToLower(kind) + " is replaced is not modelled"
	}
	newest, _ := b.r.views[b.last].one(b.ends.Consumer)
	update := object.Map(newest.Fields, "spec", "updateStrategy")
	partition, _ := object.Get(update, "rollingUpdate", "partition").(json.Number)
	switch {
	case object.PodTemplate(newest) == nil:
		return ""
	case object.String(update, "type") == "OnDelete":
		return "its pods are replaced only when somebody deletes them (OnDelete): old and new ones stay beside each other"
	case partition != "" && partition != "0":
		return "its partition keeps old pods beside new ones for as long as it stands"
	case object.Bool(newest.Fields, "spec", "paused"):
		return "it is paused: nothing rolls until somebody resumes it"
	}
	return ""
}
