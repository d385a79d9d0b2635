// Package delta says where two descriptor sets differ, and what of a field changed there.
//
// In go two descriptor sets; out come, for two messages, the places at which they are not the same on the wire and in JSON
// ([Delta.Sites]), and for each place the change in the words of the declarations ([Change]). The package refuses to judge:
// what a difference does to a call is package pair's question.
package delta

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// AnyType is the message that holds any other.
const AnyType = "google.protobuf.Any"

const httpBodyType = "google.api.HttpBody"

// Delta compares two sets, from one to the other. What it finds out it keeps: not for concurrent use.
type Delta struct {
	// From and To are the messages of either set that no method and no field uses, by name: in an API with Any they are
	// what an Any is for.
	From, To []protoreflect.MessageDescriptor

	equal map[[2]protoreflect.FullName]bool // pairs of messages that are known to be the same all the way down, or not
	back  bool                              // the pairs are (to, from)
	anys  bool                              // what an Any may hold differs
}

// New compares two sets.
func New(from, to *descriptor.Set) *Delta {
	d := &Delta{From: loose(from), To: loose(to), equal: map[[2]protoreflect.FullName]bool{}}
	d.anys = !slices.EqualFunc(d.From, d.To, func(x, y protoreflect.MessageDescriptor) bool { return x.FullName() == y.FullName() })
	return d
}

// Back is the same comparison in the other direction. The two share what they know.
func (d *Delta) Back() *Delta {
	return &Delta{From: d.To, To: d.From, equal: d.equal, back: !d.back, anys: d.anys}
}

// Same says that two messages and all that they reach are the same on the wire and in JSON. a is of the set that the
// comparison goes from.
func (d *Delta) Same(a, b protoreflect.MessageDescriptor) bool {
	if d.back {
		a, b = b, a
	}
	visited := map[[2]protoreflect.FullName]bool{}
	if !d.walk(a, b, visited) {
		return false
	}
	for pair := range visited { // only now: within a cycle they were assumed
		d.equal[pair] = true
	}
	return true
}

// walk is Same of messages that it may meet again along a cycle, where they count as the same. A difference is one
// whatever is assumed, and is kept at once.
func (d *Delta) walk(a, b protoreflect.MessageDescriptor, visited map[[2]protoreflect.FullName]bool) bool {
	key := [2]protoreflect.FullName{a.FullName(), b.FullName()}
	if known, ok := d.equal[key]; ok {
		return known
	}
	if visited[key] {
		return true
	}
	visited[key] = true
	if !d.sameFields(a, b, visited) {
		d.equal[key] = false
		return false
	}
	return true
}

func (d *Delta) sameFields(a, b protoreflect.MessageDescriptor, visited map[[2]protoreflect.FullName]bool) bool {
	if Special(a) != Special(b) || a.FullName() == AnyType && d.anys || a.Fields().Len() != b.Fields().Len() ||
		(a.ParentFile().Syntax() == protoreflect.Proto3) != (b.ParentFile().Syntax() == protoreflect.Proto3) {
		return false
	}
	for i := range a.Fields().Len() {
		f := a.Fields().Get(i)
		g := b.Fields().ByNumber(f.Number())
		if g == nil || !Alike(f, g) || !sameEnum(f.Enum(), g.Enum()) {
			return false
		}
		if f.Message() != nil && !d.walk(f.Message(), g.Message(), visited) {
			return false
		}
	}
	return true
}

// Alike says that two fields are the same, but for what their messages and enums hold.
func Alike(f, g protoreflect.FieldDescriptor) bool {
	if f.Name() != g.Name() || f.JSONName() != g.JSONName() || f.Number() != g.Number() || f.Kind() != g.Kind() ||
		f.Cardinality() != g.Cardinality() || f.IsPacked() != g.IsPacked() || f.HasPresence() != g.HasPresence() ||
		f.IsMap() != g.IsMap() || (f.Message() == nil) != (g.Message() == nil) || Oneof(f) != Oneof(g) {
		return false
	}
	if f.IsMap() || f.IsList() || f.Message() != nil {
		return f.Message() == nil || Special(f.Message()) == Special(g.Message())
	}
	return f.Default().Equal(g.Default())
}

// Oneof is the name of the oneof that a field is a member of, "" if it is of none.
func Oneof(f protoreflect.FieldDescriptor) protoreflect.Name {
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

// Special is the name of a message with a JSON form of its own, "" for others.
func Special(md protoreflect.MessageDescriptor) string {
	if wirejson.IsWellKnown(md) || md.FullName() == httpBodyType {
		return string(md.FullName())
	}
	return ""
}

// Counterpart is a field of md in as, another version of the message: that of the same name, else that of the same number
// unless it has a counterpart of its own; nil if there is none.
func Counterpart(f protoreflect.FieldDescriptor, md, as protoreflect.MessageDescriptor) protoreflect.FieldDescriptor {
	if fd := as.Fields().ByName(f.Name()); fd != nil {
		return fd
	}
	fd := as.Fields().ByNumber(f.Number())
	if fd != nil && md.Fields().ByName(fd.Name()) != nil {
		return nil
	}
	return fd
}
