package oracle_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// rereading is a proxy whose dictionary is replaced by another: only the second knows the query parameter b.
type rereading struct {
	*testing.T
	oracle *oracle.Oracle
	setup  oracle.Setup
	before []byte
	after  []byte
	count  int // of changes
}

func newRereading(t *testing.T, options oracle.Options) *rereading {
	t.Helper()
	options.Binary, options.Required = *binary, os.Getenv("CI") == "true"
	r := &rereading{T: t, oracle: oracle.Start(t, options)}
	r.before = compile(t, plain.text())
	r.after = compile(t, (plain + "\nQ: string b = 2;" + theService + "\nservice U { rpc Put(Q) returns (R); }").text())
	r.setup = oracle.Setup{Dictionary: r.before, Server: r.after}
	return r
}

// which says what dictionary the reply comes from.
func which(r oracle.Reply) string {
	return map[int]string{http.StatusUnsupportedMediaType: "before", http.StatusOK: "after"}[r.Status]
}

var asking = oracle.Request{Target: "/v1/get?b=1"}

func (r *rereading) expect(step, want string) {
	r.Helper()
	if got := which(r.oracle.Exchange(r, oracle.Case{Setup: r.setup, Request: asking})); got != want {
		r.Errorf("%s: dictionary %q serves, want %q", step, got, want)
	}
}

func (r *rereading) expectSecond(step, want string) {
	r.Helper()
	request := asking
	request.HTTP2 = true
	if got := which(r.oracle.Exchange(r, oracle.Case{Setup: r.setup, Request: request})); got != want {
		r.Errorf("%s: dictionary %q serves in the second chain, want %q", step, got, want)
	}
}

func (r *rereading) resend(step string, refused bool, change func(listener map[string]any)) {
	r.Helper()
	if rejected := r.oracle.Resend(r, r.setup, change); (rejected != "") != refused {
		r.Errorf("%s: rejected %q, want %v", step, rejected, refused)
	}
}

// replace puts bytes into the file in one step.
func (r *rereading) replace(name string, raw []byte) {
	r.Helper()
	if err := errors.Join(os.WriteFile(name+".next", raw, 0o600), os.Rename(name+".next", name)); err != nil {
		r.Fatal(err)
	}
}

func (r *rereading) changeChain(n int) func(listener map[string]any) {
	r.count++
	timeout := strconv.Itoa(100+r.count) + "s"
	return func(l map[string]any) { chain(l, n)["transport_socket_connect_timeout"] = timeout }
}

func (r *rereading) changeListener() func(listener map[string]any) {
	r.count++
	limit := 1<<20 - r.count
	return func(l map[string]any) { l["per_connection_buffer_limit_bytes"] = limit }
}

func chain(listener map[string]any, n int) map[string]any {
	return listener["filter_chains"].([]any)[n].(map[string]any)
}

// filter is the transcoder of a chain.
func filter(chain map[string]any) map[string]any {
	manager := chain["filters"].([]any)[0].(map[string]any)["typed_config"].(map[string]any)
	return manager["http_filters"].([]any)[0].(map[string]any)["typed_config"].(map[string]any)
}

// TestRereading is E2: when Envoy looks at the file again.
func TestRereading(t *testing.T) {
	r := newRereading(t, oracle.Options{})
	file := r.oracle.File(t, r.setup)
	r.expect("at first", "before")
	r.replace(file, r.after)
	r.expect("file replaced", "before")
	r.resend("same listener", false, nil)
	r.expect("same listener", "before")
	r.resend("chain changed", false, r.changeChain(0))
	r.expect("chain changed", "after")

	if err := os.WriteFile(file, r.before, 0o600); err != nil {
		t.Fatal(err)
	}
	r.expect("file overwritten in place", "after")
	r.resend("listener changed", false, r.changeListener())
	r.expect("listener changed", "before")

	r.replace(file, []byte("bad"))
	r.resend("bad file", true, r.changeChain(0))
	r.expect("bad file", "before")
	r.replace(file, r.after)
	r.expect("file repaired", "before")
	r.resend("same listener after the repair", false, nil)
	r.expect("same listener after the repair", "after")
}

// TestRereadingVolume is E2 for the directory of a ConfigMap, whose files are links by way of one that is swapped.
func TestRereadingVolume(t *testing.T) {
	r := newRereading(t, oracle.Options{})
	file := r.oracle.File(t, r.setup)
	dir := filepath.Dir(file)
	data := filepath.Join(dir, "..data")
	swap := func(version string, raw []byte) {
		t.Helper()
		err := errors.Join(
			os.Mkdir(filepath.Join(dir, version), 0o700),
			os.WriteFile(filepath.Join(dir, version, "api.pb"), raw, 0o600),
			os.Symlink(version, data+"_tmp"),
			os.Rename(data+"_tmp", data))
		if err != nil {
			t.Fatal(err)
		}
	}
	swap("..1", r.before)
	if err := errors.Join(os.Remove(file), os.Symlink(filepath.Join("..data", "api.pb"), file)); err != nil {
		t.Fatal(err)
	}
	r.resend("chain changed", false, r.changeChain(0))
	r.expect("at first", "before")
	swap("..2", r.after)
	r.expect("volume updated", "before")
	r.resend("same listener", false, nil)
	r.expect("same listener", "before")
	r.resend("chain changed", false, r.changeChain(0))
	r.expect("chain changed", "after")
}

