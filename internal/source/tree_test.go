package source_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/source"
)

// linked is a tree with links that stay inside; all kinds of trees must read it alike.
var linked = map[string]string{
	"README.md":                "# hi\n",
	"a-b/x.yaml":               "between a and a/ in Git's order\n",
	"a/b/values.yaml":          "\xef\xbb\xbfreplicas: 1\n",
	"a/common":                 "-> ../shared",
	"a/up.yaml":                "-> b/../b/./values.yaml",
	"a/through.yaml":           "-> common/deep/../k.yaml",
	"a/chain":                  "-> up.yaml",
	"empty.yaml":               "",
	"shared/deep/d.yaml":       "d: 1\n",
	"shared/k.yaml":            "k: 1\n",
	"shared/back":              "-> deep/../../a//b/",
	"naïve name \ufeff/x.yaml": "x: 1\n",
}

var linkedNames = []string{
	"README.md", "a/", "a/b/", "a/b/values.yaml", "a/chain", "a/common", "a/through.yaml", "a/up.yaml", "a-b/", "a-b/x.yaml",
	"empty.yaml", "naïve name \ufeff/", "naïve name \ufeff/x.yaml", "shared/", "shared/back", "shared/deep/",
	"shared/deep/d.yaml", "shared/k.yaml",
}

// everyTree gives the same files as every kind of tree that can hold links.
func everyTree(t *testing.T, files map[string]string) map[string]source.Tree {
	t.Helper()
	repo := newRepo(t)
	repo.commit("files", files)
	sha256 := newRepo(t, "--object-format=sha256")
	sha256.commit("files", files)
	plain := realTempDir(t)
	writeFiles(t, plain, files)
	r := open(t, repo.dir)
	tree := treeAt(t, r, "HEAD")
	return map[string]source.Tree{
		"commit":    tree,
		"sha256":    treeAt(t, open(t, sha256.dir), "HEAD"),
		"work tree": workTree(t, r),
		"directory": openDir(t, plain),
		"overlay":   source.Overlay(tree, nil),
		"recorder":  source.Record(tree),
	}
}

