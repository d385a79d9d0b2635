package history_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// world is a repository on disk and what is read of it. Snapshots are kept, as callers keep them.
type world struct {
	t      *testing.T
	repo   *source.Repository
	pool   *render.Pool
	mu     sync.Mutex
	snaps  map[string]*snapshot.Snapshot
	others map[string]history.Revisions
}

func openWorld(t *testing.T, dir string) *world {
	t.Helper()
	w := &world{t: t, repo: openRepo(t, dir), snaps: map[string]*snapshot.Snapshot{}, others: map[string]history.Revisions{}}
	w.pool = render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	t.Cleanup(w.pool.Close)
	return w
}

func openRepo(t *testing.T, dir string) *source.Repository {
	t.Helper()
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	return repo
}

func (w *world) snapshot(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.snaps[c.Hash]; s != nil {
		return s, nil
	}
	tree, err := w.repo.Tree(ctx, c)
	if err != nil {
		return nil, err
	}
	remotes, err := w.repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	s, err := snapshot.Build(ctx, discover.Input{
		Tree: tree, Revision: c.Hash, Refs: w.repo, Remotes: remotes, Config: config.Default(), Renderer: w.pool, Jobs: 2,
	})
	w.snaps[c.Hash] = s
	return s, err
}

func (w *world) history() *history.History {
	return history.New(history.Input{
		Repository: w.repo,
		Snapshots:  w.snapshot,
		Others:     func(_ context.Context, dir string) (history.Revisions, error) { return w.others[dir], nil },
	})
}

