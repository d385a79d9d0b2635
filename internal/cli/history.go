package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/lookback"
	"github.com/syncproof/syncproof/internal/pipeline"
)

// registerHistory adds the flags of looking back.
func (f *scanning) registerHistory(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.history, "history", f.history, "judge the releases among the last `N` commits, or among those of SINCE.. or SINCE..TIP, too")
	flags.DurationVar(&f.window, "window", pipeline.DefaultWindow, "judge two commits that touch a pair within this `TIME` as delivered together, too; 0: none")
	flags.StringArrayVar(&f.removed, "assume-removed", nil, "answer as if the consumer `KIND/NAMESPACE/NAME` were gone; repeatable")
}

// readHistory takes the flags of looking back apart. The end of a range is the revision that is read.
func (f *scanning) readHistory() (err error) {
	if f.past, err = lookback.Parse(f.history); err != nil {
		return usagef("--history: %w", err)
	}
	if f.window < 0 {
		return usagef("--window %s: say how far apart, or 0", f.window)
	}
	if f.past.Tip == "" {
		return nil
	}
	if f.rev != "" || f.worktree {
		return usagef("--history %s says where it ends: --rev and --worktree have no meaning with it", f.history)
	}
	f.rev = f.past.Tip
	return nil
}

// lookBack takes the releases that are asked for, up to the revision that is read.
func (o *opened) lookBack(ctx context.Context, f *scanning) error {
	if o.repo == nil || o.input.Commit == nil || o.input.Worktree {
		return usagef("--history needs commits: there is no Git repository, no commit, or --worktree reads the disk")
	}
	commits, err := f.past.Commits(ctx, o.repo, *o.input.Commit)
	if refused := lookback.Refusal(""); errors.As(err, &refused) {
		return usagef("--history: %w", refused)
	}
	if err != nil {
		return err
	}
	if err := o.releases(ctx, inFlight(1, commits)); err != nil {
		return err
	}
	o.input.Releases.Story, o.input.Releases.Window = true, f.window
	return nil
}

// unknown is what the user is told of a revision that does not resolve.
func (o *opened) unknown(ctx context.Context, name string, err error) error {
	err = lookback.Unknown(ctx, o.repo, name, err)
	if refused := lookback.Refusal(""); errors.As(err, &refused) {
		return usagef("%w", refused)
	}
	return err
}
