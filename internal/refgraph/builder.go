package refgraph

import (
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// builder is the state of one Build: an index of what is there, and what was found so far.
type builder struct {
	objects   map[object.ID][]Rendered // by identity, each unit once, sorted by unit
	ids       []object.ID              // sorted
	templates []*podTemplate           // sorted by owner
	decoded   map[contentKey]content
	sets      *Sets
	// inNamespace has the templates of each namespace of each cluster: see namespaceOf.
	inNamespace map[object.ID][]*podTemplate

	refs []Reference
	cut  bool // some references were left out
	gaps []diag.Gap
}

func newBuilder(objects []Rendered) *builder {
	b := &builder{
		objects:     make(map[object.ID][]Rendered, len(objects)),
		decoded:     make(map[contentKey]content),
		inNamespace: make(map[object.ID][]*podTemplate),
	}
	for _, r := range objects {
		id := r.Object.ID
		i, found := slices.BinarySearchFunc(b.objects[id], r.Unit, func(x Rendered, u unit.ID) int { return x.Unit.Compare(u) })
		if found {
			b.objects[id][i] = r
			continue
		}
		if len(b.objects[id]) == 0 {
			b.ids = append(b.ids, id)
		}
		b.objects[id] = slices.Insert(b.objects[id], i, r)
	}
	slices.SortFunc(b.ids, object.ID.Compare)
	for _, id := range b.ids {
		for _, r := range b.objects[id] {
			b.templates = append(b.templates, b.templatesOf(r)...)
		}
	}
	for _, t := range b.templates {
		b.inNamespace[namespaceOf(t.id())] = append(b.inNamespace[namespaceOf(t.id())], t)
	}
	return b
}

// add records a reference of one rendering of a consumer.
func (b *builder) add(consumer Rendered, r Reference) {
	r.Consumer = consumer.Object.ID
	r.ConsumerUnits = []unit.ID{consumer.Unit}
	r.At = consumer.Object.Origin
	if len(b.refs) >= maxReferences {
		b.full(consumer)
		return
	}
	for _, p := range b.objects[r.Provider] {
		r.ProviderUnits = append(r.ProviderUnits, p.Unit)
	}
	b.refs = append(b.refs, r)
}

// maxReferences bounds a graph: selectors and volumes multiply, and a small repository can name millions of pairs.
const maxReferences = 300_000

// full says once that the graph is not whole.
func (b *builder) full(consumer Rendered) {
	if b.cut {
		return
	}
	b.cut = true
	b.gap(diag.RenderLimit, consumer.Object.Origin, "split the repository, or look at one root at a time with roots: in .syncproof.yaml",
		"there are more than %d references; those from here on are left out", maxReferences)
}

func (b *builder) gap(reason diag.Reason, at object.Location, toClose, format string, args ...any) {
	b.gaps = append(b.gaps, diag.Gap{Reason: reason, At: at, Message: fmt.Sprintf(format, args...), Close: toClose})
}

// core is the identity of a core object beside another one.
func core(kind string, beside object.ID, name string) object.ID {
	return object.ID{Cluster: beside.Cluster, Kind: kind, Namespace: beside.Namespace, Name: name}
}

// namespaceOf is the identity of the Namespace that an object lies in.
func namespaceOf(id object.ID) object.ID {
	return object.ID{Cluster: id.Cluster, Kind: "Namespace", Name: id.Namespace}
}
