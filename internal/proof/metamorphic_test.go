package proof_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/syncproof/syncproof/internal/discover"
	objects "github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// What does not matter to a release must not matter to its Case, nor then to the verdict: equal Cases are solved once. Each
// change is made to random repositories.
var irrelevant = []struct {
	name   string
	change func(t *tiny)
}{
	{"every object and unit has another name, in the same order", func(t *tiny) { t.prefix = "my-" }},
	{"the root is called otherwise", func(t *tiny) { t.root = "elsewhere" }},
	{"the documents stand in another order", func(t *tiny) {
		t.order = func(of []objects.Object) {
			rand.New(rand.NewPCG(3, 3)).Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		}
	}},
	{"the documents stand in other files", func(t *tiny) {
		t.order = func(of []objects.Object) {
			for i := range of {
				of[i].Origin = objects.Location{File: "all.yaml", Line: 1 + 10*i}
			}
		}
	}},
	{"there are other units, which the release changes", func(t *tiny) { t.beside = []string{"0-first", "b1-between", "zz-last"} }},
	{"the commits are called otherwise", func(t *tiny) { t.commits = "c0ffee" }},
}

// besideUnit is a unit that has nothing to do with the others.
func besideUnit(root, name string, i int) discover.Delivered {
	id := unit.ID{Root: root, Namespace: "argocd", Name: name}
	o := tinyObject{kind: "ConfigMap", name: name, version: []int{1, 2, 3}, waves: []int{0, 0, 0}}
	rendered := o.object(i)
	rendered.ID.Namespace = "elsewhere"
	return discover.Delivered{
		Unit:     unit.Unit{ID: id, Kind: unit.Application, Policy: unit.Policy{Automated: true, SelfHeal: true}},
		Objects:  []objects.Object{rendered},
		Rendered: true,
	}
}

func TestIrrelevantChanges(t *testing.T) {
	for _, c := range irrelevant {
		t.Run(c.name, func(t *testing.T) {
			compared := 0
			for seed := range uint64(200) {
				x := random(rand.New(rand.NewPCG(seed, 1)))
				before := problemsOf(x, seed)
				c.change(x)
				after := problemsOf(x, seed)
				if len(before) != len(after) {
					t.Errorf("seed %d: %d pairs, were %d", seed, len(after), len(before))
					continue
				}
				for i := range before {
					compared++
					if before[i].problem.Case.Fingerprint() != after[i].problem.Case.Fingerprint() {
						t.Fatalf("seed %d: another Case:\n%+v\nwas\n%+v", seed, plainly(after[i]), plainly(before[i]))
					}
				}
			}
			if compared < 150 {
				t.Errorf("only %d Cases", compared)
			}
		})
	}
}

// That equal prints mean something is shown by prints that differ.
func TestFingerprintsTellCasesApart(t *testing.T) {
	prints := map[[32]byte]bool{}
	n := 0
	for seed := range uint64(200) {
		for _, x := range trials(seed) {
			n++
			prints[x.problem.Case.Fingerprint()] = true
		}
	}
	if len(prints) < n*3/4 {
		t.Errorf("%d Cases have %d prints", n, len(prints))
	}
}

func plainly(x trial) string {
	c := *x.problem.Case
	c.Pair.Match, c.Pair.Accepts, c.Pair.Blocks = nil, nil, nil
	return fmt.Sprintf("%+v", c)
}
