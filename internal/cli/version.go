package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/config"
)

// version is set by the linker.
var version = "dev"

// engines are the modules whose version decides what a rendering looks like.
var engines = []struct{ name, module string }{
	{"helm", "helm.sh/helm/v4"},
	{"kustomize", "sigs.k8s.io/kustomize/api"},
}

func versionCommand() *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version; with -v those of the engines, and how render workers are contained here",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(cmd.OutOrStdout(), "syncproof %s\n", version)
			if !verbose {
				return nil
			}
			return printDetails(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "versions of the engines, layers of containment")
	return cmd
}

func printDetails(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "%-12s %s %s/%s\n", "go", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, e := range engines {
			for _, dep := range info.Deps {
				if dep.Path == e.module {
					fmt.Fprintf(w, "%-12s %s\n", e.name, dep.Version)
				}
			}
		}
	}
	defaults := config.Default()
	fmt.Fprintf(w, "%-12s Argo CD %s, Kubernetes %s\n", "assumed", defaults.Controller.ArgoCD, defaults.Kubernetes.Version)
	pool, err := newPool(defaults.Limits, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	layers, err := pool.Layers(ctx)
	if err != nil {
		return fmt.Errorf("ask a render worker: %w", err)
	}
	for i, l := range layers {
		name := "containment"
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(w, "%-12s %s\n", name, l)
	}
	return nil
}
