package oracle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // the compressor that an answer may ask for
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// backend is a server of any library. One exchange at a time is programmed, made, and asked for.
type backend interface {
	where() string // address
	// program says what the next call is answered with, and gives the id that its request has to carry.
	program(Answer) (id string, err error)
	// result waits for handlers, since a proxy may answer before the server is done, and says what they were given.
	result() (ran bool, received [][]byte, fault error)
	stop()
}

// server is a grpc-go server with the services of a descriptor set. What is not in the set is answered by grpc-go itself.
type server struct {
	grpc    *grpc.Server
	address string

	mu      sync.Mutex
	calls   int // so far
	answer  Answer
	record  *record // of the last call
	running int     // handlers
	idle    *sync.Cond
}

// callID is the header by which a handler knows the request: one that the proxy gave up may reach the server late.
const callID = "x-oracle-call"

// record is what handlers were given for one request.
type record struct {
	mu       sync.Mutex
	ran      bool
	received [][]byte
	fault    error // of the test, not of the server
}

func (r *record) result() (ran bool, received [][]byte, fault error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ran, r.received, r.fault
}

func (r *record) fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = err
	return err
}

func (r *record) called() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ran = true
}

func (r *record) took(m proto.Message) error {
	raw, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received = append(r.received, raw)
	return err
}

func startServer(raw []byte) (*server, error) {
	set, err := descriptor.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{grpc: grpc.NewServer(), address: l.Addr().String(), record: &record{}}
	s.idle = sync.NewCond(&s.mu)
	for _, service := range set.Services {
		d, err := set.Types().FindDescriptorByName(protoreflect.FullName(service.Name))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("server: %w", err), l.Close())
		}
		if sd, ok := d.(protoreflect.ServiceDescriptor); ok {
			s.grpc.RegisterService(s.describe(sd), nil)
		}
	}
	go func() { _ = s.grpc.Serve(l) }() // ends with stop
	return s, nil
}

func (s *server) where() string { return s.address }

func (s *server) stop() { s.grpc.Stop() }

func (s *server) program(a Answer) (string, error) {
	if _, err := a.proto(); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.answer, s.record = a, &record{}
	return strconv.Itoa(s.calls), nil
}

func (s *server) result() (ran bool, received [][]byte, fault error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.running > 0 {
		s.idle.Wait() // it ends: so do the handlers, with the request
	}
	return s.record.result()
}

func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.idle.Broadcast()
}

// begin gives what was programmed for the call; a late one is recorded nowhere.
func (s *server) begin(ctx context.Context) (Answer, *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running++
	headers, _ := metadata.FromIncomingContext(ctx)
	if id := headers.Get(callID); len(id) != 1 || id[0] != strconv.Itoa(s.calls) {
		return Answer{}, &record{}
	}
	return s.answer, s.record
}

// describe makes what generated code would register.
func (s *server) describe(sd protoreflect.ServiceDescriptor) *grpc.ServiceDesc {
	d := &grpc.ServiceDesc{ServiceName: string(sd.FullName()), Metadata: sd.ParentFile().Path()}
	for i := range sd.Methods().Len() {
		md := sd.Methods().Get(i)
		if md.IsStreamingClient() || md.IsStreamingServer() {
			d.Streams = append(d.Streams, grpc.StreamDesc{
				StreamName:    string(md.Name()),
				Handler:       func(_ any, stream grpc.ServerStream) error { return s.stream(md, stream) },
				ServerStreams: md.IsStreamingServer(),
				ClientStreams: md.IsStreamingClient(),
			})
			continue
		}
		d.Methods = append(d.Methods, grpc.MethodDesc{
			MethodName: string(md.Name()),
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return s.unary(ctx, md, decode)
			},
		})
	}
	return d
}

func (s *server) unary(ctx context.Context, md protoreflect.MethodDescriptor, decode func(any) error) (any, error) {
	answer, rec := s.begin(ctx)
	defer s.end()
	in := dynamicpb.NewMessage(md.Input())
	if err := decode(in); err != nil {
		return nil, err
	}
	rec.called()
	if err := rec.took(in); err != nil {
		return nil, rec.fail(err)
	}
	messages, err := answer.prepare(ctx, md)
	if err != nil {
		return nil, rec.fail(err)
	}
	if err := answer.status(); err != nil {
		return nil, err
	}
	return messages[0], nil
}

// stream takes all that the client sends, then sends all messages.
func (s *server) stream(md protoreflect.MethodDescriptor, stream grpc.ServerStream) error {
	answer, rec := s.begin(stream.Context())
	defer s.end()
	rec.called()
	for {
		in := dynamicpb.NewMessage(md.Input())
		err := stream.RecvMsg(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := rec.took(in); err != nil {
			return rec.fail(err)
		}
		if !md.IsStreamingClient() {
			break
		}
	}
	messages, err := answer.prepare(stream.Context(), md)
	if err != nil {
		return rec.fail(err)
	}
	if !md.IsStreamingServer() {
		if err := answer.status(); err != nil {
			return err
		}
	}
	for _, m := range messages {
		if err := stream.SendMsg(m); err != nil {
			return err
		}
	}
	return answer.status()
}

// prepare reads the messages by the method's output type, as a server has them that fills in fields. Where one message is
// all that can be sent, it gives one.
func (a Answer) prepare(ctx context.Context, md protoreflect.MethodDescriptor) ([]proto.Message, error) {
	if a.Gzip {
		if err := grpc.SetSendCompressor(ctx, "gzip"); err != nil {
			return nil, err
		}
	}
	var out []proto.Message
	for i, raw := range a.Messages {
		m := dynamicpb.NewMessage(md.Output())
		if err := proto.Unmarshal(raw, m); err != nil {
			return nil, fmt.Errorf("message %d of the answer is no %s: %w", i+1, md.Output().FullName(), err)
		}
		raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return nil, err
		}
		out = append(out, bytesOf(raw))
	}
	if md.IsStreamingServer() {
		return out, nil
	}
	return append(out, bytesOf(nil))[:1], nil
}

// bytesOf is a message that is sent as raw: dynamic messages are written in any order of fields, generated ones in one.
func bytesOf(raw []byte) proto.Message {
	m := &emptypb.Empty{}
	m.ProtoReflect().SetUnknown(raw)
	return m
}

func (a Answer) status() error {
	if a.Code == 0 {
		return nil
	}
	s, err := a.proto()
	if err != nil {
		return err
	}
	return status.ErrorProto(s)
}

func (a Answer) proto() (*spb.Status, error) {
	s := &spb.Status{Code: int32(a.Code), Message: a.Message}
	for i, raw := range a.Details {
		detail := &anypb.Any{}
		if err := proto.Unmarshal(raw, detail); err != nil {
			return nil, fmt.Errorf("detail %d of the status: %w", i+1, err)
		}
		s.Details = append(s.Details, detail)
	}
	return s, nil
}
