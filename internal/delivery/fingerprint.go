package delivery

import (
	"crypto/sha256"
	"fmt"
)

// Fingerprint is equal for cases that have the same states, steps and predicates by construction: what their numbers stand
// for does not matter.
func (c *Case) Fingerprint() [sha256.Size]byte {
	plain := *c
	plain.Pair.Match, plain.Pair.Accepts, plain.Pair.Blocks = nil, nil, nil
	h := sha256.New()
	fmt.Fprintf(h, "%+v", plain) // maps are printed in the order of their keys
	for _, consumer := range c.consumers() {
		for provider := Content(0); provider <= c.versions(); provider++ {
			for filter := Content(0); filter <= c.versions(); filter++ {
				accepts := c.Pair.Accepts == nil || c.Pair.Accepts(consumer, provider, filter)
				blocks := c.Pair.Blocks != nil && c.Pair.Blocks(consumer, provider)
				fmt.Fprint(h, c.Pair.Match(consumer, provider, filter), accepts, blocks, ";")
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// consumers are the versions of the consumer that a match is asked about.
func (c *Case) consumers() []int {
	var out []int
	if w := c.Pair.Workload; w != None {
		for _, t := range c.Workloads[w].Templates {
			out = append(out, t.Image)
		}
		return out
	}
	for content := range c.versions() {
		out = append(out, int(content)+1)
	}
	return out
}

// versions is the highest content of any object.
func (c *Case) versions() Content {
	var most Content
	for _, o := range c.Objects {
		for _, row := range o.Render {
			for _, content := range row {
				most = max(most, content)
			}
		}
	}
	return most
}
