package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
)

// told is a story in short, a line a turn.
func told(steps []diag.Step) []string {
	out := []string{}
	for _, s := range steps {
		does := s.Does
		if s.Unusual != "" {
			does = "{" + s.Unusual + "} " + does
		}
		out = append(out, strings.TrimSuffix(s.Actor+" "+does+": "+s.Then, ": "))
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheIncident(t *testing.T) {
	f := explain.Finding(solve(t, split(addsMethod)), shop("split-pair"))
	if f.Verdict != "race" || f.Persistence != "sticky" || f.Visibility != "silent" || len(f.Needs) != 0 || !f.Complete {
		t.Errorf("verdict %s, %s, %s, needs %v, complete %v", f.Verdict, f.Persistence, f.Visibility, f.Needs, f.Complete)
	}
	if f.Title != "Rollout api/api <-> ConfigMap api/api-descriptor" {
		t.Errorf("title %q", f.Title)
	}
	same(t, "steps", told(f.Steps), []string{
		"api syncs 9e2f1c4: Rollout api/api gets image v1.9.0",
		"Rollout api starts a pod of v1.9.0: its proxy loads api-descriptor @ v1.8.0, and keeps it",
	})
	if want := "stays, also when config has synced, until the pod, its proxy or its listener is replaced; " +
		"meanwhile Argo CD shows api and config Synced and Healthy"; f.Lasts != want {
		t.Errorf("lasts %q, want %q", f.Lasts, want)
	}
	if want := (diag.Call{What: newRoute.What, Meets: newRoute.Meets, New: true}); len(f.Outcome) != 1 || f.Outcome[0] != want {
		t.Errorf("outcome %v, want %v", f.Outcome, want)
	}
	if want := "config first breaks only with an unusual step"; f.Orders.ProviderFirst.Sentence != want {
		t.Errorf("order %q, want %q", f.Orders.ProviderFirst.Sentence, want)
	}
	if f.Breaking != "no" || f.Release.Changes != "changes both, in one commit" || f.Release.Short != "9e2f1c4" || len(f.Release.Base) != 1 {
		t.Errorf("breaking %q, release %+v", f.Breaking, f.Release)
	}
}

// TestUnusualSteps is how each kind of unusual step is told.
func TestUnusualSteps(t *testing.T) {
	gets := "api syncs 9e2f1c4: ConfigMap api/api-descriptor is now @ v1.9.0; Rollout api/api gets image v1.9.0"
	first := "api syncs 9e2f1c4: ConfigMap api/api-descriptor is now @ v1.9.0"
	kept := "its proxy loads api-descriptor @ v1.8.0, and keeps it"
	anew := "its proxy loads api-descriptor @ v1.9.0, and keeps it"
	for _, tc := range []struct {
		kind string
		p    cone.Problem
		want []string
	}{
		{"manual", together(changesType), []string{
			"api {manual} is synced by hand: only Rollout api/api; it gets image v1.9.0",
			"Rollout api starts a pod of v1.9.0: " + kept,
		}},
		{"stale-kubelet", together(changesType), []string{
			gets, "Rollout api {stale-kubelet} starts a pod of v1.9.0: its kubelet still has the old content: " + kept,
		}},
		{"refused", together(changesType), []string{
			"api {refused} syncs 9e2f1c4: the API server refuses ConfigMap api/api-descriptor once; Rollout api/api gets image v1.9.0 all the same",
			"Rollout api starts a pod of v1.9.0: " + kept,
		}},
		{"abort", together(changesType), []string{gets, "Rollout api {abort} is aborted: a pod of v1.8.0 starts: " + anew}},
		{"reload", together(changesType), []string{
			first, "Rollout api {reload} a proxy of v1.8.0 restarts, or rebuilds its listener: it loads api-descriptor @ v1.9.0, and keeps it",
		}},
		{"churn or scale", together(changesType), []string{
			first, "Rollout api {churn or scale} a pod of v1.8.0 is made again, or one is added: " + anew,
		}},
		{"undo", together(changesType), []string{
			gets, "Rollout api starts a pod of v1.9.0: " + anew + "; the rollout is complete",
			"Rollout api {undo} is set back by hand: Rollout api/api has image v1.8.0 again; a pod of v1.8.0 starts: " + anew,
		}},
		{"stale-health", contentNamed(), []string{
			"api syncs 9e2f1c4: ConfigMap api/api-descriptor-7d2a is created @ v1.9.0; Rollout api/api gets image v1.9.0",
			"api {stale-health} goes on: its next wave begins, on a health that is out of date; ConfigMap api/api-descriptor-5f9c is deleted",
		}},
		{"stuck", moved(), []string{
			"config syncs 9e2f1c4: ConfigMap api/api-descriptor is deleted", "api {stuck} starts no sync any more",
		}},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			f := explain.Finding(solve(t, tc.p), shop("split-pair"))
			i := slices.IndexFunc(f.Openings, func(o diag.Opening) bool { return slices.Equal(o.Needs, []string{tc.kind}) })
			if i < 0 {
				t.Fatalf("nothing needs {%s}", tc.kind)
			}
			same(t, "steps", told(f.Openings[i].Steps), tc.want)
		})
	}
}

