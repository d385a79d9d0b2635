package transcode_test

import (
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// compile gives the serialized set of one file and its imports, in order.
func compile(t testing.TB, text string) []byte {
	t.Helper()
	return compileFiles(t, map[string]string{"t.proto": text})
}

func compileFiles(t testing.TB, sources map[string]string) []byte {
	t.Helper()
	compiler := protocompile.Compiler{Resolver: protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: func(name string) (io.ReadCloser, error) {
			text, ok := sources[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return io.NopCloser(strings.NewReader(text)), nil
		}},
		protocompile.ResolverFunc(func(name string) (protocompile.SearchResult, error) {
			file, err := protoregistry.GlobalFiles.FindFileByPath(name)
			return protocompile.SearchResult{Desc: file}, err
		}),
	}}
	files, err := compiler.Compile(t.Context(), slices.Sorted(maps.Keys(sources))...)
	if err != nil {
		t.Fatalf("compile: %v\n%v", err, sources)
	}
	set, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	var include func(f protoreflect.FileDescriptor)
	include = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			include(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protoutil.ProtoFromFileDescriptor(f))
	}
	for _, file := range files {
		include(file)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func decode(t testing.TB, text string) *descriptor.Set {
	t.Helper()
	set, err := descriptor.Decode(compile(t, text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return set
}
