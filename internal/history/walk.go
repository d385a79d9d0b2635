package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/syncproof/syncproof/internal/source"
)

// link is one commit of a walk along first parents. Walks share their tails, and so where they end: a walk that began at a
// newer commit may be longer than the bound by what is new.
type link struct {
	source.Commit
	older *link
	cut   string // why there is no older one although the commit has a parent; "" if it has none
	close string
}

// block is how many commits are read at once, until a walk meets one that is known.
const block = 256

// walk gives the commits from one backwards, the newest first.
func (h *History) walk(ctx context.Context, from source.Commit) ([]*link, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var fresh []*link
	var tail *link
	for at := from; tail == nil && len(fresh) < h.in.Commits; {
		if tail = h.links[at.Hash]; tail != nil {
			break
		}
		// One more than is new, the one to go on with.
		got, err := h.in.Repository.FirstParents(ctx, at, min(block, h.in.Commits-len(fresh))+1)
		cut, closed := cutOff(err)
		if err != nil && (cut == "" || len(got) == 0) {
			return nil, fmt.Errorf("walk from %s: %w", from.Hash, err)
		}
		ended := err != nil || len(got[len(got)-1].Parents) == 0
		if !ended {
			at, got = got[len(got)-1], got[:len(got)-1]
		}
		for _, c := range got {
			if tail = h.links[c.Hash]; tail != nil {
				break
			}
			fresh = append(fresh, &link{Commit: c})
		}
		if tail == nil && ended {
			last := fresh[len(fresh)-1]
			last.cut, last.close = cut, closed
			break
		}
		if tail == nil && len(fresh) >= h.in.Commits {
			last := fresh[len(fresh)-1]
			last.cut, last.close = fmt.Sprintf("the %d commits that are looked at", h.in.Commits), declareIt
		}
	}
	return h.join(fresh, tail), nil
}

// join links what is new to what is known.
func (h *History) join(fresh []*link, tail *link) []*link {
	list := fresh
	for i, l := range fresh {
		if l.older = tail; i+1 < len(fresh) {
			l.older = fresh[i+1]
		}
		h.links[l.Hash] = l
	}
	for ; tail != nil; tail = tail.older {
		list = append(list, tail)
	}
	return list
}

// cutOff says in words what a clone lacks; "" for errors of another kind.
func cutOff(err error) (what, closed string) {
	switch {
	case errors.Is(err, source.ErrShallow):
		return "what this shallow clone has", fetchAll
	case errors.Is(err, source.ErrAbsent):
		return "what this clone has", fetchAll
	}
	return "", ""
}
