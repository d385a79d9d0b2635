package patch_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/patch"
	"github.com/syncproof/syncproof/internal/source"
)

var long = strings.Repeat("a line that stays\n", 12)

// base is what the changes of a table are made on.
func base() map[string][]byte {
	return map[string][]byte{
		"plain.yaml": []byte("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"), "no-end.yaml": []byte("one\ntwo"), "crlf.yaml": []byte("a\r\nb\r\n"),
		"data.pb": []byte("\x00\x01\x02" + strings.Repeat("binary", 40)), "run.sh": []byte("#!/bin/sh\necho one\n"),
		"with space.yaml": []byte("x: 1\n"), "über.yaml": []byte("x: 1\n"), "dir/one.yaml": []byte("1\n"), "dir/sub/two.yaml": []byte("2\n"),
		"long.yaml": []byte(long), "empty": {},
	}
}

// The changes of each case are brought over by git am, and give what they say.
func TestMailsAreTakenByGit(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string][]byte
		from  map[string]string
		kinds string
	}{
		"two hunks":        {map[string][]byte{"plain.yaml": []byte("A\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nL\n")}, nil, "changed"},
		"one hunk":         {map[string][]byte{"plain.yaml": []byte("a\nb\nC\nd\ne\nF\ng\nh\ni\nj\nk\nl\n")}, nil, "changed"},
		"end lost":         {map[string][]byte{"plain.yaml": []byte("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl")}, nil, "changed"},
		"end found":        {map[string][]byte{"no-end.yaml": []byte("one\ntwo\n")}, nil, "changed"},
		"without an end":   {map[string][]byte{"no-end.yaml": []byte("one\nthree")}, nil, "changed"},
		"CRLF":             {map[string][]byte{"crlf.yaml": []byte("a\r\nB\r\n")}, nil, "changed"},
		"binary":           {map[string][]byte{"data.pb": []byte("\x00new")}, nil, "changed"},
		"script":           {map[string][]byte{"run.sh": []byte("#!/bin/sh\necho two\n")}, nil, "changed"},
		"added":            {map[string][]byte{"new/file.yaml": []byte("x\n"), "new/none": {}}, nil, "added added"},
		"deleted":          {map[string][]byte{"plain.yaml": nil, "data.pb": nil, "empty": nil}, nil, "deleted deleted deleted"},
		"directory":        {map[string][]byte{"dir": nil}, nil, "deleted deleted"},
		"moved":            {map[string][]byte{"to/data.pb": base()["data.pb"], "data.pb": nil}, map[string]string{"to/data.pb": "data.pb"}, "moved"},
		"moved, changed":   {map[string][]byte{"to.yaml": []byte(long + "more\n"), "long.yaml": nil}, map[string]string{"to.yaml": "long.yaml"}, "moved"},
		"moved, another":   {map[string][]byte{"to.yaml": []byte("x\n"), "long.yaml": nil}, map[string]string{"to.yaml": "long.yaml"}, "deleted added"},
		"copied":           {map[string][]byte{"to.yaml": []byte(long)}, map[string]string{"to.yaml": "long.yaml"}, "copied"},
		"copied script":    {map[string][]byte{"to.sh": base()["run.sh"]}, map[string]string{"to.sh": "run.sh"}, "copied"},
		"moved and copied": {map[string][]byte{"a.yaml": []byte(long), "b.yaml": []byte(long), "long.yaml": nil}, map[string]string{"a.yaml": "long.yaml", "b.yaml": "long.yaml"}, "moved copied"},
		"names":            {map[string][]byte{"with space.yaml": []byte("x: 2\n"), "über.yaml": []byte("x: 3\n"), "q\"uote.yaml": []byte("x\n")}, nil, "added changed changed"},
		"as it was":        {map[string][]byte{"plain.yaml": base()["plain.yaml"], "long.yaml": []byte("x\n")}, nil, "changed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, tree := repository(t, base())
			changes := patch.Changes(tree, c.files, c.from)
			var kinds []string
			for _, x := range changes {
				kinds = append(kinds, string(x.Kind))
			}
			if got := strings.Join(kinds, " "); got != c.kinds {
				t.Errorf("kinds %s, want %s", got, c.kinds)
			}
			mails := patch.Mails(patch.Series{
				Commits: []patch.Commit{{Title: "config: ändere, wie lang die Zeile auch sein mag, die hier als Titel des Commits steht", Body: "Why.\n\nFrom here on\n--- not a diff\n", Changes: changes}},
				First:   1, All: 1, Name: "syncproof", Mail: "syncproof@localhost", When: time.Date(2026, 7, 7, 8, 37, 0, 0, time.UTC),
			})
			if len(mails) != 1 || !strings.HasPrefix(mails[0].Name, "0001-config") {
				t.Fatalf("mails %v", mails)
			}
			file := filepath.Join(t.TempDir(), mails[0].Name)
			if err := os.WriteFile(file, mails[0].Data, 0o666); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "am", "--quiet", file)
			want := expected(base(), c.files)
			if got := content(t, dir); got != want {
				t.Errorf("after git am:\n%s\nwant:\n%s\nmail:\n%s", got, want, mails[0].Data)
			}
			if subject := git(t, dir, "log", "-1", "--format=%s|%an"); subject != "config: ändere, wie lang die Zeile auch sein mag, die hier als Titel des Commits steht|syncproof\n" {
				t.Errorf("subject %q", subject)
			}
			if mode := git(t, dir, "ls-files", "-s", "run.sh", "to.sh"); strings.Contains(mode, "100644") {
				t.Errorf("a script lost its mode: %s", mode)
			}
			// Another work tree, written directly, holds the same.
			other, _ := repository(t, base())
			if err := patch.Apply(other, changes); err != nil {
				t.Fatal(err)
			}
			if got := content(t, other); got != want {
				t.Errorf("applied:\n%s\nwant:\n%s", got, want)
			}
			if status := git(t, other, "status", "--porcelain", "--ignored"); strings.Contains(status, "syncproof") {
				t.Errorf("left behind: %s", status)
			}
		})
	}
}

