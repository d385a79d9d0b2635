package render

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Bounds of a conversation. They are far above what a repository needs and far below what harms this process.
const (
	maxObjects = 50_000
	maxOutput  = 64 << 20 // bytes of rendered documents
	maxHead    = 32 << 20 // bytes of what stands beside them
)

// bounds are those that tests lower.
type bounds struct {
	asks   int   // questions in one rendering
	served int64 // bytes of files in one rendering
}

func defaultBounds() bounds { return bounds{asks: 500_000, served: 512 << 20} }

// conn is the parent's end of one worker.
type conn struct {
	process *worker.Process
	bounds  bounds
	layers  []worker.Layer
	jobs    int    // done so far
	retire  bool   // not fit for another one
	last    uint64 // id of the last job
}

// Why a conversation ended when it was not the worker that hung up.
var (
	errBroken  = errors.New("the worker broke the protocol")
	errTooMuch = errors.New("the rendering asks for more than the bounds allow")
)

// greet makes a started process a worker. On an error the process has ended.
func greet(ctx context.Context, process *worker.Process, o Options, b bounds) (*conn, error) {
	c := &conn{process: process, bounds: b}
	stop, end := c.endAfter(ctx, o.Greeting)
	defer stop()
	hello := worker.Hello{Key: o.Key, Memory: max(o.Memory, 0)}
	err := worker.WriteFrame(process.In, worker.HelloKind, hello, nil)
	if err == nil {
		var ready worker.Ready
		if err = c.expectReady(&ready); err == nil {
			c.layers = append(ready.Layers, process.Layers...)
			return c, nil
		}
	}
	exit := process.Await(time.Second)
	if end.timedOut() {
		return nil, fmt.Errorf("it says nothing for %s", o.Greeting)
	}
	return nil, fmt.Errorf("%w (exit code %d)", err, exit.Code)
}

func (c *conn) expectReady(ready *worker.Ready) error {
	limits := map[worker.Kind]worker.Limit{worker.ReadyKind: {Head: 64 << 10}}
	_, head, _, err := worker.ReadFrame(c.process.Out, limits)
	if err != nil {
		return err
	}
	return worker.DecodeHead(head, ready)
}

// render runs one job. A death means that the worker has ended and that there is no rendering.
func (c *conn) render(ctx context.Context, t *source.Recorder, req unit.Request, limit time.Duration) (unit.Rendering, *death) {
	stop, end := c.endAfter(ctx, limit)
	defer stop()
	c.last++
	c.jobs++
	rendering, err := c.converse(t, worker.NewJob(c.last, req))
	if err == nil {
		if end.timedOut() || ctx.Err() != nil { // ended in the same moment: the worker is not to be used again
			c.retire = true
		}
		return rendering, nil
	}
	var exit worker.Exit
	if errors.Is(err, worker.ErrFrame) || errors.Is(err, errBroken) || errors.Is(err, errTooMuch) {
		exit = c.process.End()
	} else {
		exit = c.process.Await(deathMoment)
	}
	return unit.Rendering{}, &death{timedOut: end.timedOut(), err: err, exit: exit}
}

// deathMoment is how long a worker that hung up may take to end and to say why.
const deathMoment = 2 * time.Second

// converse answers the worker's questions until it is done.
func (c *conn) converse(t *source.Recorder, job worker.Job) (unit.Rendering, error) {
	if err := worker.WriteFrame(c.process.In, worker.JobKind, job, nil); err != nil {
		return unit.Rendering{}, err
	}
	limits := map[worker.Kind]worker.Limit{
		worker.AskKind:  {Head: 16 << 10},
		worker.DoneKind: {Head: maxHead, Body: maxOutput},
	}
	desk := desk{tree: t, left: c.bounds.served}
	for range c.bounds.asks {
		kind, head, body, err := worker.ReadFrame(c.process.Out, limits)
		if err != nil {
			return unit.Rendering{}, err
		}
		if kind == worker.DoneKind {
			return c.finish(job.ID, head, body)
		}
		answer, contents, err := desk.answer(head)
		if err != nil {
			return unit.Rendering{}, err
		}
		if err := worker.WriteFrame(c.process.In, worker.AnswerKind, answer, contents); err != nil {
			return unit.Rendering{}, err
		}
	}
	return unit.Rendering{}, errTooMuch
}

func (c *conn) finish(id uint64, head, body []byte) (unit.Rendering, error) {
	var done worker.Done
	if err := worker.DecodeHead(head, &done); err != nil {
		return unit.Rendering{}, fmt.Errorf("%w: %w", errBroken, err)
	}
	if done.ID != id {
		return unit.Rendering{}, fmt.Errorf("%w: the answer of another job", errBroken)
	}
	c.retire = done.Retire
	rendering, err := decode(done, body)
	if err != nil {
		return unit.Rendering{}, fmt.Errorf("%w: %w", errBroken, err)
	}
	return rendering, nil
}

func (c *conn) end() { c.process.End() }

// endAfter ends the worker when the limit has passed or the context ends, until stop is called. Whoever waits for the
// worker then fails, since its pipes are closed.
func (c *conn) endAfter(ctx context.Context, limit time.Duration) (stop func(), end *ending) {
	end = new(ending)
	timer := time.AfterFunc(limit, func() {
		end.late.Store(true)
		c.process.End()
	})
	stopContext := context.AfterFunc(ctx, func() { c.process.End() })
	return func() {
		timer.Stop()
		stopContext()
	}, end
}

// ending notes why a worker was ended.
type ending struct{ late atomic.Bool }

func (e *ending) timedOut() bool { return e.late.Load() }
