// Package descriptor reads what a gRPC-JSON transcoder is given: a serialized FileDescriptorSet, and the configuration of
// the filter that uses it.
//
// In go bytes, or one HTTP filter of an Envoy configuration; out come plain values: services, methods, HTTP rules, a
// digest that comments do not change, the filter's options. Input is bounded in size, in the number of declarations and in
// depth, and whatever it holds gives an error, never a panic. The package refuses to judge: whether two sets work together
// is not asked here, and it knows nothing of Kubernetes.
package descriptor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Set is a decoded FileDescriptorSet. Nobody changes it.
type Set struct {
	Files    []File    // in the order of the set
	Services []Service // sorted by name
	// Refusals are reasons for which a transcoder rejects the whole set although it could be decoded here, one sentence
	// each: an import that is not in the set, a file that stands before its import. Sorted; empty when it loads.
	Refusals []string

	types  *protoregistry.Files
	digest string
}

// File is one file of a set.
type File struct {
	Path    string // as other files import it, "orders/v1/orders.proto"
	Package string
	Imports []string // as written
}

// Service is one gRPC service.
type Service struct {
	Name    string   // fully qualified, as the services option of a transcoder names it
	Methods []Method // in the order of the file
}

// Method is one call of a service. Type names are fully qualified and without a leading dot.
type Method struct {
	Name            string // fully qualified, "orders.v1.Orders.Get"
	Input, Output   string
	ClientStreaming bool
	ServerStreaming bool
	Rules           []Rule // its google.api.http bindings, the main one first
	Option          *Rule  // the google.api.http option itself, also one without a pattern; nil if there is none
}

// Path is the path of the gRPC request, "/orders.v1.Orders/Get".
func (m Method) Path() string {
	i := strings.LastIndexByte(m.Name, '.')
	return "/" + m.Name[:max(i, 0)] + "/" + m.Name[i+1:]
}

// Rule is one binding of a method to HTTP.
type Rule struct {
	Verb         string // GET, PUT, POST, DELETE, PATCH, or what a custom pattern says
	Template     string // as written, "/v1/orders/{id}"
	Body         string // "*", a field, or "" for none
	ResponseBody string
}

// Service finds a service by its fully qualified name.
func (s *Set) Service(name string) (Service, bool) {
	i, ok := slices.BinarySearchFunc(s.Services, name, func(v Service, n string) int { return strings.Compare(v.Name, n) })
	if !ok {
		return Service{}, false
	}
	return s.Services[i], true
}

// Types gives access to all declarations. Types whose file the set lacks are placeholders (IsPlaceholder).
func (s *Set) Types() *protoregistry.Files { return s.types }

// Digest is equal for two sets exactly when they declare the same: source info (comments and positions) and the order of
// the files do not count. 64 hexadecimal digits.
func (s *Set) Digest() string { return s.digest }

// Decode reads a serialized FileDescriptorSet. Since protobuf reads many byte strings as unknown fields, bytes without a
// single file are refused, and so is a file without a name. A set without all its imports is decoded ([Set.Refusals] says
// what is missing); names that do not resolve in a complete set are an error.
func Decode(raw []byte) (*Set, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("empty: no descriptor set")
	}
	parts, err := split(raw)
	if err != nil {
		return nil, err
	}
	files := make([]*descriptorpb.FileDescriptorProto, len(parts))
	for i, part := range parts {
		files[i] = new(descriptorpb.FileDescriptorProto)
		if err := proto.Unmarshal(part.content, files[i]); err != nil {
			return nil, fmt.Errorf("not a FileDescriptorSet: entry %d is no file: %s", i+1, plain(err))
		}
		if files[i].GetName() == "" {
			return nil, fmt.Errorf("not a FileDescriptorSet: entry %d is a file without a name", i+1)
		}
	}
	files, again, err := once(files, parts)
	if err != nil {
		return nil, err
	}
	missing, misplaced := imports(files)
	types, err := load(files, len(missing) > 0)
	if err != nil {
		return nil, err
	}
	s := &Set{Refusals: slices.Sorted(slices.Values(slices.Concat(missing, misplaced, again))), types: types}
	if s.digest, err = digest(files); err != nil {
		return nil, err
	}
	for _, f := range files {
		s.Files = append(s.Files, File{Path: f.GetName(), Package: f.GetPackage(), Imports: f.GetDependency()})
		services, err := servicesOf(types, f.GetName())
		if err != nil {
			return nil, err
		}
		s.Services = append(s.Services, services...)
	}
	slices.SortFunc(s.Services, func(a, b Service) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
}

// plain gives the text of a protobuf error without the prefix and the spaces that the library varies from build to build
// on purpose.
func plain(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return strings.TrimPrefix(text, "proto: ")
}