// What may not be written is refused, and nothing else is written either.
func TestApplyRefuses(t *testing.T) {
	change := map[string][]byte{"plain.yaml": []byte("new\n"), "dir/one.yaml": []byte("new\n"), "z/new.yaml": []byte("new\n")}
	for name, c := range map[string]struct {
		prepare func(dir string) error
		want    string
	}{
		"read-only":  {func(d string) error { return os.Chmod(filepath.Join(d, "plain.yaml"), 0o444) }, "plain.yaml: is read-only"},
		"changed":    {func(d string) error { return os.WriteFile(filepath.Join(d, "plain.yaml"), []byte("other\n"), 0o666) }, "plain.yaml: has changed meanwhile"},
		"gone":       {func(d string) error { return os.Remove(filepath.Join(d, "plain.yaml")) }, "no such file"},
		"a link":     {func(d string) error { return relink(filepath.Join(d, "plain.yaml"), "no-end.yaml") }, "plain.yaml: is no plain file"},
		"a link out": {func(d string) error { return relink(filepath.Join(d, "z"), os.TempDir()) }, "z is no directory"},
		"there already": {func(d string) error {
			return errorsOf(os.MkdirAll(filepath.Join(d, "z"), 0o777), os.WriteFile(filepath.Join(d, "z/new.yaml"), nil, 0o666))
		}, "z/new.yaml: is there already"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, tree := repository(t, base())
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			before := content(t, dir)
			err := patch.Apply(dir, patch.Changes(tree, change, nil))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if after := content(t, dir); after != before {
				t.Errorf("written all the same:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// A failure half-way is taken back.
func TestApplyTakesBack(t *testing.T) {
	dir, tree := repository(t, base())
	changes := patch.Changes(tree, map[string][]byte{"dir/one.yaml": nil, "plain.yaml": []byte("new\n"), "z/new.yaml": []byte("new\n")}, nil)
	if err := os.WriteFile(filepath.Join(dir, ".plain.yaml.syncproof"), nil, 0o666); err != nil { // where the new content would lie for a moment
		t.Fatal(err)
	}
	before := content(t, dir)
	if err := patch.Apply(dir, changes); err == nil {
		t.Error("no error")
	}
	if after := content(t, dir); after != before {
		t.Errorf("not taken back:\n%s\nbefore:\n%s", after, before)
	}
	if _, err := os.Stat(filepath.Join(dir, "z")); err == nil {
		t.Error("a directory is left")
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func relink(name, target string) error {
	_ = os.Remove(name)
	return os.Symlink(target, name)
}

// repository makes one with a commit, and gives its tree.
func repository(t *testing.T, files map[string][]byte) (string, source.Tree) {
	t.Helper()
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Commit(source.Change{
		Author: source.Person{Name: "a", Mail: "a@example.com"}, When: time.Unix(1700000000, 0).UTC(), Message: "first", Files: files, Executable: []string{"run.sh"},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	head, err := repo.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(context.Background(), head)
	if err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.com"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// content lists the files of a work tree with what is in them.
func content(t *testing.T, dir string) string {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if err != nil || d.IsDir() {
			if rel == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			files[rel] = []byte("-> " + target)
			return err
		}
		files[rel], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return expected(files, nil)
}

func expected(files, changes map[string][]byte) string {
	all := map[string][]byte{}
	for name, data := range files {
		all[name] = data
	}
	for name, data := range changes {
		for old := range all {
			if data == nil && (old == name || strings.HasPrefix(old, name+"/")) {
				delete(all, old)
			}
		}
	}
	for name, data := range changes {
		if data != nil {
			all[name] = data
		}
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%q %q\n", name, all[name])
	}
	return b.String()
}

// An empty file that was taken away comes back when a later change fails: here a file and a directory want one name.
func TestApplyTakesBackAnEmptyFile(t *testing.T) {
	files := base()
	files["a-empty"] = []byte{}
	dir, tree := repository(t, files)
	before := content(t, dir)
	changes := patch.Changes(tree, map[string][]byte{"a-empty": nil, "b": []byte("x\n"), "b/c": []byte("y\n")}, nil)
	if err := patch.Apply(dir, changes); err == nil {
		t.Error("no error")
	}
	if after := content(t, dir); after != before {
		t.Errorf("not taken back:\n%s\nbefore:\n%s", after, before)
	}
	if _, err := os.Stat(filepath.Join(dir, "a-empty")); err != nil {
		t.Error(err)
	}
}
