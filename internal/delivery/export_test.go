package delivery

import (
	"fmt"

	"github.com/syncproof/syncproof/internal/explore"
)

// Checker holds the steps of a case against the rules of a model.
type Checker struct {
	m    *machine
	seen map[uint32]world
	Idle map[Deed]int // steps that change nothing
}

// NewChecker makes one.
func NewChecker(c *Case) *Checker {
	return &Checker{newMachine(c), map[uint32]world{}, map[Deed]int{}}
}

// Check tells whether a key says all of its state, and whether steps with one label lead from it to one state.
func (c *Checker) Check(key [MaxKey]byte) error {
	var w world
	m := c.m
	m.unpack(key[:], &w)
	if again := c.key(&w); again != key {
		return fmt.Errorf("%x packs to %x", key, again)
	}
	clear(c.seen)
	var wrong error
	m.steps(&w, func(s explore.Step, n *world) {
		var back world
		b := c.key(n)
		m.unpack(b[:], &back)
		switch other, known := c.seen[s.Label]; {
		case back != *n:
			wrong = fmt.Errorf("after %+v %+v becomes %+v", EventOf(s.Label), *n, back)
		case known && other != *n:
			wrong = fmt.Errorf("%+v leads to %+v and to %+v", EventOf(s.Label), other, *n)
		case known:
			wrong = fmt.Errorf("%+v is made twice", EventOf(s.Label))
		case *n == w:
			c.Idle[EventOf(s.Label).Deed]++
		}
		c.seen[s.Label] = *n
	})
	return wrong
}

func (c *Checker) key(w *world) (b [MaxKey]byte) {
	c.m.pack(w, b[:])
	return b
}
