package source_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

// hostileHooks are the hooks that Git knows.
var hostileHooks = strings.Fields(`applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
	commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update
	reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist
	p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change`)

// hostileConfig names a program wherever a configuration can; %[1]s is the program, %[2]s a directory of hooks, %[3]s a
// file of the host, %[4]s a directory of the host.
const hostileConfig = `
[core]
	repositoryformatversion = 1
	fsmonitor = %[1]s
	hooksPath = %[2]s
	sshCommand = %[1]s
	gitProxy = %[1]s
	askPass = %[1]s
	pager = %[1]s
	editor = %[1]s
	alternateRefsCommand = %[1]s
	worktree = %[4]s
	excludesFile = %[3]s
	attributesFile = %[3]s
	untrackedCache = true
[extensions]
	partialClone = origin
[include]
	path = extra
[includeIf "gitdir:/**"]
	path = extra
[alias]
	rev-parse = !%[1]s
	ls-files = !%[1]s
	cat-file = !%[1]s
	for-each-ref = !%[1]s
	config = !%[1]s
[pager]
	ls-files = %[1]s
	config = %[1]s
	rev-parse = %[1]s
[filter "evil"]
	clean = %[1]s
	smudge = %[1]s
	process = %[1]s
	required = true
[diff]
	external = %[1]s
[diff "evil"]
	command = %[1]s
	textconv = %[1]s
[merge "evil"]
	driver = %[1]s
[credential]
	helper = !%[1]s
[gpg]
	program = %[1]s
[log]
	showSignature = true
[uploadpack]
	packObjectsHook = %[1]s
[trace2]
	eventTarget = %[3]s.trace
[fetch]
	bundleURI = file://%[3]s
	writeCommitGraph = true
[maintenance]
	auto = true
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[protocol "file"]
	allow = always
[remote "origin"]
	url = ext::%[1]s
	promisor = true
	partialclonefilter = blob:none
	uploadpack = %[1]s
[remote "local"]
	url = %[4]s
	promisor = true
	uploadpack = %[1]s
[remote "helper"]
	url = whatever
	vcs = evil
	promisor = true
`

