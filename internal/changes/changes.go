package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// changes say what a release changes in the two ends and in what connects them, the consumer's first.
func (f found) changes() []diag.Change {
	var out []diag.Change
	for _, id := range f.objects() {
		before, was := f.names[0].Object(id)
		after, is := f.snapshot.Object(id)
		for _, what := range f.change(id, before, after, was, is) {
			c := diag.Change{Unit: f.unitOf(id), At: after.Origin, What: what}
			if !is {
				c.At = before.Origin
			}
			out = append(out, c)
		}
	}
	return out
}

// objects are those of the case that are no rest, the consumer first.
func (f found) objects() []object.ID {
	var out []object.ID
	for _, o := range f.solved.Names.Objects {
		if o.ID != (object.ID{}) {
			out = append(out, o.ID)
		}
	}
	return out
}

func (f found) unitOf(id object.ID) string {
	for i := len(f.names) - 1; i >= 0; i-- {
		for _, u := range f.names[i].Units {
			if slices.ContainsFunc(u.Objects, func(o object.Object) bool { return o.ID == id }) {
				return f.names[i].Names[u.ID]
			}
		}
	}
	return ""
}

func (f found) change(id object.ID, before, after object.Object, was, is bool) []string {
	switch {
	case !was && !is:
		return nil
	case !was:
		return []string{id.String() + " is new"}
	case !is:
		return []string{id.String() + " goes"}
	case id == f.candidate.Consumer.Object:
		return workloadChanges(before, after)
	}
	a, b := descriptorOf(f.names[0], id), descriptorOf(f.snapshot, id)
	if a != nil && b != nil && a.Set != nil && b.Set != nil && id.Kind != "EnvoyFilter" {
		return setChanges(a, b)
	}
	if a != nil && b != nil && id.Kind == "EnvoyFilter" {
		return listChanges(a.Services, b.Services, "services")
	}
	return dataChanges(before, after)
}

// workloadChanges are the images that change, or the fields that do if no image does.
func workloadChanges(before, after object.Object) []string {
	old, now := history.Images(before), history.Images(after)
	if slices.Equal(old, now) {
		return fieldChanges(before, after)
	}
	if len(old) != len(now) {
		return []string{"images " + strings.Join(old, ", ") + " -> " + strings.Join(now, ", ")}
	}
	var out []string
	for i := range old {
		if old[i] == now[i] {
			continue
		}
		a, b := history.ParseImage(old[i]), history.ParseImage(now[i])
		if a.Name == b.Name && a.Digest == "" && b.Digest == "" {
			out = append(out, fmt.Sprintf("image %s %s -> %s", a.Name, a.Tag, b.Tag))
		} else {
			out = append(out, fmt.Sprintf("image %s -> %s", old[i], now[i]))
		}
	}
	return out
}

// descriptorOf is what a transcoder loads from an object, or what it is told by it.
func descriptorOf(s *snapshot.Snapshot, id object.ID) *refgraph.Descriptor {
	for _, ref := range s.Graph.References {
		if ref.Descriptor != nil && (ref.Provider == id || ref.Descriptor.Filter == id) {
			return ref.Descriptor
		}
	}
	return nil
}

// setChanges are the routes that come and go, or that the descriptor changes otherwise.
func setChanges(a, b *refgraph.Descriptor) []string {
	if a.Set.Digest() == b.Set.Digest() {
		return nil
	}
	old, now := routes(a), routes(b)
	out := listChanges(old, now, "")
	if len(out) == 0 {
		return []string{"descriptor, with the same routes"}
	}
	return out
}

// routes are the routes of a dictionary's services.
func routes(d *refgraph.Descriptor) []string {
	var out []string
	for _, name := range d.Services {
		s, ok := d.Set.Service(name)
		if !ok {
			continue
		}
		for _, m := range s.Methods {
			out = append(out, routesOf(m)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func routesOf(m descriptor.Method) []string {
	var out []string
	for _, r := range m.Rules {
		out = append(out, fmt.Sprintf("%s  %s %s", m.Name, r.Verb, r.Template))
	}
	return out
}

// maxListed bounds what is listed of one change.
const maxListed = 6

// listChanges are the entries that come (+) and go (-).
func listChanges(old, now []string, what string) []string {
	var out []string
	for _, n := range now {
		if !slices.Contains(old, n) {
			out = append(out, strings.TrimSpace("+ "+what+" "+n))
		}
	}
	for _, o := range old {
		if !slices.Contains(now, o) {
			out = append(out, strings.TrimSpace("- "+what+" "+o))
		}
	}
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "  ", " ")
	}
	if len(out) > maxListed {
		more := len(out) - maxListed
		out = append(out[:maxListed:maxListed], fmt.Sprintf("and %d more", more))
	}
	return out
}

// dataChanges are the keys of a ConfigMap or Secret whose values differ. Values are never told.
func dataChanges(before, after object.Object) []string {
	if before.ID.Kind != "ConfigMap" && before.ID.Kind != "Secret" {
		return fieldChanges(before, after)
	}
	keys := map[string]bool{}
	for _, part := range []string{"data", "binaryData", "stringData"} {
		a, b := object.Map(before.Fields, part), object.Map(after.Fields, part)
		for k := range a {
			if a[k] != b[k] {
				keys[k] = true
			}
		}
		for k := range b {
			if a[k] != b[k] {
				keys[k] = true
			}
		}
	}
	var out []string
	for k := range keys {
		out = append(out, "key "+k)
	}
	slices.Sort(out)
	return out
}
