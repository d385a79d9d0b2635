package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
)

func demoCommand() *cobra.Command {
	f := scanning{all: true}
	var keep string
	var fix bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Build the repositories of a believable incident and scan them",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			dir := keep
			if dir == "" {
				if dir, err = os.MkdirTemp("", "syncproof-demo-"); err != nil {
					return fmt.Errorf("make a place for the demo: %w", err)
				}
				defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			}
			if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
				return usagef("--keep %s: the directory is not empty", dir)
			}
			repos, err := demo.Build(cmd.Context(), dir)
			if err != nil {
				return err
			}
			if keep != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "manifests    %s\napplication  %s\n", repos.Manifests, repos.Application)
			}
			if fix {
				return f.playFix(cmd, repos)
			}
			return f.play(cmd, repos)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "take the incident to its end: plan the best remedy in stages, commit them, scan again")
	cmd.Flags().StringVar(&keep, "keep", "", "leave the repositories in `DIR`, which must be empty or not exist")
	cmd.Flags().StringVar(&f.format, "format", string(report.Text), "text or json")
	cmd.Flags().StringVar(&f.output, "output", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&f.rev, "rev", "", "scan the manifests at this revision (tags: incident, turning-point; branch: fixed)")
	cmd.Flags().StringVar(&f.history, "history", strconv.Itoa(math.MaxInt32-1), "judge the releases among the last `N` commits, or of SINCE.. only")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "list the units")
	cmd.Flags().IntVar(&f.jobs, "jobs", 2, "renderings at once")
	return cmd
}

// play scans the manifests with all their releases. That the images serve the protos of the application's repository is what
// a configuration would say.
func (f *scanning) play(cmd *cobra.Command, repos demo.Repositories) error {
	f.window = pipeline.DefaultWindow
	if err := f.formatKnown(); err != nil {
		return err
	}
	if err := f.readHistory(); err != nil {
		return err
	}
	o, err := f.open(cmd.Context(), []string{repos.Manifests})
	if err != nil {
		return err
	}
	defer o.Close()
	o.serving(repos)
	return f.scan(cmd, o, nil)
}

// serving is what a configuration would say: images serve the protos of the application's repository.
func (o *opened) serving(repos demo.Repositories) {
	serves := &config.Serves{Repository: "../" + filepath.Base(repos.Application), Revision: "{{tag}}", Protos: "proto"}
	provider := config.End{Kind: "ConfigMap", Namespace: "api", Name: "api-descriptor"}
	o.input.Discover.Config.Pairs = []config.Pair{
		{Consumer: config.End{Kind: "Rollout", Namespace: "api", Name: "api"}, Provider: provider, Serves: serves},
		{Consumer: config.End{Kind: "Deployment", Namespace: "api", Name: "partner-gateway"}, Provider: provider, Serves: serves},
	}
}
