package source_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/source"
)

func TestWorkTreeShowsWhatCouldBeCommitted(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{
		".gitignore": "*.log\n/build/\n", "kept.yaml": "kept: 1\n", "edited.yaml": "edited: 1\n", "deleted.yaml": "",
		"becomes-dir": "", "becomes-link/x.yaml": "x: 1\n", "shared/x.yaml": "x: 2\n",
	})
	repo.write(map[string]string{"forced.log": ""})
	repo.git("add", "--force", "forced.log")
	repo.git("rm", "-q", "--cached", "kept.yaml") // untracked now, and still there
	if err := os.RemoveAll(filepath.Join(repo.dir, "becomes-link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"deleted.yaml", "becomes-dir"} {
		if err := os.Remove(filepath.Join(repo.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	repo.write(map[string]string{
		"edited.yaml": "edited: 2\n", "new/added.yaml": "added: 1\n", "debug.log": "", "build/out.yaml": "", "becomes-dir/in.yaml": "",
		"becomes-link": "-> shared", "to-ignored": "-> build/out.yaml", "\U0001F600.yaml": "",
	})
	nested := testRepo{t, filepath.Join(repo.dir, "nested")}
	repo.git("init", "-q", nested.dir)
	nested.commit("nested", map[string]string{"n.yaml": ""})

	r := open(t, filepath.Join(repo.dir, "new"))
	tree := workTree(t, r)
	wantNames(t, tree, ".gitignore", "becomes-dir/", "becomes-dir/in.yaml", "becomes-link", "edited.yaml", "forced.log",
		"kept.yaml", "nested/", "nested: readdir nested: lies in a submodule", "new/", "new/added.yaml", "shared/",
		"shared/x.yaml", "to-ignored", "\U0001F600.yaml")
	wantContent(t, tree, "edited.yaml", "edited: 2\n")
	wantContent(t, tree, "becomes-link/x.yaml", "x: 2\n")
	for _, name := range []string{"debug.log", "build/out.yaml", "to-ignored", "deleted.yaml", ".git/config", "nested/.git/config"} {
		if _, err := tree.ReadFile(name); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, source.ErrSubmodule) {
			t.Errorf("read %s: %v", name, err)
		}
	}
	// HEAD is as it was.
	wantContent(t, treeAt(t, r, "HEAD"), "edited.yaml", "edited: 1\n")
}

func TestWorkTreeInTheMiddleOfAMerge(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a": "1\n"})
	repo.git("checkout", "-q", "-b", "side")
	repo.commit("side", map[string]string{"a": "2\n"})
	repo.git("checkout", "-q", "main")
	repo.commit("main", map[string]string{"a": "3\n"})
	repo.git("merge", "-q", "-s", "ours", "--no-commit", "side") // leaves MERGE_HEAD
	repo.git("read-tree", "-m", "HEAD~1", "HEAD", "side")        // and three stages of a
	if stages := repo.git("ls-files", "-u"); strings.Count(stages, "\n") != 2 {
		t.Fatalf("stages:\n%s", stages)
	}
	tree := workTree(t, open(t, repo.dir))
	wantNames(t, tree, "a")
	wantContent(t, tree, "a", "3\n")
}

func TestSparseCheckoutIsWhole(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"in/a.yaml": "a: 1\n", "out/b.yaml": "b: 1\n", "out/link": "-> ../in/a.yaml", "top": ""})
	for _, index := range []string{"--no-sparse-index", "--sparse-index"} {
		repo.git("sparse-checkout", "set", "--cone", index, "in")
		if _, err := os.Lstat(filepath.Join(repo.dir, "out")); err == nil {
			t.Fatal("the checkout is not sparse")
		}
		r := open(t, repo.dir)
		tree := workTree(t, r)
		if err := fstest.TestFS(tree, "in/a.yaml", "out/b.yaml"); err != nil {
			t.Error(err)
		}
		wantContent(t, tree, "out/b.yaml", "b: 1\n")
		wantContent(t, tree, "out/link", "a: 1\n")
		if dirty, err := r.Dirty(t.Context(), head(t, r)); dirty || err != nil {
			t.Errorf("%s: dirty %t, %v", index, dirty, err)
		}
	}
}

func TestDirectory(t *testing.T) {
	dir := realTempDir(t)
	writeFiles(t, dir, map[string]string{
		"a/b.yaml": "b: 1\n", "a/.git/config": "secret", ".git": "no repository", "sub/.gitignore": "b", "sub/b": "",
		"link": "-> a/.git/config", "\xff.yaml": "",
	})
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	tree := openDir(t, dir)
	wantNames(t, tree, "a/", "a/b.yaml", "empty/", "link", "sub/", "sub/.gitignore", "sub/b")
	for _, name := range []string{".git", "a/.git/config", "link"} {
		if data, err := tree.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("read %s: %q, %v", name, data, err)
		}
	}
	if _, err := source.OpenDir(t.Context(), filepath.Join(dir, "nowhere"), source.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open nowhere: %v", err)
	}
	if _, err := source.OpenDir(t.Context(), filepath.Join(dir, "sub/b"), source.Options{}); err == nil {
		t.Error("a file was opened as a directory")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.OpenDir(ctx, dir, source.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("open after the end of the context: %v", err)
	}
}

func TestFilesThatChangeUnderUs(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"gone": "x", "dir": "x", "swapped": "x"})
	secret := filepath.Join(realTempDir(t), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := workTree(t, open(t, repo.dir))
	for _, name := range []string{"gone", "dir", "swapped"} {
		if err := os.Remove(filepath.Join(repo.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, repo.dir, map[string]string{"dir/x": "", "swapped": "-> " + secret})
	if _, err := tree.ReadFile("gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read a deleted file: %v", err)
	}
	for _, name := range []string{"dir", "swapped"} {
		if data, err := tree.ReadFile(name); err == nil {
			t.Errorf("read %s: %q", name, data)
		}
	}
}
