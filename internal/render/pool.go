package render

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// The design of the pool in ten lines.
//
// A worker has one job at a time and is asked by one goroutine at a time, which reads what the worker says and answers its
// questions about the tree: a call of Render is that goroutine. Nothing that a worker says is believed: sizes, numbers
// and order are checked, and names go to the tree, which knows no others than its own.
// Every wait for a worker is ended in one way: somebody (the time limit, the caller's context, Close) ends the process,
// which closes its pipes. So there is no second path by which a call could hang.
// A slot is the right to have a worker run a job. Workers start when a slot finds none idle, and an idle one is taken
// again unless it has done Recycle jobs or asked to be retired.
// When a worker dies of a job, the job runs once more in a fresh worker while all other slots are held: what was the
// machine's fault (memory, load) passes then, and what dies twice is a gap of the unit.

// Options are the bounds of a pool. The zero value is usable.
type Options struct {
	Size    int           // workers at a time; 0: as many as processors
	Timeout time.Duration // of one rendering, without the wait for a worker; 0: 30 s
	// Greeting is how long a worker may take to start, which says nothing about what it is to render; 0: 30 s.
	Greeting time.Duration
	Memory   int64  // bytes of one worker, hard; 0: 1500 MiB, negative: none
	Key      []byte // of the digests that stand for secrets; nil: a random one
	Recycle  int    // renderings after which a worker is replaced; 0: 200
}

func (o Options) withDefaults() Options {
	if o.Size <= 0 {
		o.Size = runtime.GOMAXPROCS(0)
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Greeting <= 0 {
		o.Greeting = 30 * time.Second
	}
	if o.Memory == 0 {
		o.Memory = 1500 << 20
	}
	if o.Recycle <= 0 {
		o.Recycle = 200
	}
	if o.Key == nil {
		o.Key = make([]byte, 32)
		io.ReadFull(rand.Reader, o.Key) // never fails
	}
	return o
}

// Pool renders in workers. It is a [Renderer].
type Pool struct {
	start   Starter
	options Options
	bounds  bounds
	slots   chan struct{} // one token for each job that runs
	alone   chan struct{} // held by the one who takes all slots

	rendered atomic.Int64

	mu     sync.Mutex
	idle   []*conn
	closed bool
	ending chan struct{}  // closed by Close
	calls  sync.WaitGroup // running calls
}

// NewPool makes a pool. Workers start when they are needed. [Pool.Close] ends them.
func NewPool(start Starter, o Options) *Pool {
	o = o.withDefaults()
	return &Pool{
		start:   start,
		options: o,
		bounds:  defaultBounds(),
		slots:   make(chan struct{}, o.Size),
		alone:   make(chan struct{}, 1),
		ending:  make(chan struct{}),
	}
}

// Render implements [Renderer].
func (p *Pool) Render(ctx context.Context, t source.Tree, req unit.Request) (Result, error) {
	ctx, leave, err := p.enter(ctx)
	if err != nil {
		return Result{}, err
	}
	defer leave()
	result, death, err := p.first(ctx, t, req)
	if death != nil && death.passing(p.options) {
		result, death, err = p.second(ctx, t, req)
	}
	if err != nil {
		return Result{}, p.reason(ctx, err)
	}
	if death != nil {
		result.Rendering, result.Died = death.rendering(req, p.options), true
	}
	p.rendered.Add(1)
	return result, nil
}

// Rendered is the number of renderings that are done, for showing progress.
func (p *Pool) Rendered() int64 { return p.rendered.Load() }

// Layers starts or takes a worker and asks how well it is contained here, the time limit included.
func (p *Pool) Layers(ctx context.Context) ([]worker.Layer, error) {
	ctx, leave, err := p.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	release, err := p.slot(ctx)
	if err != nil {
		return nil, p.reason(ctx, err)
	}
	defer release()
	c, err := p.take(ctx, false)
	if err != nil {
		return nil, p.reason(ctx, err)
	}
	layers := append([]worker.Layer{{Name: worker.TimeLayer, Active: true, Detail: p.options.Timeout.String()}}, c.layers...)
	p.putBack(c)
	return layers, nil
}

// Close ends all workers and waits until they have ended. Calls that run give [ErrClosed].
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	if !p.closed {
		p.closed = true
		close(p.ending)
	}
	p.mu.Unlock()
	for _, c := range idle {
		c.end()
	}
	p.calls.Wait()
}

// enter counts a call in and gives it a context that also ends when the pool is closed.
func (p *Pool) enter(ctx context.Context) (context.Context, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, ErrClosed
	}
	p.calls.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		select {
		case <-p.ending:
			cancel(ErrClosed)
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		cancel(nil)
		p.calls.Done()
	}, nil
}

// reason prefers why the context ended over what that broke.
func (p *Pool) reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (p *Pool) first(ctx context.Context, t source.Tree, req unit.Request) (Result, *death, error) {
	release, err := p.slot(ctx)
	if err != nil {
		return Result{}, nil, err
	}
	defer release()
	return p.attempt(ctx, t, req, false)
}

// second is an attempt in a fresh worker while no other one runs.
func (p *Pool) second(ctx context.Context, t source.Tree, req unit.Request) (Result, *death, error) {
	select {
	case p.alone <- struct{}{}:
		defer func() { <-p.alone }()
	case <-ctx.Done():
		return Result{}, nil, ctx.Err()
	}
	for range p.options.Size {
		release, err := p.slot(ctx)
		if err != nil {
			return Result{}, nil, err
		}
		defer release()
	}
	return p.attempt(ctx, t, req, true)
}

func (p *Pool) slot(ctx context.Context) (release func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// attempt runs a job in one worker. A death is the worker's; an error is ours.
func (p *Pool) attempt(ctx context.Context, t source.Tree, req unit.Request, fresh bool) (Result, *death, error) {
	c, err := p.take(ctx, fresh)
	if err != nil {
		return Result{}, nil, err
	}
	recorder := source.Record(t)
	rendering, death := c.render(ctx, recorder, req, p.options.Timeout)
	result := Result{Rendering: rendering, Trace: recorder.Trace()}
	if death != nil {
		if ctx.Err() != nil {
			return Result{}, nil, ctx.Err()
		}
		return result, death, nil
	}
	p.putBack(c)
	return result, nil, nil
}

// take gives an idle worker or starts one.
func (p *Pool) take(ctx context.Context, fresh bool) (*conn, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 && !fresh {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	process, err := p.start.Start()
	if err != nil {
		return nil, err
	}
	c, err := greet(ctx, process, p.options, p.bounds)
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	return c, nil
}

// putBack keeps a worker for the next job, or ends it.
func (p *Pool) putBack(c *conn) {
	p.mu.Lock()
	keep := !p.closed && !c.retire && c.jobs < p.options.Recycle && len(p.idle) < p.options.Size
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		c.end()
	}
}
