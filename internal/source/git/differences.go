package git

import (
	"context"
	"path"
)

// Difference is a name under which two directories have something different. What is below a directory that came, went or
// became something else is not listed.
type Difference struct {
	Path string
	// Content tells that both have a file, or both a submodule, there. Otherwise something came, went, is of another kind
	// or is a link with another target.
	Content bool
}

// Differences lists what differs between the directories with two ids. It gives up, and gives false, when one cannot be
// read and when there are more than most differences.
func (r *Repository) Differences(ctx context.Context, before, after string, most int) ([]Difference, bool) {
	c := comparison{ctx: ctx, repo: r, most: most}
	if !c.compare(".", before, after) {
		return nil, false
	}
	return c.found, true
}

type comparison struct {
	ctx   context.Context
	repo  *Repository
	most  int
	found []Difference
}

// compare adds what differs between two directories of one path. It gives false when it gives up.
func (c *comparison) compare(dir, before, after string) bool {
	if before == after {
		return true
	}
	old, err := c.repo.List(c.ctx, before)
	if err != nil {
		return false
	}
	now, err := c.repo.List(c.ctx, after)
	if err != nil {
		return false
	}
	for len(old) > 0 || len(now) > 0 {
		switch order := compareFirst(old, now); {
		case order < 0:
			c.add(dir, old[0], false)
			old = old[1:]
		case order > 0:
			c.add(dir, now[0], false)
			now = now[1:]
		default:
			if !c.both(dir, old[0], now[0]) {
				return false
			}
			old, now = old[1:], now[1:]
		}
		if len(c.found) > c.most {
			return false
		}
	}
	return true
}

func (c *comparison) both(dir string, before, after Entry) bool {
	switch {
	case before.Kind != after.Kind:
		c.add(dir, after, false)
	case before.Kind == Dir:
		return c.compare(path.Join(dir, after.Name), before.ID, after.ID)
	case before.ID != after.ID:
		c.add(dir, after, before.Kind != Link)
	}
	return true
}

func (c *comparison) add(dir string, e Entry, content bool) {
	c.found = append(c.found, Difference{path.Join(dir, e.Name), content})
}
