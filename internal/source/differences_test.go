package source_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func TestDifferences(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a/b/c": "1", "a/b-c": "1", "a/d": "1", "link": "-> a", "x": "1", "same/y": "1"})
	repo.git("rm", "-q", "a/b-c", "a/d", "x")
	repo.commit("two", map[string]string{"a/b/c": "2", "a/d": "-> b", "link": "-> x", "n/m/o": "1", "x/y": "1"})
	repo.commit("three", map[string]string{"a/b/c": "3"})
	repo.commit("three again", nil)
	r := open(t, repo.dir)
	one, two := treeAt(t, r, "HEAD~3"), treeAt(t, r, "HEAD~2")
	want := []source.Difference{
		{Path: "a/b/c", Content: true}, {Path: "a/b-c"}, {Path: "a/d"}, {Path: "link"}, {Path: "n"}, {Path: "x"},
	}
	contents := func(list []source.Difference) map[string]bool {
		m := map[string]bool{}
		for _, d := range list {
			m[d.Path] = d.Content
		}
		return m
	}
	if got, ok := source.Differences(one, two, 6); !ok || !reflect.DeepEqual(contents(got), contents(want)) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, ok := source.Differences(one, two, 5); ok {
		t.Errorf("more than 5 are %v", got)
	}
	if got, ok := source.Differences(one, one, 0); !ok || len(got) > 0 {
		t.Errorf("of one tree: %v", got)
	}
	limited, err := r.Limited(10).Tree(t.Context(), commitAt(t, r, "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	for kind, tree := range map[string]source.Tree{
		"other limits": limited, "work tree": workTree(t, r), "overlay": source.Overlay(two, nil), "recorder": source.Record(two),
	} {
		if got, ok := source.Differences(one, tree, 100); ok {
			t.Errorf("%s: differences %v", kind, got)
		}
		if _, ok := source.Differences(tree, one, 100); ok {
			t.Errorf("%s: differences", kind)
		}
		if id := source.Identity(tree); kind != "other limits" && id != "" {
			t.Errorf("%s: identity %q", kind, id)
		}
	}
	three, again := source.Identity(treeAt(t, r, "HEAD~1")), source.Identity(treeAt(t, r, "HEAD"))
	if three == "" || three != again || three == source.Identity(two) || three == source.Identity(limited) {
		t.Errorf("identities %q %q %q %q", three, again, source.Identity(two), source.Identity(limited))
	}
}

func commitAt(t *testing.T, r *source.Repository, rev string) source.Commit {
	t.Helper()
	c, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDigestCountsAsReading: asking for a digest leaves the trace that reading leaves, over every kind of tree.
func TestDigestCountsAsReading(t *testing.T) {
	files := map[string]string{"a": "1", "l/x": "2", "link": "-> l", "out": "-> ../x", "large": strings.Repeat("x", 100)}
	repo := newRepo(t)
	repo.commit("one", files)
	r := openWith(t, repo.dir, source.Options{FileSize: 50})
	commit := treeAt(t, r, "HEAD")
	for kind, tree := range map[string]source.Tree{
		"commit": commit, "work tree": workTree(t, r), "overlay": source.Overlay(commit, nil), "recorder": source.Record(commit),
	} {
		one, two := source.Record(tree), source.Record(tree)
		for _, name := range []string{"a", "link/x", "l", "none", "a/b", "out", "large", "../a"} {
			_, readErr := one.ReadFile(name)
			for range 2 { // the second time it is known
				if sum, err := two.Digest(name); (err == nil) != (readErr == nil) || name == "a" && sum != digest("1") {
					t.Errorf("%s: %s: digest %q and %v, reading %v", kind, name, sum, err, readErr)
				}
			}
		}
		if !reflect.DeepEqual(one.Trace(), two.Trace()) {
			t.Errorf("%s:\nread    %+v\ndigests %+v", kind, one.Trace(), two.Trace())
		}
	}
	if _, err := source.Record(treeAt(t, r, "HEAD")).Digest("large"); err == nil {
		t.Error("a digest of a file beyond the limit")
	}
}

// TestPassingErrorsAreUnstable: what fails for a reason outside the tree is no answer of it.
func TestPassingErrorsAreUnstable(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"unread": "2"})
	r := open(t, repo.dir)
	tree := treeAt(t, r, "HEAD")
	r.Close()
	got := traced(t, tree, func(tree source.Tree) { _, _ = tree.ReadFile("unread") }).Files
	if !reflect.DeepEqual(got, []source.Seen{{"unread", source.Unstable}}) {
		t.Errorf("files %v", got)
	}
}

// TestReadLinkNotesTheLinksBefore: which link it is that is read depends on those before it.
func TestReadLinkNotesTheLinksBefore(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"d/l": "-> a", "link": "-> d"})
	got := traced(t, treeAt(t, open(t, repo.dir), "HEAD"), func(tree source.Tree) {
		_, _ = source.Record(tree).ReadLink("link/l") // through a second recorder, which notes the same
	}).Links
	if want := []source.Seen{{"d/l", digest("a")}, {"link", digest("d")}}; !reflect.DeepEqual(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
}
