// Package again makes a real release again on another state of the repository.
//
// In go the releases of a pair and how to read their trees; out come the files with the newest of them taken back, and with it made
// once more. It refuses to guess: a file that is no more as the release left it is left alone.
package again

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// mostFiles is how many files a release may change that is made again.
const mostFiles = 500

// Release is the newest real release of the pair with the files that it changed, to be made again on another tree.
type Release struct {
	remedy.Release
	Before, After map[string][]byte // content of its files; nil: not there
}

// Newest finds it among releases, the oldest first. It is nil if there is none that changes both ends and moves neither, or if its
// files cannot be read.
func Newest(ctx context.Context, all []remedy.Release, ends cone.Ends, tree func(ctx context.Context, hash string) (source.Tree, error)) (*Release, error) {
	for _, r := range slices.Backward(all) {
		if len(r.Revisions) != 2 || r.Ends != ends || !releases(r) {
			continue
		}
		var trees [2]source.Tree
		for i, rev := range r.Revisions {
			t, err := tree(ctx, rev.Hash)
			if err != nil {
				return nil, err
			}
			trees[i] = t
		}
		all, ok := source.Differences(trees[0], trees[1], mostFiles)
		if !ok {
			return nil, nil
		}
		out := &Release{Release: r, Before: map[string][]byte{}, After: map[string][]byte{}}
		for _, d := range all {
			out.Before[d.Path], _ = content(trees[0], d.Path)
			out.After[d.Path], _ = content(trees[1], d.Path)
		}
		return out, nil
	}
	return nil, nil
}

// releases tells whether a release changes both ends and moves none of them: what a remedy of the structure is for.
func releases(r remedy.Release) bool {
	for _, id := range []object.ID{r.Ends.Consumer, r.Ends.Provider} {
		a, b := r.Snapshots[0], r.Snapshots[1]
		before, had := a.Object(id)
		after, has := b.Object(id)
		if !had || !has || reflect.DeepEqual(before.Fields, after.Fields) || !slices.Equal(Deliverers(a, id), Deliverers(b, id)) {
			return false
		}
	}
	return true
}

func Deliverers(s *snapshot.Snapshot, id object.ID) []unit.ID {
	var out []unit.ID
	for _, u := range s.Units {
		if slices.ContainsFunc(u.Objects, func(o object.Object) bool { return o.ID == id }) {
			out = append(out, u.ID)
		}
	}
	return out
}

func content(t source.Tree, name string) ([]byte, bool) {
	data, err := t.ReadFile(name)
	if err != nil {
		return nil, false
	}
	return data, true
}

// Undone are the files of a state with the release taken back, as far as they are as the release left them; again are those with
// the release made once more. Rewired says that whoever releases writes where the copies of its files are by now.
func (n *Release) Undone(on source.Tree, copies map[string]string, rewired bool) (undone, again map[string][]byte) {
	undone, again = map[string][]byte{}, map[string][]byte{}
	place := func(name, of string, written bool) {
		now, there := content(on, name)
		if !there && written && name == of && n.After[of] != nil && !rewired {
			again[name] = n.After[of] // a file that is no more comes back
		}
		if !there || !bytes.Equal(now, n.After[of]) {
			return
		}
		undone[name] = n.Before[of]
		if written {
			again[name] = n.After[of]
		} else {
			again[name] = n.Before[of]
		}
	}
	for name := range n.After {
		place(name, name, true)
	}
	for to, from := range copies {
		for copies[from] != "" {
			from = copies[from]
		}
		if _, part := n.After[from]; part && n.After[to] == nil {
			place(to, from, rewired)
		}
	}
	return undone, again
}
