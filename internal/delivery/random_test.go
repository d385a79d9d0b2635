package delivery_test

import (
	"math/rand/v2"

	"github.com/syncproof/syncproof/internal/delivery"
)

// random makes small cases. Most of them are such as Check accepts.
type random struct{ *rand.Rand }

func (r random) yes(percent int) bool { return r.IntN(100) < percent }

// some is one of a few numbers, the first most often.
func some[T any](r random, of ...T) T {
	if r.yes(60) {
		return of[0]
	}
	return of[r.IntN(len(of))]
}

// number is that of an object, or None.
func (r random) number(objects, percent int) int {
	if r.yes(percent) {
		return r.IntN(objects)
	}
	return delivery.None
}

// testCase is one case.
func (r random) testCase() *delivery.Case {
	c := &delivery.Case{Last: some(r, 1, 2)}
	c.Controller = delivery.Controller{ApplicationHealth: r.yes(30), FullStaysFull: r.yes(20), PruneInOrder: r.yes(10)}
	units, objects := some(r, 2, 1, 3), 2+r.IntN(5)
	for range units {
		c.Units = append(c.Units, r.unit())
	}
	for o := range objects {
		c.Objects = append(c.Objects, r.object(c, o, objects))
	}
	for o := range c.Objects {
		if c.Objects[o].Kind == delivery.Work {
			c.Workloads = append(c.Workloads, r.workload(c, o))
		}
	}
	c.Pair = r.pair(c)
	return c
}

func (r random) unit() delivery.Unit {
	return delivery.Unit{
		Automated: r.yes(85), Prune: r.yes(70), SelfHeal: r.yes(70), AllowEmpty: r.yes(20), FailOnShared: r.yes(10), OutOfSyncOnly: r.yes(15),
		Retries: some(r, 5, 0, 1), Step: some(r, 0, 1, 2), Keeps: r.yes(70), Spec: delivery.None,
	}
}

// object is one object; the first one has pods, the second is a ConfigMap.
func (r random) object(c *delivery.Case, o, objects int) delivery.Object {
	kinds := []delivery.Kind{delivery.Work, delivery.Config}
	kind := some(r, delivery.Plain, delivery.Config, delivery.Filter, delivery.Application, delivery.Barrier, delivery.Rest, delivery.Work)
	if o < len(kinds) {
		kind = kinds[o]
	}
	d := delivery.Object{
		Kind: kind, Hook: r.yes(8), PruneLast: r.yes(20), NoPrune: r.yes(8), Needed: r.yes(8), Immutable: r.yes(8),
		Watch: r.number(objects, 10), Needs: r.number(objects, 8),
		Place: delivery.Place{
			Phase: some[int8](r, 0, -1, 1), Wave: some[int16](r, 0, -1, 1), Rank: some[uint8](r, 40, 9), Name: uint16(r.IntN(3)), Kind: uint8(o),
		},
	}
	if kind == delivery.Barrier {
		d.Watch, d.Place.Phase, d.Place.Wave = 1, -1, 5
	}
	if d.Derived = kind == delivery.Config && o > 1 && r.yes(20); d.Derived {
		d.Watch = 1
		return d
	}
	if kind == delivery.Application {
		c.Units[0].Spec = o
	}
	d.Render = make([][]delivery.Content, len(c.Units))
	for n := some(r, 1, 2); n > 0; n-- {
		row := make(contents, c.Last+1)
		for i := range row {
			row[i] = delivery.Content(some(r, i+1, 1, 0, 2, 14))
		}
		d.Render[r.IntN(len(c.Units))] = row
	}
	return d
}

func (r random) workload(c *delivery.Case, o int) delivery.Workload {
	w := delivery.Workload{
		Object: o, Template: map[delivery.Content]int{}, Many: r.yes(60), DynamicStable: r.yes(30), ReplacesFromNew: r.yes(10),
		Strategy: some(r, delivery.BasicCanary, delivery.Rolling, delivery.RoutedCanary, delivery.BlueGreen),
	}
	for range 1 + r.IntN(delivery.MaxRevisions) {
		t := delivery.Template{Image: len(w.Templates), Provider: some(r, 1, r.number(len(c.Objects), 90))}
		if r.yes(80) {
			t.Reads = append(t.Reads, delivery.Read{Object: some(r, 1, r.IntN(len(c.Objects))), Optional: r.yes(10)})
		}
		w.Templates = append(w.Templates, t)
	}
	for content := delivery.Content(1); content <= delivery.MaxContents; content++ {
		w.Template[content] = min(int(content)-1, len(w.Templates)-1)
	}
	return w
}

func (r random) pair(c *delivery.Case) delivery.Pair {
	p := delivery.Pair{Provider: some(r, 1, delivery.None), Mounted: r.yes(80), Proxy: r.yes(70), Filter: delivery.None}
	for o := range c.Objects {
		if c.Objects[o].Kind == delivery.Filter && !c.Objects[o].Derived && r.yes(70) {
			p.Filter = o
		}
	}
	if p.Inline = p.Filter != delivery.None && r.yes(30); p.Inline {
		p.Provider = p.Filter
	}
	if p.Mounted && r.yes(25) {
		p.How = delivery.Follows
	}
	if r.yes(15) {
		p.Workload = delivery.None
	}
	table := r.Perm(256)
	p.Match = func(consumer int, provider, filter delivery.Content) delivery.Outcome {
		n := table[(consumer&15*37+int(provider)*11+int(filter)*3)&255]
		return delivery.Outcome{Common: truth(n), New: truth(n / 16)}
	}
	if r.yes(20) {
		p.Blocks = func(consumer int, provider delivery.Content) bool { return table[consumer&15*16+int(provider)]%5 == 0 }
	}
	if r.yes(60) {
		p.Accepts = func(consumer int, provider, filter delivery.Content) bool {
			return table[(consumer*64+int(provider)*16+int(filter))%len(table)]%3 != 0
		}
	}
	return p
}

// truth makes half of all matches work, and few unknown.
func truth(n int) delivery.Truth {
	switch n %= 16; {
	case n < 8:
		return delivery.Works
	case n < 15:
		return delivery.Fails
	}
	return delivery.Unknown
}
