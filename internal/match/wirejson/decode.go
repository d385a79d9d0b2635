package wirejson

import (
	"fmt"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// record is a message as Envoy decodes it: by the dictionary's types alone. Unlike any other parser it refuses a field of
// another wire type, and a second value for a singular field.
type record struct {
	md     protoreflect.MessageDescriptor
	values map[protoreflect.FieldNumber][]any // uint64 for what is a number, []byte, or *record
}

const maxRecords = 100 // levels of nesting

func decode(md protoreflect.MessageDescriptor, r *reader, group protowire.Number) (*record, error) {
	m := &record{md: md, values: map[protoreflect.FieldNumber][]any{}}
	if r.depth++; r.depth > maxRecords {
		return nil, fmt.Errorf("nested deeper than %d levels", maxRecords)
	}
	defer func() { r.depth-- }()
	var unknown []protowire.Number // groups that have begun: what stands in them is passed over
	for {
		num, typ := r.tag()
		if num == 0 && typ == 0 {
			return m, nil
		}
		if typ == protowire.EndGroupType && len(unknown) == 0 {
			if num != group || group == 0 {
				return nil, fmt.Errorf("end of group %d outside it", num)
			}
			return m, nil
		}
		fd := md.Fields().ByNumber(num)
		var err error
		if len(unknown) > 0 || fd == nil {
			unknown, err = r.skip(num, typ, unknown)
		} else {
			err = m.field(fd, typ, r)
		}
		if err != nil {
			return nil, err
		}
	}
}

// skip passes over an unknown field, and gives the groups that it is in behind it.
func (r *reader) skip(num protowire.Number, typ protowire.Type, groups []protowire.Number) ([]protowire.Number, error) {
	switch typ {
	case protowire.VarintType:
		_, err := r.varint()
		return groups, err
	case protowire.Fixed32Type:
		_, err := r.take(4)
		return groups, err
	case protowire.Fixed64Type:
		_, err := r.take(8)
		return groups, err
	case protowire.BytesType:
		n, err := r.varint()
		if err == nil {
			_, err = r.take(int(int32(uint32(n))))
		}
		return groups, err
	case protowire.StartGroupType:
		return append(groups, num), nil
	case protowire.EndGroupType:
		last := len(groups) - 1
		if groups[last] != num {
			return nil, fmt.Errorf("end of group %d inside group %d", num, groups[last])
		}
		return groups[:last], nil
	}
	return nil, fmt.Errorf("unknown wire type %d", typ)
}

func (m *record) field(fd protoreflect.FieldDescriptor, typ protowire.Type, r *reader) error {
	switch typ {
	case protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type:
		return m.number(fd, typ, r)
	case protowire.StartGroupType:
		if fd.Kind() != protoreflect.GroupKind {
			return fmt.Errorf("field %d is not a group", fd.Number())
		}
		inner, err := decode(fd.Message(), r, fd.Number())
		if err != nil {
			return err
		}
		return m.insert(fd, inner)
	case protowire.BytesType:
		defer r.within(r.length())()
		return m.delimited(fd, r)
	}
	return fmt.Errorf("unknown wire type %d", typ)
}

func (m *record) number(fd protoreflect.FieldDescriptor, typ protowire.Type, r *reader) error {
	if wireType(fd.Kind()) != typ {
		return fmt.Errorf("field %d of type %s does not take wire type %d", fd.Number(), fd.Kind(), typ)
	}
	switch typ {
	case protowire.Fixed32Type:
		raw, err := r.take(4)
		if err != nil {
			return err
		}
		v, _ := protowire.ConsumeFixed32(raw)
		return m.insert(fd, uint64(v))
	case protowire.Fixed64Type:
		raw, err := r.take(8)
		if err != nil {
			return err
		}
		v, _ := protowire.ConsumeFixed64(raw)
		return m.insert(fd, v)
	}
	if fd.Kind() == protoreflect.BoolKind {
		raw, err := r.take(1)
		if err != nil {
			return err
		}
		if raw[0] > 1 {
			return fmt.Errorf("bad value for bool: %#02x", raw[0])
		}
		return m.insert(fd, uint64(raw[0]))
	}
	v, err := r.varint()
	if err != nil {
		return err
	}
	return m.insert(fd, v)
}

// delimited reads what has a length, which is the limit now.
func (m *record) delimited(fd protoreflect.FieldDescriptor, r *reader) error {
	switch fd.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind:
		raw, err := r.take(r.untilLimit())
		if err != nil {
			return err
		}
		// Only the types of proto3 files are checked; those of editions and proto2 are not.
		if fd.Kind() == protoreflect.StringKind && m.md.ParentFile().Syntax() == protoreflect.Proto3 && !utf8.Valid(raw) {
			return fmt.Errorf("proto3 strings must be UTF-8")
		}
		return m.insert(fd, raw)
	case protoreflect.MessageKind:
		inner, err := decode(fd.Message(), r, 0)
		if err != nil {
			return err
		}
		return m.insert(fd, inner)
	}
	for r.untilLimit() > 0 { // a packed list, also where the field is singular
		if fd.Kind() == protoreflect.GroupKind {
			return fmt.Errorf("field %d is a group", fd.Number())
		}
		if err := m.number(fd, wireType(fd.Kind()), r); err != nil {
			return err
		}
	}
	return nil
}

func (m *record) insert(fd protoreflect.FieldDescriptor, v any) error {
	n := fd.Number()
	if len(m.values[n]) > 0 && fd.Cardinality() != protoreflect.Repeated {
		return fmt.Errorf("repeated entries for singular field %d", n)
	}
	m.values[n] = append(m.values[n], v)
	return nil
}

// whole gives the value of a field of an integer kind as the number that it stands for.
func whole(k protoreflect.Kind, v uint64) (signed int64, unsigned uint64, negative bool) {
	switch k {
	case protoreflect.Int32Kind, protoreflect.EnumKind, protoreflect.Sfixed32Kind:
		signed = int64(int32(v))
	case protoreflect.Sint32Kind:
		signed = int64(int32(protowire.DecodeZigZag(v & math.MaxUint32)))
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		signed = int64(v)
	case protoreflect.Sint64Kind:
		signed = protowire.DecodeZigZag(v)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return 0, v & math.MaxUint32, false
	default:
		return 0, v, false
	}
	return signed, uint64(signed), true
}
