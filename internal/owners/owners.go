// Package owners says who owns a path, and so which side of a fix belongs to whom.
//
// In go trees and commits, out come owners as a CODEOWNERS file states them, and the authors of a path's commits, persons told
// apart from programs. It is data for an explanation, never a verdict. It refuses to judge, and to name persons unasked: user
// names, names and mail addresses stay out of every text it makes unless the caller asks for them, and problems quote nothing.
package owners

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Dialect is a way to write and to read a CODEOWNERS file.
type Dialect string

// The dialects. Bitbucket's own feature (Cloud since 2024, Data Center) and the app of the same name that many used before
// it read different files, so they are two.
const (
	GitHub       Dialect = "GitHub"
	GitLab       Dialect = "GitLab"
	Bitbucket    Dialect = "Bitbucket"
	BitbucketApp Dialect = "Code Owners app for Bitbucket"
)

// Kind is what an owner is, as far as its spelling tells.
type Kind uint8

// The kinds of owners. Name is an "@name" that may be a user or a group: only GitLab knows which.
const (
	Team Kind = iota
	Role
	Name
	User
	Mail
)

// Owner is one owner of a rule.
type Owner struct {
	Kind Kind
	Text string // as written: "@org/team", "@user", "user@example.com", "@@maintainer"; without how many of a team are asked
}

// Match is the rule that decides for a path; in GitLab's dialect, the one of its section.
type Match struct {
	Pattern   string // as written
	Line      int    // from 1
	Section   string // GitLab: the section's name as first written; "" outside of sections and in other dialects
	Optional  bool   // GitLab: nobody of the section has to approve
	Approvals int    // GitLab: how many have to approve; 0 if the file does not say, which means one
	Owners    []Owner
}

// Owners is what a CODEOWNERS file says of one path. Without matches no rule is about the path; a match without owners
// says that it has none: on purpose, except in GitLab's dialect, where it is a problem as well.
type Owners struct {
	File    string // the file that says so; "" if there is none
	Matches []Match
}

// All gives the owners of all matches, each once, in the order of the file.
func (o Owners) All() []Owner {
	var all []Owner
	for _, m := range o.Matches {
		for _, owner := range m.Owners {
			if !slices.Contains(all, owner) {
				all = append(all, owner)
			}
		}
	}
	return all
}

// At is where the first of the matches stands; no file if there is none.
func (o Owners) At() object.Location {
	if len(o.Matches) == 0 {
		return object.Location{}
	}
	return object.Location{File: o.File, Line: o.Matches[0].Line}
}

// Text names the owners in one line, see [Text].
func (o Owners) Text(names bool) string { return Text(o.All(), names) }

// Text names owners in one line: "@org/team and 2 people". Persons are counted, and named only if names is set.
// It is "" if there are no owners.
func Text(list []Owner, names bool) string {
	var said []string
	counts := map[Kind]int{}
	for _, owner := range list {
		if names || owner.Kind == Team || owner.Kind == Role {
			said = append(said, owner.Text)
			continue
		}
		counts[owner.Kind]++
	}
	if n := counts[User] + counts[Mail]; n > 0 {
		said = append(said, count(n, "person", "people"))
	}
	if n := counts[Name]; n > 0 {
		said = append(said, count(n, "user or group", "users or groups"))
	}
	return enumerate(said)
}

// Side is a set of paths that belong to the same owners.
type Side struct {
	Owners []Owner // none: nobody is named for these paths
	Paths  []string
}

// Sides tells which of the given paths belong to whom: one side for each set of owners, in the order of the paths, which
// are sorted. Whoever owns a path together with others makes a side of its own.
func (r *Rules) Sides(paths []string) []Side {
	var sides []Side
	at := map[string]int{}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		all := r.Of(p).All()
		slices.SortFunc(all, func(a, b Owner) int { return strings.Compare(a.Text, b.Text) })
		key := fmt.Sprint(all)
		i, known := at[key]
		if !known {
			i = len(sides)
			at[key] = i
			sides = append(sides, Side{Owners: all})
		}
		sides[i].Paths = append(sides[i].Paths, p)
	}
	return sides
}

// Problem is something of a file that could not be taken as it stands. The rest of the file still is. Message is one line
// and quotes nothing.
type Problem struct {
	At      object.Location
	Message string
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// enumerate writes "a", "a and b", "a, b and c".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
