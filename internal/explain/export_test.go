package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// ToldAsItIs plays a run, and holds what would be told after each step against the model's predicates.
func ToldAsItIs(t *testing.T, s *proof.Solved, events []delivery.Event) {
	t.Helper()
	st := story{n: newNames(s), end: open(s.Case)}
	for i := -1; i < len(events); i++ {
		if i >= 0 && !st.end.play(events[i]) {
			t.Fatalf("step %d, %+v, is not possible", i, events[i])
		}
		bits := st.end.run.Look()
		for _, p := range []struct {
			what string
			bit  uint64
			told bool
		}{
			{"skew", delivery.Skew, len(st.harmed(proof.Opening{Harm: proof.Skew, Persistence: proof.Sticky})) > 0},
			{"skew of a common call", delivery.SkewCommon, len(st.harmed(proof.Opening{Harm: proof.Skew, Persistence: proof.Transient})) > 0},
			{"absent", delivery.Absent, len(st.absent()) > 0},
			{"blocked", delivery.Blocked, len(st.blocked()) > 0},
		} {
			if p.told != (bits&p.bit != 0) {
				t.Fatalf("after step %d of %v: %s is told %v, the model says %v", i, events, p.what, p.told, bits&p.bit != 0)
			}
		}
		if said := st.shown(proof.Opening{Visibility: proof.Visible}); bits&delivery.Quiet != 0 && strings.Contains(said, "OutOfSync") {
			t.Fatalf("after step %d of %v: %q, the model is quiet", i, events, said)
		}
	}
}

// HealsAsTold takes ordinary steps from the end of an opening's trace: the harm must be over at the latest when all that its
// sentence names has happened.
func HealsAsTold(t *testing.T, s *proof.Solved, o proof.Opening, bits uint64, choose func([]delivery.Event) delivery.Event) {
	t.Helper()
	st := tell(newNames(s), o)
	named, conditions := st.heals(o), st.conditions(o)
	for range 200 {
		ordinary := slices.DeleteFunc(st.end.run.Possible(), func(e delivery.Event) bool { return e.Deed.Kind() != delivery.Ordinary })
		if len(ordinary) == 0 {
			return
		}
		st.end.play(choose(ordinary))
		over := !slices.ContainsFunc(conditions, func(c condition) bool { return !c.met(st) })
		if len(conditions) == 0 {
			over = st.end.run.Look()&delivery.Done != 0
		}
		if over && st.end.run.Look()&bits != 0 {
			t.Fatalf("{%v}: %q has happened, and the harm is still there", o.Set, named)
		}
	}
}

// EndsAsTold does from the end of an opening's trace what its sentence names as the end of a harm that stays: the harm must
// be over exactly if the sentence says so.
func EndsAsTold(t *testing.T, s *proof.Solved, o proof.Opening) {
	t.Helper()
	st := tell(newNames(s), o)
	said, run, i := st.until(o), st.end.run, s.Case.Pair.Workload
	harmed, work := st.harmed(o), s.Case.Workloads[i].Object
	end := run.Point()
	for _, m := range harmed {
		if !run.Take(delivery.Event{Deed: delivery.Churned, Object: work, Number: m.template}) {
			t.Fatalf("{%v}: a pod of template %d cannot be made again", o.Set, m.template)
		}
	}
	for template := range s.Case.Workloads[i].Templates {
		run.Take(delivery.Event{Deed: delivery.PodStarted, Object: work, Number: template})
	}
	if over := run.Look()&(delivery.Skew|delivery.Blocked) == 0; over != strings.HasPrefix(said, "the pod") {
		t.Errorf("{%v}: told %q, but with new pods the harm is over: %v", o.Set, said, over)
	}
	if !strings.Contains(said, "its proxy") {
		return
	}
	run.Back(end)
	for _, m := range harmed {
		run.Take(delivery.Event{Deed: delivery.Mounted, Object: work, Number: m.template})
		run.Take(delivery.Event{Deed: delivery.Reloaded, Object: work, Number: m.template})
	}
	if run.Look()&(delivery.Skew|delivery.Blocked) != 0 {
		t.Errorf("{%v}: told %q, but with new proxies the harm is still there", o.Set, said)
	}
}
