package match

import "slices"

// Versions is a pair of objects: what reads and what is read, by versions of their contents. Equal versions are equal bytes.
type Versions struct {
	// Fresh are the combinations that are fresh at some revision, r0 first and rk last. They work: that is the premise.
	Fresh []Combination
	// Reads tells whether a version of the consumer names the provider at all; nil: every version does.
	Reads func(consumer int) bool
	// Missing gives what a version of the consumer names and a version of the provider lacks: "key log.level", "port http".
	// Sorted, without what is optional; nil: nothing is ever missing.
	Missing func(consumer, provider int) []string
	// Live: the consumer follows the provider, so that what is missing fails calls. Else it is read when a pod starts, and
	// the pod does not start.
	Live bool
}

// Objects makes the table of any pair but a transcoder's. A combination that no revision has, and in which nothing is
// missing, is Unknown.
func Objects(in Versions) *Table {
	o, outcomes := objects{in}, map[Combination]Outcome{}
	t := &Table{
		Outcome: func(consumer, provider, _ int) Outcome {
			c := Combination{Consumer: consumer, Provider: provider}
			if _, ok := outcomes[c]; !ok {
				outcomes[c] = o.outcome(consumer, provider)
			}
			return outcomes[c]
		},
		Accepts:      func(int, int) bool { return true },
		Blocks:       func(consumer, provider int) bool { return !in.Live && len(o.lacks(consumer, provider)) > 0 },
		SameProvider: func(a, b int) bool { return a == b },
		Equal:        !slices.ContainsFunc(in.Fresh, func(c Combination) bool { return !same(c, in.Fresh[0]) }),
		Known:        true,
	}
	if len(in.Fresh) > 0 {
		first, last := in.Fresh[0], in.Fresh[len(in.Fresh)-1]
		gone := o.missing(first.Consumer, first.Provider)
		t.AlreadyBroken = o.calls(gone)
		t.Repaired = len(gone) > 0 && !slices.ContainsFunc(o.missing(last.Consumer, last.Provider), func(name string) bool {
			return slices.Contains(gone, name)
		})
	}
	return t
}

type objects struct{ in Versions }

func (o objects) outcome(consumer, provider int) Outcome {
	isFresh := slices.ContainsFunc(o.in.Fresh, func(c Combination) bool {
		return same(c, Combination{Consumer: consumer, Provider: provider})
	})
	lacks := o.lacks(consumer, provider)
	switch {
	case len(lacks) > 0:
		return Outcome{Common: Fails, Calls: o.calls(lacks)}
	case isFresh || !o.reads(consumer):
		return Outcome{}
	case provider < 0 && o.in.Live:
		return Outcome{Common: Fails, Calls: []Call{{What: "everything", Meets: "what it needs is not there", Common: true}}}
	}
	return Outcome{Common: Unknown}
}

func same(a, b Combination) bool { return a.Consumer == b.Consumer && a.Provider == b.Provider }

func (o objects) reads(consumer int) bool {
	return consumer >= 0 && (o.in.Reads == nil || o.in.Reads(consumer))
}

// missing is what is named and not there.
func (o objects) missing(consumer, provider int) []string {
	if o.in.Missing == nil || provider < 0 || !o.reads(consumer) {
		return nil
	}
	return o.in.Missing(consumer, provider)
}

// lacks is what is missing, without what was missing at r0 already.
func (o objects) lacks(consumer, provider int) []string {
	var before []string
	if len(o.in.Fresh) > 0 {
		before = o.missing(o.in.Fresh[0].Consumer, o.in.Fresh[0].Provider)
	}
	return slices.DeleteFunc(slices.Clone(o.missing(consumer, provider)), func(name string) bool {
		return slices.Contains(before, name)
	})
}

func (o objects) calls(names []string) []Call {
	meets := "it is missing, and the pod does not start"
	if o.in.Live {
		meets = "it is missing"
	}
	var out []Call
	for _, name := range names {
		out = append(out, Call{What: name, Meets: meets, Common: true})
	}
	return out
}
