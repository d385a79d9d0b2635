// Package transcode says what becomes of a request that goes through Envoy's gRPC-JSON transcoder to a gRPC server.
//
// In go descriptor sets (the dictionary that the transcoder has loaded, the types that the server was built from), the
// transcoder's configuration, and the bytes of a request and of the handler's answer; out come what the client sees and what
// the server received. Envoy is modelled as of 1.40; the numbered facts (E3.1, E4.2, E6.4) stand in docs/semantics.md, and a
// real Envoy is asked in the tests. The package refuses to judge: what two releases mean for each other is package pair's
// question, and what a handler does with a value is nobody's.
package transcode

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// Refused is why Envoy rejects a listener with this dictionary and configuration. What served before keeps serving; a proxy
// that has nothing yet does not become ready (E3.1).
type Refused struct {
	Service string // the entry of services that is not in the dictionary, "" for another reason
	Reason  string
}

func (r *Refused) Error() string { return "listener rejected: " + r.Reason }

// Proxy is a transcoder that has loaded its dictionary.
type Proxy struct {
	cfg      descriptor.Transcoder
	set      *descriptor.Set
	root     node
	verbs    []string // custom verbs of all templates
	bindings []*Binding
	writer   wirejson.Writer
	printer  wirejson.Printer
}

// method is a method of the dictionary, or of the server.
type method struct {
	descriptor.Method
	input, output protoreflect.MessageDescriptor
	requestBody   []protoreflect.FieldDescriptor // path of the HttpBody that takes the request's body raw
	rawRequest    bool
	responseBody  []protoreflect.FieldDescriptor // path of the HttpBody that is the response
	rawResponse   bool
}

// Binding is one HTTP rule of a method, as the transcoder took it.
type Binding struct {
	*method
	Rule     descriptor.Rule
	template *template
}

// Input is the message that a request becomes.
func (b *Binding) Input() protoreflect.MessageDescriptor { return b.input }

// Output is the message that an answer is read as.
func (b *Binding) Output() protoreflect.MessageDescriptor { return b.output }

// RawRequest says that the body goes to a google.api.HttpBody as it is; RawResponse, that it comes from one.
func (b *Binding) RawRequest() bool { return b.rawRequest }

// RawResponse is the same for the answer.
func (b *Binding) RawResponse() bool { return b.rawResponse }

// Key is equal for the bindings that clash: verb and template with variables erased.
func (b *Binding) Key() string { return b.Rule.Verb + " " + b.template.key() }

// FillPath fills the template: value gives the text for the variable of a field, one segment long. What it does not give, and
// variables of several segments, get a text that stands for them.
func (b *Binding) FillPath(value func(path []string, fd protoreflect.FieldDescriptor) (string, bool)) string {
	segments := slices.Clone(b.template.segments)
	for i, s := range segments {
		if s == "*" || s == "**" {
			segments[i] = "1"
		}
	}
	for _, v := range b.template.variables {
		fields, err := fieldPath(b.input, v.path)
		if err != nil || v.end != v.start+1 {
			continue
		}
		if text, ok := value(v.path, fields[len(fields)-1]); ok {
			segments[v.start] = url.PathEscape(text)
		}
	}
	path := "/" + strings.Join(segments, "/")
	if b.template.verb != "" {
		path += ":" + b.template.verb
	}
	return path
}

// Bindings gives all routes in the order of registration, also those that clash.
func (p *Proxy) Bindings() []*Binding { return p.bindings }

const httpBody protoreflect.FullName = "google.api.HttpBody"

// known are the types that an Any may hold. Where statuses are converted, the transcoder adds two of its own.
type known struct {
	set     *descriptor.Set
	builtin bool
}

func (k known) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	d, err := k.set.Types().FindDescriptorByName(name)
	if err != nil && k.builtin {
		for _, m := range []protoreflect.ProtoMessage{&anypb.Any{}, &status.Status{}} {
			if md := m.ProtoReflect().Descriptor(); md.FullName() == name {
				return md, nil
			}
		}
	}
	return d, err
}

// Load reads a dictionary as the transcoder does. The error is a [*Refused]. With no services the filter is off: every
// request passes it (E1.1).
func Load(set *descriptor.Set, cfg descriptor.Transcoder) (*Proxy, error) {
	p := &Proxy{cfg: cfg, set: set}
	types := known{set, cfg.ConvertGRPCStatus}
	p.writer = wirejson.Writer{Types: types, FoldEnums: cfg.CaseInsensitiveEnumParsing}
	p.printer = wirejson.Printer{
		Types:          types,
		Whitespace:     cfg.PrintOptions.AddWhitespace,
		AlwaysPrint:    cfg.PrintOptions.AlwaysPrintPrimitiveFields,
		EnumsAsNumbers: cfg.PrintOptions.AlwaysPrintEnumsAsInts,
		OriginalNames:  cfg.PrintOptions.PreserveProtoFieldNames,
	}
	if len(cfg.Services) == 0 {
		return p, nil
	}
	if len(set.Refusals) > 0 {
		return nil, &Refused{Reason: set.Refusals[0]}
	}
	for _, name := range cfg.Services {
		service, ok := set.Service(name)
		if !ok {
			return nil, &Refused{Service: name, Reason: fmt.Sprintf("the dictionary has no service %q", name)}
		}
		for _, m := range service.Methods {
			if err := p.register(m); err != nil {
				return nil, &Refused{Reason: fmt.Sprintf("method %s: %s", m.Name, err)}
			}
		}
	}
	return p, nil
}

