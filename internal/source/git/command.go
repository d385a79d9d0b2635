package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// Bounds of what one git command may take. A pipe in the place of a file below .git, say, would block git for ever.
const (
	gitPatience = 2 * time.Minute
	gitOutput   = 256 << 20
	gitErrors   = 4 << 10
)

// runner runs commands of the git program on one repository; why nothing else is run stands at [Repository].
type runner struct {
	bin      string // absolute
	dir      string // where commands run
	env      []string
	patience time.Duration
	output   int // bytes that one command may write
}

// exitError is a command of git that failed.
type exitError struct {
	code   int // exit code, -1 if a signal ended it
	stderr string
}

func (e *exitError) Error() string {
	if e.stderr == "" {
		return fmt.Sprintf("git ended with code %d", e.code)
	}
	return "git: " + e.stderr
}

// Find gives the absolute path of the git binary.
func Find(bin string) (string, error) {
	if bin == "" {
		bin = "git"
	}
	found, err := exec.LookPath(bin)
	if err != nil {
		return "", fmt.Errorf("the git program is needed: %w", err)
	}
	return filepath.Abs(found)
}

// newRunner makes the runner for a repository, without a work tree.
func newRunner(bin string, at place) *runner {
	dir := at.gitDir
	if at.linked {
		dir = at.top // the other one is a file
	}
	return &runner{bin: bin, dir: dir, patience: gitPatience, output: gitOutput, env: []string{
		"GIT_DIR=" + at.gitDir,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, // there is no HOME either
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE=" + os.DevNull,
		"GIT_OPTIONAL_LOCKS=0",
		"PATH=" + os.DevNull,
		"GIT_EXEC_PATH=" + os.DevNull,
		"LC_ALL=C",
	}}
}

// setWorkTree goes before core.worktree, which could name any place of the host.
func (g *runner) setWorkTree(top string) {
	g.dir = top
	g.env = append(g.env, "GIT_WORK_TREE="+top)
}

// overrides come before the configuration of the repository. The first block is about programs: hooks and the monitor
// when an index is read, helpers when something is fetched, and what commands would start that are not run here today.
// The second block is about files of the host, the third one keeps git from refusing or from quoting, and from believing a
// file that could name other parents than the commits themselves.
var overrides = [...]string{
	"core.fsmonitor=false",
	"core.hooksPath=" + os.DevNull,
	"core.sshCommand=false",
	"core.gitProxy=false",
	"core.askPass=false",
	"core.alternateRefsCommand=false",
	"core.pager=false",
	"credential.helper=",
	"protocol.allow=never",
	"fetch.bundleURI=",
	"gc.auto=0",
	"maintenance.auto=false",
	"log.showSignature=false",
	"gpg.program=false",

	"core.attributesFile=" + os.DevNull,
	"core.excludesFile=" + os.DevNull,

	"safe.directory=*", // the owner of a directory does not matter when nothing of it is run
	"safe.bareRepository=all",
	"core.quotePath=off",
	"core.untrackedCache=false",
	"core.commitGraph=false",
}

// command prepares one command; the end of ctx kills it.
func (g *runner) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"--no-pager"}
	for _, o := range overrides {
		all = append(all, "-c", o)
	}
	cmd := exec.CommandContext(ctx, g.bin, append(all, args...)...)
	cmd.Dir = g.dir
	cmd.Env = g.env
	cmd.WaitDelay = time.Second
	return cmd
}

// run gives the output of one command. Errors: of ctx, [ErrTooLarge] for output beyond the bound, *exitError otherwise.
func (g *runner) run(ctx context.Context, args ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	cmd := g.command(limited, args...)
	out := &capped{limit: g.output}
	errs := &tail{limit: gitErrors}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("git %s gave no answer within %s", args[0], g.patience)
	case out.full:
		return nil, fmt.Errorf("output of git %s %w", args[0], ErrTooLarge)
	case errors.As(err, &exit):
		return nil, &exitError{code: exit.ExitCode(), stderr: oneLine(errs.String())}
	case err != nil:
		return nil, fmt.Errorf("run git %s: %w", args[0], err)
	}
	return out.kept, nil
}

// exitCode is the code that git ended with, or -1 when that is not how the command failed.
func exitCode(err error) int {
	var failed *exitError
	if errors.As(err, &failed) {
		return failed.code
	}
	return -1
}

// capped keeps what is written to it and fails beyond its limit, which ends the command that writes.
type capped struct {
	kept  []byte
	limit int
	full  bool
}

func (c *capped) Write(p []byte) (int, error) {
	if len(c.kept)+len(p) > c.limit {
		c.full = true
		return 0, io.ErrShortWrite
	}
	c.kept = append(c.kept, p...)
	return len(p), nil
}

// tail keeps the last bytes written to it: what a command says when it gives up.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.kept) }

// oneLine makes text that a repository had a hand in fit for a message: valid UTF-8, no control characters, one line.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}
