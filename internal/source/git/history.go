package git

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Errors about history.
var (
	ErrShallow   = errors.New("the clone is shallow: its history is cut off")
	ErrUnrelated = errors.New("have no commit in common")
)

// FirstParents walks from tip along first parents and gives at most n commits, the newest first, tip among them. It ends
// at a commit without parents. Where it ends too early the commits so far come with the error: [ErrShallow] at the edge of
// a shallow clone, [ErrAbsent] if the clone lacks a commit for another reason.
func (r *Repository) FirstParents(ctx context.Context, tip Commit, n int) ([]Commit, error) {
	if !isHash(tip.Hash) {
		return nil, fmt.Errorf("%w %q", ErrUnknownRevision, tip.Hash)
	}
	var list []Commit
	for next := tip.Hash; len(list) < n; {
		c, err := r.commit(ctx, next)
		if errors.Is(err, ErrAbsent) && len(list) > 0 {
			return list, r.cutOff(ctx, err)
		}
		if err != nil {
			return list, err
		}
		list = append(list, c)
		if len(c.Parents) == 0 {
			break
		}
		next = c.Parents[0]
	}
	return list, nil
}

// cutOff says why a commit that another one names is not there. The error given is what to say in a clone that is whole.
func (r *Repository) cutOff(ctx context.Context, absent error) error {
	shallow, err := r.Shallow(ctx)
	switch {
	case err != nil:
		return err
	case shallow:
		return ErrShallow
	}
	return absent
}

// Range gives the first-parent commits of head that cannot be reached from base, the newest first. If the clone is shallow
// and it cannot be told where they begin, the commits so far come with [ErrShallow].
func (r *Repository) Range(ctx context.Context, base, head Commit) ([]Commit, error) {
	if err := known(base, head); err != nil {
		return nil, err
	}
	answer, err := r.runner.run(ctx, "rev-list", "--first-parent", head.Hash, "^"+base.Hash)
	if err != nil {
		return nil, fmt.Errorf("list commits from %s to %s: %w", base.Hash, head.Hash, err)
	}
	var list []Commit
	for hash := range strings.FieldsSeq(string(answer)) {
		c, err := r.commit(ctx, hash)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, nil
	}
	shallow, err := r.Shallow(ctx)
	if err != nil || !shallow {
		return list, err
	}
	// What was cut off is not followed. So the list is whole only if it ends where base is met.
	oldest := list[len(list)-1]
	if len(oldest.Parents) > 0 {
		met, err := r.isAncestor(ctx, oldest.Parents[0], base.Hash)
		if err != nil || met {
			return list, err
		}
	}
	return list, ErrShallow
}

// isAncestor tells whether the commit is in this clone and can be reached from another one, which is.
func (r *Repository) isAncestor(ctx context.Context, commit, of string) (bool, error) {
	if _, err := r.batch.info(ctx, commit); err != nil {
		if errors.Is(err, ErrAbsent) {
			return false, nil
		}
		return false, err
	}
	_, err := r.runner.run(ctx, "merge-base", "--is-ancestor", commit, of)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// MergeBase gives the best common ancestor of two commits; of several equally good ones, the first that git names. Without
// any the error is [ErrUnrelated], or [ErrShallow] if the clone is shallow, since then it may have been cut off.
func (r *Repository) MergeBase(ctx context.Context, a, b Commit) (Commit, error) {
	if err := known(a, b); err != nil {
		return Commit{}, err
	}
	answer, err := r.runner.run(ctx, "merge-base", a.Hash, b.Hash)
	switch {
	case exitCode(err) == 1:
		return Commit{}, fmt.Errorf("%s and %s: %w", a.Hash, b.Hash, r.cutOff(ctx, ErrUnrelated))
	case err != nil:
		return Commit{}, fmt.Errorf("merge base of %s and %s: %w", a.Hash, b.Hash, err)
	}
	return r.commit(ctx, strings.TrimSpace(string(answer)))
}

// known refuses what is no full object id, before it becomes a word of a command.
func known(commits ...Commit) error {
	for _, c := range commits {
		if !isHash(c.Hash) {
			return fmt.Errorf("%w %q", ErrUnknownRevision, c.Hash)
		}
	}
	return nil
}

// ancestry is a revision with the steps to its ancestors behind it: "v1.2.0~3^2".
var (
	ancestry     = regexp.MustCompile(`^([^~^]+)((?:[~^][0-9]*)+)$`)
	ancestorStep = regexp.MustCompile(`([~^])([0-9]*)`)
)

// beyond walks the steps of a revision that git could not resolve, in a shallow clone. Git does not go beyond the edge of
// the clone; that may be all that is wrong ([ErrShallow]). Other revisions give the error that is given.
func (r *Repository) beyond(ctx context.Context, rev string, unknown error) (Commit, error) {
	parts := ancestry.FindStringSubmatch(rev)
	if parts == nil {
		return Commit{}, unknown
	}
	shallow, err := r.Shallow(ctx)
	if err != nil {
		return Commit{}, err
	}
	if !shallow {
		return Commit{}, unknown
	}
	at, err := r.Resolve(ctx, parts[1])
	for _, step := range ancestorStep.FindAllStringSubmatch(parts[2], -1) {
		if err != nil {
			break
		}
		count := 1
		if step[2] != "" {
			if count, err = strconv.Atoi(step[2]); err != nil {
				return Commit{}, unknown
			}
		}
		at, err = r.step(ctx, at, step[1] == "~", count, unknown)
	}
	return at, err
}

// step goes count first parents back, or to the parent with the number count.
func (r *Repository) step(ctx context.Context, at Commit, back bool, count int, unknown error) (Commit, error) {
	if !back {
		if count == 0 {
			return at, nil
		}
		if count > len(at.Parents) {
			return Commit{}, unknown
		}
		c, err := r.commit(ctx, at.Parents[count-1])
		if errors.Is(err, ErrAbsent) {
			return Commit{}, fmt.Errorf("%w: %w", unknown, ErrShallow)
		}
		return c, err
	}
	for ; count > 0; count-- {
		var err error
		if at, err = r.step(ctx, at, false, 1, unknown); err != nil {
			return Commit{}, err
		}
	}
	return at, nil
}
