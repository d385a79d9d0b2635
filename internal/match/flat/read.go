package flat

import (
	"encoding/base64"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// View reads JSON that one API wrote with the eyes of another: fields are renamed, shapes are those that the reader expects.
type View struct {
	Options wirejson.Printer
	Own     bool // the JSON is read as it is, by the reader's own names
}

func (v View) name(fd protoreflect.FieldDescriptor) string {
	if v.Options.OriginalNames {
		return string(fd.Name())
	}
	return fd.JSONName()
}

// Raw adds a message that a handler was given, at a prefix, with its fields named as in as. What its types do not know it
// does not see.
func (v View) Raw(t Tree, prefix string, raw []byte, md, as protoreflect.MessageDescriptor) {
	m := dynamicpb.NewMessage(md)
	if err := (proto.UnmarshalOptions{DiscardUnknown: true, AllowPartial: true}).Unmarshal(raw, m); err != nil {
		return
	}
	raw, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		return
	}
	text, err := v.Options.Message(md, raw)
	if err != nil { // an Any that cannot be read as JSON, a timestamp out of range
		t[prefix+"$"] = leaf{text: string(raw)}
		return
	}
	if value, err := wirejson.Parse(text); err == nil {
		v.Read(t, prefix, value, md, as)
	}
}

// Body adds a body of JSON; what is none is one leaf.
func (v View) Body(t Tree, body []byte, md, as protoreflect.MessageDescriptor, stream bool) {
	value, err := wirejson.Parse(body)
	switch {
	case err != nil:
		t["$"] = leaf{text: string(body)}
	case stream && value.Kind == wirejson.List:
		for i, item := range value.Items {
			v.Read(t, strconv.Itoa(i)+":", item, md, as)
		}
	default:
		v.Read(t, "", value, md, as)
	}
}

// Read adds a JSON value of type md at a prefix, for a reader that takes it for type as.
func (v View) Read(t Tree, prefix string, value wirejson.Value, md, as protoreflect.MessageDescriptor) {
	if delta.Special(md) != "" || delta.Special(as) != "" || value.Kind != wirejson.Object {
		t[prefix+"$"] = leaf{text: Compact(value), shape: shapeOf(value.Kind), any: delta.Special(md) != delta.Special(as)}
		return
	}
	v.message(t, prefix, value, md, as)
}

// message adds the fields of an object of type md, seen by a reader that takes it for type as.
func (v View) message(t Tree, prefix string, value wirejson.Value, md, as protoreflect.MessageDescriptor) {
	for _, f := range value.Fields {
		var g protoreflect.FieldDescriptor
		for i := range md.Fields().Len() {
			if v.name(md.Fields().Get(i)) == f.Name {
				g = md.Fields().Get(i)
			}
		}
		if g == nil {
			continue
		}
		fd := g
		if !v.Own {
			fd = delta.Counterpart(g, md, as)
		}
		if fd == nil {
			t["+"+prefix+string(g.Name())] = leaf{text: Compact(f.Value)}
			continue
		}
		v.field(t, prefix+string(fd.Name()), f.Value, g, fd)
	}
}

func (v View) field(t Tree, path string, value wirejson.Value, g, fd protoreflect.FieldDescriptor) {
	switch {
	case fd.IsMap() && g.IsMap() && value.Kind == wirejson.Object:
		for _, e := range value.Fields {
			v.single(t, path+"{"+e.Name+"}", e.Value, g.MapValue(), fd.MapValue())
		}
	case value.Kind == wirejson.List && g.IsList():
		for i, item := range value.Items {
			at := path + "[" + strconv.Itoa(i) + "]"
			if !v.Own && !fd.IsList() && len(value.Items) == 1 {
				at = path
			}
			v.single(t, at, item, g, fd)
		}
	case !v.Own && fd.IsList():
		v.single(t, path+"[0]", value, g, fd)
	default:
		v.single(t, path, value, g, fd)
	}
}

