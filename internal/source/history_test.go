package source_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/source"
)

// mainAndSide is a clone with a branch that was merged and one that was not:
//
//	one - two - three - merge - four    main
//	         \  side  /
//	          \ open                    open
func mainAndSide(t *testing.T) testRepo {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a": "1"})
	repo.commit("two", map[string]string{"a": "2"})
	repo.git("checkout", "-q", "-b", "side")
	repo.commit("side", map[string]string{"s": "1"})
	repo.git("checkout", "-q", "-b", "open", "main")
	repo.commit("open", map[string]string{"o": "1"})
	repo.git("checkout", "-q", "main")
	repo.commit("three", map[string]string{"a": "3"})
	repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	repo.commit("four", map[string]string{"a": "4"})
	return repo
}

func shallowClone(t *testing.T, of testRepo, args ...string) testRepo {
	t.Helper()
	clone := testRepo{t, filepath.Join(realTempDir(t), "shallow")}
	of.git(append([]string{"clone", "-q", "file://" + of.dir, clone.dir}, args...)...)
	return clone
}

func resolve(t *testing.T, r *source.Repository, rev string) source.Commit {
	t.Helper()
	c, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// subjects are the commits of a list, for people.
func subjects(list []source.Commit) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Subject)
	}
	return strings.Join(out, " ")
}

func TestFirstParents(t *testing.T) {
	r := open(t, mainAndSide(t).dir)
	for _, c := range []struct {
		tip  string
		n    int
		want string
	}{
		{"main", 100, "four merge three two one"},
		{"main", 3, "four merge three"},
		{"main", 0, ""},
		{"side", 100, "side two one"},
		{"main^^2", 2, "side two"},
	} {
		list, err := r.FirstParents(t.Context(), resolve(t, r, c.tip), c.n)
		if got := subjects(list); got != c.want || err != nil {
			t.Errorf("%d from %s: %q, %v, want %q", c.n, c.tip, got, err, c.want)
		}
	}
}

func TestFirstParentsEndAtTheEdgeOfTheClone(t *testing.T) {
	repo := mainAndSide(t)
	clone := shallowClone(t, repo, "--depth", "3")
	r := open(t, clone.dir)
	for n, edge := range map[int]bool{2: false, 3: false, 4: true} {
		list, err := r.FirstParents(t.Context(), head(t, r), n)
		if errors.Is(err, source.ErrShallow) != edge || !edge && err != nil || len(list) != min(n, 3) {
			t.Errorf("%d: %q, %v", n, subjects(list), err)
		}
	}
	// A commit that is missing for another reason is not said to be cut off.
	broken := open(t, repo.dir)
	two := resolve(t, broken, "main~3").Hash
	remove(t, filepath.Join(repo.dir, ".git/objects", two[:2], two[2:]))
	list, err := broken.FirstParents(t.Context(), head(t, broken), 9)
	if subjects(list) != "four merge three" || !errors.Is(err, source.ErrAbsent) || errors.Is(err, source.ErrShallow) {
		t.Errorf("with a hole: %q, %v", subjects(list), err)
	}
}

func TestRange(t *testing.T) {
	repo := mainAndSide(t)
	r := open(t, repo.dir)
	for _, c := range []struct{ base, head, want string }{
		{"main~4", "main", "four merge three two"},
		{"main~1", "main", "four"},
		{"main", "main", ""},
		{"main", "main~2", ""},
		{"side", "main", "four merge three"},
		{"open", "main", "four merge three"},
		{"main", "open", "open"},
	} {
		list, err := r.Range(t.Context(), resolve(t, r, c.base), resolve(t, r, c.head))
		if got := subjects(list); got != c.want || err != nil {
			t.Errorf("%s..%s: %q, %v, want %q", c.base, c.head, got, err, c.want)
		}
	}
}

func TestMergeBase(t *testing.T) {
	repo := mainAndSide(t)
	repo.git("checkout", "-q", "--orphan", "other")
	repo.commit("elsewhere", nil)
	r := open(t, repo.dir)
	for _, c := range []struct{ a, b, want string }{
		{"main", "open", "two"},
		{"open", "main", "two"},
		{"main", "side", "side"},
		{"main", "main", "four"},
	} {
		got, err := r.MergeBase(t.Context(), resolve(t, r, c.a), resolve(t, r, c.b))
		if err != nil || got.Subject != c.want {
			t.Errorf("%s and %s: %q, %v, want %q", c.a, c.b, got.Subject, err, c.want)
		}
	}
	_, err := r.MergeBase(t.Context(), resolve(t, r, "main"), resolve(t, r, "other"))
	if !errors.Is(err, source.ErrUnrelated) || errors.Is(err, source.ErrShallow) {
		t.Errorf("unrelated commits: %v", err)
	}
}

