package owners

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/source"
)

// Author is one person, or one program, and how many commits are theirs.
type Author struct {
	// Robot is what a program seems to be: "Renovate", "CI", "a bot"; "" for a person. It is a guess by name and address.
	Robot   string
	Commits int
	Last    time.Time // the newest of the commits
	// Person is who it is, after the mailmap; empty unless names were asked for.
	Person source.Person
}

// Authors are the authors of some commits: who has most comes first.
type Authors struct {
	People, Robots []Author
	Commits        int
}

// Tally counts commits by author. One author is what shares an address, or a name of at least two words, also by way of
// others; a mailmap says more. Names and addresses are left out unless names is set.
func Tally(commits []source.Commit, same Mailmap, names bool) Authors {
	people := make([]source.Person, len(commits))
	joined := union{}
	for i, c := range commits {
		people[i] = same.proper(source.Person{Name: c.Author, Mail: c.AuthorMail})
		keys := identities(people[i])
		for _, k := range keys[1:] {
			joined.join(keys[0], k)
		}
	}
	var all []*Author
	by := map[string]*Author{}
	for i, c := range commits {
		key := joined.of(identities(people[i])[0])
		if by[key] == nil {
			// The newest commit says how they are called.
			by[key] = &Author{Robot: robotOf(people[i]), Person: people[i]}
			all = append(all, by[key])
		}
		by[key].Commits++
		if c.When.After(by[key].Last) {
			by[key].Last = c.When
		}
	}
	slices.SortStableFunc(all, func(a, b *Author) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), b.Last.Compare(a.Last), strings.Compare(a.Person.Mail, b.Person.Mail))
	})
	out := Authors{Commits: len(commits)}
	for _, a := range all {
		if !names {
			a.Person = source.Person{}
		}
		if a.Robot == "" {
			out.People = append(out.People, *a)
		} else {
			out.Robots = append(out.Robots, *a)
		}
	}
	return out
}

// union tells which keys belong together: each leads to another one of its group, the last of them to none.
type union map[string]string

func (u union) of(key string) string {
	for u[key] != "" {
		key = u[key]
	}
	return key
}

func (u union) join(a, b string) {
	if a, b = u.of(a), u.of(b); a != b {
		u[b] = a
	}
}

// identities are what tells an author, at least one: the address, and the name if it is a full one.
func identities(p source.Person) []string {
	mail, name := strings.ToLower(strings.TrimSpace(p.Mail)), strings.Join(strings.Fields(strings.ToLower(p.Name)), " ")
	var keys []string
	if mail != "" {
		keys = append(keys, "mail "+mail)
	}
	if strings.Contains(name, " ") || mail == "" {
		keys = append(keys, "name "+name)
	}
	return keys
}

// Text says in one line who they are: "2 people (12 commits, 3 commits) and CI (40 commits)". Persons are counted, and
// named only if names were asked for when counting. It is "" if there are no commits.
func (a Authors) Text() string {
	var said []string
	if n := len(a.People); n > 0 {
		said = append(said, fmt.Sprintf("%s (%s)", count(n, "person", "people"), shares(a.People)))
	}
	roles := map[string]int{}
	var order []string
	for _, r := range a.Robots {
		if roles[r.Robot] == 0 {
			order = append(order, r.Robot)
		}
		roles[r.Robot] += r.Commits
	}
	for _, r := range order {
		said = append(said, fmt.Sprintf("%s (%s)", r, count(roles[r], "commit", "commits")))
	}
	return enumerate(said)
}

// shares says how many commits the first few have.
func shares(people []Author) string {
	const most = 3
	var parts []string
	rest := 0
	for i, p := range people {
		part := count(p.Commits, "commit", "commits")
		if p.Person.Name != "" {
			part = p.Person.Name + ": " + part
		}
		if i < most {
			parts = append(parts, part)
		} else {
			rest += p.Commits
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("the others %d", rest))
	}
	return strings.Join(parts, ", ")
}

// Log is a repository's history. [source.Repository] has one.
type Log interface {
	FirstParents(ctx context.Context, tip source.Commit, n int) ([]source.Commit, error)
	Range(ctx context.Context, base, head source.Commit) ([]source.Commit, error)
	Changed(ctx context.Context, before, after source.Commit) ([]string, error)
}

