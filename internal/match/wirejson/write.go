package wirejson

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Types finds the messages that an Any may hold, by full name.
type Types interface {
	FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error)
}

// Writer writes JSON as messages of the dictionary's types. Unknown keys are dropped without a word, as Envoy does.
type Writer struct {
	Types     Types
	FoldEnums bool // case_insensitive_enum_parsing
}

// Message gives the wire form of a JSON value for a message type. The error is what Envoy answers with 400.
func (w Writer) Message(md protoreflect.MessageDescriptor, v Value) ([]byte, error) {
	e := &element{md: md}
	switch {
	case v.Kind == Object:
		if err := w.content(e, v); err != nil {
			return nil, err
		}
	case v.Kind == List && (md.FullName() == valueName || md.FullName() == listName):
		if err := w.rendered(e, v); err != nil {
			return nil, err
		}
	case v.Kind != List && isRendered(md):
		if err := w.rendered(e, v); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("the root is not an object")
	}
	return e.close()
}

// element is one message that is being written.
type element struct {
	md   protoreflect.MessageDescriptor
	in   protoreflect.FieldDescriptor // that it is the value of; nil for the root and for what an Any holds
	out  []byte
	seen map[protoreflect.FieldNumber]bool // required fields
	one  map[int]bool                      // oneofs that are taken, by index
}

func (e *element) close() ([]byte, error) {
	required := e.md.RequiredNumbers()
	for i := range required.Len() {
		if !e.seen[required.Get(i)] {
			return nil, fmt.Errorf("required field %s is missing", e.md.Fields().ByNumber(required.Get(i)).Name())
		}
	}
	return e.out, nil
}

// begin marks a field as written: a second member of a oneof is refused.
func (e *element) begin(fd protoreflect.FieldDescriptor) error {
	if o := fd.ContainingOneof(); o != nil {
		if e.one == nil {
			e.one = map[int]bool{}
		}
		if e.one[o.Index()] {
			return fmt.Errorf("oneof %s is already set", o.Name())
		}
		e.one[o.Index()] = true
	}
	if fd.Cardinality() == protoreflect.Required {
		if e.seen == nil {
			e.seen = map[protoreflect.FieldNumber]bool{}
		}
		e.seen[fd.Number()] = true
	}
	return nil
}

// FieldByName finds a field by its JSON name or its original name, the JSON name first; nil if there is none.
func FieldByName(md protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByJSONName(name); fd != nil {
		return fd
	}
	return md.Fields().ByName(protoreflect.Name(name))
}

// content writes an object into a message that has begun.
func (w Writer) content(e *element, v Value) error {
	switch e.md.FullName() {
	case anyName:
		return w.any(e, v)
	case structName, valueName:
		return w.rendered(e, v)
	}
	return w.fields(e, v)
}

