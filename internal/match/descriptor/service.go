package descriptor

import (
	"fmt"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

func servicesOf(types *protoregistry.Files, path string) ([]Service, error) {
	fd, err := types.FindFileByPath(path)
	if err != nil {
		return nil, fmt.Errorf("file %q: %s", path, plain(err))
	}
	var out []Service
	for i := range fd.Services().Len() {
		sd := fd.Services().Get(i)
		s := Service{Name: string(sd.FullName())}
		for j := range sd.Methods().Len() {
			s.Methods = append(s.Methods, methodOf(sd.Methods().Get(j)))
		}
		out = append(out, s)
	}
	return out, nil
}

func methodOf(md protoreflect.MethodDescriptor) Method {
	m := Method{
		Name:            string(md.FullName()),
		Input:           string(md.Input().FullName()),
		Output:          string(md.Output().FullName()),
		ClientStreaming: md.IsStreamingClient(),
		ServerStreaming: md.IsStreamingServer(),
	}
	// The generated package of the option is linked in, so that it is decoded here whether or not the set itself holds
	// google/api/annotations.proto.
	if o, ok := md.Options().(*descriptorpb.MethodOptions); ok && proto.HasExtension(o, annotations.E_Http) {
		if rule, ok := proto.GetExtension(o, annotations.E_Http).(*annotations.HttpRule); ok {
			m.Rules = appendRules(nil, rule)
			m.Option = &Rule{Body: rule.GetBody(), ResponseBody: rule.GetResponseBody()}
			if main := appendRules(nil, &annotations.HttpRule{Pattern: rule.GetPattern()}); len(main) > 0 {
				m.Option.Verb, m.Option.Template = main[0].Verb, main[0].Template
			}
		}
	}
	return m
}

// appendRules flattens a rule and its additional bindings, nested ones too. A rule without a pattern maps no route, so it
// gives none (Envoy loads it likewise).
func appendRules(out []Rule, r *annotations.HttpRule) []Rule {
	rule := Rule{Body: r.GetBody(), ResponseBody: r.GetResponseBody()}
	switch p := r.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		rule.Verb, rule.Template = "GET", p.Get
	case *annotations.HttpRule_Put:
		rule.Verb, rule.Template = "PUT", p.Put
	case *annotations.HttpRule_Post:
		rule.Verb, rule.Template = "POST", p.Post
	case *annotations.HttpRule_Delete:
		rule.Verb, rule.Template = "DELETE", p.Delete
	case *annotations.HttpRule_Patch:
		rule.Verb, rule.Template = "PATCH", p.Patch
	case *annotations.HttpRule_Custom:
		rule.Verb, rule.Template = p.Custom.GetKind(), p.Custom.GetPath()
	}
	if rule.Verb != "" {
		out = append(out, rule)
	}
	for _, more := range r.GetAdditionalBindings() {
		out = appendRules(out, more)
	}
	return out
}
