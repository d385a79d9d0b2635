package transcode

import (
	"strings"
)

// template is a parsed path template: its segments with variables erased ("*" and "**" are wildcards), its custom verb,
// and which segments a variable takes.
type template struct {
	segments  []string
	verb      string
	variables []variable
}

// variable binds segments [start, end) to a field. An end below zero counts from the end of the path: -1 is the end.
type variable struct {
	path       []string
	start, end int
}

// parseTemplate reads a template as Envoy does (grpc-httpjson-transcoding, http_template.cc); false: not to be parsed, and
// the listener is rejected.
func parseTemplate(text string) (*template, bool) {
	if text == "/" {
		return &template{}, true
	}
	p := &templateParser{rest: text, t: &template{}}
	if !p.take("/") || !p.segments(false) {
		return nil, false
	}
	if p.take(":") {
		if p.t.verb = p.literal(); p.t.verb == "" {
			return nil, false
		}
	}
	if p.rest != "" {
		return nil, false
	}
	wild := false // only literals may follow **
	for _, s := range p.t.segments {
		if wild && (s == "*" || s == "**") {
			return nil, false
		}
		wild = wild || s == "**"
	}
	for i, v := range p.t.variables {
		for _, s := range p.t.segments[v.start:v.end] {
			if s == "**" {
				p.t.variables[i].end = v.end - len(p.t.segments) - 1
				break
			}
		}
	}
	return p.t, true
}

type templateParser struct {
	rest string
	t    *template
}

func (p *templateParser) take(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *templateParser) literal() string {
	n := strings.IndexAny(p.rest, "/:}")
	if n < 0 {
		n = len(p.rest)
	}
	s := p.rest[:n]
	p.rest = p.rest[n:]
	return s
}

func (p *templateParser) segments(inVariable bool) bool {
	for {
		switch {
		case p.take("**"):
			p.t.segments = append(p.t.segments, "**")
		case p.take("*"):
			p.t.segments = append(p.t.segments, "*")
		case strings.HasPrefix(p.rest, "{"):
			if inVariable || !p.variable() {
				return false
			}
		default:
			s := p.literal()
			if s == "" {
				return false
			}
			p.t.segments = append(p.t.segments, s)
		}
		if !p.take("/") {
			return true
		}
	}
}

func (p *templateParser) variable() bool {
	p.take("{")
	v := variable{start: len(p.t.segments)}
	for {
		n := strings.IndexAny(p.rest, ".}=")
		if n <= 0 {
			return false
		}
		v.path = append(v.path, p.rest[:n])
		p.rest = p.rest[n:]
		if !p.take(".") {
			break
		}
	}
	if p.take("=") {
		if !p.segments(true) {
			return false
		}
	} else {
		p.t.segments = append(p.t.segments, "*")
	}
	v.end = len(p.t.segments)
	p.t.variables = append(p.t.variables, v)
	return p.take("}")
}

// key is equal for two templates that Envoy takes for the same route of a verb.
func (t *template) key() string { return "/" + strings.Join(t.segments, "/") + ":" + t.verb }

// node is one segment of Envoy's tree of templates (path_matcher_node.cc).
type node struct {
	children map[string]*node
	results  map[string]*found // by verb
	wildcard bool
}

type found struct {
	binding *Binding
	several bool // two methods have this verb and template: neither is found
}

func (n *node) insert(segments []string, verb string, b *Binding) {
	for _, s := range segments {
		child := n.children[s]
		if child == nil {
			child = &node{}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[s] = child
		}
		n = child
		n.wildcard = n.wildcard || s == "**"
	}
	if n.results == nil {
		n.results = map[string]*found{}
	}
	n.results[verb] = &found{binding: b, several: n.results[verb] != nil}
}

// lookup tries a literal child first, then "*", then "**"; the first hit wins, also an ambiguous one.
func (n *node) lookup(parts []string, verb string) *found {
	for ; ; parts = parts[1:] {
		if len(parts) == 0 {
			if f := n.result(verb); f != nil {
				return f
			}
			if child := n.children["**"]; child != nil {
				return child.result(verb)
			}
			return nil
		}
		if f := n.child(parts[0], parts, verb); f != nil {
			return f
		}
		if !n.wildcard {
			break
		}
	}
	for _, s := range []string{"*", "**"} {
		if f := n.child(s, parts, verb); f != nil {
			return f
		}
	}
	return nil
}

func (n *node) child(segment string, parts []string, verb string) *found {
	if c := n.children[segment]; c != nil {
		return c.lookup(parts[1:], verb)
	}
	return nil
}

func (n *node) result(verb string) *found {
	if f := n.results[verb]; f != nil {
		return f
	}
	return n.results["*"]
}
