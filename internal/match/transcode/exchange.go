package transcode

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// Request is what a client sends.
type Request struct {
	Method      string // HTTP verb
	Target      string // path and query, escaped
	Body        []byte // nil: none
	ContentType string
}

// Reply is what comes of a request.
type Reply struct {
	Status     int // HTTP status; 0 if the proxy ended
	Outcome    Outcome
	Body       []byte // as Envoy sends it; nil if there is none
	BrokenOff  bool   // the body ended in the middle
	Ran        bool   // a handler was called
	Method     string // path of the gRPC method that the proxy chose; "" if none
	Received   [][]byte
	GRPCStatus int // of the server, 0 if it was not reached
}

// Exchange sends a request through the proxy to a server.
func (p *Proxy) Exchange(s *Server, r Request, a Answer) Reply {
	path, query, _ := strings.Cut(r.Target, "?")
	if strings.HasPrefix(r.ContentType, "application/grpc") {
		return Reply{Status: s.kind.passedThrough(r.Method), Outcome: NotRouted}
	}
	b, parts, several := p.find(r.Method, path)
	if b == nil {
		reply := Reply{Status: s.kind.passedThrough(r.Method), Outcome: NotRouted}
		if p.cfg.RequestValidation.RejectUnknownMethod && len(p.cfg.Services) > 0 {
			reply.Status = 404
		}
		if several {
			reply.Outcome = Shadowed
		}
		return reply
	}
	if limit := p.cfg.MaxRequestBodySize; limit != nil && len(r.Body) > int(*limit) {
		reply := Reply{Status: 413, Outcome: BadRequest, Method: b.Path()}
		if m := s.methods[b.Path()]; b.ClientStreaming && m != nil {
			reply.Ran = m.ClientStreaming || m.ServerStreaming // its headers have gone ahead
		}
		return reply
	}
	messages, err := p.request(b, parts, query, r)
	var unknown *unknownParameter
	if errors.As(err, &unknown) {
		if p.cfg.RequestValidation.RejectUnknownQueryParameters {
			return Reply{Status: 400, Outcome: BadRequest}
		}
		return Reply{Status: s.kind.passedThrough(r.Method), Outcome: NotRouted}
	}
	if err != nil {
		return Reply{Status: 400, Outcome: BadRequest, Method: b.Path()}
	}
	c := s.call(b.Path(), messages, a)
	reply := Reply{Ran: c.ran, Received: c.received, GRPCStatus: c.code, Method: b.Path()}
	p.respond(&reply, b.method, c, a)
	return reply
}

// unknownParameter is a name in path or query that no field has.
type unknownParameter struct{ error }

// request gives the gRPC messages for a request.
func (p *Proxy) request(b *Binding, parts []string, query string, r Request) ([][]byte, error) {
	keep := map[string]string{"ALL_CHARACTERS": "", "ALL_CHARACTERS_EXCEPT_SLASH": "/"}
	k, ok := keep[p.cfg.URLUnescapeSpec]
	if !ok {
		k = reserved
	}
	w := &weaving{}
	var captured []bound
	values := append(b.template.fromPath(parts, k), fromQuery(query, p.cfg.IgnoredQueryParameters, p.cfg.QueryParamUnescapePlus)...)
	for _, v := range values {
		fields, err := fieldPath(b.input, v.path)
		switch {
		case err != nil && p.cfg.CaptureUnknownQueryParameters:
			captured = append(captured, v)
		case err != nil && p.cfg.IgnoreUnknownQueryParameters:
		case err != nil:
			return nil, &unknownParameter{err}
		case b.rawRequest && startsWith(fields, b.requestBody):
		default:
			w.bind(fields, v.value)
		}
	}
	if b.rawRequest {
		return p.rawRequest(b, w, captured, r)
	}
	text := r.Body
	if len(text) == 0 {
		text = []byte("{}")
	}
	v, err := wirejson.Parse(text)
	if err != nil {
		return nil, err
	}
	elements := []wirejson.Value{v}
	if b.ClientStreaming {
		if v.Kind != wirejson.List {
			return nil, errors.New("a stream of requests is a JSON array")
		}
		elements = v.Items
	}
	var out [][]byte
	for _, e := range elements {
		e, err := w.into(prefixed(e, b.Rule.Body), p.cfg.RequestValidation.RejectBindingBodyFieldCollisions)
		if err != nil {
			return nil, err
		}
		w = &weaving{} // only the first message takes values of path and query
		raw, err := p.writer.Message(b.input, e)
		if err != nil {
			return nil, err
		}
		out = append(out, raw)
	}
	return out, nil
}

