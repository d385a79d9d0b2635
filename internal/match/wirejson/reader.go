package wirejson

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// reader goes through the bytes of a message as protobuf's CodedInputStream does. Its limits are lenient: what a message
// leaves unread inside its own, behind a zero where a tag should be, is read by the message around it, and a length that goes
// beyond the limit around it ends there.
type reader struct {
	raw   []byte
	pos   int
	limit int // position; noLimit for the message as a whole
	depth int // of nested messages
}

const noLimit = math.MaxInt32

func newReader(raw []byte) *reader { return &reader{raw: raw, limit: noLimit} }

var errEnd = errors.New("unexpected end")

// left is what can be read.
func (r *reader) left() []byte { return r.raw[r.pos:min(r.limit, len(r.raw))] }

// rest is what has not been read.
func (r *reader) rest() []byte { return r.raw[r.pos:] }

// untilLimit counts bytes; -1 without a limit.
func (r *reader) untilLimit() int {
	if r.limit == noLimit {
		return -1
	}
	return r.limit - r.pos
}

// within sets a limit and gives what takes it back. One beyond that which holds already does nothing.
func (r *reader) within(length int) (end func()) {
	before := r.limit
	if length >= 0 && length <= math.MaxInt32-r.pos && length < r.limit-r.pos {
		r.limit = r.pos + length
	}
	return func() { r.limit = before }
}

// length reads one; where there is none, it is 0.
func (r *reader) length() int {
	v, err := r.varint()
	if err != nil {
		return 0
	}
	return int(int32(uint32(v)))
}

// tag reads the next tag; 0 at the end, and for what is no tag.
func (r *reader) tag() (protowire.Number, protowire.Type) {
	v, err := r.varint()
	if err != nil {
		return 0, 0
	}
	return protowire.Number(uint32(v) >> 3), protowire.Type(v & 7)
}

func (r *reader) varint() (uint64, error) {
	const most = 10 // bytes
	var v uint64
	left := r.left()
	for i := range min(len(left), most) {
		v |= uint64(left[i]&0x7f) << (7 * i)
		if left[i] < 0x80 {
			r.pos += i + 1
			return v, nil
		}
	}
	if len(left) < most {
		r.pos += len(left) // one that is too long stays where it is
	}
	return 0, errEnd
}

func (r *reader) take(n int) ([]byte, error) {
	left := r.left()
	if n < 0 || n > len(left) {
		return nil, errEnd
	}
	r.pos += n
	return left[:n], nil
}
