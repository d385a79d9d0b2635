package history_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// movedApart is a pair that one unit delivered, that two deliver since, and commits about something else.
func movedApart(more int) []step {
	return joinSteps(one(
		step{"together", files(application("web", "other"), reading("web/web.yaml", "web", "c"), settings("web/c.yaml", "c", "1"), settings("other/x.yaml", "x", "1"))},
		step{"move", files(application("config"), map[string]string{"web/c.yaml": "-> config/c.yaml"})},
	), noise(more))
}

const (
	web   = "Deployment shop/web"
	c     = "ConfigMap shop/c"
	moved = "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\n"
)

func TestLifeInAShallowClone(t *testing.T) {
	w := built(t, movedApart(3)...)
	for depth, want := range map[string]string{
		"3": "noise 0: Deployment shop/web\nlimit: two units deliver the pair already at EDGE; older commits are not within what this shallow clone has\n" +
			"limit: history was followed back to EDGE: what this shallow clone has\n",
		"4": "move: Deployment shop/web\nlimit: two units deliver the pair already at EDGE; older commits are not within what this shallow clone has\n" +
			"limit: history was followed back to EDGE: what this shallow clone has\n",
		"5": moved,
	} {
		dir := filepath.Join(t.TempDir(), "shallow")
		cmd := exec.Command("git", "clone", "-q", "--depth", depth, "file://"+w.repo.Top(), dir)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		s := openWorld(t, dir)
		cause, limits, _ := asked(t, s, "main", web, c, nil)
		edge := map[string]string{"3": "main~2", "4": "main~3", "5": "main~4"}[depth]
		want = strings.ReplaceAll(want, "EDGE", s.at(edge).Hash[:7])
		if got := lines(cause, limits); got != want {
			t.Errorf("depth %s: got\n%s\nwant\n%s", depth, got, want)
		}
	}
}

// TestLifeWithACommitThatCannotBeRead: what lies behind it is not known.
func TestLifeWithACommitThatCannotBeRead(t *testing.T) {
	w := built(t, movedApart(2)...)
	for subject, want := range map[string]string{
		"together": "move: Deployment shop/web\nlimit: two units deliver the pair already at MOVE; older commits are not within commit AT cannot be read: of together: ",
		"noise 1":  "limit: commit AT cannot be read: of noise 1: ",
	} {
		h := history.New(history.Input{Repository: w.repo, Snapshots: func(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error) {
			if c.Subject == subject {
				return nil, fmt.Errorf("of %s: %w", subject, source.ErrAbsent)
			}
			return w.snapshot(ctx, c)
		}})
		cause, limits, err := h.Life(t.Context(), history.LifeQuery{Tip: w.at("main"), Consumer: w.named("main", web), Provider: w.named("main", c)})
		if err != nil {
			t.Fatal(err)
		}
		want = strings.NewReplacer("MOVE", w.titled("move").Hash[:7], "AT", w.titled(subject).Hash[:7]).Replace(want)
		if got := lines(cause, limits); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", subject, got, want)
		}
	}
}