func (w *world) at(rev string) source.Commit {
	w.t.Helper()
	c, err := w.repo.Resolve(w.t.Context(), rev)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// titled finds the newest commit of main with a subject.
func (w *world) titled(subject string) source.Commit {
	w.t.Helper()
	list, err := w.repo.FirstParents(w.t.Context(), w.at("main"), 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range list {
		if c.Subject == subject {
			return c
		}
	}
	w.t.Fatalf("no commit is called %q", subject)
	return source.Commit{}
}

// loaded is the digest of the descriptor that a workload loads at a commit.
func (w *world) loaded(c source.Commit, consumer string) string {
	w.t.Helper()
	s, err := w.snapshot(w.t.Context(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range s.Graph.References {
		if r.Consumer.String() == consumer && r.Descriptor != nil && r.Descriptor.Set != nil {
			return r.Descriptor.Set.Digest()
		}
	}
	w.t.Fatalf("%s loads nothing at %s", consumer, c.Subject)
	return ""
}

func serves(t *testing.T, h *history.History, q history.Query) history.Served {
	t.Helper()
	got, err := h.Serves(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got.Known() == (got.Close != "") || got.Known() == (got.Premise == "") || got.Why == "" || strings.Contains(got.Why, "\n") {
		t.Errorf("an answer that is no answer: %+v", got)
	}
	return got
}

const shopImage = "registry.example.com/shop/api:"

// TestDemo asks the story of the demo.
func TestDemo(t *testing.T) {
	repos, err := demo.Build(t.Context(), filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	w := openWorld(t, repos.Manifests)
	w.others["../api"] = openRepo(t, repos.Application)
	h := w.history()

	t.Run("released with its descriptor", func(t *testing.T) {
		for _, c := range []struct{ tag, from, subject string }{
			{"v1.19.0", "release api v1.19.0", "release api v1.19.0"},
			{"v1.18.0", `Revert "release api v1.19.0"`, "release api v1.18.0"}, // brought once more
			{"v0.1.0", "api: the order service, v0.1.0", "api: the order service, v0.1.0"},
			{"v1.27.0", "storefront: 312, quantities by weight", "release api v1.27.0"},
		} {
			checkPaired(t, w, h, c.tag, w.titled(c.from), c.subject)
		}
	})
	t.Run("of another workload", func(t *testing.T) {
		// partner-gateway took over the tag that api had brought, a week later or more.
		checkPaired(t, w, h, "v1.12.1", w.titled("release api v1.19.0"), "release api v1.12.1")
		checkPaired(t, w, h, "v1.19.1", w.titled("partner-gateway: v1.19.1"), "release api v1.19.1")
		// It was given this one on a Tuesday, and its copy of the descriptor on a Thursday. api had both at once.
		checkPaired(t, w, h, "v0.4.0", w.titled("partner-gateway: v0.4.0"), "release api v0.4.0")
	})
	t.Run("changed alone", func(t *testing.T) {
		from := w.titled("release api v1.2.1")
		got := serves(t, h, history.Query{Images: []string{shopImage + "v1.2.1"}, From: from})
		want := "this image changed alone: nothing stands beside it (" + from.Hash[:7] + ")"
		if got.Known() || got.Why != want {
			t.Errorf("got %q, want %q", got.Why, want)
		}
	})
	t.Run("not there", func(t *testing.T) {
		from := w.titled("release api v1.2.0")
		got := serves(t, h, history.Query{Images: []string{shopImage + "v1.2.1"}, From: from})
		if want := "no workload has this image at " + from.Hash[:7]; got.Known() || got.Why != want {
			t.Errorf("got %q, want %q", got.Why, want)
		}
	})
	t.Run("declared", func(t *testing.T) { testDeclared(t, w, h) })
}

func checkPaired(t *testing.T, w *world, h *history.History, tag string, from source.Commit, subject string) {
	t.Helper()
	got := serves(t, h, history.Query{Images: []string{shopImage + tag}, From: from})
	release := w.titled(subject)
	switch {
	case !got.Known():
		t.Errorf("%s at %q: %s", tag, from.Subject, got.Why)
	case got.Commit.Hash != release.Hash || got.Premise != history.Paired:
		t.Errorf("%s at %q: %s, from %q", tag, from.Subject, got.Premise, got.Commit.Subject)
	case got.Set.Digest() != w.loaded(release, "Rollout api/api"):
		t.Errorf("%s at %q: another descriptor than api loads there", tag, from.Subject)
	case got.Why != "image "+tag+" serves the descriptor committed with it ("+release.Hash[:7]+")":
		t.Errorf("%s at %q: said as %q", tag, from.Subject, got.Why)
	}
}

func testDeclared(t *testing.T, w *world, h *history.History) {
	protos := &history.Declaration{Repository: "../api", Protos: "proto", Revision: "{{tag}}"}
	from := w.at("main")
	tags := w.others["../api"]
	for tag, subject := range map[string]string{
		"v1.19.0": "release api v1.19.0",
		"v1.2.1":  "release api v1.2.0", // nothing of the API changed
		"v1.28.0": "release api v1.28.0",
	} {
		got := serves(t, h, history.Query{Images: []string{shopImage + tag}, From: from, Declared: protos})
		commit, err := tags.Resolve(t.Context(), tag)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !got.Known():
			t.Errorf("%s: %s", tag, got.Why)
		case got.Set.Digest() != w.loaded(w.titled(subject), "Rollout api/api"):
			t.Errorf("%s: another descriptor than api loads at %q", tag, subject)
		case got.Premise != history.Declared || got.Commit.Hash != commit.Hash ||
			got.Why != "image "+tag+" serves the protos of ../api at "+tag+" ("+commit.Hash[:7]+")":
			t.Errorf("%s: %s, %s, %q", tag, got.Premise, got.Commit.Hash, got.Why)
		}
	}
	tagged, err := tags.Resolve(t.Context(), "v1.3.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		image string
		d     history.Declaration
		want  string // "" if it is known
	}{
		{"v9.9.9", *protos, "../api has no revision v9.9.9"},
		{"main", *protos, "image registry.example.com/shop/api has a tag that moves, main"},
		{"v1.3.0@sha256:00", *protos, ""},
		{tagged.Hash, *protos, ""},
		{tagged.Hash[:9], *protos, ""},
		{tagged.Hash[:6], *protos, "../api has no revision " + tagged.Hash[:6]}, // it may be the number of a build
		{"v1.3.0", history.Declaration{Repository: "../api", Protos: "proto", Revision: "v1.4.0"}, ""},
		{"v1.3.0", history.Declaration{Repository: "../api", Protos: "proto/orders/v1/orders.proto", Revision: "{{tag}}"}, ""},
		{"v1.3.0", history.Declaration{Repository: "../api", Protos: "nowhere", Revision: "{{tag}}"}, "protos of ../api at v1.3.0"},
		{"v1.3.0", history.Declaration{Repository: "../api", Protos: ".", Revision: "{{tag}}"}, ""},
		{"v1.3.0", history.Declaration{Descriptor: "app/config/files/api.pb"}, ""},
		{"v1.3.0", history.Declaration{Descriptor: "app/config/kustomization.yaml"}, "descriptor app/config/kustomization.yaml of this revision: "},
		{"v1.3.0", history.Declaration{Repository: ".", Revision: "incident", Descriptor: "app/config/files/api.pb"}, ""},
		{"v1.3.0", history.Declaration{Protos: "app"}, "protos of this revision: no .proto file is there"},
	} {
		got := serves(t, h, history.Query{Images: []string{shopImage + c.image}, From: from, Declared: &c.d})
		if got.Known() != (c.want == "") || !strings.HasPrefix(got.Why, c.want) {
			t.Errorf("%s, %+v: %q, want %q", c.image, c.d, got.Why, c.want)
		}
	}
	digestOnly := serves(t, h, history.Query{Images: []string{"registry.example.com/shop/api@sha256:00"}, From: from, Declared: protos})
	if digestOnly.Known() || !strings.Contains(digestOnly.Why, "has a digest and no tag") {
		t.Errorf("a digest alone: %q", digestOnly.Why)
	}
	// The disk may differ from every commit.
	disk := serves(t, h, history.Query{
		Images: []string{shopImage + "v1.3.0"}, From: from, Declared: &history.Declaration{Protos: "p"},
		Tree: source.Memory(map[string][]byte{"p/a.proto": []byte(`syntax = "proto3"; package a; service A {}`)}),
	})
	if !disk.Known() || len(disk.Set.Services) != 1 || disk.Commit.Hash != "" {
		t.Errorf("from the disk: %+v", disk)
	}
}
