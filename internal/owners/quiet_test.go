package owners_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
)

func TestQuiet(t *testing.T) {
	ada, bot := source.Person{Name: "Ada Lovelace", Mail: "ada@example.com"}, source.Person{Name: "renovate[bot]", Mail: "r@example.com"}
	for _, c := range []struct{ text, want string }{
		{"release api v1.9.0\n\nSource: shop/api 5a5a5a5", "release api v1.9.0\n\nSource: shop/api 5a5a5a5"},
		{"one\n\nbody\n\nSigned-off-by: Ada Lovelace <ada@example.com>\nCo-authored-by: Grace Hopper <g@example.com>", "one\n\nbody"},
		{"one\n\nGrace Hopper found it.\n\nco-authored-BY : Grace Hopper <g@example.com>", "one\n\nsomebody found it."},
		{"one\n\nReviewed-by: grace\nCc: dev@example.com", "one"},
		{"ask ada@example.com (or <x.y+z@mail.example.co.uk>)", "ask somebody (or <somebody>)"},
		{"see git@github.com:acme/api and https://example.com/@x", "see git@github.com:acme/api and https://example.com/@x"},
		{"Merge pull request #12 from ada/fix-it", "Merge pull request #12 from fix-it"},
		{"thanks @ada, (@grace-h) and @shop/api-team; actions/checkout@v4 stays", "thanks somebody, (somebody) and @shop/api-team; actions/checkout@v4 stays"},
		{"Ada Lovelace's idea, not Ada Lovelaces", "somebody's idea, not Ada Lovelaces"},
		{"renovate[bot]: update", "renovate[bot]: update"},
		{"Signed-off-by: is what this adds", "Signed-off-by: is what this adds"},
		{"", ""},
	} {
		if got := owners.Quiet(c.text, ada, bot); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"ada", "ada: fix it, and adapt", "somebody: fix it, and adapt"},
		{"api-team", "api-team has it", "api-team has it"},
		{"release", "release api", "release api"},
		{"A", "A fix", "A fix"},
		{"Élodie", "by Élodie.", "by somebody."},
	} {
		if got := owners.Quiet(c.text, source.Person{Name: c.name, Mail: "m@example.com"}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBroughtBy(t *testing.T) {
	commit := func(author, mail, by, byMail string) source.Commit {
		return source.Commit{Author: author, AuthorMail: mail, Committer: by, CommitterMail: byMail}
	}
	commits := []source.Commit{
		commit("Ada Lovelace", "ada@example.com", "Ada Lovelace", "ada@example.com"),
		commit("Ada Lovelace", "ada@example.com", "Ada Lovelace", "ada@home.example"),
		commit("Ada Lovelace", "ada@example.com", "GitHub", "noreply@github.com"),
		commit("Grace Hopper", "grace@example.com", "GitHub", "noreply@github.com"),
		commit("Grace Hopper", "grace@example.com", "GitLab", "NoReply@GitLab.com"),
		commit("Grace Hopper", "grace@example.com", "acme-ci", "ci@example.com"),
		commit("Grace Hopper", "grace@example.com", "Ada Lovelace", "ada@example.com"),
		commit("renovate[bot]", "r@example.com", "GitHub", "noreply@github.com"),
		commit("Ada Lovelace", "ada@example.com", "", ""),
	}
	const want = "2 of them merged on GitHub's pages, 1 of them merged on GitLab's pages, 1 committed by CI, 1 committed by somebody else than wrote them"
	if got := owners.BroughtBy(commits, owners.Mailmap{}).Text(); got != want {
		t.Errorf("got %q", got)
	}
	if got := owners.BroughtBy(commits[:2], owners.Mailmap{}).Text(); got != "" {
		t.Errorf("got %q", got)
	}
}
