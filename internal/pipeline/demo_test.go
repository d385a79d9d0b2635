package pipeline_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// shop is the demo, opened.
type shop struct {
	repos     demo.Repositories
	manifests *source.Repository
	api       *source.Repository
	pool      *render.Pool
	story     bool
	removed   []object.ID
	remedies  func(diag.Finding) bool
}

func openShop(t *testing.T) shop {
	t.Helper()
	repos, err := demo.Build(t.Context(), t.TempDir()+"/shop")
	if err != nil {
		t.Fatal(err)
	}
	s := shop{repos: repos, pool: render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})}
	t.Cleanup(s.pool.Close)
	for dir, to := range map[string]**source.Repository{repos.Manifests: &s.manifests, repos.Application: &s.api} {
		repo, err := source.Open(t.Context(), dir, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(repo.Close)
		*to = repo
	}
	return s
}

// pairs is the configuration that says what the two images serve.
func pairs(serves *config.Serves) []config.Pair {
	provider := config.End{Kind: "ConfigMap", Namespace: "api", Name: "api-descriptor"}
	return []config.Pair{
		{Consumer: config.End{Kind: "Rollout", Namespace: "api", Name: "api"}, Provider: provider, Serves: serves},
		{Consumer: config.End{Kind: "Deployment", Namespace: "api", Name: "partner-gateway"}, Provider: provider, Serves: serves},
	}
}

var serving = &config.Serves{Repository: "../api", Revision: "{{tag}}", Protos: "proto"}

