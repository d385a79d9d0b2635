package worker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// descriptors are enough for the pipes, the runtime's own and a margin.
const descriptors = 64

// containSystem has the layers of Linux, from the inside. The order matters: the filter of system calls comes last, since
// the others need calls that it forbids.
func containSystem(l Limits) []Layer {
	return []Layer{limitMemory(l), limitResources(), restrictFiles(), restrictTCP(), filterCalls()}
}

// limitMemory sets RLIMIT_DATA, which counts what the runtime really maps (RLIMIT_AS would count its reservations). The
// process dies of the first mapping beyond it, with "out of memory" on standard error.
func limitMemory(l Limits) Layer {
	layer := Layer{Name: MemoryLayer}
	if l.Memory <= 0 {
		layer.Detail = "none asked for"
		return layer
	}
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(l.Memory), Max: uint64(l.Memory)}); err != nil {
		layer.Detail = fmt.Sprintf("RLIMIT_DATA: %v", err)
		return layer
	}
	layer.Active, layer.Detail = true, fmt.Sprintf("%d MiB, RLIMIT_DATA", l.Memory>>20)
	return layer
}

// limitResources forbids core dumps, which would hold secrets, and files that grow.
func limitResources() Layer {
	layer := Layer{Name: DumpLayer, Active: true}
	for _, limit := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"RLIMIT_CORE", unix.RLIMIT_CORE, 0},
		{"RLIMIT_FSIZE", unix.RLIMIT_FSIZE, 0},
		{"RLIMIT_NOFILE", unix.RLIMIT_NOFILE, descriptors},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			layer.Active, layer.Detail = false, fmt.Sprintf("%s: %v", limit.name, err)
		}
	}
	return layer
}

// restrictFiles takes away every file and directory: reading, writing, creating, executing. It believes what it sees, not
// the version of the kernel.
func restrictFiles() Layer {
	layer := Layer{Name: FilesLayer}
	err := landlock.V11.BestEffort().RestrictPaths()
	if err != nil {
		layer.Detail = fmt.Sprintf("Landlock: %v", err)
		return layer
	}
	if f, err := os.Open("/"); !errors.Is(err, fs.ErrPermission) {
		f.Close()
		layer.Detail = "the kernel has no Landlock"
		return layer
	}
	layer.Active, layer.Detail = true, fmt.Sprintf("Landlock %d", landlockVersion())
	return layer
}

// restrictTCP takes away TCP, and UDP where the kernel can.
func restrictTCP() Layer {
	layer := Layer{Name: TCPLayer}
	if err := landlock.V11.BestEffort().RestrictNet(); err != nil {
		layer.Detail = fmt.Sprintf("Landlock: %v", err)
		return layer
	}
	if v := landlockVersion(); v < 4 {
		layer.Detail = fmt.Sprintf("the kernel has Landlock %d, 4 is needed", v)
		return layer
	}
	layer.Active, layer.Detail = true, fmt.Sprintf("Landlock %d", landlockVersion())
	return layer
}

func landlockVersion() int {
	v, err := landlocksys.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return v
}
