package transcode

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// weaving puts values of path and query into the JSON of a request, as RequestWeaver does: names are compared with the
// keys as written, and a body's scalar beats them (E6.13).
type weaving struct {
	values   []woven
	messages []*submessage
}

type woven struct {
	field protoreflect.FieldDescriptor
	value string
}

type submessage struct {
	field protoreflect.FieldDescriptor
	weaving
}

func (w *weaving) bind(path []protoreflect.FieldDescriptor, value string) {
	for _, fd := range path[:len(path)-1] {
		i := slices.IndexFunc(w.messages, func(m *submessage) bool { return m.field.Name() == fd.Name() })
		if i < 0 {
			i = len(w.messages)
			w.messages = append(w.messages, &submessage{field: fd})
		}
		w = &w.messages[i].weaving
	}
	w.values = append(w.values, woven{path[len(path)-1], value})
}

var errCollision = errors.New("a value of path or query conflicts with the body")

func (w *weaving) into(v wirejson.Value, strict bool) (wirejson.Value, error) {
	if v.Kind != wirejson.Object {
		return v, nil
	}
	var out []wirejson.Field
	for _, f := range v.Fields {
		switch f.Value.Kind {
		case wirejson.List, wirejson.Null:
		case wirejson.Object:
			i := slices.IndexFunc(w.messages, func(m *submessage) bool { return string(m.field.Name()) == f.Name })
			if i >= 0 {
				inner, err := w.messages[i].into(f.Value, strict)
				if err != nil {
					return v, err
				}
				f.Value = inner
			}
		default:
			var left []woven
			for _, b := range w.values {
				switch {
				case string(b.field.Name()) != f.Name:
					left = append(left, b)
				case b.field.Cardinality() == protoreflect.Repeated:
					out = append(out, wirejson.Field{Name: f.Name, Value: wirejson.Value{Kind: wirejson.String, Text: b.value}})
				case strict && !sameText(f.Value, b.value):
					return v, errCollision
				}
			}
			w.values = left
		}
		out = append(out, f)
	}
	v.Fields = append(out, w.rest()...)
	return v, nil
}

func (w *weaving) rest() []wirejson.Field {
	var out []wirejson.Field
	for _, b := range w.values {
		out = append(out, wirejson.Field{Name: string(b.field.Name()), Value: wirejson.Value{Kind: wirejson.String, Text: b.value}})
	}
	for _, m := range w.messages {
		if inner := m.rest(); len(inner) > 0 {
			out = append(out, wirejson.Field{Name: string(m.field.Name()), Value: wirejson.Value{Kind: wirejson.Object, Fields: inner}})
		}
	}
	w.values, w.messages = nil, nil
	return out
}

func sameText(v wirejson.Value, text string) bool {
	parsed, err := wirejson.Parse([]byte(text))
	switch v.Kind {
	case wirejson.String:
		return v.Text == text
	case wirejson.Bool:
		return err == nil && parsed.Kind == wirejson.Bool && parsed.Bool == v.Bool
	}
	return err == nil && parsed.Kind == v.Kind && parsed.Uint == v.Uint && parsed.Int == v.Int && parsed.Double == v.Double
}

// prefixed puts a body below the field that the rule's body names.
func prefixed(v wirejson.Value, body string) wirejson.Value {
	if body == "" || body == "*" {
		return v
	}
	names := strings.FieldsFunc(body, func(r rune) bool { return r == '.' })
	for _, name := range slices.Backward(names) {
		v = wirejson.Value{Kind: wirejson.Object, Fields: []wirejson.Field{{Name: name, Value: v}}}
	}
	return v
}

// rawEnvelope wraps a request's body into the HttpBody at a field path (HttpBodyUtils::appendHttpBodyEnvelope). Captured
// query parameters go into its extensions.
func rawEnvelope(path []protoreflect.FieldDescriptor, contentType string, body []byte, captured []bound) []byte {
	var out []byte
	if contentType != "" {
		out = protowire.AppendString(protowire.AppendTag(out, 1, protowire.BytesType), contentType)
	}
	if len(body) > 0 {
		out = protowire.AppendBytes(protowire.AppendTag(out, 2, protowire.BytesType), body)
	}
	if len(captured) > 0 {
		out = protowire.AppendBytes(protowire.AppendTag(out, 3, protowire.BytesType), unknownParameters(captured))
	}
	for _, fd := range slices.Backward(path) {
		out = protowire.AppendBytes(protowire.AppendTag(nil, fd.Number(), protowire.BytesType), out)
	}
	return out
}

// unknownParameters is an Any of Envoy's UnknownQueryParams: map<string, Values> key = 1, with repeated string values = 1.
func unknownParameters(captured []bound) []byte {
	values := map[string][]byte{}
	for _, b := range captured {
		name := strings.Join(b.path, ".")
		values[name] = protowire.AppendString(protowire.AppendTag(values[name], 1, protowire.BytesType), b.value)
	}
	var params []byte
	for _, name := range slices.Sorted(maps.Keys(values)) {
		entry := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
		entry = protowire.AppendBytes(protowire.AppendTag(entry, 2, protowire.BytesType), values[name])
		params = protowire.AppendBytes(protowire.AppendTag(params, 1, protowire.BytesType), entry)
	}
	const url = "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.UnknownQueryParams"
	out := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), url)
	return protowire.AppendBytes(protowire.AppendTag(out, 2, protowire.BytesType), params)
}
