package descriptor

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// maxPublicPaths bounds the ways along public imports: protodesc walks each of them, and files that import two others
// publicly double their number with every level.
const maxPublicPaths = 100_000

// imports says what the set lacks and what stands in the wrong order: Envoy builds the files one by one and in their order,
// and rejects the whole configuration if one cannot be built (filter_config.cc, addFileDescriptor).
func imports(files []*descriptorpb.FileDescriptorProto) (missing, misplaced []string) {
	index := make(map[string]int, len(files))
	for i, f := range files {
		index[f.GetName()] = i
	}
	for i, f := range files {
		for _, dep := range f.GetDependency() {
			j, ok := index[dep]
			switch {
			case !ok:
				missing = append(missing, fmt.Sprintf("%q imports %q, which is not in the set", f.GetName(), dep))
			case j > i:
				misplaced = append(misplaced, fmt.Sprintf("%q stands before %q, which it imports", f.GetName(), dep))
			}
		}
	}
	return missing, misplaced
}

// once drops the files that the set has had before. Envoy takes one that is the same, as tools make it that put sets behind
// each other; it refuses another one, and one with source info, since it compares with a file that has lost it.
func once(files []*descriptorpb.FileDescriptorProto, parts []part) (kept []*descriptorpb.FileDescriptorProto, refusals []string, err error) {
	first := make(map[string]*descriptorpb.FileDescriptorProto, len(files))
	for i, f := range files {
		before, twice := first[f.GetName()]
		switch {
		case !twice:
			first[f.GetName()] = f
			kept = append(kept, f)
		case !proto.Equal(before, f):
			return nil, nil, fmt.Errorf("file %q appears twice, and is not the same", f.GetName())
		case parts[i].info:
			refusals = append(refusals, fmt.Sprintf("file %q appears twice, and again with its source info", f.GetName()))
		}
	}
	return kept, refusals, nil
}

// loader builds files after their imports. It does not use protodesc.NewFiles, which takes them in the order of a map: of
// two faults it would name one by chance.
type loader struct {
	options protodesc.FileOptions
	files   map[string]*descriptorpb.FileDescriptorProto
	state   map[string]int // 1: its imports are being built, 2: done
	paths   map[string]int // ways along public imports that begin at a file
	types   *protoregistry.Files
}

func load(files []*descriptorpb.FileDescriptorProto, partial bool) (*protoregistry.Files, error) {
	l := &loader{
		options: protodesc.FileOptions{AllowUnresolvable: partial},
		files:   make(map[string]*descriptorpb.FileDescriptorProto, len(files)),
		state:   make(map[string]int, len(files)),
		paths:   make(map[string]int, len(files)),
		types:   new(protoregistry.Files),
	}
	for _, f := range files {
		l.files[f.GetName()] = f
	}
	for _, f := range files {
		if err := l.build(f); err != nil {
			return nil, err
		}
	}
	return l.types, nil
}

// build recurses along imports: no deeper than there are files.
func (l *loader) build(f *descriptorpb.FileDescriptorProto) error {
	name := f.GetName()
	switch l.state[name] {
	case 1:
		return fmt.Errorf("file %q imports itself along its imports", name)
	case 2:
		return nil
	}
	l.state[name] = 1
	for _, dep := range f.GetDependency() {
		if d, ok := l.files[dep]; ok {
			if err := l.build(d); err != nil {
				return err
			}
		}
	}
	if err := l.countPublic(f); err != nil {
		return err
	}
	fd, err := l.options.New(f, l.types)
	if err != nil {
		return fmt.Errorf("file %q: %s", name, plain(err))
	}
	if err := l.types.RegisterFile(fd); err != nil {
		return fmt.Errorf("file %q: %s", name, plain(err))
	}
	l.state[name] = 2
	return nil
}

func (l *loader) countPublic(f *descriptorpb.FileDescriptorProto) error {
	deps := f.GetDependency()
	walked := 0 // by protodesc, when it builds this file
	for _, dep := range deps {
		walked += l.paths[dep]
	}
	if walked > maxPublicPaths {
		return fmt.Errorf("file %q: more ways along public imports than the limit of %d", f.GetName(), maxPublicPaths)
	}
	for _, i := range f.GetPublicDependency() {
		if i >= 0 && int(i) < len(deps) {
			l.paths[f.GetName()] += 1 + l.paths[deps[i]]
		}
	}
	return nil
}
