// Package law tests what an edit claims of a repository on what is rendered of it.
//
// In go the snapshots before and after and the changes that are claimed; out comes what differs from the claim, over all
// objects of all units. It refuses to call equal what it cannot see: units without a rendering are named.
package law

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// Change is what becomes of one object of one unit.
type Change struct {
	Unit   unit.ID
	ID     object.ID
	Fields map[string]any // as rendered afterwards; nil: the unit renders it no more
	// Suffixed tells that a suffix that depends on the content comes behind the name. Fields, and those of other changes of
	// the unit that name the object, have the name without it.
	Suffixed bool
}

// Outcome is what an edit came to.
type Outcome struct {
	// Wrong are the ways in which the edited repository renders to something else than was claimed, one sentence each. With
	// one of them the edit must not be used.
	Wrong []string
	// Unseen are the units of which nothing is known before and after.
	Unseen []string
}

// Check compares the snapshots before and after an edit with what the edit claims: the objects that change, the units that
// are no more, and nothing else. Both have to be built with one key for secrets, or these differ.
func Check(before, after *snapshot.Snapshot, want []Change, gone []unit.ID) Outcome {
	c := check{before: before.Graph, after: after.Graph, want: slices.Clone(want)}
	is := map[unit.ID]discover.Delivered{}
	for _, u := range after.Units {
		is[u.ID] = u
	}
	for _, u := range before.Units {
		now, ok := is[u.ID]
		delete(is, u.ID)
		switch leaves := slices.Contains(gone, u.ID); {
		case leaves && ok:
			c.wrong("the unit %s is still there", u.ID.Name)
		case leaves:
		case !ok && u.Kind == unit.Bootstrap: // nobody declares it: it is there as long as it has something
			c.unit(u, discover.Delivered{Unit: u.Unit})
		case !ok:
			c.wrong("the unit %s is gone", u.ID.Name)
		case !u.Rendered && !now.Rendered:
			c.out.Unseen = append(c.out.Unseen, u.ID.Name)
		case u.Rendered != now.Rendered:
			c.wrong("the unit %s is rendered %s the edit only", u.ID.Name, map[bool]string{true: "before", false: "after"}[u.Rendered])
		default:
			c.unit(u, now)
		}
	}
	for _, u := range after.Units {
		if _, fresh := is[u.ID]; fresh {
			c.wrong("the unit %s is new", u.ID.Name)
		}
	}
	for _, w := range c.want {
		c.wrong("%s has no %s to change", w.Unit.Name, w.ID)
	}
	return c.out
}

type check struct {
	before, after refgraph.Graph
	want          []Change // those that no unit has met yet
	out           Outcome
}

func (c *check) wrong(format string, args ...any) {
	c.out.Wrong = append(c.out.Wrong, fmt.Sprintf(format, args...))
}

// unit compares what one unit renders. Of an identity that it renders twice the last one counts.
func (c *check) unit(was, is discover.Delivered) {
	want, have := byID(was), byID(is)
	for _, w := range c.want {
		if w.Unit != was.ID {
			continue
		}
		if w.Fields == nil {
			delete(want, w.ID)
			continue
		}
		want[w.ID] = object.Object{ID: w.ID, Fields: w.Fields, Version: want[w.ID].Version}
		if w.Suffixed {
			c.follow(w.ID, unsuffix(w.ID, have))
		}
	}
	c.want = slices.DeleteFunc(c.want, func(w Change) bool { return w.Unit == was.ID })
	ids := map[object.ID]bool{}
	for id := range want {
		ids[id] = true
	}
	for id := range have {
		ids[id] = true
	}
	var sorted []object.ID
	for id := range ids {
		sorted = append(sorted, id)
	}
	slices.SortFunc(sorted, object.ID.Compare)
	for _, id := range sorted {
		w, wanted := want[id]
		h, has := have[id]
		switch {
		case !has:
			c.wrong("%s does not render %s any more", was.ID.Name, id)
		case !wanted:
			c.wrong("%s renders %s", was.ID.Name, id)
		default:
			if at := Differs(w, h); at != "" {
				c.wrong("%s renders %s differently at %s", was.ID.Name, id, at)
			}
		}
	}
}

func byID(u discover.Delivered) map[object.ID]object.Object {
	out := map[object.ID]object.Object{}
	for _, o := range u.Objects {
		out[o.ID] = o
	}
	return out
}

var suffix = regexp.MustCompile(`^-[0-9a-z]{8,10}$`)

// follow tests that whoever read an object by its old name reads it by the new one, and in the same way: in the texts, once
// the suffix is taken away, a name that stayed behind looks like one that followed.
func (c *check) follow(old object.ID, name string) {
	now := old
	now.Name = name
	for _, r := range c.after.References {
		if r.Provider == old {
			c.wrong("%s goes on naming %s", r.Consumer, old)
		}
	}
	for _, was := range c.before.References {
		follows := func(r refgraph.Reference) bool {
			return r.Consumer == was.Consumer && r.Provider == now && r.How == was.How
		}
		if was.Provider == old && !slices.ContainsFunc(c.after.References, follows) {
			c.wrong("%s does not read %s as it did", was.Consumer, now)
		}
	}
}

// unsuffix takes the suffix of an object's name away wherever the unit has it, and gives the name with it; "" if it cannot
// be told.
func unsuffix(id object.ID, have map[object.ID]object.Object) string {
	full := ""
	for other := range have {
		rest, ok := strings.CutPrefix(other.Name, id.Name)
		if other.Kind == id.Kind && other.Namespace == id.Namespace && ok && suffix.MatchString(rest) {
			if full != "" {
				return ""
			}
			full = other.Name
		}
	}
	if full == "" {
		return ""
	}
	all := maps.Clone(have)
	clear(have)
	for k, o := range all {
		o.Fields, _ = rename(o.Fields, full, id.Name).(map[string]any)
		if k.Name == full {
			k.Name = id.Name
		}
		have[k] = o
	}
	return full
}

// rename replaces a name in all strings.
func rename(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, from, to)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = rename(e, from, to)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = rename(e, from, to)
		}
		return out
	}
	return v
}

// Differs says where two objects differ, "" if they do not. A namespace that is written out and one that the Application
// fills in are one.
func Differs(a, b object.Object) string {
	x, _ := fields.Clone(a.Fields).(map[string]any)
	y, _ := fields.Clone(b.Fields).(map[string]any)
	for _, m := range []map[string]any{x, y} {
		if meta := object.Map(m, "metadata"); meta != nil {
			delete(meta, "namespace")
		}
		for k, v := range object.Map(m, "binaryData") {
			if text, ok := v.(string); ok { // kustomize breaks base64 into lines, which nobody reads
				object.Map(m, "binaryData")[k] = strings.Join(strings.Fields(text), "")
			}
		}
		for _, pointer := range slices.Concat(a.Unstable, b.Unstable) {
			remove(m, strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
		}
	}
	return fields.Difference(x, y)
}

func remove(v any, steps []string) {
	for i, step := range steps {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if i == len(steps)-1 {
			delete(m, step)
		}
		v = m[step]
	}
}
