package worker

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asParent is the first argument that makes the test binary the parent of a worker.
const asParent = "parent-under-test"

// parentUnderTest starts a worker with or without a death signal, stops it, so that it cannot see its input end, prints its
// number and waits to be killed.
func parentUnderTest(mode string) int {
	if err := parentWaits(mode); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func parentWaits(mode string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	c := Command{Path: exe, Args: []string{asWorker}}
	p, err := c.start(plain)
	if mode == "without" {
		p, err = startWithoutSignal(c)
	}
	if err != nil {
		return err
	}
	if _, err := greet(p, 0); err != nil {
		return err
	}
	pid, err := try(p, "pid", "")
	if err != nil {
		return err
	}
	go try(p, "stop", "")
	number, _ := strconv.Atoi(strings.TrimPrefix(pid, "failed: "))
	for state(number) != "T" {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(number)
	select {}
}

func startWithoutSignal(c Command) (*Process, error) {
	cmd := exec.Command(c.Path, c.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Process{In: in, Out: out}, cmd.Start()
}

// state is the letter that Linux has for the state of a process; "" when there is none.
func state(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	return rest[:1]
}

// TestOrphan kills a parent with SIGKILL, which leaves it no chance to end its worker.
func TestOrphan(t *testing.T) {
	for _, c := range []struct {
		mode string
		ends bool
	}{{"without", false}, {"with", true}} {
		t.Run(c.mode, func(t *testing.T) {
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe, asParent, c.mode)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, _ := bufio.NewReader(out).ReadString('\n')
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			cmd.Process.Kill()
			cmd.Wait()
			if err != nil {
				t.Fatalf("the parent says %q", line)
			}
			ended := false
			for range 100 {
				if s := state(pid); s == "" || s == "Z" {
					ended = true
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			if !ended {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			if ended != c.ends {
				t.Errorf("the worker has ended: %v, want %v", ended, c.ends)
			}
		})
	}
}
