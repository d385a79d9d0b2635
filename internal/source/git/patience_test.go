//go:build unix

package git

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGitIsNotWaitedForForever puts pipes where git opens files: it would wait for somebody to write.
func TestGitIsNotWaitedForForever(t *testing.T) {
	r, ids := emptyRepo(t, "one", "two")
	pipe := func(elem ...string) {
		t.Helper()
		file := filepath.Join(append([]string{r.Top()}, elem...)...)
		_ = os.Remove(file)
		if err := syscall.Mkfifo(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.runner.patience = 200 * time.Millisecond
	pipe(".gitignore")
	if _, err := r.Untracked(t.Context()); err == nil || !strings.Contains(err.Error(), "gave no answer within 200ms") {
		t.Errorf("untracked files: %v", err)
	}
	pipe(".git", "objects", ids[0][:2], ids[0][2:])
	if _, err := r.Blob(t.Context(), ids[0], 3); err == nil || !strings.Contains(err.Error(), "gave no answer within 200ms") {
		t.Errorf("blob: %v", err)
	}
	r.runner.patience = time.Minute
	if data, err := r.Blob(t.Context(), ids[1], 3); err != nil || string(data) != "two" {
		t.Errorf("the next blob: %q, %v", data, err)
	}
}
