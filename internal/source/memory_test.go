package source_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/source"
)

func TestMemory(t *testing.T) {
	files := map[string][]byte{
		"a/b.yaml": []byte("b: 1\n"), "c": nil, "d": []byte("loses against d/e"), "d/e": []byte("e"),
		"/abs": nil, "../up": nil, "x//y": nil, ".git/config": nil, "": nil, ".": nil, "bad\xff": nil,
	}
	tree := source.Memory(files)
	if err := fstest.TestFS(tree, "a/b.yaml", "c", "d/e"); err != nil {
		t.Error(err)
	}
	wantNames(t, tree, "a/", "a/b.yaml", "c", "d/", "d/e")
	data, err := tree.ReadFile("a/b.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data[0] = 'X' // the caller's own copy
	wantContent(t, tree, "a/b.yaml", "b: 1\n")
	if err := fstest.TestFS(source.Memory(nil)); err != nil {
		t.Error(err)
	}
}

func TestOverlay(t *testing.T) {
	base := map[string]string{
		"a/b.yaml": "b: 1\n", "a/c.yaml": "c: 1\n", "a/deep/only.yaml": "", "a/link": "-> c.yaml", "a/dir": "-> ../z", "keep": "k",
		"gone/x": "", "gone/y/z": "", "z/z.yaml": "z: 1\n", "file": "f", "tree/x": "", "emptied/p/q": "", "emptied/r": "",
	}
	edit := map[string][]byte{
		"a/c.yaml":         []byte("c: 2\n"),     // replaced
		"a/new/n.yaml":     []byte("n: 1\n"),     // in a new directory
		"a/deep/only.yaml": nil,                  // the last one of its directory
		"a/dir/z.yaml":     []byte("not in z\n"), // through a link
		"gone":             nil,                  // a directory
		"file/below":       []byte("fb"),         // a directory in the place of a file
		"tree":             []byte("t"),          // a file in the place of a directory
		"emptied/p/q":      nil,
		"emptied/r":        nil,
		"not/there":        nil,
		"empty":            {},
		".git/hooks/x":     []byte("refused"),
	}
	for kind, tree := range everyTree(t, base) {
		t.Run(kind, func(t *testing.T) {
			over := source.Overlay(tree, edit)
			if err := fstest.TestFS(over, "a/c.yaml", "a/new/n.yaml"); err != nil {
				t.Error(err)
			}
			wantNames(t, over, "a/", "a/b.yaml", "a/c.yaml", "a/dir/", "a/dir/z.yaml", "a/link", "a/new/", "a/new/n.yaml", "empty",
				"file/", "file/below", "keep", "tree", "z/", "z/z.yaml")
			wantContent(t, over, "a/b.yaml", "b: 1\n")
			wantContent(t, over, "a/link", "c: 2\n") // links see the edit
			wantContent(t, over, "a/dir/z.yaml", "not in z\n")
			wantContent(t, over, "z/z.yaml", "z: 1\n")
			wantContent(t, over, "tree", "t")
			wantContent(t, over, "empty", "")
			for _, name := range []string{"gone/x", "gone", "a/deep", "emptied", "tree/x", "not"} {
				if _, err := over.Stat(name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("stat %s: %v", name, err)
				}
			}
			wantContent(t, tree, "a/c.yaml", "c: 1\n") // base is as it was
			twice := source.Overlay(over, map[string][]byte{"gone/again": []byte("g"), "a/c.yaml": nil})
			wantContent(t, twice, "gone/again", "g")
			if _, err := twice.ReadFile("a/link"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read a link to what was deleted: %v", err)
			}
		})
	}
}

// TestOverlayOfAnotherPackage takes a tree that is none of ours.
func TestOverlayOfAnotherPackage(t *testing.T) {
	over := source.Overlay(fstest.MapFS{"a/b": {Data: []byte("1")}, "a/c": {Data: []byte("2")}}, map[string][]byte{"a/b": []byte("3")})
	if err := fstest.TestFS(over, "a/b", "a/c"); err != nil {
		t.Error(err)
	}
	wantContent(t, over, "a/b", "3")
	wantContent(t, over, "a/c", "2")
}
