package sample

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// inner is the message that holds the field.
func (u *Use) inner() []byte {
	if u.raw == nil {
		chain := u.chain[len(u.chain)-1:]
		u.raw = append([]byte{}, (&Use{chain: chain, set: u.set}).Message(chain[0].ContainingMessage())...)
	}
	return u.raw
}

// Within is Message of the use at the end of another chain. What the field's own message looks like is made once, and
// wrapped: a message that a hundred routes share is asked for thousands of times.
func (u *Use) Within(chain []protoreflect.FieldDescriptor, md protoreflect.MessageDescriptor) []byte {
	above := chain[:len(chain)-1]
	if !plain(above) {
		return u.At(chain).Message(md)
	}
	raw := u.inner()
	for _, fd := range slices.Backward(above) {
		out := make([]byte, 0, len(raw)+16)
		if fd.IsMap() {
			raw = protowire.AppendBytes(protowire.AppendTag(append(out, entryKey(fd)...), 2, protowire.BytesType), raw)
			out = make([]byte, 0, len(raw)+8)
		}
		raw = protowire.AppendBytes(protowire.AppendTag(out, fd.Number(), protowire.BytesType), raw)
	}
	return raw
}

// plain says that the messages along a chain need nothing but the field that leads on.
func plain(chain []protoreflect.FieldDescriptor) bool {
	return !slices.ContainsFunc(chain, func(fd protoreflect.FieldDescriptor) bool {
		return fd.Kind() == protoreflect.GroupKind || fd.ContainingMessage().RequiredNumbers().Len() > 0
	})
}

// entryKey is the first field of a map's entry.
func entryKey(fd protoreflect.FieldDescriptor) []byte {
	m := dynamicpb.NewMessage(fd.Message())
	m.Set(fd.MapKey(), typical(fd.MapKey(), 0))
	raw, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		return nil
	}
	return raw
}

// Body is the body that Request has with the use at the end of another chain, made like Within; false where more than the
// body depends on the field. minimal is the request without any field.
func (u *Use) Body(b *transcode.Binding, print wirejson.Printer, minimal transcode.Request, chain []protoreflect.FieldDescriptor) ([]byte, bool) {
	above := chain[:len(chain)-1]
	if b.Rule.Body != "*" || b.ClientStreaming || b.RawRequest() || string(minimal.Body) != "{}" || !plain(above) || InPath(b, chain) {
		return nil, false
	}
	if u.text == nil {
		text, err := print.Message(chain[len(chain)-1].ContainingMessage(), u.inner())
		if err != nil {
			return nil, false
		}
		v, err := wirejson.Parse(text)
		if err != nil {
			return nil, false
		}
		u.spell(&v)
		u.text = render(nil, v)
	}
	var body, end []byte
	for _, fd := range above {
		body = append(quote(append(body, '{'), fd.JSONName()), ':')
		end = append(end, '}')
		switch {
		case fd.IsList():
			body, end = append(body, '['), append(end, ']')
		case fd.IsMap():
			body = append(quote(append(body, '{'), typical(fd.MapKey(), 0).String()), ':')
			end = append(end, '}')
		}
	}
	slices.Reverse(end)
	return append(append(body, u.text...), end...), true
}

// InPath says that the value at the end of a chain, or one within it, goes by way of the route's path: that the template has a
// variable for it.
func InPath(b *transcode.Binding, chain []protoreflect.FieldDescriptor) bool {
	found := false
	b.FillPath(func(path []string, _ protoreflect.FieldDescriptor) (string, bool) {
		md := b.Input()
		for i, name := range path[:min(len(path), len(chain))] {
			if md == nil || wirejson.FieldByName(md, name) != chain[i] {
				return "", false
			}
			md = chain[i].Message()
		}
		found = found || len(path) >= len(chain)
		return "", false
	})
	return found
}
