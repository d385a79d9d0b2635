package history_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// asked gives what a cause says, one line each, with subjects for commits; and which commits were rendered for it.
func asked(t *testing.T, w *world, tip string, consumer, provider string, set func(*history.LifeQuery)) (diag.Cause, []string, []string) {
	t.Helper()
	var seen []string
	h := history.New(history.Input{Repository: w.repo, Snapshots: func(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error) {
		if !slices.Contains(seen, c.Hash) {
			seen = append(seen, c.Hash)
		}
		return w.snapshot(ctx, c)
	}})
	q := history.LifeQuery{Tip: w.at(tip), Consumer: w.named(tip, consumer), Provider: w.named(tip, provider)}
	if set != nil {
		set(&q)
	}
	cause, limits, err := h.Life(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return cause, limits, seen
}

// named finds the object with a name at a revision.
func (w *world) named(rev, name string) object.ID {
	w.t.Helper()
	s, err := w.snapshot(w.t.Context(), w.at(rev))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, u := range s.Units {
		for _, o := range u.Objects {
			if o.ID.String() == name {
				return o.ID
			}
		}
	}
	w.t.Fatalf("no %s at %s", name, rev)
	return object.ID{}
}

// lines writes a cause down.
func lines(c diag.Cause, limits []string) string {
	var b strings.Builder
	at := func(what string, c *diag.Commit) {
		if c != nil {
			fmt.Fprintf(&b, "%s: %s\n", what, c.Subject)
		}
	}
	at("since", c.Since)
	if c.Born {
		b.WriteString("born\n")
	}
	if c.Before != "" {
		fmt.Fprintf(&b, "before: %s\n", c.Before)
	}
	at("joined", c.Joined)
	for _, r := range c.Readers {
		fmt.Fprintf(&b, "%s: %s\n", r.From.Subject, strings.Join(r.Names, ", "))
	}
	for _, copy := range c.Copies {
		fmt.Fprintf(&b, "copy %s of %s in %s drifted %d until %s\n", copy.Object, copy.Unit, copy.At.File, copy.Drifted, copy.Until.Subject)
	}
	at("lapsed", c.Lapsed)
	if c.Assumed != "" {
		fmt.Fprintf(&b, "assumed: %s\n", c.Assumed)
	}
	for _, l := range limits {
		fmt.Fprintf(&b, "limit: %s\n", l)
	}
	return b.String()
}

func TestLifeOfTheDemo(t *testing.T) {
	repos, err := demo.Build(t.Context(), filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	w := openWorld(t, repos.Manifests)
	const (
		api, partner = "Rollout api/api", "Deployment api/partner-gateway"

		ofAPI     = "before: unit api delivered both; Deployment api/partner-gateway read a copy of its own, ConfigMap api/partner-gateway-descriptor of unit partner-gateway\n"
		ofPartner = "before: unit partner-gateway delivered Deployment api/partner-gateway and ConfigMap api/partner-gateway-descriptor; ConfigMap api/api-descriptor was of unit api\n"

		since   = "since: deliver the descriptor once\n"
		readers = "api: the order service, v0.1.0: Rollout api/api\n" +
			"deliver the descriptor once: Deployment api/partner-gateway, Rollout api/api\n"
		left = "partner-gateway leaves: Rollout api/api\n"
		// Two copies: from v0.3.0 of api to v0.3.0 of partner-gateway (2 commits), from v0.4.0 of api to the descriptor that
		// had been forgotten (2), and from v0.5.0 of api on (3).
		copies = "copy ConfigMap api/api-descriptor of api in app/helm/api/templates/descriptor.yaml drifted 7 until deliver the descriptor once\n" +
			"copy ConfigMap api/partner-gateway-descriptor of partner-gateway in app/partner-gateway/base/kustomization.yaml drifted 7 until deliver the descriptor once\n"
		lapsed  = "lapsed: partner-gateway leaves\n"
		without = "assumed: without Deployment api/partner-gateway one workload reads ConfigMap api/api-descriptor: Rollout api/api\n"
		nothing = "assumed: Deployment api/partner-gateway does not read ConfigMap api/api-descriptor at "
	)
	for _, c := range []struct {
		tip, consumer, want string
		most                int // commits that are rendered
	}{
		{"incident", api, since + ofAPI + readers + copies + without, 18},
		{"incident", partner, since + ofPartner + readers + copies + without, 18},
		{"turning-point", api, since + ofAPI + readers + copies + without, 19},
		{"main", api, since + ofAPI + readers + left + copies + lapsed + nothing + w.at("main").Hash[:7] + "\n", 22},
		{"fixed", api, since + ofAPI + "joined: api: adopt api-descriptor\n" + readers + left + copies + lapsed + nothing + w.at("fixed").Hash[:7] + "\n", 25},
	} {
		cause, limits, seen := asked(t, w, c.tip, c.consumer, "ConfigMap api/api-descriptor", func(q *history.LifeQuery) {
			q.Removed = []object.ID{{Kind: "Deployment", Namespace: "api", Name: "partner-gateway"}}
		})
		if got := lines(cause, limits); got != c.want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", c.tip, c.consumer, got, c.want)
		}
		if len(seen) > c.most {
			t.Errorf("%s, %s: %d commits were rendered", c.tip, c.consumer, len(seen))
		}
		if cause.Since.Date != "2024-03-11T09:24:00Z" || cause.Since.Short != "9d5e32a" || cause.Since.Commit != w.titled("deliver the descriptor once").Hash {
			t.Errorf("%s, %s: since %+v", c.tip, c.consumer, cause.Since)
		}
	}
}
