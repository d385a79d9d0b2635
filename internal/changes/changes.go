// Package changes says what a release changes in the objects of a pair: images, routes and services of a dictionary, keys of a
// ConfigMap or Secret, else fields.
//
// In go the snapshots of a release and the objects to look at, out come sentences with their places. Values are never told,
// except image references and what a descriptor set publishes. It refuses to say what a change means.
package changes

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

// Of says what changes in objects between the first and the last of the snapshots, in the order of the objects. consumer is the
// one of which images are told.
func Of(snapshots []*snapshot.Snapshot, objects []object.ID, consumer object.ID) []diag.Change {
	r := release{snapshots[0], snapshots[len(snapshots)-1], consumer}
	var out []diag.Change
	for _, id := range objects {
		before, was := r.before.Object(id)
		after, is := r.after.Object(id)
		for _, what := range r.change(id, before, after, was, is) {
			c := diag.Change{Unit: unitOf(snapshots, id), At: after.Origin, What: what}
			if !is {
				c.At = before.Origin
			}
			out = append(out, c)
		}
	}
	return out
}

// release is what is compared.
type release struct {
	before, after *snapshot.Snapshot
	consumer      object.ID
}

// unitOf is the short name of the unit that delivers an object, as the last snapshot that has it knows.
func unitOf(snapshots []*snapshot.Snapshot, id object.ID) string {
	for _, s := range slices.Backward(snapshots) {
		for _, u := range s.Units {
			if slices.ContainsFunc(u.Objects, func(o object.Object) bool { return o.ID == id }) {
				return s.Names[u.ID]
			}
		}
	}
	return ""
}

func (r release) change(id object.ID, before, after object.Object, was, is bool) []string {
	switch {
	case !was && !is:
		return nil
	case !was:
		return []string{id.String() + " is new"}
	case !is:
		return []string{id.String() + " goes"}
	case id == r.consumer:
		return workloadChanges(before, after)
	}
	a, b := descriptorOf(r.before, id), descriptorOf(r.after, id)
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
