package memo

import (
	"slices"
	"sync"

	"github.com/syncproof/syncproof/internal/source"
)

// Bounds of what is known of trees. A list of more differences than most costs more than asking again.
const (
	maxTrees = 64
	maxPairs = 1024
	most     = 256
)

// trees are those that were met last, and what differs between them. A replay asks for the same two trees again and again.
type trees struct {
	mu    sync.Mutex
	known map[string]source.Tree // by identity
	order []string               // of known, the one met first in front
	pairs map[pair]differences
}

type pair struct{ before, after string }

type differences struct {
	list []source.Difference
	ok   bool
}

func newTrees() trees {
	return trees{known: map[string]source.Tree{}, pairs: map[pair]differences{}}
}

// know gives the identity of a tree, and keeps the tree under it.
func (s *trees) know(t source.Tree) string {
	id := source.Identity(t)
	if id == "" {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[id] != nil {
		s.known[id] = t // the context of an older one may have ended
		return id
	}
	if len(s.order) == maxTrees {
		delete(s.known, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	s.known[id] = t
	s.order = append(s.order, id)
	return id
}

// differences gives what differs between two trees by identity, and false if that cannot be told.
func (s *trees) differences(before, after string) ([]source.Difference, bool) {
	if before == "" || after == "" {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d, ok := s.pairs[pair{before, after}]; ok {
		return d.list, d.ok
	}
	a, b := s.known[before], s.known[after]
	if a == nil || b == nil {
		return nil, false
	}
	var d differences
	d.list, d.ok = source.Differences(a, b, most)
	if len(s.pairs) == maxPairs {
		clear(s.pairs)
	}
	s.pairs[pair{before, after}] = d
	return d.list, d.ok
}
