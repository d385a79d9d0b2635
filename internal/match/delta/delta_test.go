package delta_test

import (
	"io/fs"
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// set compiles declarations of package p.
func set(t *testing.T, text string) *descriptor.Set {
	t.Helper()
	text = `syntax = "proto3"; package p; import "google/protobuf/any.proto"; import "google/protobuf/wrappers.proto"; message Any { google.protobuf.Any a = 1; google.protobuf.Int32Value i = 2; } ` + text
	raw, err := descriptor.Compile(t.Context(), []string{"p.proto"}, func(name string) ([]byte, error) {
		if name != "p.proto" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	s, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func message(t *testing.T, s *descriptor.Set, name protoreflect.FullName) protoreflect.MessageDescriptor {
	t.Helper()
	d, err := s.Types().FindDescriptorByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return d.(protoreflect.MessageDescriptor)
}

// TestChange has each change in words, the same from both sides.
func TestChange(t *testing.T) {
	const enum = "enum E { NONE = 0; RED = 1; BLUE = 2; } "
	for _, c := range []struct {
		old, new string // of message M, and what else is declared
		kind     delta.Kind
		words    string
		free     string
	}{
		{"message M { }", "message M { int32 a = 1; }", delta.FieldAdded, "field a of p.M is new", ""},
		{"message M { int32 a = 1; }", "message M { }", delta.FieldRemoved, "field a of p.M goes", ""},
		{"message M { int32 a = 1; }", "message M { string a = 1; }", delta.TypeChanged, "field a of p.M becomes string, it was int32", "a_text = 2"},
		{"message M { int32 a = 1; string a_text = 9; reserved 10 to 12; }", "message M { string a = 1; string a_text = 9; }",
			delta.TypeChanged, "field a of p.M becomes string, it was int32", "a_text2 = 13"},
		{"message M { int32 a = 18999; }", "message M { bool a = 18999; }", delta.TypeChanged, "field a of p.M becomes bool, it was int32", "a_bool = 20000"},
		{"message M { int32 a = 1; }", "message M { repeated string a = 1; }", delta.TypeChanged, "field a of p.M becomes repeated string, it was int32", "a_list = 2"},
		{"message M { map<string, int32> a = 1; }", "message M { map<string, bool> a = 1; }",
			delta.TypeChanged, "field a of p.M becomes map<string, bool>, it was map<string, int32>", "a_map = 2"},
		{"message M { int32 a = 1; }", "message M { google.protobuf.Int32Value a = 1; }",
			delta.TypeChanged, "field a of p.M becomes google.protobuf.Int32Value, it was int32", "a_int32value = 2"},
		{"message M { int32 a = 1; }", "message M { repeated int32 a = 1; }", delta.CardinalityMany, "field a of p.M becomes repeated int32, it was int32", "a_list = 2"},
		{"message M { repeated int32 a = 1; }", "message M { int32 a = 1; }", delta.CardinalityOne, "field a of p.M becomes int32, it was repeated int32", "a_one = 2"},
		{"message M { int32 a = 1; }", "message M { int32 a = 2; }", delta.Renumbered, "field a of p.M gets number 2 instead of 1", "a_int32 = 3"},
		{"message M { int32 a = 1; }", "message M { int32 b = 1; }", delta.FieldRenamed, "field a of p.M is renamed to b", "b = 2"},
		{"message M { int32 a = 1; }", "message M { bool b = 1; }", delta.TypeChanged, "field a of p.M becomes bool, it was int32, is renamed to b", "b = 2"},
		{"message M { int32 a = 1; }", `message M { int32 a = 1 [json_name = "c"]; }`, delta.JSONNameChanged, "field a of p.M gets the JSON name c instead of a", "a_int32 = 2"},
		{"message M { optional int32 a = 1; }", "message M { int32 a = 1; }", delta.OtherChange, "field a of p.M is not optional any more", "a_int32 = 2"},
		{"message M { int32 a = 1; }", "message M { oneof o { int32 a = 1; } }", delta.OtherChange, "field a of p.M becomes a member of oneof o", "a_int32 = 2"},
		{"message M { repeated int32 a = 1; }", "message M { repeated int32 a = 1 [packed = false]; }", delta.OtherChange, "field a of p.M is packed in another way", "a_int32 = 2"},
		{enum + "message M { E a = 1; }", "enum E { NONE = 0; RED = 1; BLUE = 2; GREEN = 3; } message M { E a = 1; }", delta.ValueAdded, "enum p.E: gains GREEN", ""},
		{enum + "message M { E a = 1; }", "enum E { NONE = 0; RED = 1; } message M { E a = 1; }", delta.ValueRemoved, "enum p.E: loses BLUE", ""},
		{enum + "message M { E a = 1; }", "enum E { NONE = 0; RED = 1; AZURE = 2; } message M { E a = 1; }", delta.ValueRenamed, "enum p.E: BLUE is renamed to AZURE", ""},
		{enum + "message M { E a = 1; }", "enum E { NONE = 0; CRIMSON = 1; GREEN = 3; } message M { E a = 1; }",
			delta.ValueRemoved, "enum p.E: loses BLUE, RED is renamed to CRIMSON, gains GREEN", ""},
		{enum + "message M { E a = 1; }", "enum E { NONE = 0; RED = 2; BLUE = 1; } message M { E a = 1; }", delta.EnumChanged, "enum p.E: has other numbers", ""},
		{"message M { google.protobuf.Any a = 1; }", "message M { google.protobuf.Any a = 1; } message N { }",
			delta.AnyChanged, "field a of p.M may hold other messages: p.N new", "a_any = 2"},
	} {
		t.Run(c.words, func(t *testing.T) {
			old, new := set(t, c.old), set(t, c.new)
			d := delta.New(old, new)
			a, b := message(t, old, "p.M"), message(t, new, "p.M")
			if d.Same(a, b) {
				t.Fatal("the two are said to be the same")
			}
			there, back := d.Sites(a, b), d.Back().Sites(b, a)
			if len(there) != 1 || len(back) != 1 {
				t.Fatalf("%d sites, %d from the other side", len(there), len(back))
			}
			got := d.Change(there[0])
			if got.Kind != c.kind || got.Words != c.words || got.Free != c.free {
				t.Errorf("%s %q %q, want %s %q %q", got.Kind, got.Words, got.Free, c.kind, c.words, c.free)
			}
			if other := d.Back().Change(back[0]); other != got {
				t.Errorf("from the other side %+v, not %+v", other, got)
			}
		})
	}
}

func TestOneof(t *testing.T) {
	old, new := set(t, "message M { int32 a = 1; int32 b = 2; }"), set(t, "message M { oneof o { int32 a = 1; int32 b = 2; } }")
	d := delta.New(old, new)
	var words []string
	for _, s := range d.Sites(message(t, old, "p.M"), message(t, new, "p.M")) {
		words = append(words, d.Change(s).Words)
	}
	want := []string{"field a of p.M becomes a member of oneof o", "field b of p.M becomes a member of oneof o", "fields a and b of p.M become members of oneof o"}
	if !slices.Equal(words, want) {
		t.Errorf("%q, want %q", words, want)
	}
}

// TestSame has messages within each other, where a difference is far away and behind a cycle.
func TestSame(t *testing.T) {
	const graph = "message A { B b = 1; C c = 2; } message B { A a = 1; B b = 2; } message C { D d = 1; A a = 2; } message F { F f = 1; } message D { "
	old, new := set(t, graph+"int32 n = 1; }"), set(t, graph+"string n = 1; }")
	for _, c := range []struct {
		name string
		d    *delta.Delta
		a, b *descriptor.Set
	}{
		{"there", delta.New(old, new), old, new},
		{"back", delta.New(old, new).Back(), new, old},
	} {
		for range 2 { // the second time it is known
			for name, want := range map[protoreflect.FullName]bool{"p.A": false, "p.B": false, "p.C": false, "p.D": false, "p.F": true, "p.Any": true} {
				if got := c.d.Same(message(t, c.a, name), message(t, c.b, name)); got != want {
					t.Errorf("%s: %s is the same: %t", c.name, name, got)
				}
			}
		}
	}
	if got := delta.New(old, new).ChangedLoose(); len(got) != 0 {
		t.Errorf("%q are used by fields", got)
	}
	if got := delta.New(set(t, "message X { int32 n = 1; }"), set(t, "message X { bool n = 1; }")).ChangedLoose(); !slices.Equal(got, []string{"p.X"}) {
		t.Errorf("%q, want X", got)
	}
}
