package render

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// scripted starts workers that do what a function says instead of what they should.
type scripted struct {
	play  func(number int, in io.Reader, out io.Writer)
	count *atomic.Int32
}

func (s scripted) Start() (*worker.Process, error) {
	number := int(s.count.Add(1))
	return worker.NewProcess(func(in io.Reader, out io.Writer) { s.play(number, in, out) }), nil
}

// polite plays the part of a worker until it has its first job.
func polite(t *testing.T, in io.Reader, out io.Writer) worker.Job {
	limits := map[worker.Kind]worker.Limit{worker.HelloKind: {Head: 1 << 20}, worker.JobKind: {Head: 1 << 20}}
	if _, _, _, err := worker.ReadFrame(in, limits); err != nil {
		return worker.Job{}
	}
	if err := worker.WriteFrame(out, worker.ReadyKind, worker.Ready{}, nil); err != nil {
		return worker.Job{}
	}
	_, head, _, err := worker.ReadFrame(in, limits)
	if err != nil {
		return worker.Job{}
	}
	var job worker.Job
	if err := worker.DecodeHead(head, &job); err != nil {
		t.Error(err)
	}
	return job
}

func raw(kind worker.Kind, head, body uint32) []byte {
	b := append([]byte{byte(kind)}, make([]byte, 8)...)
	binary.BigEndian.PutUint32(b[1:], head)
	binary.BigEndian.PutUint32(b[5:], body)
	return b
}

// done says that a job is done. The parent may have hung up long before, and the test may be over.
func done(out io.Writer, d worker.Done, body string) {
	_ = worker.WriteFrame(out, worker.DoneKind, d, []byte(body))
}

// TestHostileWorker: whatever a worker says, the call ends, with a gap, and nothing outside the tree is read.
func TestHostileWorker(t *testing.T) {
	ask := func(a worker.Ask) func(*testing.T, worker.Job, io.Reader, io.Writer) {
		return func(t *testing.T, _ worker.Job, in io.Reader, out io.Writer) {
			worker.WriteFrame(out, worker.AskKind, a, nil)
			raw, _ := io.ReadAll(in)
			if len(raw) > 0 {
				t.Errorf("answer %.100q", raw)
			}
		}
	}
	for name, play := range map[string]func(*testing.T, worker.Job, io.Reader, io.Writer){
		"hangs up":     func(*testing.T, worker.Job, io.Reader, io.Writer) {},
		"says nothing": func(_ *testing.T, _ worker.Job, in io.Reader, _ io.Writer) { io.Copy(io.Discard, in) },
		"half a frame": func(_ *testing.T, _ worker.Job, in io.Reader, out io.Writer) {
			out.Write([]byte{4, 0})
			io.Copy(io.Discard, in)
		},
		"garbage": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) {
			out.Write([]byte("panic: everything is lost"))
		},
		"a frame of the parent": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) { out.Write(raw(worker.JobKind, 2, 0)) },
		"a huge head": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) {
			out.Write(raw(worker.DoneKind, 1<<31, 0))
		},
		"a huge body": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) {
			out.Write(raw(worker.DoneKind, 2, 1<<31))
		},
		"a huge question": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) { out.Write(raw(worker.AskKind, 1<<20, 0)) },
		"no JSON": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) {
			out.Write(append(raw(worker.DoneKind, 1, 0), '{'))
		},
		"another job's answer": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID + 1}, "")
		},
		"a body too long": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID}, "{}")
		},
		"a body too short": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID, Objects: []worker.Document{{Length: 3}}}, "{}")
		},
		"a negative length": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID, Objects: []worker.Document{{Length: 4}, {Length: -2}}}, "{}")
		},
		"an object that is none": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID, Objects: []worker.Document{{Length: 4}}}, "null")
		},
		"too many objects": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID, Objects: make([]worker.Document, maxObjects+1)}, "")
		},
		"a gap like a book": func(t *testing.T, j worker.Job, _ io.Reader, out io.Writer) {
			done(out, worker.Done{ID: j.ID, Gaps: []diag.Gap{{Message: strings.Repeat("x", maxText+1)}}}, "")
		},
		"asks for the host":        ask(worker.Ask{Op: worker.OpReadFile, Name: "/etc/passwd"}),
		"asks for the parent":      ask(worker.Ask{Op: worker.OpReadFile, Name: "../secret"}),
		"asks around":              ask(worker.Ask{Op: worker.OpSubtree, Name: "a/../../b"}),
		"asks for nothing":         ask(worker.Ask{Op: worker.OpStat, Name: ""}),
		"asks something else":      ask(worker.Ask{Op: "write", Name: "x"}),
		"asks for a very long one": ask(worker.Ask{Op: worker.OpStat, Name: strings.Repeat("x", maxName+1)}),
		"does not listen": func(_ *testing.T, _ worker.Job, _ io.Reader, out io.Writer) {
			for {
				if worker.WriteFrame(out, worker.AskKind, worker.Ask{Op: worker.OpStat, Name: "x"}, nil) != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var count atomic.Int32
			p := newPool(t, scripted{func(_ int, in io.Reader, out io.Writer) {
				play(t, polite(t, in, out), in, out)
			}, &count}, Options{Size: 1, Timeout: 200 * time.Millisecond})
			r, err := p.Render(t.Context(), memory("x: "), unit.Request{})
			if gap := gapOf(t, r, err); gap.Reason != diag.RenderLimit || gap.Message == "" || gap.Close == "" {
				t.Errorf("%+v", gap)
			}
			if n := count.Load(); n != 2 {
				t.Errorf("tried in %d workers", n)
			}
		})
	}
}

