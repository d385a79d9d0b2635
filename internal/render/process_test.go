package render

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// asWorker is the first argument that makes the test binary a worker, with the engines that the second one names.
const asWorker = "worker-under-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asWorker {
		engines := Engines()
		if os.Args[2] == "misbehaving" {
			engines = worker.Engines{Directory: misbehave}
		}
		os.Exit(worker.Main(engines))
	}
	os.Exit(m.Run())
}

func processes(t *testing.T, engines string) worker.Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return worker.Command{Path: exe, Args: []string{asWorker, engines}}
}

// misbehave is an engine that does what the request's name says.
func misbehave(tree source.Tree, req unit.Request) unit.Rendering {
	text := "done"
	switch req.Name {
	case "pid":
		text = strconv.Itoa(os.Getpid())
	case "spin":
		limit, _ := time.ParseDuration(req.Project)
		for start := time.Now(); time.Since(start) < limit; {
		}
	case "eat":
		mib, _ := strconv.Atoi(req.Project)
		var kept [][]byte
		for range mib {
			kept = append(kept, []byte(strings.Repeat("x", 1<<20)))
		}
		text = fmt.Sprintf("%d MiB", len(kept))
	case "recurse":
		text = strconv.Itoa(recurse(1 << 40))
	case "crash elsewhere":
		go func() { panic("in a goroutine that nobody recovers") }()
		time.Sleep(time.Minute)
	case "exit":
		os.Exit(7)
	case "print":
		fmt.Println("a library that talks")
		fmt.Fprintln(os.Stderr, strings.Repeat("a library that talks a lot\n", 1<<16))
	case "leave a goroutine":
		go func() {
			for {
				tree.ReadFile("x")
				tree.Stat(fmt.Sprint(time.Now()))
			}
		}()
	}
	return unit.Rendering{Lookups: []string{text}}
}

func recurse(n int) int {
	var frame [64]int
	frame[n%64] = n
	if n == 0 {
		return 0
	}
	return recurse(n-1) + frame[(n+1)%64]
}

// lookup renders and returns what the misbehaving engine says; it fails the test on a gap.
func lookup(t *testing.T, p *Pool, name, argument string) string {
	t.Helper()
	r, err := p.Render(t.Context(), memory("x: "), unit.Request{Name: name, Project: argument})
	if err != nil || len(r.Gaps) > 0 || len(r.Lookups) != 1 {
		t.Fatalf("%s %s: %+v %v", name, argument, r.Rendering, err)
	}
	return r.Lookups[0]
}

// lost renders and returns the gap that it becomes.
func lost(t *testing.T, p *Pool, name, argument string) diag.Gap {
	t.Helper()
	r, err := p.Render(t.Context(), memory("x: "), unit.Request{Name: name, Project: argument})
	return gapOf(t, r, err)
}

func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	_, err = os.Stat(fmt.Sprintf("/proc/%d", n))
	return err == nil
}

func TestProcesses(t *testing.T) {
	p := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: testMemory})
	first := lookup(t, p, "pid", "")
	if first == strconv.Itoa(os.Getpid()) {
		t.Fatal("it renders in this process")
	}
	for _, name := range []string{"print", "leave a goroutine", "print"} {
		lookup(t, p, name, "")
	}
	if again := lookup(t, p, "pid", ""); again != first {
		t.Errorf("worker %s, then %s", first, again)
	}
}

// TestTimeLimit: the same work is done within the limit, and killed beyond it; the worker is gone then.
func TestTimeLimit(t *testing.T) {
	long := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Timeout: time.Minute, Memory: testMemory})
	lookup(t, long, "spin", "1s") // the control

	short := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Timeout: time.Second, Memory: testMemory})
	pid := lookup(t, short, "pid", "")
	start := time.Now()
	gap := lost(t, short, "spin", "1000h")
	if gap.Reason != diag.RenderLimit || gap.Message != "rendering takes longer than 1s" || !strings.Contains(gap.Close, "unitTimeout") {
		t.Errorf("%+v", gap)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	if runtime.GOOS == "linux" && alive(pid) {
		t.Error("the worker lives")
	}
	lookup(t, short, "pid", "")
}

