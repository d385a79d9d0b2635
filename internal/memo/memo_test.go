package memo

import (
	"fmt"
	"sync"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

// computing counts how often it computes: the content of one file.
type computing struct {
	table Table[string]
	count int
}

func (c *computing) of(tree source.Tree, name string) string {
	return c.table.Compute(tree, name, 10, func(t source.Tree) string {
		c.count++
		data, err := t.ReadFile(name)
		return fmt.Sprintf("%s %v", data, err)
	})
}

func TestComputeOnlyWhatChanged(t *testing.T) {
	r := newRepo(t)
	var hashes []string
	for i, change := range []map[string]string{
		{"a": "1", "b": "1"}, {"b": "2"}, {"a": "2"}, {"a": "1"}, {"b": "1"}, {"a": ""}, {"a": "1"},
	} {
		hashes = append(hashes, r.commit(change))
		if i == 0 {
			hashes = append(hashes, hashes[0]) // the same tree again
		}
	}
	repository := r.open()
	c := &computing{table: In[string](New(Options{}), "content")}
	var counts []int
	for _, h := range hashes {
		tree := treeAt(t, repository, h)
		c.of(tree, "a")
		if got, want := c.of(tree, "a"), content(tree, "a"); got != want {
			t.Errorf("%s: got %q, want %q", h, got, want)
		}
		counts = append(counts, c.count)
	}
	if got, want := fmt.Sprint(counts), "[1 1 1 2 2 2 3 3]"; got != want {
		t.Errorf("computed %s times, want %s", got, want)
	}
	for _, tree := range []source.Tree{
		source.Memory(map[string][]byte{"a": []byte("2")}),
		source.Overlay(treeAt(t, repository, hashes[0]), map[string][]byte{"a": []byte("2"), "c": []byte("")}),
	} {
		if got := c.of(tree, "a"); got != "2 <nil>" || c.count != 3 {
			t.Errorf("over a tree of another kind: %q, computed %d times", got, c.count)
		}
	}
}

func content(tree source.Tree, name string) string {
	data, err := tree.ReadFile(name)
	return fmt.Sprintf("%s %v", data, err)
}

func TestTablesAreApart(t *testing.T) {
	m := New(Options{})
	tree := source.Memory(nil)
	In[string](m, "one").Put(tree, "k", source.Trace{}, "1", 1)
	if got, ok := In[string](m, "two").Get(tree, "k"); ok {
		t.Errorf("another table has %q", got)
	}
	if got, ok := In[int](m, "one").Get(tree, "k"); ok {
		t.Errorf("another type has %d", got)
	}
	if got, ok := In[string](m, "one").Get(tree, "k"); !ok || got != "1" {
		t.Errorf("got %q %t", got, ok)
	}
	if got, ok := In[string](m, "one").Last("other"); ok {
		t.Errorf("another key has %q", got)
	}
}

// version is a tree of one file with the given content, and the trace of reading it.
func version(content string) (source.Tree, source.Trace) {
	tree := source.Memory(map[string][]byte{"a": []byte(content)})
	return tree, traced(tree, read("a"))
}

func TestOfOneKeyTheLastUsedStay(t *testing.T) {
	table := In[string](New(Options{PerKey: 2}), "content")
	for _, v := range []string{"1", "2", "use 1", "3"} {
		if v == "use 1" {
			tree, _ := version("1")
			table.Get(tree, "k")
			continue
		}
		tree, trace := version(v)
		table.Put(tree, "k", trace, v, 1)
	}
	for v, want := range map[string]bool{"1": true, "2": false, "3": true} {
		tree, _ := version(v)
		if got, ok := table.Get(tree, "k"); ok != want || ok && got != v {
			t.Errorf("version %s: %q %t, want %t", v, got, ok, want)
		}
	}
	tree, _ := version("1")
	table.Get(tree, "k")
	if last, ok := table.Last("k"); !ok || last != "1" {
		t.Errorf("used last: %q %t", last, ok)
	}
}

func TestBytesAreBounded(t *testing.T) {
	m := New(Options{Bytes: 100_000})
	table := In[int](m, "numbers")
	tree, trace := version("1")
	for i := range 100 {
		table.Put(tree, fmt.Sprint(i), trace, i, 10_000)
		table.Get(tree, "0")
	}
	kept := 0
	for i := range 100 {
		if _, ok := table.Get(tree, fmt.Sprint(i)); ok {
			kept++
		}
	}
	if _, ok := table.Get(tree, "0"); !ok || kept < 8 || kept > 10 {
		t.Errorf("%d kept, the one in use %t", kept, ok)
	}
	if m.used > 100_000 || len(m.keys) != kept || m.recent.Len() != kept {
		t.Errorf("%d bytes, %d keys, %d entries", m.used, len(m.keys), m.recent.Len())
	}
	table.Put(tree, "large", trace, 1, 30_000)
	if _, ok := table.Get(tree, "large"); ok {
		t.Error("a result that takes a third of the room is kept")
	}
}

func TestWhatHangsOnCircumstancesIsNotKept(t *testing.T) {
	table := In[string](New(Options{}), "content")
	tree, trace := version("1")
	trace.Files[0].Digest = source.Unstable
	table.Put(tree, "k", trace, "1", 1)
	if got, ok := table.Last("k"); ok {
		t.Errorf("kept %q", got)
	}
}

// TestTreesAreForgotten: when it is not known any more over which tree a trace held, it is asked again.
func TestTreesAreForgotten(t *testing.T) {
	r := newRepo(t)
	var hashes []string
	for i := range maxTrees + 2 {
		hashes = append(hashes, r.commit(map[string]string{"a": "1", "n": fmt.Sprint(i)}))
	}
	repository := r.open()
	c := &computing{table: In[string](New(Options{}), "content")}
	c.of(treeAt(t, repository, hashes[0]), "a")
	for _, h := range hashes[1:] {
		c.of(treeAt(t, repository, h), "n")
	}
	c.count = 0
	if got := c.of(treeAt(t, repository, hashes[1]), "a"); got != "1 <nil>" || c.count != 0 {
		t.Errorf("got %q, computed %d times", got, c.count)
	}
	if e := c.table.memo.keys["content\x00a"][0]; e.at != source.Identity(treeAt(t, repository, hashes[1])) {
		t.Errorf("it is not noted that the trace holds there: %q", e.at)
	}
	if n := len(c.table.memo.trees.known); n != maxTrees {
		t.Errorf("%d trees are kept", n)
	}
}

func TestManyAtOnce(t *testing.T) {
	r := newRepo(t)
	var hashes []string
	for i := range 12 {
		hashes = append(hashes, r.commit(map[string]string{"a": fmt.Sprint(i / 2), "b": fmt.Sprint(i % 3)}))
	}
	repository := r.open()
	table := In[string](New(Options{PerKey: 3, Bytes: 20_000}), "content")
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 200 {
				tree := treeAt(t, repository, hashes[(i*7+worker)%len(hashes)])
				for _, name := range []string{"a", "b"} {
					got := table.Compute(tree, name, 2000, func(t source.Tree) string { return content(t, name) })
					if want := content(tree, name); got != want {
						t.Errorf("%s: got %q, want %q", name, got, want)
					}
				}
			}
		})
	}
	wait.Wait()
}