func (w Writer) fields(e *element, v Value) error {
	for _, f := range v.Fields {
		fd := FieldByName(e.md, f.Name)
		if f.Name == "" {
			// Within an element of a list no name means the list, and its number is written into the element.
			if e.in == nil || !e.in.IsList() {
				return fmt.Errorf("fields must have a name")
			}
			fd = e.in
		}
		if fd != nil {
			if err := w.field(e, fd, f.Value); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return nil
}

func (w Writer) field(e *element, fd protoreflect.FieldDescriptor, v Value) error {
	if v.Kind != List {
		return w.single(e, fd, v)
	}
	md := fd.Message()
	switch {
	case !fd.IsList() && md != nil && !fd.IsMap() && (md.FullName() == valueName || md.FullName() == listName):
		return w.nested(e, fd, func(inner *element) error { return w.rendered(inner, v) })
	case fd.IsMap():
		return fmt.Errorf("a list for a map")
	case !fd.IsList():
		return fmt.Errorf("a list for a field that is not repeated")
	}
	return w.items(e, fd, v)
}

// items flattens lists within lists, unless the element is itself a list in JSON.
func (w Writer) items(e *element, fd protoreflect.FieldDescriptor, v Value) error {
	for _, item := range v.Items {
		var err error
		if md := fd.Message(); item.Kind == List && md != nil && (md.FullName() == valueName || md.FullName() == listName) {
			err = w.nested(e, fd, func(inner *element) error { return w.rendered(inner, item) })
		} else if item.Kind == List {
			err = w.items(e, fd, item)
		} else {
			err = w.single(e, fd, item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// single writes an object or a scalar; a repeated field takes it as one more element.
func (w Writer) single(e *element, fd protoreflect.FieldDescriptor, v Value) error {
	md := fd.Message()
	if v.Kind == Object {
		switch {
		case fd.IsMap():
			return w.entries(e, fd, v)
		case md == nil:
			return fmt.Errorf("an object for a scalar")
		}
		return w.nested(e, fd, func(inner *element) error { return w.content(inner, v) })
	}
	if md != nil && !fd.IsMap() && isRendered(md) {
		if v.Kind == Null && md.FullName() != valueName {
			return nil
		}
		return w.nested(e, fd, func(inner *element) error { return w.rendered(inner, v) })
	}
	if v.Kind == Null && !isNullEnum(fd) {
		return nil
	}
	if err := e.begin(fd); err != nil {
		return err
	}
	out, err := appendScalar(e.out, fd, v, w.FoldEnums)
	if err != nil {
		return err
	}
	e.out = out
	return nil
}

// nested writes a message field. A group gets its start tag only: Envoy forgets the end, and the server cannot parse it.
func (w Writer) nested(e *element, fd protoreflect.FieldDescriptor, fill func(*element) error) error {
	if err := e.begin(fd); err != nil {
		return err
	}
	inner := &element{md: fd.Message(), in: fd}
	if err := fill(inner); err != nil {
		return err
	}
	raw, err := inner.close()
	if err != nil {
		return err
	}
	if fd.Kind() == protoreflect.GroupKind {
		e.out = append(protowire.AppendTag(e.out, fd.Number(), protowire.StartGroupType), raw...)
		return nil
	}
	e.out = protowire.AppendBytes(protowire.AppendTag(e.out, fd.Number(), protowire.BytesType), raw)
	return nil
}

func (w Writer) entries(e *element, fd protoreflect.FieldDescriptor, v Value) error {
	seen := map[string]bool{}
	for _, f := range v.Fields {
		if seen[f.Name] {
			return fmt.Errorf("map key %q is repeated", f.Name)
		}
		seen[f.Name] = true
		err := w.nested(e, fd, func(entry *element) error {
			key, err := appendScalar(entry.out, fd.MapKey(), Value{Kind: String, Text: f.Name}, false)
			if err != nil {
				return err
			}
			entry.out = key
			return w.entryValue(entry, fd.MapValue(), f.Value)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w Writer) entryValue(entry *element, fd protoreflect.FieldDescriptor, v Value) error {
	md := fd.Message()
	switch {
	case v.Kind == List && (md == nil || md.FullName() != valueName && md.FullName() != listName):
		return fmt.Errorf("a list for the value of a map")
	case v.Kind == List, md != nil && v.Kind != Object && isRendered(md):
		return w.nested(entry, fd, func(inner *element) error { return w.rendered(inner, v) })
	case v.Kind == Object && md == nil:
		// Envoy writes a tag and nothing behind it.
		entry.out = protowire.AppendTag(entry.out, fd.Number(), wireType(fd.Kind()))
		return w.fields(entry, v)
	}
	return w.single(entry, fd, v)
}

// any writes an Any. What stands before "@type" is read once the type is known.
func (w Writer) any(e *element, v Value) error {
	url, found := "", false
	rest := Value{Kind: Object}
	for _, f := range v.Fields {
		switch {
		case f.Name == "@type" && !found && f.Value.Kind != Object && f.Value.Kind != List:
			if f.Value.Kind != String {
				return fmt.Errorf("@type is not a string")
			}
			url, found = f.Value.Text, true
		default:
			rest.Fields = append(rest.Fields, f)
		}
	}
	if !found {
		if len(rest.Fields) > 0 {
			return fmt.Errorf("an Any without @type")
		}
		return nil
	}
	md, err := resolve(w.Types, url)
	if err != nil {
		return err
	}
	inner := &element{md: md}
	if err := w.anyContent(inner, rest); err != nil {
		return err
	}
	raw, err := inner.close()
	if err != nil {
		return err
	}
	e.out = protowire.AppendString(protowire.AppendTag(e.out, 1, protowire.BytesType), url)
	if len(raw) > 0 {
		e.out = protowire.AppendBytes(protowire.AppendTag(e.out, 2, protowire.BytesType), raw)
	}
	return nil
}

func (w Writer) anyContent(inner *element, rest Value) error {
	name := inner.md.FullName()
	if name != anyName && name != structName && !isRendered(inner.md) {
		return w.fields(inner, rest)
	}
	for _, f := range rest.Fields {
		if f.Name != "value" {
			return fmt.Errorf("an Any of a well-known type takes only a value")
		}
		var err error
		if f.Value.Kind == Object {
			err = w.content(inner, f.Value)
		} else {
			err = w.rendered(inner, f.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const typePrefix = "type.googleapis.com/"

// resolve finds the type of an Any. Envoy knows one host only.
func resolve(types Types, url string) (protoreflect.MessageDescriptor, error) {
	name, ok := strings.CutPrefix(url, typePrefix)
	if !ok || types == nil {
		return nil, fmt.Errorf("type URL %q does not begin with %s", url, typePrefix)
	}
	d, err := types.FindDescriptorByName(protoreflect.FullName(name))
	if md, ok := d.(protoreflect.MessageDescriptor); ok && err == nil {
		return md, nil
	}
	return nil, fmt.Errorf("type %q is not in the descriptor set", name)
}

func wireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}
