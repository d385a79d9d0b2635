package remedy

import (
	"encoding/json"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// revisionHistory is how many templates the consumer can go back to, "" if it does not say.
func (s *situation) revisionHistory() string {
	n, _ := object.Get(s.consumer.Fields, "spec", "revisionHistoryLimit").(json.Number)
	return n.String()
}

func barrierCosts(s *situation) ([]diag.Cost, price, []string) {
	return []diag.Cost{
		s.keeps(),
		cost(diag.CostParts, "a hook and its image, new below %s, and an account that may read %ss", s.home(), s.Ends.Provider.Kind),
		cost(diag.CostFailure, "no release of %s while the hook cannot run, or %s does not come", s.toName(), s.providerName()),
	}, lasting, nil
}

// automatic are the units that sync by themselves today.
func (s *situation) automatic() (sync, heal []string) {
	seen := map[unit.ID]bool{}
	for _, id := range slices.Concat(s.from, s.to) {
		u := s.unit(id)
		if seen[id] || !u.Policy.Automated {
			continue
		}
		seen[id] = true
		sync = append(sync, s.Newest.Names[id])
		if u.Policy.SelfHeal {
			heal = append(heal, s.Newest.Names[id])
		}
	}
	return sync, heal
}

// manual says what no longer happens by itself.
func (s *situation) manual(why string) []diag.Cost {
	sync, heal := s.automatic()
	var out []diag.Cost
	if len(sync) > 0 {
		out = append(out, cost(diag.CostAutomation, "automated sync of %s ends: %s", words(sync), why))
	}
	if len(heal) > 0 {
		out = append(out, cost(diag.CostAutomation, "nobody heals %s any more", words(heal)))
	}
	return out
}

func orchestratorCosts(s *situation) ([]diag.Cost, price, []string) {
	costs := append([]diag.Cost{s.keeps()}, s.manual("it would get ahead of what orders them")...)
	return append(costs,
		cost(diag.CostParts, "an orchestrator, such as Kargo, with its stages"),
		cost(diag.CostFailure, "no release of %s or %s while it is down", s.fromName(), s.toName()),
	), lasting, paths(s.apps(s.from, s.to)...)
}

func rollingSyncCosts(s *situation) ([]diag.Cost, price, []string) {
	costs := append([]diag.Cost{s.keeps()}, s.manual("the ApplicationSet's controller starts their syncs [B10.2]")...)
	return append(costs,
		cost(diag.CostParts, "an ApplicationSet that makes both; progressive syncs, beta since 3.3, switched on [B10.1]"),
		cost(diag.CostPremise, "it looks at each unit's own revision: the second step can go first [B10.5]"),
	), lasting, paths(s.apps(s.from, s.to)...)
}

func appWavesCosts(health bool) func(*situation) ([]diag.Cost, price, []string) {
	return func(s *situation) ([]diag.Cost, price, []string) {
		costs := []diag.Cost{
			cost(diag.CostFlow, "each release also writes the commit that %s and %s are pinned to: content alone never makes the parent sync [B9.2]",
				s.fromName(), s.toName()),
		}
		if health {
			costs = append(costs, cost(diag.CostParts, "a health check of Applications in argocd-cm, for all of them"))
		}
		return costs, lasting, paths(s.apps(s.from, s.to)...)
	}
}

func reloaderCosts(s *situation) ([]diag.Cost, price, []string) {
	costs := []diag.Cost{
		s.keeps(),
		cost(diag.CostParts, "a reloader in the cluster, which may change workloads"),
		cost(diag.CostFailure, "what changes while it is down is not made up for"),
	}
	if s.Ends.Consumer.Kind == "Rollout" {
		costs = append(costs, cost(diag.CostPremise, "its strategy is restart: a change of the template is taken back by self-heal [D5.6]"))
	} else {
		costs = append(costs, cost(diag.CostPremise, "its strategy is annotations, and Argo CD ignores that one: else self-heal takes it back [D5.6]"))
	}
	if s.transcoder {
		costs = append(costs, cost(diag.CostPremise, "%s has to be named to it: it does not look into annotations [D5.8]", s.providerName()))
	}
	return costs, lasting, paths(s.consumer.Origin)
}

func splitCosts(waits bool) func(*situation) ([]diag.Cost, price, []string) {
	return func(s *situation) ([]diag.Cost, price, []string) {
		costs := []diag.Cost{cost(diag.CostFlow, "%s makes two pull requests of what is one commit, in every release", s.pipeline())}
		if waits {
			return append(costs, cost(diag.CostFailure, "somebody waits until every unit is Synced and Healthy at the first commit; nothing holds who does not [B11.4]")), lasting, nil
		}
		return append(costs, cost(diag.CostFailure, "nothing keeps the second one from arriving first")), lasting, nil
	}
}

func expandCosts(s *situation) ([]diag.Cost, price, []string) {
	return []diag.Cost{
		cost(diag.CostFlow, "%s delivers %s ahead of the image that serves it, and a change that replaces something takes three releases", s.pipeline(), s.released()),
		cost(diag.CostParts, "a check that a change only adds, of http rules too: buf does not see those [F32]"),
		cost(diag.CostOthers, "what is removed at last breaks who still calls it, as today"),
	}, lasting, nil
}
