package oracle_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
)

// row is one case: what is loaded, what is asked, and what is said to come of it.
type row struct {
	fact string // ids of docs/semantics.md, and a name
	d    schema // what the proxy loads
	s    schema // what the server implements; "" is d

	options map[string]any // of the filter
	library oracle.Library
	setup   func(*oracle.Setup)
	header  http.Header

	req string        // "POST /v1/put BODY"; without a body, none is sent
	ans string        // JSON of the server's R, or hex:…; one per line
	end oracle.Answer // status of the answer

	status int
	body   string // compared as JSON where it is JSON, else as it is; "*" is any
	got    string // JSON of the server's Q, or hex:…; one per line; "-" when no handler runs, "?" when that depends on timing

	unmodelled string // why the model is not asked

	broken   bool
	crash    bool
	rejected string // part of the reason
}

type options = map[string]any

var everyRow = [][]row{loads, routes, requests, responses, ends, wires, anys, streams, prints, statuses, bare, further}

// TestFacts sends every row through Envoy, and through the model of it.
func TestFacts(t *testing.T) {
	o := start(t)
	seen := map[string]bool{}
	n := 0
	for _, rows := range everyRow {
		for _, r := range rows {
			if seen[r.fact] {
				t.Fatalf("two rows are named %q", r.fact)
			}
			seen[r.fact] = true
			n++
			t.Run(r.fact, func(t *testing.T) {
				c := r.build(t)
				reply := o.Exchange(t, c)
				r.check(t, reply)
				t.Run("model", func(t *testing.T) {
					if r.unmodelled != "" {
						t.Skip(r.unmodelled)
					}
					for _, d := range newModel(t, c.Setup).differences(t, c, reply) {
						t.Error(d)
					}
				})
			})
		}
	}
	t.Logf("%d cases", n)
}

func (r row) server() schema {
	if r.s == "" {
		return r.d
	}
	return r.s
}

// build makes the case of a row.
func (r row) build(t *testing.T) oracle.Case {
	t.Helper()
	c := oracle.Case{
		Setup: oracle.Setup{
			Dictionary: compile(t, r.d.text()),
			Server:     compile(t, r.server().text()),
			Library:    r.library,
			Transcoder: r.options,
		},
		Answer: r.end,
	}
	c.Request.Header = r.header
	c.Request.Method, c.Request.Target, _ = strings.Cut(r.req, " ")
	if target, body, ok := strings.Cut(c.Request.Target, " "); ok {
		c.Request.Target, c.Request.Body = target, []byte(body)
	}
	if r.ans != "" {
		for line := range strings.SplitSeq(r.ans, "\n") {
			c.Answer.Messages = append(c.Answer.Messages, serialize(t, c.Server, "R", line))
		}
	}
	if r.setup != nil {
		r.setup(&c.Setup)
	}
	return c
}

// serialize reads JSON as the message of that short name in the last file of a set.
func serialize(t *testing.T, set []byte, name, text string) []byte {
	t.Helper()
	if digits, ok := strings.CutPrefix(text, "hex:"); ok {
		raw, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	m, resolver := message(t, set, name)
	if err := (protojson.UnmarshalOptions{Resolver: resolver, AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	raw, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func message(t *testing.T, set []byte, name string) (proto.Message, *dynamicpb.Types) {
	t.Helper()
	decoded, err := descriptor.Decode(set)
	if err != nil {
		t.Fatal(err)
	}
	pkg := decoded.Files[len(decoded.Files)-1].Package
	d, err := decoded.Types().FindDescriptorByName(protoreflect.FullName(pkg + "." + name))
	if err != nil {
		t.Fatal(err)
	}
	return dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor)), dynamicpb.NewTypes(decoded.Types())
}

func newMessage(md protoreflect.MessageDescriptor) proto.Message { return dynamicpb.NewMessage(md) }

// methodByPath finds a method of a set; nil if there is none.
func methodByPath(set *descriptor.Set, path string) protoreflect.MethodDescriptor {
	d, err := set.Types().FindDescriptorByName(protoreflect.FullName(methodName(path)))
	if err != nil {
		return nil
	}
	md, _ := d.(protoreflect.MethodDescriptor)
	return md
}

func (r row) check(t *testing.T, reply oracle.Reply) {
	t.Helper()
	if !strings.Contains(reply.ListenerRejected, r.rejected) || (reply.ListenerRejected != "") != (r.rejected != "") {
		t.Errorf("listener rejected: %q, want %q", reply.ListenerRejected, r.rejected)
	}
	if reply.ProxyCrashed != r.crash {
		t.Errorf("proxy crashed: %v, want %v", reply.ProxyCrashed, r.crash)
	}
	if r.crash || r.rejected != "" {
		return
	}
	if reply.Status != r.status {
		t.Errorf("status %d, want %d", reply.Status, r.status)
	}
	if r.body != "*" && !same(reply.Body, []byte(r.body)) {
		t.Errorf("body\n%s\nwant\n%s", reply.Body, r.body)
	}
	if reply.BrokenOff != r.broken {
		t.Errorf("broken off: %v, want %v", reply.BrokenOff, r.broken)
	}
	r.checkReceived(t, reply)
	if t.Failed() {
		t.Logf("header %v", reply.Header)
	}
}

func (r row) checkReceived(t *testing.T, reply oracle.Reply) {
	t.Helper()
	if r.got == "?" {
		return
	}
	if reply.Ran != (r.got != "-") {
		t.Errorf("handler ran: %v, received %x, want %q", reply.Ran, reply.Received, r.got)
		return
	}
	if r.got == "-" {
		return
	}
	var want []string
	if r.got != "" {
		want = strings.Split(r.got, "\n")
	}
	if len(want) != len(reply.Received) {
		t.Errorf("received %d messages %x, want %d", len(reply.Received), reply.Received, len(want))
		return
	}
	set := compile(t, r.server().text())
	for i, raw := range reply.Received {
		got, _ := message(t, set, "Q")
		wanted := got.ProtoReflect().New().Interface()
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(raw, got); err != nil {
			t.Fatal(err)
		}
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(serialize(t, set, "Q", want[i]), wanted); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got, wanted) {
			t.Errorf("received %x %v, want %s", raw, got, want[i])
		}
	}
}

// same compares JSON by value, anything else by byte.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := decode(a)
	y, okY := decode(b)
	return okX && okY && reflect.DeepEqual(x, y)
}

func decode(raw []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return nil, false
	}
	return v, true
}
