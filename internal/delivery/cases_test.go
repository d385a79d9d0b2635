package delivery_test

import (
	"context"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

type contents = []delivery.Content

// Units and objects of the small cases.
const (
	api    = 0
	config = 1

	rollout   = 0
	configMap = 1
)

var automated = delivery.Unit{Automated: true, Prune: true, SelfHeal: true, Retries: 5, Spec: delivery.None, Keeps: true}

func object(kind delivery.Kind, place delivery.Place, render ...contents) delivery.Object {
	return delivery.Object{Kind: kind, Place: place, Render: render, Watch: delivery.None, Needs: delivery.None}
}

// split is a rollout in one unit and the ConfigMap that it reads in another. What it serves with the new image needs the new
// ConfigMap, and the other way round.
func split() *delivery.Case {
	reads := []delivery.Read{{Object: configMap}}
	return &delivery.Case{
		Last:  1,
		Units: []delivery.Unit{automated, automated},
		Objects: []delivery.Object{
			object(delivery.Work, delivery.Place{Rank: 40, Name: 2, Kind: 2}, contents{1, 2}, nil),
			object(delivery.Config, delivery.Place{Rank: 9, Kind: 1}, nil, contents{1, 2}),
		},
		Workloads: []delivery.Workload{{
			Object:    rollout,
			Templates: []delivery.Template{{Image: 0, Provider: configMap, Reads: reads}, {Image: 1, Provider: configMap, Reads: reads}},
			Template:  map[delivery.Content]int{1: 0, 2: 1},
			Strategy:  delivery.BasicCanary,
			Many:      true,
		}},
		Pair: delivery.Pair{
			Workload: 0, Consumer: rollout, Provider: configMap, Mounted: true, Proxy: true, Filter: delivery.None,
			Match: func(image int, provider, _ delivery.Content) delivery.Outcome {
				if provider != delivery.Content(image+1) {
					return delivery.Outcome{Common: delivery.Fails}
				}
				return delivery.Outcome{}
			},
		},
	}
}

// plain is a case without pods: object 0 reads object 1.
func plain(units int, objects ...delivery.Object) *delivery.Case {
	c := &delivery.Case{
		Last: 1, Units: slices.Repeat([]delivery.Unit{automated}, units), Objects: objects,
		Pair: delivery.Pair{
			Workload: delivery.None, Consumer: 0, Provider: 1, Filter: delivery.None,
			Match: func(int, delivery.Content, delivery.Content) delivery.Outcome { return delivery.Outcome{} },
		},
	}
	for _, o := range objects {
		c.Last = max(c.Last, len(slices.MaxFunc(o.Render, func(a, b contents) int { return len(a) - len(b) }))-1)
	}
	return c
}

// search explores a case. Its graph does not depend on the size of the keys.
func search(t *testing.T, c *delivery.Case, cost, states int) *explore.Graph[delivery.Key256] {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return explore.Search(context.Background(), delivery.New[delivery.Key256](c), explore.Bounds{Cost: cost, States: states})
}

func arrives(t *testing.T, c *delivery.Case) bool {
	t.Helper()
	return search(t, c, 0, 0).Ask(explore.Query{Mask: delivery.Done, Want: delivery.Done}).Found
}

// take takes steps, each of which has to be possible.
func take(t *testing.T, r *delivery.Run, events ...delivery.Event) {
	t.Helper()
	for i, e := range events {
		if !r.Take(e) {
			t.Fatalf("step %d, %+v, is not possible: %+v", i, e, r.Possible())
		}
	}
}

func possible(r *delivery.Run, deed delivery.Deed) []delivery.Event {
	return slices.DeleteFunc(r.Possible(), func(e delivery.Event) bool { return e.Deed != deed })
}
