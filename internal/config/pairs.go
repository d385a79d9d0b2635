package config

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Tag is what stands for the tag of an image in [Serves].Revision.
const Tag = "{{tag}}"

func (p *parser) pairs(nodes []yaml.Node) {
	for _, n := range nodes {
		pair, ok := p.pair(&n)
		if !ok {
			return
		}
		same := func(o Pair) bool {
			return o.Consumer == pair.Consumer && o.Provider == pair.Provider && o.Image == pair.Image
		}
		if slices.ContainsFunc(p.out.Pairs, same) {
			p.fail(n.Line, "the pair of %s and %s is listed twice", pair.Consumer.Name, pair.Provider.Name)
		}
		p.out.Pairs = append(p.out.Pairs, pair)
	}
}

// pair reads one entry; false after a mistake.
func (p *parser) pair(n *yaml.Node) (Pair, bool) {
	out := Pair{Line: n.Line}
	blocks := p.entries(n, "a pair", "consumer", "provider", "serves", "image")
	if image, ok := blocks["image"]; ok {
		out.Image = p.text(image, "image")
		if strings.ContainsAny(out.Image, "@ ") || strings.Contains(path.Base(out.Image), ":") {
			p.fail(image.Line, "image: %q has a tag or a digest; write the name alone", out.Image)
		}
	}
	out.Consumer = p.end(n, blocks["consumer"], "consumer", "kind", "namespace", "name")
	out.Provider = p.end(n, blocks["provider"], "provider", "kind", "namespace", "name", "key")
	if serves, ok := blocks["serves"]; ok {
		out.Serves = p.serves(serves)
	}
	return out, p.err == nil
}

func (p *parser) end(pair, n *yaml.Node, what string, keys ...string) End {
	if n == nil {
		p.fail(pair.Line, "a pair needs a consumer and a provider")
		return End{}
	}
	fields := p.texts(n, what, keys...)
	e := End{Kind: fields["kind"], Namespace: fields["namespace"], Name: fields["name"], Key: fields["key"]}
	if e.Kind == "" || e.Name == "" {
		p.fail(n.Line, "%s needs kind and name", what)
	}
	return e
}

func (p *parser) serves(n *yaml.Node) *Serves {
	f := p.texts(n, "serves", "repository", "protos", "revision", "descriptor")
	s := &Serves{Repository: f["repository"], Revision: f["revision"], Protos: f["protos"], Descriptor: f["descriptor"]}
	switch rest := strings.ReplaceAll(s.Revision, Tag, ""); {
	case (s.Protos == "") == (s.Descriptor == ""):
		p.fail(n.Line, "serves takes either protos or descriptor")
	case (s.Repository == "") != (s.Revision == ""):
		p.fail(n.Line, "serves takes repository and revision together; \".\" is this repository")
	case strings.ContainsAny(rest, "{}"):
		p.fail(n.Line, "revision: %q: only %s can stand in braces", s.Revision, Tag)
	case strings.HasPrefix(s.Revision, "-"):
		p.fail(n.Line, "revision: %q begins with a dash", s.Revision)
	}
	for _, inside := range []string{s.Protos, s.Descriptor} {
		if strings.HasPrefix(inside, "/") || slices.Contains(strings.Split(inside, "/"), "..") {
			p.fail(n.Line, "path %q leaves the repository", inside)
		}
	}
	return s
}

// entries gives the values of a mapping by key. Unknown and repeated keys are mistakes.
func (p *parser) entries(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, "%s is a mapping with %s", what, strings.Join(known, ", "))
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(known, key.Value) {
			p.fail(key.Line, "unknown key %q in %s", key.Value, what)
		}
		if out[key.Value] != nil {
			p.fail(key.Line, "%s stands twice in %s", key.Value, what)
		}
		out[key.Value] = n.Content[i+1]
	}
	return out
}

// texts is entries for a mapping of strings.
func (p *parser) texts(n *yaml.Node, what string, known ...string) map[string]string {
	values, out := p.entries(n, what, known...), map[string]string{}
	for _, key := range known { // in one order, so that the same mistake is the first one every time
		if value, ok := values[key]; ok {
			out[key] = p.text(value, key)
		}
	}
	return out
}

func (p *parser) text(n *yaml.Node, key string) string {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		p.fail(n.Line, "%s takes a string; put what looks like something else in quotes", key)
	case n.Value == "":
		p.fail(n.Line, "%s is empty", key)
	}
	return n.Value
}
