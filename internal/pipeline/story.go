package pipeline

import (
	"context"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/history"
)

// tell adds to the findings why their pairs are as they are. A pair that shows in several findings is looked into once.
func (j *judging) tell(ctx context.Context, findings []diag.Finding) error {
	told := map[string]*diag.Story{} // by the id of the pair
	for i := range findings {
		head, ok := j.headOf(findings[i])
		if !ok || !reported(findings[i]) {
			continue
		}
		pair := findings[i].Pair
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
	for _, list := range [][]found{j.found, j.together} {
		for _, x := range slices.Backward(list) {
			if x.shape() == f.ID {
				return x, true
			}
		}
	}
	return found{}, false
}

// story is evidence, cause and sides of one pair, as its newest judged release has it.
func (j *judging) story(ctx context.Context, head found) (*diag.Story, error) {
	var all []found
	for _, x := range j.found {
		if samePair(x, head) {
			all = append(all, x)
		}
	}
	newest := all[len(all)-1]
	evidence, err := j.evidence(ctx, all)
	if err != nil {
		return nil, err
	}
	s := &diag.Story{Evidence: evidence}
	cause, limits, err := j.history.Life(ctx, history.LifeQuery{
		Tip: newest.tip(), Consumer: newest.candidate.Consumer.Object, Provider: newest.candidate.Provider.Object,
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
