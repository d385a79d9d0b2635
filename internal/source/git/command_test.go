package git

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What needs commits, and whether something is executed, is tested through package source.

// emptyRepo opens a repository without commits, and writes blobs into it.
func emptyRepo(t *testing.T, blobs ...string) (*Repository, []string) {
	t.Helper()
	dir := t.TempDir()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "LC_ALL=C"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(bytes.TrimSpace(out))
	}
	git("", "init", "-q", "-b", "main", "--template=")
	var ids []string
	for _, blob := range blobs {
		ids = append(ids, git(blob, "hash-object", "-w", "--stdin"))
	}
	r, err := Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, ids
}

func TestOutputIsBounded(t *testing.T) {
	r, _ := emptyRepo(t)
	const answer = "false\nsha1\n"
	for limit, want := range map[int]error{len(answer): nil, len(answer) - 1: ErrTooLarge, 0: ErrTooLarge} {
		r.runner.output = limit
		out, err := r.runner.run(t.Context(), "rev-parse", "--is-bare-repository", "--show-object-format")
		if !errors.Is(err, want) || want == nil && string(out) != answer {
			t.Errorf("limit %d: %q, %v, want %v", limit, out, err, want)
		}
	}
}

func TestErrorsSayWhatGitSaid(t *testing.T) {
	r, _ := emptyRepo(t)
	_, err := r.runner.run(t.Context(), "rev-parse", "--verify", "no\x1b[31m\nsuch")
	if err == nil || err.Error() != "git: fatal: Needed a single revision" {
		t.Errorf("error %q", err)
	}
	said := &tail{limit: 10}
	for _, s := range []string{"0123456789", "abc", "the end of a longer text"} {
		if n, err := said.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("wrote %d bytes of %q, %v", n, s, err)
		}
	}
	if said.String() != "onger text" {
		t.Errorf("kept %q", said)
	}
}

func TestProcessIsStartedAgain(t *testing.T) {
	r, ids := emptyRepo(t, "one", "two")
	for i, want := range []string{"one", "two"} {
		if data, err := r.Blob(t.Context(), ids[i], 3); err != nil || string(data) != want {
			t.Errorf("blob %q, %v, want %q", data, err, want)
		}
		p := r.batch.proc
		if p == nil {
			t.Fatal("there is no process")
		}
		p.kill()
		if _, err := p.cmd.Process.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBlobIsNotReadBeyondTheLimit(t *testing.T) {
	r, ids := emptyRepo(t, "1234", "")
	for limit, want := range map[int64]error{0: ErrTooLarge, 3: ErrTooLarge, 4: nil} {
		if data, err := r.Blob(t.Context(), ids[0], limit); !errors.Is(err, want) || want != nil && data != nil {
			t.Errorf("limit %d: %q, %v, want %v", limit, data, err, want)
		}
	}
	if data, err := r.Blob(t.Context(), ids[1], 0); err != nil || len(data) != 0 {
		t.Errorf("empty blob: %q, %v", data, err)
	}
	if size, err := r.Size(t.Context(), ids[0]); size != 4 || err != nil {
		t.Errorf("size %d, %v", size, err)
	}
	if _, err := r.List(t.Context(), ids[0]); err == nil || !strings.Contains(err.Error(), "is a blob, not a tree") {
		t.Errorf("list a blob: %v", err)
	}
}
