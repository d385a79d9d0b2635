package worker

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/render/redact"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Main is the whole life of a worker process: what the hidden command runs. It contains the process, serves its parent
// over standard input and output until the parent hangs up, and returns the exit code.
func Main(engines Engines) int {
	out := os.Stdout
	os.Stdout = os.Stderr     // what a library prints must not break the frames
	log.SetOutput(io.Discard) // Helm warns there, and quotes values
	if err := Serve(os.Stdin, out, engines, Contain); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Serve answers one parent until it hangs up. contain is called once, before anything of a repository arrives.
//
// It returns as soon as in ends, even while an engine is running: a worker whose parent died must end, whatever it does.
// The caller then ends the process.
func Serve(in io.Reader, out io.Writer, engines Engines, contain func(Limits) []Layer) error {
	_, head, _, err := ReadFrame(in, map[Kind]Limit{HelloKind: fromParent()})
	if err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	var hello Hello
	if err := DecodeHead(head, &hello); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	exceeded := make(chan struct{})
	layers := contain(Limits{Memory: hello.Memory, Exceeded: func() { close(exceeded) }})
	s := &server{engines: engines, hello: hello, out: out, answers: make(chan answer), gone: make(chan struct{})}
	defer close(s.gone)
	if err := s.write(ReadyKind, Ready{Layers: layers}, nil); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.listen(in) }()
	select {
	case err := <-ended:
		return err
	case <-exceeded:
		return errMemory
	}
}

// errMemory reads like the runtime's own reason, which the parent looks for.
var errMemory = errors.New("fatal error: out of memory")

// fromParent is the size of the largest frame that is taken from the parent, who is trusted.
func fromParent() Limit { return Limit{Head: 1 << 30, Body: 1 << 30} }

type server struct {
	engines Engines
	hello   Hello

	writing sync.Mutex
	out     io.Writer

	answers chan answer
	gone    chan struct{} // closed when the parent has hung up
}

type answer struct {
	head, body []byte
}

// listen hands out what the parent sends: jobs to a goroutine of their own, answers to the one that asked.
func (s *server) listen(in io.Reader) error {
	limits := map[Kind]Limit{JobKind: fromParent(), AnswerKind: fromParent()}
	for {
		kind, head, body, err := ReadFrame(in, limits)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from parent: %w", err)
		case kind == AnswerKind:
			s.answers <- answer{head, body}
		default:
			var job Job
			if err := DecodeHead(head, &job); err != nil {
				return fmt.Errorf("job: %w", err)
			}
			go s.work(job)
		}
	}
}

func (s *server) write(k Kind, head any, body []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return WriteFrame(s.out, k, head, body)
}

// ask sends one question and waits for its answer. The tree sends one at a time.
func (s *server) ask(q Ask) (Answer, []byte, error) {
	if err := s.write(AskKind, q, nil); err != nil {
		return Answer{}, nil, errGone
	}
	select {
	case a := <-s.answers:
		var got Answer
		if err := DecodeHead(a.head, &got); err != nil {
			return Answer{}, nil, fmt.Errorf("answer: %w", err)
		}
		return got, a.body, nil
	case <-s.gone:
		return Answer{}, nil, errGone
	}
}

// work does one job and says that it is done.
func (s *server) work(job Job) {
	tree := newRemoteTree(s.ask)
	req := job.request()
	r, panicked := renderRecovering(s.engines, tree, req)
	tree.end()
	r.Gaps = redact.Gaps(r.Gaps, req, tree.read())
	revision := r.Revision
	done, body, err := encode(s.hello.Key, r)
	var big *oversized
	switch {
	case errors.As(err, &big):
		r = lost(r.Tool, diag.RenderLimit, req.Source.Path, big.Error(), "make the object smaller, or split it")
		done, body, _ = encode(s.hello.Key, r)
	case err != nil:
		r = lost(r.Tool, diag.RenderFailed, req.Source.Path, "a rendered object is no JSON", "report it with the object")
		done, body, _ = encode(s.hello.Key, r)
	}
	done.ID, done.Revision = job.ID, revision
	done.Retire = panicked || keepsState(tree) || large(s.hello.Memory)
	if err := s.write(DoneKind, done, body); err != nil {
		return // the parent is gone: listen ends the process
	}
}

// renderRecovering renders, and turns a panic of an engine into a gap.
func renderRecovering(e Engines, t *remoteTree, req unit.Request) (r unit.Rendering, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			r = lost(r.Tool, diag.RenderFailed, req.Source.Path,
				fmt.Sprintf("the renderer crashed in %s: %v", panicking(), p),
				"report it to the project, with the files if they may be shown")
			r.Revision, panicked = true, true // who knows
		}
	}()
	return renderOne(e, t, req), false
}

// panicking names the function that panicked, when a deferred function asks while it does.
func panicking() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	passed := false
	for {
		frame, more := frames.Next()
		if passed && !strings.HasPrefix(frame.Function, "runtime.") {
			return path.Base(frame.Function)
		}
		passed = passed || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}

// renderOne picks the tool and runs its engine.
func renderOne(e Engines, t *remoteTree, req unit.Request) unit.Rendering {
	tool, req, gap := choose(t, req)
	if gap != nil {
		return unit.Rendering{Tool: tool, Gaps: []diag.Gap{*gap}}
	}
	engine := e.of(tool)
	if engine == nil {
		return lost(tool, diag.Unsupported, req.Source.Path, fmt.Sprintf("%s is not rendered by this version", tool), "nothing to do")
	}
	if tool == unit.HelmTool {
		t.prefetch(cleanPath(req.Source.Path))
	}
	var tree source.Tree = t
	r := engine(tree, req)
	r.Tool = tool
	return r
}

// large tells whether this process has come near half of its limit: the next job deserves a fresh one.
func large(limit int64) bool {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return limit > 0 && sample[0].Value.Kind() == metrics.KindUint64 && sample[0].Value.Uint64() > uint64(limit)/2
}

var customSchema = regexp.MustCompile(`(?m)^\s*["']?openapi["']?\s*:`)

// keepsState tells whether a rendering left something behind in the process: a kustomization with a schema of its own sets
// that of all later ones (kustomize kyaml/openapi keeps it in package variables).
func keepsState(t *remoteTree) bool {
	for name, data := range t.read() {
		if isKustomization(path.Base(name)) && customSchema.Match(data) {
			return true
		}
	}
	return false
}
