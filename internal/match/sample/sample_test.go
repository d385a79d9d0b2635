package sample_test

import (
	"bytes"
	"io/fs"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// TestAgain has what is wrapped around a known message be what is made anew.
func TestAgain(t *testing.T) {
	const text = `syntax = "proto2"; package p; import "google/api/annotations.proto";
service S { rpc Do(Top) returns (Top) { option (google.api.http) = { post: "/v1/{path.m.a}" body: "*" }; } }
message Top {
  optional Mid one = 1; repeated Mid many = 2; map<int32, Mid> by_number = 3; map<bool, Mid> by_bool = 4; map<string, Mid> by_name = 5;
  optional group G = 6 { optional M m = 1; }
  optional Needs needs = 7; optional Mid path = 8; optional Deep deep = 9;
}
message Deep { repeated Mid l = 1; }
message Mid { optional M m = 1; }
message Needs { required string id = 1; optional M m = 2; }
message M { optional string a = 1; optional E e = 2; repeated int64 n = 3; map<string, int32> k = 4; optional M m = 5; required int32 must = 6; }
enum E { option allow_alias = true; NONE = 0; RED = 1; CRIMSON = 1; }`
	raw, err := descriptor.Compile(t.Context(), []string{"p.proto"}, func(name string) ([]byte, error) {
		if name != "p.proto" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := transcode.Load(set, descriptor.Transcoder{Services: []string{"p.S"}})
	if err != nil {
		t.Fatal(err)
	}
	route, print := proxy.Bindings()[0], wirejson.Printer{Types: set.Types()}
	top := route.Input()
	minimal, ok := (&sample.Use{}).Request(route, print)
	if !ok {
		t.Fatal("no request without a field")
	}
	first := chain(top, "one", "m")
	wrapped := 0
	fields := first[len(first)-1].Message().Fields()
	for i := range fields.Len() {
		for _, u := range sample.Of(append(first[:2:2], fields.Get(i)), nil, nil) {
			for _, above := range [][]string{{"one", "m"}, {"many", "m"}, {"by_number", "m"}, {"by_bool", "m"}, {"by_name", "m"}, {"g", "m"}, {"needs", "m"}, {"path", "m"}, {"deep", "l", "m"}} {
				at := append(chain(top, above...), fields.Get(i))
				if got, want := u.Within(at, top), u.At(at).Message(top); !bytes.Equal(got, want) {
					t.Errorf("%v %s %s: %x, made anew %x", above, fields.Get(i).Name(), u.When, got, want)
				}
				want, ok := u.At(at).Request(route, print)
				body, quick := u.Body(route, print, minimal, at)
				if !quick {
					continue
				}
				wrapped++
				if !ok || !bytes.Equal(body, want.Body) || want.Target != minimal.Target {
					t.Errorf("%v %s %s: %s, made anew %s to %s", above, fields.Get(i).Name(), u.When, body, want.Body, want.Target)
				}
			}
		}
	}
	if wrapped < 50 {
		t.Errorf("%d bodies were wrapped", wrapped)
	}
}

func chain(md protoreflect.MessageDescriptor, names ...string) []protoreflect.FieldDescriptor {
	var out []protoreflect.FieldDescriptor
	for _, name := range names {
		fd := md.Fields().ByName(protoreflect.Name(name))
		out = append(out, fd)
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		md = fd.Message()
	}
	return out
}
