package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

var _ Renderer = (*Pool)(nil)

// only makes every tool use one engine.
func only(e worker.Engine) worker.InProcess {
	return worker.InProcess{Engines: worker.Engines{Helm: e, Kustomize: e, Directory: e}}
}

func newPool(t *testing.T, s Starter, o Options) *Pool {
	t.Helper()
	p := NewPool(s, o)
	t.Cleanup(p.Close)
	return p
}

func memory(files ...string) source.Tree {
	m := map[string][]byte{}
	for _, f := range files {
		name, content, _ := strings.Cut(f, ": ")
		m[name] = []byte(content)
	}
	return source.Memory(m)
}

// counting counts the workers that it starts and the frames that they are sent.
type counting struct {
	Starter
	workers, frames atomic.Int32
}

func (c *counting) Start() (*worker.Process, error) {
	c.workers.Add(1)
	p, err := c.Starter.Start()
	if err == nil {
		p.In = countingWriter{p.In, &c.frames}
	}
	return p, err
}

type countingWriter struct {
	io.WriteCloser
	n *atomic.Int32
}

func (w countingWriter) Write(p []byte) (int, error) {
	w.n.Add(1)
	return w.WriteCloser.Write(p)
}

func gapOf(t *testing.T, r Result, err error) diag.Gap {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Gaps) != 1 || len(r.Objects) != 0 {
		t.Fatalf("%d objects, gaps %+v", len(r.Objects), r.Gaps)
	}
	return r.Gaps[0]
}

func TestRender(t *testing.T) {
	want := unit.Rendering{
		Tool: unit.DirectoryTool,
		Objects: []object.Object{
			{
				ID:      object.ID{Kind: "ConfigMap", Namespace: "n", Name: "b"},
				Version: "v1",
				Fields: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "n": json.Number("12345678901234567890"),
					"f": json.Number("1.10"), "l": []any{nil, true, "<&>"}},
				Origin:   object.Location{File: "a/x.yaml", Line: 7},
				Unstable: []string{"/data/x"},
			},
			{ID: object.ID{Kind: "ConfigMap", Name: "a"}, Fields: map[string]any{}},
		},
		Gaps:    []diag.Gap{{Reason: diag.Unsupported, At: object.Location{File: "a/y", Line: 3}, Message: "m", Close: "c"}},
		Lookups: []string{"v1/Secret ns/name"},
	}
	req := unit.Request{Source: unit.Source{Path: "a"}, Name: "app", Seed: 1<<64 - 1}
	p := newPool(t, only(func(tree source.Tree, got unit.Request) unit.Rendering {
		if !reflect.DeepEqual(got, req) {
			t.Errorf("request %+v", got)
		}
		if raw, err := tree.ReadFile("a/x.yaml"); string(raw) != "content" || err != nil {
			t.Errorf("%q %v", raw, err)
		}
		if _, err := tree.ReadFile("a/gone"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		return want
	}), Options{Size: 1})
	tree := memory("a/x.yaml: content", "b/unread: x")
	for range 3 {
		got, err := p.Render(t.Context(), tree, req)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Rendering, want) {
			t.Errorf("got  %+v\nwant %+v", got.Rendering, want)
		}
		if len(got.Trace.Files) != 1 || got.Trace.Files[0].Path != "a/x.yaml" {
			t.Errorf("files read %v", got.Trace.Files)
		}
		missing := []string{"a/.argocd-source-app.yaml", "a/.argocd-source.yaml", "a/gone"}
		if !reflect.DeepEqual(got.Trace.Missing, missing) {
			t.Errorf("missing %q", got.Trace.Missing)
		}
	}
}

