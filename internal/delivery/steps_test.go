package delivery_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
)

// Events in short.
func pushed(rev int) delivery.Event { return delivery.Event{Deed: delivery.Pushed, Number: rev} }
func observed(u, rev int) delivery.Event {
	return delivery.Event{Deed: delivery.Observed, Unit: u, Number: rev}
}
func started(u, rev int) delivery.Event {
	return delivery.Event{Deed: delivery.Started, Unit: u, Number: rev}
}
func applied(u, o, content int) delivery.Event {
	return delivery.Event{Deed: delivery.Applied, Unit: u, Object: o, Number: content}
}

// A pruned object has no health to wait for: nobody waits for a workload that is deleted to become healthy.
func TestNobodyWaitsForWhatWasPruned(t *testing.T) {
	c := split()
	c.Units = c.Units[:1]
	work, cm := c.Objects[rollout], c.Objects[configMap]
	work.Place.Wave, work.Render = 1, []contents{{1, 0}} // pruned in wave 0 [A4.1]
	cm.Render = []contents{{1, 1}}
	c.Objects = []delivery.Object{work, cm, object(delivery.Plain, delivery.Place{Rank: 40}, contents{1, 0})} // pruned in wave 1
	if !arrives(t, c) {
		t.Error("the operation waits for ever")
	}
}

// A refusal that a retry repairs is over.
func TestARetryEndsARefusal(t *testing.T) {
	custom := object(delivery.Plain, delivery.Place{Rank: 40}, contents{0, 1}, nil)
	custom.Needs = 1
	definition := object(delivery.Plain, delivery.Place{Rank: 13}, nil, contents{0, 1})
	c := plain(2, custom, definition)
	r := delivery.NewRun(c)
	take(t, r, observed(0, 1), started(0, 1), delivery.Event{Deed: delivery.Turned, Unit: 0, Object: 0, Number: 1})
	if r.Look()&delivery.Blocked == 0 {
		t.Error("a refusal blocks nothing")
	}
	take(t, r, observed(1, 1), started(1, 1), applied(1, 1, 1), delivery.Event{Deed: delivery.Retried, Number: 1}, applied(0, 0, 1))
	if r.Look()&delivery.Blocked != 0 {
		t.Error("the refusal stays after the retry")
	}
}

// Hooks take no part in the comparison, and are not pruned [A5.1].
func TestHooksStartNothing(t *testing.T) {
	hook := object(delivery.Config, delivery.Place{Phase: -1, Rank: 9}, contents{1, 2})
	hook.Hook = true
	gone := object(delivery.Config, delivery.Place{Phase: -1, Rank: 9}, contents{1, 0})
	gone.Hook = true
	r := delivery.NewRun(plain(1, object(delivery.Plain, delivery.Place{Rank: 40}, contents{1, 1}), hook, gone))
	take(t, r, observed(0, 1))
	if events, byHand := r.Possible(), (delivery.Event{Deed: delivery.ByHand}); !slices.Equal(events, []delivery.Event{byHand}) {
		t.Errorf("after a commit that changes hooks only a sync by hand of everything is possible, not %v", events)
	}
}

// Where an Application has its first content again, its unit goes to the newest revision that says so.
func TestARevertOfAnApplicationArrives(t *testing.T) {
	app := object(delivery.Application, delivery.Place{Rank: 40}, nil, contents{1, 2, 1})
	c := plain(2, object(delivery.Plain, delivery.Place{Rank: 40}, contents{1, 2, 1}, nil), app)
	c.Units[0].Spec = 1
	if !arrives(t, c) {
		t.Error("the revert never arrives")
	}
}

// RollingSync syncs a unit once for a revision: it does not heal, and a sync by hand is not its own [B10.2, B10.4].
func TestRollingSyncActsOnce(t *testing.T) {
	c := split()
	c.Units[api].Step, c.Units[api].SelfHeal, c.Units[api].Automated = 1, false, false
	r := delivery.NewRun(c)
	take(t, r, delivery.Event{Deed: delivery.ByHand}, applied(api, rollout, 2), delivery.Event{Deed: delivery.Undone, Number: 1})
	take(t, r, started(api, 1), applied(api, rollout, 2), delivery.Event{Deed: delivery.Undone, Number: 1})
	if len(possible(r, delivery.Started)) > 0 {
		t.Error("RollingSync takes an undo back")
	}
}

// A kubelet that is late lets no pod start that needs more than it has [D4.1, D4.7].
func TestLateKubeletOfAMissingKey(t *testing.T) {
	c := split()
	c.Pair.Blocks = func(image int, provider delivery.Content) bool { return int(provider) <= image }
	r := delivery.NewRun(c)
	take(t, r, observed(config, 1), started(config, 1), applied(config, configMap, 2))
	take(t, r, observed(api, 1), started(api, 1), applied(api, rollout, 2))
	if events := possible(r, delivery.StaleStart); len(events) > 0 {
		t.Errorf("a pod starts without what it needs: %v", events)
	}
}

// A provider that is gone is at its last revision, where there is none.
func TestAProviderThatGoesIsFirst(t *testing.T) {
	r := delivery.NewRun(plain(2, object(delivery.Plain, delivery.Place{}, contents{1, 2}, nil), object(delivery.Plain, delivery.Place{}, nil, contents{1, 0})))
	take(t, r, observed(1, 1), started(1, 1), delivery.Event{Deed: delivery.Pruned, Unit: 1, Object: 1}, observed(0, 1), started(0, 1), applied(0, 0, 2))
	if r.Look()&delivery.ConsumerFirst != 0 {
		t.Error("the consumer counts as first")
	}
}

// What a kubelet may still have, and an undo may go back to, is what was live, also when it is not older in Git.
func TestWhatWasLive(t *testing.T) {
	c := split()
	c.Last = 2
	c.Objects[rollout].Render = []contents{{1, 2, 1}, nil}
	c.Objects[configMap].Render = []contents{nil, {1, 2, 1}}
	churned := delivery.Event{Deed: delivery.Churned, Object: rollout, Number: 0}
	stale := delivery.Event{Deed: delivery.StaleStart, Unit: 2, Object: rollout, Number: 0}
	skipping := []delivery.Event{pushed(2), observed(config, 2), churned}
	all := []delivery.Event{
		observed(config, 1), started(config, 1), applied(config, configMap, 2),
		pushed(2), observed(config, 2), started(config, 2), applied(config, configMap, 1), churned,
	}

	r := delivery.NewRun(c)
	take(t, r, skipping...)
	if slices.Contains(r.Possible(), stale) {
		t.Error("a kubelet has what was never live")
	}
	r = delivery.NewRun(c)
	take(t, r, all...)
	if !slices.Contains(r.Possible(), stale) {
		t.Error("no kubelet has what was live until now")
	}

	r = delivery.NewRun(c)
	take(t, r, observed(api, 1), started(api, 1), applied(api, rollout, 2), pushed(2), observed(api, 2), started(api, 2))
	take(t, r, applied(api, rollout, 1))
	if len(possible(r, delivery.Undone)) != 1 {
		t.Error("there is no way back to the template before the revert")
	}
}
