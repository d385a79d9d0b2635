package oracle

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Change is what is different when a listener is sent again.
type Change int

const (
	Unchanged       Change = iota
	ChainChanged           // a filter chain
	ListenerChanged        // the listener itself
)

// ReplaceDictionary puts other bytes into the file that the proxy of a setup was given, in one step.
func (o *Oracle) ReplaceDictionary(t testing.TB, s Setup, raw []byte) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	p, err := o.proxyFor(s)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	path := filepath.Join(o.dir, p.name+".pb")
	if err := os.WriteFile(path+".next", raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".next", path); err != nil {
		t.Fatal(err)
	}
}

// Resend delivers the proxy of a setup again, and gives Envoy's reason if it refuses; the proxy goes on as it was then.
func (o *Oracle) Resend(t testing.TB, s Setup, c Change) (rejected string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	p, err := o.proxyFor(s)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	p.resent++
	switch c {
	case Unchanged:
	case ChainChanged:
		p.listener["filter_chains"].([]any)[0].(map[string]any)["transport_socket_connect_timeout"] = strconv.Itoa(100+p.resent) + "s"
	case ListenerChanged:
		p.listener["per_connection_buffer_limit_bytes"] = 1<<20 - p.resent
	}
	rejected, err = o.pushAndWait(p.name)
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return rejected
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
	return v.Error.Details, err
}
