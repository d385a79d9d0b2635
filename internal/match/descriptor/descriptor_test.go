package descriptor_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

const ordersProto = `syntax = "proto3";
package orders.v1;
import "google/api/annotations.proto";
import "money.proto";

// Orders are for customers.
service Orders {
  rpc Get(GetRequest) returns (Order) {
    option (google.api.http) = {
      get: "/v1/orders/{id}"
      additional_bindings { get: "/v1/customers/{customer}/orders/{id}" response_body: "total" }
      additional_bindings { custom: { kind: "HEAD" path: "/v1/orders/{id}" } }
    };
  }
  rpc Watch(GetRequest) returns (stream Order);
  rpc Put(stream Order) returns (Order) { option (google.api.http) = { put: "/v1/orders" body: "*" }; }
}
service Admin {
  rpc Drop(GetRequest) returns (Order) { option (google.api.http) = { body: "*" }; }
  rpc Edit(Order) returns (Order) { option (google.api.http) = { patch: "/v1/orders/{id}" body: "total" }; }
  rpc Make(Order) returns (Order) { option (google.api.http) = { post: "/v1/orders:make" body: "*" }; }
  rpc Kill(Order) returns (Order) { option (google.api.http) = { delete: "/v1/orders/{id}" }; }
}
message GetRequest { string id = 1; string customer = 2; }
message Order { string id = 1; money.Money total = 2; }
`

const moneyProto = `syntax = "proto3";
package money;
message Money { int64 units = 1; }
`

// compile gives the files and all their imports, each after its imports, as protoc --include_imports does.
func compile(t testing.TB, sourceInfo bool, sources map[string]string, names ...string) *descriptorpb.FileDescriptorSet {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(sources)},
		protocompile.ResolverFunc(func(path string) (protocompile.SearchResult, error) {
			fd, err := protoregistry.GlobalFiles.FindFileByPath(path)
			return protocompile.SearchResult{Desc: fd}, err
		}),
	})}
	if sourceInfo {
		c.SourceInfoMode = protocompile.SourceInfoStandard
	}
	files, err := c.Compile(context.Background(), names...)
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	seen := make(map[string]bool)
	var visit func(fd protoreflect.FileDescriptor)
	visit = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			visit(fd.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
	}
	for _, fd := range files {
		visit(fd)
	}
	return set
}

