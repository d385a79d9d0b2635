package lookback_test

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/lookback"
	"github.com/syncproof/syncproof/internal/source"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]any{
		"":                        lookback.Range{},
		"0":                       lookback.Range{},
		"50":                      lookback.Range{Last: 50},
		"v1.2.0..":                lookback.Range{Since: "v1.2.0"},
		"main~9..main~3":          lookback.Range{Since: "main~9", Tip: "main~3"},
		"-1":                      "-1: say how many commits",
		"99999999999999999999999": "99999999999999999999999: say how many commits",
		"v1.2.0":                  `"v1.2.0" is neither a number nor a range: say how many commits, or SINCE..`,
		"..":                      `".." is no range: say SINCE.. or SINCE..TIP, such as v1.2.0..`,
		"..main":                  `"..main" is no range: say SINCE.. or SINCE..TIP, such as v1.2.0..`,
		"a...b":                   `"a...b" is no range: say SINCE.. or SINCE..TIP, such as v1.2.0..`,
	} {
		got, err := lookback.Parse(text)
		var refused lookback.Refusal
		if err != nil && (!errors.As(err, &refused) || err.Error() != want) || err == nil && got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// branches is a repository:
//
//	c0 - c1 - .. - c5 - merge - c6 - .. - c599   main
//	      \- s0 - s1 -/
//	other                                        nothing in common
//
// c599 was main before it was rewritten to what stands here; the id "lost" is of a commit that no branch has.
func branches(t *testing.T) (dir string, ids map[string]string) {
	t.Helper()
	dir = t.TempDir() + "/r"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ids = map[string]string{}
	n := 0
	commit := func(name string, c source.Change) {
		n++
		c.Message, c.Author = name, source.Person{Name: "T", Mail: "t@example.com"}
		c.When = time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC)
		c.Files = map[string][]byte{"f": []byte(name)}
		if ids[name], err = w.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 6 {
		commit(fmt.Sprint("c", i), source.Change{})
		if i == 1 {
			commit("s0", source.Change{Branch: "side", From: "main"})
			commit("s1", source.Change{Branch: "side"})
		}
	}
	commit("merge", source.Change{Merge: []string{"side"}})
	commit("lost", source.Change{Branch: "lost", From: "main"})
	for i := 6; i < 600; i++ {
		commit(fmt.Sprint("c", i), source.Change{})
	}
	commit("other", source.Change{Branch: "other"})
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "branch", "-q", "-D", "lost")
	return dir, ids
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent", "PATH=/usr/bin:/bin:/usr/local/bin"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func opened(t *testing.T, dir string) *source.Repository {
	t.Helper()
	r, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// asked is what a range gives: "first .. last (n)", or the refusal.
func asked(t *testing.T, r *source.Repository, text, tip string) string {
	t.Helper()
	past, err := lookback.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	at, err := r.Resolve(t.Context(), tip)
	if err != nil {
		t.Fatal(err)
	}
	list, err := past.Commits(t.Context(), r, at)
	var refused lookback.Refusal
	if errors.As(err, &refused) {
		return refused.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(list, func(a, b source.Commit) int { return a.When.Compare(b.When) }) {
		t.Errorf("%s: not the oldest first", text)
	}
	return fmt.Sprintf("%s .. %s (%d)", list[0].Subject, list[len(list)-1].Subject, len(list))
}

func TestCommits(t *testing.T) {
	dir, ids := branches(t)
	r := opened(t, dir)
	for _, tc := range []struct{ text, tip, want string }{
		{"2", "main", "c597 .. c599 (3)"},
		{"2", "main~3", "c594 .. c596 (3)"},
		{"5000", "main", "c0 .. c599 (601)"},
		{ids["c598"] + "..", "main", "c598 .. c599 (2)"},
		{ids["c0"] + "..", "main", "c0 .. c599 (601)"},
		{ids["merge"] + "..", ids["c6"], "merge .. c6 (2)"},
		{ids["c2"] + "..", ids["merge"], "c2 .. merge (5)"},

		{"main..", "main", "main.. is the commit that is read: there is nothing after it"},
		{"nowhere..", "main", `"nowhere" is no revision of this repository`},
		{"main~601..", "main", `"main~601" is no revision of this repository: the history of main has only 601 commits`},
		{strings.Repeat("0", 40) + "..", "main", `"` + strings.Repeat("0", 40) + `" is no revision of this repository`},
		{"side..", "main", "side came in by a merge: it is no commit along the first parents of " + ids["c599"][:7] +
			", and was never delivered by itself; say the merge"},
		{"main..", "main~5", "main is newer than " + ids["c594"][:7] + ", the commit that is read"},
		{ids["lost"] + "..", "main", ids["lost"] + " is no ancestor of " + ids["c599"][:7] +
			": the branch was rewritten, or it is a commit of another one"},
		{"other..", "main", "other is no ancestor of " + ids["c599"][:7] + ": the branch was rewritten, or it is a commit of another one"},
	} {
		if got := asked(t, r, tc.text, tc.tip); got != tc.want {
			t.Errorf("%s at %s: %s; want %s", tc.text, tc.tip, got, tc.want)
		}
	}
}

func TestShallow(t *testing.T) {
	dir, ids := branches(t)
	cut := t.TempDir() + "/cut"
	run(t, dir, "clone", "-q", "--depth", "4", "file://"+dir, cut)
	r := opened(t, cut)
	for text, want := range map[string]string{
		"3":                "c596 .. c599 (4)",
		"4":                "4 reaches beyond the edge of this shallow clone: fetch the history (fetch-depth: 0), or say at most 3",
		"HEAD~3..":         "c596 .. c599 (4)",
		"HEAD~4..":         "HEAD~4 is not in this shallow clone: fetch the history (fetch-depth: 0)",
		ids["c0"] + "..":   ids["c0"] + " is not in this shallow clone: fetch the history (fetch-depth: 0)",
		ids["c596"] + "..": "c596 .. c599 (4)",
	} {
		if got := asked(t, r, text, "HEAD"); got != want {
			t.Errorf("%s: %s; want %s", text, got, want)
		}
	}
}
