package render

import (
	"errors"
	"fmt"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/unit"
)

// death is a worker that ended before its job was done.
type death struct {
	timedOut bool
	err      error // what this side saw of it
	exit     worker.Exit
}

// passing tells whether the same job may live in another worker: not if it computed for all of its time (a worker that
// starved on a busy machine did not), nor if it recursed without end or asked for too much.
func (d *death) passing(o Options) bool {
	switch {
	case d.timedOut:
		return d.exit.CPU < o.Timeout*8/10
	case errors.Is(d.err, errTooMuch), d.exit.Overflowed():
		return false
	}
	return true
}

// rendering is the gap that a death is.
func (d *death) rendering(req unit.Request, o Options) unit.Rendering {
	gap := diag.Gap{Reason: diag.RenderLimit, At: object.Location{File: req.Source.Path}}
	switch {
	case d.timedOut:
		gap.Message = fmt.Sprintf("rendering takes longer than %s", o.Timeout.Round(time.Millisecond))
		gap.Close = "raise limits.unitTimeout in .syncproof.yaml, unless a template does not end"
	case errors.Is(d.err, errTooMuch):
		gap.Message = "rendering reads too many files, or too much of them"
		gap.Close = "make the unit smaller"
	case d.exit.Overflowed():
		gap.Message = "rendering recurses without end"
		gap.Close = "break the recursion, such as a template that includes itself"
	case d.exit.OutOfMemory():
		gap.Message = fmt.Sprintf("rendering needs more than %d MiB of memory", o.Memory>>20)
		gap.Close = "raise limits.unitMemory in .syncproof.yaml, unless a template grows without end"
	case d.exit.Panicked():
		gap.Reason = diag.RenderFailed
		gap.Message = "the renderer crashed"
		gap.Close = "report it to the project, with the files if they may be shown"
	case errors.Is(d.err, worker.ErrFrame), errors.Is(d.err, errBroken):
		gap.Message = "rendering gives more than the bounds allow, or the renderer broke off"
		gap.Close = "make the unit smaller, or report it to the project"
	case d.exit.Code >= 0:
		gap.Message = fmt.Sprintf("the renderer's process ended with exit code %d", d.exit.Code)
		gap.Close = "report it to the project, with the files if they may be shown"
	default:
		gap.Message = "the renderer's process was killed, for lack of memory on this machine perhaps"
		gap.Close = "run again with a smaller --jobs"
	}
	return unit.Rendering{Gaps: []diag.Gap{gap}}
}
