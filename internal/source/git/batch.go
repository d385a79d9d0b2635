package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// header says what an object is without its content.
type header struct {
	id   string
	kind string // commit, tree, blob or tag
	size int64
}

// batch reads objects through one long-lived "git cat-file --batch-command" (Git 2.36 and newer). The process is started
// at first need, and again after it died: versions of Git die on an object that a partial clone lacks, and on a corrupt
// one. It may be used by several goroutines at once; they take turns.
type batch struct {
	runner *runner

	mu     sync.Mutex
	proc   *process
	closed bool
}

type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *tail
}

// info tells what an object is. The expression is an object id, perhaps with a suffix as ^{tree}: never text from
// outside, since a line feed in it would be a second request. [ErrAbsent] if there is none.
func (b *batch) info(ctx context.Context, expr string) (header, error) {
	o, _, err := b.ask(ctx, expr, "", -1)
	return o, err
}

// contents gives an object of the given kind, if it is not larger than limit. Its size is known before any of it is
// read. Errors: [ErrAbsent], [ErrTooLarge].
func (b *batch) contents(ctx context.Context, expr, kind string, limit int64) (header, []byte, error) {
	return b.ask(ctx, expr, kind, limit)
}

func (b *batch) ask(ctx context.Context, expr, kind string, limit int64) (header, []byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return header{}, nil, err
		}
		if err := b.start(); err != nil {
			return header{}, nil, err
		}
		o, data, err := b.exchange(ctx, expr, kind, limit)
		var lost *errLost
		if !errors.As(err, &lost) {
			return o, data, err
		}
		err = b.bury(ctx, lost)
		// It may have died between two requests, for reasons of its own. That deserves one more try.
		if attempt == 2 || lost.final || errors.Is(err, ErrAbsent) {
			return header{}, nil, err
		}
	}
}

// errLost means that the process is not in step with us any more.
type errLost struct {
	cause error
	final bool // asking once more would not help
}

func (e *errLost) Error() string { return e.cause.Error() }

// bury ends a process that is out of step and says why it is.
func (b *batch) bury(ctx context.Context, lost *errLost) error {
	p := b.proc
	b.proc = nil
	p.end()
	said := oneLine(p.errs.String())
	switch {
	case ctx.Err() != nil:
		lost.final = true
		return ctx.Err()
	case strings.Contains(said, "promisor"):
		return ErrAbsent
	case lost.final || said == "":
		return fmt.Errorf("read object: %w", lost.cause)
	}
	return fmt.Errorf("read object: git: %s", said)
}

// exchange sends one or two requests and reads the answers. It fails with *errLost if the process must be given up.
func (b *batch) exchange(ctx context.Context, expr, kind string, limit int64) (header, []byte, error) {
	p := b.proc
	limited, cancel := context.WithTimeout(ctx, b.runner.patience)
	defer cancel()
	stop := context.AfterFunc(limited, p.kill)
	defer stop()

	lose := func(cause error) error {
		if ctx.Err() == nil && limited.Err() != nil {
			return &errLost{fmt.Errorf("git cat-file gave no answer within %s", b.runner.patience), true}
		}
		return &errLost{cause: cause}
	}
	o, err := p.head("info", expr)
	if err != nil {
		return header{}, nil, lose(err)
	}
	switch {
	case o.id == "":
		return header{}, nil, ErrAbsent
	case limit < 0:
		return o, nil, nil
	case o.kind != kind:
		return o, nil, fmt.Errorf("object %s is a %s, not a %s", o.id, o.kind, kind)
	case o.size > limit:
		return o, nil, ErrTooLarge
	}
	again, err := p.head("contents", o.id)
	if err != nil {
		return header{}, nil, lose(err)
	}
	if again != o {
		return header{}, nil, lose(fmt.Errorf("object %s changed while it was read", o.id))
	}
	data := make([]byte, o.size+1) // a line feed follows
	if _, err := io.ReadFull(p.out, data); err != nil {
		return header{}, nil, lose(err)
	}
	return o, data[:o.size:o.size], nil
}

// head sends a request and reads the line that answers it. No id means that there is no such object.
func (p *process) head(verb, expr string) (header, error) {
	if _, err := io.WriteString(p.in, verb+" "+expr+"\n"); err != nil {
		return header{}, err
	}
	line, err := p.out.ReadSlice('\n')
	if err != nil {
		return header{}, err
	}
	words := strings.Fields(string(line))
	switch {
	case len(words) == 2 && words[1] == "missing":
		return header{}, nil
	case len(words) != 3 || !isHash(words[0]):
		return header{}, fmt.Errorf("unexpected answer %q", line)
	}
	size, err := strconv.ParseInt(words[2], 10, 63)
	if err != nil || size < 0 {
		return header{}, fmt.Errorf("unexpected answer %q", line)
	}
	return header{words[0], words[1], size}, nil
}

// start makes sure that there is a process.
func (b *batch) start() error {
	if b.closed {
		return fmt.Errorf("repository: %w", os.ErrClosed)
	}
	if b.proc != nil {
		return nil
	}
	// The process outlives the request: close ends it, or the request that it fails.
	cmd := b.runner.command(context.Background(), "cat-file", "--batch-command")
	p := &process{cmd: cmd, errs: &tail{limit: gitErrors}}
	cmd.Stderr = p.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run git cat-file: %w", err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 32<<10)
	b.proc = p
	return nil
}

// close ends the process for good.
func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.proc != nil {
		b.proc.end()
		b.proc = nil
	}
}

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// end kills the process and waits until it is gone. How it ended does not matter any more.
func (p *process) end() {
	p.kill()
	_ = p.cmd.Wait()
}

// isHash tells whether s is a full object id, of SHA-1 or SHA-256.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
