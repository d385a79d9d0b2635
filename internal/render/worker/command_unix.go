//go:build unix && !linux

package worker

import (
	"os/exec"
	"syscall"
)

// isolation is how far a process is cut off by the way it is started: no further here than by its environment.
type isolation int

const (
	plain    isolation = iota
	isolated           = plain
)

func attributes(isolation) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// startLayers: a worker still ends with its parent, by the end of its input.
func startLayers(isolation) []Layer {
	return []Layer{
		{Name: OrphanLayer, Active: true, Detail: "end of input"},
		{Name: AddressesLayer, Active: true},
		{Name: NetworkLayer, Detail: "Linux only"},
	}
}

func emptyDirectory() string { return "/" }

func keepDescriptors() {}

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
