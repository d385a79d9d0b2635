package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
)

// scanning holds the flags of scan.
type scanning struct {
	reading
	format  string
	all     bool
	verbose bool
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
	cmd.Flags().StringVar(&f.format, "format", string(report.Text), "text or json")
	cmd.Flags().BoolVar(&f.all, "all", false, "list latent pairs")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "list the units and what references what")
	return cmd
}

func (f *scanning) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(report.Formats(), report.Format(f.format)) {
		return usagef("--format %q: text or json", f.format)
	}
	o, err := f.open(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer o.Close()
	return f.scan(cmd, o)
}

func (f *scanning) scan(cmd *cobra.Command, o *opened) error {
	o.input.Rules = hazards.Rules()
	o.input.All, o.input.Verbose = f.all, f.verbose
	clear := f.show(cmd.ErrOrStderr(), o.pool)
	r, err := pipeline.Run(cmd.Context(), o.input)
	clear()
	if err != nil {
		return err
	}
	err = f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return report.Write(w, report.Format(f.format), r, report.Options{Units: f.verbose})
	})
	if err != nil {
		return err
	}
	if f.strict && len(r.Gaps) > 0 {
		return failing{}
	}
	return nil
}
