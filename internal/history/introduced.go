package history

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/source"
)

// Introduction is the commit that introduced an image, or why it is not known.
type Introduction struct {
	Commit source.Commit // no hash if it is not known
	Parent source.Commit // its first parent; no hash if it has none
	// Why and Close say, in one line each, why it is not known and how to make it known. If it is known, Why is "", or how
	// far back was looked if that is not all of history.
	Why, Close string
}

// Known tells whether it is known.
func (i Introduction) Known() bool { return i.Commit.Hash != "" }

// maxCandidates bounds how many commits are rendered because they write a tag that they do not deliver.
const maxCandidates = 32

// Introduced finds the oldest first-parent commit, at or before from, that brought an image reference into the rendered
// objects, whichever workload it is in. Several images are looked for together, in one pod template.
//
// Commits that write the tag are found by their text, and confirmed by what they render. Where an image came without
// being written, since a workload that had it all along was switched on, the commit between is found by halving.
func (h *History) Introduced(ctx context.Context, images []string, from source.Commit) (Introduction, error) {
	if h.in.Repository == nil || from.Hash == "" {
		return Introduction{Why: "there is no history to look into", Close: declareIt}, nil
	}
	s := &search{h: h, images: images}
	for _, i := range images {
		image := ParseImage(i)
		if why := image.mutable(); why != "" {
			return Introduction{Why: oneLine(fmt.Sprintf("image %s %s", image.Name, why)), Close: fixedTagOnly}, nil
		}
		s.parsed = append(s.parsed, image)
	}
	var err error
	if s.walk, err = h.walk(ctx, from); err != nil {
		return Introduction{}, err
	}
	at, err := s.oldest(ctx)
	var stop *stopped
	switch {
	case errors.As(err, &stop):
		return Introduction{Why: oneLine(stop.why), Close: stop.close}, nil
	case err != nil:
		return Introduction{}, err
	}
	found := Introduction{Commit: s.walk[at].Commit}
	if older := s.walk[at].older; older != nil {
		found.Parent = older.Commit
	}
	if last := s.walk[len(s.walk)-1]; last.cut != "" {
		found.Why = "within " + last.cut
	}
	return found, nil
}

// search is one search along a walk. Positions count from its newest commit.
type search struct {
	h      *History
	images []string
	parsed []Image
	walk   []*link
	made   makers // of an image of the same name, as far as seen
}

// stopped ends a search that cannot know.
type stopped struct{ why, close string }

func (s *stopped) Error() string { return s.why }

func stopf(closed, format string, args ...any) error {
	return &stopped{fmt.Sprintf(format, args...), closed}
}

// oldest gives the position of the commit that introduced the images.
func (s *search) oldest(ctx context.Context) (int, error) {
	// The newest commit goes first: from it is known which units are to be looked at.
	here, err := s.renders(ctx, 0)
	if err == nil && !here {
		err = stopf(declareIt, "no workload has this image at %s", short(s.walk[0].Commit))
	}
	if err != nil {
		return 0, err
	}
	without, with, err := s.confirm(ctx)
	if err != nil {
		return 0, err
	}
	last := len(s.walk) - 1
	if with == last {
		if cut := s.walk[last]; cut.cut != "" {
			return 0, stopf(cut.close, "the commit that introduced this image is older than %s", cut.cut)
		}
		return last, nil // the first commit of all
	}
	before, err := s.renders(ctx, with+1)
	switch {
	case err != nil:
		return 0, err
	case !before:
		return with, nil
	case without < 0:
		return 0, stopf(declareIt, "the commit that introduced this image does not write its tag")
	}
	return s.between(ctx, without, with+1)
}

// confirm renders what the text of commits suggests: with is the oldest position that writes the tag and has the image, the
// newest of all if none does, and without the one before it that writes the tag and has not, -1 if there is none.
func (s *search) confirm(ctx context.Context) (without, with int, err error) {
	candidates, err := s.candidates(ctx)
	if err != nil {
		return 0, 0, err
	}
	without = -1
	for i, at := range candidates {
		if i == maxCandidates {
			return 0, 0, stopf(declareIt, "%d commits write the tag of this image, and the first %d do not deliver it", len(candidates), i)
		}
		here, err := s.renders(ctx, at)
		if err != nil || here {
			return without, at, err
		}
		without = at
	}
	return without, 0, nil
}

// between finds a commit that has the images and whose parent has not, by halving: without is the older position.
func (s *search) between(ctx context.Context, without, with int) (int, error) {
	for without-with > 1 {
		middle := (without + with) / 2
		here, err := s.renders(ctx, middle)
		if err != nil {
			return 0, err
		}
		if here {
			with = middle
		} else {
			without = middle
		}
	}
	return with, nil
}

// candidates are the positions of commits that write one of the tags, the oldest first.
func (s *search) candidates(ctx context.Context) ([]int, error) {
	wanted := spellings(s.parsed)
	var out []int
	for at, l := range s.walk {
		words, err := s.h.wordsOf(ctx, l)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case unreadable(err):
			return nil, stopf(fetchAll, "what commit %s changed cannot be read: %v", short(l.Commit), err)
		case err != nil:
			return nil, err
		case brings(words, wanted):
			out = append(out, at)
		}
	}
	slices.Reverse(out)
	switch last := s.walk[len(s.walk)-1]; {
	case len(out) == 0 && last.cut != "":
		return nil, stopf(last.close, "no commit within %s writes the tag of this image", last.cut)
	case len(out) == 0:
		return nil, stopf(declareIt, "no commit writes the tag of this image: something puts it together")
	}
	return out, nil
}

// renders tells whether a workload has the images at a position. That none has is only believed if everything was rendered
// that may have one.
func (s *search) renders(ctx context.Context, at int) (bool, error) {
	snap, err := s.h.in.Snapshots(ctx, s.walk[at].Commit)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case unreadable(err):
		return false, stopf(fetchAll, "commit %s cannot be read: %v", short(s.walk[at].Commit), err)
	case err != nil:
		return false, err
	}
	found := false
	for _, u := range snap.Units {
		for _, o := range u.Objects {
			has := imagesOf(containers(o, "initContainers", "containers"))
			found = found || holdsAll(has, s.images)
			if slices.ContainsFunc(has, s.isNamed) {
				s.made.add(u.ID, o)
			}
		}
	}
	if found {
		return true, nil
	}
	if what := s.made.missing(snap); what != "" {
		return false, stopf(renderIt, "at %s %s could not be rendered", short(s.walk[at].Commit), what)
	}
	return false, nil
}

// unreadable tells errors about what a clone holds from failures of ours.
func unreadable(err error) bool {
	return errors.Is(err, source.ErrUnknownRevision) || errors.Is(err, source.ErrAbsent) || errors.Is(err, source.ErrTooLarge)
}

func (s *search) isNamed(image string) bool {
	name := ParseImage(image).Name
	return slices.ContainsFunc(s.parsed, func(i Image) bool { return i.Name == name })
}

func holdsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(list, w) })
}
