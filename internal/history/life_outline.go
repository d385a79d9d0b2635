package history

import (
	"context"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// outline is what lifelines need of the snapshot of one commit. It is kept for the questions of other pairs; the snapshot
// is not.
type outline struct {
	reads  []read
	units  map[unit.ID]bool // whether it was rendered
	names  map[unit.ID]string
	folded string   // a unit that stands for others and could not be expanded; "" if there is none
	unread []string // files that gave no objects
}

// read is one reference, with where its provider is declared and what was read.
type read struct {
	consumer, provider           object.ID
	consumerUnits, providerUnits []unit.ID
	how                          refgraph.How
	key, via                     string
	at, origin                   object.Location
	content                      uint64 // equal for equal content; 0 if it is not known
	decoded                      bool   // content is that of a descriptor, not of its bytes
}

// outline gives that of a position of a walk. A commit that the clone cannot give is a *stopped.
func (h *History) outline(ctx context.Context, l *link) (*outline, error) {
	h.mu.Lock()
	o := h.outlines[l.Hash]
	h.mu.Unlock()
	if o != nil {
		return o, nil
	}
	s, err := h.snapshotAt(ctx, l)
	if err != nil {
		return nil, err
	}
	o = outlineOf(s)
	h.mu.Lock()
	defer h.mu.Unlock()
	// Most commits change no unit: the tables of the one before serve again.
	if last := h.lastOutline; last != nil && maps.Equal(last.units, o.units) && maps.Equal(last.names, o.names) {
		o.units, o.names = last.units, last.names
	}
	h.outlines[l.Hash], h.lastOutline = o, o
	return o, nil
}

func (h *History) snapshotAt(ctx context.Context, l *link) (*snapshot.Snapshot, error) {
	s, err := h.in.Snapshots(ctx, l.Commit)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case unreadable(err):
		return nil, stopf(fetchAll, "commit %s cannot be read: %v", short(l.Commit), err)
	}
	return s, err
}

func outlineOf(s *snapshot.Snapshot) *outline {
	o := &outline{units: map[unit.ID]bool{}, names: s.Names}
	for _, u := range s.Units {
		o.units[u.ID] = u.Rendered
		if !u.Rendered && u.Kind != unit.Application && o.folded == "" {
			o.folded = "unit " + s.Names[u.ID]
		}
	}
	for _, g := range s.Gaps {
		if g.At.File != "" && slices.Contains(unread, g.Reason) {
			o.unread = append(o.unread, g.At.File)
		}
	}
	for _, r := range s.Graph.References {
		provider, _ := s.Object(r.Provider)
		o.reads = append(o.reads, read{
			consumer: r.Consumer, provider: r.Provider, consumerUnits: r.ConsumerUnits, providerUnits: r.ProviderUnits,
			how: r.How, key: r.Key, via: r.Via, at: r.At, origin: provider.Origin, content: contentOf(r, provider),
			decoded: r.Descriptor != nil && r.Descriptor.Set != nil,
		})
	}
	return o
}

// lacks names a maker that could not be read, as [makers.missing] does for a snapshot.
func (o *outline) lacks(m makers) string {
	for _, u := range m.units {
		switch rendered, there := o.units[u]; {
		case there && !rendered:
			return "unit " + o.names[u]
		case !there && o.folded != "":
			return o.folded
		}
	}
	for _, f := range o.unread {
		if slices.Contains(m.files, f) {
			return f
		}
	}
	return ""
}

// by gives what a consumer reads.
func (o *outline) by(consumer object.ID) []read {
	return slices.DeleteFunc(slices.Clone(o.reads), func(r read) bool { return r.consumer != consumer })
}

// between gives how a consumer reads a provider.
func (o *outline) between(consumer, provider object.ID) []read {
	return slices.DeleteFunc(o.by(consumer), func(r read) bool { return r.provider != provider })
}

// of gives what reads a provider.
func (o *outline) of(provider object.ID) []read {
	return slices.DeleteFunc(slices.Clone(o.reads), func(r read) bool { return r.provider != provider })
}

func (o *outline) unitNames(ids []unit.ID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, o.names[id])
	}
	slices.Sort(out)
	return out
}

// payload is what a ConfigMap or Secret holds, by key; nil for other kinds.
func payload(o object.Object) map[string]string {
	if !o.ID.IsConfig() {
		return nil
	}
	out := map[string]string{}
	for _, field := range []string{"data", "binaryData", "stringData"} {
		maps.Copy(out, object.StringMap(object.Get(o.Fields, field)))
	}
	return out
}

// contentOf stands for what a reference reads. Of a descriptor it is what it declares, whatever its bytes.
func contentOf(r refgraph.Reference, provider object.Object) uint64 {
	sum := fnv.New64a()
	if r.Descriptor != nil && r.Descriptor.Set != nil {
		io.WriteString(sum, r.Descriptor.Set.Digest())
		return sum.Sum64()
	}
	data := payload(provider)
	if _, ok := data[r.Key]; len(data) == 0 || r.Key != "" && !ok {
		return 0
	}
	for _, key := range slices.Sorted(maps.Keys(data)) {
		if r.Key == "" || r.Key == key {
			io.WriteString(sum, key+"\x00"+data[key]+"\x00")
		}
	}
	return sum.Sum64()
}
