package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/syncproof/syncproof/internal/cli"
)

// TestMain lets this binary be three things: the tests, the program in scripts, and the program's render workers.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "render-worker" {
		os.Exit(run())
	}
	testscript.Main(m, map[string]func(){"syncproof": func() { os.Exit(run()) }})
}

func run() int { return cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_AUTHOR_NAME", "platform-team")
			env.Setenv("GIT_AUTHOR_EMAIL", "platform-team@example.com")
			env.Setenv("GIT_AUTHOR_DATE", "2026-01-20T09:30:00Z")
			env.Setenv("GIT_COMMITTER_NAME", "platform-team")
			env.Setenv("GIT_COMMITTER_EMAIL", "platform-team@example.com")
			env.Setenv("GIT_COMMITTER_DATE", "2026-01-20T09:30:00Z")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "compile": compile, "embed": embed, "spoil": spoil,
		},
		Condition: func(cond string) (bool, error) {
			if cond != "race" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return raceEnabled, nil
		},
		RequireExplicitExec: true,
	})
}

// exits runs a program and compares its exit code: exits CODE PROGRAM ARGUMENTS.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENTS")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
