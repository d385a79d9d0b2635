package sample

import (
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/delta"
)

const maxFill = 4 // levels of required fields

func fillRequired(m protoreflect.Message, depth int) {
	required := m.Descriptor().RequiredNumbers()
	for i := range required.Len() {
		if fd := m.Descriptor().Fields().ByNumber(required.Get(i)); depth < maxFill {
			m.Set(fd, typical(fd, depth+1))
		}
	}
}

// typical is a value of a singular field, or of an element, that is not its default.
func typical(fd protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		values := fd.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(min(1, values.Len()-1)).Number())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("a")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte("b\xff"))
	case protoreflect.MessageKind, protoreflect.GroupKind:
		m := dynamicpb.NewMessage(fd.Message())
		fillRequired(m, depth)
		for i := range fd.Message().Fields().Len() {
			inner := fd.Message().Fields().Get(i)
			if inner.Message() == nil && inner.ContainingOneof() == nil && fd.Message().FullName() != delta.AnyType && !inner.IsList() {
				m.Set(inner, typical(inner, depth+1))
			}
		}
		fillSpecial(m)
		return protoreflect.ValueOfMessage(m)
	}
	return number(fd.Kind(), 7)
}

// fillSpecial gives Value, Struct, ListValue and FieldMask a content.
func fillSpecial(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	switch m.Descriptor().FullName() {
	case "google.protobuf.Value":
		if fd := fields.ByNumber(3); fd != nil && fd.Kind() == protoreflect.StringKind {
			m.Set(fd, protoreflect.ValueOfString("a"))
		}
	case "google.protobuf.Struct":
		if fd := fields.ByNumber(1); fd != nil && fd.IsMap() {
			m.Mutable(fd).Map().Set(typical(fd.MapKey(), 0).MapKey(), typical(fd.MapValue(), 0))
		}
	case "google.protobuf.ListValue", "google.protobuf.FieldMask":
		if fd := fields.ByNumber(1); fd != nil && fd.IsList() {
			m.Mutable(fd).List().Append(typical(fd, 0))
		}
	}
}

func number(k protoreflect.Kind, n int64) protoreflect.Value {
	switch k {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(n) + 0.5)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(n) + 0.5)
	}
	return protoreflect.ValueOfInt64(n)
}

func zero(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if fd.Message() != nil {
		m := dynamicpb.NewMessage(fd.Message())
		fillRequired(m, 1)
		return protoreflect.ValueOfMessage(m)
	}
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(false)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(nil)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(fd.Enum().Values().Get(0).Number())
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(0)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(0)
	}
	return number(fd.Kind(), 0)
}

func boundaries(k protoreflect.Kind) []protoreflect.Value {
	switch k {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return []protoreflect.Value{number(k, 1), number(k, math.MaxInt32), number(k, math.MinInt32)}
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return []protoreflect.Value{number(k, 1), number(k, math.MaxInt64), number(k, math.MinInt64)}
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return []protoreflect.Value{number(k, 1), number(k, math.MaxUint32)}
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return []protoreflect.Value{number(k, 1), number(k, -1)}
	case protoreflect.StringKind:
		return []protoreflect.Value{protoreflect.ValueOfString("longer \u00e9"), protoreflect.ValueOfString("\x01\x01")}
	case protoreflect.BytesKind:
		return []protoreflect.Value{protoreflect.ValueOfBytes([]byte("a"))}
	}
	return nil
}

// anyOf makes an Any that holds an empty message of a type.
func anyOf(md, t protoreflect.MessageDescriptor) protoreflect.Value {
	m := dynamicpb.NewMessage(md)
	if fd := md.Fields().ByNumber(1); fd != nil && fd.Kind() == protoreflect.StringKind {
		m.Set(fd, protoreflect.ValueOfString("type.googleapis.com/"+string(t.FullName())))
	}
	return protoreflect.ValueOfMessage(m)
}
