package source_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/source"
)

var (
	writerBot  = source.Person{Name: "release-bot", Mail: "release-bot@example.com"}
	writerTime = time.Date(2024, 3, 11, 9, 30, 0, 0, time.FixedZone("", 3600))
)

// created starts a repository in a fresh directory.
func created(t *testing.T, o source.WriterOptions) (*source.Writer, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repository")
	w, err := source.Create(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w, dir
}

func committed(t *testing.T, w *source.Writer, c source.Change) string {
	t.Helper()
	if c.Author.Name == "" {
		c.Author, c.When = writerBot, writerTime
	}
	id, err := w.Commit(c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func finished(t *testing.T, w *source.Writer) {
	t.Helper()
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// gitOutput asks the written repository, with an environment of its own.
func gitOutput(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.quotepath=off"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func writeTwo(t *testing.T, o source.WriterOptions) (dir, first, second string) {
	t.Helper()
	w, dir := created(t, o)
	first = committed(t, w, source.Change{
		Message: "first", Executable: []string{"b.sh"},
		Files: map[string][]byte{"b.sh": []byte("#!/bin/sh\r\n"), "a/a": []byte("a\n"), "empty": {}},
	})
	second = committed(t, w, source.Change{Message: "second\n\nwhy\n\n", Files: map[string][]byte{"a/a": nil}})
	finished(t, w)
	return dir, first, second
}

func TestWriterGivesTheSameIDsOnEveryMachine(t *testing.T) {
	// What `git commit` gave for the same files, with the identity and dates in its environment.
	const (
		wantFirst  = "b6d1c5c689367227ebab145c8af7c4f6beff7345"
		wantSecond = "c97b8f87d9b49cf05cd3dc5e4da4eaed4bfb2ffd"
	)
	dir, first, second := writeTwo(t, source.WriterOptions{})
	if first != wantFirst || second != wantSecond {
		t.Errorf("ids %s and %s, want %s and %s", first, second, wantFirst, wantSecond)
	}
	if got := gitOutput(t, dir, "rev-parse", "HEAD", "refs/heads/main"); got != wantSecond+"\n"+wantSecond {
		t.Errorf("HEAD and main are %s", got)
	}

	t.Run("hostile machine", func(t *testing.T) {
		home := t.TempDir()
		write := func(name, content string) {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		write("template/hooks/post-checkout", "#!/bin/sh\ntouch "+home+"/ran\n")
		write("template/hooks/reference-transaction", "#!/bin/sh\ntouch "+home+"/ran\n")
		write(".gitconfig", "[init]\ntemplateDir = "+home+"/template\ndefaultBranch = trunk\n"+
			"[core]\nautocrlf = input\nhooksPath = "+home+"/template/hooks\n[commit]\ngpgSign = true\n[user]\nname = someone\n")
		t.Setenv("HOME", home)
		t.Setenv("GIT_DEFAULT_HASH", "sha256")
		t.Setenv("GIT_DIR", filepath.Join(home, "elsewhere"))
		t.Setenv("GIT_AUTHOR_DATE", "1000000000 +0000")
		t.Setenv("GIT_TEMPLATE_DIR", filepath.Join(home, "template"))
		dir, first, second := writeTwo(t, source.WriterOptions{})
		if first != wantFirst || second != wantSecond {
			t.Errorf("ids %s and %s, want %s and %s", first, second, wantFirst, wantSecond)
		}
		if _, err := os.Stat(filepath.Join(home, "ran")); err == nil {
			t.Error("a hook of the machine was run")
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "b.sh")); string(got) != "#!/bin/sh\r\n" {
			t.Errorf("b.sh was checked out as %q", got)
		}
	})
}

func TestWriterStoresWhatTheChangeSays(t *testing.T) {
	w, dir := created(t, source.WriterOptions{})
	committed(t, w, source.Change{Message: "files", Files: map[string][]byte{
		"keep": []byte("kept"), "old/x": []byte("x\n"), "old/y": []byte("y\n"), "was/dir/z": []byte("z"), "gone": []byte("g"),
	}})
	committed(t, w, source.Change{
		Message: "all kinds of change",
		Renames: map[string]string{"old": "new"},
		Files: map[string][]byte{
			"gone": nil, "was": nil, "new/y": []byte("changed\n"), "run.sh": []byte("#!/bin/sh\n"), "nothing": {},
		},
		Executable: []string{"run.sh"},
		Links:      map[string]string{"link": "new/x"},
		Submodules: map[string]string{"sub": "0123456789012345678901234567890123456789"},
	})
	committed(t, w, source.Change{Message: "a file in place of a directory", Files: map[string][]byte{
		"new": nil, "new/deep/file": []byte("d"), "keep": []byte{},
	}})
	finished(t, w)
	want := strings.Join([]string{
		"100644 blob keep 4", "120000 blob link 5", "100644 blob new/x 2", "100644 blob new/y 8", "100644 blob nothing 0",
		"100755 blob run.sh 10", "160000 commit sub -",
	}, "\n")
	if got := treeOf(t, dir, "HEAD^"); got != want {
		t.Errorf("tree is\n%s\nwant\n%s", got, want)
	}
	want = strings.Join([]string{
		"100644 blob keep 0", "120000 blob link 5", "100644 blob new/deep/file 1", "100644 blob nothing 0",
		"100755 blob run.sh 10", "160000 commit sub -",
	}, "\n")
	if got := treeOf(t, dir, "HEAD"); got != want {
		t.Errorf("tree is\n%s\nwant\n%s", got, want)
	}
	if got := gitOutput(t, dir, "cat-file", "blob", "HEAD:link"); got != "new/x" {
		t.Errorf("link leads to %q", got)
	}
	if got := gitOutput(t, dir, "status", "--porcelain", "--ignore-submodules=all"); got != "" {
		t.Errorf("the work tree differs from HEAD:\n%s", got)
	}
}

// treeOf lists "mode type path size".
func treeOf(t *testing.T, dir, rev string) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(gitOutput(t, dir, "ls-tree", "-r", "--long", rev)) {
		meta, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		f := strings.Fields(meta)
		lines = append(lines, strings.Join([]string{f[0], f[1], name, f[3]}, " "))
	}
	return strings.Join(lines, "\n")
}

func TestWriterTakesAnyName(t *testing.T) {
	names := []string{"a b", `qu"ote`, `back\slash`, "line\nfeed", "tab\t", "größe/ü", "\xff\xfe", "-dash", "M 100644", `"`}
	files := map[string][]byte{}
	for _, n := range names {
		files[n] = []byte(n)
	}
	w, dir := created(t, source.WriterOptions{Bare: true})
	committed(t, w, source.Change{Message: "names", Files: files})
	finished(t, w)
	got := map[string]bool{}
	for n := range strings.SplitSeq(gitOutput(t, dir, "ls-tree", "-r", "-z", "--name-only", "HEAD"), "\x00") {
		got[n] = true
	}
	for _, n := range names {
		if !got[n] {
			t.Errorf("%q is not in the tree", n)
		}
	}
}

func TestWriterBranchesMergesAndTags(t *testing.T) {
	w, dir := created(t, source.WriterOptions{DefaultBranch: "trunk", Remote: "https://git.example.com/shop/manifests.git"})
	root := committed(t, w, source.Change{Message: "root", Files: map[string][]byte{"a": []byte("1")}})
	side := committed(t, w, source.Change{Branch: "side", From: root, Message: "side", Files: map[string][]byte{"b": []byte("2")}})
	more := committed(t, w, source.Change{Message: "more", Files: map[string][]byte{"c": []byte("3")}})
	merge := committed(t, w, source.Change{Message: "merge", Merge: []string{"side"}, Files: map[string][]byte{"b": []byte("2")}})
	alike := source.Change{Branch: "afresh", Message: "no parent", Files: map[string][]byte{"z": []byte("z")}}
	afresh := committed(t, w, alike)
	alike.Branch = "twin"
	if twin := committed(t, w, alike); twin != afresh {
		t.Errorf("equal commits have ids %s and %s", afresh, twin)
	}
	for _, tag := range []struct{ name, at, message string }{{"plain", more, ""}, {"v1", "trunk", "what it is\n\nand why"}} {
		if err := w.Tag(tag.name, tag.at, writerBot, writerTime, tag.message); err != nil {
			t.Fatal(err)
		}
	}
	finished(t, w)
	for rev, want := range map[string]string{
		"trunk": more + " " + side, "trunk^": root, "side": root, "afresh": "", "twin": "",
	} {
		if got := gitOutput(t, dir, "show", "-s", "--format=%P", rev); got != want {
			t.Errorf("parents of %s are %q, want %q", rev, got, want)
		}
	}
	if got, want := treeOf(t, dir, "trunk"), "100644 blob a 1\n100644 blob b 1\n100644 blob c 1"; got != want {
		t.Errorf("tree of the merge is\n%s", got)
	}
	if got, want := gitOutput(t, dir, "show", "-s", "--format=%an <%ae> %ad|%cn <%ce> %cd", "--date=iso", "trunk"),
		"release-bot <release-bot@example.com> 2024-03-11 09:30:00 +0100|"+
			"release-bot <release-bot@example.com> 2024-03-11 09:30:00 +0100"; got != want {
		t.Errorf("author and committer are %s", got)
	}
	want := "plain commit  \nv1 tag release-bot 2024-03-11 09:30:00 +0100 what it is"
	if got := gitOutput(t, dir, "for-each-ref", "refs/tags",
		"--format=%(refname:short) %(objecttype) %(taggername) %(taggerdate:iso) %(if)%(taggername)%(then)%(subject)%(end)"); got !=
		strings.Replace(want, "commit  ", "commit   ", 1) {
		t.Errorf("tags are\n%q", got)
	}
	if got := gitOutput(t, dir, "rev-parse", "v1^{commit}", "plain"); got != merge+"\n"+more {
		t.Errorf("tags point to %s", got)
	}
	if got := gitOutput(t, dir, "config", "remote.origin.url"); got != "https://git.example.com/shop/manifests.git" {
		t.Errorf("origin is %s", got)
	}
	if got := gitOutput(t, dir, "symbolic-ref", "HEAD"); got != "refs/heads/trunk" {
		t.Errorf("HEAD is %s", got)
	}
}

func TestWriterRefuses(t *testing.T) {
	const somewhere = "0123456789012345678901234567890123456789"
	one := map[string][]byte{"a": []byte("a")}
	for name, c := range map[string]struct {
		change source.Change
		want   string
	}{
		"branch that git refuses":  {source.Change{Branch: "a..b", Files: one}, "branch name doesn't conform"},
		"parent that is not there": {source.Change{From: somewhere, Files: one}, "not a valid commit"},
		"command in a branch":      {source.Change{Branch: "x\nreset refs/heads/y", Files: one}, "is empty or holds a blank"},
		"command in a parent":      {source.Change{Merge: []string{"x\ny"}, Files: one}, "is empty or holds a blank"},
		"command in an author":     {source.Change{Author: source.Person{Name: "a\nb"}, Files: one}, "no identity can"},
		"path that leaves":         {source.Change{Files: map[string][]byte{"../a": nil}}, "none of a tree"},
		"absolute path":            {source.Change{Links: map[string]string{"/a": "b"}}, "none of a tree"},
		"path that is not clean":   {source.Change{Renames: map[string]string{"a": "b//c"}}, "none of a tree"},
		"path in two maps":         {source.Change{Files: one, Links: map[string]string{"a": "b"}}, "stands twice"},
		"executable without file":  {source.Change{Files: one, Executable: []string{"b"}}, "none of the files"},
		"rename of nothing":        {source.Change{Renames: map[string]string{"a": "b"}}, "not in branch"},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := created(t, source.WriterOptions{})
			_, err := w.Commit(c.change)
			// Lower case, since git's own messages begin either way, by version.
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
			if _, again := w.Commit(source.Change{Author: writerBot, Files: one}); again == nil {
				t.Error("the writer goes on after an error")
			}
			if w.Finish(t.Context()) == nil {
				t.Error("the writer finishes after an error")
			}
		})
	}
	t.Run("directory that is not empty", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := source.Create(t.Context(), dir, source.WriterOptions{}); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("after the end", func(t *testing.T) {
		w, _ := created(t, source.WriterOptions{})
		finished(t, w)
		if _, err := w.Commit(source.Change{Author: writerBot, Files: one}); err == nil {
			t.Error("a finished writer takes commits")
		}
	})
}

func TestWriterWithoutCommits(t *testing.T) {
	for _, bare := range []bool{false, true} {
		w, dir := created(t, source.WriterOptions{Bare: bare})
		finished(t, w)
		if got := gitOutput(t, dir, "for-each-ref"); got != "" {
			t.Errorf("bare %v: refs are %s", bare, got)
		}
		if got, want := gitOutput(t, dir, "rev-parse", "--is-bare-repository"), map[bool]string{false: "false", true: "true"}[bare]; got != want {
			t.Errorf("bare is %s, want %s", got, want)
		}
	}
}

func TestWriterEndsItsProcess(t *testing.T) {
	t.Run("close", func(t *testing.T) {
		w, dir := created(t, source.WriterOptions{})
		committed(t, w, source.Change{Message: "m", Files: map[string][]byte{"a": []byte("a")}})
		w.Close()
		w.Close()
		if got := gitOutput(t, dir, "for-each-ref"); got != "" {
			t.Errorf("an unfinished writer left %s", got)
		}
		if _, err := w.Commit(source.Change{Author: writerBot, Message: "m"}); err == nil {
			t.Error("a closed writer takes commits")
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := source.Create(ctx, filepath.Join(t.TempDir(), "r"), source.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := w.Finish(ctx); err == nil {
			t.Error("a writer whose context has ended finishes")
		}
		w.Close()
	})
}

// TestWriterCommitter: who commits is the author unless somebody else is said.
func TestWriterCommitter(t *testing.T) {
	dir := t.TempDir() + "/r"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, by := range []source.Person{{}, {Name: "GitHub", Mail: "noreply@github.com"}} {
		if _, err := w.Commit(source.Change{Author: writerBot, By: by, When: writerTime, Message: "m", Files: map[string][]byte{"f": []byte(by.Name)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	tip, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.FirstParents(t.Context(), tip, 2)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, c.Author+" by "+c.Committer+" "+c.CommitterMail)
	}
	want := []string{writerBot.Name + " by GitHub noreply@github.com", writerBot.Name + " by " + writerBot.Name + " " + writerBot.Mail}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
