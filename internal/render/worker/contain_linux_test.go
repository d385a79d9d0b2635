package worker

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// containWith contains this process by some layers only, to see each of them alone.
func containWith(layers []string, l Limits) []Layer {
	var out []Layer
	for _, name := range layers {
		switch name {
		case "runtime":
			limitRuntime(l)
		case "memory":
			out = append(out, limitMemory(l))
		case "resources":
			out = append(out, limitResources())
		case "files":
			out = append(out, restrictFiles())
		case "tcp":
			out = append(out, restrictTCP())
		case "calls":
			out = append(out, filterCalls())
		case "watch":
			go watchMemory(l)
		}
	}
	return out
}

// inCI tells that a missing layer that every Linux has is a failure of the test, not of the machine.
func inCI() bool { return os.Getenv("CI") == "true" }

// TestEachLayer tries to break out of a worker that has one layer only, and out of one that has none. The second attempt
// has to succeed, or the first one would prove nothing.
func TestEachLayer(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "made")
	tcp, udp, unixSocket := listen(t, "tcp"), listenUDP(t), listen(t, "unix")
	for _, c := range []struct {
		layer, attempt, argument string
	}{
		{"files", "read", "/etc/passwd"},
		{"files", "read", secret},
		{"files", "list", "/"},
		{"files", "write", made},
		{"files", "spawn", "/bin/true"},
		{"resources", "write", made},
		{"tcp", "dial", tcp},
		{"calls", "dial", tcp},
		{"calls", "dial", udp},
		{"calls", "dial", unixSocket},
		{"calls", "spawn", "/bin/true"},
		{"calls", "signal", strconv.Itoa(os.Getpid())},
	} {
		t.Run(c.layer+" "+c.attempt+" "+c.argument, func(t *testing.T) {
			if ok, report := reports(t, startPlain(t), 0, c.attempt, c.argument); !ok {
				t.Fatalf("without the layer, which must succeed: %s", report)
			}
			os.Remove(made)
			p := startPlain(t, c.layer)
			ready := converse(t, p, 0)
			if !ready.Layers[0].Active {
				t.Skipf("not on this machine: %s", ready.Layers[0])
			}
			report, err := try(p, c.attempt, c.argument)
			if err != nil {
				t.Fatalf("the worker died: %v", err)
			}
			if !strings.HasPrefix(report, "failed: ") {
				t.Errorf("with the layer: %s", report)
			}
			t.Log(report)
			if info, err := os.Stat(made); err == nil && info.Size() > 0 {
				t.Error("the worker wrote a file")
			}
		})
	}
}

// TestNamespace: no network at all, UDP and Unix sockets with names included, by the way the process is started.
func TestNamespace(t *testing.T) {
	for _, network := range []string{listen(t, "tcp"), listenUDP(t), listenAbstract(t)} {
		t.Run(network, func(t *testing.T) {
			if ok, report := reports(t, startPlain(t), 0, "dial", network); !ok {
				t.Fatalf("without the namespace, which must succeed: %s", report)
			}
			p, err := self(t).start(isolated)
			if err != nil {
				t.Skipf("this machine forbids user namespaces: %v", err)
			}
			ok, report := reports(t, p, 0, "dial", network)
			if ok {
				t.Error("reached the network")
			}
			t.Log(report)
		})
	}
}

// TestNoNamespace: where namespaces are forbidden, the worker starts without and says so.
func TestNoNamespace(t *testing.T) {
	p, err := self(t).fallback(func(i isolation) (*Process, error) {
		if i == isolated {
			return nil, unix.EPERM
		}
		return self(t).start(i)
	})
	if err != nil {
		t.Fatal(err)
	}
	converse(t, p, 0)
	i := slices.IndexFunc(p.Layers, func(l Layer) bool { return l.Name == NetworkLayer })
	if i < 0 || p.Layers[i].Active {
		t.Errorf("layers %v", p.Layers)
	}
}

// TestMemoryLimit: a worker dies at its limit, and says of what.
func TestMemoryLimit(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector maps more memory than any limit")
	}
	if ok, report := reports(t, startPlain(t), 0, "allocate", "700"); !ok {
		t.Fatalf("without the limit, which must succeed: %s", report)
	}
	for _, limit := range []int64{300, 500} {
		p := startPlain(t, "memory", "runtime")
		ready := converse(t, p, limit<<20)
		if !ready.Layers[0].Active {
			if inCI() {
				t.Fatalf("no memory limit: %s", ready.Layers[0])
			}
			t.Skipf("not on this machine: %s", ready.Layers[0])
		}
		if report, err := try(p, "allocate", strconv.FormatInt(limit/3, 10)); err != nil || report != "succeeded" {
			t.Errorf("limit %d MiB: a third of it: %s %v", limit, report, err)
		}
		report, err := try(p, "allocate", "700")
		if err == nil {
			t.Errorf("limit %d MiB: 700 MiB %s", limit, report)
			continue
		}
		exit := p.Await(deathMoment)
		if !exit.OutOfMemory() {
			t.Errorf("limit %d MiB: exit code %d, standard error %.200s", limit, exit.Code, exit.Stderr)
		}
	}
}

