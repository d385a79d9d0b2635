package worker

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Limits are what a worker contains itself with.
type Limits struct {
	Memory int64 // bytes; 0 for none
	// Exceeded is called when a watcher, not the system, finds that Memory is exceeded. It ends the process.
	Exceeded func()
}

// Layer is one layer of containment and whether it holds on this machine.
type Layer struct {
	Name   string
	Active bool
	Detail string // why not, or how far
}

// String is one line for people.
func (l Layer) String() string {
	state := "active"
	if !l.Active {
		state = "missing"
	}
	if l.Detail == "" {
		return l.Name + ": " + state
	}
	return fmt.Sprintf("%s: %s (%s)", l.Name, state, l.Detail)
}

// The names of the layers.
const (
	MemoryLayer    = "memory limit"
	FilesLayer     = "no files"
	TCPLayer       = "no TCP"
	NetworkLayer   = "no network"
	SyscallLayer   = "no programs, no sockets"
	OrphanLayer    = "ends with its parent"
	TimeLayer      = "time limit"
	DumpLayer      = "no core dumps, few descriptors"
	AddressesLayer = "empty environment and directory"
)

// maxStack ends endless recursion long before the memory limit does, with words of its own on standard error.
const maxStack = 256 << 20

// Contain restricts this process for good: everything that it does from now on, whatever the engines do. It restricts
// what the system allows and says what it could not. Nothing of a repository may have been read before.
func Contain(l Limits) []Layer {
	limitRuntime(l)
	return containSystem(l)
}

// limitRuntime sets the limits that the Go runtime keeps. Its memory limit is a soft one, below the hard one, that makes
// the collector work harder.
func limitRuntime(l Limits) {
	debug.SetMaxStack(maxStack)
	if l.Memory > 0 {
		// Renderings are short and their garbage is plenty: collecting less often costs memory that is bounded anyway.
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(l.Memory / 5 * 4)
	}
}

// watchMemory tells when the runtime has mapped more than the limit. It stands in for a hard limit where the system has
// none: all engines are Go, so what they take shows here.
func watchMemory(l Limits) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		metrics.Read(sample)
		if sample[0].Value.Uint64()-sample[1].Value.Uint64() > uint64(l.Memory) {
			l.Exceeded()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
