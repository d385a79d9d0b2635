package transcode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// streaming is the answer of a stream on its way through the proxy. The status is sent with the first bytes, so that no
// fault becomes a 502 (E6.11).
type streaming struct {
	*Proxy
	method *method
	frames []byte // that are not read yet
	out    bytes.Buffer
	count  int // messages
}

func (p *Proxy) stream(reply *Reply, m *method, c called) {
	if len(c.sent) > 0 {
		reply.Status = 200
	}
	s := &streaming{Proxy: p, method: m}
	for _, raw := range c.sent {
		s.frames = append(s.frames, 0)
		s.frames = append(binary.BigEndian.AppendUint32(s.frames, uint32(len(raw))), raw...)
		// Each message comes in data of its own. A fault takes all with it that the same data holds.
		before := s.out.Len()
		if err := s.read(); err != nil {
			s.out.Truncate(before)
			reply.Body, reply.BrokenOff, reply.Outcome = s.out.Bytes(), true, BreaksOff
			if errors.Is(err, wirejson.ErrCrash) {
				reply.Status, reply.Outcome = 0, ProxyEnds
			}
			return
		}
	}
	if len(s.frames) > 0 { // the end of the data in a frame ends the process (E6.12)
		reply.Status, reply.Outcome, reply.BrokenOff = 0, ProxyEnds, true
		return
	}
	if options := p.cfg.PrintOptions; !options.StreamNewlineDelimited && !options.StreamSSEStyleDelimited {
		if s.count == 0 {
			s.out.WriteString("[")
		}
		s.out.WriteString("]")
	}
	reply.Body = s.out.Bytes()
}

// read translates the messages that are there as a whole. What one leaves behind a zero tag is read as the next frame.
func (s *streaming) read() error {
	const header = 5
	for len(s.frames) >= header {
		if flag := s.frames[0]; flag != 0 {
			return fmt.Errorf("unsupported gRPC frame flag: %d", flag)
		}
		size := int(binary.BigEndian.Uint32(s.frames[1:]))
		if len(s.frames)-header < size {
			return nil
		}
		raw := s.frames[header : header+size]
		body, rest, err := s.printer.Next(s.method.output, raw)
		if err != nil {
			return err
		}
		if limit := s.cfg.MaxResponseBodySize; limit != nil && max(len(body), len(raw)) > int(*limit) {
			return fmt.Errorf("larger than max_response_body_size")
		}
		s.write(body)
		s.frames = s.frames[header+size-len(rest):] // rest is the end of raw
	}
	return nil
}

func (s *streaming) write(body []byte) {
	open, end := "[", ""
	switch options := s.cfg.PrintOptions; {
	case options.StreamSSEStyleDelimited:
		open, end = "data: ", "\n\n"
	case options.StreamNewlineDelimited:
		open, end = "", "\n"
	case s.count > 0:
		open = ","
	}
	s.count++
	s.out.WriteString(open)
	s.out.Write(body)
	s.out.WriteString(end)
}
