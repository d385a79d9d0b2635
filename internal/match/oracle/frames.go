package oracle

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
)

// frames is a server that knows nothing of gRPC: what a test wants to be sent is sent, whatever was asked.
type frames struct {
	http    *http.Server
	address string

	mu     sync.Mutex
	calls  int // so far
	answer Answer
	ran    bool
}

func startFrames() (backend, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &frames{address: l.Addr().String(), http: &http.Server{Protocols: &http.Protocols{}}}
	s.http.Protocols.SetUnencryptedHTTP2(true)
	s.http.Handler = http.HandlerFunc(s.serve)
	go func() { _ = s.http.Serve(l) }() // ends with stop
	return s, nil
}

func (s *frames) where() string { return s.address }

func (s *frames) stop() { _ = s.http.Close() } // only tests wait for it

func (s *frames) program(a Answer) (string, error) {
	if len(a.Details) > 0 || a.Gzip {
		return "", errors.New("a server of bare frames gives no details, and does not compress")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.answer, s.ran = a, false
	return strconv.Itoa(s.calls), nil
}

func (s *frames) result() (ran bool, received [][]byte, fault error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ran, nil, nil
}

func (s *frames) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Header.Get(callID) != strconv.Itoa(s.calls) {
		return // a late one
	}
	s.ran = true
	_, _ = io.Copy(io.Discard, r.Body) // a proxy that gives up is the test's matter
	header := w.Header()
	if header.Set("Content-Type", s.answer.ContentType); s.answer.ContentType == "" {
		header.Set("Content-Type", "application/grpc")
	}
	flush := http.NewResponseController(w).Flush
	for _, raw := range s.answer.Messages {
		_, _ = w.Write(raw)
		_ = flush()
	}
	header.Set(http.TrailerPrefix+"Grpc-Status", fmt.Sprint(s.answer.Code))
}
