package edit_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// TestOtherRevision: what a unit delivers from a tag cannot be edited here, and is not changed by an edit of the branch.
func TestOtherRevision(t *testing.T) {
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Remote: "https://git.example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	me, when := source.Person{Name: "a", Mail: "a@example.com"}, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	apps := string(unescape([]byte("app(now config shop)\napp(pinned config other)\n")))
	at := strings.LastIndex(apps, "    path: config")
	id, err := w.Commit(source.Change{Author: me, When: when, Message: "m", Files: map[string][]byte{
		"apps.yaml":     []byte(apps[:at] + "    targetRevision: v1\n" + apps[at:]),
		"config/a.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"),
	}})
	if err == nil {
		err = w.Tag("v1", id, me, when, "")
	}
	if err == nil {
		err = w.Finish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	head, err := repo.Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(context.Background(), head)
	if err != nil {
		t.Fatal(err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 1, Key: []byte("k")})
	t.Cleanup(pool.Close)
	build := func(tree source.Tree) *snapshot.Snapshot {
		s, err := snapshot.Build(context.Background(), discover.Input{
			Tree: tree, Revision: head.Hash, Refs: repo, Remotes: []string{"https://git.example.com/m"}, Config: config.Default(), Renderer: pool, Jobs: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := build(tree)
	unitOf := func(name string) (unit.ID, object.ID) {
		for _, u := range before.Units {
			if u.ID.Name == name && u.Rendered {
				return u.ID, u.Objects[0].ID
			}
		}
		t.Fatalf("no unit %s: %v", name, before.Gaps)
		return unit.ID{}, object.ID{}
	}
	e := edit.New(tree, before)
	u, o := unitOf("pinned")
	if _, err := e.Annotate(u, o, "x", "z"); err == nil || !strings.Contains(err.Error(), "pinned renders ConfigMap other/a from https://git.example.com/m at v1") {
		t.Errorf("pinned: %v", err)
	}
	u, o = unitOf("now")
	got, err := e.Annotate(u, o, "x", "z")
	if err != nil {
		t.Fatal(err)
	}
	if out := law.Check(before, build(source.Overlay(tree, got.Files)), got.Want, got.Gone); len(out.Wrong) > 0 {
		t.Errorf("wrong: %q", out.Wrong)
	}
}
