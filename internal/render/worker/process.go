package worker

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Process is one running worker as its parent holds it: two ends of pipes and the means to end it.
type Process struct {
	In     io.WriteCloser // frames to the worker
	Out    io.ReadCloser  // frames from the worker
	Layers []Layer        // what its start contains it with; the worker itself tells the rest

	once sync.Once
	kill func()
	done chan struct{} // closed when it has ended and exit is set
	exit Exit
}

// Exit says how a worker ended.
type Exit struct {
	Code   int           // exit code; -1 when a signal ended it or nothing is known
	Stderr string        // the beginning of what it wrote there; never to be printed, it may quote anything
	CPU    time.Duration // time that it computed
}

// The reasons of death are known by what the Go runtime writes on standard error before it exits (runtime/malloc.go,
// runtime/mem_linux.go, runtime/os_linux.go, runtime/cgo/gcc_libinit.go, runtime/stack.go, runtime/panic.go). Nothing else
// of that text is used.

// OutOfMemory tells whether the process met its memory limit. A thread that cannot be created has no stack to be had, and
// where a map is refused to the collector, the runtime itself may fault: on its own stack, goroutine 0.
func (e Exit) OutOfMemory() bool {
	if strings.HasPrefix(e.Stderr, "SIGSEGV") && e.says("goroutine 0 ") {
		return true
	}
	return e.says("out of memory", "cannot allocate memory", "pthread_create failed", "failed to create new OS thread")
}

// Overflowed tells whether it recursed without end.
func (e Exit) Overflowed() bool { return e.says("stack overflow") }

// Panicked tells whether a goroutine of an engine panicked.
func (e Exit) Panicked() bool { return e.says("panic:") }

func (e Exit) says(any ...string) bool {
	return slices.ContainsFunc(any, func(text string) bool { return strings.Contains(e.Stderr, text) })
}

// End kills the worker unless it has ended, closes both pipes and waits for its end. It may be called at any time, from
// any goroutine and more than once.
func (p *Process) End() Exit {
	p.once.Do(func() {
		p.kill()
		p.In.Close()
		p.Out.Close()
	})
	<-p.done
	return p.exit
}

// Await gives the worker a moment to end by itself, as one that has just broken off does, and then ends it. What it says
// on standard error is complete only when it has ended.
func (p *Process) Await(moment time.Duration) Exit {
	select {
	case <-p.done:
	case <-time.After(moment):
	}
	return p.End()
}

// head keeps the first bytes that are written to it and takes the rest without keeping it.
type head struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

// keptStderr is enough for the runtime's reason of death, which comes first.
const keptStderr = 16 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room := keptStderr - h.kept.Len(); room > 0 {
		h.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kept.String()
}
