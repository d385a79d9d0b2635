package source_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

// passed are the commits of a pass, as "subject path path".
func passed(t *testing.T, r *source.Repository, tip source.Commit, n int) ([]string, error) {
	t.Helper()
	var out []string
	err := r.Names(t.Context(), tip, n, func(hash string, paths []string) bool {
		out = append(out, resolve(t, r, hash).Subject+" "+strings.Join(paths, " "))
		return true
	})
	return out, err
}

func TestNames(t *testing.T) {
	repo := mainAndSide(t)
	repo.git("update-index", "--chmod=+x", "a")
	repo.git("commit", "-q", "-m", "mode")
	repo.git("mv", "s", "dir")
	repo.git("commit", "-q", "-m", "moved")
	repo.git("commit", "-q", "--allow-empty", "-m", "nothing")
	r := open(t, repo.dir)
	tip := resolve(t, r, "main")
	got, err := passed(t, r, tip, 100)
	want := []string{"nothing ", "moved dir s", "mode ", "four a", "merge s", "three a", "two a", "one a"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := passed(t, r, tip, 3); err != nil || !slices.Equal(got, want[:3]) {
		t.Errorf("three of them: %q, %v", got, err)
	}
	if got, err := passed(t, r, tip, 0); err != nil || len(got) != 0 {
		t.Errorf("none of them: %q, %v", got, err)
	}
	n := 0
	if err := r.Names(t.Context(), tip, 100, func(string, []string) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("it went on to %d commits, %v", n, err)
	}
	if err := r.Names(t.Context(), source.Commit{Hash: "--all"}, 1, nil); !errors.Is(err, source.ErrUnknownRevision) {
		t.Errorf("of no commit: %v", err)
	}
}

// TestNamesAreThoseOfChanged compares the pass with the comparison of single commits, where names are hard.
func TestNamesAreThoseOfChanged(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a b/c": "1", "d": "1", "\x1b[31m": "1", "caf\xe9": "1", "new\nline": "1", ":100644": "1"})
	repo.git("rm", "-q", "-r", "a b", "d")
	repo.commit("two", map[string]string{"a b": "1", "d/e": "1"})
	many := map[string]string{}
	for i := range 10_000 {
		many[fmt.Sprintf("many/%d/%d", i%100, i)] = "x"
	}
	repo.commit("ten thousand", many)
	repo.commit("\x1b[2J\n\n:100644 100644 1 2 M\x01", map[string]string{"new\nline": "2"})
	repo.git("checkout", "-q", "--orphan", "other")
	repo.commit("unrelated", map[string]string{"o": "1"})
	repo.git("checkout", "-q", "main")
	repo.git("merge", "-q", "--allow-unrelated-histories", "-m", "joined", "other")
	r := open(t, repo.dir)
	commits := 0
	err := r.Names(t.Context(), resolve(t, r, "main"), 100, func(hash string, paths []string) bool {
		c := resolve(t, r, hash)
		var parent source.Commit
		if len(c.Parents) > 0 {
			parent = resolve(t, r, c.Parents[0])
		}
		want, err := r.Changed(t.Context(), parent, c)
		if err != nil || !slices.Equal(paths, want) {
			t.Errorf("%s: %d paths %.200q; %d are changed, %.200q, %v", c.Subject, len(paths), paths, len(want), want, err)
		}
		commits++
		return true
	})
	if err != nil || commits != 5 {
		t.Errorf("%d commits, %v", commits, err)
	}
}

// TestNamesNeedNoContent: a clone without any file has the names; one that lacks directories says so.
func TestNamesNeedNoContent(t *testing.T) {
	repo := newRepo(t)
	repo.git("config", "uploadpack.allowFilter", "true")
	repo.commit("one", map[string]string{"d/a": "1"})
	repo.commit("two", map[string]string{"d/a": "2"})
	r := open(t, shallowClone(t, repo, "--no-checkout", "--filter=blob:none").dir)
	if got, err := passed(t, r, resolve(t, r, "HEAD"), 9); err != nil || !slices.Equal(got, []string{"two d/a", "one d/a"}) {
		t.Errorf("without files: %q, %v", got, err)
	}
	r = open(t, shallowClone(t, repo, "--no-checkout", "--filter=tree:0").dir)
	if got, err := passed(t, r, resolve(t, r, "HEAD"), 9); err == nil || len(got) != 0 {
		t.Errorf("without directories: %q", got)
	}
}

// TestNamesBelieveCommits: neither a replaced object nor a graft shows another history, and the edge of a shallow clone is one.
func TestNamesBelieveCommits(t *testing.T) {
	repo := newRepo(t)
	one := repo.commit("one", map[string]string{"a": "1"})
	two := repo.commit("two", map[string]string{"b": "1"})
	three := repo.commit("three", map[string]string{"c": "1"})
	repo.git("replace", two, one)
	repo.write(map[string]string{".git/info/grafts": three + " " + one + "\n"})
	r := open(t, repo.dir)
	if got, err := passed(t, r, resolve(t, r, three), 9); err != nil || !slices.Equal(got, []string{"three c", "two b", "one a"}) {
		t.Errorf("%q, %v", got, err)
	}
	repo.git("replace", "-d", two)
	r = open(t, shallowClone(t, repo, "--depth", "1").dir)
	if got, err := passed(t, r, resolve(t, r, "HEAD"), 9); err != nil || !slices.Equal(got, []string{"three a b c"}) {
		t.Errorf("at the edge: %q, %v", got, err)
	}
}

func TestBrought(t *testing.T) {
	repo := mainAndSide(t)
	repo.git("merge", "-q", "--no-ff", "-m", "octopus", "open")
	r := open(t, repo.dir)
	for _, tc := range []struct {
		base, head string
		most       int
		want       string
		all        int
	}{
		{"main^", "main", 9, "open", 1},
		{"main~2^", "main~2", 9, "side", 1},
		{"main~4", "main", 9, "four three open side", 4},
		{"main~4", "main", 2, "four three", 4},
		{"main", "main", 9, "", 0},
		{"main", "main^", 9, "", 0},
	} {
		list, all, err := r.Brought(t.Context(), resolve(t, r, tc.base), resolve(t, r, tc.head), tc.most)
		got := strings.Fields(subjects(list))
		slices.Sort(got)
		want := strings.Fields(tc.want)
		slices.Sort(want)
		if err != nil || all != tc.all || tc.most == 9 && !slices.Equal(got, want) || len(got) != len(want) {
			t.Errorf("%s..%s: %d, %q, %v; want %d, %q", tc.base, tc.head, all, got, err, tc.all, want)
		}
	}
	if _, _, err := r.Brought(t.Context(), source.Commit{Hash: "--all"}, resolve(t, r, "main"), 9); !errors.Is(err, source.ErrUnknownRevision) {
		t.Errorf("of no commit: %v", err)
	}
	shallow := open(t, shallowClone(t, repo, "--depth", "2").dir)
	if _, _, err := shallow.Brought(t.Context(), resolve(t, shallow, "HEAD^"), resolve(t, shallow, "HEAD"), 9); !errors.Is(err, source.ErrShallow) {
		t.Errorf("in a shallow clone: %v", err)
	}
}
