// Package cli is the command line: flags, commands, exit codes, and the hidden command that turns this binary into a
// render worker.
//
// In go arguments and three streams, out comes an exit code; nothing here touches the process beyond them. It refuses to
// contain logic: each command opens what it needs, calls one stage and prints.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/report"
)

// Exit codes, part of the contract with scripts.
const (
	ExitOK      = 0 // nothing that fails
	ExitFailing = 1 // something of the failing set was found, or a gap with --strict
	ExitUsage   = 2 // unknown flag, bad configuration, an input that is missing or is not what it should be
	ExitFailure = 3 // we failed
)

// usageError is a mistake of whoever called us.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// failing ends a command with ExitFailing; what failed has been printed.
type failing struct{}

func (failing) Error() string { return "failing" }

// Main runs one command. args[0] is the name that the program was called by.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is an error of writing, so that what was started is ended
	root := command()
	root.SetArgs(args[1:])
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, failing{}):
		return ExitFailing
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, report.Line(fmt.Sprintf("syncproof: %v", err)))
		return ExitUsage
	case errors.Is(err, syscall.EPIPE):
		return ExitOK // whoever reads our output has seen enough
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "syncproof: interrupted")
		return ExitFailure
	}
	fmt.Fprintln(stderr, report.Line(fmt.Sprintf("syncproof: %v", err)))
	return ExitFailure
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "syncproof",
		Version:       version,
		Short:         "Find what must match but is delivered apart",
		Long:          "syncproof reads a GitOps repository and shows what must match but is delivered by two units, each on its own clock.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; see %s --help", args[0], cmd.Name())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(scanCommand(), checkCommand(), explainCommand(), fixCommand(), pairCommand(), renderCommand(), demoCommand(), versionCommand(), workerCommand())
	return root
}

// onePath accepts at most one argument.
func onePath(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("one PATH at most, got %d", len(args))
	}
	return nil
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("no arguments expected, got %q", args[0])
	}
	return nil
}
