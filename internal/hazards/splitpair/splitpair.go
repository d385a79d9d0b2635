// Package splitpair finds pairs of objects that must match and that two units deliver.
//
// In goes the reference graph, out comes one candidate for each pair whose ends no unit renders together. It refuses
// pairs whose provider is not in Git: there is nothing that could be delivered apart.
package splitpair

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

//go:embed README.md
var doc string

// Rule is the rule split-pair.
func Rule() hazard.Rule {
	return hazard.Rule{
		ID:    "split-pair",
		Title: "A consumer and what it reads are delivered by two units",
		Doc:   doc,
		Since: "0.1",
		Run:   run,
	}
}

func run(p *hazard.Pass) {
	for _, pair := range refgraph.Pairs(p.Snapshot.Graph) {
		first := pair.References[0]
		consumers, providers := units(pair), first.ProviderUnits
		if len(providers) == 0 || unit.Overlap(consumers, providers) {
			continue
		}
		provider, _ := p.Snapshot.Object(pair.Provider)
		p.Report(hazard.Candidate{
			Consumer: hazard.End{Object: pair.Consumer, Units: consumers, At: first.At},
			Provider: hazard.End{Object: pair.Provider, Units: providers, At: provider.Origin},
			Summary:  summary(pair),
			Links:    links(pair),
		})
	}
}

// units that render the consumer, over all references of a pair.
func units(p refgraph.Pair) []unit.ID {
	var out []unit.ID
	for _, r := range p.References {
		out = append(out, r.ConsumerUnits...)
	}
	slices.SortFunc(out, unit.ID.Compare)
	return slices.Compact(out)
}

func summary(p refgraph.Pair) string {
	return fmt.Sprintf("%s %s %s", p.Consumer, verb(p), p.Provider)
}

func verb(p refgraph.Pair) string {
	switch first := p.References[0]; {
	case p.Consumer.Kind == "Service":
		return "routes to"
	case p.Provider.Kind == "EnvoyFilter":
		return "takes its proxy's filters from"
	case p.Consumer.Kind == "EnvoyFilter":
		return "names services of"
	case first.How == refgraph.Start:
		return "reads at start"
	case first.How == refgraph.Live:
		return "follows"
	}
	return "needs"
}

func links(p refgraph.Pair) []string {
	var out []string
	for _, r := range p.References {
		out = append(out, r.Words())
	}
	return out
}
