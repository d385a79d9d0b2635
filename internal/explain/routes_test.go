package explain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
)

// line is a route in one line: what changes, who delivers it, the object, and what it comes to.
func line(w diag.Route) string {
	text := w.End + ":"
	if !w.Changed {
		text += " unchanged"
	}
	if w.Before != "" {
		text += " " + w.Before + ", then"
	}
	if w.Unit != nil {
		text += " " + w.Unit.Name
	}
	return strings.Join(append([]string{text, w.Object}, w.Stops...), " > ")
}

// Routes of all sorts of pairs, typed by hand: nothing is said of a case that is not so in it.
func TestRoutes(t *testing.T) {
	const (
		rollout   = "consumer: api > Rollout api/api > a canary of new pods starts"
		configMap = "provider: config > ConfigMap api/api-descriptor > kubelet > file in the pods"
		start     = "when a pod starts: its proxy loads api-descriptor, and keeps it"
		reads     = "when a pod starts: it reads api-descriptor, and keeps it"
	)
	for _, tc := range []struct {
		name  string
		p     cone.Problem
		units int
		ways  []string
		meet  string
	}{
		{"two units", split(addsMethod), 2, []string{rollout, configMap}, start},
		{"one unit", together(changesType), 1, []string{rollout, strings.Replace(configMap, "config", "api", 1)}, start},
		{"only the workload", unchanged(split(addsMethod), 1), 1, []string{rollout, "provider: unchanged config > ConfigMap api/api-descriptor"}, start},
		{"only the ConfigMap", unchanged(split(addsMethod), 0), 1, []string{"consumer: unchanged api > Rollout api/api > its pods run on", configMap}, start},
		{"read again", with(split(changesType), follows), 2, []string{rollout, configMap}, "in a pod, at any time: it follows api-descriptor"},
		{"environment", with(split(changesType), fromEnvironment), 2, []string{rollout,
			"provider: config > ConfigMap api/api-descriptor > running pods see no change of it"}, reads},
		{"immutable", with(split(addsMethod), immutable), 2, []string{rollout,
			"provider: config > ConfigMap api/api-descriptor > running pods see no change of it"}, start},
		{"blue-green", with(split(changesType), strategy(delivery.BlueGreen)), 2, []string{
			"consumer: api > Rollout api/api > new pods start beside the old ones", configMap}, start},
		{"DaemonSet", with(split(changesType), daemonSet), 2, []string{"consumer: api > Rollout api/api > new pods start", configMap}, start},
		{"a dictionary in the filter", with(split(changesType), inline), 2, []string{rollout,
			"provider: config > EnvoyFilter api/transcoder > istiod > running proxies"}, "in the proxy: it takes what istiod pushes"},
		{"made by a controller", with(split(addsMethod), external), 2, []string{rollout,
			"provider: config > ExternalSecret api/api-descriptor > its controller makes Secret api/api-descriptor > kubelet > file in the pods"}, start},
		{"moved", moved(), 2, []string{"consumer: unchanged api > Rollout api/api > its pods run on",
			"provider: config, then api > ConfigMap api/api-descriptor > kubelet > file in the pods"}, start},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := explain.Finding(solve(t, tc.p), shop("split-pair")).Routes
			var got []string
			for _, w := range r.Ways {
				got = append(got, line(w))
			}
			if a, b := strings.Join(got, "\n"), strings.Join(tc.ways, "\n"); a != b {
				t.Errorf("got:\n%s\nwant:\n%s", a, b)
			}
			if r.Meet != tc.meet {
				t.Errorf("they meet %q, want %q", r.Meet, tc.meet)
			}
			if r.Units != tc.units {
				t.Errorf("%d units, want %d", r.Units, tc.units)
			}
		})
	}
}

// TestRouteOfAFilter: a third route, of what is told to the proxy.
func TestRouteOfAFilter(t *testing.T) {
	r := explain.Finding(solve(t, withFilter(3)), shop("split-pair")).Routes
	if len(r.Ways) != 3 {
		t.Fatalf("%+v", r.Ways)
	}
	if got := line(r.Ways[2]); !strings.HasPrefix(got, "filter: ") || !strings.HasSuffix(got, " > istiod > running proxies") {
		t.Error(got)
	}
}

// TestRouteUnits: what is known of units, and what is not.
func TestRouteUnits(t *testing.T) {
	c := shop("split-pair")
	c.Webhook = true
	c.Feeds = []explain.Feed{{Kind: "Application", Revision: "main", Source: "app/helm/api@main"}, {Kind: "bootstrap", Source: "app/config"}}
	p := split(addsMethod)
	p.Case.Units[config].Automated, p.Case.Units[config].Prune, p.Case.Units[config].SelfHeal = false, false, false
	r := explain.Finding(solve(t, p), c).Routes
	want := []diag.RouteUnit{
		{Name: "api", Kind: "Application", Automated: true, Prune: true, SelfHeal: true, Trigger: "webhook", Revision: "main", Source: "app/helm/api@main"},
		{Name: "config", Kind: "bootstrap", Source: "app/config"},
	}
	for i, w := range want {
		if got := *r.Ways[i].Unit; got != w {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
	if text, _ := json.Marshal(r.Commits); string(text) != `["9e2f1c4"]` {
		t.Errorf("commits %s", text)
	}
}

// TestRoutesInFlight: both commits are on their way.
func TestRoutesInFlight(t *testing.T) {
	if r := explain.Finding(solve(t, inFlight()), shop("split-pair")).Routes; len(r.Commits) != 2 {
		t.Errorf("commits %v", r.Commits)
	}
}