// TestShallowHistoryIsSaidToBeShallow: a clone of depth 1 of each branch, as CI systems make it.
func TestShallowHistoryIsSaidToBeShallow(t *testing.T) {
	repo := mainAndSide(t)
	r := open(t, shallowClone(t, repo, "--depth", "1", "--no-single-branch").dir)
	main, other := resolve(t, r, "origin/main"), resolve(t, r, "origin/open")
	if c, err := r.MergeBase(t.Context(), main, other); !errors.Is(err, source.ErrShallow) {
		t.Errorf("merge base %v, %v", c, err)
	}
	if list, err := r.Range(t.Context(), other, main); subjects(list) != "four" || !errors.Is(err, source.ErrShallow) {
		t.Errorf("range %q, %v", subjects(list), err)
	}
	parent := source.Commit{Hash: main.Parents[0]}
	if paths, err := r.Changed(t.Context(), parent, main); !errors.Is(err, source.ErrShallow) {
		t.Errorf("changed %q, %v", paths, err)
	}
	for _, rev := range []string{"HEAD^", "HEAD~1", "HEAD~7", "origin/open~3^2", main.Hash[:9] + "^"} {
		if c, err := r.Resolve(t.Context(), rev); !errors.Is(err, source.ErrShallow) || !errors.Is(err, source.ErrUnknownRevision) {
			t.Errorf("%s is %q, %v", rev, c.Subject, err)
		}
	}
	for _, rev := range []string{"HEAD^2", "nope^", "HEAD~x", "nope", "HEAD^{tree}"} {
		if c, err := r.Resolve(t.Context(), rev); errors.Is(err, source.ErrShallow) || !errors.Is(err, source.ErrUnknownRevision) {
			t.Errorf("%s is %q, %v", rev, c.Subject, err)
		}
	}

	// With enough history the same questions have answers, although the clone is shallow.
	r = open(t, shallowClone(t, repo, "--depth", "4", "--no-single-branch").dir)
	main, other = resolve(t, r, "origin/main"), resolve(t, r, "origin/open")
	if c, err := r.MergeBase(t.Context(), main, other); c.Subject != "two" || err != nil {
		t.Errorf("merge base %q, %v", c.Subject, err)
	}
	if list, err := r.Range(t.Context(), other, main); subjects(list) != "four merge three" || err != nil {
		t.Errorf("range %q, %v", subjects(list), err)
	}
}

