package source_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
)

func TestLookup(t *testing.T) {
	remote := newRepo(t)
	commits := map[string]string{}
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		commits[name] = remote.commit(name, nil)
	}
	branch := func(repo testRepo, name, at string) { repo.git("branch", "-f", name, commits[at]) }
	branch(remote, "release", "one")
	branch(remote, "team/blue", "two")
	branch(remote, "both", "one")
	branch(remote, "1.x", "one") // a version constraint goes first
	branch(remote, "9.x", "five")
	branch(remote, "1.3", "two") // a plain version is none
	branch(remote, "deadbeef", "three")
	remote.git("tag", "both", commits["two"])
	remote.git("tag", "v1.2.0", commits["two"])
	remote.git("tag", "-a", "-m", "annotated", "v1.4.1", commits["three"])
	remote.git("tag", "v1.5.0-rc.1", commits["four"])
	remote.git("tag", "-a", "-m", "outer", "nested", "v1.4.1")
	remote.git("tag", "a-file", remote.gitStdin("x", "hash-object", "-w", "--stdin"))
	remote.git("tag", "v3.0.0", commits["one"])
	remote.git("tag", "3.0.0", commits["two"])

	clone := testRepo{t, filepath.Join(realTempDir(t), "clone")}
	remote.git("clone", "-q", remote.dir, clone.dir)
	clone.git("remote", "add", "a/fork", "https://example.com/fork.git")
	clone.git("update-ref", "refs/remotes/a/fork/hot", commits["three"])
	clone.git("update-ref", "refs/remotes/a/fork/release", commits["three"])
	clone.git("update-ref", "refs/pull/7/head", commits["three"])
	branch(clone, "team/blue", "four") // goes before origin's

	r := open(t, clone.dir)
	tests := []struct {
		name string
		kind source.RefKind
		at   string
	}{
		{"", source.Branch, "five"},
		{"HEAD", source.Branch, "five"},
		{"main", source.Branch, "five"},
		{"release", source.Branch, "one"},
		{"refs/heads/release", source.Branch, "one"},
		{"team/blue", source.Branch, "four"},
		{"hot", source.Branch, "three"},
		{"1.3", source.Branch, "two"},
		{"9.x", source.Branch, "five"},
		{"deadbeef", source.Branch, "three"},
		{"refs/heads/both", source.Branch, "one"},
		{"refs/tags/both", source.Tag, "two"},
		{"v1.2.0", source.Tag, "two"},
		{"v1.4.1", source.Tag, "three"},
		{"refs/tags/v1.4.1", source.Tag, "three"},
		{"nested", source.Tag, "three"},
		{"1.x", source.Tag, "three"},
		{"~1.2", source.Tag, "two"},
		{">=1.2.0-0 <2", source.Tag, "four"},
		{commits["two"], source.Hash, "two"},
		{strings.ToUpper(commits["two"]), source.Hash, "two"},
		{commits["two"][:7], source.Hash, "two"},
		{strings.ToUpper(commits["two"][:12]), source.Hash, "two"},
	}
	for _, test := range tests {
		kind, c, err := r.Lookup(t.Context(), test.name)
		if err != nil || kind != test.kind || c.Hash != commits[test.at] {
			t.Errorf("%q is %s %s %q (%v), want %s at %q", test.name, kind, c.Hash, c.Subject, err, test.kind, test.at)
		}
	}
	unknown := []string{
		"nope", "origin/release", "heads/release", "refs/remotes/origin/release", "pull/7/head", "refs/pull/7/head", "a-file",
		commits["two"][:6], "0000000", strings.Repeat("0", 40), "HEAD~1", "main^{commit}", "-h", "--all", "release\n", "2.x",
	}
	for _, name := range unknown {
		kind, c, err := r.Lookup(t.Context(), name)
		if !errors.Is(err, source.ErrUnknownRevision) || errors.Is(err, source.ErrAmbiguous) {
			t.Errorf("%q is %s %q, %v", name, kind, c.Subject, err)
		}
	}
	for _, name := range []string{"both", "3.x"} {
		kind, c, err := r.Lookup(t.Context(), name)
		if !errors.Is(err, source.ErrUnknownRevision) || !errors.Is(err, source.ErrAmbiguous) {
			t.Errorf("%q is %s %q, %v", name, kind, c.Subject, err)
		}
	}
}

func TestRemotes(t *testing.T) {
	repo := newRepo(t)
	if urls, err := open(t, repo.dir).Remotes(t.Context()); len(urls) != 0 || err != nil {
		t.Errorf("without remotes: %q, %v", urls, err)
	}
	repo.git("remote", "add", "origin", "git@github.com:Acme/GitOps.git")
	repo.git("remote", "add", "https", "https://x:secret@github.com/acme/gitops")
	repo.git("remote", "add", "back.up", "/srv/git/GitOps.git")
	repo.git("config", "remote.pushdefault", "origin")
	urls, err := open(t, repo.dir).Remotes(t.Context())
	if err != nil || strings.Join(urls, " ") != "file:/srv/git/GitOps github.com/acme/gitops" {
		t.Errorf("remotes %q, %v", urls, err)
	}
}