func (p *Proxy) rawRequest(b *Binding, w *weaving, captured []bound, r Request) ([][]byte, error) {
	v, err := w.into(wirejson.Value{Kind: wirejson.Object}, false)
	if err != nil {
		return nil, err
	}
	raw, err := p.writer.Message(b.input, v)
	if err != nil {
		return nil, err
	}
	return [][]byte{append(raw, rawEnvelope(b.requestBody, r.ContentType, r.Body, captured)...)}, nil
}

func startsWith(path, prefix []protoreflect.FieldDescriptor) bool {
	if len(path) < len(prefix) {
		return false
	}
	for i := range prefix {
		if path[i] != prefix[i] {
			return false
		}
	}
	return true
}

// respond translates the answer by the dictionary's types.
func (p *Proxy) respond(reply *Reply, m *method, c called, a Answer) {
	reply.Status = httpStatus(c.code)
	switch {
	case c.code == 0:
		reply.Outcome = Unaffected
	case c.ran && c.code == a.Code:
		reply.Outcome = StatusByHandler
	case c.code == codeUnimplemented:
		reply.Outcome = Unimplemented
	default:
		reply.Outcome = ServerError
	}
	if c.code != 0 && len(c.sent) == 0 {
		if p.cfg.ConvertGRPCStatus {
			if body, ok := p.statusBody(c, a); ok {
				reply.Body = body
				return
			}
		}
	}
	switch {
	case m.rawResponse:
		p.raw(reply, m, c)
	case m.ServerStreaming:
		p.stream(reply, m, c)
	case len(c.sent) > 0:
		body, err := p.printer.Message(m.output, c.sent[0])
		reply.fail(err)
		reply.Body = body
		if limit := p.cfg.MaxResponseBodySize; limit != nil && max(len(body), len(c.sent[0])) > int(*limit) {
			reply.Status, reply.Outcome, reply.Body = 500, ServerError, nil
		}
	}
}

func (r *Reply) fail(err error) {
	switch {
	case errors.Is(err, wirejson.ErrCrash):
		r.Status, r.Outcome = 0, ProxyEnds
	case err != nil:
		r.Status, r.Outcome = 502, BadGateway
	}
}

// raw sends the data of an HttpBody as it is.
func (p *Proxy) raw(reply *Reply, m *method, c called) {
	for i, message := range c.sent {
		if i > 0 && !m.ServerStreaming {
			break
		}
		data, ok := rawBody(message, m.responseBody)
		if !ok {
			reply.Status, reply.Outcome, reply.BrokenOff = 502, BadGateway, m.ServerStreaming
			return
		}
		reply.Body = append(reply.Body, data...)
	}
}

// rawBody finds HttpBody.data; false if the message does not parse.
func rawBody(raw []byte, path []protoreflect.FieldDescriptor) ([]byte, bool) {
	want := protowire.Number(2)
	if len(path) > 0 {
		want = path[0].Number()
	}
	var data []byte
	for len(raw) > 0 {
		num, typ, n := protowire.ConsumeField(raw)
		if n < 0 {
			return nil, false
		}
		if num == want && typ == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(raw)
			content, _ := protowire.ConsumeBytes(raw[tag:])
			if len(path) > 0 {
				inner, ok := rawBody(content, path[1:])
				if !ok {
					return nil, false
				}
				content = inner
			}
			data = content
		}
		raw = raw[n:]
	}
	return data, true
}

// statusBody is the JSON of google.rpc.Status; false if a detail is of a type that the dictionary lacks (E6.16).
func (p *Proxy) statusBody(c called, a Answer) ([]byte, bool) {
	s := &status.Status{Code: int32(c.code), Message: c.message}
	if c.code == a.Code && c.ran {
		for _, raw := range a.Details {
			detail := &anypb.Any{}
			if proto.Unmarshal(raw, detail) != nil {
				return nil, false
			}
			s.Details = append(s.Details, detail)
		}
	}
	raw, err := marshal(s)
	if err != nil {
		return nil, false
	}
	body, err := p.printer.Message(s.ProtoReflect().Descriptor(), raw)
	return body, err == nil
}
