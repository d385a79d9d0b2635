package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/fix"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/plan"
)

func fixCommand() *cobra.Command {
	f := scanning{all: true, history: explainHistory}
	var want plan.Wanted
	cmd := &cobra.Command{
		Use:   "fix ID [PATH]",
		Short: "Change the structure that a finding comes from: in stages, each of them proved",
		Long: "fix plans a remedy for the pair of a finding as commits that follow each other. Each is rendered, compared with what was\n" +
			"meant, and judged as a release of its own, in every order. Without --patch and --write it only shows them. Merge one,\n" +
			"wait for what it says, run fix again: what is there already is not planned twice.",
		Args: explainArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.fix(cmd, args[0], args[1:], want) },
	}
	f.register(cmd)
	f.registerHistory(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", string(report.Text), "text, json, markdown")
	flags.StringVar(&want.Remedy, "remedy", "", "the `NAME` of a remedy (default: the best that can be written)")
	flags.IntVar(&want.Stage, "stage", 0, "only stage `N`")
	flags.StringVar(&want.Patch, "patch", "", "write the stages to `DIR` for git am, one file each")
	flags.BoolVar(&want.Write, "write", false, "write the next stage into the work tree, which has to be clean")
	return cmd
}

func (f *scanning) fix(cmd *cobra.Command, id string, args []string, want plan.Wanted) error {
	if why := want.Contradiction(f.format, f.rev != "" || f.worktree); why != "" {
		return usagef("%s", why)
	}
	o, l, err := f.see(cmd, args, want.Remedy, func(x diag.Finding) bool { return strings.HasPrefix(x.ID, id) || strings.HasPrefix(x.Pair, id) })
	if err != nil {
		return err
	}
	defer o.Close()
	one, err := fix.Pick(l.Report.Findings, l.Report.Latent, id)
	if err != nil {
		return usageError{err}
	}
	p, err := l.Plan(cmd.Context(), one, want.Remedy)
	if err == nil && want.Stage > len(p.Stages) && len(p.Stages) > 0 {
		err = usagef("--stage %d: there are %d", want.Stage, len(p.Stages))
	}
	if err == nil && want.Patch != "" {
		err = l.Mails(p, want.Patch, want.Stage)
	}
	if err == nil && want.Write {
		err = l.Write(cmd.Context(), p, want.Stage)
	}
	if refusal := fix.Refusal(""); errors.As(err, &refusal) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	err = f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return plan.Write(w, report.Format(f.format), want.Of(p.Plan))
	})
	if err == nil && p.Refused != "" {
		return failing{}
	}
	return err
}

// see opens a repository and looks back over it.
func (f *scanning) see(cmd *cobra.Command, args []string, remedy string, wanted func(diag.Finding) bool, more ...func(*opened)) (*opened, fix.Look, error) {
	if err := f.readHistory(); err != nil {
		return nil, fix.Look{}, err
	}
	if f.past.None() {
		return nil, fix.Look{}, usagef("--history %s: say how many commits", f.history)
	}
	o, err := f.open(cmd.Context(), args)
	if err != nil {
		return nil, fix.Look{}, err
	}
	for _, set := range more {
		set(o)
	}
	if err := f.prepare(cmd.Context(), o); err != nil {
		o.Close()
		return nil, fix.Look{}, err
	}
	clear := f.show(cmd.ErrOrStderr(), o)
	defer clear()
	l, err := fix.See(cmd.Context(), o.input, o.repo, remedy, wanted)
	if err != nil {
		o.Close()
	}
	return o, l, err
}

// playFix takes the incident of the demo to its end.
func (f *scanning) playFix(cmd *cobra.Command, repos demo.Repositories) error {
	return f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return fix.Tale(cmd.Context(), w, repos, func(_ context.Context, repos demo.Repositories, history string, wanted func(diag.Finding) bool) (fix.Look, func(), error) {
			f.history = history
			o, l, err := f.see(cmd, []string{repos.Manifests}, "", wanted, func(o *opened) { o.serving(repos) })
			if err != nil {
				return l, nil, err
			}
			return l, o.Close, nil
		})
	})
}
