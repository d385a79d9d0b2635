package pipeline_test

import (
	"math"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
)

// The two routes of the incident, typed from the repository of the demo: one commit, two files, two units, and one start of a
// pod in which they meet.
func TestRoutesOfTheIncident(t *testing.T) {
	s := openShop(t)
	s.story = true
	r := s.judge(t, demo.Incident, math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
	f := finding(t, r, "race", "Rollout api/api <-> ConfigMap api/api-descriptor", "release api v1.19.0")
	got := f.Routes
	if got == nil || len(got.Ways) != 3 || got.Units != 2 || !slices.Equal(got.Commits, []string{f.Release.Short}) {
		t.Fatalf("%+v", got)
	}
	if want := "when a pod starts: its proxy loads api-descriptor, and keeps it"; got.Meet != want {
		t.Errorf("they meet %q, want %q", got.Meet, want)
	}
	for i, want := range []struct {
		end, path, unit, source, object, stop string
		changed                               bool
	}{
		{"consumer", "app/helm/api/values/prd.yaml", "api", "app/helm/api@main", "Rollout api/api", "a canary of new pods starts", true},
		{"provider", "app/config/files/api.pb", "config", "app/config@main", "ConfigMap api/api-descriptor", "kubelet", true},
		{"filter", "", "api", "app/helm/api@main", "EnvoyFilter api/api-transcoder", "", false},
	} {
		w := got.Ways[i]
		if w.End != want.end || w.Changed != want.changed || w.Object != want.object || firstOf(w.Paths) != want.path || firstOf(w.Stops) != want.stop {
			t.Errorf("got %+v, want %+v", w, want)
		}
		unit := diag.RouteUnit{
			Name: want.unit, Kind: "Application", Automated: true, Prune: true, SelfHeal: true, Trigger: "polling", Revision: "main", Source: want.source,
		}
		if *w.Unit != unit {
			t.Errorf("got %+v, want %+v", *w.Unit, unit)
		}
	}
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// TestRoutesOfAMove: the descriptor goes from one unit to another, and its files are of the new one.
func TestRoutesOfAMove(t *testing.T) {
	s := openShop(t)
	s.story = true
	r := s.judge(t, "main", math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
	f := finding(t, r, "race", "Rollout api/api <-> ConfigMap api/api-descriptor", "deliver the descriptor once")
	if f.Routes == nil || len(f.Routes.Ways) < 2 {
		t.Fatalf("%+v", f.Routes)
	}
	w := f.Routes.Ways[1]
	if !w.Changed || w.Before != "api" || w.Unit.Name != "config" || !slices.Contains(w.Paths, "app/config/files/api.pb") || f.Routes.Units != 2 {
		t.Errorf("%+v", w)
	}
	if w := f.Routes.Ways[0]; w.Changed || len(w.Paths) != 0 {
		t.Errorf("%+v", w)
	}
}
