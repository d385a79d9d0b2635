package wirejson_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	_ "google.golang.org/protobuf/types/known/durationpb"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

const text = `syntax = "proto3";
package t;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum E { ZERO = 0; ONE = 1; }
message M {
  int32 i = 1; uint64 u = 2; double d = 3; bool b = 4; string s = 5; bytes raw = 6; E e = 7;
  M m = 8; repeated int32 list = 9; map<string, int32> map = 10; map<string, M> ms = 11; repeated M subs = 12;
  google.protobuf.Any any = 13; google.protobuf.Struct struct = 14; google.protobuf.Timestamp time = 15;
  google.protobuf.Duration wait = 16; google.protobuf.FieldMask mask = 17; google.protobuf.Int64Value boxed = 18;
  google.protobuf.Value value = 19;
  oneof which { string left = 20; string right = 21; }
  string two_words = 22;
  float f = 23;
}
`

func types(t testing.TB) (wirejson.Types, protoreflect.MessageDescriptor) {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{"t.proto": text})})}
	files, err := c.Compile(t.Context(), "t.proto")
	if err != nil {
		t.Fatal(err)
	}
	return both{files[0]}, files[0].Messages().Get(0)
}

// both finds the messages of a file, and those that are linked in.
type both struct{ file protoreflect.FileDescriptor }

func (b both) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if md := b.file.Messages().ByName(name.Name()); md != nil && md.FullName() == name {
		return md, nil
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}

// TestRoundTrip gives JSON to the writer and prints what came out.
func TestRoundTrip(t *testing.T) {
	known, md := types(t)
	for _, c := range []struct{ in, out string }{
		{`{"i":7,"u":"18446744073709551615","d":1.5,"b":true,"s":"a","raw":"_w==","e":"ONE"}`,
			`{"i":7,"u":"18446744073709551615","d":1.5,"b":true,"s":"a","raw":"/w==","e":"ONE"}`},
		// leniencies (E6.13)
		{`{i:'7',b:"yes",list:3,e:5,}`, `{"i":7,"b":true,"e":5,"list":[3]}`},
		{`{"list":[[1],null,[2,[3]]],"unknown":{"x":[1]},"s":null}`, `{"list":[1,2,3]}`},
		{`{"twoWords":"a"}`, `{"twoWords":"a"}`},
		{`{"two_words":"a"}`, `{"twoWords":"a"}`},
		{`{"map":{"a":1,"b":2},"subs":{"i":1}}`, `{"map":{"a":1,"b":2},"subs":[{"i":1}]}`},
		{`{"d":"0x10","f":1e10}`, `{"d":16,"f":1e+10}`},
		{`{"i":1.0,"d":1e300}`, `{"i":1,"d":1e+300}`},
		// forms of their own
		{`{"time":"2020-01-02T03:04:05.5+01:00","wait":"-1.5s","mask":"aB.c,d","boxed":"5"}`,
			`{"time":"2020-01-02T02:04:05.500Z","wait":"-1.500s","mask":"aB.c,d","boxed":"5"}`},
		{`{"time":{"seconds":1},"boxed":{"value":2}}`, `{"time":"1970-01-01T00:00:01Z","boxed":"2"}`},
		{`{"struct":{"a":[1,null,{"b":true}],"c":"d"},"value":null}`, `{"struct":{"a":[1,null,{"b":true}],"c":"d"},"value":null}`},
		{`{"any":{"@type":"type.googleapis.com/t.M","i":1}}`, `{"any":{"@type":"type.googleapis.com/t.M","i":1}}`},
		{`{"any":{"i":1,"@type":"type.googleapis.com/t.M"}}`, `{"any":{"@type":"type.googleapis.com/t.M","i":1}}`},
		{`{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}}`,
			`{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}}`},
		{`{"s":"<\u00e9\ud83d\ude00\n\u2028"}`, `{"s":"\u003cé😀\n\u2028"}`},
		// refusals: 400
		{`{"i":"x"}`, ""}, {`{"i":3000000000}`, ""}, {`{"i":1.5}`, ""}, {`{"b":1}`, ""}, {`{"s":1}`, ""}, {`{"raw":"*"}`, ""},
		{`{"e":"TWO"}`, ""}, {`{"e":"5"}`, ""}, {`{"i":[1]}`, ""}, {`{"i":{}}`, ""}, {`{"map":[1]}`, ""}, {`{"m":"x"}`, ""},
		{`{"left":"a","right":"b"}`, ""}, {`{"map":{"a":1,"a":2}}`, ""}, {`{"any":{"@type":"type.googleapis.com/t.No"}}`, ""},
		{`{"any":{"i":1}}`, ""}, {`{"time":"soon"}`, ""}, {`{"wait":"1"}`, ""}, {`[]`, ""}, {`{"u":-1}`, ""}, {`{"i":01}`, ""},
		{`{"subs":[{},""]}`, ""}, {`{"m":{"":1}}`, ""}, {`{`, ""}, {`{} {}`, ""}, {`{"a":}`, ""},
	} {
		v, err := wirejson.Parse([]byte(c.in))
		var raw, out []byte
		if err == nil {
			raw, err = wirejson.Writer{Types: known}.Message(md, v)
		}
		if err == nil {
			out, err = wirejson.Printer{Types: known}.Message(md, raw)
			if err != nil {
				t.Errorf("%s: not printed: %v", c.in, err)
			}
		}
		if (err != nil) != (c.out == "") || string(out) != c.out {
			t.Errorf("%s: %s (%v), want %s", c.in, out, err, c.out)
		}
	}
}

