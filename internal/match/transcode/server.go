package transcode

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// ServerKind is the gRPC library of the server. It counts where a request reaches it that is no gRPC.
type ServerKind int

// The kinds of servers. GoServer was run, as grpc-go. CServer is the C core of gRPC: it was run under Python, and where C++
// does otherwise (a missing required field, no message at all) C++ is modelled, and was read. JavaServer was read, not run.
const (
	GoServer ServerKind = iota
	CServer
	JavaServer
)

// passedThrough is the HTTP status of a request that the proxy did not translate (E4.1). The C core resets the stream, or it
// answers with an error of gRPC, which is 200 and has no body: which of the two goes by verb and version. This is 1.85.
func (k ServerKind) passedThrough(verb string) int {
	if k != CServer {
		return 415
	}
	switch verb {
	case "GET", "POST", "PUT":
		return 503
	}
	return 200
}

// Server is a gRPC server that implements every service of its set.
type Server struct {
	kind     ServerKind
	methods  map[string]*method // by path
	services map[string]bool
}

// NewServer builds a server from its own types. Methods whose types the set lacks are missing.
func NewServer(set *descriptor.Set, kind ServerKind) *Server {
	s := &Server{kind: kind, methods: map[string]*method{}, services: map[string]bool{}}
	for _, service := range set.Services {
		s.services[service.Name] = true
		for _, dm := range service.Methods {
			if m, err := methodOf(set, dm); err == nil {
				s.methods[dm.Path()] = m
			}
		}
	}
	return s
}

// Answer is what the handler does, whichever method is called.
type Answer struct {
	// Messages are serialized messages of the method's output type. A unary method sends the first (an empty message if
	// there is none), a stream sends all.
	Messages [][]byte
	// Code other than 0 ends the call with this gRPC status, in a stream behind the messages.
	Code    int
	Message string
	Details [][]byte // serialized google.protobuf.Any messages of the status
}

// gRPC status codes that a server gives by itself.
const (
	codeInternal      = 13
	codeUnimplemented = 12
)

// called is what a server makes of a call.
type called struct {
	ran      bool
	received [][]byte
	sent     [][]byte // messages of the answer
	code     int
	message  string
}

// call hands the messages of a request to a handler (E6.11, E6.15).
func (s *Server) call(path string, messages [][]byte, a Answer) called {
	m := s.methods[path]
	if m == nil {
		service, name, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if !s.services[service] {
			return called{code: codeUnimplemented, message: "unknown service " + service}
		}
		return called{code: codeUnimplemented, message: "unknown method " + name + " for service " + service}
	}
	// grpc-go starts the handler of a stream before it reads; the C core reads a single request first.
	c := called{ran: m.ClientStreaming || m.ServerStreaming && s.kind == GoServer}
	if !m.ClientStreaming && len(messages) == 0 {
		c.code = codeInternal
		return c
	}
	for i, raw := range messages {
		if i > 0 && !m.ClientStreaming {
			break // of more messages than one a handler of one request sees the first
		}
		in := dynamicpb.NewMessage(m.input)
		if err := proto.Unmarshal(raw, in); err != nil {
			c.code = codeInternal
			return c
		}
		again, err := marshal(in)
		if err != nil {
			c.code = codeInternal
			return c
		}
		c.received = append(c.received, again)
	}
	c.ran = true
	c.code, c.message = a.Code, a.Message
	if a.Code != 0 && !m.ServerStreaming {
		return c
	}
	sent, err := m.answer(a.Messages)
	if err != nil {
		c.code = codeInternal
		return c
	}
	c.sent = sent
	return c
}

func (m *method) answer(messages [][]byte) ([][]byte, error) {
	var out [][]byte
	for _, raw := range messages {
		message := dynamicpb.NewMessage(m.output)
		if err := proto.Unmarshal(raw, message); err != nil {
			return nil, errors.New("the answer is no message of the method's output type")
		}
		again, err := marshal(message)
		if err != nil {
			return nil, err
		}
		out = append(out, again)
	}
	if m.ServerStreaming {
		return out, nil
	}
	return append(out, nil)[:1], nil
}

func marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// httpStatus maps a gRPC status (Envoy, source/common/grpc/status.cc).
func httpStatus(code int) int {
	statuses := []int{200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401}
	if code < 0 || code >= len(statuses) {
		return 500
	}
	return statuses[code]
}

// Method finds what a server implements at the path of a gRPC method; false if it has none.
func (s *Server) Method(path string) (input, output protoreflect.MessageDescriptor, ok bool) {
	m := s.methods[path]
	if m == nil {
		return nil, nil, false
	}
	return m.input, m.output, true
}
