// Package oracle asks a real Envoy what it does: it runs one, with the gRPC-JSON transcoder, in front of a real gRPC server,
// of grpc-go or of the C core, whose services and messages come from a descriptor set. It is for tests: only _test.go files
// import it.
//
// In go what the proxy loads, what the server implements, a request and the answer that the server is to give; out comes
// what the client saw and what the server received. One Envoy process serves many cases: each combination of dictionary,
// filter options and server is a listener of its own, delivered through a file. Everything is on loopback, on ports that
// the system chooses, and every wait has an end. The package refuses to judge: what should have come out is the test's
// matter. A proxy that refuses a listener or that dies is an outcome, not a failure of the test.
package oracle

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Options say where Envoy is and whether a test may do without it.
type Options struct {
	Binary   string // path; "" looks for .envoy/envoy below the module root
	Required bool   // what is missing makes the test fail instead of being skipped; so it is with a binary that is named
	Drain    int    // seconds for which connections of a chain that is no more go on; 0 is 1
	CCore    bool   // servers of the C core are wanted too, and with them Python and the packages of .ci/grpcio
}

// Oracle is a running Envoy with the servers behind it. Exchanges are made one at a time; it may be shared by parallel
// tests.
type Oracle struct {
	mu      sync.Mutex
	binary  string
	drain   int
	dir     string // of this oracle's files
	envoy   *envoy
	version string
	proxies []*proxy // that Envoy has, oldest first
	servers map[string]backend
	ccore   *ccore // nil if it was not asked for
	made    int    // proxies so far: their names are unique
	pushes  int    // LDS updates so far
}

// maxProxies bounds the listeners that Envoy keeps: the oldest go first.
const maxProxies = 48

// Start runs Envoy until the test ends, and logs its version. Without a binary it skips the test, or fails it if Envoy is
// required.
func Start(t testing.TB, options Options) *Oracle {
	t.Helper()
	binary, err := find(options.Binary)
	if err != nil {
		if options.Binary != "" || options.Required {
			t.Fatalf("no Envoy, which this run requires (.ci/envoy installs it): %v", err)
		}
		t.Skipf("skipped: no Envoy (.ci/envoy installs it): %v", err)
	}
	o := &Oracle{binary: binary, drain: max(1, options.Drain), dir: t.TempDir(), servers: map[string]backend{}}
	t.Cleanup(o.stop)
	if o.version, err = version(binary); err != nil {
		t.Fatal(err)
	}
	t.Logf("Envoy %s", o.version)
	if options.CCore {
		o.startCore(t, options.Required)
	}
	if err := o.boot(); err != nil {
		t.Fatal(err)
	}
	return o
}

// Version is Envoy's own, "1.40.0".
func (o *Oracle) Version() string { return o.version }

// Exchange sends one request through the proxy and returns what came of it. Failures of the harness end the test.
func (o *Oracle) Exchange(t testing.TB, c Case) Reply {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	r, err := o.exchange(c)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return r
}

func (o *Oracle) exchange(c Case) (Reply, error) {
	p, err := o.proxyFor(c.Setup)
	if err != nil {
		return Reply{}, err
	}
	if p.rejected != "" {
		return Reply{ListenerRejected: p.rejected}, nil
	}
	id, err := p.server.program(c.Answer)
	if err != nil {
		return Reply{}, err
	}
	request := c.Request
	request.Header = request.Header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	request.Header.Set(callID, id)
	r, err := send(p.address, request)
	if err != nil || r.BrokenOff {
		crashed, aliveErr := o.envoy.crashed()
		if crashed {
			r, err = Reply{ProxyCrashed: true, Status: r.Status, Body: r.Body, BrokenOff: r.BrokenOff}, o.restart()
		}
		if err = errors.Join(err, aliveErr); err != nil {
			return Reply{}, err
		}
	}
	var fault error
	r.Ran, r.Received, fault = p.server.result()
	return r, fault
}

// boot starts a process with an empty list of listeners.
func (o *Oracle) boot() error {
	o.proxies = nil
	if err := o.push(); err != nil {
		return err
	}
	var err error
	o.envoy, err = startEnvoy(o.binary, o.drain, o.dir, o.listPath())
	return err
}

func (o *Oracle) restart() error {
	o.envoy.stop()
	return o.boot()
}

func (o *Oracle) stop() {
	if o.envoy != nil {
		o.envoy.stop()
	}
	for _, s := range o.servers {
		s.stop()
	}
	if o.ccore != nil {
		o.ccore.end()
	}
}

// find gives the path of a binary that can be run.
func find(explicit string) (string, error) {
	if explicit != "" {
		_, err := os.Stat(explicit)
		return explicit, err
	}
	return belowModule(".envoy", "envoy")
}

// belowModule gives a path that exists below the module root.
func belowModule(parts ...string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			name := filepath.Join(append([]string{dir}, parts...)...)
			_, err := os.Stat(name)
			return name, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no module root above the working directory")
		}
		dir = parent
	}
}
