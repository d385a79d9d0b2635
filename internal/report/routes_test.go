package report_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
)

func routed(ways ...diag.Route) diag.Report {
	return diag.Report{Findings: []diag.Finding{{
		ID: "aaaaaaaa", Rule: "split-pair", Verdict: "race", Title: "Rollout api/api <-> ConfigMap api/d", Complete: true,
		Routes: &diag.Routes{Commits: []string{"9e2f1c4"}, Units: 2, Ways: ways, Meet: "when a pod starts: its proxy loads d, and keeps it"},
	}}}
}

func way(end, path, unit, object string, stops ...string) diag.Route {
	u := &diag.RouteUnit{Name: unit, Kind: "Application", Automated: true, Prune: true, SelfHeal: true, Trigger: "polling", Revision: "main"}
	r := diag.Route{End: end, Changed: path != "", Unit: u, Object: object, Stops: stops}
	if path != "" {
		r.Paths = []string{path}
	}
	return r
}

// TestRoutesInText draws routes beside each other where there is room, and below each other where there is none.
func TestRoutesInText(t *testing.T) {
	api := way("consumer", "app/helm/api/values/prd.yaml", "api", "Rollout api/api", "a canary of new pods starts")
	config := way("provider", "app/config/files/api.pb", "config", "ConfigMap api/api-descriptor", "kubelet", "file in the pods")
	config.Paths, config.More = append(config.Paths, "app/config/kustomization.yaml"), 3
	config.Unit.Trigger, config.Unit.SelfHeal = "webhook", false
	filter := way("filter", "", "api", "EnvoyFilter api/transcoder")
	changed := way("filter", "f.yaml", "api", "EnvoyFilter api/transcoder", "istiod", "running proxies")
	long := way("consumer", "deploy/environments/production/europe-west1/values/application.yaml", "api", "Rollout api/api", "new pods start")
	still := way("provider", "", "config", "ConfigMap api/d")
	still.Before = "api"
	hand := way("provider", "x.yaml", "root", "ConfigMap api/d")
	hand.Unit = &diag.RouteUnit{Name: "root", Kind: "bootstrap"}
	hand.Paths = nil
	for _, tc := range []struct {
		name, want string
		ways       []diag.Route
	}{
		{"beside", `
  routes    9e2f1c4 reaches the cluster through 2 units
            |- app/helm/api/values/prd.yaml  -> api    -> Rollout api/api              -> a canary of new pods starts
            |- app/config/files/api.pb       -> config -> ConfigMap api/api-descriptor -> kubelet -> file in the pods
            |  app/config/kustomization.yaml
            |  and 3 more
            |    api: automated, prune, self-heal, polls main
            |    config: automated, prune, a webhook tells it of main
            ` + "`- meet when a pod starts: its proxy loads d, and keeps it\n", []diag.Route{api, config, filter}},
		{"below", `
            |- deploy/environments/production/europe-west1/values/application.yaml
            |    -> api
            |    -> Rollout api/api
            |    -> new pods start
            |- (not changed)
            |    -> config, before api
            |    -> ConfigMap api/d
            |- f.yaml
            |    -> api
            |    -> EnvoyFilter api/transcoder
            |    -> istiod -> running proxies
            |    api and config: automated, prune, self-heal, polls main
`, []diag.Route{long, still, changed}},
		{"by hand", `
            |- (files not known) -> root -> ConfigMap api/d
            |    root: applied by hand
`, []diag.Route{hand}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := written(t, report.Text, routed(tc.ways...), report.Options{Full: true})
			if !strings.Contains(got, tc.want) {
				t.Errorf("got:\n%s\nwant in it:%s", got, tc.want)
			}
			for line := range strings.Lines(got) {
				if len(line) > 119 {
					t.Errorf("too long: %q", line)
				}
			}
			if short := written(t, report.Text, routed(tc.ways...), report.Options{}); strings.Contains(short, "routes") {
				t.Errorf("scan draws routes:\n%s", short)
			}
		})
	}
}

func TestRoutesInMarkdown(t *testing.T) {
	api := way("consumer", "app/`x`|y.yaml", "api", "Rollout api/a_b", "new pods start")
	got := written(t, report.Markdown, routed(api), report.Options{Full: true})
	want := "**Routes** 9e2f1c4 reaches the cluster through 2 units\n\n" +
		"- `app/'x'|y.yaml` → api → Rollout api/a\\_b → new pods start\n" +
		"- api: automated, prune, self-heal, polls main\n" +
		"- they meet when a pod starts: its proxy loads d, and keeps it\n"
	if !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
	}
	if short := written(t, report.Markdown, routed(api), report.Options{}); strings.Contains(short, "Routes") {
		t.Errorf("scan tells routes:\n%s", short)
	}
}
