package proof

import "github.com/syncproof/syncproof/internal/cone"

// Solved is a problem and its judgement.
type Solved struct {
	cone.Problem
	Judgement
}