// TestTree: what an engine sees is a file system by the book, with and without a chart's prefetch, links included.
func TestTree(t *testing.T) {
	linked := fstest.MapFS{
		"a/x.yaml":       {Data: []byte("x"), Mode: 0o444},
		"a/templates/t":  {Data: []byte("t"), Mode: 0o444},
		"a/link":         {Data: []byte("x.yaml"), Mode: fs.ModeSymlink | 0o777},
		"a/files":        {Data: []byte("../b"), Mode: fs.ModeSymlink | 0o777},
		"a/charts/c/f.y": {Data: nil, Mode: 0o444},
		"b/y":            {Data: []byte("long content"), Mode: 0o444},
	}
	for name, tree := range map[string]source.Tree{"memory": memory("a/x.yaml: x", "a/templates/t: t", "b/y: "), "links": linked} {
		for _, tool := range []string{"Chart.yaml", "kustomization.yaml"} {
			t.Run(name+" "+tool, func(t *testing.T) {
				p := newPool(t, only(func(tree source.Tree, _ unit.Request) unit.Rendering {
					if err := fstest.TestFS(tree, "a/x.yaml", "a/templates/t", "b/y", "a/"+tool); err != nil {
						t.Error(err)
					}
					return unit.Rendering{}
				}), Options{Size: 1})
				if _, err := p.Render(t.Context(), both{tree, "a/" + tool}, unit.Request{Source: unit.Source{Path: "a"}}); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// both adds an empty file to the directory a of a tree.
type both struct {
	source.Tree
	name string
}

func (b both) ReadFile(name string) ([]byte, error) {
	if name == b.name {
		return []byte{}, nil
	}
	return b.Tree.ReadFile(name)
}

func (b both) Stat(name string) (fs.FileInfo, error) {
	if name == b.name {
		return fs.Stat(fstest.MapFS{b.name: {Mode: 0o444}}, name)
	}
	return b.Tree.Stat(name)
}

func (b both) Lstat(name string) (fs.FileInfo, error) {
	if name == b.name {
		return b.Stat(name)
	}
	return fs.Lstat(b.Tree, name)
}

func (b both) ReadLink(name string) (string, error) { return fs.ReadLink(b.Tree, name) }

func (b both) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := b.Tree.ReadDir(name)
	if err == nil && name == "a" {
		extra, _ := fs.ReadDir(fstest.MapFS{b.name: {Mode: 0o444}}, name)
		entries = append(extra, entries...)
		for i := 1; i < len(entries) && entries[i-1].Name() > entries[i].Name(); i++ {
			entries[i-1], entries[i] = entries[i], entries[i-1]
		}
	}
	return entries, err
}

// failing gives one error for one name.
type failing struct {
	source.Tree
	name string
	err  error
}

func (f failing) ReadFile(name string) ([]byte, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "read", Path: name, Err: f.err}
	}
	return f.Tree.ReadFile(name)
}

// TestTreeErrors: why a file cannot be read reaches the engine, one by one and in a prefetch.
func TestTreeErrors(t *testing.T) {
	for _, want := range []error{source.ErrAbsent, source.ErrEscapes, source.ErrSubmodule, source.ErrTooLarge, source.ErrLinkLoop} {
		for _, tool := range []string{"Chart.yaml", "x.yaml"} {
			p := newPool(t, only(func(tree source.Tree, _ unit.Request) unit.Rendering {
				if _, err := tree.ReadFile("a/big"); !errors.Is(err, want) || err.Error() != "read a/big: "+want.Error() {
					t.Errorf("%v, want %v", err, want)
				}
				if raw, err := tree.ReadFile("a/" + tool); err != nil || string(raw) != "ok" {
					t.Errorf("%q %v", raw, err)
				}
				return unit.Rendering{}
			}), Options{Size: 1})
			tree := failing{memory("a/big: x", "a/"+tool+": ok"), "a/big", want}
			if _, err := p.Render(t.Context(), tree, unit.Request{Source: unit.Source{Path: "a"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestChartIsOneRoundTrip reads a chart of 150 files as the engine does.
func TestChartIsOneRoundTrip(t *testing.T) {
	files := []string{"c/Chart.yaml: x"}
	for i := range 149 {
		files = append(files, fmt.Sprintf("c/templates/%d/%d.yaml: content %d", i%10, i, i))
	}
	start := &counting{Starter: only(func(tree source.Tree, req unit.Request) unit.Rendering {
		read := 0
		err := fs.WalkDir(tree, req.Source.Path, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := tree.ReadFile(name)
			if len(raw) == 0 {
				t.Errorf("%s is empty", name)
			}
			read++
			return err
		})
		if err != nil || read != 150 {
			t.Errorf("%d files, %v", read, err)
		}
		return unit.Rendering{}
	})}
	p := newPool(t, start, Options{Size: 1})
	r, err := p.Render(t.Context(), memory(files...), unit.Request{Source: unit.Source{Path: "c"}, Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	if n := start.frames.Load(); n > 8 { // greeting, job, answers: the path, two overrides, the listing, the chart
		t.Errorf("%d frames", n)
	}
	if len(r.Trace.Files) != 150 {
		t.Errorf("%d files in the trace", len(r.Trace.Files))
	}
}

// TestLargeChart: a directory that is too large for one answer is read file by file.
func TestLargeChart(t *testing.T) {
	tree := memory("c/Chart.yaml: x", "c/a: "+strings.Repeat("x", 20<<20), "c/b: "+strings.Repeat("y", 20<<20))
	p := newPool(t, only(func(tree source.Tree, req unit.Request) unit.Rendering {
		for _, name := range []string{"c/a", "c/b"} {
			if raw, err := tree.ReadFile(name); len(raw) != 20<<20 || err != nil {
				t.Errorf("%d bytes, %v", len(raw), err)
			}
		}
		return unit.Rendering{}
	}), Options{Size: 1})
	if _, err := p.Render(t.Context(), tree, unit.Request{Source: unit.Source{Path: "c"}}); err != nil {
		t.Fatal(err)
	}
}

func TestPanic(t *testing.T) {
	start := &counting{Starter: only(func(tree source.Tree, req unit.Request) unit.Rendering {
		if req.Name == "bad" {
			panic("index out of range\nwith two lines")
		}
		return unit.Rendering{}
	})}
	p := newPool(t, start, Options{Size: 1})
	r, err := p.Render(t.Context(), memory("x: "), unit.Request{Name: "bad"})
	gap := gapOf(t, r, err)
	if gap.Reason != diag.RenderFailed || !strings.HasPrefix(gap.Message, "the renderer crashed in render.TestPanic.func1: index out of range with two lines") {
		t.Errorf("%+v", gap)
	}
	if _, err := p.Render(t.Context(), memory("x: "), unit.Request{}); err != nil {
		t.Fatal(err)
	}
	if n := start.workers.Load(); n != 2 {
		t.Errorf("%d workers: the one that panicked was used again, or the job was tried twice", n)
	}
}

func TestRecycle(t *testing.T) {
	start := &counting{Starter: only(func(source.Tree, unit.Request) unit.Rendering { return unit.Rendering{} })}
	p := newPool(t, start, Options{Size: 1, Recycle: 3})
	for range 10 {
		if _, err := p.Render(t.Context(), memory("x: "), unit.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := start.workers.Load(); n != 4 {
		t.Errorf("%d workers for ten renderings, three each", n)
	}
}

// TestSchemaIsNotKept: a kustomization with a schema of its own leaves it in the process.
func TestSchemaIsNotKept(t *testing.T) {
	start := &counting{Starter: only(func(tree source.Tree, req unit.Request) unit.Rendering {
		tree.ReadFile(req.Source.Path + "/kustomization.yaml")
		return unit.Rendering{}
	})}
	p := newPool(t, start, Options{Size: 1})
	tree := memory("a/kustomization.yaml: resources: []", "b/kustomization.yaml: openapi: {path: x}")
	for i, want := range []int32{1, 1, 1, 2, 3} {
		path := "a"
		if i >= 2 {
			path = "b"
		}
		if _, err := p.Render(t.Context(), tree, unit.Request{Source: unit.Source{Path: path}}); err != nil {
			t.Fatal(err)
		}
		if n := start.workers.Load(); n != want {
			t.Errorf("%d workers after rendering %d, want %d", n, i, want)
		}
	}
}

// TestSize renders much at once: never more than Size at a time, and all of them right.
func TestSize(t *testing.T) {
	var running, most atomic.Int32
	p := newPool(t, only(func(tree source.Tree, req unit.Request) unit.Rendering {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		raw, err := tree.ReadFile(req.Name)
		if err != nil {
			t.Error(err)
		}
		return unit.Rendering{Lookups: []string{string(raw)}}
	}), Options{Size: 3, Recycle: 7})
	var files []string
	for i := range 100 {
		files = append(files, fmt.Sprintf("%d: content %d", i, i))
	}
	tree := memory(files...)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			r, err := p.Render(context.Background(), tree, unit.Request{Name: fmt.Sprint(i)})
			if err != nil || len(r.Lookups) != 1 || r.Lookups[0] != fmt.Sprintf("content %d", i) {
				t.Errorf("%d: %v %v", i, r.Lookups, err)
			}
			if len(r.Trace.Files) != 1 || r.Trace.Files[0].Path != fmt.Sprint(i) {
				t.Errorf("%d: trace %v", i, r.Trace.Files)
			}
		})
	}
	wg.Wait()
	if most.Load() > 3 {
		t.Errorf("%d at a time", most.Load())
	}
}

// TestContext: whoever waits no longer gets no rendering, whether his job waits or runs.
func TestContext(t *testing.T) {
	running := make(chan struct{}, 1)
	release := make(chan struct{})
	p := newPool(t, only(func(source.Tree, unit.Request) unit.Rendering {
		running <- struct{}{}
		<-release
		return unit.Rendering{}
	}), Options{Size: 1})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	for range 2 {
		go func() {
			_, err := p.Render(ctx, memory("x: "), unit.Request{})
			failed <- err
		}()
	}
	<-running
	cancel()
	for range 2 {
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestClose(t *testing.T) {
	running := make(chan struct{}, 1)
	release := make(chan struct{})
	defer close(release)
	p := NewPool(only(func(source.Tree, unit.Request) unit.Rendering {
		running <- struct{}{}
		<-release
		return unit.Rendering{}
	}), Options{Size: 1})
	failed := make(chan error)
	go func() {
		_, err := p.Render(t.Context(), memory("x: "), unit.Request{})
		failed <- err
	}()
	<-running
	go p.Close()
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	p.Close()
	if _, err := p.Render(t.Context(), memory("x: "), unit.Request{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := p.Layers(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

type broken struct{ err error }

func (b broken) Start() (*worker.Process, error) { return nil, b.err }

// TestNoWorker: that no worker starts is our failure, not the repository's.
func TestNoWorker(t *testing.T) {
	cause := errors.New("no such program")
	p := newPool(t, broken{cause}, Options{Size: 1})
	if _, err := p.Render(t.Context(), memory("x: "), unit.Request{}); !errors.Is(err, cause) {
		t.Error(err)
	}
}

// TestTimeLimitInProcess: without a process there is nothing to kill, but the caller goes on.
func TestTimeLimitInProcess(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	p := newPool(t, only(func(source.Tree, unit.Request) unit.Rendering {
		<-release
		return unit.Rendering{}
	}), Options{Size: 2, Timeout: 20 * time.Millisecond})
	r, err := p.Render(t.Context(), memory("x: "), unit.Request{Source: unit.Source{Path: "."}})
	if gap := gapOf(t, r, err); gap.Reason != diag.RenderLimit || gap.Message != "rendering takes longer than 20ms" || gap.At.File != "." {
		t.Errorf("%+v", gap)
	}
}