// judge runs the pipeline over the last n releases up to a revision.
func (s shop) judge(t *testing.T, rev string, n int, change func(*config.Config)) diag.Report {
	t.Helper()
	ctx := t.Context()
	tip, err := s.manifests.Resolve(ctx, rev)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := s.manifests.Tree(ctx, tip)
	if err != nil {
		t.Fatal(err)
	}
	commits, err := s.manifests.FirstParents(ctx, tip, n)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(commits)
	m := memo.New(memo.Options{})
	in := pipeline.Input{
		Commit: &tip, All: true, Rules: hazards.Rules(),
		Discover: discover.Input{
			Tree: tree, Revision: tip.Hash, Refs: s.manifests, Config: config.Default(), Jobs: 2,
			Renderer: render.Remember(s.pool, m), Memo: m,
			Remotes: []string{demo.ManifestsURL},
		},
		Releases: &pipeline.Releases{
			Repository: s.manifests, Story: s.story, Removed: s.removed, Remedies: s.remedies,
			Others: func(context.Context, string) (history.Revisions, error) { return s.api, nil },
		},
	}
	change(&in.Discover.Config)
	for i := 1; i < len(commits); i++ {
		in.Releases.Steps = append(in.Releases.Steps, pipeline.Step{Commits: commits[i-1 : i+1]})
	}
	r, err := pipeline.Run(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// story is one line for each release and pair: date, verdict, breaking, consumer, subject.
func story(r diag.Report) []string {
	var out []string
	for _, f := range r.Findings {
		consumer, _, _ := strings.Cut(f.Title, " <->")
		for _, s := range f.Releases {
			out = append(out, fmt.Sprintf("%s %s %s %s: %s", s.Date[:10], s.Verdict, s.Breaking, consumer[strings.Index(consumer, "/")+1:], s.Subject))
		}
	}
	slices.Sort(out)
	return out
}

// told is the story of main, typed from the history of the demo: which release does what to whom.
var told = strings.Split(strings.TrimSpace(`
2023-05-15 fragile no api: api: the order service, v0.1.0
2023-06-20 fragile no api: release api v0.2.0
2023-08-22 fragile no api: release api v0.3.0
2023-11-07 fragile no api: release api v0.4.0
2024-01-16 fragile no api: release api v0.5.0
2024-02-27 fragile no api: release api v1.0.0
2024-03-11 race no partner-gateway: deliver the descriptor once
2024-03-11 race no api: deliver the descriptor once
2024-03-19 race no api: release api v1.1.0
2024-03-19 safe no partner-gateway: release api v1.1.0
2024-04-09 race no api: release api v1.2.0
2024-04-09 safe no partner-gateway: release api v1.2.0
2024-04-11 safe no api: release api v1.2.1
2024-05-14 race no api: release api v1.3.0
2024-05-14 safe no partner-gateway: release api v1.3.0
2024-06-04 broken no partner-gateway: release api v1.4.0
2024-06-04 race yes api: release api v1.4.0
2024-07-02 race no api: release api v1.5.0
2024-07-02 safe no partner-gateway: release api v1.5.0
2024-07-23 safe yes partner-gateway: partner-gateway: v1.5.0
2024-08-13 broken no partner-gateway: release api v1.6.0
2024-08-13 race yes api: release api v1.6.0
2024-08-14 race no api: release api v1.6.1
2024-08-14 safe no partner-gateway: release api v1.6.1
2024-09-10 race no api: release api v1.7.0
2024-09-10 safe no partner-gateway: release api v1.7.0
2024-10-08 race no api: release api v1.8.0
2024-10-08 safe no partner-gateway: release api v1.8.0
2024-11-05 broken no partner-gateway: release api v1.9.0
2024-11-05 safe yes api: release api v1.9.0
2024-11-19 fragile yes partner-gateway: partner-gateway: v1.9.0, with returns
2024-12-03 race no api: release api v1.10.0
2024-12-03 safe no partner-gateway: release api v1.10.0
2025-01-21 race no api: release api v1.11.0
2025-01-21 safe no partner-gateway: release api v1.11.0
2025-02-18 race no api: release api v1.12.0
2025-02-18 safe no partner-gateway: release api v1.12.0
2025-02-25 race no api: release api v1.12.1
2025-02-25 safe no partner-gateway: release api v1.12.1
2025-03-11 safe no partner-gateway: partner-gateway: v1.12.1
2025-03-25 race no api: release api v1.13.0
2025-03-25 safe no partner-gateway: release api v1.13.0
2025-04-29 race no api: release api v1.14.0
2025-04-29 safe no partner-gateway: release api v1.14.0
2025-05-27 race no api: release api v1.15.0
2025-05-27 safe no partner-gateway: release api v1.15.0
2025-06-03 safe no api: api: more memory
2025-06-24 race no api: release api v1.16.0
2025-06-24 safe no partner-gateway: release api v1.16.0
2025-08-05 race no api: release api v1.17.0
2025-08-05 safe no partner-gateway: release api v1.17.0
2025-09-02 race no api: release api v1.18.0
2025-09-02 safe no partner-gateway: release api v1.18.0
2025-10-07 broken no partner-gateway: release api v1.19.0
2025-10-07 race yes api: Revert "release api v1.19.0"
2025-10-07 race yes api: release api v1.19.0
2025-10-07 safe no partner-gateway: Revert "release api v1.19.0"
2025-10-09 broken no partner-gateway: release api v1.19.1
2025-10-09 race yes api: release api v1.19.1
2025-10-14 safe yes partner-gateway: partner-gateway: v1.19.1
2025-10-28 race no api: release api v1.20.0
2025-10-28 safe no partner-gateway: release api v1.20.0
2025-12-02 race no api: release api v1.21.0
2025-12-02 safe no partner-gateway: release api v1.21.0
2026-01-13 race no api: release api v1.22.0
2026-01-13 safe no partner-gateway: release api v1.22.0
2026-02-03 race no api: release api v1.23.0
2026-03-03 race no api: release api v1.24.0
2026-03-31 race no api: release api v1.25.0
2026-05-05 race no api: release api v1.26.0
2026-06-09 race no api: release api v1.27.0
2026-07-07 race no api: release api v1.28.0
`), "\n")

func TestDemoTellsTheIncident(t *testing.T) {
	s := openShop(t)
	r := s.judge(t, "main", math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
	compare(t, story(r), told)

	incident := finding(t, r, "race", "Rollout api/api <-> ConfigMap api/api-descriptor", `release api v1.19.0`)
	if incident.Persistence != "sticky" || incident.Visibility != "silent" || len(incident.Needs) != 0 {
		t.Errorf("the incident is %s, %s, needs %v", incident.Persistence, incident.Visibility, incident.Needs)
	}
	if !slices.ContainsFunc(incident.Outcome, func(c diag.Call) bool { return strings.Contains(c.Meets, "502") }) {
		t.Errorf("the incident has no 502: %v", incident.Outcome)
	}
	var first []string
	for _, o := range incident.Orders.ProviderFirst.Openings {
		if len(o.Needs) == 1 {
			first = append(first, strings.Join(append(o.Needs, o.Persistence, o.Visibility), " "))
		}
	}
	slices.Sort(first)
	compare(t, first, []string{
		"abort sticky visible", "churn or scale transient silent", "reload transient silent", "stale-kubelet sticky silent",
		"undo transient visible",
	})

	added := finding(t, r, "race", "Rollout api/api <-> ConfigMap api/api-descriptor", "release api v1.28.0")
	if o := added.Orders.ProviderFirst.Openings; len(o) != 1 || !slices.Equal(o[0].Needs, []string{"stale-kubelet"}) {
		t.Errorf("with the ConfigMap first an addition is opened by %v", o)
	}
	for _, f := range r.Findings {
		if f.Proof.Replay != "" {
			t.Errorf("%s: %s", f.ID, f.Proof.Replay)
		}
		if f.Proof.States > 200_000 || f.Proof.Bound != "" || !f.Complete {
			t.Errorf("%s: %d states, bound %q, complete %v", f.ID, f.Proof.States, f.Proof.Bound, f.Complete)
		}
	}
}

func TestDemoWithoutProtos(t *testing.T) {
	s := openShop(t)
	r := s.judge(t, "main", math.MaxInt32, func(*config.Config) {})
	want := slices.Clone(told)
	for i, line := range want {
		switch line {
		case "2024-04-11 safe no api: release api v1.2.1": // the image alone: nothing stands beside it
			want[i] = "2024-04-11 undecided ? api: release api v1.2.1"
		case "2024-05-14 race no api: release api v1.3.0": // and what was there before is not known
			want[i] = "2024-05-14 race ? api: release api v1.3.0"
		}
	}
	// Nobody asks about the time when one unit delivered both.
	want = slices.DeleteFunc(want, func(line string) bool { return line < "2024-03" })
	compare(t, story(r), want)
}

func TestDemoFixed(t *testing.T) {
	s := openShop(t)
	r := s.judge(t, demo.Fixed, 11, func(c *config.Config) { c.Pairs = pairs(serving) })
	compare(t, story(r), []string{
		"2026-07-15 safe no api: api: adopt api-descriptor",
		"2026-07-20 safe no api: config: stop to render api-descriptor",
		"2026-08-04 fragile no api: release api v1.29.0",
		"2026-09-01 fragile yes api: release api v1.30.0",
		"2026-10-06 fragile no api: release api v1.31.0",
	})
	for _, f := range r.Findings {
		if f.Verdict != "fragile" {
			continue
		}
		var opens []string
		for _, o := range f.Openings {
			if len(o.Needs) == 1 {
				opens = append(opens, strings.Join(append(o.Needs, o.Harm, o.Persistence, o.Visibility), " "))
			}
		}
		slices.Sort(opens)
		want := []string{"manual skew sticky silent", "refused skew sticky silent", "stale-kubelet skew sticky silent"}
		if f.Breaking == "yes" {
			want = append(want, "abort skew sticky visible", "churn or scale skew transient visible", "reload skew transient visible",
				"undo skew transient visible")
			slices.Sort(want)
		}
		compare(t, opens, want)
	}
}

// finding is the one of a verdict and title that has a release.
func finding(t *testing.T, r diag.Report, verdict, title, subject string) diag.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Verdict == verdict && f.Title == title &&
			slices.ContainsFunc(f.Releases, func(s diag.Shown) bool { return s.Subject == subject }) {
			return f
		}
	}
	t.Fatalf("no %s of %s in %q", verdict, title, subject)
	return diag.Finding{}
}

// compare tells what two lists do not have in common.
func compare(t *testing.T, got, want []string) {
	t.Helper()
	count := map[string]int{}
	for _, line := range got {
		count[line]++
	}
	for _, line := range want {
		count[line]--
	}
	for _, line := range slices.SortedFunc(maps.Keys(count), cmp.Compare[string]) {
		switch n := count[line]; {
		case n > 0:
			t.Errorf("has   %s", line)
		case n < 0:
			t.Errorf("lacks %s", line)
		}
	}
}

// A consumer that turns from a ConfigMap of its own to a shared one: what it read is pruned before its pods are replaced, and that
// passes. Its proxies take the filter with either.
func TestConsumerTurnsToAnotherProvider(t *testing.T) {
	s := openShop(t)
	r := s.judge(t, "main", math.MaxInt32, func(c *config.Config) { c.Pairs = pairs(serving) })
	f := finding(t, r, "race", "Deployment api/partner-gateway <-> ConfigMap api/api-descriptor", "deliver the descriptor once")
	if f.Harm != "absent" || f.Persistence != "transient" || len(f.Needs) != 0 {
		t.Errorf("%s, %s, needs %v", f.Harm, f.Persistence, f.Needs)
	}
}
