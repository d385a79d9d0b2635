package oracle

import "net/http"

// Case is one request in one situation.
type Case struct {
	Setup
	Request Request
	Answer  Answer
}

// Setup is what proxy and server run with. Cases with equal setups share a listener and a server.
type Setup struct {
	Dictionary []byte // serialized descriptor set that the proxy loads
	Server     []byte // serialized descriptor set that the server implements
	Library    Library
	// Transcoder are options of the filter by their Envoy names, as decoded JSON. The descriptor need not be named; without
	// "services" all services of the dictionary are exposed.
	Transcoder map[string]any
	// Routes are the path prefixes that the proxy has a route for; nil is every path.
	Routes []string
}

// Library is what a server is made of.
type Library int

// The libraries: grpc-go with Go's protobuf, the C core of gRPC under Python with protobuf's upb, and none.
const (
	GRPCGo Library = iota
	CCore          // needs [Options].CCore
	Frames         // no gRPC at all: each message of the answer is a DATA frame of HTTP/2 as it stands
)

// Request is what the client sends.
type Request struct {
	HTTP2  bool        // with prior knowledge, instead of HTTP/1.1
	Method string      // "" is GET
	Target string      // path and query, sent as they are
	Body   []byte      // nil: none
	Header http.Header // Content-Type is application/json unless set, with a body
}

// Answer is what the server's handler does, whichever method is called. Messages are read by the server's types first: one
// that they do not take is a failure of the test.
type Answer struct {
	// Messages are serialized messages of the method's output type. A unary method sends the first (an empty message if
	// there is none), a stream sends all.
	Messages [][]byte
	// Code other than 0 ends the call with this status, in a stream after the messages.
	Code    int
	Message string
	// Details are serialized google.protobuf.Any messages of the status.
	Details [][]byte
	// Gzip compresses messages if the request says grpc-accept-encoding: gzip.
	Gzip bool
	// ContentType of [Frames], "" is application/grpc.
	ContentType string
}

// Reply is what came of a request.
type Reply struct {
	Status    int
	Header    http.Header
	Trailer   http.Header
	Body      []byte
	BrokenOff bool // the connection ended before the body did
	Closes    bool // the proxy says that it closes the connection
	// ListenerRejected is Envoy's reason for refusing the configuration; nothing was sent then.
	ListenerRejected string
	// ProxyCrashed says that the process ended while it served the request. The next exchange has a new one.
	ProxyCrashed bool

	Ran      bool     // a handler of the server was called
	Received [][]byte // messages that it was given, serialized again by the server's types, unknown fields included
}
