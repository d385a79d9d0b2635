package cli

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
)

// explainHistory is how many releases explain looks back over if nothing is said.
const explainHistory = 200

func explainCommand() *cobra.Command {
	f := scanning{all: true, history: explainHistory}
	cmd := &cobra.Command{
		Use:   "explain ID [PATH]",
		Short: "Tell one finding in full: how it breaks, how often it did, and why the repository is built like this",
		Long: "explain looks back over the last releases, as scan --history does, and prints the one finding with this id (or the\n" +
			"only one whose id begins with it), with every way to harm step by step.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("say the ID of a finding and at most one PATH")
			}
			if !identifier.MatchString(args[0]) {
				return usagef("%q is no ID: it is up to 8 hex digits, as scan --history prints them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args[0], args[1:]) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.format, "format", string(report.Text), strings.Join(formatNames(), ", "))
	f.registerHistory(cmd)
	return cmd
}

var identifier = regexp.MustCompile(`^[0-9a-f]{1,8}$`)

// registerHistory adds the flags of looking back.
func (f *scanning) registerHistory(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.history, "history", f.history, "judge the last `N` releases, too")
	cmd.Flags().StringArrayVar(&f.removed, "assume-removed", nil, "answer as if the consumer `KIND/NAMESPACE/NAME` were gone; repeatable")
}

func (f *scanning) explain(cmd *cobra.Command, id string, args []string) error {
	if err := f.formatKnown(); err != nil {
		return err
	}
	if f.history < 1 {
		return usagef("--history %d: say how many releases", f.history)
	}
	o, err := f.open(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer o.Close()
	if err := f.prepare(cmd.Context(), o); err != nil {
		return err
	}
	clear := f.show(cmd.ErrOrStderr(), o)
	r, err := pipeline.Run(cmd.Context(), o.input)
	clear()
	if err != nil {
		return err
	}
	one, err := pick(r.Findings, id)
	if err != nil {
		return err
	}
	r.Findings, r.Latent, r.Gaps = []diag.Finding{one}, nil, one.Gaps
	if r.Gaps == nil {
		r.Gaps = []diag.Gap{}
	}
	return f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return report.Write(w, report.Format(f.format), r, report.Options{Full: true})
	})
}

// pick is the finding that an id means.
func pick(findings []diag.Finding, id string) (diag.Finding, error) {
	var found []diag.Finding
	for _, f := range findings {
		if strings.HasPrefix(f.ID, id) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return diag.Finding{}, usagef("no finding of the releases that were judged has the id %s; --history N looks further back", id)
	case 1:
		return found[0], nil
	}
	return diag.Finding{}, usagef("%d findings have an id that begins with %s: say more of it", len(found), id)
}

// prepare tells the pipeline what to look back over.
func (f *scanning) prepare(ctx context.Context, o *opened) error {
	o.input.Rules = hazards.Rules()
	o.input.All, o.input.Verbose = f.all, f.verbose
	if f.history == 0 {
		if len(f.removed) > 0 {
			return usagef("--assume-removed answers for releases: say --history N")
		}
		return nil
	}
	if err := o.lookBack(ctx, f.history); err != nil {
		return err
	}
	for _, text := range f.removed {
		id, err := parseID(text)
		if err != nil {
			return err
		}
		o.input.Releases.Removed = append(o.input.Releases.Removed, id)
	}
	return nil
}

// parseID reads KIND/NAMESPACE/NAME, or KIND/NAME of what has no namespace.
func parseID(text string) (object.ID, error) {
	parts := strings.Split(text, "/")
	switch {
	case len(parts) == 3 && parts[0] != "" && parts[1] != "" && parts[2] != "":
		return object.ID{Kind: parts[0], Namespace: parts[1], Name: parts[2]}, nil
	case len(parts) == 2 && parts[0] != "" && parts[1] != "":
		return object.ID{Kind: parts[0], Name: parts[1]}, nil
	}
	return object.ID{}, usagef("--assume-removed %q: say KIND/NAMESPACE/NAME", text)
}
