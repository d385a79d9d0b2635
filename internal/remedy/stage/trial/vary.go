package trial

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// variant is a Case under other settings than the repository's.
type variant struct {
	name    string
	problem cone.Problem
}

// dial is one setting and what it can be.
type dial struct {
	name string
	set  func(*delivery.Case)
}

// dials are all settings that are varied; of each list one holds. The first of a list is what the repository says.
func dials() [][]dial {
	units := func(set func(*delivery.Unit)) func(*delivery.Case) {
		return func(c *delivery.Case) {
			for i := range c.Units {
				set(&c.Units[i])
			}
		}
	}
	return [][]dial{
		{
			{"", nil},
			{"prune and allowEmpty", units(func(u *delivery.Unit) { u.Prune, u.AllowEmpty = true, true })},
			{"no prune", units(func(u *delivery.Unit) { u.Prune = false })},
		},
		{
			{"", nil},
			{"self-heal", units(func(u *delivery.Unit) { u.SelfHeal = true })},
			{"no self-heal", units(func(u *delivery.Unit) { u.SelfHeal = false })},
		},
		{
			{"", nil},
			{"FailOnSharedResource", units(func(u *delivery.Unit) { u.FailOnShared = true })},
		},
		{
			{"", nil},
			{"Argo CD before 3.4", func(c *delivery.Case) { c.Controller.WaitsForVanished = true }},
			{"Argo CD before 2.11", func(c *delivery.Case) { c.Controller.WaitsForVanished, c.Controller.PruneInOrder = true, true }},
		},
	}
}

// Variations names the settings that are varied.
func Variations() []string {
	return []string{
		"prune: as it is, on with allowEmpty, off", "self-heal: as it is, on, off", "FailOnSharedResource: as it is, on",
		"Argo CD: as configured, before 3.4, before 2.11", "tracking id of what two units render: the one's, the other's",
	}
}

// variants are all combinations of the settings but the repository's own, and each with the other owner of what two units render
// when all is fresh. What a unit that leaves deletes is no matter of its settings.
func variants(base staged) []variant {
	all := []variant{{"", base.Problem}}
	if shared(base.Case) {
		all = append(all, variant{"the other owner", reversed(base.Problem)})
	}
	for _, list := range dials() {
		var next []variant
		for _, v := range all {
			for _, d := range list {
				if d.set == nil {
					next = append(next, v)
					continue
				}
				c := *v.problem.Case
				c.Units = slices.Clone(c.Units)
				d.set(&c)
				for i, name := range v.problem.Names.Units {
					if slices.Contains(base.retired, name.ID) {
						was := v.problem.Case.Units[i]
						c.Units[i].Prune, c.Units[i].AllowEmpty = was.Prune, was.AllowEmpty
					}
				}
				n := variant{strings.TrimPrefix(v.name+", "+d.name, ", "), v.problem}
				n.problem.Case = &c
				next = append(next, n)
			}
		}
		all = next
	}
	return all[1:]
}

// shared tells whether two units render one object when all is fresh at r0.
func shared(c *delivery.Case) bool {
	for _, o := range c.Objects {
		n := 0
		for _, row := range o.Render {
			if row != nil && row[0] != 0 {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// reversed is a Case with its units in the other order: what two of them render then carries the other one's tracking id.
func reversed(p cone.Problem) cone.Problem {
	c := *p.Case
	c.Units = slices.Clone(c.Units)
	slices.Reverse(c.Units)
	c.Objects = slices.Clone(c.Objects)
	for i := range c.Objects {
		c.Objects[i].Render = slices.Clone(c.Objects[i].Render)
		slices.Reverse(c.Objects[i].Render)
	}
	p.Case = &c
	p.Names.Units = slices.Clone(p.Names.Units)
	slices.Reverse(p.Names.Units)
	return p
}

func find(s *snapshot.Snapshot, id unit.ID) (discover.Delivered, bool) {
	i := slices.IndexFunc(s.Units, func(u discover.Delivered) bool { return u.ID == id })
	if i < 0 {
		return discover.Delivered{}, false
	}
	return s.Units[i], true
}

// finalized tells whether a unit takes along what it delivered when its Application is deleted. What is not seen does.
func finalized(s *snapshot.Snapshot, u discover.Delivered) bool {
	parent, _ := find(s, u.Parent)
	for _, o := range parent.Objects {
		if o.ID.Group != "argoproj.io" || o.ID.Kind != "Application" || o.ID.Name != u.ID.Name || o.ID.Namespace != u.ID.Namespace {
			continue
		}
		return slices.ContainsFunc(object.List(o.Fields, "metadata", "finalizers"), func(f any) bool {
			text, _ := f.(string)
			return strings.HasPrefix(text, "resources-finalizer.argocd.argoproj.io")
		})
	}
	return true
}
