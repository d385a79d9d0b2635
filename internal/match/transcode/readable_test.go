package transcode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// readable prints a message in a stable text form, fields by name.
func readable(t *testing.T, text, name string, raw []byte) string {
	t.Helper()
	d, err := decode(t, text).Types().FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		t.Fatal(err)
	}
	md, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		t.Fatalf("%s is no message", name)
	}
	m := dynamicpb.NewMessage(md)
	if err := proto.Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	return fields(m)
}

func fields(m protoreflect.Message) string {
	var parts []string
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		values := []protoreflect.Value{v}
		if fd.IsList() {
			values = nil
			for i := range v.List().Len() {
				values = append(values, v.List().Get(i))
			}
		}
		for _, v := range values {
			switch {
			case fd.Message() != nil:
				parts = append(parts, string(fd.Name())+":{"+fields(v.Message())+"}")
			case fd.Kind() == protoreflect.StringKind:
				parts = append(parts, fmt.Sprintf("%s:%q", fd.Name(), v.String()))
			case fd.Kind() == protoreflect.BytesKind:
				parts = append(parts, fmt.Sprintf("%s:%q", fd.Name(), v.Bytes()))
			default:
				parts = append(parts, fmt.Sprintf("%s:%v", fd.Name(), v.Interface()))
			}
		}
		return true
	})
	slices.SortStableFunc(parts, func(a, b string) int {
		x, _, _ := strings.Cut(a, ":")
		y, _, _ := strings.Cut(b, ":")
		return strings.Compare(x, y)
	})
	return strings.Join(parts, " ")
}
