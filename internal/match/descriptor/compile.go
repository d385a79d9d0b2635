package descriptor

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	_ "google.golang.org/genproto/googleapis/api" // these link google/api and google/rpc in
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/error_reason"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	_ "google.golang.org/genproto/googleapis/api/label"
	_ "google.golang.org/genproto/googleapis/api/metric"
	_ "google.golang.org/genproto/googleapis/api/monitoredres"
	_ "google.golang.org/genproto/googleapis/api/visibility"
	_ "google.golang.org/genproto/googleapis/rpc/code"
	_ "google.golang.org/genproto/googleapis/rpc/context/attribute_context"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/genproto/googleapis/rpc/http"
	_ "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// commonTypes are the declarations of google/type, whose generated packages are not linked in.
//
//go:embed google/type/*.proto
var commonTypes embed.FS

// Compile makes of .proto files what protoc --include_imports --descriptor_set_out does: a serialized FileDescriptorSet in
// which every file stands behind those that it imports, without comments and positions. Names are those that imports go
// by; read gives the text of a file, [fs.ErrNotExist] for one that it does not have. Imports that read lacks may be those of
// google/api, google/rpc, google/type and google/protobuf. The error of the first fault names file, line and column.
func Compile(ctx context.Context, names []string, read func(name string) ([]byte, error)) ([]byte, error) {
	compiler := protocompile.Compiler{
		MaxParallelism: 1, // with more, chance decides which of two faults is the first
		Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
			source(read),
			protocompile.ResolverFunc(linkedIn),
			source(commonTypes.ReadFile),
		}),
	}
	names = slices.Sorted(slices.Values(names))
	compiled, err := compiler.Compile(ctx, slices.Compact(names)...)
	var crashed protocompile.PanicError
	switch {
	case errors.As(err, &crashed):
		return nil, fmt.Errorf("the compiler fails on %s", crashed.File)
	case err != nil:
		return nil, err
	}
	set, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	for _, file := range compiled {
		include(set, seen, file)
	}
	return serialize(set)
}

func source(read func(string) ([]byte, error)) protocompile.Resolver {
	return &protocompile.SourceResolver{Accessor: func(name string) (io.ReadCloser, error) {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		if nesting(text) > maxNesting {
			return nil, fmt.Errorf("%s: nested more than %d levels deep", name, maxNesting)
		}
		return io.NopCloser(bytes.NewReader(text)), nil
	}}
}

// maxNesting is far more than anybody writes: the compiler walks what it has parsed by recursion.
const maxNesting = 1000

// nesting is how deep brackets stand in each other. It may count too many, in comments and strings, but never too few
// unless those close more than they open.
func nesting(text []byte) int {
	depth, most := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[', '(', '<':
			depth++
			most = max(most, depth)
		case '}', ']', ')', '>':
			depth = max(depth-1, 0)
		}
	}
	return most
}

// linkedIn finds what generated packages of this program declare, and nothing of the many that other parts of it use.
func linkedIn(name string) (protocompile.SearchResult, error) {
	if !strings.HasPrefix(name, "google/") {
		return protocompile.SearchResult{}, fs.ErrNotExist
	}
	file, err := protoregistry.GlobalFiles.FindFileByPath(name)
	if err != nil {
		return protocompile.SearchResult{}, fs.ErrNotExist
	}
	return protocompile.SearchResult{Desc: file}, nil
}

// include appends a file behind its imports.
func include(set *descriptorpb.FileDescriptorSet, seen map[string]bool, file protoreflect.FileDescriptor) {
	if seen[file.Path()] {
		return
	}
	seen[file.Path()] = true
	for i := range file.Imports().Len() {
		include(set, seen, file.Imports().Get(i).FileDescriptor)
	}
	described := proto.CloneOf(protoutil.ProtoFromFileDescriptor(file))
	described.SourceCodeInfo = nil
	set.File = append(set.File, described)
}

// serialize goes by way of the generated types, so that options are written by field number wherever they came from.
func serialize(set *descriptorpb.FileDescriptorSet) ([]byte, error) {
	raw, err := proto.Marshal(set)
	if err != nil {
		return nil, err
	}
	generated := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(raw, generated); err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(generated)
}
