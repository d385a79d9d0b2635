package source

import "github.com/syncproof/syncproof/internal/source/git"

// Difference is a name under which two trees have something different, by its real path.
type Difference = git.Difference

// Identity is a text that two trees share only if they answer everything alike, except for what a clone lacks. It is "" if
// the tree cannot tell: only trees of commits can.
func Identity(t Tree) string {
	if o, ok := committed(t); ok {
		return o.identity
	}
	return ""
}

// Differences lists what differs between two trees of commits. It cannot tell, and gives false, for other trees, for trees
// with different limits, when reading fails, and if there are more than most differences.
func Differences(before, after Tree, most int) ([]Difference, bool) {
	a, ok := committed(before)
	b, too := committed(after)
	if !ok || !too || a.repo.fileSize != b.repo.fileSize {
		return nil, false
	}
	return b.repo.Differences(b.ctx, a.root, b.root, most)
}

func committed(t Tree) (objects, bool) {
	v, ok := t.(*view)
	if !ok {
		return objects{}, false
	}
	o, ok := v.store.(objects)
	return o, ok
}
