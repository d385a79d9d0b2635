package memo

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func read(name string) func(source.Tree)  { return func(t source.Tree) { _, _ = t.ReadFile(name) } }
func lists(name string) func(source.Tree) { return func(t source.Tree) { _, _ = t.ReadDir(name) } }
func stat(name string) func(source.Tree)  { return func(t source.Tree) { _, _ = t.Stat(name) } }
func lstat(name string) func(source.Tree) { return func(t source.Tree) { _, _ = fs.Lstat(t, name) } }
func link(name string) func(source.Tree)  { return func(t source.Tree) { _, _ = fs.ReadLink(t, name) } }

func TestHolds(t *testing.T) {
	base := map[string]string{
		"d/a.yaml": "1", "d/sub/x": "x", "d/l": "-> a.yaml", "link": "-> d", "other/a.yaml": "1", "other/l": "-> ../d/a.yaml",
		"out": "-> ../x", "loop": "-> loop",
	}
	tests := []struct {
		name   string
		change map[string]string
		read   func(source.Tree)
		holds  bool
		asks   bool // differences alone do not tell that it holds
	}{
		{"file changes", map[string]string{"d/a.yaml": "2"}, read("d/a.yaml"), false, true},
		{"file goes", map[string]string{"d/a.yaml": ""}, read("d/a.yaml"), false, true},
		{"file becomes a directory", map[string]string{"d/a.yaml": "", "d/a.yaml/b": "1"}, stat("d/a.yaml"), false, true},
		{"file becomes a link to the same", map[string]string{"d/a.yaml": "-> ../other/a.yaml"}, read("d/a.yaml"), false, true},
		{"another file changes", map[string]string{"d/b.yaml": "2"}, read("d/a.yaml"), true, false},
		{"names that sort beside", map[string]string{"d/sub-b": "2", "d/sub.x": "2", "d/sub0": "2"}, read("d/sub/x"), true, false},
		{"size stays", map[string]string{"d/a.yaml": "2"}, stat("d/a.yaml"), true, true},
		{"listing changes", map[string]string{"d/b.yaml": "2"}, lists("d"), false, true},
		{"listing below changes", map[string]string{"d/sub/y": "2"}, lists("d"), true, false},
		{"listed file changes", map[string]string{"d/a.yaml": "2"}, lists("d"), true, false},
		{"listed directory goes", map[string]string{"d/sub/x": ""}, lists("d"), false, true},
		{"directory goes", map[string]string{"d/sub/x": ""}, stat("d/sub"), false, true},
		{"top changes", map[string]string{"n/b.yaml": "2"}, lists("."), false, true},
		{"missing name comes", map[string]string{"d/b.yaml": "2"}, read("d/b.yaml"), false, true},
		{"missing name comes with its directories", map[string]string{"n/m/b.yaml": "2"}, stat("n/m/b.yaml"), false, true},
		{"missing name comes behind a new link", map[string]string{"n": "-> d"}, stat("n/a.yaml"), false, true},
		{"missing name below a file", map[string]string{"d/a.yaml": "2"}, stat("d/a.yaml/b"), true, false},
		{"only the directory of a missing name comes", map[string]string{"n/x": "2"}, stat("n/m/b.yaml"), true, true},
		{"link leads elsewhere", map[string]string{"link": "-> other"}, read("link/a.yaml"), false, true},
		{"link leads elsewhere, read itself", map[string]string{"link": "-> other"}, link("link"), false, true},
		{"link to the directory of a link that is read", map[string]string{"link": "-> other"}, link("link/l"), false, true},
		{"another link leads elsewhere", map[string]string{"out": "-> d"}, read("link/a.yaml"), true, true},
		{"directory becomes a link to the same", map[string]string{"d": "", "e/a.yaml": "1", "d/a.yaml": ""}, lstat("d"), false, true},
		{"link out of the tree comes back", map[string]string{"out": "-> d/a.yaml"}, read("out"), false, true},
		{"loop ends", map[string]string{"loop": "-> d"}, stat("loop"), false, true},
		{"invalid name", map[string]string{"d/a.yaml": "2"}, read("../d/a.yaml"), true, false},
	}
	r := newRepo(t)
	hashes := make([][2]string, len(tests))
	for i, test := range tests {
		clear := map[string]string{}
		for _, top := range []string{"d", "e", "n"} {
			clear[top] = ""
		}
		if i > 0 {
			r.commit(clear)
		}
		hashes[i][0] = r.commit(base)
		if test.name == "directory becomes a link to the same" {
			r.commit(map[string]string{"d": ""})
			test.change = map[string]string{"d": "-> e", "e/a.yaml": "1"}
		}
		hashes[i][1] = r.commit(test.change)
	}
	repository := r.open()
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after := treeAt(t, repository, hashes[i][0]), treeAt(t, repository, hashes[i][1])
			trace := traced(before, test.read)
			if !holds(trace, before) {
				t.Error("it does not hold over its own tree")
			}
			for kind, tree := range map[string]source.Tree{
				"commit": after, "overlay": source.Overlay(after, nil), "recorder": source.Record(after),
			} {
				if got := holds(trace, tree); got != test.holds {
					t.Errorf("%s: holds %t, want %t; trace %+v", kind, got, test.holds, trace)
				}
			}
			differences, ok := source.Differences(before, after, 100)
			if asks := touched(trace, differences); !ok || asks != test.asks {
				t.Errorf("touched %t, want %t by %v", asks, test.asks, differences)
			}
		})
	}
}

