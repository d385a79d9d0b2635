// Package sample makes the messages and requests by which the use of a field is tried.
//
// In go fields, as chains from the top of a message, and routes; out come the ways to use a field ([Of]), each as a
// serialized message or as the request that a client would send. The package refuses to say what becomes of them.
package sample

import (
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/delta"
)

// Use is one way to use a field. The zero value uses none: a message or a request without any field.
type Use struct {
	When string                           // in words: "with two elements"
	Enum protoreflect.EnumValueDescriptor // the value, if it is one of an enum that the other API lacks
	Any  protoreflect.FullName            // of the type in an Any

	chain []protoreflect.FieldDescriptor // from the top to the field
	set   func(protoreflect.Message)     // on the message that holds the field
	// What is known of the message that holds the field, once it was asked for: on the wire and in JSON.
	raw, text []byte
}

// At is the same use of the field at the end of another chain.
func (u *Use) At(chain []protoreflect.FieldDescriptor) *Use {
	return &Use{When: u.When, Enum: u.Enum, Any: u.Any, chain: chain, set: u.set}
}

// Message is a serialized message of a type with its required fields, and the use.
func (u *Use) Message(md protoreflect.MessageDescriptor) []byte {
	top := dynamicpb.NewMessage(md)
	fillRequired(top, 0)
	m := protoreflect.Message(top)
	for i, fd := range u.chain {
		if i == len(u.chain)-1 {
			u.set(m)
			break
		}
		switch {
		case fd.IsList():
			m = m.Mutable(fd).List().AppendMutable().Message()
		case fd.IsMap():
			m = m.Mutable(fd).Map().Mutable(typical(fd.MapKey(), 0).MapKey()).Message()
		default:
			m = m.Mutable(fd).Message()
		}
		fillRequired(m, 0)
	}
	raw, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(top)
	if err != nil {
		return nil
	}
	return raw
}

// Of gives the ways to use the last field of a chain. The values of an enum are those that only one side has, and one
// that none has; types are those that an Any is tried with.
func Of(chain []protoreflect.FieldDescriptor, other protoreflect.FieldDescriptor, types []protoreflect.MessageDescriptor) []*Use {
	fd := chain[len(chain)-1]
	switch md := fd.Message(); {
	case fd.IsMap():
		return mapSamples(chain, fd)
	case md != nil && md.FullName() == delta.AnyType:
		var out []*Use
		for _, t := range types {
			s := put(chain, "when it holds a "+string(t.FullName()), anyOf(md, t))
			s.Any = t.FullName()
			out = append(out, s)
		}
		return out
	}
	var out []*Use
	if fd.IsList() {
		out = append(out, put(chain, "with one element", typical(fd, 0)), put(chain, "with two elements", typical(fd, 0), typical(fd, 0)))
	} else {
		out = append(out, put(chain, Plainly, typical(fd, 0)))
		if fd.HasPresence() {
			out = append(out, put(chain, "when it is set to its default", zero(fd)))
		}
	}
	for _, v := range boundaries(fd.Kind()) {
		out = append(out, put(chain, "with the value "+shown(v), v))
	}
	return append(out, enumSamples(chain, fd, other)...)
}

// Plainly is what needs no words beside most outcomes.
const Plainly = "when it is set"

// put sets a field, or fills a list.
func put(chain []protoreflect.FieldDescriptor, when string, values ...protoreflect.Value) *Use {
	fd := chain[len(chain)-1]
	return &Use{When: when, chain: chain, set: func(m protoreflect.Message) {
		if !fd.IsList() {
			m.Set(fd, values[0])
			return
		}
		for _, v := range values {
			m.Mutable(fd).List().Append(v)
		}
	}}
}

// shown is a value as Go writes it.
func shown(v protoreflect.Value) string {
	switch v := v.Interface().(type) {
	case string:
		return strconv.Quote(v)
	case []byte:
		return strconv.Quote(string(v))
	default:
		return fmt.Sprint(v)
	}
}

func mapSamples(chain []protoreflect.FieldDescriptor, fd protoreflect.FieldDescriptor) []*Use {
	entry := func(when string, key, value protoreflect.Value) *Use {
		return &Use{When: when, chain: chain, set: func(m protoreflect.Message) { m.Mutable(fd).Map().Set(key.MapKey(), value) }}
	}
	return []*Use{
		entry("with an entry", typical(fd.MapKey(), 0), typical(fd.MapValue(), 0)),
		entry("with an entry whose key and value are the defaults", zero(fd.MapKey()), zero(fd.MapValue())),
	}
}

func enumSamples(chain []protoreflect.FieldDescriptor, fd, other protoreflect.FieldDescriptor) []*Use {
	if fd.Enum() == nil {
		return nil
	}
	var out []*Use
	highest := protoreflect.EnumNumber(0)
	for i := range fd.Enum().Values().Len() {
		v := fd.Enum().Values().Get(i)
		highest = max(highest, v.Number())
		if other != nil && other.Enum() != nil {
			if same := other.Enum().Values().ByName(v.Name()); same != nil && same.Number() == v.Number() {
				continue
			}
		}
		s := put(chain, "with the value "+string(v.Name()), protoreflect.ValueOfEnum(v.Number()))
		s.Enum = v
		out = append(out, s)
	}
	if other != nil && other.Enum() != nil {
		for i := range other.Enum().Values().Len() {
			highest = max(highest, other.Enum().Values().Get(i).Number())
		}
	}
	if !fd.Enum().IsClosed() && highest < math.MaxInt32 {
		out = append(out, put(chain, "with a number that has no name", protoreflect.ValueOfEnum(highest+1)))
	}
	return out
}

// Both sets the two fields of a site at once.
func Both(s delta.Site) *Use {
	first, second := s.Both[0], s.Both[1]
	return &Use{chain: s.A, When: "when both are set", set: func(m protoreflect.Message) {
		m.Set(first, typical(first, 0))
		m.Set(second, typical(second, 0))
	}}
}

// Full is a serialized message with a value in every scalar field.
func Full(md protoreflect.MessageDescriptor) []byte {
	u := Use{chain: make([]protoreflect.FieldDescriptor, 1), set: func(m protoreflect.Message) {
		for i := range md.Fields().Len() {
			if fd := md.Fields().Get(i); fd.Message() == nil && !fd.IsList() {
				m.Set(fd, typical(fd, 0))
			}
		}
	}}
	return u.Message(md)
}