func TestHistoryTakesCommitsOnly(t *testing.T) {
	r := open(t, mainAndSide(t).dir)
	good := head(t, r)
	for _, hash := range []string{"", "main", "--all", good.Hash + "\ninfo HEAD", "^" + good.Hash, strings.Repeat("0", 40)} {
		bad := source.Commit{Hash: hash}
		if list, err := r.FirstParents(t.Context(), bad, 3); err == nil || len(list) > 0 {
			t.Errorf("first parents of %q: %v", hash, list)
		}
		if list, err := r.Range(t.Context(), bad, good); err == nil {
			t.Errorf("range from %q: %v", hash, list)
		}
		if list, err := r.Range(t.Context(), good, bad); err == nil {
			t.Errorf("range to %q: %v", hash, list)
		}
		if c, err := r.MergeBase(t.Context(), good, bad); err == nil {
			t.Errorf("merge base with %q: %v", hash, c)
		}
		if paths, err := r.Changed(t.Context(), good, bad); err == nil {
			t.Errorf("changed to %q: %v", hash, paths)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.FirstParents(ctx, good, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func TestChanged(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{
		"kept": "1", "edited": "1", "gone": "1", "d/kept": "1", "d/edited": "1", "old/a": "1", "old/b/c": "1", "file-then-dir": "1",
		"dir-then-file/x": "1", "link": "-> kept", "a.b": "1", "a/b": "1",
	})
	for _, name := range []string{"gone", "old", "file-then-dir", "dir-then-file", "link", "a"} {
		repo.git("rm", "-q", "-r", name)
	}
	repo.commit("two", map[string]string{
		"edited": "2", "d/edited": "2", "new/a": "1", "new/b/c": "1", "file-then-dir/x": "1", "dir-then-file": "1", "link": "-> edited",
		"a": "1",
	})
	repo.git("update-index", "--chmod=+x", "kept")
	repo.git("commit", "-q", "-m", "three")
	r := open(t, repo.dir)
	one, two, three := resolve(t, r, "HEAD~2"), resolve(t, r, "HEAD~1"), head(t, r)
	for _, c := range []struct {
		what          string
		before, after source.Commit
		want          string
	}{
		{"an edit", one, two, "a a/b d/edited dir-then-file dir-then-file/x edited file-then-dir file-then-dir/x gone link new/a new/b/c old/a old/b/c"},
		{"and back", two, one, "a a/b d/edited dir-then-file dir-then-file/x edited file-then-dir file-then-dir/x gone link new/a new/b/c old/a old/b/c"},
		{"nothing", two, two, ""},
		{"a permission", two, three, ""},
		{"from nothing", source.Commit{}, one, "a.b a/b d/edited d/kept dir-then-file/x edited file-then-dir gone kept link old/a old/b/c"},
	} {
		paths, err := r.Changed(t.Context(), c.before, c.after)
		if got := strings.Join(paths, " "); got != c.want || err != nil || !slices.IsSorted(paths) {
			t.Errorf("%s: %q, %v\nwant %q", c.what, got, err, c.want)
		}
	}
}

// TestACommitGraphIsNotBelieved: the file says what the parents of a commit are, and nobody checks it against them.
func TestACommitGraphIsNotBelieved(t *testing.T) {
	repo := mainAndSide(t)
	repo.git("commit-graph", "write", "--reachable")
	lie(t, filepath.Join(repo.dir, ".git/objects/info/commit-graph"), repo.git("rev-parse", "main~1"), repo.git("rev-parse", "main~4"))
	if got := repo.git("rev-list", "--count", "--first-parent", "open..main"); got != "2" {
		t.Fatalf("plain git does not believe it: there are %s commits", got)
	}
	r := open(t, repo.dir)
	if list, err := r.Range(t.Context(), resolve(t, r, "open"), resolve(t, r, "main")); err != nil || subjects(list) != "four merge three" {
		t.Errorf("range %q, %v", subjects(list), err)
	}
}

// lie gives a commit another parent in a commit-graph (gitformat-commit-graph: chunks OIDL and CDAT).
func lie(t *testing.T, file, commit, parent string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	chunk := map[string]uint64{}
	for i := range int(raw[6]) {
		entry := raw[8+12*i:]
		chunk[string(entry[:4])] = binary.BigEndian.Uint64(entry[4:])
	}
	position := func(hash string) uint64 {
		id, err := hex.DecodeString(hash)
		at := bytes.Index(raw[chunk["OIDL"]:chunk["CDAT"]], id)
		if err != nil || at < 0 {
			t.Fatalf("%s is not in the commit-graph", hash)
		}
		return uint64(at / len(id))
	}
	const tree, record = 20, 36 // bytes
	binary.BigEndian.PutUint32(raw[chunk["CDAT"]+position(commit)*record+tree:], uint32(position(parent)))
	remove(t, file) // it is read-only
	writeFiles(t, filepath.Dir(file), map[string]string{filepath.Base(file): string(raw)})
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// TestMessage: the whole text of a commit, its body too, and nothing that is no UTF-8.
func TestMessage(t *testing.T) {
	dir := t.TempDir() + "/r"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	by := source.Person{Name: "T", Mail: "t@example.com"}
	if _, err := w.Commit(source.Change{Author: by, When: time.Unix(1e9, 0), Message: "one\n\nwhy \xff it is so\n\n- a list", Files: map[string][]byte{"a": {}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tip, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Message(t.Context(), tip)
	if err != nil || got != "one\n\nwhy  it is so\n\n- a list" {
		t.Errorf("message %q, %v", got, err)
	}
	if _, err := r.Message(t.Context(), source.Commit{Hash: strings.Repeat("0", 40)}); err == nil {
		t.Error("a commit that is not there has a message")
	}
}
