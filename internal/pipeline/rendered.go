package pipeline

import "github.com/syncproof/syncproof/internal/snapshot"

// tally counts what was looked at.
type tally struct {
	commits  int            // that were looked at
	releases int            // those that change what is rendered
	partial  int            // releases of which some unit could not be rendered in full
	by       map[string]int // those by the reason
}

// count notes a commit, by the snapshots before and after it. It is false if nothing that is rendered changes: such a commit
// touches no pair. A file that no rendering reads, or that renders to the same, makes no release.
func (t *tally) count(before, after *snapshot.Snapshot) bool {
	t.commits++
	if before.Renders(after) {
		return false
	}
	t.releases++
	reasons := map[string]bool{}
	for _, s := range []*snapshot.Snapshot{before, after} {
		for _, g := range s.Gaps {
			if g.Unit != "" {
				reasons[string(g.Reason)] = true
			}
		}
	}
	if len(reasons) > 0 {
		t.partial++
	}
	for r := range reasons {
		if t.by == nil {
			t.by = map[string]int{}
		}
		t.by[r]++
	}
	return true
}
