package wirejson

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// ErrCrash says that Envoy's process ends: it reads the key or value of a map entry that has none.
var ErrCrash = errors.New("a map entry without key or value ends the proxy")

// Printer prints messages of the dictionary's types as JSON.
type Printer struct {
	Types          Types
	Whitespace     bool // add_whitespace
	AlwaysPrint    bool // always_print_primitive_fields
	EnumsAsNumbers bool // always_print_enums_as_ints
	OriginalNames  bool // preserve_proto_field_names
}

// Message gives the JSON of a serialized message. An error is what Envoy answers with 502; [ErrCrash] ends it.
func (p Printer) Message(md protoreflect.MessageDescriptor, raw []byte) ([]byte, error) {
	body, _, err := p.Next(md, raw)
	return body, err
}

// Next does the same, and gives what is left of raw behind a zero where a tag should be: Envoy reads that no more, and in a
// stream it is the beginning of the next frame.
func (p Printer) Next(md protoreflect.MessageDescriptor, raw []byte) (body, rest []byte, err error) {
	r := newReader(raw)
	m, err := decode(md, r, 0)
	if err != nil {
		return nil, nil, err
	}
	w := &printing{Printer: p}
	if err := w.message(m); err != nil {
		return nil, nil, err
	}
	w.line()
	return w.Bytes(), r.rest(), nil
}

type printing struct {
	Printer
	bytes.Buffer
	indent int
}

func (w *printing) line() {
	if w.Whitespace {
		w.WriteString("\n" + strings.Repeat(" ", w.indent))
	}
}

// each prints the parts of an object or list; print may say that it printed nothing.
func (w *printing) each(open, end string, n int, skip func(i int) bool, print func(i int) error) error {
	w.WriteString(open)
	w.indent++
	first := true
	for i := range n {
		if skip != nil && skip(i) {
			continue
		}
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.line()
		if err := print(i); err != nil {
			return err
		}
	}
	w.indent--
	if !first {
		w.line()
	}
	w.WriteString(end)
	return nil
}

func (w *printing) colon() {
	w.WriteByte(':')
	if w.Whitespace {
		w.WriteByte(' ')
	}
}

func (w *printing) message(m *record) error {
	switch m.md.FullName() {
	case anyName:
		return w.any(m)
	case structName:
		return w.well(m, 1, w.entries)
	case listName:
		return w.well(m, 1, w.list)
	case valueName:
		return w.value(m)
	case timestampName, durationName:
		return w.time(m)
	case maskName:
		return w.mask(m)
	}
	if IsWrapper(m.md) {
		if fd := m.md.Fields().ByNumber(1); fd != nil && len(m.values[1]) == 0 {
			return w.absent(fd)
		}
		return w.well(m, 1, w.first)
	}
	fields := w.fields(m)
	return w.each("{", "}", len(fields), nil, func(i int) error { return w.field(m, fields[i]) })
}

// well prints a field of a well-known type by its number.
func (w *printing) well(m *record, n protoreflect.FieldNumber, print func(*record, protoreflect.FieldDescriptor) error) error {
	fd := m.md.Fields().ByNumber(n)
	if fd == nil {
		return fmt.Errorf("%s lacks field %d", m.md.FullName(), n)
	}
	return print(m, fd)
}

func (w *printing) first(m *record, fd protoreflect.FieldDescriptor) error {
	return w.single(fd, m.values[fd.Number()][0])
}

// fields are those that are printed, by number.
func (w *printing) fields(m *record) []protoreflect.FieldDescriptor {
	var out []protoreflect.FieldDescriptor
	for i := range m.md.Fields().Len() {
		fd := m.md.Fields().Get(i)
		values := m.values[fd.Number()]
		if len(values) == 0 && (!w.AlwaysPrint || fd.HasPresence()) || fd.Cardinality() != protoreflect.Repeated && emptyValue(values) {
			continue
		}
		out = append(out, fd)
	}
	slices.SortFunc(out, func(a, b protoreflect.FieldDescriptor) int { return int(a.Number() - b.Number()) })
	return out
}

