package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/lookback"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/source"
)

// Words of --fail-on, and those that fail if it is not given.
var (
	failWords = []string{"structure", "race", "broken", "exposed", "fragile", "undecided", "breaking", "standing"}
	failCheck = []string{"structure", "race", "broken"}
	failScan  = []string{"race", "broken", "standing"}
)

// checking holds the flags of check.
type checking struct {
	scanning
	each    bool
	overlap bool
	failOn  []string
}

func checkCommand() *cobra.Command {
	var f checking
	cmd := &cobra.Command{
		Use:   "check BASE..HEAD [PATH]",
		Short: "Judge a change: is every order in which its parts can arrive safe",
		Long: "check takes what BASE..HEAD brings as one release, from the merge base of the two to HEAD, and judges every pair\n" +
			"that it touches. COMMIT^..COMMIT is a single commit.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("say BASE..HEAD and at most one PATH")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", string(report.Text), strings.Join(formatNames(), ", "))
	flags.BoolVar(&f.all, "all", false, "list what is safe or undecided, and latent pairs, too")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list the units and what references what")
	flags.BoolVar(&f.authors, "show-authors", false, authorsHelp)
	flags.BoolVar(&f.each, "each", false, "take every first-parent commit of the range as a release")
	flags.BoolVar(&f.overlap, "overlap", false, "take each two neighbouring commits of the range as one case, too: both in flight")
	flags.StringSliceVar(&f.failOn, "fail-on", failCheck, "what gives exit code 1: "+strings.Join(failWords, ", "))
	return cmd
}

func formatNames() []string {
	var out []string
	for _, f := range formats() {
		out = append(out, string(f))
	}
	return out
}

func (f *checking) run(cmd *cobra.Command, args []string) error {
	for i, word := range f.failOn {
		word = strings.TrimSpace(word)
		f.failOn[i] = word
		if !slices.Contains(failWords, word) {
			return usagef("--fail-on %q: say %s", word, strings.Join(failWords, ", "))
		}
	}
	if f.rev != "" || f.worktree {
		return usagef("check reads the commits of its range: --rev and --worktree have no meaning for it")
	}
	if err := f.formatKnown(); err != nil {
		return err
	}
	o, err := f.openSpan(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer o.Close()
	return f.scan(cmd, o, f.failOn)
}

// openSpan opens the repository at the head of the range, with the releases that are asked for.
func (f *checking) openSpan(ctx context.Context, args []string) (*opened, error) {
	_, head, err := lookback.Cut(args[0])
	if err != nil {
		return nil, usagef("%w", err)
	}
	if !strings.HasSuffix(args[0], "..") {
		f.rev = head
	}
	o, err := f.open(ctx, args[1:])
	if err != nil {
		return nil, err
	}
	steps, err := f.steps(ctx, o, args[0])
	if err != nil {
		o.Close()
		return nil, err
	}
	if err := o.releases(ctx, steps); err != nil {
		o.Close()
		return nil, err
	}
	o.input.Releases.Structure = true
	return o, nil
}

// steps are the releases of a range.
func (f *checking) steps(ctx context.Context, o *opened, text string) ([]pipeline.Step, error) {
	if o.repo == nil || o.input.Commit == nil {
		return nil, usagef("check needs a Git repository with commits")
	}
	s, err := o.parseSpan(ctx, text)
	if err != nil {
		return nil, err
	}
	base, err := o.repo.MergeBase(ctx, s.base, s.head)
	if errors.Is(err, source.ErrUnrelated) {
		return nil, usagef("%s: the two have no commit in common", text)
	}
	if err != nil {
		return nil, o.unknown(ctx, "the merge base of "+text, err)
	}
	if base.Hash == s.head.Hash {
		return nil, usagef("%s: there is nothing between the two", text)
	}
	out := []pipeline.Step{{Commits: []source.Commit{base, s.head}}}
	if !f.each && !f.overlap {
		return out, nil
	}
	commits, err := o.repo.Range(ctx, base, s.head)
	if err != nil {
		return nil, o.unknown(ctx, text, err)
	}
	slices.Reverse(commits)
	commits = append([]source.Commit{base}, commits...)
	if f.each {
		out = inFlight(1, commits)
	}
	if f.overlap {
		out = append(out, inFlight(2, commits)...)
	}
	return out, nil
}

// fails tells whether a finding has one of the words.
func fails(f diag.Finding, words []string) bool {
	if f.Now != "" {
		return false // it happened, and cannot happen again
	}
	return slices.Contains(words, f.Verdict) || f.Breaking == "yes" && slices.Contains(words, "breaking")
}
