package pair

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// leaf is one scalar of a message as a client sees it.
type leaf struct {
	text  string // compared without regard to quotes
	shape wirejson.Kind
	any   bool // a value that the client's API cannot express: only its shape counts
	zero  bool // the default: in JSON as in proto3 an absent scalar and a zero are the same to most readers
}

// tree is a message flattened to leaves by path, in the names of one API.
type tree map[string]leaf

// view reads JSON that one API wrote with the eyes of another: fields are renamed, shapes are those that the reader expects.
type view struct {
	options wirejson.Printer
	own     bool // the JSON is read as it is, by the reader's own names
}

func (v view) name(fd protoreflect.FieldDescriptor) string {
	if v.options.OriginalNames {
		return string(fd.Name())
	}
	return fd.JSONName()
}

// message adds the fields of an object of type md, seen by a reader that takes it for type as.
func (v view) message(t tree, prefix string, value wirejson.Value, md, as protoreflect.MessageDescriptor) {
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
		if !v.own {
			fd = counterpart(g, md, as)
		}
		if fd == nil {
			t["+"+prefix+string(g.Name())] = leaf{text: compact(f.Value)}
			continue
		}
		v.field(t, prefix+string(fd.Name()), f.Value, g, fd)
	}
}

func (v view) field(t tree, path string, value wirejson.Value, g, fd protoreflect.FieldDescriptor) {
	switch {
	case fd.IsMap() && g.IsMap() && value.Kind == wirejson.Object:
		for _, e := range value.Fields {
			v.single(t, path+"{"+e.Name+"}", e.Value, g.MapValue(), fd.MapValue())
		}
	case value.Kind == wirejson.List && g.IsList():
		for i, item := range value.Items {
			at := path + "[" + strconv.Itoa(i) + "]"
			if !v.own && !fd.IsList() && len(value.Items) == 1 {
				at = path
			}
			v.single(t, at, item, g, fd)
		}
	case !v.own && fd.IsList():
		v.single(t, path+"[0]", value, g, fd)
	default:
		v.single(t, path, value, g, fd)
	}
}

