package owners_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
)

func TestRobots(t *testing.T) {
	for _, c := range []struct{ name, mail, want string }{
		{"renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com", "Renovate"},
		{"acme-renovate[bot]", "1+acme-renovate[bot]@users.noreply.github.com", "Renovate"},
		{"dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", "Dependabot"},
		{"github-actions[bot]", "github-actions[bot]@users.noreply.github.com", "GitHub Actions"},
		{"GitHub Action", "action@github.com", "GitHub Actions"},
		{"argocd-image-updater", "noreply@argoproj.io", "Argo CD Image Updater"},
		{"Argo CD Image Updater", "x@example.com", "Argo CD Image Updater"},
		{"fluxcdbot", "fluxcdbot@users.noreply.github.com", "Flux"},
		{"flux", "flux@example.com", "Flux"},
		{"build-team[bot]", "1+build-team[bot]@users.noreply.github.com", "a bot"},
		{"deploy", "project_7_bot_1f2e@noreply.gitlab.com", "a bot"},
		{"gitlab-ci-token", "", "GitLab CI"},
		{"bitbucket-pipelines", "commits-noreply@bitbucket.org", "Bitbucket Pipelines"},
		{"semantic-release-bot", "semantic-release-bot@martynus.net", "a release tool"},
		{"CI", "ci@example.com", "CI"},
		{"acme-ci", "acme-ci@example.com", "CI"},
		{"Acme Deploy", "acme-ci@example.com", "CI"},
		{"Jenkins", "nobody@nowhere", "Jenkins"},
		{"Jenkins CI Server", "a@example.com", "Jenkins"},
		{"Renovate Bot", "renovate@whitesourcesoftware.com", "Renovate"},
		{"Team Bot", "x@example.com", "a bot"},
		{"deploy-bot", "x@example.com", "a bot"},

		{"Jane Doe", "jane@example.com", ""},
		{"Jane Jenkins", "jane.jenkins@example.com", ""},
		{"Travis Kelly", "travis@example.com", ""},
		{"Ci Xin", "ci.xin@example.com", ""},
		{"Abbot", "abbot@example.com", ""},
		{"Operator Jones", "12+ci-operator@users.noreply.github.com", ""},
		{"", "", ""},
	} {
		a := owners.Tally([]source.Commit{{Author: c.name, AuthorMail: c.mail}}, owners.Mailmap{}, false)
		got := ""
		if len(a.Robots) == 1 {
			got = a.Robots[0].Robot
		}
		if got != c.want {
			t.Errorf("%s <%s>: got %q, want %q", c.name, c.mail, got, c.want)
		}
	}
}

