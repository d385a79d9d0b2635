package aftermath

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
)

// Repository is what parts are read from. source.Repository is one.
type Repository interface {
	Changed(ctx context.Context, before, after source.Commit) ([]string, error)
	// Brought gives the commits that head brings, without merges, the newest first, at most so many, and how many there are.
	Brought(ctx context.Context, base, head source.Commit, most int) ([]source.Commit, int, error)
}

// Parts are the commits of a release that is more than one: no merges, the newest first. The zero value is one commit.
type Parts struct {
	Commits []source.Commit // the first mostBrought of them
	All     int
}

const (
	mostBrought = 200 // parts of one release that are looked at
	mostTold    = 20  // and that are told
)

// Brought are the parts of the release that goes from base to head. A clone that lacks something tells none.
func Brought(ctx context.Context, repo Repository, base, head source.Commit) (Parts, error) {
	if len(head.Parents) == 1 && head.Parents[0] == base.Hash {
		return Parts{}, nil
	}
	list, all, err := repo.Brought(ctx, base, head, mostBrought)
	switch {
	case CutOff(err), err == nil && all < 2:
		return Parts{}, nil
	case err != nil:
		return Parts{}, err
	}
	return Parts{list, all}, nil
}

// CutOff tells whether an error is only that the clone lacks something.
func CutOff(err error) bool {
	return errors.Is(err, source.ErrShallow) || errors.Is(err, source.ErrAbsent) || errors.Is(err, source.ErrUnknownRevision)
}

// Told are the parts that a report has, newest first: those that touch one of the files before others, if there are too many.
func (p Parts) Told(ctx context.Context, repo Repository, files func(name string) bool) ([]diag.Part, error) {
	list := make([]diag.Part, len(p.Commits))
	others := mostTold
	for i, c := range p.Commits {
		list[i].Commit = diag.Commit{Commit: c.Hash, Short: c.Hash[:min(len(c.Hash), 7)], Subject: c.Subject, Date: Date(c)}
		var parent source.Commit
		if len(c.Parents) > 0 {
			parent.Hash = c.Parents[0]
		}
		changed, err := repo.Changed(ctx, parent, c)
		if err != nil && !CutOff(err) {
			return nil, err
		}
		if list[i].Touches = slices.ContainsFunc(changed, files); list[i].Touches {
			others--
		}
	}
	var out []diag.Part
	for _, x := range list {
		if !x.Touches {
			others--
		}
		if (x.Touches || others >= 0) && len(out) < mostTold {
			out = append(out, x)
		}
	}
	return out, nil
}

// Date is a commit's date as reports have it, "" if it has none that makes sense.
func Date(c source.Commit) string {
	if c.When.IsZero() {
		return ""
	}
	return c.When.UTC().Format(time.RFC3339)
}
