package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

const apiPair = "Rollout api/api <-> ConfigMap api/api-descriptor"

// remediesOf are those of a pair of the demo at a revision, over all releases up to it.
func remediesOf(t *testing.T, s shop, rev, title string, removed ...object.ID) []diag.Remedy {
	t.Helper()
	s.story, s.removed = true, removed
	s.remedies = func(f diag.Finding) bool { return f.Title == title }
	r := s.judge(t, rev, 300, func(c *config.Config) { c.Pairs = pairs(serving) })
	for _, f := range r.Findings {
		if f.Title == title && len(f.Remedies) > 0 {
			return f.Remedies
		}
	}
	return nil
}

// ranking is one line for each remedy: its name, its verdicts, and those of other readers.
func ranking(list []diag.Remedy) []string {
	var out []string
	for _, r := range list {
		line := []string{r.Name, r.Verdict, r.WorstCase}
		if r.Refused != "" {
			line = []string{r.Name, "refused"}
		}
		for _, o := range r.Others {
			line = append(line, o.Verdict)
		}
		out = append(out, strings.Join(line, " "))
	}
	return out
}

// The tables are typed by hand from docs/semantics.md H3 and the smallest cases. Verdicts: over the real releases, in the worst
// case, and of partner-gateway, which reads the same descriptor.
func TestRemediesOfTheDemo(t *testing.T) {
	s := openShop(t)
	partner := object.ID{Kind: "Deployment", Namespace: "api", Name: "partner-gateway"}
	for _, tc := range []struct {
		name, rev string
		removed   []object.ID
		want      []string
	}{
		{
			// Two read it: with one unit for api alone, the other one is as badly off as before.
			"incident", "incident", nil, []string{
				"in-image fragile safe safe", "expand-contract fragile fragile safe",
				"own-wave fragile fragile broken", "multi-source fragile fragile broken", "merge-units fragile fragile broken",
				"content-named fragile fragile broken", "co-locate fragile fragile broken", // copies
				"presync-barrier fragile fragile broken", "orchestrator fragile fragile broken",
				"reloader race race broken", "app-waves race race broken", "app-waves-health race race broken", "rolling-sync race race broken",
				"split-release-wait broken broken broken", "split-release broken broken broken", "checksum refused",
			},
		},
		{
			"the other one is taken to be gone", "turning-point", []object.ID{partner}, []string{
				"own-wave fragile fragile", "multi-source fragile fragile", "in-image fragile safe", "content-named fragile fragile",
				"co-locate fragile fragile", "merge-units fragile fragile", "expand-contract fragile fragile",
				"presync-barrier fragile fragile", "orchestrator fragile fragile",
				"reloader race race", "app-waves race race", "app-waves-health race race", "rolling-sync race race",
				"split-release-wait broken broken", "split-release broken broken", "checksum refused",
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list := remediesOf(t, s, tc.rev, apiPair, tc.removed...)
			if got := ranking(list); !slices.Equal(got, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
			for _, r := range list {
				if r.Refused == "" && r.Breaking != list[0].Breaking {
					t.Errorf("%s: %d releases are breaking, with %s %d: no order helps old calls", r.Name, r.Breaking, list[0].Name, list[0].Breaking)
				}
			}
		})
	}
}

func TestRemediesAreOfNow(t *testing.T) {
	s := openShop(t)
	list := remediesOf(t, s, "main", apiPair)
	if len(list) == 0 || list[0].Name != "own-wave" || list[0].Reason != "before multi-source: less is left" {
		t.Fatalf("%+v", list)
	}
	var costs []string
	for _, c := range list[1].Costs {
		costs = append(costs, c.Kind+": "+c.Text)
	}
	for _, want := range []string{
		"files: 2 files of @shop/platform-team (argocd/apps/api.yaml, argocd/apps/config.yaml)",
		"kept: the pipeline of ../api (ci/delivery.env:4) goes on writing app/config/files/api.pb",
	} {
		if list[1].Name != "multi-source" || !slices.Contains(costs, want) {
			t.Errorf("%s lacks %q: %v", list[1].Name, want, costs)
		}
	}
	i := slices.IndexFunc(list, func(r diag.Remedy) bool { return r.Name == "expand-contract" })
	if m := list[i].Migration; m == nil || m.Of.Subject != "release api v1.19.1" || len(m.Steps) != 3 || m.Steps[0].Name != "expand" {
		t.Errorf("what goes into which release: %+v", m)
	}
	if list := remediesOf(t, s, "main", "Deployment api/partner-gateway <-> ConfigMap api/api-descriptor"); list != nil {
		t.Error("a pair that is none any more has remedies")
	}
}
