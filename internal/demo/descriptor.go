package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	_ "google.golang.org/genproto/googleapis/api/annotations" // google/api/annotations.proto and http.proto
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// compile makes of all .proto files below root what `protoc --include_imports --descriptor_set_out` does: a serialised
// FileDescriptorSet in which every file stands behind those that it imports, without comments and positions. Imports
// that the tree lacks are those that are linked in: google/api and google/protobuf.
func compile(ctx context.Context, t tree, root string) ([]byte, error) {
	sources := map[string][]byte{}
	for p, content := range t {
		if name, ok := strings.CutPrefix(p, root+"/"); ok && strings.HasSuffix(name, ".proto") {
			sources[name] = content
		}
	}
	compiler := protocompile.Compiler{Resolver: protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: func(name string) (io.ReadCloser, error) {
			content, ok := sources[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return io.NopCloser(bytes.NewReader(content)), nil
		}},
		protocompile.ResolverFunc(linkedIn),
	}}
	compiled, err := compiler.Compile(ctx, slices.Sorted(maps.Keys(sources))...)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", root, err)
	}
	set, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	for _, file := range compiled {
		include(set, seen, file)
	}
	return serialise(set)
}

func linkedIn(name string) (protocompile.SearchResult, error) {
	file, err := protoregistry.GlobalFiles.FindFileByPath(name)
	return protocompile.SearchResult{Desc: file}, err
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

// serialise goes by way of the generated types, so that options are written by field number wherever they came from.
func serialise(set *descriptorpb.FileDescriptorSet) ([]byte, error) {
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
