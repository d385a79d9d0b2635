package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// File is where the dictionary of a setup stands, for a test that puts another one there.
func (o *Oracle) File(t testing.TB, s Setup) string {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.path(o.existing(t, s))
}

// Resend changes the listener of a setup, a decoded envoy.config.listener.v3.Listener, and delivers it. If Envoy refuses it
// gives the reason; the proxy goes on as it was then, and the next Resend has the change too.
func (o *Oracle) Resend(t testing.TB, s Setup, change func(listener map[string]any)) (rejected string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.existing(t, s)
	if change != nil {
		change(p.listener)
	}
	rejected, err := o.pushAndWait(p.name)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return rejected
}

// Connect gives a connection to the proxy of a setup that is made by the first request and serves all that follow, until
// the test ends.
func (o *Oracle) Connect(t testing.TB, s Setup) *Connection {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	c := connection(o.existing(t, s).address)
	t.Cleanup(c.transport.CloseIdleConnections)
	return c
}

// Health is what Envoy's admin page /ready says.
func (o *Oracle) Health(t testing.TB) string {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	r, err := send(o.envoy.admin, Request{Target: "/ready"})
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return string(bytes.TrimSpace(r.Body))
}

func (o *Oracle) existing(t testing.TB, s Setup) *proxy {
	t.Helper()
	p, err := o.proxyFor(s)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return p
}

func (o *Oracle) path(p *proxy) string { return filepath.Join(o.dir, p.name+".pb") }

// Connection is one connection over HTTP/1.1. It is made once and never again.
type Connection struct {
	transport *http.Transport
	address   string
}

func connection(address string) *Connection {
	made := false
	transport := &http.Transport{DisableCompression: true, MaxConnsPerHost: 1}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if made {
			return nil, errors.New("the connection is closed")
		}
		made = true
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}
	return &Connection{transport: transport, address: address}
}

// Send makes one request. An error means that there is no connection any more.
func (c *Connection) Send(q Request) (Reply, error) { return roundTrip(c.transport, c.address, q) }

// StartStatic runs another Envoy whose listener stands in its bootstrap, with the filter of a setup and a server that is not
// there. It says whether the process serves or ends; a failure of the harness ends the test.
func (o *Oracle) StartStatic(t testing.TB, s Setup) (serves bool) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	dir := t.TempDir()
	file, list := filepath.Join(dir, "static.pb"), filepath.Join(dir, "listeners.json")
	if err := errors.Join(os.WriteFile(file, s.Dictionary, 0o600), os.WriteFile(list, []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	filter, err := transcoder(s, file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := startEnvoy(o.binary, o.drain, dir, list, listener("static", routes(nil, "127.0.0.1:1"), filter))
	switch {
	case errors.Is(err, errEnded):
		return false
	case err != nil:
		t.Fatalf("oracle: %v", err)
	}
	e.stop()
	return true
}

// pushAndWait waits until Envoy has dealt with the list, also where it changes nothing for Envoy, and the worker too.
func (o *Oracle) pushAndWait(name string) (rejected string, err error) {
	before, err := o.envoy.updates()
	if err != nil {
		return "", err
	}
	if err := o.push(); err != nil {
		return "", err
	}
	err = poll(o.envoy.done, func() (bool, error) {
		after, err := o.envoy.updates()
		return after > before && o.envoy.answers(), err
	})
	if err != nil {
		return "", err
	}
	v, err := o.envoy.verdict("^" + name + "$")
	if err != nil {
		return "", fmt.Errorf("what became of %s: %w", name, err)
	}
	return v.Error.Details, nil
}
