package refgraph

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
)

type contentKey struct {
	id  object.ID
	key string
}

// content is what became of one key of a ConfigMap or Secret that should hold a descriptor set.
type content struct {
	set     *descriptor.Set
	problem string // "" if it was decoded
}

// contentOf decodes a key, once for all its readers. What cannot be seen or read is a gap at the provider, or at the
// reader when no unit renders the provider.
func (b *builder) contentOf(id object.ID, key string, reader object.Location) content {
	k := contentKey{id, key}
	if len(b.objects[id]) == 0 {
		b.gap(diag.NotGiven, reader, "give the repository that delivers it with --repo",
			"%s, from which a proxy takes its descriptor, is rendered by no unit", id)
		return content{problem: fmt.Sprintf("%s is rendered by no unit", id)}
	}
	c, ok := b.decoded[k]
	if !ok {
		c = b.readContent(b.objects[id], key)
		b.decoded[k] = c
	}
	return c
}

func (b *builder) readContent(renderings []Rendered, key string) content {
	first := renderings[0].Object
	raw, problem := b.bytesOf(first, key)
	if problem != "" {
		return content{problem: problem}
	}
	for _, r := range renderings[1:] {
		if other, problem := b.bytesOf(r.Object, key); problem != "" || !bytes.Equal(raw, other) {
			return content{problem: fmt.Sprintf("the units that render %s disagree on key %q", first.ID, key)}
		}
	}
	set, err := b.sets.decode(raw)
	if err != nil {
		b.gap(diag.Unparsable, first.Origin, "put the output of protoc --include_imports --descriptor_set_out there",
			"key %q of %s holds no descriptor set: %v", key, first.ID, err)
		return content{problem: fmt.Sprintf("key %q of %s holds no descriptor set: %v", key, first.ID, err)}
	}
	return content{set: set}
}

// bytesOf reads the bytes of a key, or says why there are none to be read.
func (b *builder) bytesOf(o object.Object, key string) (raw []byte, problem string) {
	text, encoded := object.Get(o.Fields, "binaryData", key), true
	if text == nil {
		text, encoded = object.Get(o.Fields, "data", key), o.ID.Kind == "Secret"
	}
	if text == nil && o.ID.Kind == "Secret" {
		text, encoded = object.Get(o.Fields, "stringData", key), false
	}
	s, ok := text.(string)
	switch {
	case !ok:
		return nil, fmt.Sprintf("%s has no key %q", o.ID, key)
	case object.IsSealed(s):
		b.gap(diag.Unsupported, o.Origin, "keep the descriptor in a ConfigMap that is not encrypted",
			"key %q of %s is confidential, so that the descriptor in it is not read", key, o.ID)
		return nil, fmt.Sprintf("key %q of %s is confidential", key, o.ID)
	case !encoded:
		return []byte(s), ""
	}
	if base64.StdEncoding.DecodedLen(len(s)) > descriptor.MaxSize+3 {
		return nil, b.notBase64(o, key, fmt.Sprintf("more than %d bytes", descriptor.MaxSize))
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return nil, b.notBase64(o, key, "not base64: "+err.Error())
	}
	return raw, ""
}

func (b *builder) notBase64(o object.Object, key, why string) string {
	problem := fmt.Sprintf("key %q of %s holds no descriptor set: %s", key, o.ID, why)
	b.gap(diag.Unparsable, o.Origin, "put the descriptor set there in base64", "%s", problem)
	return problem
}

// problems says what a proxy that loads a set with these services runs into.
func problems(set *descriptor.Set, services []string) string {
	var out []string
	for _, r := range set.Refusals {
		out = append(out, "the descriptor set is refused: "+r)
	}
	for _, name := range services {
		if _, ok := set.Service(name); !ok {
			out = append(out, fmt.Sprintf("the descriptor set has no service %q", name))
		}
	}
	return strings.Join(out, "; ")
}

// errAliases: an alias can stand for a text that is a million times as long.
var errAliases = errors.New("it uses aliases, which are not followed here")

// refuseAliases reads YAML without expanding anything.
func refuseAliases(text []byte) error {
	var doc yamlv3.Node
	if err := yamlv3.Unmarshal(text, &doc); err != nil {
		return err
	}
	var walk func(n *yamlv3.Node) error
	walk = func(n *yamlv3.Node) error {
		if n.Kind == yamlv3.AliasNode {
			return errAliases
		}
		for _, c := range n.Content {
			if err := walk(c); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(&doc)
}
