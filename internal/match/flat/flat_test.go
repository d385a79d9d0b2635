package flat_test

import (
	"io/fs"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/flat"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

func message(t *testing.T, fields string) (protoreflect.MessageDescriptor, wirejson.Printer) {
	t.Helper()
	text := `syntax = "proto3"; package p; message N { int32 x = 1; } enum E { NONE = 0; RED = 1; } message M { ` + fields + " }"
	raw, err := descriptor.Compile(t.Context(), []string{"p.proto"}, func(name string) ([]byte, error) {
		if name != "p.proto" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Types().FindDescriptorByName("p.M")
	if err != nil {
		t.Fatal(err)
	}
	return d.(protoreflect.MessageDescriptor), wirejson.Printer{Types: s.Types()}
}

// TestAgainst reads what one API wrote as a reader of another expects it, and what that reader got instead.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		name           string
		writer, reader string // fields of M
		wrote, got     string // JSON in the names of the writer, and in those of the reader
		want           flat.Difference
	}{
		{"the same", "int32 a = 1;", "int32 a = 1;", `{"a":7}`, `{"a":7}`, flat.Difference{}},
		{"a new name", "int32 a = 1;", "int32 b = 1;", `{"a":7}`, `{"b":7}`, flat.Difference{}},
		{"nothing, and the default", "int32 a = 1;", "int32 a = 1;", `{"a":0}`, `{}`, flat.Difference{}},
		{"gone", "int32 a = 1; int32 b = 2;", "int32 a = 1; int32 b = 2;", `{"a":7,"b":1}`, `{"b":1}`, flat.Difference{Kind: flat.Missing, Path: "a"}},
		{"unknown to the reader", "int32 a = 1; int32 z = 9;", "int32 a = 1;", `{"a":7,"z":1}`, `{"a":7}`, flat.Difference{}},
		{"another value", "int32 a = 1;", "int32 a = 1;", `{"a":7}`, `{"a":8}`, flat.Difference{Kind: flat.Value, Path: "a", Detail: `"8" instead of "7"`}},
		{"in another field", "int32 a = 1; int32 b = 2;", "int32 a = 1; int32 b = 2;", `{"a":7}`, `{"b":7}`,
			flat.Difference{Kind: flat.Value, Path: "b", Detail: `"7", which was not sent`}},
		{"another type", "int32 a = 1;", "int32 a = 1;", `{"a":7}`, `{"a":"7"}`, flat.Difference{Kind: flat.Shape, Path: "a", Detail: "a string instead of a number"}},
		{"a list", "int32 a = 1;", "int32 a = 1;", `{"a":7}`, `{"a":[7]}`, flat.Difference{Kind: flat.Shape, Path: "a", Detail: "an array instead of a number"}},
		{"an object", "string a = 1;", "string a = 1;", `{"a":"7"}`, `{"a":{"x":1}}`, flat.Difference{Kind: flat.Shape, Path: "a", Detail: "an object instead of a string"}},
		{"one of many", "repeated int32 a = 1;", "repeated int32 a = 1;", `{"a":[7]}`, `{"a":7}`,
			flat.Difference{Kind: flat.Shape, Path: "a[0]", Detail: "one value instead of an array"}},
		{"an enum by number", "E a = 1;", "int32 a = 1;", `{"a":"RED"}`, `{"a":1}`, flat.Difference{}},
		{"within", "N n = 1; repeated N l = 2; map<string, N> m = 3;", "N n = 1; repeated N l = 2; map<string, N> m = 3;",
			`{"n":{"x":1},"l":[{"x":2}],"m":{"k":{"x":3}}}`, `{"n":{"x":1},"l":[{}],"m":{"k":{"x":3}}}`, flat.Difference{Kind: flat.Missing, Path: "l[0].x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			writer, writes := message(t, c.writer)
			reader, reads := message(t, c.reader)
			want, got := flat.Tree{}, flat.Tree{}
			flat.View{Options: writes}.Body(want, []byte(c.wrote), writer, reader, false)
			flat.View{Options: reads, Own: true}.Body(got, []byte(c.got), reader, reader, false)
			if d := want.Against(got, true); d != c.want {
				t.Errorf("%+v, want %+v", d, c.want)
			}
		})
	}
}
