package refgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Pair is a consumer and a provider with all that connects them.
type Pair struct {
	Consumer   object.ID
	Provider   object.ID
	References []Reference // strongest first: what a transcoder loads at start, then start, live, apply, exist
}

// Pairs groups the references of a graph, in the order of the graph.
func Pairs(g Graph) []Pair {
	var out []Pair
	for _, r := range g.References {
		if n := len(out) - 1; n >= 0 && out[n].Consumer == r.Consumer && out[n].Provider == r.Provider {
			out[n].References = append(out[n].References, r)
			continue
		}
		out = append(out, Pair{Consumer: r.Consumer, Provider: r.Provider, References: []Reference{r}})
	}
	return out
}

// rank is the strength of a reference, 0 the strongest.
func (r Reference) rank() int {
	switch {
	case r.How == Start && r.Descriptor != nil:
		return 0
	case r.How == Start:
		return 1
	case r.How == Live:
		return 2
	case r.How == Apply:
		return 3
	}
	return 4
}

// compare orders by pair, then by strength; it is 0 exactly for references that are equal but for their units. Provider
// units follow from the provider.
func (r Reference) compare(o Reference) int {
	return cmp.Or(
		r.Consumer.Compare(o.Consumer),
		r.Provider.Compare(o.Provider),
		cmp.Compare(r.rank(), o.rank()),
		compareBool(r.Optional, o.Optional),
		strings.Compare(r.Key, o.Key),
		strings.Compare(r.Via, o.Via),
		r.At.Compare(o.At),
		r.Descriptor.compare(o.Descriptor),
	)
}

// compare orders descriptors of one place in one filter: its configuration follows from the filter, the path and the
// services unless two units render the filter differently, and then one of these differs or they say the same here.
func (d *Descriptor) compare(o *Descriptor) int {
	if d == nil || o == nil {
		return compareBool(d != nil, o != nil)
	}
	return cmp.Or(
		d.Filter.Compare(o.Filter),
		strings.Compare(d.Path, o.Path),
		slices.Compare(d.Services, o.Services),
		strings.Compare(d.Problem, o.Problem),
		strings.Compare(d.digest(), o.digest()),
	)
}

func (d *Descriptor) digest() string {
	if d.Set == nil {
		return ""
	}
	return d.Set.Digest()
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