// Window says which commits are looked at.
type Window struct {
	Tip   source.Commit
	Paths []string  // files, or directories with all that is below
	From  time.Time // by the committer's date; older commits do not count
	Most  int       // how many first-parent commits are looked at
}

// LastYear is the window of the year that ends with a commit.
func LastYear(tip source.Commit, paths []string, most int) Window {
	return Window{Tip: tip, Paths: paths, From: tip.When.AddDate(-1, 0, 0), Most: most}
}

// slack is how far the dates of first-parent commits may run backwards.
const slack = 7 * 24 * time.Hour

// block is how many commits are read at once.
const block = 256

// Touching gives the commits of a window that change one of its paths, the newest first. What a merge brought counts for
// those who made it, and not for who merged, unless its commits cannot be told. cut says in words why the window could
// not be looked at as a whole; "" if it was.
func Touching(ctx context.Context, history Log, w Window) (touching []source.Commit, cut string, err error) {
	paths := slices.Clone(w.Paths)
	for i, p := range paths {
		paths[i] = strings.Trim(p, "/")
	}
	w.Paths = paths
	at := w.Tip
	for seen := 0; ; {
		list, err := history.FirstParents(ctx, at, min(block, w.Most-seen)+1)
		cut, other := cutOff(err)
		if other != nil || len(list) == 0 {
			return nil, "", fmt.Errorf("look for authors from %s: %w", at.Hash, err)
		}
		last := cut == "" && len(list[len(list)-1].Parents) == 0
		for i, c := range list {
			switch {
			case c.When.Before(w.From.Add(-slack)):
				return touching, "", nil
			case seen == w.Most:
				return touching, fmt.Sprintf("only the %d newest commits were looked at", w.Most), nil
			case i == len(list)-1 && !last && cut == "":
				at = c // the next block begins with it
				continue
			}
			seen++
			found, err := w.made(ctx, history, c, i == len(list)-1 && cut != "")
			if err != nil {
				return nil, "", err
			}
			touching = append(touching, found...)
		}
		if last || cut != "" {
			return touching, cut, nil
		}
	}
}

// made gives the commits behind a first-parent commit that touch the paths: itself, or those that it merged. At the edge
// of a shallow clone the parent is missing, and so it cannot be told.
func (w Window) made(ctx context.Context, history Log, c source.Commit, edge bool) ([]source.Commit, error) {
	if edge {
		return nil, nil
	}
	touches, err := w.touches(ctx, history, c)
	if err != nil || !touches {
		return nil, err
	}
	var merged []source.Commit
	for _, p := range c.Parents[min(1, len(c.Parents)):] {
		brought, err := history.Range(ctx, source.Commit{Hash: c.Parents[0]}, source.Commit{Hash: p})
		if _, err = cutOff(err); err != nil {
			return nil, fmt.Errorf("commits merged by %s: %w", c.Hash, err)
		}
		for _, b := range brought {
			if len(b.Parents) > 1 {
				continue // it brought in what was merged before
			}
			touches, err := w.touches(ctx, history, b)
			if err != nil {
				return nil, err
			}
			if touches && !b.When.Before(w.From) {
				merged = append(merged, b)
			}
		}
	}
	if len(merged) == 0 && !c.When.Before(w.From) {
		merged = append(merged, c)
	}
	return merged, nil
}

func (w Window) touches(ctx context.Context, history Log, c source.Commit) (bool, error) {
	var parent source.Commit
	if len(c.Parents) > 0 {
		parent.Hash = c.Parents[0]
	}
	changed, err := history.Changed(ctx, parent, c)
	if cut, err := cutOff(err); cut != "" || err != nil {
		return false, err
	}
	return slices.ContainsFunc(changed, w.holds), nil
}

func (w Window) holds(name string) bool {
	return slices.ContainsFunc(w.Paths, func(p string) bool {
		return p == "" || p == "." || name == p || strings.HasPrefix(name, p+"/")
	})
}

// cutOff says in words what a clone lacks. Errors of another kind it hands on.
func cutOff(err error) (string, error) {
	switch {
	case errors.Is(err, source.ErrShallow):
		return "only what this shallow clone has was looked at", nil
	case errors.Is(err, source.ErrAbsent), errors.Is(err, source.ErrUnknownRevision):
		return "only what this clone has was looked at", nil
	}
	return "", err
}
