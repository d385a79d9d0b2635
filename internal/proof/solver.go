package proof

import (
	"context"
	"crypto/sha256"

	"github.com/syncproof/syncproof/internal/cone"
)

// Solver judges problems, equal ones once. It is not for concurrent use.
type Solver struct {
	Bounds Bounds
	solved map[[sha256.Size]byte]Judgement
	Hits   int // problems that were answered from memory
}

// Solve judges a problem. The error is that of the context: what the model cannot hold is undecided.
func (s *Solver) Solve(ctx context.Context, p cone.Problem) (Solved, error) {
	if p.Undecided != "" {
		return Solved{p, Judgement{Verdict: Undecided, Why: p.Undecided, Steps: s.Bounds.Unusual}}, nil
	}
	if err := p.Case.Check(); err != nil {
		return Solved{p, Judgement{Verdict: Undecided, Why: err.Error(), Steps: s.Bounds.Unusual}}, nil
	}
	key := p.Case.Fingerprint()
	if j, ok := s.solved[key]; ok {
		s.Hits++
		return Solved{p, j.within(p)}, nil
	}
	j, err := Judge(ctx, p.Case, s.Bounds)
	if err != nil {
		return Solved{}, err
	}
	if err := ctx.Err(); err != nil {
		return Solved{p, j}, err
	}
	if s.solved == nil {
		s.solved = map[[sha256.Size]byte]Judgement{}
	}
	s.solved[key] = j
	return Solved{p, j.within(p)}, nil
}

// within takes back a safe that rests on a part: what a gap hides may not be. Claims of harm stand.
func (j Judgement) within(p cone.Problem) Judgement {
	if j.Verdict == Safe && len(p.Gaps) > 0 {
		j.Verdict, j.Why = Undecided, "what could be seen is safe, but a gap may hide something: "+p.Gaps[0].Message
	}
	return j
}