func (v view) single(t tree, path string, value wirejson.Value, g, fd protoreflect.FieldDescriptor) {
	g, fd = unwrap(g), unwrap(fd)
	gm, fm := g.Message(), fd.Message()
	switch {
	case gm != nil && fm != nil && special(gm) == "" && special(fm) == "" && !g.IsMap() && !fd.IsMap():
		if value.Kind != wirejson.Object {
			t[path] = leaf{text: compact(value), shape: shapeOf(value.Kind)}
			return
		}
		if strings.HasSuffix(path, "]") || strings.HasSuffix(path, "}") || oneof(fd) != "" {
			t[path+"{}"] = leaf{shape: value.Kind} // elsewhere an empty message and none are the same to most readers
		}
		v.message(t, path+".", value, gm, fm)
		return
	case v.own:
		t.put(path, fd, leaf{text: compact(value), shape: shapeOf(value.Kind)})
	case gm != nil && fm != nil && special(gm) == special(fm) && g.IsMap() == fd.IsMap():
		t.put(path, fd, leaf{text: compact(value), shape: shapeOf(value.Kind)})
	case gm != nil || fm != nil:
		l := leaf{text: compact(value), shape: v.shape(fd)} // what the reader's API cannot express
		if fm != nil {
			l.shape = wirejson.Object
			if s := special(fm); s != "" && s != string(anyType) {
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

// Messages that need a word of their own.
const (
	anyType      = "google.protobuf.Any"
	httpBodyType = "google.api.HttpBody"
)

// special is the name of a message with a JSON form of its own, "" for others.
func special(md protoreflect.MessageDescriptor) string {
	if wirejson.IsWellKnown(md) || md.FullName() == httpBodyType {
		return string(md.FullName())
	}
	return ""
}

// put adds a leaf of a field, and marks one that equals the default.
func (t tree) put(path string, fd protoreflect.FieldDescriptor, l leaf) {
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
func (v view) shape(fd protoreflect.FieldDescriptor) wirejson.Kind {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return wirejson.Bool
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind,
		protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return wirejson.String
	case protoreflect.EnumKind:
		if !v.options.EnumsAsNumbers {
			return wirejson.String
		}
	}
	return wirejson.Uint
}

// scalar translates what a field g printed to what a reader of fd expects for the same value.
func (v view) scalar(value wirejson.Value, g, fd protoreflect.FieldDescriptor) leaf {
	l := leaf{text: compact(value), shape: v.shape(fd)}
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

// counterpart is the field of another version of a message: that of the same name, else that of the same number unless it
// has a counterpart of its own; nil if there is none.
func counterpart(g protoreflect.FieldDescriptor, md, as protoreflect.MessageDescriptor) protoreflect.FieldDescriptor {
	if fd := as.Fields().ByName(g.Name()); fd != nil {
		return fd
	}
	fd := as.Fields().ByNumber(g.Number())
	if fd != nil && md.Fields().ByName(fd.Name()) != nil {
		return nil
	}
	return fd
}

// compact is a text for any JSON value, a scalar without quotes.
func compact(v wirejson.Value) string {
	switch v.Kind {
	case wirejson.Null:
		return "null"
	case wirejson.Bool:
		return strconv.FormatBool(v.Bool)
	case wirejson.String:
		return v.Text
	case wirejson.Uint:
		return strconv.FormatUint(v.Uint, 10)
	case wirejson.Int:
		return strconv.FormatInt(v.Int, 10)
	case wirejson.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	}
	var parts []string
	for _, item := range v.Items {
		parts = append(parts, strconv.Quote(compact(item)))
	}
	for _, f := range v.Fields {
		parts = append(parts, strconv.Quote(f.Name)+":"+strconv.Quote(compact(f.Value)))
	}
	slices.Sort(parts)
	return "(" + strings.Join(parts, ",") + ")"
}

// against says what became of the data that was expected: the gravest difference, with the path and a sentence.
func (t tree) against(got tree, shapes bool) (worst transcode.Outcome, path, detail string) {
	worst = transcode.Unaffected
	note := func(o transcode.Outcome, at, text string) {
		if gravity(o) > gravity(worst) {
			worst, path, detail = o, at, text
		}
	}
	for _, at := range sortedKeys(t) {
		want, have := t[at], leaf{}
		var ok bool
		if have, ok = got[at]; !ok {
			if want.zero {
				continue
			}
			if shapes && got.near(at) {
				note(transcode.ShapeChanged, at, "another structure arrives")
			} else if at[0] != '+' {
				note(transcode.Dropped, at, "no value arrives")
			}
			continue
		}
		switch {
		case want.zero && have.zero:
		case shapes && want.shape != have.shape && at[0] != '+' && !have.zero:
			note(transcode.ShapeChanged, at, "another JSON type arrives")
		case !want.any && !have.any && want.text != have.text:
			note(transcode.ValueChanged, at, strconv.Quote(clip(have.text))+" arrives instead of "+strconv.Quote(clip(want.text)))
		case (want.any || have.any) && !shapes && want.text != have.text:
			note(transcode.ValueChanged, at, "the value arrives in another form")
		}
	}
	for _, at := range sortedKeys(got) {
		switch _, ok := t[at]; {
		case ok, got[at].zero, shapes && t.near(at):
		case shapes && got[at].text == "": // zero values are left out, so this one is no value of its field
			note(transcode.ShapeChanged, at, "another JSON type arrives")
		default:
			note(transcode.ValueChanged, at, "a value arrives that was not sent")
		}
	}
	return worst, path, detail
}

// near says that the tree has the path with or without an index, or as another structure.
func (t tree) near(at string) bool {
	for other := range t {
		if strings.HasPrefix(other, at+"[") || strings.HasPrefix(other, at+".") || strings.HasPrefix(other, at+"{") {
			return true
		}
		if rest, ok := strings.CutPrefix(at, other); ok && rest != "" && strings.ContainsAny(rest[:1], "[.{") {
			return true
		}
	}
	return false
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func sortedKeys(t tree) []string {
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
