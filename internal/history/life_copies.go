package history

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// copied is an object that a workload read before it read the shared one.
type copied struct {
	reader, object object.ID
	unit           string
	at             object.Location
	until          int // position of the commit that ended it
	last           read
	live           bool
	// own and shared are the contents of the copy and of the object by position, where known.
	own, shared map[int]uint64
}

// comparing tells whether there are copies whose content is still to be followed.
func (l *line) comparing() bool {
	return slices.ContainsFunc(l.copies, func(c *copied) bool { return c.live })
}

// compare follows the copies from the commit at a position to its parent, and finds those that ended with it.
func (l *line) compare(pos int, newer *span, older *outline, was ends) {
	for _, c := range l.copies {
		if c.live {
			c.live = c.move(newer.at, older)
			c.note(pos+1, older, l.object)
		}
	}
	for _, r := range newer.readers {
		before := r.id
		if before == was.consumer {
			before = l.consumer
		}
		if len(older.between(before, l.object)) > 0 {
			continue
		}
		kin, found := slotKin(newer.at, older, r.id, before, was.object, sameStem)
		if !found || kin == l.object {
			continue
		}
		c := &copied{reader: before, object: kin, until: pos, live: true, own: map[int]uint64{}, shared: map[int]uint64{}}
		for _, read := range older.between(before, kin) {
			if c.last.key == "" {
				c.last = read // the first with a key, the strongest of them
			}
		}
		c.unit, c.at = strings.Join(older.unitNames(c.last.providerUnits), ", "), c.last.origin
		c.note(pos+1, older, l.object)
		l.copies = append(l.copies, c)
	}
}

// sameStem stands in where contents are not at hand.
func sameStem(p, q object.ID) bool { return stem(p.Name) == stem(q.Name) }

// move goes on to an older commit, where the copy may have another generated name.
func (c *copied) move(newer, older *outline) bool {
	id := c.last.provider
	reads := older.between(c.reader, id)
	if len(reads) == 0 {
		kin, found := slotKin(newer, older, c.reader, c.reader, id, sameStem)
		if !found {
			return false
		}
		reads = older.between(c.reader, kin)
	}
	at := slices.IndexFunc(reads, func(r read) bool { return r.key == c.last.key })
	if at < 0 {
		return false
	}
	c.last = reads[at]
	return true
}

// note keeps the contents at a position.
func (c *copied) note(pos int, o *outline, shared object.ID) {
	if !c.live {
		return
	}
	if c.last.content != 0 {
		c.own[pos] = c.last.content
	}
	for _, r := range o.of(shared) {
		if r.key == c.last.key && r.decoded == c.last.decoded && r.content != 0 {
			c.shared[pos] = r.content
		}
	}
}

// real gives the copies that at some commit held what another one or the object held.
func (l *line) real() []*copied {
	return slices.DeleteFunc(slices.Clone(l.copies), func(c *copied) bool {
		for pos, content := range c.own {
			if c.shared[pos] == content || slices.ContainsFunc(l.copies, func(o *copied) bool {
				return o != c && o.last.key == c.last.key && o.own[pos] == content
			}) {
				return false
			}
		}
		return true
	})
}

// drifted counts the positions at which most of what was there then held something else, or no two of it the same.
func drifted(contents map[int]uint64, others ...map[int]uint64) int {
	n := 0
	for pos, mine := range contents {
		all, same := 1, 1
		for _, o := range others {
			if content, ok := o[pos]; ok {
				all++
				if content == mine {
					same++
				}
			}
		}
		if all > 1 && 2*same <= all {
			n++
		}
	}
	return n
}

// copiesBefore gives the copies for people, with what the object itself was before the position since which it is shared.
func (l *line) copiesBefore(original *diag.Copy, since int) []diag.Copy {
	real := l.real()
	var out []diag.Copy
	shared := map[int]uint64{}
	for _, c := range real {
		others := []map[int]uint64{c.shared}
		for _, o := range real {
			if o != c && o.last.key == c.last.key {
				others = append(others, o.own)
			}
		}
		until := commitOf(l.walk[c.until].Commit)
		out = append(out, diag.Copy{Object: c.object.String(), Unit: c.unit, At: c.at, Drifted: drifted(c.own, others...), Until: &until})
		for pos, content := range c.shared {
			if pos > since {
				shared[pos] = content
			}
		}
	}
	if original != nil && len(out) > 0 {
		var others []map[int]uint64
		for _, c := range real {
			others = append(others, c.own)
		}
		original.Drifted = drifted(shared, others...)
		out = append(out, *original)
	}
	slices.SortFunc(out, func(a, b diag.Copy) int { return strings.Compare(a.Object+"\x00"+a.Unit, b.Object+"\x00"+b.Unit) })
	return out
}
