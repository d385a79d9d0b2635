package source_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// traced runs a reader over a tree.
func traced(t *testing.T, tree source.Tree, read func(tree source.Tree)) source.Trace {
	t.Helper()
	r := source.Record(tree)
	read(r)
	return r.Trace()
}

func TestTrace(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{
		"a/v.yaml": "v: 1\n", "a/w.yaml": "w: 1\n", "link": "-> a", "a/broken": "-> ../../x", "unread": "", "large": strings.Repeat("x", 100),
	})
	r := openWith(t, repo.dir, source.Options{FileSize: 50})
	got := traced(t, treeAt(t, r, "HEAD"), func(tree source.Tree) {
		_, _ = tree.ReadFile("link/v.yaml")
		_, _ = tree.ReadFile("link/v.yaml")
		_, _ = tree.ReadFile("a/none.yaml")
		_, _ = tree.Stat("link/none")
		_, _ = tree.ReadFile("a/broken")
		_, _ = tree.ReadFile("large")
		_, _ = tree.ReadFile("../invalid")
		_, _ = tree.Stat("a/w.yaml")
		_, _ = tree.Stat("a")
		_, _ = fs.Glob(tree, "a/*.yml")
		_, _ = fs.Lstat(tree, "link")
	})
	want := source.Trace{
		Files: []source.Seen{
			{"a/broken", "error: leaves the repository"}, {"large", "error: is larger than the limit"}, {"link/v.yaml", digest("v: 1\n")},
		},
		Lists:   []source.Seen{{"a", digest("L--------- \"broken\"\n---------- \"v.yaml\"\n---------- \"w.yaml\"\n")}},
		Stats:   []source.Seen{{"a", digest("d--------- 0")}, {"a/w.yaml", digest("---------- 5")}},
		Links:   []source.Seen{{"a/broken", digest("../../x")}, {"link", digest("a")}},
		Missing: []string{"a/none.yaml", "link/none"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("trace:\n got %+v\nwant %+v", got, want)
	}
}

// TestTraceTellsTreesApart: whatever a reader can notice must be in the trace.
func TestTraceTellsTreesApart(t *testing.T) {
	base := map[string]string{"d/a.yaml": "1", "link": "-> d", "other/a.yaml": "1"}
	type reader func(tree source.Tree)
	info := func(tree source.Tree) {
		entries, _ := tree.ReadDir("d")
		for _, e := range entries {
			_, _ = e.Info()
		}
	}
	tests := []struct {
		name   string
		change map[string]string
		read   reader
		same   bool
	}{
		{"content", map[string]string{"d/a.yaml": "2"}, func(tree source.Tree) { _, _ = tree.ReadFile("d/a.yaml") }, false},
		{"content, opened", map[string]string{"d/a.yaml": "2"}, func(tree source.Tree) { _, _ = tree.Open("d/a.yaml") }, false},
		{"content, not read", map[string]string{"d/a.yaml": "2"}, func(tree source.Tree) { _, _ = tree.ReadDir("d") }, true},
		{"size", map[string]string{"d/a.yaml": "12"}, func(tree source.Tree) { _, _ = tree.Stat("d/a.yaml") }, false},
		{"size, in a listing", map[string]string{"d/a.yaml": "12"}, info, false},
		{"new name", map[string]string{"d/b.yaml": ""}, func(tree source.Tree) { _, _ = tree.ReadDir("d") }, false},
		{"new name, directory opened", map[string]string{"d/b.yaml": ""}, func(tree source.Tree) { _, _ = tree.Open("d") }, false},
		{"new name elsewhere", map[string]string{"e/b.yaml": ""}, func(tree source.Tree) { _, _ = tree.ReadDir("d") }, true},
		{"missing name comes", map[string]string{"d/b.yaml": ""}, func(tree source.Tree) { _, _ = tree.Stat("d/b.yaml") }, false},
		{"link, same content", map[string]string{"link": "-> other"}, func(tree source.Tree) { _, _ = tree.ReadFile("link/a.yaml") }, false},
		{"link, not used", map[string]string{"link": "-> other"}, func(tree source.Tree) { _, _ = tree.ReadFile("d/a.yaml") }, true},
		{"subtree", map[string]string{"d/b/c": ""}, func(tree source.Tree) { _, _ = source.Subtree(tree, "d") }, false},
		{"subtree through a link", map[string]string{"link": "-> other"}, func(tree source.Tree) { _, _ = source.Subtree(tree, "link") }, false},
		{"beside the subtree", map[string]string{"other/b": ""}, func(tree source.Tree) { _, _ = source.Subtree(tree, "d") }, true},
	}
	repo := newRepo(t)
	before := repo.commit("before", base)
	r := open(t, repo.dir)
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			repo.git("checkout", "-q", "-b", fmt.Sprint("branch", i), before)
			after := repo.commit("after", test.change)
			one, two := traced(t, treeAt(t, r, before), test.read), traced(t, treeAt(t, r, after), test.read)
			if same := reflect.DeepEqual(one, two); same != test.same {
				t.Errorf("same %t, want %t:\n%+v\n%+v", same, test.same, one, two)
			}
		})
	}
}

func TestTraceOfAnswersThatChange(t *testing.T) {
	repo := newRepo(t)
	repo.write(map[string]string{"a": "1"})
	tree := source.Record(workTree(t, open(t, repo.dir)))
	wantContent(t, tree, "a", "1")
	repo.write(map[string]string{"a": "2"})
	wantContent(t, tree, "a", "2")
	repo.write(map[string]string{"a": "1"})
	wantContent(t, tree, "a", "1")
	if got := tree.Trace().Files; !reflect.DeepEqual(got, []source.Seen{{"a", "unstable"}}) {
		t.Errorf("files %v", got)
	}
}

func TestTreesAreForManyReaders(t *testing.T) {
	for kind, tree := range everyTree(t, linked) {
		recorder := source.Record(tree)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for _, name := range []string{"a/chain", "a/common/k.yaml", "none", "a/b"} {
					_, _ = recorder.ReadFile(name)
					_, _ = recorder.Stat(name)
					_, _ = recorder.ReadDir(name)
				}
				_ = recorder.Trace()
			})
		}
		wait.Wait()
		got := recorder.Trace()
		if len(got.Files) != 3 || len(got.Stats) != 3 || len(got.Lists) != 3 || !reflect.DeepEqual(got.Missing, []string{"none"}) {
			t.Errorf("%s: trace %+v", kind, got)
		}
	}
}
