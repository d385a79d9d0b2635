package worker

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// asWorker is the first argument that makes the test binary a worker; the layers to contain it with follow.
const asWorker = "worker-under-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asWorker {
		os.Exit(workerUnderTest(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == asParent {
		os.Exit(parentUnderTest(os.Args[2]))
	}
	os.Exit(m.Run())
}

// workerUnderTest is a worker whose engine tries to break out and that is contained by the named layers only.
func workerUnderTest(layers []string) int {
	out := os.Stdout
	os.Stdout = os.Stderr
	contain := func(l Limits) []Layer {
		if len(layers) == 1 && layers[0] == "all" {
			return Contain(l)
		}
		return containWith(layers, l)
	}
	if err := Serve(os.Stdin, out, Engines{Directory: breakOut}, contain); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// breakOut tries what the request's name says, with the values that the request carries, and reports as a gap.
func breakOut(_ source.Tree, req unit.Request) unit.Rendering {
	attempt, ok := attempts[req.Name]
	message := "no such attempt"
	if ok {
		message = "succeeded"
		if err := attempt(req.Project); err != nil {
			message = "failed: " + err.Error()
		}
	}
	return unit.Rendering{Gaps: []diag.Gap{{Reason: diag.Unsupported, Message: message}}}
}

// greet and try are the least that a parent does.

func greet(p *Process, memory int64) (Ready, error) {
	var ready Ready
	if err := WriteFrame(p.In, HelloKind, Hello{Key: []byte("k"), Memory: memory}, nil); err != nil {
		return ready, err
	}
	_, head, _, err := ReadFrame(p.Out, map[Kind]Limit{ReadyKind: {Head: 1 << 16}})
	if err != nil {
		return ready, fmt.Errorf("no greeting: %w; standard error: %s", err, p.End().Stderr)
	}
	return ready, DecodeHead(head, &ready)
}

// try runs an attempt. It returns what the worker reports, or why it reports nothing.
func try(p *Process, attempt, argument string) (report string, err error) {
	job := Job{ID: 1, Request: unit.Request{Name: attempt, Project: argument, Files: []string{}}}
	if err := WriteFrame(p.In, JobKind, job, nil); err != nil {
		return "", err
	}
	for {
		kind, head, _, err := ReadFrame(p.Out, map[Kind]Limit{AskKind: {Head: 1 << 10}, DoneKind: {Head: 1 << 16, Body: 1 << 16}})
		if err != nil {
			return "", err
		}
		if kind == AskKind { // the directory of the source: it exists
			answer := Answer{Info: &Entry{Name: ".", Mode: os.ModeDir}}
			if err := WriteFrame(p.In, AnswerKind, answer, nil); err != nil {
				return "", err
			}
			continue
		}
		var done Done
		if err := DecodeHead(head, &done); err != nil {
			return "", err
		}
		if done.ID != job.ID || len(done.Gaps) != 1 {
			return "", fmt.Errorf("answer %+v", done)
		}
		return done.Gaps[0].Message, nil
	}
}

// converse greets, or ends the test.
func converse(t *testing.T, p *Process, memory int64) Ready {
	t.Helper()
	t.Cleanup(func() { p.End() })
	ready, err := greet(p, memory)
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

func self(t *testing.T, layers ...string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: exe, Args: append([]string{asWorker}, layers...)}
}

// reports starts a worker and tells whether an attempt succeeds in it.
func reports(t *testing.T, p *Process, memory int64, attempt, argument string) (succeeded bool, report string) {
	t.Helper()
	converse(t, p, memory)
	report, err := try(p, attempt, argument)
	if err != nil {
		return false, fmt.Sprintf("died: %v: %s", err, p.Await(deathMoment).Stderr)
	}
	if report != "succeeded" && !strings.HasPrefix(report, "failed: ") {
		t.Fatalf("attempt %s: %s", attempt, report)
	}
	return report == "succeeded", report
}