func TestMemoryLimit(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector maps more memory than any limit")
	}
	large := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: 2000 << 20})
	lookup(t, large, "eat", "600") // the control

	small := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: 400 << 20})
	for _, l := range layers(t, small) {
		if l.Name == worker.MemoryLayer && !l.Active {
			if os.Getenv("CI") == "true" {
				t.Fatal(l)
			}
			t.Skip(l)
		}
	}
	gap := lost(t, small, "eat", "600")
	if gap.Reason != diag.RenderLimit || gap.Message != "rendering needs more than 400 MiB of memory" || !strings.Contains(gap.Close, "unitMemory") {
		t.Errorf("%+v", gap)
	}
	if got := lookup(t, small, "eat", "20"); got != "20 MiB" {
		t.Error(got)
	}
}

// TestGrownWorkerIsReplaced: half of the limit is too much for a worker to start the next job with.
func TestGrownWorkerIsReplaced(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector maps more memory than any limit")
	}
	p := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: 1000 << 20})
	first := lookup(t, p, "pid", "")
	lookup(t, p, "eat", "20")
	if again := lookup(t, p, "pid", ""); again != first {
		t.Error("replaced for nothing")
	}
	lookup(t, p, "eat", "600")
	if again := lookup(t, p, "pid", ""); again == first {
		t.Error("not replaced")
	}
}

func TestDeaths(t *testing.T) {
	p := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: testMemory})
	for name, want := range map[string]diag.Gap{
		"recurse":         {Reason: diag.RenderLimit, Message: "rendering recurses without end"},
		"crash elsewhere": {Reason: diag.RenderFailed, Message: "the renderer crashed"},
		"exit":            {Reason: diag.RenderLimit, Message: "the renderer's process ended with exit code 7"},
	} {
		gap := lost(t, p, name, "")
		if gap.Reason != want.Reason || gap.Message != want.Message || gap.Close == "" {
			t.Errorf("%s: %+v", name, gap)
		}
		lookup(t, p, "pid", "")
	}
}

// TestKilledWhileIdle: a worker that somebody killed between two jobs costs nothing but time.
func TestKilledWhileIdle(t *testing.T) {
	p := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Memory: testMemory})
	pid, _ := strconv.Atoi(lookup(t, p, "pid", ""))
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	if again := lookup(t, p, "pid", ""); again == strconv.Itoa(pid) {
		t.Error("a ghost")
	}
}

// TestCloseEndsProcesses: whether they are idle or busy.
func TestCloseEndsProcesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	p := NewPool(processes(t, "misbehaving"), Options{Size: 2, Memory: testMemory})
	failed := make(chan error)
	go func() {
		_, err := p.Render(t.Context(), memory("x: "), unit.Request{Name: "spin", Project: "1000h"})
		failed <- err
	}()
	pid := lookup(t, p, "pid", "")
	busy := children(t)
	p.Close()
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if alive(pid) {
		t.Error("the idle one lives")
	}
	for _, pid := range busy {
		if alive(pid) {
			t.Errorf("worker %s lives", pid)
		}
	}
}

// children are the processes that this one has started.
func children(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var pids []string
	for _, e := range entries {
		raw, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, e.Name())
		}
	}
	return pids
}

func layers(t *testing.T, p *Pool) []worker.Layer {
	t.Helper()
	list, err := p.Layers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestLayers(t *testing.T) {
	p := newPool(t, processes(t, "misbehaving"), Options{Size: 1, Timeout: 7 * time.Second, Memory: testMemory})
	list := layers(t, p)
	names := map[string]bool{}
	for _, l := range list {
		t.Log(l)
		names[l.Name] = true
	}
	for _, want := range []string{worker.TimeLayer, worker.MemoryLayer, worker.FilesLayer, worker.TCPLayer, worker.NetworkLayer,
		worker.SyscallLayer, worker.OrphanLayer} {
		if !names[want] {
			t.Errorf("nothing is said of %q", want)
		}
	}
	if list[0].String() != "time limit: active (7s)" {
		t.Error(list[0])
	}
}
