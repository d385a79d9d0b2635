package source_test

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

// testRepo is a clone that a test builds with the git program, as a user would.
type testRepo struct {
	t   *testing.T
	dir string
}

// newRepo makes an empty clone with the branch main.
func newRepo(t *testing.T, initArgs ...string) testRepo {
	t.Helper()
	r := testRepo{t, filepath.Join(realTempDir(t), "repo")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git(append([]string{"init", "-q", "-b", "main", "--template="}, initArgs...)...)
	return r
}

// realTempDir is a temporary directory by a path without links in it.
func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// git runs one command and returns its output without the last line feed.
func (r testRepo) git(args ...string) string {
	r.t.Helper()
	return r.gitStdin("", args...)
}

func (r testRepo) gitStdin(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=1700000000 +0100",
		"GIT_COMMITTER_NAME=Grace", "GIT_COMMITTER_EMAIL=grace@example.com", "GIT_COMMITTER_DATE=1700000600 -0530",
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write puts files on disk; a content that begins with "-> " makes a link.
func (r testRepo) write(files map[string]string) {
	r.t.Helper()
	writeFiles(r.t, r.dir, files)
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(full)
		var err error
		if target, link := strings.CutPrefix(files[name], "-> "); link {
			err = os.Symlink(target, full)
		} else {
			err = os.WriteFile(full, []byte(files[name]), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// commit writes files, stages everything and returns the id of the new commit.
func (r testRepo) commit(message string, files map[string]string) string {
	r.t.Helper()
	r.write(files)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// open opens a repository for the length of the test.
func open(t *testing.T, path string) *source.Repository {
	t.Helper()
	return openWith(t, path, source.Options{})
}

func openWith(t *testing.T, path string, o source.Options) *source.Repository {
	t.Helper()
	r, err := source.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// treeAt gives the tree of a revision.
func treeAt(t *testing.T, r *source.Repository, rev string) source.Tree {
	t.Helper()
	c, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Tree(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func workTree(t *testing.T, r *source.Repository) source.Tree {
	t.Helper()
	tree, err := r.WorkTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func openDir(t *testing.T, dir string) source.Tree {
	t.Helper()
	tree, err := source.OpenDir(context.Background(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// names lists everything in a tree but the top, directories with a slash at the end.
func names(t *testing.T, tree fs.FS) []string {
	t.Helper()
	var list []string
	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			list = append(list, name+": "+err.Error())
			return fs.SkipDir
		case name == ".":
		case e.IsDir():
			list = append(list, name+"/")
		default:
			list = append(list, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func wantNames(t *testing.T, tree fs.FS, want ...string) {
	t.Helper()
	if got := names(t, tree); !slices.Equal(got, want) {
		t.Errorf("names in the tree:\n got %q\nwant %q", got, want)
	}
}

func wantContent(t *testing.T, tree source.Tree, name, want string) {
	t.Helper()
	got, err := tree.ReadFile(name)
	if err != nil {
		t.Errorf("read %s: %v", name, err)
	} else if string(got) != want {
		t.Errorf("content of %s is %q, want %q", name, got, want)
	}
}
