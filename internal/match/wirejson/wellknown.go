package wirejson

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Messages with a JSON form of their own.
const (
	anyName       protoreflect.FullName = "google.protobuf.Any"
	structName    protoreflect.FullName = "google.protobuf.Struct"
	valueName     protoreflect.FullName = "google.protobuf.Value"
	listName      protoreflect.FullName = "google.protobuf.ListValue"
	timestampName protoreflect.FullName = "google.protobuf.Timestamp"
	durationName  protoreflect.FullName = "google.protobuf.Duration"
	maskName      protoreflect.FullName = "google.protobuf.FieldMask"
	nullName      protoreflect.FullName = "google.protobuf.NullValue"
)

// Bounds of Timestamp and Duration in seconds.
const (
	minTimestamp = -62135596800
	maxTimestamp = 253402300799
	maxDuration  = 315576000000
)

// IsWellKnown says that a message is printed in a form of its own, not as an object of its fields.
func IsWellKnown(md protoreflect.MessageDescriptor) bool {
	switch md.FullName() {
	case anyName, structName, listName:
		return true
	}
	return isRendered(md)
}

// isRendered says that a message can be written from a scalar.
func isRendered(md protoreflect.MessageDescriptor) bool {
	switch md.FullName() {
	case timestampName, durationName, maskName, valueName:
		return true
	}
	return IsWrapper(md)
}

// IsWrapper says that a message is one of the wrappers of wrappers.proto: in JSON it is its value.
func IsWrapper(md protoreflect.MessageDescriptor) bool {
	name, ok := strings.CutPrefix(string(md.FullName()), "google.protobuf.")
	switch name {
	case "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue", "StringValue", "BytesValue":
		return ok
	}
	return false
}

func isNullEnum(fd protoreflect.FieldDescriptor) bool {
	return fd.Kind() == protoreflect.EnumKind && fd.Enum().FullName() == nullName
}

// rendered writes the JSON form of a well-known type into its message.
func (w Writer) rendered(e *element, v Value) error {
	switch e.md.FullName() {
	case structName:
		return w.member(e, 1, v)
	case listName:
		return w.member(e, 1, v)
	case valueName:
		number := map[Kind]protoreflect.FieldNumber{Null: 1, Uint: 2, Int: 2, Double: 2, String: 3, Bool: 4, Object: 5, List: 6}[v.Kind]
		return w.member(e, number, v)
	}
	if v.Kind == Null {
		return nil
	}
	if IsWrapper(e.md) {
		return w.member(e, 1, v)
	}
	if v.Kind != String {
		return fmt.Errorf("not a string")
	}
	switch e.md.FullName() {
	case timestampName:
		seconds, nanos, err := parseTimestamp(v.Text)
		return e.pair(seconds, nanos, err)
	case durationName:
		seconds, nanos, err := parseDuration(v.Text)
		return e.pair(seconds, nanos, err)
	case maskName:
		for path := range strings.SplitSeq(v.Text, ",") {
			if path != "" {
				e.out = protowire.AppendString(protowire.AppendTag(e.out, 1, protowire.BytesType), snake(path))
			}
		}
		return nil
	}
	return fmt.Errorf("no message is written from a scalar")
}

// member writes one field of a well-known type, found by its number: the set may hold another definition of it.
func (w Writer) member(e *element, n protoreflect.FieldNumber, v Value) error {
	fd := e.md.Fields().ByNumber(n)
	if fd == nil {
		return nil
	}
	if v.Kind == Null && fd.Kind() == protoreflect.EnumKind {
		e.out = protowire.AppendVarint(protowire.AppendTag(e.out, n, protowire.VarintType), 0)
		return nil
	}
	return w.field(e, fd, v)
}

func (e *element) pair(seconds, nanos int64, err error) error {
	if err != nil {
		return err
	}
	e.out = protowire.AppendVarint(protowire.AppendTag(e.out, 1, protowire.VarintType), uint64(seconds))
	e.out = protowire.AppendVarint(protowire.AppendTag(e.out, 2, protowire.VarintType), uint64(nanos))
	return nil
}

func parseTimestamp(s string) (seconds, nanos int64, err error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Unix() < minTimestamp || t.Unix() > maxTimestamp {
		return 0, 0, fmt.Errorf("not a timestamp")
	}
	return t.Unix(), int64(t.Nanosecond()), nil
}

var durationForm = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]{0,9}))?s$`)

func parseDuration(s string) (seconds, nanos int64, err error) {
	m := durationForm.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, fmt.Errorf("not a duration")
	}
	seconds, err = strconv.ParseInt(m[2], 10, 64)
	if err != nil || seconds > maxDuration {
		return 0, 0, fmt.Errorf("duration out of range")
	}
	nanos, err = strconv.ParseInt((m[3] + "000000000")[:9], 10, 64)
	if m[1] == "-" {
		seconds, nanos = -seconds, -nanos
	}
	return seconds, nanos, err
}

func snake(path string) string {
	var b strings.Builder
	for _, r := range path {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
