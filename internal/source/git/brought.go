package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Brought gives the commits that head brings on top of base, merges left out and children before parents, else the newest
// first: at most so many of them, and how many there are. In a shallow clone what base has cannot be told from what head
// brings: the error is [ErrShallow].
func (r *Repository) Brought(ctx context.Context, base, head Commit, most int) ([]Commit, int, error) {
	if err := known(base, head); err != nil {
		return nil, 0, err
	}
	shallow, err := r.Shallow(ctx)
	if err != nil {
		return nil, 0, err
	}
	if shallow {
		return nil, 0, ErrShallow
	}
	answer, err := r.runner.run(ctx, "rev-list", "--no-merges", "--date-order", head.Hash, "^"+base.Hash)
	if exitCode(err) > 0 {
		// A commit on the way is not there: git says no more than that it fails.
		if _, missing := r.batch.info(ctx, base.Hash); errors.Is(missing, ErrAbsent) || strings.Contains(err.Error(), "Could not read") {
			err = fmt.Errorf("%w: %w", ErrAbsent, err)
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("list what %s brings: %w", head.Hash, err)
	}
	all := strings.Fields(string(answer))
	var list []Commit
	for _, hash := range all[:min(most, len(all))] {
		c, err := r.commit(ctx, hash)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, c)
	}
	return list, len(all), nil
}
