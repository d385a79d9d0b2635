package delivery_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
	"github.com/syncproof/syncproof/internal/proof"
)

var (
	randomCases = flag.Int("cases", 120, "how many random cases are tried")
	randomFirst = flag.Uint64("first", 0, "seed of the first random case")
)

// Random cases that Check accepts keep the rules of a model: keys tell states apart and nothing else, a label tells a step of
// a state, and judging never fails.
func TestRandomCases(t *testing.T) {
	idle := map[delivery.Deed]int{}
	good := 0
	for seed := *randomFirst; seed < *randomFirst+uint64(*randomCases); seed++ {
		c := random{rand.New(rand.NewPCG(seed, 0))}.testCase()
		if c.Check() != nil {
			continue
		}
		good++
		g := search(t, c, 2, 500)
		check := delivery.NewChecker(c)
		for i := range g.States {
			if err := check.Check(g.State(i)); err != nil {
				t.Fatalf("seed %d, state %d: %v", seed, i, err)
			}
		}
		for deed, n := range check.Idle {
			idle[deed] += n
		}
		if _, err := proof.Judge(context.Background(), c, proof.Bounds{Unusual: 1, States: 500}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if good < *randomCases/2 {
		t.Errorf("only %d of %d random cases are good", good, *randomCases)
	}
	for deed, n := range idle {
		t.Errorf("%d steps with deed %d change nothing", n, deed)
	}
	t.Logf("%d good cases of %d", good, *randomCases)
}

// The size of a key makes no difference.
func TestKeysOfAllSizes(t *testing.T) {
	c := split()
	small := explore.Search(context.Background(), delivery.New[delivery.Key32](c), explore.Bounds{Cost: 2})
	large := search(t, c, 2, 0)
	if small.States != large.States || small.Edges != large.Edges {
		t.Errorf("%d states and %d edges in small keys, %d and %d in large ones", small.States, small.Edges, large.States, large.Edges)
	}
}