func marshal(t testing.TB, set *descriptorpb.FileDescriptorSet) []byte {
	t.Helper()
	raw, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func orders(t testing.TB, sourceInfo bool) *descriptorpb.FileDescriptorSet {
	return compile(t, sourceInfo, map[string]string{"orders.proto": ordersProto, "money.proto": moneyProto}, "orders.proto")
}

func TestDecode(t *testing.T) {
	set, err := descriptor.Decode(marshal(t, orders(t, true)))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range set.Files {
		files = append(files, f.Path)
	}
	wantFiles := []string{"google/api/http.proto", "google/protobuf/descriptor.proto", "google/api/annotations.proto",
		"money.proto", "orders.proto"}
	if !slices.Equal(files, wantFiles) {
		t.Errorf("files %q, want %q", files, wantFiles)
	}
	if last := set.Files[4]; last.Package != "orders.v1" ||
		!slices.Equal(last.Imports, []string{"google/api/annotations.proto", "money.proto"}) {
		t.Errorf("orders.proto: %+v", last)
	}
	if len(set.Refusals) > 0 {
		t.Errorf("refusals of a whole set: %q", set.Refusals)
	}
	var got []string
	for _, s := range set.Services {
		for _, m := range s.Methods {
			got = append(got, fmt.Sprintf("%s %s %s->%s %t %t", m.Name, m.Path(), m.Input, m.Output, m.ClientStreaming, m.ServerStreaming))
			for _, r := range m.Rules {
				got = append(got, fmt.Sprintf("  %s %s %q %q", r.Verb, r.Template, r.Body, r.ResponseBody))
			}
		}
	}
	want := []string{
		`orders.v1.Admin.Drop /orders.v1.Admin/Drop orders.v1.GetRequest->orders.v1.Order false false`,
		`orders.v1.Admin.Edit /orders.v1.Admin/Edit orders.v1.Order->orders.v1.Order false false`,
		`  PATCH /v1/orders/{id} "total" ""`,
		`orders.v1.Admin.Make /orders.v1.Admin/Make orders.v1.Order->orders.v1.Order false false`,
		`  POST /v1/orders:make "*" ""`,
		`orders.v1.Admin.Kill /orders.v1.Admin/Kill orders.v1.Order->orders.v1.Order false false`,
		`  DELETE /v1/orders/{id} "" ""`,
		`orders.v1.Orders.Get /orders.v1.Orders/Get orders.v1.GetRequest->orders.v1.Order false false`,
		`  GET /v1/orders/{id} "" ""`,
		`  GET /v1/customers/{customer}/orders/{id} "" "total"`,
		`  HEAD /v1/orders/{id} "" ""`,
		`orders.v1.Orders.Watch /orders.v1.Orders/Watch orders.v1.GetRequest->orders.v1.Order false true`,
		`orders.v1.Orders.Put /orders.v1.Orders/Put orders.v1.Order->orders.v1.Order true false`,
		`  PUT /v1/orders "*" ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, ok := set.Service("orders.v1.Orders"); !ok {
		t.Error("orders.v1.Orders is not found")
	}
	if _, ok := set.Service("Orders"); ok {
		t.Error("a name without its package finds a service")
	}
	d, err := set.Types().FindDescriptorByName("orders.v1.Order")
	if err != nil || d.(protoreflect.MessageDescriptor).Fields().ByName("total").Message().FullName() != "money.Money" {
		t.Errorf("orders.v1.Order: %v, %v", d, err)
	}
}

func TestDecodePartial(t *testing.T) {
	whole := orders(t, false)
	set, err := descriptor.Decode(marshal(t, &descriptorpb.FileDescriptorSet{File: whole.File[len(whole.File)-1:]}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"orders.proto" imports "google/api/annotations.proto", which is not in the set`,
		`"orders.proto" imports "money.proto", which is not in the set`,
	}
	if !slices.Equal(set.Refusals, want) {
		t.Errorf("refusals %q, want %q", set.Refusals, want)
	}
	s, ok := set.Service("orders.v1.Orders")
	if !ok || len(s.Methods[0].Rules) != 3 {
		t.Errorf("the service of a partial set: %+v", s)
	}
}

func TestDecodeWrongOrder(t *testing.T) {
	whole := orders(t, false)
	slices.Reverse(whole.File)
	set, err := descriptor.Decode(marshal(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"google/api/annotations.proto" stands before "google/api/http.proto", which it imports`,
		`"google/api/annotations.proto" stands before "google/protobuf/descriptor.proto", which it imports`,
		`"orders.proto" stands before "google/api/annotations.proto", which it imports`,
		`"orders.proto" stands before "money.proto", which it imports`,
	}
	if !slices.Equal(set.Refusals, want) {
		t.Errorf("refusals %q, want %q", set.Refusals, want)
	}
}

func file(name string, more ...func(*descriptorpb.FileDescriptorProto)) *descriptorpb.FileDescriptorProto {
	f := &descriptorpb.FileDescriptorProto{Name: &name, Syntax: proto.String("proto3")}
	for _, m := range more {
		m(f)
	}
	return f
}

func importing(names ...string) func(*descriptorpb.FileDescriptorProto) {
	return func(f *descriptorpb.FileDescriptorProto) { f.Dependency = append(f.Dependency, names...) }
}

// publicly imports the files as public ones.
func publicly(names ...string) func(*descriptorpb.FileDescriptorProto) {
	return func(f *descriptorpb.FileDescriptorProto) {
		for _, n := range names {
			f.PublicDependency = append(f.PublicDependency, int32(len(f.Dependency)))
			f.Dependency = append(f.Dependency, n)
		}
	}
}

func message(name, field, typeName string) func(*descriptorpb.FileDescriptorProto) {
	return func(f *descriptorpb.FileDescriptorProto) {
		m := &descriptorpb.DescriptorProto{Name: &name}
		if field != "" {
			m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
				Name: &field, Number: proto.Int32(1), TypeName: &typeName,
				Type:  descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			})
		}
		f.MessageType = append(f.MessageType, m)
	}
}

// TestFileTwice has what Envoy makes of a file that comes again; the rows "E3 file twice" of package oracle ask it.
func TestFileTwice(t *testing.T) {
	set := func(files ...*descriptorpb.FileDescriptorProto) *descriptor.Set {
		t.Helper()
		s, err := descriptor.Decode(marshal(t, &descriptorpb.FileDescriptorSet{File: files}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	commented := func(name string) *descriptorpb.FileDescriptorProto {
		f := file(name, message("M", "", ""))
		f.SourceCodeInfo = &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{{Span: []int32{1, 2, 3}}}}
		return f
	}
	a, b := file("a.proto", message("M", "", "")), file("b.proto", importing("a.proto"))
	once := set(a, b)
	for name, s := range map[string]*descriptor.Set{
		"the same":           set(a, b, a, b),
		"the first with its": set(commented("a.proto"), b, a),
	} {
		if len(s.Files) != 2 || s.Digest() != once.Digest() || len(s.Refusals) > 0 {
			t.Errorf("%s: %d files, refused: %q", name, len(s.Files), s.Refusals)
		}
	}
	want := []string{`file "a.proto" appears twice, and again with its source info`}
	if s := set(a, b, commented("a.proto")); !slices.Equal(s.Refusals, want) || s.Digest() != once.Digest() {
		t.Errorf("with source info: %q, want %q", s.Refusals, want)
	}
}

func TestDecodeErrors(t *testing.T) {
	set := func(files ...*descriptorpb.FileDescriptorProto) []byte {
		return marshal(t, &descriptorpb.FileDescriptorSet{File: files})
	}
	fibonacci := []*descriptorpb.FileDescriptorProto{file("0"), file("1", publicly("0"))}
	for i := 2; i < 80; i++ {
		fibonacci = append(fibonacci, file(fmt.Sprint(i), publicly(fmt.Sprint(i-1), fmt.Sprint(i-2))))
	}
	nested := &descriptorpb.DescriptorProto{Name: proto.String("m")}
	for range 200 {
		nested = &descriptorpb.DescriptorProto{Name: proto.String("m"), NestedType: []*descriptorpb.DescriptorProto{nested}}
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want string // part of the error
	}{
		{"empty", nil, "empty: no descriptor set"},
		{"text", []byte("syntax = \"proto3\";\n"), "not a FileDescriptorSet"},
		{"placeholder", []byte("<base64-encoded-descriptor>"), "not a FileDescriptorSet"},
		{"unknown fields only", []byte{0x12, 0x03, 'a', 'b', 'c'}, "it holds no file"},
		{"files as numbers", []byte{0x08, 0x01}, "it holds no file"},
		{"a file, not a set of files", marshalFile(t, file("a.proto")), "not a FileDescriptorSet"},
		{"cut short", set(file("a.proto"))[:5], "not a FileDescriptorSet"},
		{"no name", set(&descriptorpb.FileDescriptorProto{Package: proto.String("a")}), "entry 1 is a file without a name"},
		{"twice, another one", set(file("a.proto"), file("a.proto", message("M", "", ""))), `file "a.proto" appears twice, and is not the same`},
		{"imports itself", set(file("a.proto", importing("b.proto")), file("b.proto", importing("a.proto"))), "imports itself"},
		{"unresolvable", set(file("a.proto", message("M", "f", ".b.Missing"))), `file "a.proto": message field "M.f" cannot resolve type`},
		{"not imported", set(file("b.proto", message("B", "", "")), file("a.proto", message("A", "f", ".B"))), `file "a.proto": message field "A.f" cannot resolve type`},
		{"one name in two files", set(file("a.proto", message("M", "", "")), file("b.proto", message("M", "", ""))), `file "b.proto"`},
		{"invalid name", set(file("a.proto", message("1", "", ""))), `file "a.proto"`},
		{"too large", make([]byte, descriptor.MaxSize+1), "more than the limit of 16777216"},
		{"too many files", slices.Repeat([]byte{0x0a, 0x00}, 10_001), "more files than the limit"},
		{"too many messages", lengthPrefixed(slices.Repeat([]byte{0x22, 0x00}, 300_001)), "more declarations than the limit"},
		{"too deep", set(&descriptorpb.FileDescriptorProto{Name: proto.String("a"), MessageType: []*descriptorpb.DescriptorProto{nested}}), "nested deeper"},
		{"public imports that multiply", set(fibonacci...), "more ways along public imports"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := descriptor.Decode(c.raw)
			if err == nil {
				t.Fatalf("decoded: %d files", len(s.Files))
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want one with %q", err, c.want)
			}
		})
	}
}

func marshalFile(t *testing.T, f *descriptorpb.FileDescriptorProto) []byte {
	t.Helper()
	raw, err := proto.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// lengthPrefixed makes a set of one file out of the file's bytes.
func lengthPrefixed(file []byte) []byte {
	out := []byte{0x0a}
	for n := len(file); ; n >>= 7 {
		if n < 0x80 {
			out = append(out, byte(n))
			break
		}
		out = append(out, byte(n)|0x80)
	}
	return append(out, file...)
}

func TestErrorsAreTheSameEachTime(t *testing.T) {
	bad := marshal(t, &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		file("a.proto", message("A", "f", ".x.A")), file("b.proto", message("B", "f", ".x.B")), file("c.proto", message("C", "f", ".x.C")),
	}})
	for range 20 {
		_, err := descriptor.Decode(bad)
		if err == nil || !strings.Contains(err.Error(), `"a.proto"`) {
			t.Fatalf("error %v, want the first file's", err)
		}
	}
}

func TestDigest(t *testing.T) {
	digestOf := func(t *testing.T, set *descriptorpb.FileDescriptorSet) string {
		t.Helper()
		s, err := descriptor.Decode(marshal(t, set))
		if err != nil {
			t.Fatal(err)
		}
		return s.Digest()
	}
	compiled := func(from, to string) *descriptorpb.FileDescriptorSet {
		source := strings.Replace(ordersProto, from, to, 1)
		if source == ordersProto && from != to {
			t.Fatalf("%q is not in the source", from)
		}
		return compile(t, true, map[string]string{"orders.proto": source, "money.proto": moneyProto}, "orders.proto")
	}
	plain := digestOf(t, orders(t, false))
	if len(plain) != 64 {
		t.Errorf("digest %q", plain)
	}
	reversed := orders(t, false)
	slices.Reverse(reversed.File)
	for _, c := range []struct {
		name string
		set  *descriptorpb.FileDescriptorSet
		same bool
	}{
		{"with source info", orders(t, true), true},
		{"another comment", compiled("for customers", "for everybody, and much longer"), true},
		{"another order of files", reversed, true},
		{"another route", compiled("/v1/orders:make", "/v1/orders:create"), false},
		{"another number", compiled("customer = 2", "customer = 3"), false},
		{"another type", compiled("string customer", "bytes customer"), false},
		{"a file less", &descriptorpb.FileDescriptorSet{File: orders(t, false).File[1:]}, false},
	} {
		if got := digestOf(t, c.set) == plain; got != c.same {
			t.Errorf("%s: equal is %t, want %t", c.name, got, c.same)
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole := marshal(f, orders(f, true))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(marshal(f, &descriptorpb.FileDescriptorSet{File: orders(f, false).File[4:]}))
	f.Add([]byte("<base64-encoded-descriptor>"))
	f.Add(marshal(f, compile(f, true, map[string]string{"money.proto": moneyProto}, "money.proto")))
	f.Add([]byte{0x0a, 0x00})
	f.Add(marshal(f, &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file("a.proto", importing("a.proto"))}}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		set, err := descriptor.Decode(raw)
		if err != nil {
			return
		}
		if len(set.Files) == 0 || len(set.Digest()) != 64 {
			t.Errorf("decoded, but %d files and digest %q", len(set.Files), set.Digest())
		}
		for _, s := range set.Services {
			if got, ok := set.Service(s.Name); !ok || got.Name != s.Name {
				t.Errorf("service %q is not found", s.Name)
			}
			for _, m := range s.Methods {
				if !strings.HasPrefix(m.Path(), "/"+s.Name+"/") {
					t.Errorf("path %q of a method of %q", m.Path(), s.Name)
				}
			}
		}
	})
}
