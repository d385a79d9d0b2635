package worker

import (
	"io"
	"sync"
)

// InProcess starts workers as goroutines of this process. They are contained by nothing: an engine that does not end
// goes on after [Process.End], and one that takes all memory takes it from the caller. For tests, and for callers that
// trust what they render.
type InProcess struct {
	Engines Engines
}

// Start starts one worker.
func (s InProcess) Start() (*Process, error) {
	return NewProcess(func(in io.Reader, out io.Writer) {
		Serve(in, out, s.Engines, func(Limits) []Layer { return nil }) // an error is seen by the parent as an end
	}), nil
}

// NewProcess makes a process of a function that plays the worker over two pipes. It counts as ended when the function
// returns, or is told to: then its pipes are closed.
func NewProcess(play func(in io.Reader, out io.Writer)) *Process {
	childIn, in := io.Pipe()
	out, childOut := io.Pipe()
	p := &Process{In: in, Out: out, done: make(chan struct{}), exit: Exit{Code: -1}}
	end := sync.OnceFunc(func() {
		childIn.Close()
		childOut.Close()
		close(p.done)
	})
	p.kill = end
	go func() {
		defer end()
		play(childIn, childOut)
	}()
	return p
}
