package source

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// writerCommand is a git command that knows nothing of the machine: no configuration, no other program.
type writerCommand struct {
	*exec.Cmd
	what   string
	stderr bytes.Buffer
}

func newWriterCommand(ctx context.Context, bin string, args ...string) *writerCommand {
	c := &writerCommand{what: args[0]}
	args = append([]string{"-c", "core.fsmonitor=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0"}, args...)
	c.Cmd = exec.CommandContext(ctx, bin, args...)
	c.Stderr = &c.stderr
	c.Env = []string{
		"PATH=" + os.DevNull, "HOME=" + os.DevNull, "XDG_CONFIG_HOME=" + os.DevNull, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_COMMITTER_NAME=writer", "GIT_COMMITTER_EMAIL=writer@example.com", // for the reflog of the checkout
	}
	return c
}

func (c *writerCommand) run() error {
	if err := c.Run(); err != nil {
		return c.explain(err)
	}
	return nil
}

// explain adds what git wrote to its standard error; the process must have ended.
func (c *writerCommand) explain(err error) error {
	err = fmt.Errorf("git %s: %w", c.what, err)
	if s := strings.TrimSpace(c.stderr.String()); s != "" {
		return fmt.Errorf("%w: %s", err, s)
	}
	return err
}
