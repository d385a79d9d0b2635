package demo

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
	"go.yaml.in/yaml/v3"
)

// built builds the demo in a fresh directory.
func built(t *testing.T) Repositories {
	t.Helper()
	r, err := Build(t.Context(), filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// git asks a repository, without any configuration of the machine.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n")
}

// commits lists the commits of a revision or range, oldest first, as "id subject".
func commits(t *testing.T, dir, revs string) []string {
	t.Helper()
	return strings.Split(git(t, dir, "log", "--first-parent", "--reverse", "--format=%H %s", revs), "\n")
}

// reader opens a repository and gives the trees of its revisions.
func reader(t *testing.T, dir string) func(rev string) source.Tree {
	t.Helper()
	r, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return func(rev string) source.Tree {
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
}

func TestBuildGivesTheSameCommitsOnEveryMachine(t *testing.T) {
	// These change with the story, and with the protobuf and genproto modules: their descriptor.proto, annotations.proto and
	// http.proto are part of every descriptor. Nothing else may change them.
	want := map[string]map[string]string{
		"manifests": {
			"main":                "07e0c6eaea33bdbe1f32d56c9ec8c178344bb252",
			"fixed":               "4fa5a9a65316c470c86edc242d7117d731ef41fc",
			"incident^{}":         "e9b8718de79ff14131ffee55581ee1223116267c",
			"turning-point^{}":    "5bbef5938d0b5e261396f585d2d51b81226839da",
			"refs/tags/incident":  "4cdc20fe4bb966c30b6a796a1d1943406ee840d1",
			"main:app/config":     "a88da8962232a37589474a47f4cbecee3f98b1a8",
			"fixed:app/helm/api":  "dcd14182d97c8dd4bd1658062efb24aaec619809",
			"incident:app/config": "1f093be37cffa8f4bc97a7bf571cbc4d88da333f",
		},
		"api": {"main": "a38300b1425defa7a764e40a9fa15a1091ee86dc", "fixed": "bb7a6221a3943a5ad0fab7ff0b32985c7bb6e58e", "v1.19.0^{}": "767b2b6fabe15d422ac38ee5871a0ffdf0c3db0f"},
	}
	for range 2 {
		r := built(t)
		for name, revs := range want {
			for rev, id := range revs {
				if got := git(t, filepath.Join(filepath.Dir(r.Manifests), name), "rev-parse", rev); got != id {
					t.Errorf("%s of %s is %s, want %s", rev, name, got, id)
				}
			}
		}
	}
}

func TestBuildLeavesTwoCleanClones(t *testing.T) {
	r := built(t)
	for dir, url := range map[string]string{
		r.Manifests:   "https://git.example.com/shop/manifests.git",
		r.Application: "https://git.example.com/shop/api.git",
	} {
		if got := git(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("%s is not clean:\n%s", dir, got)
		}
		if got := git(t, dir, "rev-parse", "--abbrev-ref", "HEAD"); got != "main" {
			t.Errorf("%s has %s checked out", dir, got)
		}
		if got := git(t, dir, "remote", "get-url", "origin"); got != url {
			t.Errorf("origin of %s is %s", dir, got)
		}
		if got := git(t, dir, "for-each-ref", "--format=%(refname)", "refs/heads"); got != "refs/heads/fixed\nrefs/heads/main" {
			t.Errorf("branches of %s are %s", dir, got)
		}
	}
	if got := git(t, r.Manifests, "tag"); got != "incident\nturning-point" {
		t.Errorf("tags of the manifests are %s", got)
	}
}

func TestBuildRefusesADirectoryThatHoldsAnything(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("error is %v", err)
	}
	if _, err := Build(t.Context(), mine); err == nil {
		t.Error("a file was taken as a directory")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestNobodyHasAName(t *testing.T) {
	r := built(t)
	roles := []string{"api-team", "platform-team", "release-bot"}
	for dir, want := range map[string][]string{r.Manifests: roles, r.Application: {"api-team"}} {
		seen := map[string]bool{}
		people := git(t, dir, "log", "--all", "--format=%an <%ae>%n%cn <%ce>") + "\n" +
			git(t, dir, "for-each-ref", "--format=%(taggername) %(taggeremail)", "refs/tags")
		for line := range strings.Lines(people) {
			role, mail, _ := strings.Cut(strings.TrimSpace(line), " ")
			seen[role] = true
			if mail != "<"+role+"@example.com>" {
				t.Errorf("%s: somebody is called %s", dir, line)
			}
		}
		for _, role := range want {
			if !seen[role] {
				t.Errorf("%s: %s does nothing", dir, role)
			}
			delete(seen, role)
		}
		if len(seen) > 0 {
			t.Errorf("%s: there are others: %v", dir, seen)
		}
		messages := git(t, dir, "log", "--all", "--format=%B")
		for _, trailer := range []string{"Signed-off-by", "Co-authored-by", "Reviewed-by"} {
			if strings.Contains(messages, trailer) {
				t.Errorf("%s: a message has %s", dir, trailer)
			}
		}
	}
}

func TestEveryFileIsWhatItsNameSays(t *testing.T) {
	r := built(t)
	read := map[string]bool{} // by path and content
	for _, dir := range []string{r.Manifests, r.Application} {
		at := reader(t, dir)
		for _, c := range append(commits(t, dir, "main"), commits(t, dir, "main..fixed")...) {
			id, subject, _ := strings.Cut(c, " ")
			tree := at(id)
			err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || strings.Contains(name, "/templates/") {
					return err
				}
				content, err := tree.ReadFile(name)
				if err != nil || read[name+string(content)] {
					return err
				}
				read[name+string(content)] = true
				if problem := unlike(name, content); problem != "" {
					t.Errorf("%q: %s: %s", subject, name, problem)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// unlike says what is wrong with a file.
func unlike(name string, content []byte) string {
	if strings.HasSuffix(name, ".pb") {
		return ""
	}
	if !bytes.HasSuffix(content, []byte("\n")) || bytes.HasSuffix(content, []byte("\n\n")) {
		return "does not end in one line feed"
	}
	for line := range strings.Lines(string(content)) {
		if strings.TrimRight(line, " \t\n")+"\n" != line {
			return "has blanks at the end of a line"
		}
	}
	if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) {
		return ""
	}
	d := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var document any
		switch err := d.Decode(&document); {
		case err == nil && document == nil:
			return "has an empty document"
		case err == nil:
		case err.Error() == "EOF":
			return ""
		default:
			return err.Error()
		}
	}
}

func TestTheTimelineIsTheOneThatThePeopleTell(t *testing.T) {
	r := built(t)
	main := commits(t, r.Manifests, "main")
	if len(main) < 40 {
		t.Errorf("main has %d commits", len(main))
	}
	for subject, date := range map[string]string{
		"deliver the descriptor once":           "2024-03-11",
		"release api v1.19.0":                   "2025-10-07",
		`Revert "release api v1.19.0"`:          "2025-10-07",
		"partner-gateway will leave in January": "2025-11-18",
		"partner-gateway leaves":                "2026-01-20",
	} {
		if got := git(t, r.Manifests, "log", "--format=%as", "--fixed-strings", "--grep="+subject, "main"); !slices.Contains(strings.Split(got, "\n"), date) {
			t.Errorf("%q is dated %q, want %s", subject, got, date)
		}
	}
	for rev, want := range map[string]string{"incident": "release api v1.19.0", "turning-point": "partner-gateway will leave in January"} {
		if got := git(t, r.Manifests, "log", "-1", "--format=%s", rev); got != want {
			t.Errorf("%s is %q", rev, got)
		}
	}
	if got, want := git(t, r.Manifests, "log", "-1", "--format=%(trailers)%b", "--grep=^Revert"), git(t, r.Manifests, "rev-parse", "incident^{}"); !strings.Contains(got, "This reverts commit "+want+".") {
		t.Errorf("the revert says %q", got)
	}
	if got := git(t, r.Manifests, "merge-base", "main", "fixed"); got != git(t, r.Manifests, "rev-parse", "main") {
		t.Errorf("fixed begins at %s", got)
	}
	fixed := commits(t, r.Manifests, "main..fixed")
	var releases int
	for _, c := range fixed {
		if strings.Contains(c, " release api ") {
			releases++
		}
	}
	if len(fixed) != 10 || releases != 3 {
		t.Errorf("fixed has %d commits, %d of them releases", len(fixed), releases)
	}
}
