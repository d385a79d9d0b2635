package delta

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// typeOf is a field's type as a declaration has it.
func typeOf(f protoreflect.FieldDescriptor) string {
	switch {
	case f.IsMap():
		return fmt.Sprintf("map<%s, %s>", elementOf(f.MapKey()), elementOf(f.MapValue()))
	case f.IsList():
		return "repeated " + elementOf(f)
	}
	return elementOf(f)
}

func elementOf(f protoreflect.FieldDescriptor) string {
	switch {
	case f.Message() != nil:
		return string(f.Message().FullName())
	case f.Enum() != nil:
		return string(f.Enum().FullName())
	}
	return f.Kind().String()
}

// sameType says that two types are the same, whatever their messages and enums are called.
func sameType(f, g protoreflect.FieldDescriptor) bool {
	if f.IsMap() && g.IsMap() {
		return sameType(f.MapKey(), g.MapKey()) && sameType(f.MapValue(), g.MapValue())
	}
	return f.Kind() == g.Kind() && f.IsMap() == g.IsMap() && f.IsList() == g.IsList() &&
		(f.Message() == nil || Special(f.Message()) == Special(g.Message()))
}

// free gives a name and a number that neither API uses in the message, for a field that holds the new form of f.
func free(f, g protoreflect.FieldDescriptor) string {
	messages := []protoreflect.MessageDescriptor{f.ContainingMessage(), g.ContainingMessage()}
	name := string(g.Name())
	if f.Name() == g.Name() {
		name += "_" + suffix(f, g)
	}
	taken := func(name string) bool {
		for _, md := range messages {
			if md.Fields().ByName(protoreflect.Name(name)) != nil {
				return true
			}
		}
		return false
	}
	base := name
	for i := 2; taken(name) && name != string(g.Name()); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	number := protoreflect.FieldNumber(1)
	for _, md := range messages {
		for i := range md.Fields().Len() {
			number = max(number, md.Fields().Get(i).Number()+1)
		}
	}
	for reserved(messages, number) {
		number++
	}
	return fmt.Sprintf("%s = %d", name, number)
}

// The numbers that protobuf keeps for itself.
const firstReserved, lastReserved protoreflect.FieldNumber = 19000, 19999

func reserved(messages []protoreflect.MessageDescriptor, n protoreflect.FieldNumber) bool {
	for _, md := range messages {
		if md.ReservedRanges().Has(n) || md.ExtensionRanges().Has(n) {
			return true
		}
	}
	return n >= firstReserved && n <= lastReserved
}

// suffix tells a new form of a field from the old one.
func suffix(f, g protoreflect.FieldDescriptor) string {
	switch {
	case g.IsMap():
		return "map"
	case g.IsList() && !f.IsList():
		return "list"
	case f.IsList() && !g.IsList():
		return "one"
	case g.Kind() == protoreflect.StringKind:
		return "text"
	case g.Message() != nil:
		return strings.ToLower(string(g.Message().Name()))
	case g.Enum() != nil:
		return strings.ToLower(string(g.Enum().Name()))
	}
	return g.Kind().String()
}