// TestTurns are runs that a search does not always choose, told step by step.
func TestTurns(t *testing.T) {
	for _, tc := range []struct {
		name string
		p    cone.Problem
		run  []delivery.Event
		want []string
	}{
		{
			"a delete that was decided before others wrote", moved(),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: config, Number: 1}, {Deed: delivery.Started, Unit: config, Number: 1},
				{Deed: delivery.Observed, Unit: api, Number: 1}, {Deed: delivery.Started, Unit: api, Number: 1},
				{Deed: delivery.Applied, Unit: api, Object: configMap, Number: 1}, {Deed: delivery.Pruned, Unit: config, Object: configMap},
			},
			[]string{
				"config syncs 9e2f1c4: it is going to delete ConfigMap api/api-descriptor",
				"api syncs 9e2f1c4: ConfigMap api/api-descriptor is taken over from config",
				"config goes on: ConfigMap api/api-descriptor is deleted",
			},
		},
		{
			"an old revision heals itself", movedAndChanged(),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: api, Number: 1}, {Deed: delivery.Started, Unit: api, Number: 1},
				{Deed: delivery.Applied, Unit: api, Object: configMap, Number: 2}, {Deed: delivery.Healing, Unit: config, Number: 0},
				{Deed: delivery.Applied, Unit: config, Object: configMap, Number: 1},
			},
			[]string{
				"api syncs 9e2f1c4: ConfigMap api/api-descriptor is now @ v1.9.0, taken over from config",
				"config heals itself at 1d1d1d1, since it has not seen 9e2f1c4 yet: ConfigMap api/api-descriptor is now @ v1.8.0, taken over from api",
			},
		},
		{
			"a filter that proxies refuse", withFilter(3),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: api, Number: 1}, {Deed: delivery.Started, Unit: api, Number: 1},
				{Deed: delivery.Applied, Unit: api, Object: rollout, Number: 2}, {Deed: delivery.Applied, Unit: api, Object: 2, Number: 2},
				{Deed: delivery.Told, Object: 2, Number: 2}, {Deed: delivery.PodStarted, Object: rollout, Number: 1},
			},
			[]string{
				"api syncs 9e2f1c4: Rollout api/api gets image v1.9.0; EnvoyFilter api/transcoder is now @ v1.9.0",
				"Istio pushes transcoder @ v1.9.0: refused by proxies of v1.8.0 (their file is api-descriptor @ v1.8.0), which keep what they have: nobody tries again",
				"Rollout api starts a pod of v1.9.0: its proxy refuses transcoder @ v1.9.0, since its file is api-descriptor @ v1.8.0, and the pod does not become ready",
			},
		},
		{
			"a hook that waits, and a rollout that ends by itself", with(split(changesType), barrier),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: config, Number: 1}, {Deed: delivery.Started, Unit: config, Number: 1},
				{Deed: delivery.Applied, Unit: config, Object: configMap, Number: 2},
				{Deed: delivery.Observed, Unit: api, Number: 1}, {Deed: delivery.Started, Unit: api, Number: 1},
				{Deed: delivery.Applied, Unit: api, Object: 2}, {Deed: delivery.Waited, Unit: api},
				{Deed: delivery.Applied, Unit: api, Object: rollout, Number: 2},
			},
			[]string{
				"config syncs 9e2f1c4: ConfigMap api/api-descriptor is now @ v1.9.0",
				"api syncs 9e2f1c4: its hook finds api-descriptor @ v1.9.0; Rollout api/api gets image v1.9.0",
			},
		},
		{
			"an external secret", with(split(addsMethod), external),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: config, Number: 1}, {Deed: delivery.Started, Unit: config, Number: 1},
				{Deed: delivery.Applied, Unit: config, Object: 2, Number: 2}, {Deed: delivery.Made, Object: configMap, Number: 2},
			},
			[]string{
				"config syncs 9e2f1c4: ExternalSecret api/api-descriptor is now @ v1.9.0",
				"Secret api-descriptor is made from ExternalSecret api/api-descriptor: Secret api/api-descriptor is now @ v1.9.0",
			},
		},
		{
			"an immutable object", with(split(addsMethod), immutable),
			[]delivery.Event{
				{Deed: delivery.Observed, Unit: config, Number: 1}, {Deed: delivery.Started, Unit: config, Number: 1},
				{Deed: delivery.Turned, Unit: config, Object: configMap, Number: 1},
			},
			[]string{"config syncs 9e2f1c4: ConfigMap api/api-descriptor is refused: it is immutable"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if looks := tc.p.Case.Replay(tc.run); len(looks) != len(tc.run)+1 {
				t.Fatalf("step %d is not possible", len(looks)-1)
			}
			s := proof.Solved{Problem: tc.p, Judgement: proof.Judgement{Verdict: proof.Fragile, Openings: []proof.Opening{{
				Harm: proof.Skew, Persistence: proof.Sticky, Visibility: proof.Visible, Trace: tc.run, Harmed: len(tc.run),
			}}}}
			same(t, "steps", told(explain.Finding(s, shop("split-pair")).Steps), tc.want)
		})
	}
}

