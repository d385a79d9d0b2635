package pipeline_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// The cause of the incident, typed from the history of the demo: the descriptor was kept twice and drifted, so it was put into
// a unit of its own; two workloads read it then, one was about to leave, and left.
func TestStory(t *testing.T) {
	const pair = "Rollout api/api <-> ConfigMap api/api-descriptor"
	partner := object.ID{Kind: "Deployment", Namespace: "api", Name: "partner-gateway"}
	opened := openShop(t)
	for _, tc := range []struct {
		rev     string
		removed []object.ID
		lapsed  string
		joined  string
		readers int // today
		assumed string
		both    int
	}{
		{rev: demo.Incident, readers: 2, both: 27},
		{
			rev: demo.TurningPoint, removed: []object.ID{partner}, readers: 2, both: 30,
			assumed: "without Deployment api/partner-gateway one workload reads ConfigMap api/api-descriptor: Rollout api/api",
		},
		{rev: demo.TurningPoint, readers: 2, both: 30},
		{rev: "main", readers: 1, lapsed: "partner-gateway leaves", both: 38},
		{rev: demo.Fixed, readers: 1, lapsed: "partner-gateway leaves", both: 41, joined: "api: adopt api-descriptor"},
	} {
		t.Run(fmt.Sprint(tc.rev, tc.removed), func(t *testing.T) {
			s := opened
			s.story, s.removed = true, tc.removed
			r := s.judge(t, tc.rev, math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
			f := finding(t, r, "race", pair, "release api v1.12.0")
			e, c := f.Story.Evidence, f.Story.Cause
			if e.Both != tc.both {
				t.Errorf("%d releases change both ends, want %d", e.Both, tc.both)
			}
			if c.Since == nil || c.Since.Subject != "deliver the descriptor once" || c.Born {
				t.Fatalf("apart since %+v, born %v", c.Since, c.Born)
			}
			if got := subject(c.Lapsed); got != tc.lapsed {
				t.Errorf("the reason lapsed with %q, want %q", got, tc.lapsed)
			}
			if got := subject(c.Joined); got != tc.joined {
				t.Errorf("one unit delivers both since %q, want %q", got, tc.joined)
			}
			if got := len(c.Readers[len(c.Readers)-1].Names); got != tc.readers {
				t.Errorf("%d workloads read the descriptor, want %d", got, tc.readers)
			}
			if c.Assumed != tc.assumed {
				t.Errorf("assumed %q, want %q", c.Assumed, tc.assumed)
			}
			var copies []string
			for _, x := range c.Copies {
				copies = append(copies, fmt.Sprintf("%s of %s drifted %v", x.Object, x.Unit, x.Drifted > 0))
			}
			compare(t, copies, []string{
				"ConfigMap api/api-descriptor of api drifted true", "ConfigMap api/partner-gateway-descriptor of partner-gateway drifted true",
			})
			if tc.joined == "" {
				sides(t, f.Story.Sides)
			} else if list := f.Story.Sides; len(list) != 2 || list[0].Unit != "api" || list[1].Unit != "api" {
				t.Errorf("sides of one unit: %+v", list)
			}
		})
	}
}

func subject(c *diag.Commit) string {
	if c == nil {
		return ""
	}
	return c.Subject
}

// sides of the pair: the application's team owns what its releases change, its pipeline writes that, from another repository,
// and another team owns what the descriptor is packed by.
func sides(t *testing.T, list []diag.Side) {
	t.Helper()
	if len(list) != 2 || list[0].Unit != "api" || list[1].Unit != "config" {
		t.Fatalf("sides %+v", list)
	}
	for i, want := range []struct{ path, owner, pipeline string }{
		{"app/helm/api/values/prd.yaml", "@shop/api-team", "ci/delivery.env"},
		{"app/config/files/api.pb", "@shop/api-team (app/config/files/api.pb) and @shop/platform-team (app/config/kustomization.yaml)", "ci/delivery.env"},
	} {
		s := list[i]
		if s.Paths[0] != want.path || s.Owner != want.owner || len(s.Writers) != 1 || len(s.Automation) != 1 {
			t.Errorf("%+v", s)
			continue
		}
		if w := s.Automation[0]; w.By != "the pipeline of ../api" || w.At.Repository != "../api" || w.At.File != want.pipeline || w.Path != want.path || !w.Sure {
			t.Errorf("%+v", w)
		}
		if !strings.Contains(s.Whose, want.owner+" to review; the pipeline of ../api (") {
			t.Errorf("%s", s.Whose)
		}
	}
}

func TestReverts(t *testing.T) {
	s := openShop(t)
	s.story = true
	r := s.judge(t, "main", math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
	f := finding(t, r, "race", "Rollout api/api <-> ConfigMap api/api-descriptor", "release api v1.19.0")
	i := slices.IndexFunc(f.Story.Evidence.Fixes, func(x diag.Fix) bool { return x.Release.Subject == "release api v1.19.0" })
	if i < 0 {
		t.Fatalf("fixes %+v", f.Story.Evidence.Fixes)
	}
	if fix := f.Story.Evidence.Fixes[i]; fix.Kind != "revert" || fix.After != "52 min" || fix.By.Subject != `Revert "release api v1.19.0"` {
		t.Errorf("%+v", fix)
	}
}
