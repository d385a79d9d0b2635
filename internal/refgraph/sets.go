package refgraph

import (
	"crypto/sha256"
	"sync"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// Sets remembers descriptor sets by their bytes, for the graphs of snapshots that have much in common. It may be used by several
// goroutines at once; a nil one remembers nothing.
type Sets struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*descriptor.Set
}

// decode is [descriptor.Decode].
func (s *Sets) decode(raw []byte) (*descriptor.Set, error) {
	if s == nil {
		return descriptor.Decode(raw)
	}
	key := sha256.Sum256(raw)
	s.mu.Lock()
	set := s.known[key]
	s.mu.Unlock()
	if set != nil {
		return set, nil
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[[sha256.Size]byte]*descriptor.Set{}
	}
	s.known[key] = set
	return set, nil
}