func TestTally(t *testing.T) {
	at := func(day int, name, mail string) source.Commit {
		return source.Commit{Author: name, AuthorMail: mail, When: time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC)}
	}
	commits := []source.Commit{
		at(9, "Jane Doe", "jane@example.com"),
		at(8, "jane  doe", "1+jane@users.noreply.github.com"),
		at(7, "jd", "JANE@example.com"),
		at(6, "root", "root@host-a"),
		at(5, "root", "root@host-b"),
		at(4, "CI", "ci@example.com"),
		at(3, "CI", "ci@other.example.com"),
		at(2, "CI", "ci@other.example.com"),
		at(1, "Old Name", "old@example.com"),
	}
	a := owners.Tally(commits, owners.LoadMailmap(tree(".mailmap", "# people\nJane Doe <jane@example.com> <old@example.com>\nCI <ci@other.example.com>\nbad line\n")), false)
	if got, want := a.Text(), "3 people (4 commits, 1 commit, 1 commit) and CI (3 commits)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !a.People[0].Last.Equal(commits[0].When) || a.Commits != 9 {
		t.Errorf("got %+v", a)
	}
	if all := fmt.Sprint(a); strings.Contains(all, "@") || strings.Contains(all, "Jane") || strings.Contains(all, "root") {
		t.Errorf("unasked: %s", all)
	}
	named := owners.Tally(commits, owners.Mailmap{}, true)
	if got, want := named.Text(), "4 people (Jane Doe: 3 commits, root: 1 commit, root: 1 commit, the others 1) and CI (3 commits)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if p := named.People[0].Person; p.Mail != "jane@example.com" {
		t.Errorf("got %+v", p)
	}
	if got := owners.Tally(nil, owners.Mailmap{}, false).Text(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestMailmap(t *testing.T) {
	m := owners.LoadMailmap(tree(".mailmap", `Proper Name <a@example.com>
<new@example.com> <old@example.com>
Both New <both@example.com> <BOTH-old@example.com>
Four New <four@example.com> Four Old <shared@example.com>
`))
	for _, c := range []struct{ name, mail, want string }{
		{"x", "A@example.com", "Proper Name A@example.com"},
		{"x y", "old@example.com", "x y new@example.com"},
		{"x", "both-OLD@example.com", "Both New both@example.com"},
		{"four old", "shared@example.com", "Four New four@example.com"},
		{"Five Old", "shared@example.com", "Five Old shared@example.com"},
	} {
		p := owners.Tally([]source.Commit{{Author: c.name, AuthorMail: c.mail}}, m, true).People[0].Person
		if got := p.Name + " " + p.Mail; got != c.want {
			t.Errorf("%s <%s>: got %q", c.name, c.mail, got)
		}
	}
}

// written makes a repository: api.yaml is written by two people and a bot, the latter through a merge; notes by others.
func written(t *testing.T) *source.Repository {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	day := 0
	commit := func(who, branch, file string, merge ...string) string {
		day += 10
		c := source.Change{
			Branch: branch, Merge: merge, Author: source.Person{Name: who, Mail: strings.ReplaceAll(who, " ", "-") + "@example.com"},
			When: time.Date(2023, 1, 1+day, 0, 0, 0, 0, time.UTC), Message: who, Files: map[string][]byte{file: []byte(fmt.Sprint(day))},
		}
		if branch == "side" && len(merge) == 0 {
			c.From = "main"
		}
		id, err := w.Commit(c)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	commit("old hand", "main", "deploy/api.yaml")
	commit("old hand", "main", "notes.md")
	day = 400
	commit("jane doe", "main", "deploy/api.yaml")
	commit("joe public", "main", "notes.md")
	side := commit("acme-ci", "side", "deploy/api.yaml")
	commit("merge master", "main", "notes.md", side) // the tree of main keeps its own api.yaml: nothing of side arrives
	day += 10
	id, err := w.Commit(source.Change{
		Branch: "main", Merge: []string{side}, Author: source.Person{Name: "merge master", Mail: "m@example.com"},
		When: time.Date(2023, 1, 1+day, 0, 0, 0, 0, time.UTC), Message: "merge", Files: map[string][]byte{"deploy/api.yaml": []byte("merged")},
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = id
	commit("joe public", "main", "deploy/other.yaml")
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestTouching(t *testing.T) {
	r := written(t)
	tip, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths, want, cut string
		most             int
	}{
		{"deploy/api.yaml", "merge master, jane doe", "", 100},
		{"deploy", "joe public, merge master, jane doe", "", 100},
		{"deploy/", "joe public, merge master", "only the 2 newest commits were looked at", 2},
		{"deploy/api", "", "", 100},
		{"notes.md", "merge master, joe public", "", 100},
	} {
		got, cut, err := owners.Touching(t.Context(), r, owners.LastYear(tip, strings.Fields(c.paths), c.most))
		if err != nil {
			t.Fatal(err)
		}
		var who []string
		for _, c := range got {
			who = append(who, c.Author)
		}
		if strings.Join(who, ", ") != c.want || cut != c.cut {
			t.Errorf("%s: got %q (%s)", c.paths, who, cut)
		}
	}
}

// history is a log in memory: commits by hash, what each changes, and what a merge brought.
type history struct {
	line    []source.Commit // first parents, the newest first
	changed map[string][]string
	brought map[string][]source.Commit
	fail    error
}

func (h history) FirstParents(_ context.Context, tip source.Commit, n int) ([]source.Commit, error) {
	for i, c := range h.line {
		if c.Hash != tip.Hash {
			continue
		}
		if i+n > len(h.line) {
			return h.line[i:], h.fail
		}
		return h.line[i : i+n], nil
	}
	return nil, source.ErrUnknownRevision
}

func (h history) Range(_ context.Context, _, head source.Commit) ([]source.Commit, error) {
	return h.brought[head.Hash], nil
}

func (h history) Changed(_ context.Context, _, after source.Commit) ([]string, error) {
	return h.changed[after.Hash], nil
}

func TestMergesCountForWhatTheyBrought(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }
	h := history{
		line: []source.Commit{
			{Hash: "m", Author: "merger", When: day(5), Parents: []string{"a", "s2"}},
			{Hash: "a", Author: "first", When: day(1)},
		},
		changed: map[string][]string{"m": {"x"}, "a": {"x"}, "s1": {"x"}, "s2": {"y"}},
		brought: map[string][]source.Commit{"s2": {
			{Hash: "s2", Author: "nobody", When: day(4), Parents: []string{"s1"}},
			{Hash: "mm", Author: "nobody", When: day(4), Parents: []string{"s1", "q"}},
			{Hash: "s1", Author: "maker", When: day(3), Parents: []string{"a"}},
		}},
	}
	got, cut, err := owners.Touching(t.Context(), h, owners.LastYear(h.line[0], []string{"x"}, 10))
	if err != nil || cut != "" || len(got) != 2 || got[0].Author != "maker" || got[1].Author != "first" {
		t.Errorf("got %+v %q %v", got, cut, err)
	}
}

func TestTouchingALongAndCutHistory(t *testing.T) {
	h := history{changed: map[string][]string{}, fail: source.ErrShallow}
	for i := range 600 {
		hash := fmt.Sprint(i)
		h.line = append(h.line, source.Commit{Hash: hash, Author: "a", When: time.Unix(1e9, 0), Parents: []string{fmt.Sprint(i + 1)}})
		h.changed[hash] = []string{"x"}
	}
	for _, c := range []struct {
		most, want int
		cut        string
	}{
		{1000, 599, "only what this shallow clone has was looked at"}, // the last one has no parent to compare with
		{599, 599, "only the 599 newest commits were looked at"},
		{256, 256, "only the 256 newest commits were looked at"},
		{257, 257, "only the 257 newest commits were looked at"},
		{1, 1, "only the 1 newest commits were looked at"},
	} {
		got, cut, err := owners.Touching(t.Context(), h, owners.LastYear(h.line[0], []string{"."}, c.most))
		if err != nil || len(got) != c.want || cut != c.cut {
			t.Errorf("%d: got %d %q %v", c.most, len(got), cut, err)
		}
	}
	if _, _, err := owners.Touching(t.Context(), h, owners.Window{Tip: source.Commit{Hash: "none"}, Most: 5}); err == nil {
		t.Error("no error for a commit that is not there")
	}
}
