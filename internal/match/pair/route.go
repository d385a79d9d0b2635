package pair

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// The kinds of changes that are not those of a message or an enum.
const (
	routeAdded     delta.Kind = "route-added"
	routeRemoved   delta.Kind = "route-removed" // its method stays
	routeMoved     delta.Kind = "route-moved"
	methodRemoved  delta.Kind = "method-removed"
	serviceRenamed delta.Kind = "service-renamed"
	methodRenamed  delta.Kind = "method-renamed"
	routeShadowed  delta.Kind = "route-shadowed"
	routeUnfound   delta.Kind = "route-unfound"
	refused        delta.Kind = "refused"
	ruleChanged    delta.Kind = "rule"
	streamChanged  delta.Kind = "stream"
	rawChanged     delta.Kind = "http-body"
	detailChanged  delta.Kind = "status-detail"
)

// ends gives what the old API has and what the new one has.
func ends[T any](p *prober, own, other T) (old, new T) {
	if p.client == NewClient {
		return other, own
	}
	return own, other
}

// routeChange says why a route as a whole is not what it was.
func (p *prober) routeChange(o transcode.Outcome) delta.Change {
	switch {
	case o == transcode.Rejected:
		_, which := ends(p, "new", "old")
		return delta.Change{Kind: refused, Words: fmt.Sprintf("the proxy refuses the %s dictionary", which)}
	case o == transcode.Shadowed:
		return delta.Change{Kind: routeShadowed, Element: p.name, Words: "two methods claim " + p.name}
	case p.to == nil:
		return p.routeGone()
	case p.from.Path() != p.to.Path():
		return renamed(ends(p, p.from.Name, p.to.Name))
	}
	return delta.Change{Kind: routeUnfound, Element: p.name, Words: p.name + " is not found as before"}
}

// routeGone is a route that only the API of the callers has: of a method that has another one, or of none.
func (p *prober) routeGone() delta.Change {
	var others []string
	methodStays := false
	for _, b := range p.b.bindingsOf(p.from.Name) {
		methodStays = true
		if p.a.routes[b.Key()] == nil {
			others = append(others, b.Rule.Verb+" "+b.Rule.Template)
		}
	}
	method := p.from.Name
	switch {
	case len(others) > 0:
		old, new := ends(p, p.name, delta.Few(others))
		return delta.Change{Kind: routeMoved, Element: method, Old: old, New: new, Words: fmt.Sprintf("%s of %s moves to %s", old, method, new)}
	case p.client == NewClient:
		return delta.Change{Kind: routeAdded, Element: method, New: p.name, Words: fmt.Sprintf("%s of %s is new", p.name, method)}
	case methodStays || p.b.has(method):
		return delta.Change{Kind: routeRemoved, Element: method, Old: p.name, Words: fmt.Sprintf("%s of %s goes, the method stays", p.name, method)}
	}
	return delta.Change{Kind: methodRemoved, Element: method, Old: p.name, Words: fmt.Sprintf("method %s goes, and with it %s", method, p.name)}
}

func (s *side) bindingsOf(method string) []*transcode.Binding {
	if s.proxy == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.proxy.Bindings()), func(b *transcode.Binding) bool { return b.Name != method })
}

func (s *side) has(method string) bool {
	_, err := s.set.Types().FindDescriptorByName(protoreflect.FullName(method))
	return err == nil
}

// renamed is a route whose gRPC method has another name now.
func renamed(old, new string) delta.Change {
	service, method := cutName(old)
	newService, newMethod := cutName(new)
	if service != newService && method == newMethod {
		return delta.Change{Kind: serviceRenamed, Element: service, Old: service, New: newService,
			Words: fmt.Sprintf("service %s becomes %s", service, newService)}
	}
	return delta.Change{Kind: methodRenamed, Element: old, Old: old, New: new, Words: fmt.Sprintf("method %s becomes %s", old, new)}
}

func cutName(full string) (service, method string) {
	i := strings.LastIndexByte(full, '.')
	return full[:max(i, 0)], full[i+1:]
}

// ruleChange is another body, or another place of the fields, on the same verb and template.
func (p *prober) ruleChange() delta.Change {
	old, new := ends(p, p.from.Rule, p.to.Rule)
	word := func(body string) string {
		if body == "" {
			return "none"
		}
		return body
	}
	c := delta.Change{Kind: ruleChanged, Element: p.name, Old: word(old.Body), New: word(new.Body)}
	c.Words = fmt.Sprintf("body of %s becomes %s, it was %s", p.name, c.New, c.Old)
	if c.Old == c.New {
		c.Words = fmt.Sprintf("%s is bound in another way", p.name)
	}
	return c
}

func (p *prober) streamChange() delta.Change {
	old, new := ends(p, p.from, p.to)
	var words []string
	for _, w := range []struct {
		was, is   bool
		both, one string
	}{
		{old.ClientStreaming, new.ClientStreaming, "takes a stream", "takes one message"},
		{old.ServerStreaming, new.ServerStreaming, "answers with a stream", "answers with one message"},
	} {
		switch {
		case w.is && !w.was:
			words = append(words, w.both)
		case w.was && !w.is:
			words = append(words, w.one)
		}
	}
	return delta.Change{Kind: streamChanged, Element: old.Name, Words: fmt.Sprintf("method %s %s", old.Name, strings.Join(words, " and "))}
}

func (p *prober) rawChange() delta.Change {
	old, new := ends(p, p.from, p.to)
	c := delta.Change{Kind: rawChanged, Element: old.Name, Old: string(old.Output().FullName()), New: string(new.Output().FullName())}
	c.Words = fmt.Sprintf("answer of %s becomes %s, it was %s", old.Name, c.New, c.Old)
	if c.Old == c.New {
		c.Words = fmt.Sprintf("answer of %s is sent raw in another way", old.Name)
	}
	return c
}

// detailChange names the types that an API alone has.
func (p *prober) detailChange(types []protoreflect.MessageDescriptor, state int) delta.Change {
	var list []string
	for _, md := range types {
		list = append(list, string(md.FullName()))
	}
	c := delta.Change{Kind: detailChanged, Element: list[0]}
	if isNew := (state == otherServer) == (p.client == OldClient); isNew {
		c.New, c.Words = delta.Few(list), "messages that a status may hold are new: "+delta.Few(list)
	} else {
		c.Old, c.Words = delta.Few(list), "messages that a status may hold go: "+delta.Few(list)
	}
	return c
}
