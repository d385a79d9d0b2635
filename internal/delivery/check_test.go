package delivery_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

func TestCheckRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*delivery.Case){
		"1 revisions":                  func(c *delivery.Case) { c.Last = 0 },
		"4 revisions":                  func(c *delivery.Case) { c.Last = 3 },
		"0 units":                      func(c *delivery.Case) { c.Units = nil },
		"9 units":                      func(c *delivery.Case) { c.Units = slices.Repeat(c.Units[:1], 9) },
		"64 objects":                   func(c *delivery.Case) { c.Objects = slices.Repeat(c.Objects[:1], 64) },
		"its Application is no":        func(c *delivery.Case) { c.Units[0].Spec = configMap },
		"by 1 of 2 units":              func(c *delivery.Case) { c.Objects[0].Render = c.Objects[0].Render[:1] },
		"has 3 revisions":              func(c *delivery.Case) { c.Objects[0].Render[0] = contents{1, 1, 1} },
		"more than 14 versions":        func(c *delivery.Case) { c.Objects[1].Render[1] = contents{1, 15} },
		"version 3 has no template":    func(c *delivery.Case) { c.Objects[0].Render[0] = contents{1, 3} },
		"version 2 has no template":    func(c *delivery.Case) { c.Workloads[0].Template[2] = 2 },
		"has no pods":                  func(c *delivery.Case) { c.Objects[1].Kind = delivery.Work },
		"is no workload":               func(c *delivery.Case) { c.Workloads = append(c.Workloads, c.Workloads[0]); c.Workloads[1].Object = 1 },
		"is there twice":               func(c *delivery.Case) { c.Workloads = append(c.Workloads, c.Workloads[0]) },
		"has 0 templates":              func(c *delivery.Case) { c.Workloads[0].Templates = nil },
		"template 0 reads":             func(c *delivery.Case) { c.Workloads[0].Templates[0].Provider = rollout },
		"template 1 needs":             func(c *delivery.Case) { c.Workloads[0].Templates[1].Reads = []delivery.Read{{Object: 2}} },
		"is rendered or derived":       func(c *delivery.Case) { c.Objects[1].Derived = true },
		"derived from nothing":         derived(delivery.None),
		"object 1: is derived from":    derived(configMap),
		"watches or needs":             func(c *delivery.Case) { c.Objects[1].Needs = 2 },
		"wave 32767":                   func(c *delivery.Case) { c.Objects[1].Place.Wave = 32767 },
		"phase 2":                      func(c *delivery.Case) { c.Objects[1].Place.Phase = 2 },
		"waits for nothing":            func(c *delivery.Case) { c.Objects[1].Kind = delivery.Barrier },
		"keep back objects of its own": func(c *delivery.Case) { c.Objects = append(c.Objects, beside()) },
		"no match":                     func(c *delivery.Case) { c.Pair.Match = nil },
		"its ends are not there":       func(c *delivery.Case) { c.Pair.Provider = 2 },
		"is not its workload":          func(c *delivery.Case) { c.Pair.Consumer = configMap },
		"nothing is mounted":           func(c *delivery.Case) { c.Pair.How, c.Pair.Mounted = delivery.Follows, false },
		"its filter is none":           func(c *delivery.Case) { c.Pair.Filter = configMap },
		"no filter carries":            func(c *delivery.Case) { c.Pair.Inline = true },
		"its states take 269 bytes":    func(c *delivery.Case) { large(c, 59, 4) },
		"9 earlier versions to remember": func(c *delivery.Case) {
			c.Objects[configMap].Render = []contents{{2, 3}, {1, 4}}
			c.Objects[rollout].Render = []contents{{1, 2}, {3, 4}}
			c.Workloads[0].Template = map[delivery.Content]int{1: 0, 2: 1, 3: 0, 4: 1}
			c.Objects = append(c.Objects, object(delivery.Config, delivery.Place{}, contents{1, 2}, contents{3, 5}))
			c.Workloads[0].Templates[0].Provider = 2
		},
	} {
		c := split()
		spoil(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, is %v", want, err)
		}
	}
}

func derived(from int) func(*delivery.Case) {
	return func(c *delivery.Case) {
		c.Objects[configMap].Derived, c.Objects[configMap].Render, c.Objects[configMap].Watch = true, nil, from
	}
}

func beside() delivery.Object {
	o := object(delivery.Barrier, delivery.Place{}, contents{1, 2}, nil)
	o.Watch = configMap
	return o
}

// large adds objects and units.
func large(c *delivery.Case, objects, units int) {
	for len(c.Objects) < objects {
		place := delivery.Place{Rank: 50, Name: uint16(len(c.Objects)), Kind: uint8(len(c.Objects))}
		c.Objects = append(c.Objects, object(delivery.Plain, place, contents{1, 1}, nil))
	}
	for len(c.Units) < units {
		c.Units = append(c.Units, automated)
		for o := range c.Objects {
			c.Objects[o].Render = append(c.Objects[o].Render, nil)
		}
	}
}

// The largest case that is accepted is judged as the small one in it.
func TestTheLargestKeys(t *testing.T) {
	c, small := split(), split()
	large(c, delivery.MaxObjects, 3)
	if err := c.Check(); err != nil || c.KeySize() <= 128 {
		t.Fatal(err, c.KeySize())
	}
	g := explore.Search(context.Background(), delivery.New[delivery.Key256](c), explore.Bounds{Cost: 1, States: 50_000})
	if !g.Complete {
		t.Fatal(g.Bound)
	}
	if got, want := openings(g, 1), openings(search(t, small, 1, 0), 1); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
