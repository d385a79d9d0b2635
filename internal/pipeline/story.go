package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
)

// tell adds to the findings why their pairs are as they are. A pair that shows in several findings is looked into once.
func (j *judging) tell(ctx context.Context, findings []diag.Finding) error {
	told := map[[2]object.ID]*diag.Story{}
	for i := range findings {
		head, ok := j.headOf(findings[i])
		if !ok || !reported(findings[i]) {
			continue
		}
		pair := [2]object.ID{head.candidate.Consumer.Object, head.candidate.Provider.Object}
		if told[pair] == nil {
			story, err := j.story(ctx, head)
			if err != nil {
				return err
			}
			told[pair] = story
		}
		findings[i].Story = told[pair]
	}
	return nil
}

// headOf is the newest judged pair of a finding's shape.
func (j *judging) headOf(f diag.Finding) (found, bool) {
	for _, x := range slices.Backward(j.found) {
		if x.shape() == f.ID {
			return x, true
		}
	}
	return found{}, false
}

// story is evidence, cause and sides of one pair, as its newest judged release has it.
func (j *judging) story(ctx context.Context, head found) (*diag.Story, error) {
	var all []found
	for _, x := range j.found {
		if identity(x.candidate.Consumer.Object) == identity(head.candidate.Consumer.Object) &&
			identity(x.candidate.Provider.Object) == identity(head.candidate.Provider.Object) {
			all = append(all, x)
		}
	}
	newest := all[len(all)-1]
	s := &diag.Story{Evidence: j.evidence(all)}
	cause, limits, err := j.history.Life(ctx, history.LifeQuery{
		Tip: newest.tip(), Consumer: head.candidate.Consumer.Object, Provider: head.candidate.Provider.Object,
		Removed: j.in.Releases.Removed,
	})
	if err != nil {
		return nil, err
	}
	s.Cause, s.Limits = &cause, limits
	if s.Sides, err = j.sides(ctx, all); err != nil {
		return nil, err
	}
	return s, nil
}

// evidence counts the releases that touch a pair.
func (j *judging) evidence(all []found) *diag.Evidence {
	e := &diag.Evidence{Judged: len(j.in.Releases.Steps), Touched: len(all), By: map[string]int{}}
	for i, x := range all {
		e.By[string(x.solved.Verdict)]++
		if x.both() {
			e.Both++
		}
		if i+1 < len(all) {
			if fix, ok := fixed(x, all[i+1]); ok {
				e.Fixes = append(e.Fixes, fix)
			}
		}
	}
	first, last := all[0].shown().Commit, all[len(all)-1].shown().Commit
	e.First, e.Last = &first, &last
	slices.Reverse(e.Fixes)
	return e
}

// both tells whether a release changes both ends of its pair.
func (f found) both() bool {
	c := f.solved.Case
	return c != nil && c.Pair.Provider != delivery.None && c.Varies(c.Pair.Consumer) && c.Varies(c.Pair.Provider)
}

// fixTime is how soon a pair is touched again if the second release repairs the first.
const fixTime = 24 * time.Hour

// fixed tells whether a release was followed within a day by one that touches the same pair, or reverts it.
func fixed(a, b found) (diag.Fix, bool) {
	x, y := a.tip(), b.tip()
	after := y.When.Sub(x.When)
	if after < 0 || after > fixTime {
		return diag.Fix{}, false
	}
	f := diag.Fix{Release: a.shown().Commit, By: b.shown().Commit, Kind: "follow-up", After: span(after)}
	if strings.HasPrefix(y.Subject, "Revert ") {
		f.Kind = "revert"
	}
	return f, true
}

// span is a time in hours and minutes.
func span(d time.Duration) string {
	h, m := int(d.Hours()), int(d.Minutes())%60
	switch {
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	}
	return fmt.Sprintf("%d h %d min", h, m)
}
