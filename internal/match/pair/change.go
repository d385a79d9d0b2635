package pair

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// changes finds out where two sets differ, so that only there calls are tried.
type changes struct {
	equal map[[2]protoreflect.FullName]bool // pairs of messages that are known to be the same all the way down, or not
	types [2][]protoreflect.MessageDescriptor
	anys  bool // what an Any may hold differs
}

func newChanges(old, new *descriptor.Set) *changes {
	c := &changes{equal: map[[2]protoreflect.FullName]bool{}}
	a, b := loose(old), loose(new)
	c.types[0], c.types[1] = a, b
	c.anys = !slices.EqualFunc(a, b, func(x, y protoreflect.MessageDescriptor) bool { return x.FullName() == y.FullName() })
	return c
}

// loose are the messages that no method and no field uses: in an API with Any they are what an Any is for. By name.
func loose(set *descriptor.Set) []protoreflect.MessageDescriptor {
	used := map[protoreflect.FullName]bool{}
	var all []protoreflect.MessageDescriptor
	var messages func(protoreflect.MessageDescriptors)
	messages = func(list protoreflect.MessageDescriptors) {
		for i := range list.Len() {
			md := list.Get(i)
			all = append(all, md)
			for j := range md.Fields().Len() {
				if inner := md.Fields().Get(j).Message(); inner != nil && inner.FullName() != md.FullName() {
					used[inner.FullName()] = true
				}
			}
			messages(md.Messages())
		}
	}
	set.Types().RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if f.Package() != "google.protobuf" && f.Package() != "google.api" {
			messages(f.Messages())
		}
		return true
	})
	for _, s := range set.Services {
		for _, m := range s.Methods {
			used[protoreflect.FullName(m.Input)], used[protoreflect.FullName(m.Output)] = true, true
		}
	}
	all = slices.DeleteFunc(all, func(md protoreflect.MessageDescriptor) bool { return used[md.FullName()] || md.IsMapEntry() })
	slices.SortFunc(all, func(a, b protoreflect.MessageDescriptor) int {
		if a.FullName() < b.FullName() {
			return -1
		}
		return 1
	})
	return all
}

// same says that two messages and all that they reach are the same on the wire and in JSON. Within a cycle it is assumed.
func (c *changes) same(a, b protoreflect.MessageDescriptor) bool {
	key := [2]protoreflect.FullName{a.FullName(), b.FullName()}
	if known, ok := c.equal[key]; ok {
		return known
	}
	visited := map[[2]protoreflect.FullName]bool{}
	ok := c.walk(a, b, visited)
	if ok {
		for pair := range visited {
			c.equal[pair] = true
		}
	}
	c.equal[key] = ok
	return ok
}

func (c *changes) walk(a, b protoreflect.MessageDescriptor, visited map[[2]protoreflect.FullName]bool) bool {
	key := [2]protoreflect.FullName{a.FullName(), b.FullName()}
	if known, ok := c.equal[key]; ok {
		return known
	}
	if visited[key] {
		return true
	}
	visited[key] = true
	if special(a) != special(b) || a.FullName() == anyType && c.anys || a.Fields().Len() != b.Fields().Len() ||
		(a.ParentFile().Syntax() == protoreflect.Proto3) != (b.ParentFile().Syntax() == protoreflect.Proto3) {
		return false
	}
	for i := range a.Fields().Len() {
		f := a.Fields().Get(i)
		g := b.Fields().ByNumber(f.Number())
		if g == nil || !alike(f, g) || !sameEnum(f.Enum(), g.Enum()) {
			return false
		}
		if f.Message() != nil && !c.walk(f.Message(), g.Message(), visited) {
			return false
		}
	}
	return true
}

// alike says that two fields are the same but for what their messages and enums hold.
func alike(f, g protoreflect.FieldDescriptor) bool {
	if f.Name() != g.Name() || f.JSONName() != g.JSONName() || f.Number() != g.Number() || f.Kind() != g.Kind() ||
		f.Cardinality() != g.Cardinality() || f.IsPacked() != g.IsPacked() || f.HasPresence() != g.HasPresence() ||
		f.IsMap() != g.IsMap() || (f.Message() == nil) != (g.Message() == nil) || oneof(f) != oneof(g) {
		return false
	}
	if f.IsMap() || f.IsList() || f.Message() != nil {
		return f.Message() == nil || special(f.Message()) == special(g.Message())
	}
	return f.Default().Equal(g.Default())
}

func oneof(f protoreflect.FieldDescriptor) protoreflect.Name {
	if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
		return o.Name()
	}
	return ""
}

