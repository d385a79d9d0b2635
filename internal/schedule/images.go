package schedule

import (
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
)

// InImage gives each image what it reads: pods of a template have what was fresh with it, for good, and no object is read. That
// an image fits what it brings is what own means.
func InImage(p cone.Problem) []cone.Problem {
	c := cloned(p.Case)
	if c.Pair.Workload == delivery.None || c.Pair.Inline {
		return []cone.Problem{p}
	}
	work := &c.Workloads[c.Pair.Workload]
	brings := contentsOf(p.Case)
	for t := range work.Templates {
		gone := work.Templates[t].Provider
		work.Templates[t].Provider = delivery.None
		work.Templates[t].Reads = slices.DeleteFunc(slices.Clone(work.Templates[t].Reads), func(r delivery.Read) bool { return r.Object == gone })
	}
	was := p.Case.Pair
	c.Pair.Provider, c.Pair.Blocks = delivery.None, nil
	filters := was.Filter != delivery.None && p.Case.Varies(was.Filter)
	c.Pair.Match = func(consumer int, _, filter delivery.Content) delivery.Outcome {
		if filters {
			return was.Match(consumer, brings[consumer], filter)
		}
		return delivery.Outcome{}
	}
	if was.Accepts != nil {
		c.Pair.Accepts = func(consumer int, _, filter delivery.Content) bool {
			return was.Accepts(consumer, brings[consumer], filter)
		}
	}
	return []cone.Problem{with(p, c)}
}

// contentsOf are what the pods of each version of the consumer read when all is fresh at the first revision that has it.
func contentsOf(c *delivery.Case) map[int]delivery.Content {
	out := map[int]delivery.Content{}
	for _, m := range meetings(c) {
		if _, known := out[m.consumer]; !known {
			out[m.consumer] = m.provider
		}
	}
	return out
}

// meeting is a version of the consumer with a content of what it reads.
type meeting struct {
	consumer int
	provider delivery.Content
}

// meetings are those of everything fresh at a revision, from r0 to rk.
func meetings(c *delivery.Case) []meeting {
	var out []meeting
	for rev := range c.Last + 1 {
		content := fresh(c, c.Pair.Consumer, rev)
		if content == 0 {
			continue
		}
		m, provider := meeting{consumer: int(content)}, Read(c)
		if w := c.Pair.Workload; w != delivery.None {
			t := c.Workloads[w].Template[content]
			m.consumer = c.Workloads[w].Templates[t].Image
			if !c.Pair.Inline {
				provider = c.Workloads[w].Templates[t].Provider
			}
		}
		if provider != delivery.None {
			m.provider = fresh(c, provider, rev)
		}
		out = append(out, m)
	}
	return out
}

// Incompatible is a problem in which nothing fits but what is fresh together: the structural worst case.
func Incompatible(p cone.Problem) cone.Problem {
	c := cloned(p.Case)
	fit := meetings(c)
	c.Pair.Blocks, c.Pair.Accepts = nil, nil
	c.Pair.Match = func(consumer int, provider, _ delivery.Content) delivery.Outcome {
		if slices.Contains(fit, meeting{consumer, provider}) {
			return delivery.Outcome{}
		}
		return delivery.Outcome{Common: delivery.Fails}
	}
	return with(p, c)
}

// Expanded is a release whose change only adds: what both images serve works in every mixed state, and what is new needs the new
// provider. It goes out provider first, and the image when that has arrived.
func Expanded(p cone.Problem) []cone.Problem {
	c := cloned(p.Case)
	fit := meetings(c)
	if len(fit) == 0 {
		return []cone.Problem{p}
	}
	last, was := fit[len(fit)-1], p.Case.Pair.Match
	c.Pair.Match = func(consumer int, provider, filter delivery.Content) delivery.Outcome {
		if consumer != last.consumer || provider == last.provider {
			return delivery.Outcome{}
		}
		o := was(consumer, provider, filter)
		return delivery.Outcome{New: graver(o.Common, o.New)}
	}
	return Split(Read, true)(with(p, c))
}

// graver is the worse of two truths.
func graver(a, b delivery.Truth) delivery.Truth {
	switch {
	case a == delivery.Fails || b == delivery.Fails:
		return delivery.Fails
	case a == delivery.Unknown || b == delivery.Unknown:
		return delivery.Unknown
	}
	return delivery.Works
}