// TestUntouchedMeansTheSame asks random questions of random trees: if nothing that differs touches a trace, another trace
// of the same questions must be equal, and a trace holds exactly if another one is equal.
func TestUntouchedMeansTheSame(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	r := newRepo(t)
	var hashes []string
	for range 40 {
		if len(hashes) > 0 {
			r.commit(map[string]string{"a": "", "b": "", "l": "", "keep": "1"})
		}
		hashes = append(hashes, r.commit(randomFiles(chance)))
	}
	repository := r.open()
	var trees []source.Tree
	for _, h := range hashes {
		trees = append(trees, treeAt(t, repository, h))
	}
	untouched, held := 0, 0
	for range 5000 {
		before, after := trees[chance.IntN(len(trees))], trees[chance.IntN(len(trees))]
		var questions []func(source.Tree)
		for range 1 + chance.IntN(3) {
			ask := [...]func(string) func(source.Tree){read, lists, stat, lstat, link}[chance.IntN(5)]
			questions = append(questions, ask(randomName(chance)))
		}
		all := func(tree source.Tree) {
			for _, q := range questions {
				q(tree)
			}
		}
		one, two := traced(before, all), traced(after, all)
		same := reflect.DeepEqual(one, two)
		differences, ok := source.Differences(before, after, 100)
		if !ok {
			t.Fatal("no differences")
		}
		if !touched(one, differences) {
			if untouched++; !same {
				t.Fatalf("untouched by %v, but\n%+v\n%+v", differences, one, two)
			}
		}
		if got := holds(one, after); got != same {
			t.Fatalf("holds: %t, but\n%+v\n%+v", got, one, two)
		} else if got {
			held++
		}
	}
	if untouched < 100 || held <= untouched || held > 4900 {
		t.Errorf("%d untouched and %d held: the test says little", untouched, held)
	}
}

func randomName(chance *rand.Rand) string {
	name := []string{"a", "b", "l"}[chance.IntN(3)]
	for depth := 1; depth < 4 && chance.IntN(3) > 0; depth++ {
		name += "/" + []string{"a", "b", "a-b", "l"}[chance.IntN(4)]
	}
	return name
}

func randomFiles(chance *rand.Rand) map[string]string {
	files := map[string]string{"keep": fmt.Sprint(1 + chance.IntN(2))}
	for range 6 {
		name := randomName(chance)
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			delete(files, dir)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(other string) bool { return strings.HasPrefix(other, name+"/") }) {
			files[name] = []string{"1", "2", "22", "-> a", "-> ../a", "-> b/l", "-> .."}[chance.IntN(7)]
		}
	}
	return files
}

func TestUnstableNeverHolds(t *testing.T) {
	tree := source.Memory(map[string][]byte{"a": []byte("1")})
	trace := traced(tree, read("a"))
	if !holds(trace, tree) {
		t.Error("a stable trace does not hold")
	}
	trace.Files[0].Digest = source.Unstable
	if holds(trace, tree) || lasting(trace) {
		t.Error("an unstable answer holds")
	}
}