// TestWhatIsNotKnown has solved problems of which little is there: they are told as far as that goes.
func TestWhatIsNotKnown(t *testing.T) {
	for _, tc := range solved(t) {
		s := tc.s
		s.Names, s.Match, s.Means = cone.Names{}, nil, nil
		if f := explain.Finding(s, explain.Context{}); f.Verdict != string(s.Verdict) || f.Message == "" || f.Breaking != "" || f.Release != nil {
			t.Errorf("%s: %+v", tc.name, f)
		}
	}
	s := proof.Solved{
		Problem:   cone.Problem{Case: &delivery.Case{}, Gaps: []diag.Gap{{Reason: diag.Remote, At: object.Location{File: "a"}, Message: "m", Close: "c"}}},
		Judgement: proof.Judgement{Verdict: proof.Undecided, Why: "the release has 12 units, at most 8 can be judged"},
	}
	f := explain.Finding(s, explain.Context{Close: "split it"})
	if f.Complete || len(f.Gaps) != 1 || f.Reason != s.Why || f.Close != "split it" {
		t.Errorf("%+v", f)
	}
}

func TestAlreadyBroken(t *testing.T) {
	p := with(split(addsMethod), func(p *cone.Problem) {
		p.Match.AlreadyBroken, p.Match.Repaired, p.Match.Known = []match.Call{{What: "GET /v1/old", Meets: "503", Common: true}}, true, false
	})
	f := explain.Finding(solve(t, p), shop("split-pair"))
	if f.Breaking != "?" || !f.Repaired || len(f.AlreadyBroken) != 1 || f.AlreadyBroken[0] != (diag.Call{What: "GET /v1/old", Meets: "503"}) {
		t.Errorf("breaking %q, already broken %v, repaired %v", f.Breaking, f.AlreadyBroken, f.Repaired)
	}
}

// TestStyle holds every sentence of every case to the style of sentences: no full stop, no two spaces, one line.
func TestStyle(t *testing.T) {
	for _, tc := range solved(t) {
		f := explain.Finding(tc.s, shop("split-pair"))
		sentences := []string{f.Message, f.Lasts, f.Window, f.Reason, f.Close}
		for _, s := range f.Steps {
			sentences = append(sentences, s.Does, s.Then)
		}
		for _, o := range f.Openings {
			for _, s := range o.Steps {
				sentences = append(sentences, s.Does, s.Then)
			}
		}
		for _, s := range sentences {
			if strings.HasSuffix(s, ".") || strings.Contains(s, "  ") || strings.Contains(s, "\n") || strings.Contains(s, "; ;") ||
				strings.HasPrefix(s, "; ") || strings.HasSuffix(s, " ") {
				t.Errorf("%s: %q", tc.name, s)
			}
		}
	}
}

// TestCallsOfContentNamed: also where names tell contents, it is said which calls fail.
func TestCallsOfContentNamed(t *testing.T) {
	fails := func(image int, _, _ delivery.Content) delivery.Outcome {
		if image == 1 {
			return delivery.Outcome{New: delivery.Fails}
		}
		return delivery.Outcome{}
	}
	p := with(contentNamed(), func(p *cone.Problem) {
		p.Means, p.Case.Pair.Match = means(fails), fails
	})
	c := shop("split-pair")
	c.Title = "what api serves"
	f := explain.Finding(solve(t, p), c)
	if want := (diag.Call{What: newRoute.What, Meets: newRoute.Meets, New: true}); f.Verdict != "broken" || len(f.Outcome) != 1 || f.Outcome[0] != want {
		t.Errorf("%s: %+v, want %+v", f.Verdict, f.Outcome, want)
	}
	if f.Title != c.Title {
		t.Errorf("title %q, want %q", f.Title, c.Title)
	}
	p.Means = nil
	if f := explain.Finding(solve(t, p), c); len(f.Outcome) != 1 || f.Outcome[0].What != "v1.9.0 with api-descriptor-7d2a @ v1.9.0 does not work" {
		t.Errorf("without calls to tell of: %+v", f.Outcome)
	}
}
