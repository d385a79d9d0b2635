package delta

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// loose are the messages that no method and no field uses, by name.
func loose(set *descriptor.Set) []protoreflect.MessageDescriptor {
	used := map[protoreflect.FullName]bool{}
	var all []protoreflect.MessageDescriptor
	eachMessage(set, func(md protoreflect.MessageDescriptor) {
		all = append(all, md)
		for i := range md.Fields().Len() {
			if inner := md.Fields().Get(i).Message(); inner != nil && inner.FullName() != md.FullName() {
				used[inner.FullName()] = true
			}
		}
	})
	for _, s := range set.Services {
		for _, m := range s.Methods {
			used[protoreflect.FullName(m.Input)], used[protoreflect.FullName(m.Output)] = true, true
		}
	}
	all = slices.DeleteFunc(all, func(md protoreflect.MessageDescriptor) bool { return used[md.FullName()] || md.IsMapEntry() })
	slices.SortFunc(all, func(a, b protoreflect.MessageDescriptor) int { return cmp.Compare(a.FullName(), b.FullName()) })
	return all
}

// eachMessage visits what the API itself declares, without the well-known types and the options.
func eachMessage(set *descriptor.Set, visit func(protoreflect.MessageDescriptor)) {
	var messages func(protoreflect.MessageDescriptors)
	messages = func(list protoreflect.MessageDescriptors) {
		for i := range list.Len() {
			visit(list.Get(i))
			messages(list.Get(i).Messages())
		}
	}
	set.Types().RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if f.Package() != "google.protobuf" && f.Package() != "google.api" {
			messages(f.Messages())
		}
		return true
	})
}

// HasAny says that a message of the set has a field for any other message.
func HasAny(set *descriptor.Set) bool {
	found := false
	eachMessage(set, func(md protoreflect.MessageDescriptor) {
		for i := range md.Fields().Len() {
			inner := md.Fields().Get(i).Message()
			found = found || inner != nil && inner.FullName() == AnyType
		}
	})
	return found
}

// ChangedLoose are the messages of both sets that no method and no field uses, and that are not the same. Sorted.
func (d *Delta) ChangedLoose() []string {
	var out []string
	for _, a := range d.From {
		i, ok := slices.BinarySearchFunc(d.To, a.FullName(), func(md protoreflect.MessageDescriptor, name protoreflect.FullName) int {
			return cmp.Compare(md.FullName(), name)
		})
		if ok && !d.Same(a, d.To[i]) {
			out = append(out, string(a.FullName()))
		}
	}
	return out
}
