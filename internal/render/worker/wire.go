package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// A frame is one byte of kind, the length of the head, the length of the body (both 4 bytes, big endian), the head as
// JSON and the body as it is. File contents and rendered documents travel in bodies, so nothing is escaped twice.
//
//	parent  Hello ------------> Ready                     once
//	        Job  -------------> Ask <-> Answer ... Done   for each rendering

// Kind says what a frame holds.
type Kind byte

// The kinds of frames, in the order of a conversation.
const (
	HelloKind  Kind = iota + 1 // parent: a [Hello]
	ReadyKind                  // worker: a [Ready]
	JobKind                    // parent: a [Job]
	AskKind                    // worker: an [Ask]
	AnswerKind                 // parent: an [Answer]; the body holds contents, or a link's target
	DoneKind                   // worker: a [Done]; the body holds the objects' documents, one after the other
)

// Hello is the first frame. Key seals secrets; Memory is the hard limit of the worker in bytes.
type Hello struct {
	Key    []byte
	Memory int64
}

// Ready answers a Hello: the worker is contained now. Layers says how well.
type Ready struct {
	Layers []Layer
}

// Job asks for one rendering. ID comes back in [Done], so that no late answer is taken for another unit's.
type Job struct {
	ID      uint64
	Request unit.Request
	Plugin  bool // the source has a plugin block, maybe an empty one, which its JSON form does not tell
}

// NewJob makes a job of a request.
func NewJob(id uint64, req unit.Request) Job {
	return Job{ID: id, Request: req, Plugin: req.Source.Plugin != nil}
}

func (j Job) request() unit.Request {
	if j.Plugin && j.Request.Source.Plugin == nil {
		j.Request.Source.Plugin = map[string]any{}
	}
	return j.Request
}

// Op is a question about the parent's tree.
type Op string

// The questions. Subtree is a whole directory at once: everything below it with contents.
const (
	OpStat     Op = "stat"
	OpLstat    Op = "lstat"
	OpReadLink Op = "link"
	OpReadFile Op = "read"
	OpReadDir  Op = "list"
	OpSubtree  Op = "subtree"
)

// Ask is one question. Name is a slash path as [fs.ValidPath] has it.
type Ask struct {
	Op   Op
	Name string
}

// Answer answers one [Ask]: Failure, or what the operation gives.
type Answer struct {
	Failure *Failure
	Info    *Entry  // of OpStat and OpLstat
	Entries []Entry // of OpReadDir by name; of OpSubtree by path below the directory
}

// Entry is one file or directory. Times are not told: no rendering may depend on them.
type Entry struct {
	Name string
	Type fs.FileMode // how the directory lists it; differs from Mode for links only
	Mode fs.FileMode // what it is, links followed
	Size int64
	// Length is how many bytes of the answer's body are the content. 0 without content.
	Length int64
	// Listed tells for a directory of a subtree that all its entries are part of the same answer.
	Listed  bool
	Failure *Failure // why a file of a subtree cannot be read
}

// Done ends a job.
type Done struct {
	ID      uint64
	Tool    unit.Tool
	Objects []Document
	Gaps    []diag.Gap
	Lookups []string
	Notes   []string
	// Revision is that of [unit.Rendering].
	Revision bool
	// Retire tells that the worker is not fit for another job: an engine panicked, kept state or grew large.
	Retire bool
}

// Document is an [object.Object] whose fields are the next Length bytes of the body, as JSON.
type Document struct {
	ID       object.ID
	Version  string
	Origin   object.Location
	Unstable []string
	Length   int64
}

// Limit bounds one frame, in bytes.
type Limit struct {
	Head, Body int64
}

// WriteFrame writes one frame in a single call of w.Write.
func WriteFrame(w io.Writer, k Kind, head any, body []byte) error {
	var buf bytes.Buffer
	buf.Write(make([]byte, 9))
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head); err != nil {
		return fmt.Errorf("frame of kind %d: %w", k, err)
	}
	headLen := buf.Len() - 9
	buf.Write(body)
	raw := buf.Bytes()
	raw[0] = byte(k)
	binary.BigEndian.PutUint32(raw[1:], uint32(headLen))
	binary.BigEndian.PutUint32(raw[5:], uint32(len(body)))
	_, err := w.Write(raw)
	return err
}

// ErrFrame is a frame that may not come, or not that large. All other errors of [ReadFrame] are the reader's.
var ErrFrame = errors.New("bad frame")

// ReadFrame reads one frame. limits names the kinds that may come and how large they may be; anything else is an
// [ErrFrame], before a byte of it is kept. At the end of r between two frames the error is [io.EOF].
func ReadFrame(r io.Reader, limits map[Kind]Limit) (k Kind, head, body []byte, err error) {
	var prefix [9]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		return 0, nil, nil, err
	}
	k = Kind(prefix[0])
	headLen := int64(binary.BigEndian.Uint32(prefix[1:]))
	bodyLen := int64(binary.BigEndian.Uint32(prefix[5:]))
	limit, ok := limits[k]
	if !ok {
		return 0, nil, nil, fmt.Errorf("%w: kind %d is not expected", ErrFrame, k)
	}
	if headLen > limit.Head || bodyLen > limit.Body {
		return 0, nil, nil, fmt.Errorf("%w: kind %d has %d+%d bytes, more than %d+%d", ErrFrame, k, headLen, bodyLen, limit.Head, limit.Body)
	}
	if head, err = readExactly(r, headLen); err != nil {
		return 0, nil, nil, err
	}
	if body, err = readExactly(r, bodyLen); err != nil {
		return 0, nil, nil, err
	}
	return k, head, body, nil
}

// readExactly reads n bytes without believing n: memory grows with what really arrives.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	const trusted = 64 << 10
	if n <= trusted {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, noEOF(err)
	}
	var buf bytes.Buffer
	buf.Grow(trusted)
	if _, err := io.CopyN(&buf, r, n); err != nil {
		return nil, noEOF(err)
	}
	return buf.Bytes(), nil
}

// noEOF keeps [io.EOF] for the end between two frames.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// DecodeHead decodes a frame's head with numbers kept as written, so that values of a request come through unchanged.
func DecodeHead(head []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(head))
	d.UseNumber()
	return d.Decode(into)
}

// Cut takes the next n bytes off a body.
func Cut(body []byte, n int64) (part, rest []byte, err error) {
	if n < 0 || n > int64(len(body)) {
		return nil, nil, fmt.Errorf("a part of %d bytes in a body of %d", n, len(body))
	}
	return body[:n:n], body[n:], nil
}
