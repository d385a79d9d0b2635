//go:build !unix

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

func attributes(isolation) *syscall.SysProcAttr { return nil }

// startLayers: a worker still ends with its parent, by the end of its input.
func startLayers(isolation) []Layer {
	return []Layer{
		{Name: OrphanLayer, Active: true, Detail: "end of input"},
		{Name: NetworkLayer, Detail: "Linux only"},
	}
}

// emptyDirectory is the parent's own: there is no directory here that is sure to exist.
func emptyDirectory() string { return "" }

func keepDescriptors() {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