// emptyValue says that the values are one google.protobuf.Value without content, which is not printed.
func emptyValue(values []any) bool {
	if len(values) != 1 {
		return false
	}
	m, ok := values[0].(*record)
	return ok && m.md.FullName() == valueName && len(m.values) == 0
}

func (w *printing) field(m *record, fd protoreflect.FieldDescriptor) error {
	name := fd.JSONName()
	if w.OriginalNames {
		name = string(fd.Name())
	}
	w.quote([]byte(name))
	w.colon()
	switch {
	case fd.IsMap():
		return w.entries(m, fd)
	case fd.IsList():
		return w.list(m, fd)
	case len(m.values[fd.Number()]) == 0:
		return w.absent(fd)
	}
	return w.first(m, fd)
}

func (w *printing) list(m *record, fd protoreflect.FieldDescriptor) error {
	values := m.values[fd.Number()]
	empty := func(i int) bool { return emptyValue(values[i : i+1]) }
	return w.each("[", "]", len(values), empty, func(i int) error { return w.single(fd, values[i]) })
}

func (w *printing) entries(m *record, fd protoreflect.FieldDescriptor) error {
	values := m.values[fd.Number()]
	crash := slices.ContainsFunc(values, func(v any) bool {
		entry, ok := v.(*record)
		return ok && (len(entry.values[1]) == 0 || len(entry.values[2]) == 0)
	})
	if crash {
		return ErrCrash
	}
	empty := func(i int) bool {
		entry, ok := values[i].(*record)
		return ok && emptyValue(entry.values[2])
	}
	return w.each("{", "}", len(values), empty, func(i int) error {
		entry, ok := values[i].(*record)
		if !ok || !fd.IsMap() {
			return fmt.Errorf("%s is not a map", fd.FullName())
		}
		if err := w.key(fd.MapKey(), entry.values[1][0]); err != nil {
			return err
		}
		w.colon()
		return w.single(fd.MapValue(), entry.values[2][0])
	})
}

func (w *printing) key(fd protoreflect.FieldDescriptor, v any) error {
	from := w.Len()
	if err := w.single(fd, v); err != nil {
		return err
	}
	if w.Bytes()[from] != '"' {
		text := slices.Clone(w.Bytes()[from:])
		w.Truncate(from)
		w.quote(text)
	}
	return nil
}

func (w *printing) single(fd protoreflect.FieldDescriptor, v any) error {
	switch v := v.(type) {
	case *record:
		return w.message(v)
	case []byte:
		if fd.Kind() == protoreflect.BytesKind {
			w.WriteString(`"` + base64.StdEncoding.EncodeToString(v) + `"`)
		} else {
			w.quote(v)
		}
	case uint64:
		w.number(fd, v)
	}
	return nil
}

// absent prints the default of a field.
func (w *printing) absent(fd protoreflect.FieldDescriptor) error {
	d := fd.Default()
	switch fd.Kind() {
	case protoreflect.StringKind:
		w.quote([]byte(d.String()))
	case protoreflect.BytesKind:
		w.WriteString(`"` + base64.StdEncoding.EncodeToString(d.Bytes()) + `"`)
	case protoreflect.BoolKind:
		w.WriteString(strconv.FormatBool(d.Bool()))
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		w.float(d.Float(), 64)
	case protoreflect.EnumKind:
		w.number(fd, uint64(int64(d.Enum())))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		w.WriteString(`"` + d.String() + `"`)
	default:
		w.WriteString(d.String())
	}
	return nil
}

