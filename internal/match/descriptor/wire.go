package descriptor

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// MaxSize is the size in bytes over which [Decode] refuses its input.
const MaxSize = 16 << 20

// A message of two bytes becomes some hundred bytes of memory, so the size alone is no bound.
const (
	maxFiles        = 10_000
	maxDeclarations = 300_000
	maxDepth        = 100 // the recursion limit of protobuf's C++ parser, which is the one that counts
)

// Field numbers of descriptor.proto.
const (
	setFile        protowire.Number = 1 // FileDescriptorSet.file
	fileSourceInfo protowire.Number = 9 // FileDescriptorProto.source_code_info
)

// part is a serialized file of a set.
type part struct {
	content []byte // without source info
	info    bool   // it had some
}

// split cuts a serialized set into its files, each without source info, and checks the bounds before anything is
// allocated for what the files hold.
func split(raw []byte) ([]part, error) {
	if len(raw) > MaxSize {
		return nil, fmt.Errorf("%d bytes: more than the limit of %d", len(raw), MaxSize)
	}
	var files []part
	left := maxDeclarations
	err := eachField(raw, func(num protowire.Number, _, content []byte) error {
		if num != setFile || content == nil {
			return nil // unknown fields are allowed beside files
		}
		if len(files) == maxFiles {
			return fmt.Errorf("more files than the limit of %d", maxFiles)
		}
		file, err := withoutSourceInfo(content)
		if err != nil {
			return err
		}
		files = append(files, part{file, len(file) < len(content)})
		return count(fileMessage(), file, 1, &left)
	})
	if err != nil {
		return nil, fmt.Errorf("not a FileDescriptorSet: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("not a FileDescriptorSet: it holds no file")
	}
	return files, nil
}

func fileMessage() protoreflect.MessageDescriptor {
	return (*descriptorpb.FileDescriptorProto)(nil).ProtoReflect().Descriptor()
}

// withoutSourceInfo drops comments and positions: they are nine tenths of some sets, and nothing here reads them.
func withoutSourceInfo(file []byte) ([]byte, error) {
	out := make([]byte, 0, len(file))
	err := eachField(file, func(num protowire.Number, whole, content []byte) error {
		if num != fileSourceInfo || content == nil {
			out = append(out, whole...)
		}
		return nil
	})
	return out, err
}

// count takes what a message declares off the budget. What the schema does not know, options above all, is charged by
// size.
func count(md protoreflect.MessageDescriptor, raw []byte, depth int, left *int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	return eachField(raw, func(num protowire.Number, _, content []byte) error {
		fd := md.Fields().ByNumber(num)
		switch {
		case content == nil:
			return nil
		case fd == nil:
			*left -= 1 + len(content)/16
		case fd.Message() != nil:
			*left--
			if err := count(fd.Message(), content, depth+1, left); err != nil {
				return err
			}
		}
		if *left < 0 {
			return fmt.Errorf("more declarations than the limit of %d", maxDeclarations)
		}
		return nil
	})
}

// eachField calls do for each field of a serialized message: its number, its bytes with the tag, and, for a
// length-delimited field only, its content (not nil then, even if empty).
func eachField(raw []byte, do func(num protowire.Number, whole, content []byte) error) error {
	for len(raw) > 0 {
		num, typ, tag := protowire.ConsumeTag(raw)
		if tag < 0 {
			return fmt.Errorf("no protobuf message: %s", plain(protowire.ParseError(tag)))
		}
		n := protowire.ConsumeFieldValue(num, typ, raw[tag:])
		if n < 0 {
			return fmt.Errorf("no protobuf message: %s", plain(protowire.ParseError(n)))
		}
		var content []byte
		if typ == protowire.BytesType {
			content, _ = protowire.ConsumeBytes(raw[tag:])
			if content == nil {
				content = []byte{}
			}
		}
		if err := do(num, raw[:tag+n], content); err != nil {
			return err
		}
		raw = raw[tag+n:]
	}
	return nil
}