func (v View) single(t Tree, path string, value wirejson.Value, g, fd protoreflect.FieldDescriptor) {
	g, fd = unwrap(g), unwrap(fd)
	gm, fm := g.Message(), fd.Message()
	switch {
	case gm != nil && fm != nil && delta.Special(gm) == "" && delta.Special(fm) == "" && !g.IsMap() && !fd.IsMap():
		if value.Kind != wirejson.Object {
			t[path] = leaf{text: Compact(value), shape: shapeOf(value.Kind)}
			return
		}
		if strings.HasSuffix(path, "]") || strings.HasSuffix(path, "}") || delta.Oneof(fd) != "" {
			t[path+"{}"] = leaf{shape: value.Kind} // elsewhere an empty message and none are the same to most readers
		}
		v.message(t, path+".", value, gm, fm)
		return
	case v.Own:
		t.put(path, fd, leaf{text: Compact(value), shape: shapeOf(value.Kind)})
	case gm != nil && fm != nil && delta.Special(gm) == delta.Special(fm) && g.IsMap() == fd.IsMap():
		t.put(path, fd, leaf{text: Compact(value), shape: shapeOf(value.Kind)})
	case gm != nil || fm != nil:
		l := leaf{text: Compact(value), shape: v.shape(fd)} // what the reader's API cannot express
		if fm != nil {
			l.shape = wirejson.Object
			if s := delta.Special(fm); s != "" && s != delta.AnyType {
				l.shape = wirejson.String
			}
		}
		t[path] = l
	default:
		t.put(path, fd, v.scalar(value, g, fd))
	}
}

// unwrap takes a wrapper for the scalar that it is in JSON.
func unwrap(fd protoreflect.FieldDescriptor) protoreflect.FieldDescriptor {
	if md := fd.Message(); md != nil && wirejson.IsWrapper(md) && md.Fields().ByNumber(1) != nil {
		return md.Fields().ByNumber(1)
	}
	return fd
}

// put adds a leaf of a field, and marks one that equals the default.
func (t Tree) put(path string, fd protoreflect.FieldDescriptor, l leaf) {
	zero := l.text == "0" || l.text == "false" || l.text == ""
	if e := fd.Enum(); e != nil && e.Values().ByNumber(0) != nil {
		zero = zero || l.text == string(e.Values().ByNumber(0).Name())
	}
	l.zero = zero && fd.Message() == nil && !strings.HasSuffix(path, "]") && !strings.HasSuffix(path, "}")
	t[path] = l
}

func shapeOf(k wirejson.Kind) wirejson.Kind {
	if k == wirejson.Int || k == wirejson.Double {
		return wirejson.Uint
	}
	return k
}

// shape is the JSON kind that a reader expects of a scalar field.
func (v View) shape(fd protoreflect.FieldDescriptor) wirejson.Kind {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return wirejson.Bool
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind,
		protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return wirejson.String
	case protoreflect.EnumKind:
		if !v.Options.EnumsAsNumbers {
			return wirejson.String
		}
	}
	return wirejson.Uint
}

// scalar translates what a field g printed to what a reader of fd expects for the same value.
func (v View) scalar(value wirejson.Value, g, fd protoreflect.FieldDescriptor) leaf {
	l := leaf{text: Compact(value), shape: v.shape(fd)}
	ge, fe := g.Enum(), fd.Enum()
	switch {
	case ge != nil && fe != nil:
		if shapeOf(value.Kind) == wirejson.Uint {
			l.shape = wirejson.Uint // a number that the API itself has no name for
		}
		if from := ge.Values().ByName(protoreflect.Name(l.text)); from != nil && fe.Values().ByName(from.Name()) == nil {
			if to := fe.Values().ByNumber(from.Number()); to != nil {
				l.text = string(to.Name())
			}
		}
		if known := fe.Values().ByName(protoreflect.Name(l.text)); known != nil { // of several names the first is printed
			l.text = string(fe.Values().ByNumber(known.Number()).Name())
		}
	case ge != nil:
		if from := ge.Values().ByName(protoreflect.Name(l.text)); from != nil {
			l.text = strconv.Itoa(int(from.Number()))
		}
	case fe != nil:
		if n, err := strconv.Atoi(l.text); err == nil && fe.Values().ByNumber(protoreflect.EnumNumber(n)) != nil {
			l.text = string(fe.Values().ByNumber(protoreflect.EnumNumber(n)).Name())
		}
	case fd.Kind() == protoreflect.BoolKind && (l.text == "0" || l.text == "1"):
		l.text = strconv.FormatBool(l.text == "1")
	case g.Kind() == protoreflect.BoolKind && fd.Kind() != protoreflect.BoolKind:
		l.text = map[string]string{"true": "1", "false": "0"}[l.text]
	case fd.Kind() == protoreflect.BytesKind && g.Kind() == protoreflect.StringKind:
		l.text = base64.StdEncoding.EncodeToString([]byte(l.text))
	case g.Kind() == protoreflect.BytesKind && fd.Kind() == protoreflect.StringKind:
		if raw, err := base64.StdEncoding.DecodeString(l.text); err == nil {
			l.text = string(raw)
		}
	}
	return l
}