// register follows JsonTranscoderConfig::createMethodInfo and PathMatcherUtility::RegisterByHttpRule.
func (p *Proxy) register(dm descriptor.Method) error {
	rules, main := dm.Rules, descriptor.Rule{}
	switch {
	case dm.Option != nil:
		main = *dm.Option
	case p.cfg.AutoMapping:
		main = descriptor.Rule{Verb: "POST", Template: dm.Path(), Body: "*"}
		rules = []descriptor.Rule{main}
	}
	m, err := methodOf(p.set, dm)
	if err != nil {
		return err
	}
	if m.requestBody, m.rawRequest, err = resolve(m.input, main.Body); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if m.responseBody, m.rawResponse, err = resolve(m.output, main.ResponseBody); err != nil {
		return fmt.Errorf("response_body: %w", err)
	}
	if len(m.responseBody) > 0 && !m.rawResponse {
		return fmt.Errorf("response_body %q is no google.api.HttpBody", main.ResponseBody)
	}
	for _, r := range rules {
		t, ok := parseTemplate(r.Template)
		if !ok {
			return fmt.Errorf("template %q cannot be parsed", r.Template)
		}
		if t.verb != "" && !slices.Contains(p.verbs, t.verb) {
			p.verbs = append(p.verbs, t.verb)
		}
		b := &Binding{method: m, Rule: r, template: t}
		p.bindings = append(p.bindings, b)
		p.root.insert(t.segments, r.Verb+t.verb, b)
	}
	return nil
}

func methodOf(set *descriptor.Set, dm descriptor.Method) (*method, error) {
	d, err := set.Types().FindDescriptorByName(protoreflect.FullName(dm.Name))
	md, ok := d.(protoreflect.MethodDescriptor)
	if err != nil || !ok || md.Input().IsPlaceholder() || md.Output().IsPlaceholder() {
		return nil, fmt.Errorf("its types are not in the set")
	}
	return &method{Method: dm, input: md.Input(), output: md.Output()}, nil
}

// resolve follows a field path; "" and "*" are the message itself.
func resolve(md protoreflect.MessageDescriptor, path string) (fields []protoreflect.FieldDescriptor, raw bool, err error) {
	if path == "*" {
		path = ""
	}
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '.' })
	if len(names) == 0 {
		return nil, md.FullName() == httpBody, nil
	}
	fields, err = fieldPath(md, names)
	if err != nil {
		return nil, false, err
	}
	last := fields[len(fields)-1].Message()
	return fields, last != nil && last.FullName() == httpBody, nil
}

// fieldPath finds the fields that a dotted name goes through: by JSON name or original name, at each step a message.
func fieldPath(md protoreflect.MessageDescriptor, names []string) ([]protoreflect.FieldDescriptor, error) {
	var out []protoreflect.FieldDescriptor
	for i, name := range names {
		fd := wirejson.FieldByName(md, name)
		if fd == nil {
			fd = wirejson.FieldByName(md, unescape(name, "", false))
		}
		if fd == nil {
			return nil, fmt.Errorf("no field %q in %s", name, md.FullName())
		}
		out = append(out, fd)
		if i < len(names)-1 {
			if fd.Kind() != protoreflect.MessageKind {
				return nil, fmt.Errorf("field %q is no message", name)
			}
			md = fd.Message()
		}
	}
	return out, nil
}

// Find gives the path of the gRPC method for a verb and a path; false if there is none.
func (p *Proxy) Find(verb, path string) (string, bool) {
	b, _, _ := p.find(verb, path)
	if b == nil {
		return "", false
	}
	return b.Path(), true
}

// find looks a request up, as PathMatcher::Lookup does. Trailing slashes are ignored; several says that two methods claim
// the route, so that neither has it.
func (p *Proxy) find(verb, path string) (b *Binding, parts []string, several bool) {
	custom := ""
	if i := strings.LastIndexByte(path, ':'); i > strings.LastIndexByte(path, '/') && i >= 0 {
		if p.cfg.MatchUnregisteredCustomVerb || slices.Contains(p.verbs, path[i+1:]) {
			path, custom = path[:i], path[i+1:]
		}
	}
	if path != "" {
		parts = strings.Split(path[1:], "/")
	}
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	f := p.root.lookup(parts, verb+custom)
	if f == nil || f.several {
		return nil, parts, f != nil
	}
	return f.binding, parts, false
}
