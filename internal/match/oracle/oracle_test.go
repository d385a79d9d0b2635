package oracle_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

var binary = flag.String("envoy", "", "path of Envoy; without it, .envoy/envoy below the module root")

// start runs an oracle, or skips; where CI is set there must be one.
func start(t *testing.T) *oracle.Oracle {
	t.Helper()
	return oracle.Start(t, oracle.Options{Binary: *binary, Required: os.Getenv("CI") == "true"})
}

// compile gives the serialized set of one file and its imports, in order.
func compile(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := compiled(map[string]string{"t.proto": text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return raw
}

func compiled(sources map[string]string) ([]byte, error) {
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
	files, err := compiler.Compile(context.Background(), slices.Sorted(maps.Keys(sources))...)
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
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
	for _, f := range files {
		include(f)
	}
	raw, err := proto.Marshal(set)
	if err != nil {
		return nil, err
	}
	// By way of the generated types, so that options are what they are elsewhere.
	generated := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(raw, generated); err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(generated)
}
