package snapshot_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

var (
	replayed = flag.String("replay", "", "benchmark: replay this `repository` instead of the demo's")
	commits  = flag.Int("commits", 100, "benchmark: replay so many first-parent commits")
)

// replay builds snapshots of a repository.
type replay struct {
	repo    *source.Repository
	commits []source.Commit // the oldest first
	pool    *render.Pool
}

func newReplay(t testing.TB, dir string, n int) replay {
	t.Helper()
	if dir == "" {
		built, err := demo.Build(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir = built.Manifests
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	r := replay{repo: repo}
	for rev := "HEAD"; len(r.commits) < n; {
		c, err := repo.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		r.commits = append(r.commits, c)
		if len(c.Parents) == 0 {
			break
		}
		rev = c.Parents[0]
	}
	slices.Reverse(r.commits)
	r.pool = render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2, Key: []byte("k")})
	t.Cleanup(r.pool.Close)
	return r
}

// build builds one snapshot and counts the renderings that it took. Without a memo nothing is remembered.
func (r replay) build(t testing.TB, c source.Commit, m *memo.Memo) (*snapshot.Snapshot, int64) {
	t.Helper()
	ctx := context.Background()
	tree, err := r.repo.Tree(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	before := r.pool.Rendered()
	in := discover.Input{Tree: tree, Revision: c.Hash, Refs: r.repo, Config: config.Default(), Renderer: r.pool, Memo: m, Jobs: 2}
	if m != nil {
		in.Renderer = render.Remember(r.pool, m)
	}
	s, err := snapshot.Build(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return s, r.pool.Rendered() - before
}

// TestRememberedAndFreshAreEqual builds every commit of the demo with and without memory, in order and shuffled.
func TestRememberedAndFreshAreEqual(t *testing.T) {
	r := newReplay(t, "", 1000)
	fresh := map[string]*snapshot.Snapshot{}
	texts := map[string]string{}
	fromScratch := int64(0)
	for _, c := range r.commits {
		s, n := r.build(t, c, nil)
		fresh[c.Hash], texts[c.Hash] = s, text(t, s)
		fromScratch += n
	}
	if len(r.commits) < 50 || fromScratch < 500 {
		t.Fatalf("%d commits and %d renderings: the test says little", len(r.commits), fromScratch)
	}
	shuffled := slices.Clone(r.commits)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for name, order := range map[string][]source.Commit{"in order": r.commits, "shuffled": shuffled} {
		m := memo.New(memo.Options{})
		remembered := int64(0)
		for _, c := range order {
			got, n := r.build(t, c, m)
			remembered += n
			if !reflect.DeepEqual(got.Units, fresh[c.Hash].Units) || text(t, got) != texts[c.Hash] {
				t.Fatalf("%s: %s %q: remembered\n%s\nfresh\n%s", name, c.Hash, c.Subject, text(t, got), texts[c.Hash])
			}
		}
		if remembered > fromScratch/4 {
			t.Errorf("%s: %d renderings, %d without memory", name, remembered, fromScratch)
		}
		if _, n := r.build(t, order[len(order)-1], m); n != 0 {
			t.Errorf("%s: %d renderings for a commit that is known", name, n)
		}
	}
	for _, c := range r.commits { // what is shared was not changed by whoever came later
		if text(t, fresh[c.Hash]) != texts[c.Hash] {
			t.Errorf("the snapshot of %s changed after it was built", c.Hash)
		}
	}
}

// text is a snapshot as one can read it.
func text(t *testing.T, s *snapshot.Snapshot) string {
	t.Helper()
	var names []string
	for id, name := range s.Names {
		names = append(names, fmt.Sprintf("%s: %v", name, id))
	}
	slices.Sort(names)
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetIndent("", " ")
	for _, part := range []any{names, s.Units, s.Roots, s.URLs, s.Branches, s.Assumptions, s.Graph, s.Gaps} {
		if err := enc.Encode(part); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// BenchmarkReplay builds snapshots of first-parent commits, the oldest first, with and without memory.
//
//	go test ./internal/snapshot -run '^$' -bench Replay -benchtime 1x -replay DIR -commits 100
func BenchmarkReplay(b *testing.B) {
	for _, with := range []bool{true, false} {
		b.Run(map[bool]string{true: "remembered", false: "fresh"}[with], func(b *testing.B) {
			r := newReplay(b, *replayed, *commits)
			for b.Loop() {
				var m *memo.Memo
				if with {
					m = memo.New(memo.Options{})
				}
				var times []time.Duration
				rendered := int64(0)
				for _, c := range r.commits {
					start := time.Now()
					_, n := r.build(b, c, m)
					times = append(times, time.Since(start))
					rendered += n
				}
				later := times[1:]
				slices.Sort(later)
				b.ReportMetric(float64(times[0].Milliseconds()), "first-ms")
				b.ReportMetric(float64(later[len(later)/2].Microseconds())/1000, "median-ms")
				b.ReportMetric(float64(later[len(later)-1].Microseconds())/1000, "worst-ms")
				b.ReportMetric(float64(rendered), "renderings")
			}
		})
	}
}
