package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// paired gives the descriptor that stood beside the images in the commit that introduced them.
func (h *History) paired(ctx context.Context, q Query) (Served, error) {
	found, err := h.Introduced(ctx, q.Images, q.From)
	if err != nil {
		return Served{}, err
	}
	if !found.Known() {
		return unknown(found.Why, found.Close), nil
	}
	now, err := h.in.Snapshots(ctx, found.Commit)
	if err != nil {
		return Served{}, err
	}
	before := &snapshot.Snapshot{} // of a commit without a parent: nothing was there
	if found.Parent.Hash != "" {
		if before, err = h.in.Snapshots(ctx, found.Parent); err != nil {
			return Served{}, err
		}
	}
	set, refused := choose(beside(now, before, q.Images), q)
	at := short(found.Commit)
	switch {
	case refused != nil:
		return unknown(fmt.Sprintf("%s (%s)", refused.why, at), refused.close), nil
	case found.Why != "":
		at += ", " + found.Why
	}
	why := fmt.Sprintf("image %s serves the descriptor committed with it (%s)", labels(q.Images), at)
	return Served{Set: set.Set, Premise: Paired, Why: oneLine(why), Commit: found.Commit}, nil
}

func labels(images []string) string {
	var out []string
	for _, i := range images {
		out = append(out, ParseImage(i).label())
	}
	return strings.Join(out, " with ")
}

// load is a descriptor that a workload with the images loads.
type load struct {
	refgraph.Reference
	digest string // "" if it cannot be used
	alone  string // why it does not count as committed with the image; "" if it does
	close  string
}

// beside gives what workloads with the images load, compared with what the same ones loaded before.
func beside(now, before *snapshot.Snapshot, images []string) []load {
	var out []load
	for _, r := range now.Graph.References {
		if r.Descriptor == nil || !hasImages(now, r.Consumer, images) {
			continue
		}
		l := load{Reference: r}
		switch {
		case r.Descriptor.Set == nil:
			l.alone, l.close = "what stands beside this image cannot be read: "+r.Descriptor.Problem, declareIt
		case len(r.Descriptor.Set.Refusals) > 0:
			l.alone, l.close = "a proxy refuses what stands beside this image: "+r.Descriptor.Set.Refusals[0], declareIt
		default:
			l.digest = r.Descriptor.Set.Digest()
			l.alone, l.close = l.compare(now, before)
		}
		out = append(out, l)
	}
	return out
}

// compare says why a descriptor does not count as committed with the image: the workload loaded the same one before, or it
// cannot be told what it loaded. A workload that is new, or that loaded none, counts.
func (l load) compare(now, before *snapshot.Snapshot) (why, closed string) {
	made := makersOf(now, l)
	if what := made.missing(before); what != "" {
		return fmt.Sprintf("at the commit before the one that introduced this image %s could not be rendered", what), renderIt
	}
	unreadable, other := "", false
	for _, r := range before.Graph.References {
		switch {
		case r.Consumer != l.Consumer || r.Descriptor == nil:
		case r.Descriptor.Set == nil:
			unreadable = r.Descriptor.Problem
		case r.Descriptor.Set.Digest() == l.digest:
			return "this image changed alone: nothing stands beside it", declareIt
		default:
			other = true
		}
	}
	if unreadable != "" && !other {
		return "what was there before this image cannot be read: " + unreadable, declareIt
	}
	return "", ""
}

// makersOf are those of the objects that a load is made of.
func makersOf(s *snapshot.Snapshot, l load) makers {
	var m makers
	for _, u := range s.Units {
		for _, o := range u.Objects {
			if o.ID == l.Consumer || o.ID == l.Provider || o.ID == l.Descriptor.Filter {
				m.add(u.ID, o)
			}
		}
	}
	return m
}

func hasImages(s *snapshot.Snapshot, id object.ID, images []string) bool {
	for _, u := range s.Units {
		for _, o := range u.Objects {
			if o.ID == id && holdsAll(imagesOf(containers(o, "containers")), images) {
				return true
			}
		}
	}
	return false
}

// refusal says why none of the descriptors beside an image is what it serves.
type refusal struct{ why, close string }

// choose takes the descriptor that was committed with the image. When workloads with it load different ones, that of the
// workload counts that is asked for, and then that of its provider.
func choose(loads []load, q Query) (*refgraph.Descriptor, *refusal) {
	if len(loads) == 0 {
		return nil, &refusal{"no workload with this image loads a descriptor in the commit that introduced it", declareIt}
	}
	together := slices.DeleteFunc(slices.Clone(loads), func(l load) bool { return l.alone != "" })
	if len(together) == 0 {
		worst := loads[0]
		for _, l := range loads {
			if l.Consumer == q.Consumer && worst.Consumer != q.Consumer {
				worst = l
			}
		}
		return nil, &refusal{worst.alone, worst.close}
	}
	for _, fits := range []func(load) bool{
		func(load) bool { return true },
		func(l load) bool { return l.Consumer == q.Consumer },
		func(l load) bool { return l.Consumer == q.Consumer && l.Provider == q.Provider },
		func(l load) bool { return l.Consumer == q.Consumer && l.Provider == q.Provider && l.Key == q.Key },
	} {
		var only []load
		for _, l := range together {
			if fits(l) && !slices.ContainsFunc(only, func(o load) bool { return o.digest == l.digest }) {
				only = append(only, l)
			}
		}
		if len(only) == 1 {
			return only[0].Descriptor, nil
		}
	}
	return nil, &refusal{"workloads with this image load different descriptors in the commit that introduced it", declareIt}
}
