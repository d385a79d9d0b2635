package delivery_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
)

func TestState(t *testing.T) {
	r := delivery.NewRun(split())
	start := r.State()
	want := delivery.State{
		Head:    1,
		Units:   []delivery.UnitAt{{Idle: true}, {Idle: true}},
		Objects: []delivery.ObjectAt{{Content: 1, Owner: api}, {Content: 1, Owner: config}},
		Workloads: []delivery.WorkloadAt{{Stable: 1, Pods: []delivery.PodAt{
			{Phase: delivery.Ready, Serves: true, Loaded: 1, File: 1}, {},
		}}},
	}
	if !reflect.DeepEqual(start, want) {
		t.Errorf("at the start %+v, want %+v", start, want)
	}
	take(t, r, delivery.Event{Deed: delivery.Observed, Unit: api, Number: 1}, delivery.Event{Deed: delivery.Started, Unit: api, Number: 1})
	if u := r.State().Units[api]; u != (delivery.UnitAt{Seen: 1}) {
		t.Errorf("api syncs: %+v", u)
	}
	take(t, r, delivery.Event{Deed: delivery.Applied, Unit: api, Object: rollout, Number: 2})
	take(t, r, delivery.Event{Deed: delivery.Aborted, Object: rollout, Number: 1})
	if w := r.State().Workloads[0]; !w.Aborted || w.Stable != 1 || w.Pods[0].Phase != delivery.Starting || w.Pods[1].Phase != delivery.Gone {
		t.Errorf("aborted: %+v", w)
	}
	if !reflect.DeepEqual(start, want) {
		t.Errorf("the state of the start has become %+v", start)
	}
}

func TestWhatIsRefusedAndWhatPodsMiss(t *testing.T) {
	c := split()
	c.Objects[configMap].Immutable = true
	c.Pair.Blocks = func(image int, provider delivery.Content) bool { return image == 1 && provider == 1 }
	r := delivery.NewRun(c)
	take(
		t, r, delivery.Event{Deed: delivery.Observed, Unit: config, Number: 1}, delivery.Event{Deed: delivery.Started, Unit: config, Number: 1},
		delivery.Event{Deed: delivery.Turned, Unit: config, Object: configMap, Number: 1},
	)
	if u := r.State().Units[config]; !u.Turned || u.Idle {
		t.Errorf("an immutable object: %+v", u)
	}
	if out := r.OutOfSync(config, 1); !slices.Equal(out, []int{configMap}) || len(r.OutOfSync(config, 0)) > 0 {
		t.Errorf("out of sync: %v", out)
	}
	if objects, inside := r.Missing(0, 1); len(objects) > 0 || !inside {
		t.Errorf("new pods miss %v, %v", objects, inside)
	}
	if objects, inside := r.Missing(0, 0); len(objects) > 0 || inside {
		t.Errorf("old pods miss %v, %v", objects, inside)
	}
	c.Objects[configMap].Render[config] = contents{0, 2}
	if objects, _ := delivery.NewRun(c).Missing(0, 1); !slices.Equal(objects, []int{configMap}) {
		t.Errorf("without a ConfigMap pods miss %v", objects)
	}
}
