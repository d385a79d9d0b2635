package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

type (
	fieldP = descriptorpb.FieldDescriptorProto
	msgP   = descriptorpb.DescriptorProto
)

// mutator applies random edits to the files of a set that are not google's.
type mutator struct {
	*rand.Rand
	set *descriptorpb.FileDescriptorSet
	did []string
}

// mutate gives a set that differs by some edits from raw and is still valid, and what was done.
func mutate(r *rand.Rand, raw []byte, edits int) (mutated []byte, did []string) {
	for {
		m := &mutator{Rand: r, set: &descriptorpb.FileDescriptorSet{}}
		if proto.Unmarshal(raw, m.set) != nil {
			return raw, nil
		}
		for len(m.did) < edits {
			m.edit()
		}
		mutated, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.set)
		if err != nil {
			continue
		}
		if _, err := descriptor.Decode(mutated); err == nil {
			return mutated, m.did
		}
	}
}

func (m *mutator) note(format string, args ...any) {
	m.did = append(m.did, fmt.Sprintf(format, args...))
}

func (m *mutator) file() *descriptorpb.FileDescriptorProto {
	var ours []*descriptorpb.FileDescriptorProto
	for _, f := range m.set.File {
		if !strings.HasPrefix(f.GetName(), "google/") {
			ours = append(ours, f)
		}
	}
	return ours[m.IntN(len(ours))]
}

// message is the name of a message of a file, or of those that it imports.
func (m *mutator) message(f *descriptorpb.FileDescriptorProto) string {
	var names []string
	for _, other := range m.set.File {
		if other == f || len(f.MessageType) == 0 && slices.Contains(f.Dependency, other.GetName()) {
			for _, d := range other.MessageType {
				names = append(names, "."+other.GetPackage()+"."+d.GetName())
			}
		}
	}
	return names[m.IntN(len(names))]
}

func (m *mutator) edit() {
	f := m.file()
	switch n := m.IntN(20); {
	case n < 13:
		if len(f.MessageType) > 0 {
			d := f.MessageType[m.IntN(len(f.MessageType))]
			if m.IntN(2) == 0 {
				d = f.MessageType[0] // the one that most others use
			}
			m.editMessage(f, d)
		}
	case n < 16:
		if len(f.EnumType) > 0 {
			m.editEnum(f.EnumType[m.IntN(len(f.EnumType))])
		}
	default:
		if len(f.Service) > 0 {
			m.editService(f, f.Service[m.IntN(len(f.Service))])
		}
	}
}

var scalars = []descriptorpb.FieldDescriptorProto_Type{
	descriptorpb.FieldDescriptorProto_TYPE_DOUBLE, descriptorpb.FieldDescriptorProto_TYPE_FLOAT,
	descriptorpb.FieldDescriptorProto_TYPE_INT64, descriptorpb.FieldDescriptorProto_TYPE_UINT64,
	descriptorpb.FieldDescriptorProto_TYPE_INT32, descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
	descriptorpb.FieldDescriptorProto_TYPE_FIXED32, descriptorpb.FieldDescriptorProto_TYPE_BOOL,
	descriptorpb.FieldDescriptorProto_TYPE_STRING, descriptorpb.FieldDescriptorProto_TYPE_BYTES,
	descriptorpb.FieldDescriptorProto_TYPE_UINT32, descriptorpb.FieldDescriptorProto_TYPE_SFIXED32,
	descriptorpb.FieldDescriptorProto_TYPE_SFIXED64, descriptorpb.FieldDescriptorProto_TYPE_SINT32,
	descriptorpb.FieldDescriptorProto_TYPE_SINT64,
}