func sameEnum(a, b protoreflect.EnumDescriptor) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if a.Values().Len() != b.Values().Len() || a.IsClosed() != b.IsClosed() {
		return false
	}
	for i := range a.Values().Len() {
		if x, y := a.Values().Get(i), b.Values().Get(i); x.Name() != y.Name() || x.Number() != y.Number() {
			return false
		}
	}
	return true
}

// site is a place in a message where two APIs differ. A nil field is one that the other API lacks.
type site struct {
	path    string // in the names of the first API; of the second where the first lacks the field
	a, b    []protoreflect.FieldDescriptor
	samples []sample // of several fields at once, instead of those of the field
}

// maxPlaces bounds how often a message is looked at within another: graphs of messages have more paths than anyone can
// read, and what becomes of a field is the same wherever its message is nested.
const maxPlaces = 3

// level is a message to be compared, and how to get there.
type level struct {
	site
	from, to protoreflect.MessageDescriptor
}

// sites lists the differences between two messages, those of the top first.
func (c *changes) sites(a, b protoreflect.MessageDescriptor) []site {
	var out []site
	times := map[protoreflect.FullName]int{}
	for queue := []level{{from: a, to: b}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if times[at.from.FullName()] == maxPlaces || c.same(at.from, at.to) {
			continue
		}
		times[at.from.FullName()]++
		found, below := c.compare(at)
		out, queue = append(out, found...), append(queue, below...)
	}
	return out
}

// next is the place of a field below another place.
func (s site) next(name string, f, g protoreflect.FieldDescriptor) site {
	if s.path != "" {
		name = s.path + "." + name
	}
	return site{path: name, a: append(slices.Clone(s.a), f), b: append(slices.Clone(s.b), g)}
}

// compare gives the fields that differ themselves, and the messages below that do.
func (c *changes) compare(at level) (found []site, below []level) {
	for i := range at.from.Fields().Len() {
		f := at.from.Fields().Get(i)
		g := counterpart(f, at.from, at.to)
		s := at.next(string(f.Name()), f, g)
		if g == nil || !alike(f, g) || !sameEnum(f.Enum(), g.Enum()) {
			if g == nil {
				s.b[len(s.b)-1] = nil
			}
			found = append(found, s)
			continue
		}
		x, y := f.Message(), g.Message()
		if f.IsMap() {
			x, y = f.MapValue().Message(), g.MapValue().Message()
		}
		switch {
		case f.Message() == nil || c.same(f.Message(), g.Message()):
		case x == nil || y == nil || special(x) != "" || special(y) != "":
			found = append(found, s)
		default:
			below = append(below, level{s, x, y})
		}
	}
	for i := range at.to.Fields().Len() {
		if g := at.to.Fields().Get(i); counterpart(g, at.to, at.from) == nil {
			found = append(found, at.next(string(g.Name()), nil, g))
		}
	}
	return append(found, c.oneofs(at)...), below
}

// everyField lists the fields of the top that have no site yet: another rule reads each of them from another place.
func everyField(a, b protoreflect.MessageDescriptor, have []site) []site {
	var out []site
	for i := range a.Fields().Len() {
		f := a.Fields().Get(i)
		g := counterpart(f, a, b)
		if g != nil && !slices.ContainsFunc(have, func(s site) bool { return s.path == string(f.Name()) }) {
			out = append(out, site{path: string(f.Name()), a: []protoreflect.FieldDescriptor{f}, b: []protoreflect.FieldDescriptor{g}})
		}
	}
	return out
}

// oneofs gives the use of two fields at once that the other API forbids: both are members of one oneof there.
func (c *changes) oneofs(at level) []site {
	var out []site
	for i := range at.to.Oneofs().Len() {
		var members []protoreflect.FieldDescriptor
		o := at.to.Oneofs().Get(i)
		for j := range o.Fields().Len() {
			f := counterpart(o.Fields().Get(j), at.to, at.from)
			together := func(m protoreflect.FieldDescriptor) bool { return oneof(m) != "" && oneof(m) == oneof(f) }
			if f != nil && !f.IsList() && !f.IsMap() && !slices.ContainsFunc(members, together) {
				members = append(members, f)
			}
		}
		if len(members) < 2 {
			continue
		}
		first, second := members[0], members[1]
		s := at.next(string(first.Name())+"+"+string(second.Name()), second, nil)
		s.samples = []sample{{chain: s.a, name: "both fields", set: func(m protoreflect.Message) {
			m.Set(first, typical(first, 0))
			m.Set(second, typical(second, 0))
		}}}
		out = append(out, s)
	}
	return out
}