// TestLifeOfAStrangeHistory: dates that go back and forth, many parents, a merge of another repository, and a commit with
// ten thousand files, which may be about anything.
func TestLifeOfAStrangeHistory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	who := source.Person{Name: "ops", Mail: "ops@example.com"}
	commit := func(c source.Change, content map[string]string) {
		t.Helper()
		c.Author = who
		if c.Files == nil {
			c.Files = map[string][]byte{}
		}
		for name, text := range content {
			c.Files[name] = []byte(text)
		}
		if _, err := w.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	steps := movedApart(0)
	commit(source.Change{Message: "together", When: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}, steps[0].files)
	for i := range 3 {
		commit(source.Change{Branch: fmt.Sprint("side", i), From: "main", Message: "side", When: time.Unix(0, 0)}, map[string]string{fmt.Sprint("s", i): "c\n"})
	}
	commit(source.Change{Branch: "alien", Message: "another repository", When: time.Unix(1, 0)}, reading("web/web.yaml", "web", "alien"))
	many := map[string][]byte{}
	for i := range 10_000 {
		many[fmt.Sprintf("junk/%d/%d.txt", i%100, i)] = []byte("c\n")
	}
	commit(source.Change{Message: "many", When: time.Unix(0, 0), Files: many}, nil)
	commit(source.Change{Message: "octopus", When: time.Unix(0, 0), Merge: []string{"side0", "side1", "side2"}}, map[string]string{"s": "c\n"})
	commit(source.Change{Message: "move", When: time.Unix(0, 0).UTC(), Merge: []string{"alien"}, Renames: map[string]string{"web/c.yaml": "config/c.yaml"}}, application("config"))
	commit(source.Change{Message: "last", When: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC)}, map[string]string{"README.md": "1\n"})
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := openWorld(t, dir)
	cause, limits, seen := asked(t, o, "main", web, c, nil)
	if got := lines(cause, limits); got != moved {
		t.Errorf("got\n%s\nwant\n%s", got, moved)
	}
	if cause.Since.Date != "1970-01-01T00:00:00Z" || cause.Readers[0].From.Date != "2099-01-01T00:00:00Z" {
		t.Errorf("dates: %+v, %+v", cause.Since, cause.Readers)
	}
	if len(seen) > 5 {
		t.Errorf("%d commits were rendered", len(seen))
	}
}

// spoken is a repository that gives whole messages.
type spoken struct {
	*source.Repository
	message string
	err     error
}

func (s spoken) Message(context.Context, source.Commit) (string, error) { return s.message, s.err }

func TestLifeMessage(t *testing.T) {
	w := built(t, movedApart(0)...)
	for _, m := range []struct {
		spoken
		want string
		fail bool
	}{
		{spoken{message: "move\n\nOne for all.\n"}, "move\n\nOne for all.", false},
		{spoken{message: strings.Repeat("é", 3000)}, strings.Repeat("é", 2000), false},
		{spoken{message: "x" + strings.Repeat("é", 3000)}, "x" + strings.Repeat("é", 1999), false},
		{spoken{err: source.ErrAbsent}, "", false},
		{spoken{err: errors.New("failure")}, "", true},
	} {
		m.Repository = w.repo
		h := history.New(history.Input{Repository: m.spoken, Snapshots: w.snapshot})
		cause, _, err := h.Life(t.Context(), history.LifeQuery{Tip: w.at("main"), Consumer: w.named("main", web), Provider: w.named("main", c)})
		if (err != nil) != m.fail || cause.Message != m.want {
			t.Errorf("%q, %v; want %q", cause.Message, err, m.want)
		}
	}
}

func TestLifeFailures(t *testing.T) {
	w := built(t, movedApart(1)...)
	q := history.LifeQuery{Tip: w.at("main"), Consumer: w.named("main", web), Provider: w.named("main", c)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := w.history().Life(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	failure := errors.New("failure")
	h := history.New(history.Input{Repository: w.repo, Snapshots: func(context.Context, source.Commit) (*snapshot.Snapshot, error) { return nil, failure }})
	if _, _, err := h.Life(t.Context(), q); !errors.Is(err, failure) {
		t.Errorf("a failure of ours: %v", err)
	}
	cause, limits, err := history.New(history.Input{}).Life(t.Context(), q)
	if got := lines(cause, limits); err != nil || got != "limit: there is no history to look into\n" {
		t.Errorf("without a repository: %q, %v", got, err)
	}
	// Several may ask at once.
	shared := w.history()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			cause, limits, err := shared.Life(t.Context(), q)
			if got := lines(cause, limits); err != nil || got != moved {
				t.Errorf("one of several: %q, %v", got, err)
			}
		})
	}
	all.Wait()
}
