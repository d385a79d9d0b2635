package cli

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/lookback"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
)

// scanning holds the flags of scan.
type scanning struct {
	reading
	format  string
	all     bool
	verbose bool
	history string
	past    lookback.Range // what history says
	window  time.Duration
	removed []string // consumers that are taken to be gone
	authors bool     // persons are named
}

func scanCommand() *cobra.Command {
	var f scanning
	cmd := &cobra.Command{
		Use:   "scan [PATH]",
		Short: "Show units, what they reference across each other, and what could not be seen",
		Args:  onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.format, "format", string(report.Text), strings.Join(formatNames(), ", "))
	cmd.Flags().BoolVar(&f.all, "all", false, "list latent pairs, and what is safe or undecided")
	f.registerHistory(cmd)
	cmd.Flags().BoolVar(&f.authors, "show-authors", false, authorsHelp)
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "list the units and what references what")
	return cmd
}

// formatKnown refuses a format that is none.
func (f *scanning) formatKnown() error {
	if !slices.Contains(formats(), report.Format(f.format)) {
		return usagef("--format %q: say %s", f.format, strings.Join(formatNames(), ", "))
	}
	return nil
}

func (f *scanning) run(cmd *cobra.Command, args []string) error {
	if err := f.formatKnown(); err != nil {
		return err
	}
	if err := f.readHistory(); err != nil {
		return err
	}
	o, err := f.open(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer o.Close()
	return f.scan(cmd, o, failScan)
}

// scan runs the pipeline and prints. words say which findings fail.
func (f *scanning) scan(cmd *cobra.Command, o *opened, words []string) error {
	if err := f.prepare(cmd.Context(), o); err != nil {
		return err
	}
	clear := f.show(cmd.ErrOrStderr(), o)
	r, err := pipeline.Run(cmd.Context(), o.input)
	clear()
	interrupted := err != nil && cmd.Context().Err() != nil && r.Schema != 0
	if err != nil && !interrupted {
		return err
	}
	if interrupted && len(r.Findings) == 0 {
		return err // nothing that is worth a report
	}
	stop := err
	err = f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return write(w, report.Format(f.format), r, report.Options{Units: f.verbose})
	})
	if err != nil {
		return err
	}
	if interrupted {
		return stop
	}
	if f.strict && len(r.Gaps) > 0 || slices.ContainsFunc(r.Findings, func(d diag.Finding) bool { return fails(d, words) }) {
		return failing{}
	}
	return nil
}
