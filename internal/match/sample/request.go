package sample

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/flat"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// Request is the use as a client of a route sends it; print has the types of the client's API. False: a client cannot send
// it on this route (a map in the query, a slash in one segment).
func (u *Use) Request(b *transcode.Binding, print wirejson.Printer) (transcode.Request, bool) {
	text, err := print.Message(b.Input(), u.Message(b.Input()))
	if err != nil {
		return transcode.Request{}, false
	}
	v, err := wirejson.Parse(text)
	if err != nil || v.Kind != wirejson.Object {
		return transcode.Request{}, false
	}
	u.spell(&v)
	r := transcode.Request{Method: b.Rule.Verb}
	if r.Method == "*" {
		r.Method = "GET"
	}
	ok := true
	r.Target = b.FillPath(func(path []string, fd protoreflect.FieldDescriptor) (string, bool) {
		text := StandIn(fd)
		if value := take(&v, b.Input(), path); value != nil {
			text = flat.Compact(*value)
		}
		ok = ok && text != "" && !strings.ContainsAny(text, "/()")
		return text, true
	})
	var body *wirejson.Value
	switch {
	case !ok:
		return r, false
	case b.RawRequest():
		r.Body, r.ContentType = []byte("raw"), "text/plain"
		return r, len(v.Fields) == 0
	case b.Rule.Body == "*":
		whole := v
		body, v = &whole, wirejson.Value{}
	case b.Rule.Body != "":
		body = take(&v, b.Input(), strings.Split(b.Rule.Body, "."))
	}
	var query []string
	if !parameters(&query, "", v) {
		return r, false
	}
	if len(query) > 0 {
		r.Target += "?" + strings.Join(query, "&")
	}
	if body != nil {
		r.Body, r.ContentType = render(nil, *body), "application/json"
	}
	if b.ClientStreaming {
		one := []byte("{}")
		if body != nil {
			one = r.Body
		}
		r.Body, r.ContentType = slices.Concat([]byte("["), one, []byte("]")), "application/json"
	}
	return r, true
}

// spell writes the use's value of an enum by the name that was meant: a printer knows but the first of several.
func (u *Use) spell(v *wirejson.Value) {
	if u.Enum == nil {
		return
	}
	first := u.Enum.Parent().(protoreflect.EnumDescriptor).Values().ByNumber(u.Enum.Number())
	if first == u.Enum {
		return
	}
	if v.Kind == wirejson.String && v.Text == string(first.Name()) {
		v.Text = string(u.Enum.Name())
	}
	for i := range v.Items {
		u.spell(&v.Items[i])
	}
	for i := range v.Fields {
		u.spell(&v.Fields[i].Value)
	}
}

// take removes a field from an object and returns its value; nil if it is not set.
func take(v *wirejson.Value, md protoreflect.MessageDescriptor, names []string) *wirejson.Value {
	for i, f := range v.Fields {
		fd := wirejson.FieldByName(md, f.Name)
		if fd == nil || fd != wirejson.FieldByName(md, names[0]) {
			continue
		}
		if len(names) > 1 && fd.Message() != nil {
			return take(&v.Fields[i].Value, fd.Message(), names[1:])
		}
		fields := append([]wirejson.Field{}, v.Fields[:i]...)
		v.Fields = append(fields, v.Fields[i+1:]...)
		return &f.Value
	}
	return nil
}

// StandIn is a path segment that a field can read.
func StandIn(fd protoreflect.FieldDescriptor) string {
	switch fd.Kind() {
	case protoreflect.EnumKind:
		return string(fd.Enum().Values().Get(0).Name())
	case protoreflect.BoolKind:
		return "true"
	case protoreflect.BytesKind:
		return base64.URLEncoding.EncodeToString([]byte("one"))
	}
	return "1"
}

// parameters writes an object as query parameters; false if they cannot express it.
func parameters(out *[]string, prefix string, v wirejson.Value) bool {
	for _, f := range v.Fields {
		name := prefix + f.Name
		items := []wirejson.Value{f.Value}
		if f.Value.Kind == wirejson.List {
			items = f.Value.Items
		}
		for _, item := range items {
			switch {
			case item.Kind == wirejson.Object && f.Value.Kind == wirejson.List || item.Kind == wirejson.List:
				return false
			case item.Kind == wirejson.Object && (len(item.Fields) == 0 || !parameters(out, name+".", item)):
				return false
			case item.Kind != wirejson.Object:
				*out = append(*out, url.QueryEscape(name)+"="+strings.ReplaceAll(url.QueryEscape(flat.Compact(item)), "+", "%20"))
			}
		}
	}
	return true
}

// render writes JSON.
func render(out []byte, v wirejson.Value) []byte {
	switch v.Kind {
	case wirejson.String:
		return quote(out, v.Text)
	case wirejson.List:
		out = append(out, '[')
		for i, item := range v.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = render(out, item)
		}
		return append(out, ']')
	case wirejson.Object:
		out = append(out, '{')
		for i, f := range v.Fields {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(quote(out, f.Name), ':')
			out = render(out, f.Value)
		}
		return append(out, '}')
	}
	return append(out, flat.Compact(v)...)
}

func quote(out []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return append(out, `""`...)
	}
	return append(out, text...)
}
