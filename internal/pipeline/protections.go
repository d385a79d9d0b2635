package pipeline

import (
	"context"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/protection"
)

// protect adds to findings what looks as if it protected their pairs. Of what is safe nothing is said: there it may.
func (j *judging) protect(ctx context.Context, findings []diag.Finding) error {
	for i := range findings {
		head, ok := j.headOf(findings[i])
		if !ok || findings[i].Verdict == string(proof.Safe) {
			continue
		}
		tree, err := j.in.Releases.Repository.Tree(ctx, head.tip())
		if err != nil {
			return err
		}
		c := head.solved.Case
		findings[i].Protections = protection.Of(protection.Input{
			Snapshot: head.snapshot, Tree: tree,
			Consumer:          protection.End{Object: head.candidate.Consumer.Object, Units: head.candidate.Consumer.Units},
			Provider:          protection.End{Object: head.candidate.Provider.Object, Units: head.candidate.Provider.Units},
			ApplicationHealth: j.in.Discover.Config.Controller.ApplicationHealth,
			Renamed:           c != nil && c.Pair.Provider == delivery.None,
		})
	}
	return nil
}
