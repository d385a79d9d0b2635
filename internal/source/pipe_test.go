//go:build unix

package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func TestSpecialFilesDoNotHang(t *testing.T) {
	pipe := func(t *testing.T, elem ...string) {
		t.Helper()
		file := filepath.Join(elem...)
		_ = os.Remove(file)
		if err := syscall.Mkfifo(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	repo := newRepo(t)
	repo.commit("one", map[string]string{"tracked": "x", "link": "-> tracked", "d/a": "", "later": "x"})
	r := open(t, repo.dir)
	before := workTree(t, r)
	pipe(t, repo.dir, "tracked")
	pipe(t, repo.dir, "untracked")
	pipe(t, repo.dir, "later")
	for kind, tree := range map[string]source.Tree{"work tree": workTree(t, r), "directory": openDir(t, repo.dir), "before": before} {
		for _, name := range []string{"tracked", "link", "later"} {
			if data, err := tree.ReadFile(name); err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: read %s: %q, %v", kind, name, data, err)
			}
		}
	}
	wantNames(t, workTree(t, r), "d/", "d/a", "later", "link", "tracked") // Git never lists an untracked pipe
	if dirty, err := r.Dirty(t.Context(), head(t, r)); !dirty || err != nil {
		t.Errorf("dirty %t, %v", dirty, err)
	}
}