func (w *printing) number(fd protoreflect.FieldDescriptor, v uint64) {
	switch k := fd.Kind(); k {
	case protoreflect.BoolKind:
		w.WriteString(strconv.FormatBool(v != 0))
	case protoreflect.FloatKind:
		w.float(float64(math.Float32frombits(uint32(v))), 32)
	case protoreflect.DoubleKind:
		w.float(math.Float64frombits(v), 64)
	case protoreflect.EnumKind:
		n := protoreflect.EnumNumber(int32(v))
		value := fd.Enum().Values().ByNumber(n)
		switch {
		case isNullEnum(fd):
			w.WriteString("null")
		case value != nil && !w.EnumsAsNumbers:
			w.quote([]byte(value.Name()))
		default:
			w.WriteString(strconv.Itoa(int(n)))
		}
	default:
		signed, unsigned, negative := whole(k, v)
		text := strconv.FormatUint(unsigned, 10)
		if negative {
			text = strconv.FormatInt(signed, 10)
		}
		if size(k) == 64 {
			text = `"` + text + `"`
		}
		w.WriteString(text)
	}
}

// float prints as C's %g does: as few digits as give the value back, tried with 15 and 17, or 6 and 9.
func (w *printing) float(f float64, size int) {
	switch {
	case math.IsNaN(f):
		w.WriteString(`"NaN"`)
		return
	case math.IsInf(f, 1):
		w.WriteString(`"Infinity"`)
		return
	case math.IsInf(f, -1):
		w.WriteString(`"-Infinity"`)
		return
	}
	few, many := 15, 17
	if size == 32 {
		few, many = 6, 9
		if f != 0 && math.Abs(f) < 0x1p-126 {
			few = many // the C library reports a range error for the short form
		}
	}
	text := strconv.FormatFloat(f, 'g', few, 64)
	if back, err := strconv.ParseFloat(text, size); err != nil || back != f {
		text = strconv.FormatFloat(f, 'g', many, 64)
	}
	w.WriteString(text)
}

// quote prints a string. Besides what JSON asks for, protobuf escapes < and > and invisible characters;
// what is no UTF-8 becomes spaces.
func (w *printing) quote(s []byte) {
	w.WriteByte('"')
	for len(s) > 0 {
		r, n, ok := scalar(s)
		switch {
		case !ok:
			w.WriteByte(' ')
		case r == '"' || r == '\\':
			w.WriteByte('\\')
			w.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			w.WriteByte('\\')
			w.WriteByte("bfnrt"[strings.IndexRune("\b\f\n\r\t", r)])
		case mustEscape(r) && r > 0xffff:
			fmt.Fprintf(w, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		case mustEscape(r):
			fmt.Fprintf(w, `\u%04x`, r)
		default:
			w.Write(s[:n])
		}
		s = s[n:]
	}
	w.WriteByte('"')
}

// scalar reads one character as protobuf's writer of JSON does: overlong forms and surrogates pass, and the byte that
// breaks a sequence is swallowed with it.
func scalar(s []byte) (r rune, n int, ok bool) {
	lead := bits.LeadingZeros8(^s[0])
	if lead == 0 {
		return rune(s[0]), 1, true
	}
	if lead == 1 || lead > 4 {
		return 0, 1, false
	}
	r = rune(s[0] & (1<<(7-lead) - 1))
	for n = 1; n < lead; n++ {
		if n == len(s) {
			return 0, n, false
		}
		if s[n]&0xc0 != 0x80 {
			return 0, n + 1, false
		}
		r = r<<6 | rune(s[n]&0x3f)
	}
	return r, n, r <= utf8.MaxRune
}

func mustEscape(r rune) bool {
	for _, span := range [][2]rune{{0, 0x1f}, {'<', '<'}, {'>', '>'}, {0x7f, 0x9f}, {0xad, 0xad}, {0x600, 0x603}, {0x6dd, 0x6dd},
		{0x70f, 0x70f}, {0x17b4, 0x17b5}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2064}, {0x206a, 0x206f},
		{0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f}} {
		if r >= span[0] && r <= span[1] {
			return true
		}
	}
	return false
}
