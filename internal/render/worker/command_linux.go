package worker

import (
	"math"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolation is how far a process is cut off by the way it is started.
type isolation int

const (
	isolated isolation = iota // with namespaces of its own
	plain
)

// attributes: the user namespace is there to be allowed the network namespace. No user is mapped into it, so the worker
// is nobody inside.
func attributes(i isolation) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if i == isolated {
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
	}
	return attr
}

func startLayers(i isolation) []Layer {
	layers := []Layer{
		{Name: OrphanLayer, Active: true, Detail: "death signal"},
		{Name: AddressesLayer, Active: true},
	}
	if i == isolated {
		layers = append(layers, Layer{Name: NetworkLayer, Active: true, Detail: "own network namespace"})
	}
	return layers
}

func emptyDirectory() string { return "/" }

// keepDescriptors makes every descriptor that this process was itself given, such as one of a shell, end here. Those that
// Go opens do so anyway. Kernels before 5.11 cannot; the worker can then read what its parent's parent left open.
func keepDescriptors() {
	unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// killGroup kills the process and whatever it may have started.
func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