// TestRereadingServices is E3.1 of a proxy that serves: an entry that the dictionary lacks.
func TestRereadingServices(t *testing.T) {
	r := newRereading(t, oracle.Options{})
	r.expect("at first", "before")
	r.resend("services ahead of the dictionary", true, func(l map[string]any) {
		filter(chain(l, 0))["services"] = []any{"t.v1.T", "t.v1.U"}
	})
	r.expect("services ahead of the dictionary", "before")
	r.replace(r.oracle.File(t, r.setup), r.after)
	r.expect("file repaired", "before")
	r.resend("same listener", false, nil)
	r.expect("same listener", "after")
}

// TestRereadingChains is E2 for two chains of one listener.
func TestRereadingChains(t *testing.T) {
	r := newRereading(t, oracle.Options{})
	first := r.oracle.File(t, r.setup)
	second := filepath.Join(t.TempDir(), "second.pb")
	r.replace(second, r.after)
	r.resend("second chain", false, func(l map[string]any) {
		another := chain(cloned(t, l), 0)
		another["filter_chain_match"] = map[string]any{"application_protocols": []any{"h2c"}}
		filter(another)["proto_descriptor"] = second
		l["filter_chains"] = append(l["filter_chains"].([]any), another)
		l["listener_filters"] = []any{map[string]any{
			"name":         "envoy.filters.listener.http_inspector",
			"typed_config": map[string]any{"@type": "type.googleapis.com/envoy.extensions.filters.listener.http_inspector.v3.HttpInspector"},
		}}
	})
	r.expect("two chains", "before")
	r.expectSecond("two chains", "after")

	r.replace(first, r.after)
	r.replace(second, r.before)
	r.resend("second chain changed", false, r.changeChain(1))
	r.expect("second chain changed", "before")
	r.expectSecond("second chain changed", "before")
	r.replace(second, r.after)
	r.resend("first chain changed", false, r.changeChain(0))
	r.expect("first chain changed", "after")
	r.expectSecond("first chain changed", "before")

	r.replace(first, r.before)
	r.resend("listener changed", false, r.changeListener())
	r.expect("listener changed", "before")
	r.expectSecond("listener changed", "after")
}

func cloned(t *testing.T, listener map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(listener)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRereadingKeepsConnections is E2.5: connections that are open stay with the dictionary that they began with.
func TestRereadingKeepsConnections(t *testing.T) {
	r := newRereading(t, oracle.Options{Drain: 600})
	kept := r.oracle.Connect(t, r.setup)
	ask := func(step string) oracle.Reply {
		t.Helper()
		reply, err := kept.Send(asking)
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if got := which(reply); got != "before" {
			t.Errorf("%s: dictionary %q serves on the connection, want %q", step, got, "before")
		}
		return reply
	}
	if reply := ask("at first"); reply.Closes {
		t.Error("at first: Envoy closes the connection")
	}
	r.replace(r.oracle.File(t, r.setup), r.after)
	r.resend("chain changed", false, r.changeChain(0))
	r.expect("chain changed", "after")
	if reply := ask("chain changed"); !reply.Closes {
		t.Error("chain changed: Envoy does not say that it closes the connection")
	}
	if reply, err := kept.Send(asking); err == nil {
		t.Errorf("the connection goes on, with status %d", reply.Status)
	}
}

// TestStart is E3.1 of a proxy that starts: with a listener of its bootstrap it ends, with one that is delivered it lives and
// does not listen.
func TestStart(t *testing.T) {
	r := newRereading(t, oracle.Options{})
	lacking := r.setup
	lacking.Transcoder = map[string]any{"services": []string{"t.v1.T", "t.v1.U"}}
	bad := lacking
	bad.Dictionary = []byte("bad")
	for name, setup := range map[string]oracle.Setup{"bad file": bad, "service that the dictionary lacks": lacking} {
		if r.oracle.StartStatic(t, setup) {
			t.Errorf("%s: Envoy serves with it in its bootstrap", name)
		}
		if reply := r.oracle.Exchange(t, oracle.Case{Setup: setup, Request: asking}); reply.ListenerRejected == "" {
			t.Errorf("%s: Envoy takes a listener with it", name)
		}
	}
	if !r.oracle.StartStatic(t, r.setup) {
		t.Error("a good file: Envoy does not serve")
	}
	if health := r.oracle.Health(t); health != "LIVE" {
		t.Errorf("with nothing but refused listeners, Envoy says %q of itself, want LIVE", health)
	}
}