// TestHostileStart: a worker that does not even greet is our failure.
func TestHostileStart(t *testing.T) {
	for name, play := range map[string]func(in io.Reader, out io.Writer){
		"hangs up":     func(io.Reader, io.Writer) {},
		"says nothing": func(in io.Reader, _ io.Writer) { io.Copy(io.Discard, in) },
		"garbage":      func(_ io.Reader, out io.Writer) { out.Write([]byte("usage: program [flags]\n")) },
		"huge":         func(_ io.Reader, out io.Writer) { out.Write(raw(worker.ReadyKind, 1<<31, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			var count atomic.Int32
			p := newPool(t, scripted{func(_ int, in io.Reader, out io.Writer) { play(in, out) }, &count}, Options{Size: 1, Greeting: 50 * time.Millisecond})
			if r, err := p.Render(t.Context(), memory("x: "), unit.Request{}); err == nil || !strings.Contains(err.Error(), "start worker") {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
}

// TestTooMuch: a worker cannot make this process read without end. It is not tried twice.
func TestTooMuch(t *testing.T) {
	for name, c := range map[string]struct {
		bounds bounds
		asks   int32 // that are answered
	}{
		"bytes":     {bounds{asks: 1000, served: 3 << 20}, 3},
		"questions": {bounds{asks: 7, served: 1 << 30}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var count, answered atomic.Int32
			p := newPool(t, scripted{func(_ int, in io.Reader, out io.Writer) {
				polite(t, in, out)
				for {
					if worker.WriteFrame(out, worker.AskKind, worker.Ask{Op: worker.OpReadFile, Name: "big"}, nil) != nil {
						return
					}
					if _, _, _, err := worker.ReadFrame(in, map[worker.Kind]worker.Limit{worker.AnswerKind: {Head: 1 << 10, Body: 1 << 30}}); err != nil {
						return
					}
					answered.Add(1)
				}
			}, &count}, Options{Size: 1})
			p.bounds = c.bounds
			r, err := p.Render(t.Context(), memory("big: "+strings.Repeat("x", 1<<20)), unit.Request{})
			if gap := gapOf(t, r, err); gap.Reason != diag.RenderLimit || !strings.Contains(gap.Message, "too many files") {
				t.Errorf("%+v", gap)
			}
			// The last answer may be on its way when the worker is ended.
			if n := answered.Load(); n > c.asks || n < c.asks-1 || count.Load() != 1 {
				t.Errorf("%d answers, %d workers", answered.Load(), count.Load())
			}
		})
	}
}

// TestSecondTry: a job whose worker dies is rendered by a second one, while nothing else runs.
func TestSecondTry(t *testing.T) {
	var count, running atomic.Int32
	var tried sync.Map
	p := newPool(t, scripted{func(_ int, in io.Reader, out io.Writer) {
		job := polite(t, in, out)
		others := running.Add(1) - 1
		defer running.Add(-1)
		if strings.HasPrefix(job.Request.Name, "mortal") {
			if _, again := tried.LoadOrStore(job.Request.Name, true); !again {
				return // dies
			}
			if others > 0 {
				t.Errorf("%s: %d others run", job.Request.Name, others)
			}
		}
		time.Sleep(time.Millisecond)
		running.Add(-1) // before the pool can know
		document := `{"kind":"X"}`
		done(out, worker.Done{
			ID: job.ID, Retire: true,
			Objects: []worker.Document{{ID: object.ID{Kind: "X"}, Length: int64(len(document))}},
		}, document)
		io.Copy(io.Discard, in) // until it is retired
		running.Add(1)
	}, &count}, Options{Size: 4})
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			name := "usual"
			if i%4 == 0 {
				name = fmt.Sprintf("mortal %d", i)
			}
			r, err := p.Render(t.Context(), memory("x: "), unit.Request{Name: name})
			if err != nil || len(r.Objects) != 1 || len(r.Gaps) != 0 {
				t.Errorf("%s: %+v %v", name, r.Rendering, err)
			}
		})
	}
	wg.Wait()
	if n := count.Load(); n != 50 {
		t.Errorf("%d workers for 40 jobs of which 10 die once", n)
	}
}

// TestLargeValues: what is many and legal comes through.
func TestLargeValues(t *testing.T) {
	p := newPool(t, only(func(source.Tree, unit.Request) unit.Rendering {
		var r unit.Rendering
		for range 10_000 {
			r.Objects = append(r.Objects, object.Object{Fields: map[string]any{"v": json.Number("1"), "s": strings.Repeat("é", 500)}})
		}
		return r
	}), Options{Size: 1})
	r, err := p.Render(t.Context(), memory("x: "), unit.Request{})
	if err != nil || len(r.Objects) != 10_000 || object.String(r.Objects[9999].Fields, "s") != strings.Repeat("é", 500) {
		t.Errorf("%d objects, %v", len(r.Objects), err)
	}
}

// watched fails when it is asked for a name that is none of a tree.
type watched struct {
	source.Tree
	t *testing.T
}

func (w watched) check(name string) {
	if !fs.ValidPath(name) || len(name) > maxName {
		w.t.Errorf("asked for %q", name)
	}
}

func (w watched) ReadFile(name string) ([]byte, error) { w.check(name); return w.Tree.ReadFile(name) }
func (w watched) ReadDir(name string) ([]fs.DirEntry, error) {
	w.check(name)
	return w.Tree.ReadDir(name)
}
func (w watched) Stat(name string) (fs.FileInfo, error) { w.check(name); return w.Tree.Stat(name) }

func FuzzDesk(f *testing.F) {
	for _, op := range []worker.Op{worker.OpStat, worker.OpLstat, worker.OpReadLink, worker.OpReadDir, worker.OpReadFile, worker.OpSubtree} {
		for _, name := range []string{"a/x", ".", "../x", "/etc/passwd", "a/../../x", "a\x00"} {
			raw, err := json.Marshal(worker.Ask{Op: op, Name: name})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		d := desk{tree: source.Record(watched{memory("a/x: content", "b: x"), t}), left: 100}
		if answer, body, err := d.answer(head); err == nil && len(body) > 0 && answer.Failure != nil && len(answer.Entries) > 0 {
			t.Errorf("both an answer and a failure: %+v", answer)
		}
	})
}
