package refgraph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// followFilter follows one transcoder of an EnvoyFilter into all workloads that it is for.
func (b *builder) followFilter(r Rendered, p patch, f filter) {
	b.unknownOptions(r, f)
	templates, ok := b.selected(r, p)
	if !ok {
		return
	}
	inline := b.inlineDescriptor(r, f)
	blocked := make(map[obstacle][]object.ID)
	for _, t := range templates {
		d := inline
		if d == nil {
			var why *obstacle
			if d, why = b.mountedDescriptor(r, t, f); why != nil {
				blocked[*why] = append(blocked[*why], t.id())
			}
		}
		b.add(t.owner, Reference{Provider: r.Object.ID, How: Live, Via: selectedVia(r, t), Descriptor: d})
	}
	b.obstacleGaps(r, f, blocked)
}

// selectedVia is the field of a workload for which an EnvoyFilter selects it.
func selectedVia(r Rendered, t *podTemplate) string {
	if s, _ := selectionOf(r.Object); len(s.labels) == 0 {
		return "metadata.namespace"
	}
	return t.via + t.meta + ".labels"
}

// unknownOptions tells of options whose effect cannot be reckoned with.
func (b *builder) unknownOptions(r Rendered, f filter) {
	if len(f.config.Unknown) > 0 {
		b.gap(diag.Unsupported, r.Object.Origin, "check the spelling, or leave them out",
			"%s (%s): options of the transcoder that are not known here: %s", r.Object.ID, f.path,
			strings.Join(f.config.Unknown, ", "))
	}
}

// inlineDescriptor describes a filter that needs no file: one that is switched off, one without any descriptor, or one
// that holds it. Nil if the filter reads a file.
func (b *builder) inlineDescriptor(r Rendered, f filter) *Descriptor {
	d := newDescriptor(r, f)
	switch {
	case len(d.Services) == 0:
		d.Problem = "no services are listed: the filter is off"
	case f.config.ProtoDescriptorBin != nil:
		set, err := b.sets.decode(f.config.ProtoDescriptorBin)
		if err != nil {
			d.Problem = fmt.Sprintf("proto_descriptor_bin holds no descriptor set: %v", err)
			b.gap(diag.Unparsable, r.Object.Origin, "put the output of protoc --include_imports --descriptor_set_out there",
				"%s (%s): %s", r.Object.ID, f.path, d.Problem)
			return d
		}
		d.Set, d.Problem = set, problems(set, d.Services)
	case f.config.ProtoDescriptor == "":
		d.Problem = "the filter has no descriptor"
	default:
		return nil
	}
	return d
}

// mountedDescriptor follows a filter's file into the proxy of one workload and adds what it finds there. The descriptor
// that it returns is for the reference to the filter: it stands there only to say why the chain ended, and is nil if the
// file was found.
func (b *builder) mountedDescriptor(r Rendered, t *podTemplate, f filter) (*Descriptor, *obstacle) {
	mounts, workDir := t.proxyMounts()
	d := newDescriptor(r, f)
	d.Path = absolute(workDir, f.config.ProtoDescriptor)
	p, why := b.locate(t, mounts, d.Path)
	if why != nil {
		d.Problem = why.text
		return d, why
	}
	b.fill(d, p, t.at)
	b.add(t.owner, Reference{
		Provider: p.provider, How: Start, Key: p.key, Optional: p.optional, Descriptor: d,
		Via: fmt.Sprintf("%s %s -> %s", r.Object.ID, f.path, p.path),
	})
	b.add(r, Reference{Provider: p.provider, How: Apply, Key: p.key, Via: f.path, Descriptor: d})
	return nil, nil
}

func newDescriptor(holder Rendered, f filter) *Descriptor {
	return &Descriptor{Filter: holder.Object.ID, Services: f.config.Services, Config: f.config}
}

// fill decodes what a descriptor's file holds.
func (b *builder) fill(d *Descriptor, p place, reader object.Location) {
	c := b.contentOf(p.provider, p.key, reader)
	d.Set, d.Problem = c.set, c.problem
	if d.Set != nil {
		d.Problem = problems(d.Set, d.Services)
	}
}

// obstacleGaps tells once what is the same for many workloads.
func (b *builder) obstacleGaps(r Rendered, f filter, blocked map[obstacle][]object.ID) {
	order := func(x, y obstacle) int { return strings.Compare(x.text, y.text) }
	for _, why := range slices.SortedFunc(maps.Keys(blocked), order) {
		ids := blocked[why]
		b.gap(why.reason, r.Object.Origin, why.toClose, "%s (%s): %s, in the proxy of %s",
			r.Object.ID, f.path, why.text, some(ids))
	}
}

// some names up to three objects.
func some(ids []object.ID) string {
	slices.SortFunc(ids, object.ID.Compare)
	ids = slices.Compact(ids)
	var names []string
	for _, id := range ids[:min(len(ids), 3)] {
		names = append(names, id.String())
	}
	out := strings.Join(names, ", ")
	if more := len(ids) - len(names); more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}
