package schedule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/schedule"
)

const (
	api, config        = 0, 1 // units
	rollout, configMap = 0, 1 // objects
)

type contentsRow = []delivery.Content

// release is the smallest one: a canary of two pods or more in one unit, what its proxy reads at the start in another.
func release(consumer, provider contentsRow, change func(int, delivery.Content) delivery.Outcome) cone.Problem {
	automated := delivery.Unit{Automated: true, Prune: true, SelfHeal: true, Retries: 5, Spec: delivery.None, Keeps: true}
	template := func(image int) delivery.Template {
		return delivery.Template{Image: image, Provider: configMap, Reads: []delivery.Read{{Object: configMap}}}
	}
	return cone.Problem{Case: &delivery.Case{
		Last:  1,
		Units: []delivery.Unit{automated, automated},
		Objects: []delivery.Object{
			{Kind: delivery.Work, Place: delivery.Place{Rank: 36, Name: 2, Kind: 2}, Render: []contentsRow{consumer, nil}, Watch: delivery.None, Needs: delivery.None, Needed: true},
			{Kind: delivery.Config, Place: delivery.Place{Rank: 9, Kind: 1}, Render: []contentsRow{nil, provider}, Watch: delivery.None, Needs: delivery.None},
		},
		Workloads: []delivery.Workload{{
			Object: rollout, Templates: []delivery.Template{template(0), template(1)}, Template: map[delivery.Content]int{1: 0, 2: 1},
			Strategy: delivery.BasicCanary, Many: true,
		}},
		Pair: delivery.Pair{
			Workload: 0, Consumer: rollout, Provider: configMap, Mounted: true, Proxy: true, Filter: delivery.None,
			Match: func(image int, provider, _ delivery.Content) delivery.Outcome { return change(image, provider) },
		},
	}}
}

func addsMethod(image int, provider delivery.Content) delivery.Outcome {
	if image == 1 && provider == 1 {
		return delivery.Outcome{New: delivery.Fails}
	}
	return delivery.Outcome{}
}

func changesType(image int, provider delivery.Content) delivery.Outcome {
	switch {
	case image == 1 && provider == 1:
		return delivery.Outcome{Common: delivery.Fails, New: delivery.Fails}
	case image == 0 && provider == 2:
		return delivery.Outcome{Common: delivery.Fails}
	}
	return delivery.Outcome{}
}

var gravity = []proof.Verdict{proof.Broken, proof.Race, proof.Exposed, proof.Fragile, proof.Safe}

// solved is the gravest verdict of some releases, and what one unusual step opens in them.
func solved(t *testing.T, problems []cone.Problem) (proof.Verdict, []string) {
	t.Helper()
	s := proof.Solver{Bounds: proof.Bounds{Unusual: 2, States: 2_000_000, Plain: true}}
	verdict, openings := proof.Safe, []string{}
	for _, p := range problems {
		x, err := s.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if x.Verdict == proof.Undecided {
			t.Errorf("undecided: %s", x.Why)
		}
		if slices.Index(gravity, x.Verdict) < slices.Index(gravity, verdict) {
			verdict = x.Verdict
		}
		for _, o := range x.Openings {
			var set []string
			for _, k := range o.Set {
				set = append(set, k.String())
			}
			line := fmt.Sprintf("{%s} %s %s %s", strings.Join(set, ","), o.Harm, o.Persistence, o.Visibility)
			if len(o.Set) < 2 && !slices.Contains(openings, line) {
				openings = append(openings, line)
			}
		}
	}
	slices.Sort(openings)
	return verdict, openings
}