// retype gives a field a random type of the file.
func (m *mutator) retype(f *descriptorpb.FileDescriptorProto, field *fieldP) {
	field.TypeName, field.DefaultValue = nil, nil
	if field.Options != nil {
		field.Options.Packed = nil
	}
	switch n := m.IntN(10); {
	case n < 2 && len(f.MessageType) > 0:
		field.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
		field.TypeName = proto.String("." + f.GetPackage() + "." + f.MessageType[m.IntN(len(f.MessageType))].GetName())
	case n < 3 && len(f.EnumType) > 0:
		field.Type = descriptorpb.FieldDescriptorProto_TYPE_ENUM.Enum()
		field.TypeName = proto.String("." + f.GetPackage() + "." + f.EnumType[m.IntN(len(f.EnumType))].GetName())
	default:
		field.Type = scalars[m.IntN(len(scalars))].Enum()
	}
}

func (m *mutator) editMessage(f *descriptorpb.FileDescriptorProto, d *msgP) {
	if m.IntN(6) == 0 || len(d.Field) == 0 {
		m.addField(f, d)
		return
	}
	i := m.IntN(len(d.Field))
	field := d.Field[i]
	name := d.GetName() + "." + field.GetName()
	switch m.IntN(10) {
	case 0:
		d.Field = slices.Delete(d.Field, i, i+1)
		m.note("remove %s", name)
	case 1:
		field.Name, field.JsonName = proto.String(field.GetName()+"_x"), proto.String(camel(field.GetName()+"_x"))
		m.note("rename %s", name)
	case 2:
		field.Number = proto.Int32(m.number(d))
		m.note("renumber %s %d", name, field.GetNumber())
	case 3:
		field.JsonName = proto.String(field.GetName() + "Json")
		m.note("json_name %s", name)
	case 4, 5:
		if entry := entryOf(d, field); entry != nil {
			key := entry.Field[m.IntN(2)]
			m.retype(f, key)
			m.note("retype %s of %s %v %s", key.GetName(), name, key.GetType(), key.GetTypeName())
			return
		}
		m.retype(f, field)
		m.note("retype %s %v %s", name, field.GetType(), field.GetTypeName())
	case 6, 7:
		m.toggleList(d, field, name)
	case 8:
		other := d.Field[m.IntN(len(d.Field))]
		field.Number, other.Number = other.Number, field.Number
		m.note("swap numbers of %s and %s", name, other.GetName())
	case 9:
		m.intoOneof(d, field, name)
	}
}

func (m *mutator) addField(f *descriptorpb.FileDescriptorProto, d *msgP) {
	name := fmt.Sprintf("added_%d", len(d.Field))
	field := &fieldP{Name: &name, JsonName: proto.String(camel(name)), Number: proto.Int32(m.number(d)), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
	m.retype(f, field)
	if m.IntN(4) == 0 {
		field.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	}
	d.Field = append(d.Field, field)
	m.note("add %s.%s %v %s", d.GetName(), name, field.GetType(), field.GetTypeName())
}

func (m *mutator) number(d *msgP) int32 {
	n := int32(1 + m.IntN(30))
	for slices.ContainsFunc(d.Field, func(f *fieldP) bool { return f.GetNumber() == n }) {
		n++
	}
	return n
}

// entryOf gives the message of a map's entries, nil for another field.
func entryOf(d *msgP, field *fieldP) *msgP {
	for _, n := range d.NestedType {
		if n.GetOptions().GetMapEntry() && strings.HasSuffix(field.GetTypeName(), "."+n.GetName()) {
			return n
		}
	}
	return nil
}

func (m *mutator) toggleList(d *msgP, field *fieldP, name string) {
	if field.OneofIndex != nil {
		return
	}
	if field.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED {
		if entry := entryOf(d, field); entry != nil {
			entry.Options = nil
			m.note("map %s becomes a list of messages", name)
			return
		}
		field.Label = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
		if field.Options != nil {
			field.Options.Packed = nil
		}
		m.note("singular %s", name)
		return
	}
	field.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	if field.TypeName == nil && field.GetType() != descriptorpb.FieldDescriptorProto_TYPE_STRING &&
		field.GetType() != descriptorpb.FieldDescriptorProto_TYPE_BYTES && m.IntN(3) == 0 {
		field.Options = &descriptorpb.FieldOptions{Packed: proto.Bool(false)}
	}
	m.note("repeated %s", name)
}

// intoOneof makes a field the member of a oneof, of its own or of one that is there, or gives it presence.
func (m *mutator) intoOneof(d *msgP, field *fieldP, name string) {
	if field.OneofIndex != nil || field.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED {
		return
	}
	if len(d.OneofDecl) > 0 && m.IntN(2) == 0 {
		return
	}
	d.OneofDecl = append(d.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(fmt.Sprintf("_choice%d", len(d.OneofDecl)))})
	index := int32(len(d.OneofDecl) - 1)
	field.OneofIndex = &index
	if m.IntN(3) == 0 {
		field.Proto3Optional = proto.Bool(true)
		m.note("presence of %s", name)
		return
	}
	for _, other := range d.Field {
		if other.OneofIndex == nil && other.GetLabel() != descriptorpb.FieldDescriptorProto_LABEL_REPEATED && m.IntN(2) == 0 {
			other.OneofIndex = &index
		}
	}
	m.note("oneof with %s", name)
}

