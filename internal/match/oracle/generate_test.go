package oracle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
)

// values makes random messages and requests.
type values struct {
	*rand.Rand
	types  *dynamicpb.Types
	asJSON bool // for a request
}

// message fills about two thirds of the fields, with values at the limits of their types.
func (v values) message(md protoreflect.MessageDescriptor, depth int) *dynamicpb.Message {
	m := dynamicpb.NewMessage(md)
	switch md.FullName() {
	case "google.protobuf.Timestamp":
		m.Set(md.Fields().ByNumber(1), protoreflect.ValueOfInt64(v.Int64N(2e9)))
		m.Set(md.Fields().ByNumber(2), protoreflect.ValueOfInt32(v.Int32N(2)*500_000_000))
		return m
	case "google.protobuf.Any", "google.protobuf.FieldMask":
		return m
	case "google.protobuf.Value":
		m.Set(md.Fields().ByName("string_value"), protoreflect.ValueOfString("v"))
		return m
	case "google.protobuf.Duration":
		m.Set(md.Fields().ByNumber(1), protoreflect.ValueOfInt64(v.Int64N(1e6)))
		return m
	}
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		isMessage := fd.Kind() == protoreflect.MessageKind || fd.Kind() == protoreflect.GroupKind
		skipped := v.IntN(3) == 0 || isMessage && depth > 3
		if skipped && (fd.Cardinality() != protoreflect.Required || depth > 9) {
			continue
		}
		v.set(m, fd, depth)
	}
	return m
}

func (v values) set(m *dynamicpb.Message, fd protoreflect.FieldDescriptor, depth int) {
	switch {
	case fd.IsMap():
		entries := m.Mutable(fd).Map()
		for range v.IntN(3) {
			key := v.scalar(fd.MapKey(), depth+1).MapKey()
			entries.Set(key, v.scalar(fd.MapValue(), depth+1))
		}
	case fd.IsList():
		list := m.Mutable(fd).List()
		for range v.IntN(3) {
			list.Append(v.scalar(fd, depth+1))
		}
	default:
		m.Set(fd, v.scalar(fd, depth+1))
	}
}

func pick[T any](v values, list ...T) T { return list[v.IntN(len(list))] }

func (v values) scalar(fd protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(v.IntN(2) == 0)
	case protoreflect.EnumKind:
		vs := fd.Enum().Values()
		return protoreflect.ValueOfEnum(pick(v, vs.Get(v.IntN(vs.Len())).Number(), vs.Get(v.IntN(vs.Len())).Number(), 77))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(pick[int32](v, 0, 1, 2, -1, 65, 300, math.MaxInt32, math.MinInt32))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(pick[uint32](v, 0, 1, 2, 65, 300, math.MaxUint32))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(pick[int64](v, 0, 1, 2, -1, 65, 1<<40, math.MaxInt64, math.MinInt64))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(pick[uint64](v, 0, 1, 2, 65, 1<<40, math.MaxUint64))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(pick[float32](v, 0, 1, -1.5, 3.25e10))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(pick[float64](v, 0, 1, -1.5, 1e100))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(pick(v, "", "x", "xy", "abcd", "1", "true", "hé", "abcdefgh", "\n\x01a", "a/b c"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(pick(v, nil, []byte("x"), []byte{1}, []byte("abcd"), []byte{0xff}, []byte("\x0a\x01a"), []byte{0x80, 0x01}))
	default:
		return protoreflect.ValueOfMessage(v.message(fd.Message(), depth))
	}
}

// request makes a request for a rule from the types that a client has.
func (v values) request(md protoreflect.MethodDescriptor, rule descriptor.Rule) (oracle.Request, bool) {
	v.asJSON = true
	in := v.message(md.Input(), 0)
	q := oracle.Request{Method: rule.Verb}
	target, ok := v.path(in, rule.Template)
	if !ok {
		return q, false
	}
	query := url.Values{}
	print := protojson.MarshalOptions{UseProtoNames: v.IntN(2) == 0, UseEnumNumbers: v.IntN(4) == 0, Resolver: v.types, AllowPartial: true}
	var body proto.Message
	switch rule.Body {
	case "*":
		body = in
	case "":
		v.query(in, query, "", 0)
	default:
		fd := md.Input().Fields().ByName(protoreflect.Name(rule.Body))
		if fd == nil || fd.Message() == nil || fd.IsList() || fd.IsMap() {
			return q, false
		}
		body = in.Mutable(fd).Message().Interface()
		in.Clear(fd)
		v.query(in, query, "", 0)
	}
	if body != nil {
		raw, err := print.Marshal(body)
		if err != nil {
			return q, false
		}
		q.Body = raw
		if md.IsStreamingClient() {
			q.Body = []byte("[" + string(raw) + "]")
		}
	}
	q.Target = target
	if len(query) > 0 {
		q.Target += "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
	}
	return q, true
}

// path fills in the variables of a template, from the message where it has a text for them.
func (v values) path(in *dynamicpb.Message, template string) (string, bool) {
	var b strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, tail, _ := strings.Cut(after, "}")
		if strings.Contains(name, "=") {
			return "", false
		}
		value := pick(v, "x", "7", "a%2Fb", "true", "ORDER_STATUS_PLACED")
		if fd := in.Descriptor().Fields().ByName(protoreflect.Name(name)); fd != nil {
			if text, ok := v.text(fd, in.Get(fd)); ok && fd.Cardinality() != protoreflect.Repeated && text != "" && v.IntN(8) > 0 {
				value = url.PathEscape(text)
			}
			in.Clear(fd)
		}
		b.WriteString(value)
		rest = tail
	}
}

// query writes what a query can carry: scalars, lists of them, and members of messages.
func (v values) query(m protoreflect.Message, into url.Values, prefix string, depth int) {
	m.Range(func(fd protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		name := prefix + pick(v, string(fd.Name()), fd.JSONName())
		switch {
		case fd.IsMap() || depth > 2:
		case fd.IsList():
			for i := range value.List().Len() {
				if text, ok := v.text(fd, value.List().Get(i)); ok {
					into.Add(name, text)
				}
			}
		case fd.Kind() == protoreflect.MessageKind && !strings.HasPrefix(string(fd.Message().FullName()), "google."):
			v.query(value.Message(), into, name+".", depth+1)
		default:
			if text, ok := v.text(fd, value); ok {
				into.Add(name, text)
			}
		}
		return true
	})
}

func (v values) text(fd protoreflect.FieldDescriptor, value protoreflect.Value) (string, bool) {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return "", false
	case protoreflect.EnumKind:
		if known := fd.Enum().Values().ByNumber(value.Enum()); known != nil {
			return string(known.Name()), true
		}
		return fmt.Sprint(value.Enum()), v.IntN(8) == 0 // a number that the dictionary lacks is refused in a text
	case protoreflect.BytesKind:
		return "YWI=", true
	}
	return fmt.Sprint(value.Interface()), true
}