func TestTreesFollowLinks(t *testing.T) {
	for kind, tree := range everyTree(t, linked) {
		t.Run(kind, func(t *testing.T) {
			if err := fstest.TestFS(tree, "a/b/values.yaml", "a/up.yaml", "shared/deep/d.yaml"); err != nil {
				t.Error(err)
			}
			wantNames(t, tree, linkedNames...)
			for name, want := range map[string]string{
				"a/b/values.yaml":           "\xef\xbb\xbfreplicas: 1\n",
				"a/up.yaml":                 "\xef\xbb\xbfreplicas: 1\n",
				"a/chain":                   "\xef\xbb\xbfreplicas: 1\n",
				"a/common/k.yaml":           "k: 1\n",
				"a/through.yaml":            "k: 1\n",
				"a/common/back/values.yaml": "\xef\xbb\xbfreplicas: 1\n",
				"empty.yaml":                "",
			} {
				wantContent(t, tree, name, want)
				if info, err := tree.Stat(name); err != nil || info.Size() != int64(len(want)) || !info.Mode().IsRegular() {
					t.Errorf("stat %s: %v, %v", name, info, err)
				}
			}
			if list, err := fs.Glob(tree, "a/common/*.yaml"); err != nil || strings.Join(list, " ") != "a/common/k.yaml" {
				t.Errorf("glob: %q, %v", list, err)
			}
			for _, name := range []string{"nope", "README.md/x", "a/common/nope", "a/up.yaml/x", "a/b/values.yaml/.."} {
				if _, err := tree.ReadFile(name); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := tree.ReadFile("a/common"); err == nil || err.Error() != "read a/common: is a directory" {
				t.Errorf("read a directory: %v", err)
			}
		})
	}
}

func TestTreesRefuseLinksThatLeave(t *testing.T) {
	outside := filepath.Join(realTempDir(t), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"d/keep":     "",
		"absolute":   "-> " + outside,
		"above":      "-> ../repo/d/keep",
		"d/far":      "-> ../../../../../../../../etc/passwd",
		"d/via":      "-> ../d/../..",
		"loop":       "-> loop",
		"ping":       "-> d/pong",
		"d/pong":     "-> ../ping",
		"d/self":     "-> .",
		"dangling":   "-> d/nothing",
		"git":        "-> .git/HEAD",
		"long":       "-> " + strings.Repeat("d/../", 800) + "d/keep",
		"expansive0": "-> d",
	}
	for i := range 60 {
		files[fmt.Sprintf("expansive%d", i+1)] = fmt.Sprintf("-> expansive%d", i)
	}
	tests := []struct {
		name string
		want error
	}{
		{"absolute", source.ErrEscapes},
		{"above", source.ErrEscapes},
		{"d/far", source.ErrEscapes},
		{"d/via", source.ErrEscapes},
		{"d/via/etc", source.ErrEscapes},
		{"loop", source.ErrLinkLoop},
		{"loop/x", source.ErrLinkLoop},
		{"ping", source.ErrLinkLoop},
		{"expansive60/keep", source.ErrLinkLoop},
		{"dangling", fs.ErrNotExist},
		{"git", fs.ErrNotExist},
		{".git/HEAD", fs.ErrNotExist},
		{"../repo/d/keep", fs.ErrInvalid},
		{"/etc/passwd", fs.ErrInvalid},
		{strings.Repeat("d/self/", 1000) + "keep", source.ErrTooLarge},
	}
	for kind, tree := range everyTree(t, files) {
		t.Run(kind, func(t *testing.T) {
			for _, test := range tests {
				data, err := tree.ReadFile(test.name)
				if !errors.Is(err, test.want) {
					t.Errorf("read %.60s: %q, %v, want %v", test.name, data, err, test.want)
				}
				if _, err := tree.Stat(test.name); !errors.Is(err, test.want) {
					t.Errorf("stat %.60s: %v, want %v", test.name, err, test.want)
				}
				if _, err := tree.Open(test.name); !errors.Is(err, test.want) {
					t.Errorf("open %.60s: %v, want %v", test.name, err, test.want)
				}
				if _, err := tree.ReadDir(test.name); !errors.Is(err, test.want) {
					t.Errorf("list %.60s: %v, want %v", test.name, err, test.want)
				}
			}
			wantContent(t, tree, "long", "")
			wantContent(t, tree, "d/self/self/keep", "")
			if target, err := fs.ReadLink(tree, "absolute"); err != nil || target != outside {
				t.Errorf("target of a link: %q, %v", target, err)
			}
		})
	}
}

func TestTreesBoundFiles(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"fits": "0123456789", "large": "0123456789+", "link": "-> large"})
	o := source.Options{FileSize: 10}
	r := openWith(t, repo.dir, o)
	plain, err := source.OpenDir(t.Context(), repo.dir, o)
	if err != nil {
		t.Fatal(err)
	}
	for kind, tree := range map[string]source.Tree{"commit": treeAt(t, r, "HEAD"), "work tree": workTree(t, r), "directory": plain} {
		wantContent(t, tree, "fits", "0123456789")
		for _, name := range []string{"large", "link"} {
			if data, err := tree.ReadFile(name); !errors.Is(err, source.ErrTooLarge) {
				t.Errorf("%s: read %s: %q, %v", kind, name, data, err)
			}
			if info, err := tree.Stat(name); err != nil || info.Size() != 11 {
				t.Errorf("%s: stat %s: %v, %v", kind, name, info, err)
			}
		}
	}
}

func TestSubmodule(t *testing.T) {
	module := newRepo(t)
	module.commit("module", map[string]string{"m.yaml": "m: 1\n"})
	repo := newRepo(t)
	repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module.dir, "vendor/module")
	repo.commit("one", map[string]string{"a.yaml": "", "link.yaml": "-> vendor/module/m.yaml", "back": "-> vendor/module/../../a.yaml"})
	r := open(t, repo.dir)
	for kind, tree := range map[string]source.Tree{
		"commit": treeAt(t, r, "HEAD"), "work tree": workTree(t, r), "overlay": source.Overlay(treeAt(t, r, "HEAD"), nil),
	} {
		for _, name := range []string{"vendor/module", "vendor/module/m.yaml", "link.yaml"} {
			if data, err := tree.ReadFile(name); !errors.Is(err, source.ErrSubmodule) && !(kind == "overlay" && name == "vendor/module") {
				t.Errorf("%s: read %s: %q, %v", kind, name, data, err)
			}
		}
		wantContent(t, tree, "back", "")
		wantNames(t, tree, ".gitmodules", "a.yaml", "back", "link.yaml", "vendor/", "vendor/module/",
			"vendor/module: readdir vendor/module: lies in a submodule")
	}
	if dirty, err := r.Dirty(t.Context(), head(t, r)); dirty || err != nil {
		t.Errorf("dirty %t, %v", dirty, err)
	}
	// The module is a repository of its own, with a .git file and core.worktree.
	inside := open(t, filepath.Join(repo.dir, "vendor/module"))
	if want := filepath.Join(repo.dir, "vendor/module"); inside.Top() != want {
		t.Errorf("top of the module is %s, want %s", inside.Top(), want)
	}
	wantContent(t, treeAt(t, inside, "HEAD"), "m.yaml", "m: 1\n")
}

