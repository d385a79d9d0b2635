// Package lookback tells which commits of the tracked branch a look back is about.
//
// In goes what a user asks for, "50" or "v1.2.0..", and the commit that is read; out come commits along first parents, the
// oldest first, the first one being what was delivered before. It refuses, in words for the user, what is no ancestor along
// first parents: a commit that came in by a merge was never what the branch delivered.
package lookback

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// Repository is what is asked. source.Repository is one.
type Repository interface {
	Resolve(ctx context.Context, rev string) (source.Commit, error)
	FirstParents(ctx context.Context, tip source.Commit, n int) ([]source.Commit, error)
	MergeBase(ctx context.Context, a, b source.Commit) (source.Commit, error)
	Shallow(ctx context.Context) (bool, error)
}

// Refusal is what is wrong with what was asked, in words for the user.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }

// Range is what was asked for: the last so many commits, or those after Since up to Tip.
type Range struct {
	Last  int
	Since string // "" exactly if Last counts
	Tip   string // "" for the revision that is read
}

// None tells whether nothing is asked for.
func (r Range) None() bool { return r.Last == 0 && r.Since == "" }

// Parse reads "50", "SINCE.." or "SINCE..TIP". An empty text is 0.
func Parse(text string) (Range, error) {
	if text == "" {
		return Range{}, nil
	}
	if since, tip, ok := strings.Cut(text, ".."); ok {
		if since == "" || strings.HasPrefix(tip, ".") {
			return Range{}, refuse("%q is no range: say SINCE.. or SINCE..TIP, such as v1.2.0..", text)
		}
		return Range{Since: since, Tip: tip}, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange) || n < 0 && err == nil:
		return Range{}, refuse("%s: say how many commits", text)
	case err != nil:
		return Range{}, refuse("%q is neither a number nor a range: say how many commits, or SINCE..", text)
	}
	return Range{Last: n}, nil
}

// Cut takes BASE..HEAD apart, where an empty HEAD is that of the repository. Errors are a [Refusal].
func Cut(text string) (base, head string, err error) {
	base, head, ok := strings.Cut(text, "..")
	if !ok || base == "" || strings.HasPrefix(head, ".") {
		return "", "", refuse("%q is no range: say BASE..HEAD, such as main..HEAD or HEAD^..HEAD", text)
	}
	if head == "" {
		head = "HEAD"
	}
	return base, head, nil
}

// block is how many commits are read at once.
const block = 512

// Commits are the commits of a range that ends at tip, the oldest first and with the one before them, if there is one. Errors
// are a [Refusal], or failures of ours.
func (r Range) Commits(ctx context.Context, repo Repository, tip source.Commit) ([]source.Commit, error) {
	if r.Since == "" {
		return r.last(ctx, repo, tip)
	}
	since, err := repo.Resolve(ctx, r.Since)
	if err != nil {
		return nil, Unknown(ctx, repo, r.Since, err)
	}
	if since.Hash == tip.Hash {
		return nil, refuse("%s.. is the commit that is read: there is nothing after it", r.Since)
	}
	list, err := walk(ctx, repo, tip, since.Hash)
	if err != nil {
		return nil, err
	}
	if list[len(list)-1].Hash == since.Hash {
		slices.Reverse(list)
		return list, nil
	}
	return nil, r.apart(ctx, repo, since, tip)
}

// walk reads first parents of tip until a commit is met or there are no more.
func walk(ctx context.Context, repo Repository, tip source.Commit, until string) ([]source.Commit, error) {
	list := []source.Commit{tip}
	for {
		at := list[len(list)-1]
		got, err := repo.FirstParents(ctx, at, block)
		if err != nil && !cutOff(err) {
			return nil, err
		}
		for _, c := range got[min(1, len(got)):] {
			if list = append(list, c); c.Hash == until {
				return list, nil
			}
		}
		if err != nil || len(got) < block {
			return list, nil
		}
	}
}

func cutOff(err error) bool {
	return errors.Is(err, source.ErrShallow) || errors.Is(err, source.ErrAbsent)
}

// apart says why a commit is not met along first parents.
func (r Range) apart(ctx context.Context, repo Repository, since, tip source.Commit) error {
	base, err := repo.MergeBase(ctx, since, tip)
	shallow, broken := repo.Shallow(ctx)
	switch {
	case broken != nil:
		return broken
	case err == nil && base.Hash == since.Hash:
		return refuse("%s came in by a merge: it is no commit along the first parents of %.7s, and was never delivered by itself; say the merge", r.Since, tip.Hash)
	case shallow:
		return refuse("%s is not within this shallow clone's history of %.7s: fetch the history (fetch-depth: 0)", r.Since, tip.Hash)
	case err == nil && base.Hash == tip.Hash:
		return refuse("%s is newer than %.7s, the commit that is read", r.Since, tip.Hash)
	case err != nil && !errors.Is(err, source.ErrUnrelated) && !cutOff(err):
		return err
	}
	return refuse("%s is no ancestor of %.7s: the branch was rewritten, or it is a commit of another one", r.Since, tip.Hash)
}

// last are the last commits, as many as there are.
func (r Range) last(ctx context.Context, repo Repository, tip source.Commit) ([]source.Commit, error) {
	commits, err := repo.FirstParents(ctx, tip, r.Last+1)
	if cutOff(err) {
		or := ""
		if len(commits) > 1 {
			or = fmt.Sprintf(", or say at most %d", len(commits)-1)
		}
		return nil, refuse("%d reaches beyond the edge of this shallow clone: fetch the history (fetch-depth: 0)%s", r.Last, or)
	}
	if err != nil {
		return nil, err
	}
	slices.Reverse(commits)
	return commits, nil
}

// back is a revision so many first parents behind another one: "HEAD~60".
var back = regexp.MustCompile(`^(.+)~[0-9]+$`)

// Unknown is what the user is told of a revision that does not resolve: a [Refusal], or the error that is given.
func Unknown(ctx context.Context, repo Repository, name string, err error) error {
	if errors.Is(err, source.ErrAmbiguous) {
		return refuse("%q is ambiguous: it is a branch and a tag", name)
	}
	if !errors.Is(err, source.ErrUnknownRevision) && !errors.Is(err, source.ErrShallow) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if shallow, err := repo.Shallow(ctx); err != nil {
		return err
	} else if shallow {
		return refuse("%s is not in this shallow clone: fetch the history (fetch-depth: 0)", name)
	}
	if parts := back.FindStringSubmatch(name); parts != nil {
		if from, err := repo.Resolve(ctx, parts[1]); err == nil {
			if list, err := walk(ctx, repo, from, ""); err == nil {
				return refuse("%q is no revision of this repository: the history of %s has only %s", name, parts[1], counted(len(list)))
			}
		}
	}
	return refuse("%q is no revision of this repository", name)
}

func counted(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return fmt.Sprintf("%d commits", n)
}
