package source_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/source"
)

func TestOpenFindsTheRepository(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"apps/api/values.yaml": "a: 1\n"})
	base := filepath.Dir(repo.dir)
	repo.git("clone", "-q", "--bare", repo.dir, filepath.Join(base, "bare.git"))
	repo.git("worktree", "add", "-q", "-b", "other", filepath.Join(base, "linked"))
	repo.git("clone", "-q", "--bare", repo.dir, filepath.Join(base, "hidden", ".git"))
	hidden := testRepo{t, filepath.Join(base, "hidden", ".git")}
	hidden.git("worktree", "add", "-q", "-b", "third", filepath.Join(base, "of-bare"))
	if err := os.Symlink(repo.dir, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	moved := testRepo{t, filepath.Join(base, "moved")}
	repo.git("clone", "-q", repo.dir, moved.dir)
	moved.git("config", "core.worktree", filepath.Join(base, "nowhere"))
	tests := []struct {
		path, top string
		bare      bool
	}{
		{"repo", "repo", false},
		{"moved/apps", "moved", false},
		{"repo/apps/api", "repo", false},
		{"repo/.git", "repo", false},
		{"repo/.git/refs/heads", "repo", false},
		{"link/apps", "repo", false},
		{"bare.git", "bare.git", true},
		{"bare.git/refs", "bare.git", true},
		{"linked", "linked", false},
		{"linked/apps", "linked", false},
		{"hidden", "hidden/.git", true},
		{"of-bare", "of-bare", false},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			r := open(t, filepath.Join(base, test.path))
			if want := filepath.Join(base, test.top); r.Top() != want || r.Bare() != test.bare {
				t.Errorf("top %s, bare %t; want %s, %t", r.Top(), r.Bare(), want, test.bare)
			}
			wantContent(t, treeAt(t, r, "HEAD"), "apps/api/values.yaml", "a: 1\n")
			tree, err := r.WorkTree(t.Context())
			if test.bare {
				if !errors.Is(err, source.ErrNoWorkTree) {
					t.Errorf("work tree of a bare repository: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wantContent(t, tree, "apps/api/values.yaml", "a: 1\n")
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := realTempDir(t)
	writeFiles(t, dir, map[string]string{
		"file":                       "",
		"plain/a.yaml":               "",
		"empty-git/.git/x":           "",
		"broken-link/.git":           "gitdir: /nowhere/at/all\n",
		"broken-file/.git":           "no such thing",
		"from-future/.git/HEAD":      "ref: refs/heads/main\n",
		"from-future/.git/config":    "[core]\n\trepositoryformatversion = 99\n",
		"from-future/.git/objects/x": "",
		"from-future/.git/refs/x":    "",
	})
	tests := []struct {
		path string
		want error // nil: another one
	}{
		{"nowhere", fs.ErrNotExist},
		{"plain", source.ErrNotRepository},
		{"empty-git", source.ErrNotRepository},
		{"broken-link", source.ErrNotRepository},
		{"broken-file", source.ErrNotRepository},
		{"file", nil},
		{"from-future", nil},
	}
	for _, test := range tests {
		_, err := source.Open(t.Context(), filepath.Join(dir, test.path), source.Options{})
		switch {
		case err == nil:
			t.Errorf("%s was opened", test.path)
		case test.want != nil && !errors.Is(err, test.want):
			t.Errorf("%s: %v, want %v", test.path, err, test.want)
		case test.want == nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrNotRepository)):
			t.Errorf("%s: %v", test.path, err)
		}
	}
	if _, err := source.Open(t.Context(), dir, source.Options{Git: filepath.Join(dir, "no-git")}); err == nil {
		t.Error("a missing git program was not noticed")
	}
}

func TestHeadOfEmptyRepository(t *testing.T) {
	repo := newRepo(t)
	r := open(t, repo.dir)
	if c, err := r.Head(t.Context()); !errors.Is(err, source.ErrNoCommit) {
		t.Errorf("head %v, error %v", c, err)
	}
	if _, err := r.Resolve(t.Context(), "main"); !errors.Is(err, source.ErrUnknownRevision) {
		t.Errorf("resolve main: %v", err)
	}
	repo.write(map[string]string{"a.yaml": "a: 1\n"})
	wantNames(t, workTree(t, r), "a.yaml")
}

func TestCommit(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("first", nil)
	repo.git("checkout", "-q", "-b", "side")
	side := repo.commit("side", map[string]string{"s": ""})
	repo.git("checkout", "-q", "main")
	main := repo.commit("Release \x1b[31mapi\x1b[0m v1.9.0\nand config\n\nBody.", map[string]string{"m": ""})
	repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
	r := open(t, repo.dir)

	merge, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := source.Commit{
		Hash: repo.git("rev-parse", "HEAD"), Subject: "Merge side", Author: "Ada", AuthorMail: "ada@example.com",
		Committer: "Grace", CommitterMail: "grace@example.com",
		When: merge.When, Parents: []string{main, side},
	}
	if !reflect.DeepEqual(merge, want) {
		t.Errorf("head is %+v, want %+v", merge, want)
	}
	if got := merge.When.Format(time.RFC3339); got != "2023-11-14T16:53:20-05:30" {
		t.Errorf("committed at %s", got)
	}
	tests := []struct{ rev, hash, subject string }{
		{"HEAD", merge.Hash, "Merge side"},
		{"main~1", main, "Release [31mapi [0m v1.9.0 and config"},
		{merge.Hash[:9], merge.Hash, "Merge side"},
		{"side", side, "side"},
		{"side^", first, "first"},
	}
	for _, test := range tests {
		c, err := r.Resolve(t.Context(), test.rev)
		if err != nil || c.Hash != test.hash || c.Subject != test.subject {
			t.Errorf("%s is %s %q (%v), want %s %q", test.rev, c.Hash, c.Subject, err, test.hash, test.subject)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a": ""})
	r := open(t, repo.dir)
	repo.git("update-ref", "refs/heads/-dash", "HEAD")
	for _, rev := range []string{
		"", "nope", "--all", "-h", "--git-dir", "-dash", "HEAD^", "HEAD~1", "HEAD^2", "HEAD~99999999999999999999", "^HEAD", "HEAD..HEAD", "HEAD:a", "HEAD^{tree}", "HEAD\x00", "HEAD\nHEAD",
		strings.Repeat("0", 40), "main@{upstream}",
	} {
		if c, err := r.Resolve(t.Context(), rev); !errors.Is(err, source.ErrUnknownRevision) {
			t.Errorf("%q gives %v, %v", rev, c, err)
		}
	}
}

func TestOddCommitsAreRead(t *testing.T) {
	repo := newRepo(t)
	tree := repo.gitStdin("", "mktree")
	raw := "tree " + tree + "\nauthor No Mail\ncommitter C <c@example.com> 99999999999999 +0000\n" +
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n parent of nothing\n -----END PGP SIGNATURE-----\n\n\n\n caf\xe9 \n"
	hash := repo.gitStdin(raw, "hash-object", "-t", "commit", "-w", "--stdin", "--literally")
	c, err := open(t, repo.dir).Resolve(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	want := source.Commit{Hash: hash, Subject: "caf\uFFFD", Author: "No Mail", Committer: "C", CommitterMail: "c@example.com"}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("read as %+v, want %+v", c, want)
	}
}

func TestShallow(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("one", map[string]string{"a": "1"})
	second := repo.commit("two", map[string]string{"a": "2"})
	dir := filepath.Join(realTempDir(t), "shallow")
	repo.git("clone", "-q", "--depth", "1", "file://"+repo.dir, dir)
	for path, want := range map[string]bool{repo.dir: false, dir: true} {
		if got, err := open(t, path).Shallow(t.Context()); got != want || err != nil {
			t.Errorf("%s: shallow %t, %v", path, got, err)
		}
	}
	r := open(t, dir)
	head, err := r.Head(t.Context())
	if err != nil || head.Hash != second || !reflect.DeepEqual(head.Parents, []string{first}) {
		t.Errorf("head %v, %v", head, err)
	}
	wantContent(t, treeAt(t, r, "HEAD"), "a", "2")
	for _, rev := range []string{"HEAD^", first} {
		if _, err := r.Resolve(t.Context(), rev); !errors.Is(err, source.ErrUnknownRevision) {
			t.Errorf("%s: %v", rev, err)
		}
	}
	if _, err := r.Tree(t.Context(), source.Commit{Hash: first}); !errors.Is(err, source.ErrUnknownRevision) {
		t.Errorf("tree of a commit that was cut off: %v", err)
	}
}

func TestContextEndsReading(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a": "1", "b": "2"})
	r := open(t, repo.dir)
	head, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tree, err := r.Tree(ctx, head)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := r.WorkTree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wantContent(t, tree, "a", "1")
	cancel()
	for _, tree := range []source.Tree{tree, disk} {
		for _, name := range []string{"a", "b"} {
			if _, err := tree.ReadFile(name); !errors.Is(err, context.Canceled) {
				t.Errorf("%s after the end of the context: %v", name, err)
			}
		}
	}
	if _, err := r.Head(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("head after the end of the context: %v", err)
	}
	wantContent(t, treeAt(t, r, "HEAD"), "b", "2") // others go on
}

func TestClosedRepository(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a": "1"})
	r := open(t, repo.dir)
	tree := treeAt(t, r, "HEAD")
	r.Close()
	r.Close()
	if _, err := tree.ReadFile("a"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
}