func head(t *testing.T, r *source.Repository) source.Commit {
	t.Helper()
	c, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAbsentObjects(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a.yaml": "a: 1\n", "d/b.yaml": "b: 1\n", "c.yaml": "c: 1\n"})
	repo.git("config", "uploadpack.allowFilter", "true")
	base := realTempDir(t)
	for name, filter := range map[string]string{"blobless": "blob:none", "treeless": "tree:0"} {
		repo.git("clone", "-q", "--no-checkout", "--filter="+filter, "file://"+repo.dir, filepath.Join(base, name))
	}
	head := source.Commit{Hash: repo.git("rev-parse", "HEAD")}

	r := open(t, filepath.Join(base, "blobless"))
	tree := treeAt(t, r, "HEAD")
	wantNames(t, tree, "a.yaml", "c.yaml", "d/", "d/b.yaml")
	for _, name := range []string{"a.yaml", "d/b.yaml", "a.yaml"} {
		if _, err := tree.ReadFile(name); !errors.Is(err, source.ErrAbsent) {
			t.Errorf("read %s: %v", name, err)
		}
		if _, err := tree.Stat(name); !errors.Is(err, source.ErrAbsent) {
			t.Errorf("stat %s: %v", name, err)
		}
	}
	if _, err := open(t, filepath.Join(base, "treeless")).Tree(t.Context(), head); !errors.Is(err, source.ErrAbsent) {
		t.Errorf("tree of a treeless clone: %v", err)
	}
	// Nothing was fetched meanwhile.
	blobless := testRepo{t, filepath.Join(base, "blobless")}
	if out := blobless.git("rev-list", "--objects", "--missing=print", "--all"); strings.Count(out, "?") != 3 {
		t.Errorf("missing objects:\n%s", out)
	}
	// Without a promisor remote it is a damaged clone, to the same effect.
	blob := repo.git("rev-parse", "HEAD:c.yaml")
	if err := os.Remove(filepath.Join(repo.dir, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	tree = treeAt(t, open(t, repo.dir), "HEAD")
	if _, err := tree.ReadFile("c.yaml"); !errors.Is(err, source.ErrAbsent) {
		t.Errorf("read a blob that is gone: %v", err)
	}
	wantContent(t, tree, "a.yaml", "a: 1\n")
}

func TestCorruptObject(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
	blob := repo.git("rev-parse", "HEAD:a.yaml")
	file := filepath.Join(repo.dir, ".git/objects", blob[:2], blob[2:])
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("\x78\x01rubbish"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := treeAt(t, open(t, repo.dir), "HEAD")
	if data, err := tree.ReadFile("a.yaml"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read a corrupt object: %q, %v", data, err)
	}
	wantContent(t, tree, "b.yaml", "b: 1\n")
}

func TestTreeLeavesOutImpossibleNames(t *testing.T) {
	repo := newRepo(t)
	blob := repo.gitStdin("x", "hash-object", "-w", "--stdin")
	id := make([]byte, 20)
	if _, err := fmt.Sscanf(blob, "%x", &id); err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	for _, name := range []string{".", "..", ".GIT", ".git", "a/b", "back\\slash", "bad\xffname", "dup", "dup", "good", ""} {
		fmt.Fprintf(&raw, "100644 %s\x00%s", name, id)
	}
	tree := repo.gitStdin(raw.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
	repo.git("update-ref", "HEAD", repo.git("commit-tree", "-m", "odd", tree))
	wantNames(t, treeAt(t, open(t, repo.dir), "HEAD"), "back\\slash", "dup", "good")

	malformed := repo.gitStdin("100644 cut", "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
	repo.git("update-ref", "HEAD", repo.git("commit-tree", "-m", "malformed", malformed))
	top := treeAt(t, open(t, repo.dir), "HEAD")
	if _, err := top.ReadDir("."); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("list a malformed tree: %v", err)
	}
}

func TestEndlessTreeIsRefused(t *testing.T) {
	repo := newRepo(t)
	below := repo.gitStdin("100644 blob "+repo.gitStdin("x", "hash-object", "-w", "--stdin")+"\tf\n", "mktree")
	for range 6 {
		var lines strings.Builder
		for i := range 16 {
			fmt.Fprintf(&lines, "040000 tree %s\t%d\n", below, i)
		}
		below = repo.gitStdin(lines.String(), "mktree")
	}
	repo.git("update-ref", "HEAD", repo.git("commit-tree", "-m", "16 to the 6th files", below))
	r := open(t, repo.dir)
	if _, err := r.Tree(t.Context(), head(t, r)); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("tree: %v", err)
	}
	if _, err := r.Dirty(t.Context(), head(t, r)); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("dirty: %v", err)
	}
}

func TestOpenFile(t *testing.T) {
	tree := source.Memory(map[string][]byte{"d/a": []byte("hello")})
	f, err := tree.Open("d/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.(io.Seeker).Seek(1, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(f); err != nil || string(rest) != "ello" {
		t.Errorf("rest %q, %v", rest, err)
	}
}
