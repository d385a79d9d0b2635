package proof

import (
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
)

// tidy makes a trace read well: it puts off what can wait until the harm is there, and notes when that is. The steps stay
// those of a run of the case that avoids what it avoided; a lasting harm ends where it ended. Only the order of the steps
// changes, and what the harm does not need may go.
func tidy(c *delivery.Case, o Opening, bits, avoid uint64) Opening {
	o.Trace = putOff(c, o.Trace, bits, avoid, o.Persistence != Transient)
	looks, _ := play(c, o.Trace)
	o.Harmed = harmed(looks, bits)
	if o.Persistence == Transient {
		o.Trace = o.Trace[:o.Harmed]
	}
	return o
}

// harmed is the number of steps after which the predicate holds, and goes on to hold to the end.
func harmed(looks []uint64, bits uint64) int {
	n := len(looks) - 1
	for n > 0 && looks[n-1]&bits != 0 {
		n--
	}
	return n
}

// putOff tries, from the last step before the harm to the first, to take each step right after the harm instead.
func putOff(c *delivery.Case, trace []delivery.Event, bits, avoid uint64, sameEnd bool) []delivery.Event {
	looks, end := play(c, trace)
	h := harmed(looks, bits)
	for i := h - 1; i >= 0; i-- {
		if i >= h {
			continue // the harm is there sooner by now
		}
		later := slices.Concat(trace[:i], trace[i+1:h], trace[i:i+1], trace[h:])
		looks, to := play(c, later)
		switch {
		case len(looks) <= len(later), looks[len(later)]&bits == 0, harmed(looks, bits) >= h, sameEnd && to != end:
		case slices.ContainsFunc(looks, func(look uint64) bool { return look&avoid != 0 }):
		default:
			trace, h = later, harmed(looks, bits)
		}
	}
	return trace
}

// play takes steps one after the other: which predicates hold at the start and after each of them, and where it ends. It ends
// early at a step that is not possible.
func play(c *delivery.Case, trace []delivery.Event) ([]uint64, delivery.Point) {
	r := delivery.NewRun(c)
	looks := []uint64{r.Look()}
	for _, e := range trace {
		if !r.Take(e) {
			break
		}
		looks = append(looks, r.Look())
	}
	return looks, r.Point()
}
