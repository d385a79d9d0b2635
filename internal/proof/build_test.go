package proof_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// two is a repository of two units: the workload in the first one, with the image of the revision, and what it reads.
func two(policy unit.Policy, config tinyObject) *tiny {
	pods := &tinyPods{replicas: "2", how: "env", reads: []string{"m-config", "m-config"}}
	config.kind, config.name = "ConfigMap", "m-config"
	return &tiny{
		revisions: 2, root: "root", units: []tinyUnit{{"a", policy}, {"b", policy}},
		objects: []tinyObject{config, {
			group: "apps", kind: "Deployment", name: "o-work", in: [][]bool{{true, false}, {true, false}}, version: []int{1, 2},
			waves: []int{0, 0}, pods: pods,
		}},
	}
}

var everything = unit.Policy{Automated: true, Prune: true, SelfHeal: true, Retries: 5}

func theProblem(t *testing.T, r *cone.Release) cone.Problem {
	t.Helper()
	for _, ends := range r.Pairs(func(p refgraph.Pair) bool { return p.Consumer.Name == "o-work" }) {
		if p, ok := cone.Build(r, ends, cone.Setting{Matcher: &match.Matcher{}}); ok {
			return p
		}
	}
	t.Fatal("no problem")
	return cone.Problem{}
}

// An object that moves has the wave of its new owner, and is pruned as its old owner says.
func TestWhatMovesIsWhereItGoes(t *testing.T) {
	x := two(everything, tinyObject{in: [][]bool{{false, true}, {true, false}}, version: []int{1, 2}, waves: []int{3, -1}})
	x.units[1].policy.SyncOptions = []string{"PruneLast=true"}
	c := theProblem(t, x.release()).Case
	if o := c.Objects[c.Pair.Provider]; o.Place.Wave != -1 || !o.PruneLast {
		t.Errorf("%+v", o)
	}
	x.units[0].policy, x.units[1].policy = x.units[1].policy, x.units[0].policy
	c = theProblem(t, x.release()).Case
	if o := c.Objects[c.Pair.Provider]; o.PruneLast {
		t.Error("the new owner's options say how the old one prunes")
	}
}

// A unit without prune that drops an object reads OutOfSync for good. The release has arrived all the same.
func TestWithoutPruneAReleaseArrives(t *testing.T) {
	policy := everything
	policy.Prune = false
	x := two(policy, tinyObject{in: [][]bool{{false, true}, {false, true}}, version: []int{1, 2}, waves: []int{0, 0}})
	x.objects = append(x.objects, tinyObject{
		kind: "Service", name: "z", in: [][]bool{{true, false}, {false, false}}, version: []int{1, 1}, waves: []int{0, 0},
	})
	j := judge(t, theProblem(t, x.release()).Case)
	if !j.Arrives || j.Verdict != proof.Exposed {
		t.Errorf("%s, arrives: %v", j.Verdict, j.Arrives)
	}
}

// The Application of a unit that an ApplicationSet makes is nowhere rendered. Its source may change all the same.
func TestAnApplicationThatNobodyRenders(t *testing.T) {
	x := two(everything, tinyObject{in: [][]bool{{false, true}, {false, true}}, version: []int{1, 2}, waves: []int{0, 0}})
	var snapshots []*snapshot.Snapshot
	for i := range 2 {
		s := x.snapshot(i)
		set := unit.ID{Root: "root", Namespace: "argocd", Name: "set"}
		for u := range s.Units {
			s.Units[u].Parent, s.Units[u].Sources = set, []unit.Source{{TargetRevision: string(rune('a' + i))}}
		}
		s.Units = append(s.Units, discover.Delivered{Unit: unit.Unit{ID: set, Kind: unit.Bootstrap}, Rendered: true})
		snapshots = append(snapshots, s)
	}
	p := theProblem(t, cone.NewRelease([]cone.Revision{{}, {}}, snapshots))
	if c := p.Case; len(c.Objects) != 2 || c.Pair.Filter != delivery.None || c.Units[0].Spec != delivery.None {
		t.Errorf("%+v", c)
	}
}