// hostileRepo is a clone that tries to run a program which leaves a marker, at every opportunity.
func hostileRepo(t *testing.T) (repo testRepo, marker string) {
	repo = newRepo(t)
	repo.commit("one", map[string]string{
		".gitattributes": "* filter=evil diff=evil merge=evil text=auto eol=crlf\n", "a.yaml": "a: 1\n", "d/b.yaml": "b: 1\n", "gone.yaml": "gone\n",
	})
	repo.git("tag", "-a", "-m", "tag", "v1.0.0")
	blob := repo.git("rev-parse", "HEAD:gone.yaml")
	if err := os.Remove(filepath.Join(repo.dir, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(repo.dir)
	marker = filepath.Join(base, "marker")
	evil := filepath.Join(base, "evil")
	script := "#!/bin/sh\necho \"$0 $*\" >> " + marker + "\nexit 0\n"
	writeFiles(t, base, map[string]string{"evil": script, "git-remote-evil": script, "host/secret": "host", "secret": "new.yaml\n"})
	for _, hook := range hostileHooks {
		writeFiles(t, base, map[string]string{"hooks/" + hook: script, "repo/.git/hooks/" + hook: script})
	}
	for _, dir := range []string{"", "hooks", "repo/.git/hooks"} {
		scripts, err := filepath.Glob(filepath.Join(base, dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range scripts {
			if err := os.Chmod(file, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	config := fmt.Sprintf(hostileConfig, evil, filepath.Join(base, "hooks"), filepath.Join(base, "secret"), filepath.Join(base, "host"))
	writeFiles(t, repo.dir, map[string]string{".git/config": config, ".git/extra": "[core]\n\tfsmonitor = " + evil + "\n"})
	return repo, marker
}

// TestNothingIsExecuted goes through the whole interface on a repository that would run a program with nearly every plain
// git command, which is checked at the end.
func TestNothingIsExecuted(t *testing.T) {
	repo, marker := hostileRepo(t)
	for _, name := range []string{"GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_COMMON_DIR"} {
		t.Setenv(name, "/nowhere")
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
	t.Setenv("GIT_CONFIG_VALUE_0", filepath.Join(filepath.Dir(repo.dir), "evil"))
	t.Setenv("GIT_EXTERNAL_DIFF", filepath.Join(filepath.Dir(repo.dir), "evil"))

	r := open(t, filepath.Join(repo.dir, "d"))
	if r.Top() != repo.dir {
		t.Errorf("top is %s: core.worktree was believed", r.Top())
	}
	for _, name := range []string{"HEAD", "main", "v1.0.0", "1.x", "nope", repo.git("rev-parse", "HEAD")[:10]} {
		if _, _, err := r.Lookup(t.Context(), name); err != nil && name != "nope" {
			t.Errorf("look up %s: %v", name, err)
		}
		if _, err := r.Resolve(t.Context(), name); err != nil && name != "nope" && name != "1.x" {
			t.Errorf("resolve %s: %v", name, err)
		}
	}
	if _, err := r.Remotes(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := r.Shallow(t.Context()); err != nil {
		t.Error(err)
	}
	walkHistory(t, r)
	tree := treeAt(t, r, "HEAD")
	wantNames(t, tree, ".gitattributes", "a.yaml", "d/", "d/b.yaml", "gone.yaml")
	wantContent(t, tree, "a.yaml", "a: 1\n")
	if _, err := tree.ReadFile("gone.yaml"); !errors.Is(err, source.ErrAbsent) {
		t.Errorf("read a blob that is behind a remote: %v", err)
	}
	repo.write(map[string]string{"new.yaml": "new: 1\n"})
	disk := workTree(t, r)
	wantNames(t, disk, ".gitattributes", "a.yaml", "d/", "d/b.yaml", "gone.yaml", "new.yaml") // secret would ignore it
	wantContent(t, disk, "a.yaml", "a: 1\n")
	if dirty, err := r.Dirty(t.Context(), head(t, r)); !dirty || err != nil {
		t.Errorf("dirty %t, %v", dirty, err)
	}
	r.Close()
	if said, err := os.ReadFile(marker); err == nil {
		t.Errorf("was executed:\n%s", said)
	}

	// The trap is armed: plain git falls into it.
	repo.git("-c", "core.worktree="+repo.dir, "status")
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("git status executed nothing: %v", err)
	}
}

// walkHistory asks everything about history that there is to ask.
func walkHistory(t *testing.T, r *source.Repository) {
	t.Helper()
	at := head(t, r)
	if list, err := r.FirstParents(t.Context(), at, 10); len(list) != 1 || err != nil {
		t.Errorf("first parents %v, %v", list, err)
	}
	if list, err := r.Range(t.Context(), at, at); len(list) != 0 || err != nil {
		t.Errorf("range %v, %v", list, err)
	}
	if base, err := r.MergeBase(t.Context(), at, at); base.Hash != at.Hash || err != nil {
		t.Errorf("merge base %v, %v", base, err)
	}
	if paths, err := r.Changed(t.Context(), source.Commit{}, at); len(paths) != 4 || err != nil {
		t.Errorf("changed %v, %v", paths, err)
	}
}

// TestNoLazyFetch has a promisor remote that would work, by a path on disk.
func TestNoLazyFetch(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a.yaml": "a: 1\n"})
	repo.git("config", "uploadpack.allowFilter", "true")
	repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
	clone := testRepo{t, filepath.Join(realTempDir(t), "clone")}
	repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+repo.dir, clone.dir)
	clone.git("config", "protocol.file.allow", "always")
	if _, err := treeAt(t, open(t, clone.dir), "HEAD").ReadFile("a.yaml"); !errors.Is(err, source.ErrAbsent) {
		t.Errorf("read: %v", err)
	}
	if got := clone.git("cat-file", "blob", "HEAD:a.yaml"); got != "a: 1" { // plain git does fetch
		t.Errorf("plain git reads %q", got)
	}
}

func TestReplacedObjectsStayAsTheyWere(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("first", map[string]string{"a.yaml": "a: 1\n"})
	second := repo.commit("second", map[string]string{"a.yaml": "a: 2\n"})
	third := repo.commit("third", map[string]string{"a.yaml": "a: 3\n"})
	repo.git("replace", third, first)
	repo.git("replace", repo.git("rev-parse", second+":a.yaml"), repo.gitStdin("a: 9\n", "hash-object", "-w", "--stdin"))
	repo.write(map[string]string{".git/info/grafts": third + " " + first + "\n"})
	r := open(t, repo.dir)
	if c := head(t, r); c.Hash != third || c.Subject != "third" || c.Parents[0] != second {
		t.Errorf("head is %+v", c)
	}
	wantContent(t, treeAt(t, r, "HEAD"), "a.yaml", "a: 3\n")
	wantContent(t, treeAt(t, r, "HEAD~1"), "a.yaml", "a: 2\n")
	if got := repo.git("show", second+":a.yaml"); got != "a: 9" { // plain git reads the replacement
		t.Errorf("plain git reads %q", got)
	}
}

// TestAlternatesAreFollowed: clones that share objects are common.
func TestAlternatesAreFollowed(t *testing.T) {
	repo := newRepo(t)
	repo.commit("one", map[string]string{"a.yaml": "a: 1\n"})
	dir := filepath.Join(realTempDir(t), "shared")
	repo.git("clone", "-q", "--shared", repo.dir, dir)
	wantContent(t, treeAt(t, open(t, dir), "HEAD"), "a.yaml", "a: 1\n")
}
