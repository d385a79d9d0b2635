package owners

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// Brought says how commits of persons came into the branch, where it was not by their author's own hand.
type Brought struct {
	// Pages counts, by forge, what was merged, squashed or edited on its pages: the forge commits then.
	Pages map[string]int
	// Robots counts what a program committed, by what it seems to be; Others what another person did.
	Robots map[string]int
	Others int
}

// forges are what commits for people who press a button. The addresses are fixed: GitHub's web-flow, GitLab's default for
// commits that it signs itself.
var forges = []struct{ mail, forge string }{
	{"noreply@github.com", "GitHub"},
	{"noreply@gitlab.com", "GitLab"},
}

// BroughtBy counts the commits whose author is a person and whose committer is somebody else.
func BroughtBy(commits []source.Commit, same Mailmap) Brought {
	b := Brought{Pages: map[string]int{}, Robots: map[string]int{}}
	for _, c := range commits {
		author := same.proper(source.Person{Name: c.Author, Mail: c.AuthorMail})
		by := same.proper(source.Person{Name: c.Committer, Mail: c.CommitterMail})
		if by == (source.Person{}) || robotOf(author) != "" || samePerson(author, by) {
			continue
		}
		forge, role := forgeOfCommitter(by), robotOf(by)
		switch {
		case forge != "":
			b.Pages[forge]++
		case role != "":
			b.Robots[role]++
		default:
			b.Others++
		}
	}
	return b
}

func forgeOfCommitter(p source.Person) string {
	for _, f := range forges {
		if strings.EqualFold(strings.TrimSpace(p.Mail), f.mail) {
			return f.forge
		}
	}
	return ""
}

// samePerson tells whether two share an address, or a full name.
func samePerson(a, b source.Person) bool {
	for _, k := range identities(a) {
		for _, l := range identities(b) {
			if k == l {
				return true
			}
		}
	}
	return false
}

// Text says in one line how they came in: "12 of them merged on GitHub's pages, 3 committed by CI"; "" if all were
// committed by who wrote them.
func (b Brought) Text() string {
	var said []string
	for _, f := range forges {
		if n := b.Pages[f.forge]; n > 0 {
			said = append(said, fmt.Sprintf("%d of them merged on %s's pages", n, f.forge))
		}
	}
	for _, role := range sorted(b.Robots) {
		said = append(said, fmt.Sprintf("%d committed by %s", b.Robots[role], role))
	}
	if b.Others > 0 {
		said = append(said, fmt.Sprintf("%d committed by somebody else than wrote them", b.Others))
	}
	return strings.Join(said, ", ")
}
