package history

import (
	"context"
	"errors"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// state is how a pair is delivered at a commit.
type state uint8

const (
	absent   state = iota // the consumer does not read the provider
	dangling              // it does, and no unit delivers the provider
	joined                // one unit delivers both
	split                 // no unit delivers both
	hidden                // something could not be rendered
)

// ends are the identities of a pair at a commit. Object is the provider as an object: it parts from the pair's provider
// before the commit at which the consumer left its own copy for it.
type ends struct{ consumer, provider, object object.ID }

// reader is a workload that reads the object.
type reader struct {
	id    object.ID
	makes makers
}

// view is what a commit's outline says of a pair.
type view struct {
	state                        state
	consumerUnits, providerUnits []unit.ID
	readers                      []reader
	lost                         string // what could not be rendered and has a part in it; "" if nothing
}

// span is a stretch of first-parent commits, the newest first, over which a view holds.
type span struct {
	ends
	view
	newest, oldest int
	at             *outline // of the oldest
}

// line is a lifeline: a pair followed from the newest commit to the oldest one.
//
// It renders a commit if the commit touches the name of the provider, and its parent; between two such commits it renders
// the ends of the stretch only and, if they differ, halves it. So what came and went inside a stretch without the name
// being written is not seen; nor is what a pair was before a time at which it was not there. While there are copies to be
// compared, every commit is rendered.
type line struct {
	h     *History
	walk  []*link // shortened where a commit cannot be read
	cut   string  // why it is no longer; "" if it ends with the first commit of all
	spans []span
	ends
	consumers, providers makers   // of the pair, where it was seen last
	expected             []reader // those that no later commit showed to be gone
	copies               []*copied
	taken, passed        int // commits that touch the name: rendered, and passed over
	chosen               int // position of the last one to be rendered; -1 before the first
}

// follow makes the spans.
func (l *line) follow(ctx context.Context) error {
	first, err := l.h.outline(ctx, l.walk[0])
	if err != nil {
		return err
	}
	l.push(0, first, l.look(first, l.ends))
	for pos := 0; pos < len(l.walk)-1; {
		next := pos
		if !l.comparing() {
			next, err = l.unchanged(ctx, pos)
		}
		if err == nil && next == pos {
			if err = l.step(ctx, pos); err == nil {
				next++
			}
		} else if err == nil {
			var at *outline
			if at, err = l.h.outline(ctx, l.walk[next]); err == nil {
				l.push(next, at, l.look(at, l.ends))
			}
		}
		var stop *stopped
		switch {
		case errors.As(err, &stop):
			l.shorten(ctx, stop.why)
			if next = pos; next > len(l.walk)-1 {
				return nil
			}
		case err != nil:
			return err
		}
		pos = next
	}
	return nil
}

// shorten drops what lies behind the first commit that cannot be read.
func (l *line) shorten(ctx context.Context, why string) {
	last := l.spans[len(l.spans)-1].oldest
	for i := last + 1; i < len(l.walk); i++ {
		if _, err := l.h.outline(ctx, l.walk[i]); err != nil {
			l.walk, l.cut = l.walk[:i], why
			return
		}
	}
}

// unchanged gives the oldest position up to which the last view holds.
func (l *line) unchanged(ctx context.Context, pos int) (int, error) {
	last := &l.spans[len(l.spans)-1]
	to, err := l.mentioned(ctx, pos)
	if err != nil || to == pos {
		return to, err
	}
	same := func(at int) (bool, error) {
		o, err := l.h.outline(ctx, l.walk[at])
		if err != nil {
			return false, err
		}
		return l.look(o, l.ends).equal(last.view), nil
	}
	if ok, err := same(to); ok || err != nil {
		return to, err
	}
	for to-pos > 1 {
		middle := (pos + to) / 2
		ok, err := same(middle)
		if err != nil {
			return pos, err
		}
		if ok {
			pos = middle
		} else {
			to = middle
		}
	}
	return pos, nil
}

// eager is how many commits that touch the name are rendered before every second one is passed over, then three of four,
// and so on: a name that is a common word would have all of them rendered.
const eager = 32

// mentioned gives the next commit from a position on that touches the name of the provider and is to be rendered; the last
// one if there is none, or if the pair was not there yet.
func (l *line) mentioned(ctx context.Context, pos int) (int, error) {
	last := len(l.walk) - 1
	if l.spans[len(l.spans)-1].state == absent {
		return last, nil
	}
	var wanted []uint64
	for _, id := range []object.ID{l.provider, l.object} {
		wanted = append(wanted, hashOf([]byte(id.Name)), hashOf([]byte(stem(id.Name))))
	}
	for skip := 1<<min(l.taken/eager, 30) - 1; pos < last; pos++ {
		if pos == l.chosen {
			return pos, nil // was found before, and the stretch up to it was looked at since
		}
		m, err := l.h.mentionsOf(ctx, l.walk[pos])
		if err != nil {
			return pos, err
		}
		if !m.all && !brings(m.words, wanted) {
			continue
		}
		if skip == 0 {
			l.taken++
			l.chosen = pos
			return pos, nil
		}
		skip--
		l.passed++
	}
	return last, nil
}

// step goes on to the next commit, through a change of identity if there is one.
func (l *line) step(ctx context.Context, pos int) error {
	older, err := l.h.outline(ctx, l.walk[pos+1])
	if err != nil {
		return err
	}
	v, last := l.look(older, l.ends), &l.spans[len(l.spans)-1]
	was := l.ends
	if v.state == absent && last.state != absent {
		if err := l.resolve(ctx, pos, older); err != nil {
			return err
		}
		v = l.look(older, l.ends)
	}
	l.compare(pos, last, older, was)
	l.push(pos+1, older, v)
	return nil
}

// push adds a view, to the last span if nothing changed.
func (l *line) push(pos int, o *outline, v view) {
	if v.state != absent && v.state != hidden {
		reads := o.between(l.consumer, l.provider)
		l.consumers = consumersOf(reads)
		if v.state != dangling {
			l.providers = providersOf(reads)
		}
	}
	kept := slices.DeleteFunc(l.expected, func(r reader) bool {
		return o.lacks(r.makes) == "" || slices.ContainsFunc(v.readers, func(n reader) bool { return n.id == r.id })
	})
	l.expected = append(slices.Clone(v.readers), kept...)
	if n := len(l.spans) - 1; n >= 0 && l.spans[n].ends == l.ends && v.equal(l.spans[n].view) {
		l.spans[n].oldest, l.spans[n].at = pos, o
		return
	}
	l.spans = append(l.spans, span{ends: l.ends, view: v, newest: pos, oldest: pos, at: o})
}

// look reads a pair out of an outline.
func (l *line) look(o *outline, e ends) view {
	var v view
	lost := o.lacks(l.consumers)
	for _, r := range o.between(e.consumer, e.provider) {
		v.state, lost = dangling, o.lacks(l.providers)
		v.consumerUnits, v.providerUnits = append(v.consumerUnits, r.consumerUnits...), r.providerUnits
	}
	slices.SortFunc(v.consumerUnits, unit.ID.Compare)
	v.consumerUnits = slices.Compact(v.consumerUnits)
	switch {
	case len(v.providerUnits) == 0 && lost != "":
		v.state, v.lost = hidden, lost
	case len(v.providerUnits) == 0:
	case slices.ContainsFunc(v.consumerUnits, func(u unit.ID) bool { return slices.Contains(v.providerUnits, u) }):
		v.state = joined
	default:
		v.state = split
	}
	v.readers = readersOf(o, e)
	for _, r := range l.expected {
		if !slices.ContainsFunc(v.readers, func(n reader) bool { return n.id == r.id }) && v.lost == "" {
			v.lost = o.lacks(r.makes)
		}
	}
	return v
}

// readersOf gives the workloads that read the object; if the consumer is of another kind, those of its kind.
func readersOf(o *outline, e ends) []reader {
	_, isWorkload := templatePath(e.consumer)
	var out []reader
	for _, r := range o.of(e.object) {
		if _, ok := templatePath(r.consumer); ok != isWorkload || !ok && r.consumer.Kind != e.consumer.Kind {
			continue
		}
		if n := len(out); n == 0 || out[n-1].id != r.consumer {
			out = append(out, reader{r.consumer, consumersOf(o.between(r.consumer, e.object))})
		}
	}
	return out
}

// consumersOf and providersOf are what makes the ends of references.
func consumersOf(reads []read) (m makers) {
	for _, r := range reads {
		for _, u := range r.consumerUnits {
			m.add(u, object.Object{Origin: r.at})
		}
	}
	return m
}

func providersOf(reads []read) (m makers) {
	for _, r := range reads {
		for _, u := range r.providerUnits {
			m.add(u, object.Object{Origin: r.origin})
		}
	}
	return m
}

// equal tells whether nothing changed. Before a pair was there, what could not be rendered does not matter.
func (v view) equal(o view) bool {
	if o.state == absent && v.state == hidden && len(o.readers)+len(v.readers) == 0 {
		return true
	}
	return v.state == o.state && v.lost == o.lost && slices.Equal(v.consumerUnits, o.consumerUnits) &&
		slices.Equal(v.providerUnits, o.providerUnits) &&
		slices.EqualFunc(v.readers, o.readers, func(a, b reader) bool { return a.id == b.id })
}
