package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
)

// workerName is the hidden command that a render worker is started with.
const workerName = "render-worker"

func workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    workerName,
		Short:  "Render on behalf of a parent process",
		Hidden: true,
		Args:   noArguments,
		RunE: func(*cobra.Command, []string) error {
			if code := worker.Main(render.Engines()); code != 0 {
				return fmt.Errorf("worker ended with %d", code)
			}
			return nil
		},
	}
}

// newPool starts worker processes from this very binary.
func newPool(limits config.Limits, jobs int) (*render.Pool, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the program to start workers from: %w", err)
	}
	return render.NewPool(worker.Command{Path: exe, Args: []string{workerName}}, render.Options{
		Size:    jobs,
		Timeout: limits.UnitTimeout,
		Memory:  limits.UnitMemory,
	}), nil
}
