package cli

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/fix"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
)

// explainHistory is how many commits explain looks back over if nothing is said.
const explainHistory = "200"

const authorsHelp = "name persons: authors, owners, and whom commits name; else teams and counts"

func explainCommand() *cobra.Command {
	f := scanning{all: true, history: explainHistory}
	cmd := &cobra.Command{
		Use:   "explain ID [PATH]",
		Short: "Tell one finding in full: how it breaks, how often it did, and why the repository is built like this",
		Long: "explain looks back over the last releases, as scan --history does, and prints the one finding with this id (or the\n" +
			"only one whose id begins with it), with every way to harm step by step.",
		Args: explainArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args[0], args[1:]) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.format, "format", string(report.Text), strings.Join(formatNames(), ", "))
	f.registerHistory(cmd)
	cmd.Flags().BoolVar(&f.authors, "show-authors", false, authorsHelp)
	return cmd
}

// explainArguments wants the id of a finding, and maybe a path.
func explainArguments(_ *cobra.Command, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return usagef("say the ID of a finding and at most one PATH")
	}
	if !identifier.MatchString(args[0]) {
		return usagef("%q is no ID: it is up to 8 hex digits, as scan --history prints them", args[0])
	}
	return nil
}

var identifier = regexp.MustCompile(`^[0-9a-f]{1,8}$`)

func (f *scanning) explain(cmd *cobra.Command, id string, args []string) error {
	if err := f.formatKnown(); err != nil {
		return err
	}
	o, l, err := f.see(cmd, args, "", func(x diag.Finding) bool { return strings.HasPrefix(x.ID, id) || strings.HasPrefix(x.Pair, id) })
	if err != nil {
		return err
	}
	defer o.Close()
	r := l.Report
	one, err := fix.Pick(r.Findings, r.Latent, id)
	if err != nil {
		return usageError{err}
	}
	r.Findings, r.Latent, r.Gaps = []diag.Finding{one}, nil, one.Gaps
	if r.Gaps == nil {
		r.Gaps = []diag.Gap{}
	}
	return f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return write(w, report.Format(f.format), r, report.Options{Full: true})
	})
}

// prepare tells the pipeline what to look back over.
func (f *scanning) prepare(ctx context.Context, o *opened) error {
	o.input.Rules = hazards.Rules()
	o.input.All, o.input.Verbose, o.input.Names = f.all, f.verbose, f.authors
	if f.past.None() {
		if len(f.removed) > 0 {
			return usagef("--assume-removed answers for releases: say --history N")
		}
		return nil
	}
	if err := o.lookBack(ctx, f); err != nil {
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
