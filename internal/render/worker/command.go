package worker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Command starts worker processes: a program that calls [Main]. It is meant for the binary itself with a hidden command.
type Command struct {
	Path string // absolute
	Args []string
}

// Start starts one process. It has its own process group, the root directory, no environment and no descriptors but its
// pipes, dies with its parent where the system can do that, and has a network namespace without interfaces where it may.
// An error means that no process runs.
func (c Command) Start() (*Process, error) {
	p, err := c.fallback(c.start)
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	return p, nil
}

// fallback starts without namespaces if it cannot be done with them: many systems forbid them to unprivileged users, each
// with an error of its own.
func (c Command) fallback(start func(isolation) (*Process, error)) (*Process, error) {
	p, err := start(isolated)
	if err == nil || isolated == plain {
		return p, err
	}
	reason := err
	if about := new(fs.PathError); errors.As(err, &about) {
		reason = about.Err
	}
	p, err = start(plain)
	if err != nil {
		return nil, err
	}
	p.Layers = append(p.Layers, Layer{Name: NetworkLayer, Detail: fmt.Sprintf("user namespaces are forbidden: %v", reason)})
	return p, nil
}

func (c Command) start(i isolation) (*Process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		in.Close()
		return nil, err
	}
	var stderr head
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = []string{}
	cmd.Dir = emptyDirectory()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, &stderr
	cmd.WaitDelay = time.Second // for descendants that hold standard error open
	cmd.SysProcAttr = attributes(i)

	p := &Process{In: in, Out: out, Layers: startLayers(i), done: make(chan struct{})}
	p.kill = func() {
		select {
		case <-p.done: // the number may be another's by now
		default:
			killGroup(cmd)
		}
	}
	keepDescriptors()
	started := make(chan error)
	go func() {
		// The death signal is bound to the thread that starts the process, not to the parent as a whole. So this thread
		// stays with the process until it has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		childIn.Close()
		childOut.Close()
		started <- err
		if err != nil {
			return
		}
		cmd.Wait() // how it ended is in ProcessState
		p.exit = Exit{
			Code:   cmd.ProcessState.ExitCode(),
			Stderr: stderr.String(),
			CPU:    cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return p, nil
}
