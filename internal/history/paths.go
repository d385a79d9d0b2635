package history

import (
	"context"
	"maps"

	"github.com/syncproof/syncproof/internal/source"
)

// Passes is what a Repository may have besides: the changed paths of many first-parent commits in one pass.
type Passes interface {
	Names(ctx context.Context, tip source.Commit, n int, visit func(hash string, paths []string) bool) error
}

// changed gives the paths in which a commit differs from the one before it; all that it has if it is the last one of a walk.
// One pass reads those of the commits behind it along: walks go on backwards. What a pass cannot tell is asked for by itself.
func (h *History) changed(ctx context.Context, l *link) ([]string, error) {
	if l.older == nil {
		return h.in.Repository.Changed(ctx, source.Commit{}, l.Commit)
	}
	h.mu.Lock()
	paths, known := h.paths[l.Hash]
	h.mu.Unlock()
	if known {
		return paths, nil
	}
	passes, ok := h.in.Repository.(Passes)
	if !ok {
		return h.in.Repository.Changed(ctx, l.older.Commit, l.Commit)
	}
	read := map[string][]string{}
	err := passes.Names(ctx, l.Commit, block, func(hash string, paths []string) bool {
		read[hash] = paths
		return true
	})
	h.mu.Lock()
	maps.Copy(h.paths, read) // also what was read before an error
	h.mu.Unlock()
	if paths, known = read[l.Hash]; known {
		return paths, nil
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return h.in.Repository.Changed(ctx, l.older.Commit, l.Commit)
}