func (m *mutator) editEnum(e *descriptorpb.EnumDescriptorProto) {
	i := m.IntN(len(e.Value))
	v := e.Value[i]
	switch m.IntN(4) {
	case 0:
		e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(e.GetName() + "_ADDED"), Number: proto.Int32(40)})
		m.note("add value to %s", e.GetName())
	case 1:
		if i > 0 {
			e.Value = slices.Delete(e.Value, i, i+1)
			m.note("remove value %s", v.GetName())
		}
	case 2:
		m.note("rename value %s", v.GetName())
		v.Name = proto.String(v.GetName() + "_X")
	case 3:
		if i > 0 {
			v.Number = proto.Int32(41)
			m.note("renumber value %s", v.GetName())
		}
	}
}

func (m *mutator) editService(f *descriptorpb.FileDescriptorProto, s *descriptorpb.ServiceDescriptorProto) {
	if len(s.Method) == 0 {
		return
	}
	i := m.IntN(len(s.Method))
	method := s.Method[i]
	rule, _ := proto.GetExtension(method.GetOptions(), annotations.E_Http).(*annotations.HttpRule)
	switch n := m.IntN(7); {
	case n == 0:
		s.Method = slices.Delete(s.Method, i, i+1)
		m.note("remove method %s", method.GetName())
	case n == 1:
		m.note("rename method %s", method.GetName())
		method.Name = proto.String(method.GetName() + "X")
	case n == 2:
		method.ServerStreaming = proto.Bool(!method.GetServerStreaming())
		m.note("toggle server stream %s", method.GetName())
	case n == 3:
		method.OutputType = proto.String(m.message(f))
		m.note("output of %s is %s", method.GetName(), method.GetOutputType())
	case n == 4:
		method.InputType = proto.String(m.message(f))
		m.note("input of %s is %s", method.GetName(), method.GetInputType())
	case rule == nil:
	case n == 5:
		rule.AdditionalBindings = append(rule.AdditionalBindings, &annotations.HttpRule{Pattern: &annotations.HttpRule_Get{Get: "/extra/" + strings.ToLower(method.GetName())}})
		proto.SetExtension(method.Options, annotations.E_Http, rule)
		m.note("another route of %s", method.GetName())
	case n == 6:
		other := s.Method[m.IntN(len(s.Method))]
		theirs, _ := proto.GetExtension(other.GetOptions(), annotations.E_Http).(*annotations.HttpRule)
		if theirs != nil && other != method {
			proto.SetExtension(method.Options, annotations.E_Http, proto.CloneOf(theirs))
			m.note("route of %s is that of %s", method.GetName(), other.GetName())
		}
	}
}

func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if i > 0 && p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}
