package kustomize

import (
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// shortestSecret is the length from which a value is looked for in messages: shorter ones are words of any sentence.
const shortestSecret = 4

// secrets lists the values in the closure that belong to Secrets. It is asked for when a build failed, as a second guard
// around messages that are not ours.
func (c *closure) secrets() []string {
	var all []string
	add := func(values ...string) {
		for _, v := range values {
			if v = strings.TrimSpace(v); len(v) >= shortestSecret {
				all = append(all, v)
			}
		}
	}
	for _, k := range c.byDir {
		for _, g := range k.spec.SecretGenerator {
			for _, literal := range g.LiteralSources {
				add(literal, afterKey(literal))
			}
			for _, u := range sourceUses("", g.KvPairSources) {
				content, err := c.files.read(path.Join(k.dir, u.name))
				if err != nil {
					continue
				}
				for line := range strings.Lines(string(content)) {
					add(line, afterKey(line))
				}
			}
		}
		for _, text := range inline(&k.spec) {
			add(secretsIn("", []byte(text))...)
		}
	}
	for name := range c.read {
		if content, err := c.files.read(name); err == nil {
			add(secretsIn(name, content)...)
		}
	}
	return all
}

// secretsIn lists the values of the Secrets, of patches to them and of their generators in a text.
func secretsIn(name string, text []byte) []string {
	var all []string
	objects, _ := plain.Documents(name, text)
	for _, o := range objects {
		switch o.ID.Kind {
		case "Secret":
			for _, field := range []string{"data", "stringData"} {
				for _, v := range object.StringMap(object.Get(o.Fields, field)) {
					all = append(all, v)
				}
			}
		case "SecretGenerator":
			for _, v := range object.List(o.Fields, "literals") {
				literal, _ := v.(string)
				all = append(all, literal, afterKey(literal))
			}
		}
	}
	return all
}
