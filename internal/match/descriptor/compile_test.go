package descriptor_test

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// files reads from memory.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func TestCompile(t *testing.T) {
	f := files{
		"shop/v1/shop.proto": `syntax = "proto3"; package shop.v1;
import "shop/v1/types.proto"; import "google/api/annotations.proto"; import "google/type/money.proto";
// Orders and more.
service Shop { rpc Get(Id) returns (google.type.Money) { option (google.api.http) = { get: "/v1/things/{id}" additional_bindings { post: "/v1/get" body: "*" } }; } }`,
		"shop/v1/types.proto": `syntax = "proto3"; package shop.v1; message Id { string id = 1; }`,
	}
	raw, err := descriptor.Compile(t.Context(), []string{"shop/v1/shop.proto"}, f.read)
	if err != nil {
		t.Fatal(err)
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range set.Files {
		paths = append(paths, file.Path)
	}
	if got, want := strings.Join(paths, " "), "shop/v1/types.proto google/api/http.proto google/protobuf/descriptor.proto "+
		"google/api/annotations.proto google/type/money.proto shop/v1/shop.proto"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if len(set.Refusals) > 0 {
		t.Errorf("refused: %v", set.Refusals)
	}
	service, _ := set.Service("shop.v1.Shop")
	if len(service.Methods) != 1 || service.Methods[0].Output != "google.type.Money" || len(service.Methods[0].Rules) != 2 ||
		service.Methods[0].Rules[0].Template != "/v1/things/{id}" || service.Methods[0].Rules[1].Verb != "POST" {
		t.Errorf("methods: %+v", service.Methods)
	}
	if bytes.Contains(raw, []byte("Orders and more")) {
		t.Error("comments are in the set")
	}
}

// TestCompileTakesOwnFilesFirst has a vendored google/api with another declaration of the option's type.
func TestCompileTakesOwnFilesFirst(t *testing.T) {
	f := files{
		"a.proto":                 `syntax = "proto3"; import "google/type/money.proto"; message A { google.type.Money m = 1; google.type.Extra e = 2; }`,
		"google/type/money.proto": `syntax = "proto3"; package google.type; message Money { string text = 1; } message Extra {}`,
	}
	raw, err := descriptor.Compile(t.Context(), []string{"a.proto"}, f.read)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte("Extra")) {
		t.Error("the built-in file was taken")
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"missing import":    {"syntax = \"proto3\";\nimport \"acme/x.proto\";", "a.proto:2:8: "},
		"syntax":            {"syntax = \"proto3\";\nmessage {", "a.proto:2:9: syntax error"},
		"unknown type":      {"syntax = \"proto3\";\nmessage A { B b = 1; }", "a.proto:2:13: "},
		"Kubernetes' files": {"syntax = \"proto3\";\nimport \"k8s.io/api/core/v1/generated.proto\";", "a.proto:2:8: "},
		"imports itself":    {"syntax = \"proto3\";\nimport \"a.proto\";", "a.proto:2:8: cycle"},
		"too deep":          {strings.Repeat("message A {", 1001), "nested more than 1000 levels deep"},
	} {
		_, err := descriptor.Compile(t.Context(), []string{"a.proto"}, files{"a.proto": c.text}.read)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(`syntax = "proto3"; import "google/api/annotations.proto"; service S { rpc G(M) returns (M) { option (google.api.http) = { get: "/v1/{a}" }; } } message M { string a = 1; oneof o { int32 b = 2; } }`)
	f.Add(`edition = "2023"; message M { string a = 1 [features.field_presence = IMPLICIT]; map<string, M> m = 2; }`)
	f.Add(`syntax = "proto2"; message M { optional group G = 1 { optional M m = 2; } extensions 100 to max; } extend M { optional int32 e = 100; }`)
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := descriptor.Compile(t.Context(), []string{"a.proto"}, files{"a.proto": text}.read)
		if err != nil {
			return
		}
		again, err := descriptor.Compile(t.Context(), []string{"a.proto"}, files{"a.proto": text}.read)
		if err != nil || !bytes.Equal(raw, again) {
			t.Fatalf("two results: %v", err)
		}
		if set, err := descriptor.Decode(raw); err != nil || len(set.Refusals) > 0 {
			t.Fatalf("compiled, but not decoded: %v", err)
		}
	})
}
