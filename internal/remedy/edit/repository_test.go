package edit_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

var (
	repository = flag.String("repository", "", "benchmark: edit this `repository` instead of the demo's")
	conf       = flag.String("configuration", "", "benchmark: the `file` .syncproof.yaml for it")
	within     = flag.Duration("within", 5*time.Minute, "benchmark: start no edit after that time")
	sample     = flag.Int("sample", 60, "benchmark: as many split pairs at most, and as many other objects")
)

// BenchmarkRepository tries edits on the split pairs of a repository and on a sample of its other objects, renders what they
// come to, and prints how many are done and lawful, refused (why), and wrong, which fails.
//
//	go test ./internal/remedy/edit -run '^$' -bench Repository -benchtime 1x -repository DIR
func BenchmarkRepository(b *testing.B) {
	dir := *repository
	if dir == "" {
		built, err := demo.Build(b.Context(), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		dir = built.Manifests
	}
	repo, err := source.Open(b.Context(), dir, source.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(repo.Close)
	head, err := repo.Resolve(b.Context(), "HEAD")
	if err != nil {
		b.Fatal(err)
	}
	tree, err := repo.Tree(context.Background(), head)
	if err != nil {
		b.Fatal(err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2, Key: []byte("k")})
	b.Cleanup(pool.Close)
	r := &trial{b: b, tree: tree, memo: memo.New(memo.Options{}), counts: map[string]int{}, why: map[string]int{}}
	r.renderer = render.Remember(pool, r.memo)
	r.config = config.Default()
	if *conf != "" {
		text, err := os.ReadFile(*conf)
		if err != nil {
			b.Fatal(err)
		}
		if r.config, err = config.Parse(*conf, text); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		r.start = time.Now()
		r.before = r.build(tree)
		r.run()
	}
	r.print()
}

type trial struct {
	b        *testing.B
	tree     source.Tree
	memo     *memo.Memo
	renderer render.Renderer
	config   config.Config
	start    time.Time
	before   *snapshot.Snapshot
	counts   map[string]int
	why      map[string]int
}

func (r *trial) build(tree source.Tree) *snapshot.Snapshot {
	r.b.Helper()
	s, err := snapshot.Build(context.Background(), discover.Input{Tree: tree, Config: r.config, Renderer: r.renderer, Memo: r.memo, Jobs: 2})
	if err != nil {
		r.b.Fatal(err)
	}
	return s
}

func (r *trial) run() {
	pairs := 0
	for _, p := range refgraph.Pairs(r.before.Graph) {
		from, to := p.References[0].ProviderUnits, p.References[0].ConsumerUnits
		if len(from) == 0 || len(to) == 0 || unit.Overlap(from, to) {
			continue
		}
		if pairs++; pairs > *sample {
			break
		}
		r.pair(from[0], to[0], p.Provider)
	}
	r.b.Logf("%d split pairs, %d units, %d objects", pairs, len(r.before.Units), r.objects())
	n := r.objects()
	i := 0
	for _, u := range r.before.Units {
		for _, o := range u.Objects {
			if i++; n > *sample && i%(n / *sample) != 0 {
				continue
			}
			r.each(u, o)
		}
	}
}

// pair moves a provider to its consumer: annotated, adopted, dropped.
func (r *trial) pair(from, to unit.ID, id object.ID) {
	t, s := r.tree, r.before
	step := func(name string, make func(e *edit.Editor) (edit.Edit, error)) bool {
		var ok bool
		t, s, ok = r.try("pair "+name, t, s, id, make)
		return ok
	}
	step("annotate", func(e *edit.Editor) (edit.Edit, error) {
		return e.Annotate(from, id, "argocd.argoproj.io/sync-options", "Prune=false")
	})
	if !step("adopt", func(e *edit.Editor) (edit.Edit, error) { return e.Adopt(from, to, id) }) {
		return
	}
	step("drop", func(e *edit.Editor) (edit.Edit, error) { return e.Drop(from, id) })
}

// each tries every edit on an object, each on the repository as it is; it is adopted by the next unit of its cluster.
func (r *trial) each(u discover.Delivered, o object.Object) {
	try := func(name string, make func(e *edit.Editor) (edit.Edit, error)) {
		r.try(name, r.tree, r.before, o.ID, make)
	}
	try("annotate", func(e *edit.Editor) (edit.Edit, error) { return e.Annotate(u.ID, o.ID, "example.com/a", "b") })
	try("drop", func(e *edit.Editor) (edit.Edit, error) { return e.Drop(u.ID, o.ID) })
	at := slices.IndexFunc(r.before.Units, func(x discover.Delivered) bool { return x.ID == u.ID })
	n := len(r.before.Units)
	for i := 1; i < n; i++ {
		to := r.before.Units[(at+i)%n]
		if to.Destination.Cluster == u.Destination.Cluster && to.Rendered && to.Kind == unit.Application {
			try("adopt", func(e *edit.Editor) (edit.Edit, error) { return e.Adopt(u.ID, to.ID, o.ID) })
			try("add source", func(e *edit.Editor) (edit.Edit, error) { return e.AddSource(to.ID, u.ID) })
			break
		}
	}
	try("suspend", func(e *edit.Editor) (edit.Edit, error) { return e.Suspend(u.ID) })
	try("remove", func(e *edit.Editor) (edit.Edit, error) { return e.RemoveUnit(u.ID) })
}

func (r *trial) try(name string, t source.Tree, s *snapshot.Snapshot, id object.ID, make func(e *edit.Editor) (edit.Edit, error)) (source.Tree, *snapshot.Snapshot, bool) {
	if time.Since(r.start) > *within {
		r.counts["left out for lack of time"]++
		return t, s, false
	}
	got, err := make(edit.New(t, s))
	var refusal *edit.Refusal
	switch {
	case errors.As(err, &refusal):
		r.counts[name+" refused"]++
		r.why[name+": "+shape(refusal.Why)]++
		return t, s, false
	case err != nil:
		r.b.Fatal(err)
	case len(got.Files) == 0:
		r.counts[name+" nothing to do"]++
		return t, s, true
	}
	edited := source.Overlay(t, got.Files)
	after := r.build(edited)
	out := law.Check(s, after, got.Want, got.Gone)
	if len(out.Wrong) > 0 {
		r.counts[name+" WRONG"]++
		r.b.Errorf("%s %s: %q\nfiles %q", name, id, out.Wrong, slices.Sorted(maps.Keys(got.Files)))
		for _, g := range after.Gaps {
			if !slices.Contains(s.Gaps, g) {
				r.b.Logf("  gap %+v", g)
			}
		}
		return t, s, false
	}
	r.counts[name+" done"]++
	return edited, after, true
}

func (r *trial) objects() int {
	n := 0
	for _, u := range r.before.Units {
		n += len(u.Objects)
	}
	return n
}

var names = regexp.MustCompile(`[A-Za-z0-9_.{}-]*[/0-9.\[\]_-][^ ,:]*`)

// shape is a sentence without what it names.
func shape(why string) string {
	if len(why) > 160 {
		why = why[:160]
	}
	return names.ReplaceAllString(why, "*")
}

func (r *trial) print() {
	var text strings.Builder
	for _, k := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&text, "\n%5d %s", r.counts[k], k)
	}
	for _, k := range slices.Sorted(maps.Keys(r.why)) {
		fmt.Fprintf(&text, "\n%5d   %s", r.why[k], k)
	}
	fmt.Println(text.String())
}
