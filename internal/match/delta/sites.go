package delta

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Site is a place in a message where two APIs differ.
type Site struct {
	Path string // in the names of the first API; of the second where the first lacks the field
	// A and B are the fields that lead there from the top, in either API. The last is nil in the API that lacks the field.
	A, B []protoreflect.FieldDescriptor
	// Both are two fields of the first API whose use at once is what differs: the second has them in Oneof.
	Both  []protoreflect.FieldDescriptor
	Oneof string
	// Alone says that one API has the field, and the other one neither its name nor its number: no value of it means more
	// than another.
	Alone bool
}

// Last is the field that a chain leads to, nil if there is none.
func Last(chain []protoreflect.FieldDescriptor) protoreflect.FieldDescriptor {
	if len(chain) == 0 {
		return nil
	}
	return chain[len(chain)-1]
}

// maxPlaces bounds how often a message is looked at within another: graphs of messages have more paths than anyone can
// read, and what becomes of a field is the same wherever its message is nested.
const maxPlaces = 3

// level is a message to be compared, and how to get there.
type level struct {
	Site
	from, to protoreflect.MessageDescriptor
}

// Sites lists the differences between two messages, those of the top first.
func (d *Delta) Sites(a, b protoreflect.MessageDescriptor) []Site {
	var out []Site
	times := map[protoreflect.FullName]int{}
	for queue := []level{{from: a, to: b}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if times[at.from.FullName()] == maxPlaces || d.Same(at.from, at.to) {
			continue
		}
		times[at.from.FullName()]++
		found, below := d.compare(at)
		out, queue = append(out, found...), append(queue, below...)
	}
	return out
}

// next is the place of a field below another place.
func (s Site) next(name string, f, g protoreflect.FieldDescriptor) Site {
	if s.Path != "" {
		name = s.Path + "." + name
	}
	return Site{Path: name, A: append(slices.Clone(s.A), f), B: append(slices.Clone(s.B), g)}
}

// compare gives the fields that differ themselves, and the messages below that do.
func (d *Delta) compare(at level) (found []Site, below []level) {
	for i := range at.from.Fields().Len() {
		f := at.from.Fields().Get(i)
		g := Counterpart(f, at.from, at.to)
		if g == nil || !Alike(f, g) || !sameEnum(f.Enum(), g.Enum()) {
			s := at.next(string(f.Name()), f, g)
			s.Alone = g == nil && at.to.Fields().ByNumber(f.Number()) == nil
			found = append(found, s)
			continue
		}
		if f.Message() == nil || d.Same(f.Message(), g.Message()) {
			continue
		}
		s := at.next(string(f.Name()), f, g)
		x, y := f.Message(), g.Message()
		if f.IsMap() {
			x, y = f.MapValue().Message(), g.MapValue().Message()
		}
		if x == nil || y == nil || Special(x) != "" || Special(y) != "" {
			found = append(found, s)
		} else {
			below = append(below, level{s, x, y})
		}
	}
	for i := range at.to.Fields().Len() {
		if g := at.to.Fields().Get(i); Counterpart(g, at.to, at.from) == nil {
			s := at.next(string(g.Name()), nil, g)
			s.Alone = at.from.Fields().ByNumber(g.Number()) == nil
			found = append(found, s)
		}
	}
	return append(found, oneofs(at)...), below
}

// EveryField lists the fields of the top that have no site yet: another rule reads each of them from another place.
func EveryField(a, b protoreflect.MessageDescriptor, have []Site) []Site {
	var out []Site
	for i := range a.Fields().Len() {
		f := a.Fields().Get(i)
		g := Counterpart(f, a, b)
		if g != nil && !slices.ContainsFunc(have, func(s Site) bool { return s.Path == string(f.Name()) }) {
			out = append(out, Site{Path: string(f.Name()), A: []protoreflect.FieldDescriptor{f}, B: []protoreflect.FieldDescriptor{g}})
		}
	}
	return out
}

// oneofs gives the use of two fields at once that the other API forbids: both are members of one oneof there.
func oneofs(at level) []Site {
	var out []Site
	for i := range at.to.Oneofs().Len() {
		var members []protoreflect.FieldDescriptor
		o := at.to.Oneofs().Get(i)
		for j := range o.Fields().Len() {
			f := Counterpart(o.Fields().Get(j), at.to, at.from)
			together := func(m protoreflect.FieldDescriptor) bool { return Oneof(m) != "" && Oneof(m) == Oneof(f) }
			if f != nil && !f.IsList() && !f.IsMap() && !slices.ContainsFunc(members, together) {
				members = append(members, f)
			}
		}
		if len(members) < 2 {
			continue
		}
		first, second := members[0], members[1]
		s := at.next(string(first.Name())+"+"+string(second.Name()), second, nil)
		s.Both, s.Oneof = []protoreflect.FieldDescriptor{first, second}, string(o.Name())
		out = append(out, s)
	}
	return out
}
