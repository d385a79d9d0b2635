package transcode_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

const header = `syntax = "proto3";
package t.v1;
import "google/api/annotations.proto";
import "google/api/httpbody.proto";
message In { string id = 1; int32 n = 2; repeated string tags = 3; In sub = 4; google.api.HttpBody raw = 5; string long_name = 6; }
message Out { string id = 1; google.api.HttpBody raw = 2; }
`

func method(name, rule string) string {
	return "rpc " + name + "(In) returns (Out) { option (google.api.http) = { " + rule + " }; }\n"
}

func load(t *testing.T, methods string, cfg descriptor.Transcoder) (*transcode.Proxy, *transcode.Server, error) {
	t.Helper()
	s := decode(t, header+"service S { "+methods+" }")
	if cfg.Services == nil {
		cfg.Services = []string{"t.v1.S"}
	}
	p, err := transcode.Load(s, cfg)
	return p, transcode.NewServer(s, transcode.GoServer), err
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name, methods string
		services      []string
		want          string // "" loads
	}{
		{"plain", method("A", `get: "/a"`), nil, ""},
		{"unknown service", method("A", `get: "/a"`), []string{"t.v1.S", "t.v1.T"}, `the dictionary has no service "t.v1.T"`},
		{"template", method("A", `get: "a"`), nil, `method t.v1.S.A: template "a" cannot be parsed`},
		{"template with two **", method("A", `get: "/**/{id=**}"`), nil, `method t.v1.S.A: template "/**/{id=**}" cannot be parsed`},
		{"template with a nested variable", method("A", `get: "/{id={n}}"`), nil, `method t.v1.S.A: template "/{id={n}}" cannot be parsed`},
		{"variable without a field", method("A", `get: "/{nobody}"`), nil, ""},
		{"body without a field", method("A", `post: "/a" body: "nobody"`), nil, `method t.v1.S.A: body: no field "nobody" in t.v1.In`},
		{"response_body", method("A", `get: "/a" response_body: "id"`), nil, `method t.v1.S.A: response_body "id" is no google.api.HttpBody`},
		{"response_body of HttpBody", method("A", `get: "/a" response_body: "raw"`), nil, ""},
		{"two methods with a route", method("A", `get: "/a"`) + method("B", `get: "/a"`), nil, ""},
		{"option without a pattern", method("A", `body: "*"`), nil, ""},
		{"no services", method("A", `get: "a"`), []string{}, ""},
	} {
		_, _, err := load(t, c.methods, descriptor.Transcoder{Services: c.services})
		got := ""
		var refused *transcode.Refused
		if errors.As(err, &refused) {
			got = refused.Reason
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRoutesAndBindings(t *testing.T) {
	methods := method("Get", `get: "/v1/in/{id}" additional_bindings { get: "/v1/in/{id}/{sub.id}" } additional_bindings { get: "/w/{id=a/*/**}" }`) +
		method("Put", `put: "/v1/in/{id}" body: "sub"`) + method("Make", `post: "/v1/in:make" body: "*"`) +
		method("One", `get: "/clash"`) + method("Two", `get: "/clash"`) + method("Any", `custom: { kind: "*" path: "/any/**/end" }`) +
		method("Raw", `post: "/raw" body: "raw" `) + "rpc Auto(In) returns (Out);"
	strict := descriptor.Transcoder{RequestValidation: descriptor.RequestValidation{
		RejectUnknownMethod: true, RejectUnknownQueryParameters: true, RejectBindingBodyFieldCollisions: true}}
	for _, c := range []struct {
		verb, target, body string
		cfg                descriptor.Transcoder
		want               string // status and what the server received
	}{
		{verb: "GET", target: "/v1/in/x", want: `200 id:"x"`},
		{verb: "GET", target: "/v1/in/x/", want: `200 id:"x"`},
		{verb: "GET", target: "/v1/in/x%2Fy", want: `200 id:"x/y"`},
		{verb: "GET", target: "/v1/in/x/y", want: `200 id:"x" sub:{id:"y"}`},
		{verb: "GET", target: "/w/a/b/c%2Fd%20e", want: `200 id:"a/b/c%2Fd e"`},
		{verb: "GET", target: "/w/a/b/c%2Fd", cfg: descriptor.Transcoder{URLUnescapeSpec: "ALL_CHARACTERS"}, want: `200 id:"a/b/c/d"`},
		{verb: "GET", target: "/v1/in/x?n=3&tags=a&tags=b&sub.n=4&longName=l", want: `200 id:"x" long_name:"l" n:3 sub:{n:4} tags:"a" tags:"b"`},
		{verb: "GET", target: "/v1/in/x?long_name=a+b", want: `200 id:"x" long_name:"a+b"`},
		{verb: "GET", target: "/v1/in/x?long_name=a+b", cfg: descriptor.Transcoder{QueryParamUnescapePlus: true}, want: `200 id:"x" long_name:"a b"`},
		{verb: "GET", target: "/v1/in/x?n=many", want: `400`},
		{verb: "GET", target: "/v1/in/x?nobody=1", want: `415`},
		{verb: "GET", target: "/v1/in/x?nobody=1", cfg: strict, want: `400`},
		{verb: "GET", target: "/v1/in/x?nobody=1", cfg: descriptor.Transcoder{IgnoreUnknownQueryParameters: true}, want: `200 id:"x"`},
		{verb: "GET", target: "/v1/in/x?key=1", cfg: descriptor.Transcoder{IgnoredQueryParameters: []string{"key"}}, want: `200 id:"x"`},
		{verb: "POST", target: "/v1/in/x", want: `415`},
		{verb: "POST", target: "/v1/in/x", cfg: strict, want: `404`},
		{verb: "PUT", target: "/v1/in/x?n=1", body: `{"n":2,"nobody":3}`, want: `200 id:"x" n:1 sub:{n:2}`},
		{verb: "POST", target: "/v1/in:make?id=q", body: `{"id":"b"}`, want: `200 id:"b"`},
		{verb: "POST", target: "/v1/in:make?id=q", body: `{"id":"b"}`, cfg: strict, want: `400`},
		{verb: "POST", target: "/v1/in:make?long_name=q", body: `{"longName":"b"}`, want: `200 long_name:"q"`},
		{verb: "POST", target: "/v1/in:break", want: `415`},
		{verb: "GET", target: "/clash", want: `415`},
		{verb: "DELETE", target: "/any/a/b/end", want: `200 `},
		{verb: "DELETE", target: "/any/a/b", want: `415`},
		{verb: "POST", target: "/raw?id=q", body: `no JSON`, want: `200 id:"q" raw:{content_type:"application/json" data:"no JSON"}`},
		{verb: "POST", target: "/t.v1.S/Auto", body: `{}`, want: `415`},
		{verb: "POST", target: "/t.v1.S/Auto", body: `{"id":"x"}`, cfg: descriptor.Transcoder{AutoMapping: true}, want: `200 id:"x"`},
		{verb: "POST", target: "/v1/in:make", body: `{"id":`, want: `400`},
	} {
		p, s, err := load(t, methods, c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := p.Exchange(s, transcode.Request{Method: c.verb, Target: c.target, Body: []byte(c.body), ContentType: "application/json"}, transcode.Answer{})
		got := fmt.Sprint(r.Status)
		for _, raw := range r.Received {
			got += " " + readable(t, header, "t.v1.In", raw)
		}
		if got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.verb, c.target, c.body, got, c.want)
		}
	}
}

func TestServers(t *testing.T) {
	old, err := descriptor.Decode(compile(t, header+"service S { "+method("A", `get: "/a"`)+method("B", `get: "/b"`)+" }"))
	if err != nil {
		t.Fatal(err)
	}
	less := decode(t, header+"service S { "+method("A", `get: "/a"`)+" }")
	p, err := transcode.Load(old, descriptor.Transcoder{Services: []string{"t.v1.S"}, ConvertGRPCStatus: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		target string
		kind   transcode.ServerKind
		answer transcode.Answer
		want   string
	}{
		{"/none", transcode.GoServer, transcode.Answer{}, `415 not-routed `},
		{"/none", transcode.JavaServer, transcode.Answer{}, `415 not-routed `},
		{"/none", transcode.CServer, transcode.Answer{}, `503 not-routed `},
		{"/b", transcode.GoServer, transcode.Answer{}, `501 unimplemented {"code":12,"message":"unknown method B for service t.v1.S"}`},
		{"/a", transcode.GoServer, transcode.Answer{Code: 5, Message: "gone"}, `404 handler's status {"code":5,"message":"gone"}`},
		{"/a", transcode.GoServer, transcode.Answer{Code: 99}, `500 handler's status {"code":99}`},
	} {
		r := p.Exchange(transcode.NewServer(less, c.kind), transcode.Request{Method: "GET", Target: c.target}, c.answer)
		if got := fmt.Sprintf("%d %s %s", r.Status, r.Outcome, r.Body); got != c.want {
			t.Errorf("%s: %s, want %s", c.target, got, c.want)
		}
	}
}

// TestUnroutedVerbs is E4.1 for the C core, which answers 200 to a verb that it does not know.
func TestUnroutedVerbs(t *testing.T) {
	s := decode(t, header+"service S { "+method("A", `get: "/a"`)+" }")
	p, err := transcode.Load(s, descriptor.Transcoder{Services: []string{"t.v1.S"}})
	if err != nil {
		t.Fatal(err)
	}
	for verb, want := range map[string]int{"GET": 503, "POST": 503, "PUT": 503, "PATCH": 200, "DELETE": 200, "HEAD": 200, "OPTIONS": 200} {
		r := p.Exchange(transcode.NewServer(s, transcode.CServer), transcode.Request{Method: verb, Target: "/none"}, transcode.Answer{})
		if r.Status != want || r.Outcome != transcode.NotRouted || r.Ran {
			t.Errorf("%s: %d %s, want %d", verb, r.Status, r.Outcome, want)
		}
	}
}

// TestStreamFrames is what stands behind a zero tag in the message of a stream: Envoy reads it as the next frame.
func TestStreamFrames(t *testing.T) {
	const messages = `
		message Bytes { bytes x = 1; string id = 2; }
		message Read { Inner x = 1; string id = 2; }
		message Inner { int32 n = 1; }
		service S { rpc List(In) returns (stream %s) { option (google.api.http) = { get: "/list" }; } }`
	p, err := transcode.Load(decode(t, header+fmt.Sprintf(messages, "Read")), descriptor.Transcoder{Services: []string{"t.v1.S"}})
	if err != nil {
		t.Fatal(err)
	}
	server := transcode.NewServer(decode(t, header+fmt.Sprintf(messages, "Bytes")), transcode.GoServer)
	id := []byte{18, 1, 'a'}
	for _, c := range []struct {
		name  string
		first []byte
		want  string
	}{
		{"nothing", []byte{10, 2, 0, 0}, `200 unaffected false [{"x":{}},{"id":"a"}]`},
		{"a frame", []byte{10, 10, 0, 0, 0, 0, 0, 0, 3, 18, 1, 'b'}, `200 unaffected false [{"x":{}},{"id":"b"},{"id":"a"}]`},
		{"a flag", []byte{10, 7, 0, 0, 1, 0, 0, 0, 0}, `200 breaks-off true `},
		{"a flag by way of the next message", []byte{10, 4, 0, 0, 1, 0}, `200 breaks-off true [{"x":{}}`},
		{"a part of a frame", []byte{10, 8, 0, 0, 0, 0, 0, 0, 99, 1}, `0 proxy-ends true `},
	} {
		r := p.Exchange(server, transcode.Request{Method: "GET", Target: "/list"}, transcode.Answer{Messages: [][]byte{c.first, id}})
		if got := fmt.Sprintf("%d %s %t %s", r.Status, r.Outcome, r.BrokenOff, r.Body); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzExchange sends any request to a proxy with every kind of route: nothing panics, and a status comes back.
func FuzzExchange(f *testing.F) {
	s := decode(f, header+"service S { "+method("Get", `get: "/v1/in/{id}"`)+method("Put", `put: "/v1/{id=a/**}/x" body: "sub"`)+
		method("Make", `post: "/v1/in:make" body: "*"`)+method("Raw", `post: "/raw" body: "raw"`)+
		`rpc List(In) returns (stream In) { option (google.api.http) = { get: "/list" }; }`+" }")
	p, err := transcode.Load(s, descriptor.Transcoder{Services: []string{"t.v1.S"}})
	if err != nil {
		f.Fatal(err)
	}
	opaque := decode(f, header+`message Bytes { bytes sub = 4; }
		service S { rpc Get(In) returns (Bytes); rpc List(In) returns (stream Bytes); rpc Put(In) returns (Bytes); }`)
	servers := []*transcode.Server{transcode.NewServer(s, transcode.GoServer), transcode.NewServer(opaque, transcode.CServer)}
	f.Add("GET", "/list", []byte{}, []byte{34, 9, 0, 0, 0, 0, 0, 0, 2, 8, 5})
	f.Add("GET", "/v1/in/x?n=1&sub.id=%41", []byte(`{}`), []byte{})
	f.Add("PUT", "/v1/a/b/c/x", []byte(`{"n":1}`), []byte{10, 1, 'a'})
	f.Add("POST", "/v1/in:make", []byte(`{"tags":["a"]}`), []byte{18, 2, 10, 0})
	f.Fuzz(func(t *testing.T, verb, target string, body, answer []byte) {
		for _, server := range servers {
			r := p.Exchange(server, transcode.Request{Method: verb, Target: target, Body: body}, transcode.Answer{Messages: [][]byte{answer, answer}})
			if r.Status == 0 && r.Outcome != transcode.ProxyEnds {
				t.Errorf("%+v", r)
			}
		}
	})
}