func field(num protowire.Number, typ protowire.Type, content ...byte) []byte {
	return append(protowire.AppendTag(nil, num, typ), content...)
}

// TestPrint gives the printer bytes of another schema.
func TestPrint(t *testing.T) {
	known, md := types(t)
	for _, c := range []struct {
		name string
		raw  []byte
		want string // "502", "crash" or JSON
	}{
		{"another wire type (E6.3)", field(1, protowire.Fixed32Type, 1, 0, 0, 0), "502"},
		{"a number for a string (E6.3)", field(5, protowire.VarintType, 1), "502"},
		{"one byte for a number (E6.4)", field(1, protowire.BytesType, 1, 'a'), `{"i":97}`},
		{"two bytes for a number (E6.4)", field(1, protowire.BytesType, 2, 'a', 'b'), "502"},
		{"no byte for a number (E6.4)", field(1, protowire.BytesType, 0), `{}`},
		{"two values (E6.6)", append(field(1, protowire.VarintType, 1), field(1, protowire.VarintType, 2)...), "502"},
		{"unpacked list", append(field(9, protowire.VarintType, 1), field(9, protowire.VarintType, 2)...), `{"list":[1,2]}`},
		{"bool of 2 (E6.7)", field(4, protowire.VarintType, 2), "502"},
		{"no UTF-8 (E6.7)", field(5, protowire.BytesType, 1, 0xff), "502"},
		{"int64 in int32 (F11)", field(1, protowire.VarintType, 0x80, 0x80, 0x80, 0x80, 0x10), `{"i":0}`},
		{"unknown field", field(99, protowire.VarintType, 1), `{}`},
		{"unknown group", slices.Concat(field(99, protowire.StartGroupType), field(1, protowire.VarintType, 5), field(99, protowire.EndGroupType)), `{}`},
		{"group for a scalar (E6.7)", append(field(1, protowire.StartGroupType), field(1, protowire.EndGroupType)...), "502"},
		{"message that does not parse (E6.7)", field(8, protowire.BytesType, 1, 'a'), "502"},
		{"zero tag in a message", slices.Concat(field(8, protowire.BytesType, 3, 0, 8, 5)), `{"i":5,"m":{}}`},
		{"string without a length in a message", field(8, protowire.BytesType, 1, 0x2a), `{"m":{"s":""}}`},
		{"string longer than its message", field(8, protowire.BytesType, 3, 0x2a, 9, 'a'), `{"m":{"s":"a"}}`},
		{"string longer than all", field(5, protowire.BytesType, 2, 'a'), "502"},
		{"unknown field longer than its message", field(8, protowire.BytesType, 4, 0x9a, 6, 9, 'a'), "502"},
		{"unknown group that does not end", field(8, protowire.BytesType, 2, 0x9b, 6), `{"m":{}}`},
		{"unknown group with another end", field(8, protowire.BytesType, 4, 0x9b, 6, 0xa4, 6), "502"},
		{"map entry without value (E6.12)", field(10, protowire.BytesType, 3, 10, 1, 'a'), "crash"},
		{"map entry without key (E6.12)", field(10, protowire.BytesType, 2, 16, 1), "crash"},
		{"Any of an unknown type (E6.8)", field(13, protowire.BytesType, append([]byte{28, 10, 26}, "type.googleapis.com/t.None"...)...), "502"},
		{"Any of another host (E6.8)", field(13, protowire.BytesType, append([]byte{9, 10, 7}, "x.y/t.M"...)...), "502"},
		{"timestamp out of range (E6.7)", field(15, protowire.BytesType, 7, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), "502"},
		{"unknown enum value (E4.15)", field(7, protowire.VarintType, 9), `{"e":9}`},
	} {
		out, err := wirejson.Printer{Types: known}.Message(md, c.raw)
		got := string(out)
		switch {
		case errors.Is(err, wirejson.ErrCrash):
			got = "crash"
		case err != nil:
			got = "502"
		}
		if got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// TestNext gives what Envoy leaves of a message behind a zero tag.
func TestNext(t *testing.T) {
	known, md := types(t)
	raw := slices.Concat(field(1, protowire.VarintType, 5), []byte{0, 1, 2})
	body, rest, err := wirejson.Printer{Types: known}.Next(md, raw)
	if string(body) != `{"i":5}` || !slices.Equal(rest, []byte{1, 2}) || err != nil {
		t.Errorf("%s, rest %x, %v", body, rest, err)
	}
}

// TestWriteEmptyName writes a key without a name: within an element of a list it is the list (E6.13).
func TestWriteEmptyName(t *testing.T) {
	known, md := types(t)
	for in, want := range map[string][]byte{
		`{"subs":[{"":{"i":5}}]}`:       field(12, protowire.BytesType, slices.Concat([]byte{4}, field(12, protowire.BytesType, 2, 8, 5))...),
		`{"m":{"":{"i":5}}}`:            nil,
		`{"":{"i":5}}`:                  nil,
		`{"ms":{"a":{"":{}}}}`:          nil,
		`{"subs":[{"":5}]}`:             nil,
		`{"subs":[{"none":{"":{}}}]}`:   field(12, protowire.BytesType, 0),
		`{"subs":[{"":null}],"i":null}`: field(12, protowire.BytesType, 0),
	} {
		v, err := wirejson.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := wirejson.Writer{Types: known}.Message(md, v)
		if (err != nil) != (want == nil) || !slices.Equal(raw, want) {
			t.Errorf("%s: %x (%v), want %x", in, raw, err, want)
		}
	}
}

func TestPrintOptions(t *testing.T) {
	known, md := types(t)
	raw := append(field(7, protowire.VarintType, 1), field(22, protowire.BytesType, 1, 'a')...)
	for _, c := range []struct {
		printer wirejson.Printer
		want    string
	}{
		{wirejson.Printer{EnumsAsNumbers: true, OriginalNames: true}, `{"e":1,"two_words":"a"}`},
		{wirejson.Printer{Whitespace: true}, "{\n \"e\": \"ONE\",\n \"twoWords\": \"a\"\n}\n"},
		{wirejson.Printer{AlwaysPrint: true}, `{"i":0,"u":"0","d":0,"b":false,"s":"","raw":"","e":"ONE","list":[],"map":{},"ms":{},"subs":[],"twoWords":"a","f":0}`},
	} {
		c.printer.Types = known
		out, err := c.printer.Message(md, raw)
		if err != nil || string(out) != c.want {
			t.Errorf("%+v: %s (%v), want %s", c.printer, out, err, c.want)
		}
	}
}

// FuzzBoth reads any bytes as JSON and as a message: nothing panics, and what is printed is JSON.
func FuzzBoth(f *testing.F) {
	known, md := types(f)
	f.Add([]byte(`{"i":1,"m":{"list":[1]},"any":{"@type":"type.googleapis.com/t.M"}}`))
	f.Add(field(8, protowire.BytesType, 2, 8, 1))
	f.Fuzz(func(t *testing.T, in []byte) {
		if v, err := wirejson.Parse(in); err == nil {
			if raw, err := (wirejson.Writer{Types: known, FoldEnums: true}).Message(md, v); err == nil {
				in = raw
			}
		}
		out, err := wirejson.Printer{Types: known}.Message(md, in)
		if err != nil {
			return
		}
		if _, err := wirejson.Parse(out); err != nil {
			t.Errorf("%x prints %s, which is no JSON: %v", in, out, err)
		}
	})
}
