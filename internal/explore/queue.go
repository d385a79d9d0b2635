package explore

// place is how far from the start a state is: the cost in the upper 6 bits, the number of steps below. The order of the
// numbers is the order of the search. Shortest ways visit no state twice, so with at most maxStates states no depth overflows.
type place uint32

const (
	depthBits = 26
	maxStates = 1<<depthBits - 1
	maxCost   = 1<<(32-depthBits) - 1

	nowhere = ^place(0) // not reached: so deep would be a way through one state more than there can be
)

func (p place) cost() int  { return int(p >> depthBits) }
func (p place) depth() int { return int(p & (1<<depthBits - 1)) }

// after is the place behind one more step; p.cost() plus cost must be at most maxCost.
func (p place) after(cost uint8) place { return p + place(cost)<<depthBits + 1 }

// queue hands out states in the order of their places, and within a place in the order in which they came.
//
// Ordinary steps lead from a depth to the next at the same cost: two slices that change roles. Unusual steps lead to a higher
// cost, where the states wait by depth. A state that waits there may meanwhile have been reached at a lower place: then it is
// handed out twice, and the caller skips the one whose place is no longer the state's.
type queue struct {
	here      place
	now, next []uint32
	head      int
	later     [][][]uint32 // by cost, by depth
}

func newQueue(limit int) queue { return queue{later: make([][][]uint32, limit+1)} }

// push adds a state that was reached at p: a start at place 0, or one step from the state popped last.
func (q *queue) push(v uint32, p place) {
	switch {
	case p == q.here:
		q.now = append(q.now, v)
	case p.cost() == q.here.cost():
		q.next = append(q.next, v)
	default:
		level := &q.later[p.cost()]
		for len(*level) <= p.depth() {
			*level = append(*level, nil)
		}
		(*level)[p.depth()] = append((*level)[p.depth()], v)
	}
}

func (q *queue) pop() (v uint32, p place, ok bool) {
	for q.head == len(q.now) {
		if !q.advance() {
			return 0, 0, false
		}
	}
	v = q.now[q.head]
	q.head++
	return v, q.here, true
}

// advance moves to the next depth, or to the next cost when nothing waits at this one.
func (q *queue) advance() bool {
	q.now, q.next, q.head = q.next, q.now[:0], 0
	q.here++
	cost, depth := q.here.cost(), q.here.depth()
	level := q.later[cost]
	if depth < len(level) {
		q.now = append(q.now, level[depth]...)
		level[depth] = nil
	}
	if len(q.now) > 0 || depth < len(level) {
		return true
	}
	q.later[cost] = nil
	if cost+1 == len(q.later) {
		return false
	}
	q.here = place(cost+1) << depthBits // nothing waits at depth 0 of a cost: who is there has taken a step
	return true
}
