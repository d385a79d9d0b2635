// Package render turns a unit's source into objects, in worker processes that can do nothing else.
//
// In go a tree and a [unit.Request]; out come a [unit.Rendering] and the trace of what was read for it. It refuses to
// run anything of a repository in this process: engines, and with them template functions, parsers of unknown input and
// their bugs, live in workers that are contained, limited and killed (package worker). What a repository does to a worker
// becomes a gap of its unit; a Go error means that we failed.
package render

import (
	"context"
	"errors"

	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Renderer renders one source. It may be called by several goroutines at once. The error is ours: no worker can be
// started, the context has ended, the renderer is closed. All else that goes wrong is a gap.
type Renderer interface {
	Render(ctx context.Context, t source.Tree, req unit.Request) (Result, error)
}

// Result is a rendering and what it depends on. Nobody changes it.
//
// A rendering with a gap of reason [diag.RenderLimit] depends on this machine as well, not on the trace alone: it is not
// to be kept.
type Result struct {
	unit.Rendering
	Trace source.Trace
	// Died tells that a worker died of it, which it may not do again: not to be kept either.
	Died bool
}

// Starter starts workers: a [worker.Command] in the product, a [worker.InProcess] in most tests.
type Starter interface {
	Start() (*worker.Process, error)
}

// ErrClosed is what a closed pool answers.
var ErrClosed = errors.New("the pool of renderers is closed")
