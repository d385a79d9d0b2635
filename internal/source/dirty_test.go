package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func TestDirty(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 1<<16+1)
	remove := func(t *testing.T, repo testRepo, name string) {
		if err := os.Remove(filepath.Join(repo.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		change func(t *testing.T, repo testRepo)
		want   bool
	}{
		{"nothing", func(*testing.T, testRepo) {}, false},
		{"same length", func(_ *testing.T, r testRepo) { r.write(map[string]string{"a.yaml": "a: 2\n"}) }, true},
		{"staged", func(_ *testing.T, r testRepo) { r.write(map[string]string{"a.yaml": "a: 2\n"}); r.git("add", "-A") }, true},
		{"written anew", func(_ *testing.T, r testRepo) { r.write(map[string]string{"a.yaml": "a: 1\n"}) }, false},
		{"large and shorter", func(_ *testing.T, r testRepo) { r.write(map[string]string{"large": large[1:]}) }, true},
		{"large and different", func(_ *testing.T, r testRepo) { r.write(map[string]string{"large": large[1:] + "!"}) }, true},
		{"deleted", func(t *testing.T, r testRepo) { remove(t, r, "a.yaml") }, true},
		{"untracked", func(_ *testing.T, r testRepo) { r.write(map[string]string{"new.yaml": ""}) }, true},
		{"ignored", func(_ *testing.T, r testRepo) { r.write(map[string]string{"x.log": ""}) }, false},
		{"ignored by the clone", func(_ *testing.T, r testRepo) {
			r.write(map[string]string{".git/info/exclude": "local\n", "local": ""})
		}, false},
		{"only untracked by the index", func(_ *testing.T, r testRepo) { r.git("rm", "-q", "--cached", "a.yaml") }, false},
		{"added and deleted again", func(t *testing.T, r testRepo) {
			r.write(map[string]string{"new.yaml": ""})
			r.git("add", "new.yaml")
			remove(t, r, "new.yaml")
		}, false},
		{"link leads elsewhere", func(_ *testing.T, r testRepo) { r.write(map[string]string{"link": "-> large"}) }, true},
		{"link becomes a file", func(t *testing.T, r testRepo) { r.write(map[string]string{"link": "a.yaml"}) }, true},
		{"file becomes a directory", func(t *testing.T, r testRepo) {
			remove(t, r, "a.yaml")
			r.write(map[string]string{"a.yaml/x": ""})
		}, true},
		{"executable", func(t *testing.T, r testRepo) {
			if err := os.Chmod(filepath.Join(r.dir, "a.yaml"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"assumed unchanged", func(_ *testing.T, r testRepo) {
			r.git("update-index", "--assume-unchanged", "a.yaml")
			r.write(map[string]string{"a.yaml": "a: 2\n"})
		}, true},
		{"converted on checkout", func(_ *testing.T, r testRepo) { r.write(map[string]string{"a.yaml": "a: 1\r\n"}) }, true},
		{"nested repository", func(_ *testing.T, r testRepo) { r.git("init", "-q", "nested") }, true},
	}
	files := map[string]string{"a.yaml": "a: 1\n", "d/b.yaml": "b: 1\n", "link": "-> a.yaml", ".gitignore": "*.log\n", "large": large}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			repo := newRepo(t)
			repo.commit("one", files)
			test.change(t, repo)
			r := open(t, repo.dir)
			if got, err := r.Dirty(t.Context(), head(t, r)); got != test.want || err != nil {
				t.Errorf("dirty %t (%v), want %t", got, err, test.want)
			}
		})
	}
}

func TestDirtyWithSHA256(t *testing.T) {
	repo := newRepo(t, "--object-format=sha256")
	repo.commit("one", map[string]string{"a.yaml": "a: 1\n", "link": "-> a.yaml"})
	r := open(t, repo.dir)
	for content, want := range map[string]bool{"a: 1\n": false, "a: 2\n": true} {
		repo.write(map[string]string{"a.yaml": content})
		if got, err := r.Dirty(t.Context(), head(t, r)); got != want || err != nil {
			t.Errorf("dirty %t (%v), want %t", got, err, want)
		}
	}
}

func TestDirtyAgainstAnotherCommit(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("one", map[string]string{"a": "1"})
	repo.commit("two", map[string]string{"a": "2"})
	r := open(t, repo.dir)
	if dirty, err := r.Dirty(t.Context(), source.Commit{Hash: first}); !dirty || err != nil {
		t.Errorf("against the first commit: dirty %t, %v", dirty, err)
	}
	repo.git("clone", "-q", "--bare", repo.dir, filepath.Join(repo.dir, "bare.git"))
	bare := open(t, filepath.Join(repo.dir, "bare.git"))
	if dirty, err := bare.Dirty(t.Context(), source.Commit{Hash: first}); dirty || err != nil {
		t.Errorf("bare: dirty %t, %v", dirty, err)
	}
}