// What is left was typed by hand from the smallest cases and docs/semantics.md: H1.1 for what comes first, A3.4 for the schedule.Barrier,
// B10.5 for RollingSync, B9.3 for waves, D5.6 for the reloader.
func TestSchedules(t *testing.T) {
	added, typed := release(contentsRow{1, 2}, contentsRow{1, 2}, addsMethod), release(contentsRow{1, 2}, contentsRow{1, 2}, changesType)
	racing := []string{"{} skew sticky silent"}
	for _, tc := range []struct {
		name    string
		do      schedule.Schedule
		of      cone.Problem
		verdict proof.Verdict
		left    []string
	}{
		{"split, added", schedule.Split(schedule.Read, false), added, proof.Race, racing},
		{"split and wait, added", schedule.Split(schedule.Read, true), added, proof.Fragile, []string{"{stale-kubelet} skew sticky silent"}},
		{"image first and wait, added", schedule.Split(schedule.Consumer, true), added, proof.Broken, racing}, // its end is the skew, until pods are made again
		{"split and wait, another type", schedule.Split(schedule.Read, true), typed, proof.Broken, []string{
			"{abort} skew sticky visible", "{churn} skew sticky silent", "{churn} skew transient silent",
			"{reload} skew sticky silent", "{reload} skew transient silent", "{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}},
		{"waves, added", schedule.AppWaves(false), added, proof.Race, racing},
		{"waves with health, added", schedule.AppWaves(true), added, proof.Race, racing},
		{"RollingSync, added", schedule.Steps(false), added, proof.Race, racing},
		{"orchestrator, added", schedule.Steps(true), added, proof.Fragile, []string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}},
		{"barrier, added", schedule.Barrier, added, proof.Fragile, []string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}},
		{"barrier, another type", schedule.Barrier, typed, proof.Fragile, []string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{manual} skew sticky silent",
			"{reload} skew transient silent", "{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}},
		{"reloader, added", schedule.Reloader, added, proof.Fragile, []string{
			"{refused} skew sticky visible", "{stale-kubelet} skew sticky silent", "{stuck} skew sticky visible",
		}},
		{"in the image, another type", schedule.InImage, typed, proof.Safe, nil},
		{"only added to, another type", schedule.Expanded, typed, proof.Fragile, []string{"{stale-kubelet} skew sticky silent"}},
	} {
		verdict, left := solved(t, tc.do(tc.of))
		if verdict != tc.verdict {
			t.Errorf("%s: %s, want %s", tc.name, verdict, tc.verdict)
		}
		if !slices.Equal(left, tc.left) && len(left)+len(tc.left) > 0 {
			t.Errorf("%s: left %v, want %v", tc.name, left, tc.left)
		}
	}
}

// What keeps an order does nothing where one side changes alone.
func TestSchedulesLeaveAloneWhatTheyCannotHelp(t *testing.T) {
	alone := []cone.Problem{
		release(contentsRow{1, 2}, contentsRow{1, 1}, addsMethod), // broken: the dictionary lacks what the image serves
		release(contentsRow{1, 1}, contentsRow{1, 2}, addsMethod), // safe
	}
	for i, p := range alone {
		before, left := solved(t, []cone.Problem{p})
		for name, do := range map[string]schedule.Schedule{
			"split": schedule.Split(schedule.Read, false), "wait": schedule.Split(schedule.Read, true), "waves": schedule.AppWaves(true), "RollingSync": schedule.Steps(false),
			"orchestrator": schedule.Steps(true), "barrier": schedule.Barrier, "reloader": schedule.Reloader,
		} {
			after, now := solved(t, do(p))
			if after != before || !slices.Equal(left, now) {
				t.Errorf("release %d, %s: %s %v, before %s %v", i, name, after, now, before, left)
			}
		}
	}
}

// A schedule makes a Case of its own: the one that it was given stays as it is.
func TestSchedulesCopy(t *testing.T) {
	p := release(contentsRow{1, 2}, contentsRow{1, 2}, changesType)
	before := p.Case.Fingerprint()
	for _, do := range []schedule.Schedule{
		schedule.Split(schedule.Read, false), schedule.Split(schedule.Consumer, true), schedule.AppWaves(true), schedule.Steps(false),
		schedule.Steps(true), schedule.Barrier, schedule.Reloader, schedule.InImage, schedule.Expanded,
	} {
		do(p)
	}
	schedule.Incompatible(p)
	if p.Case.Fingerprint() != before {
		t.Error("a Case was changed")
	}
}

// In the worst case only what is fresh together fits.
func TestIncompatible(t *testing.T) {
	p := schedule.Incompatible(release(contentsRow{1, 2}, contentsRow{1, 2}, func(int, delivery.Content) delivery.Outcome { return delivery.Outcome{} }))
	for image := range 2 {
		for content := delivery.Content(0); content <= 2; content++ {
			want := delivery.Outcome{Common: delivery.Fails}
			if int(content) == image+1 {
				want = delivery.Outcome{}
			}
			if got := p.Case.Pair.Match(image, content, 0); got != want {
				t.Errorf("image %d, content %d: %v", image, content, got)
			}
		}
	}
}
