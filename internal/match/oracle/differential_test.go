package oracle_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// model is a setup as the simulator has it.
type model struct {
	proxy    *transcode.Proxy
	rejected string // why there is no proxy
	server   *transcode.Server
	types    *descriptor.Set // of the server
}

// kinds are the libraries as the simulator names them.
var kinds = map[oracle.Library]transcode.ServerKind{oracle.GRPCGo: transcode.GoServer, oracle.CCore: transcode.CServer}

// differences are the points in which the model's word on a case is not Envoy's.
func (m model) differences(t *testing.T, c oracle.Case, real oracle.Reply) []string {
	t.Helper()
	var out []string
	if (m.rejected != "") != (real.ListenerRejected != "") {
		return []string{fmt.Sprintf("listener rejected: Envoy %q, model %q", real.ListenerRejected, m.rejected)}
	}
	if m.rejected != "" {
		return nil
	}
	said := m.exchange(c)
	if crash := said.Outcome == transcode.ProxyEnds; crash != real.ProxyCrashed {
		return []string{fmt.Sprintf("proxy ends: Envoy %v, model %v; Envoy %d %q, model %d %q", real.ProxyCrashed, crash, real.Status, real.Body, said.Status, said.Body)}
	}
	if real.ProxyCrashed {
		return nil
	}
	if real.Status != said.Status {
		out = append(out, fmt.Sprintf("status: Envoy %d %s, model %d (%s)", real.Status, real.Body, said.Status, said.Outcome))
	}
	if real.BrokenOff != said.BrokenOff {
		out = append(out, fmt.Sprintf("broken off: Envoy %v, model %v", real.BrokenOff, said.BrokenOff))
	}
	// What the proxy says of a fault is in its own words.
	own := real.Status == 400 || real.Status == 501 || real.Status == 404 || real.Status == 413 || real.Status == 500 || real.Status == 502
	_, isJSON := decode(real.Body)
	switch said.Outcome {
	case transcode.Unimplemented, transcode.ServerError:
		isJSON = false // so is what the server's library says by itself
	case transcode.NotRouted, transcode.Shadowed:
		own, isJSON = true, false // and what the proxy says when the server resets the stream
	}
	if c.Request.Method == http.MethodHead {
		said.Body = nil
	}
	if (!own || isJSON) && !same(real.Body, said.Body) {
		out = append(out, fmt.Sprintf("body: Envoy %q, model %q", real.Body, said.Body))
	}
	if gaveUp := real.Status == 400 || real.Status == 413; gaveUp && said.Outcome != transcode.StatusByHandler {
		return out // what a handler saw of a request that the proxy gave up in the middle depends on timing
	}
	if real.Ran != said.Ran {
		out = append(out, fmt.Sprintf("handler ran: Envoy %v, model %v", real.Ran, said.Ran))
	}
	if d := differ(m.types, said.Method, real.Received, said.Received); d != "" {
		out = append(out, d)
	}
	return out
}

// differ compares what the server was given, as messages of its own types: the order of fields is free.
func differ(server *descriptor.Set, path string, real, said [][]byte) string {
	text := fmt.Sprintf("received: Envoy %x, model %x", real, said)
	if len(real) != len(said) {
		return text
	}
	for i := range real {
		if bytes.Equal(real[i], said[i]) {
			continue
		}
		a := input(server, path)
		if a == nil {
			return text
		}
		b := a.ProtoReflect().New().Interface()
		if proto.Unmarshal(real[i], a) != nil || proto.Unmarshal(said[i], b) != nil || !proto.Equal(a, b) {
			return text
		}
	}
	return ""
}

func newModel(t *testing.T, s oracle.Setup) model {
	t.Helper()
	fields := map[string]any{"@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder"}
	for k, v := range s.Transcoder {
		fields[k] = plainValue(v)
	}
	cfg, _, err := descriptor.FromFields(map[string]any{"typed_config": fields})
	if err != nil {
		t.Fatal(err)
	}
	dictionary, err := descriptor.Decode(s.Dictionary)
	if _, given := fields["services"]; err != nil && (!given || len(cfg.Services) > 0) {
		return model{rejected: err.Error()}
	} else if err != nil {
		dictionary = &descriptor.Set{} // with no services, nobody reads it
	} else if !given {
		for _, s := range dictionary.Services {
			cfg.Services = append(cfg.Services, s.Name)
		}
	}
	p, err := transcode.Load(dictionary, *cfg)
	if err != nil {
		return model{rejected: err.Error()}
	}
	types, err := descriptor.Decode(s.Server)
	if err != nil {
		t.Fatal(err)
	}
	return model{proxy: p, server: transcode.NewServer(types, kinds[s.Library]), types: types}
}

func (m model) exchange(c oracle.Case) transcode.Reply {
	method, contentType := c.Request.Method, c.Request.Header.Get("Content-Type")
	if contentType == "" && c.Request.Body != nil {
		contentType = "application/json"
	}
	if method == "" {
		method = "GET"
	}
	return m.proxy.Exchange(m.server,
		transcode.Request{Method: method, Target: c.Request.Target, Body: c.Request.Body, ContentType: contentType},
		transcode.Answer{Messages: c.Answer.Messages, Code: c.Answer.Code, Message: c.Answer.Message, Details: c.Answer.Details})
}

// plainValue makes of option values what decoded JSON holds.
func plainValue(v any) any {
	switch v := v.(type) {
	case []string:
		out := []any{}
		for _, s := range v {
			out = append(out, s)
		}
		return out
	case int:
		return float64(v)
	}
	return v
}

// input is an empty message of a method's input type, nil if the server lacks the method.
func input(server *descriptor.Set, path string) proto.Message {
	md := methodByPath(server, path)
	if md == nil {
		return nil
	}
	return newMessage(md.Input())
}

func methodName(path string) string {
	return strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
}