// TestStackLimit: recursion ends at a quarter of a gigabyte, with a reason of its own.
func TestStackLimit(t *testing.T) {
	if raceEnabled {
		t.Skip("frames are larger under the race detector")
	}
	const levels = "280000" // of a good kilobyte each
	if ok, report := reports(t, startPlain(t), 0, "recurse", levels); !ok {
		t.Fatalf("without the limit, which must succeed: %s", report)
	}
	p := startPlain(t, "runtime")
	converse(t, p, 0)
	if report, err := try(p, "recurse", levels); err == nil {
		t.Fatalf("with the limit: %s", report)
	}
	if exit := p.Await(deathMoment); !exit.Overflowed() {
		t.Errorf("exit code %d, standard error %.200s", exit.Code, exit.Stderr)
	}
}

// TestWatchMemory is the stand-in for systems without a hard limit.
func TestWatchMemory(t *testing.T) {
	p := startPlain(t, "watch")
	converse(t, p, 200<<20)
	if report, err := try(p, "allocate", "3000"); err == nil {
		t.Fatalf("3000 MiB: %s", report)
	}
	if exit := p.Await(deathMoment); !exit.OutOfMemory() {
		t.Errorf("exit code %d, standard error %.200s", exit.Code, exit.Stderr)
	}
}

// TestInheritance: a worker gets neither the environment nor the descriptors of its parent.
func TestInheritance(t *testing.T) {
	t.Setenv("SYNCPROOF_TEST_TOKEN", "hunter2")
	fd, err := unix.Open(os.Args[0], unix.O_RDONLY, 0) // without O_CLOEXEC, like one that a shell left open
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if ok, report := reports(t, startInheriting(t), 0, "descriptor", strconv.Itoa(fd)); !ok {
		t.Fatalf("a process that inherits, which must succeed: %s", report)
	}
	if ok, _ := reports(t, startPlain(t), 0, "descriptor", strconv.Itoa(fd)); ok {
		t.Error("the worker reads a descriptor of its parent's")
	}
	if ok, report := reports(t, startPlain(t), 0, "environment", ""); !ok {
		t.Error(report)
	}
}

// TestAllLayers: everything at once leaves a worker that still works, and of which nothing is missing that this machine
// has.
func TestAllLayers(t *testing.T) {
	p, err := self(t, "all").Start()
	if err != nil {
		t.Fatal(err)
	}
	limit := int64(1500 << 20)
	if raceEnabled {
		limit = 0
	}
	ready := converse(t, p, limit)
	for _, l := range append(ready.Layers, p.Layers...) {
		t.Log(l)
		if inCI() && l.Name == MemoryLayer && !l.Active && !raceEnabled {
			t.Error("no memory limit")
		}
	}
	for _, attempt := range []string{"nothing", "collect"} {
		if report, err := try(p, attempt, ""); err != nil || report != "succeeded" {
			t.Errorf("%s: %s %v", attempt, report, err)
		}
	}
	if report, err := try(p, "panic", ""); err != nil || !strings.Contains(report, "the renderer crashed") {
		t.Errorf("panic: %s %v", report, err)
	}
}

func startPlain(t *testing.T, layers ...string) *Process {
	t.Helper()
	p, err := self(t, layers...).start(plain)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func listen(t *testing.T, network string) string {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	return listenAt(t, network, address)
}

func listenAbstract(t *testing.T) string {
	return listenAt(t, "unix", "@syncproof-test-"+strconv.Itoa(os.Getpid()))
}

func listenAt(t *testing.T, network, address string) string {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, conn)
		}
	}()
	return network + " " + l.Addr().String()
}

func listenUDP(t *testing.T) string {
	t.Helper()
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return "udp " + l.LocalAddr().String()
}

// startInheriting starts a worker the way any other program is started.
func startInheriting(t *testing.T) *Process {
	t.Helper()
	c := self(t)
	cmd := exec.Command(c.Path, c.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &Process{In: in, Out: out, done: make(chan struct{})}
	p.kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
		close(p.done)
	}
	return p
}
