package match

import (
	"slices"

	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// failure is a use of an image that fails. Another outcome, with another value, may stand beside the first.
type failure struct {
	effect
	beside *effect
}

// failing gives the uses of an image's own API that fail under a dictionary and a filter; false if that is not known.
func (t *transcoding) failing(c Combination) ([]failure, bool) {
	own, loaded := t.own(c.Consumer), t.loaded(c.Provider, c.Filter)
	switch {
	case own.off():
		return nil, true
	case own.set == nil:
		return nil, false
	case !loaded.off() && c.Provider < 0:
		return nothingLoaded(own, t.in.Server), true
	case !loaded.off() && (loaded.set == nil || loaded.options != own.options):
		return nil, false
	}
	met := t.compare(own, loaded, t.in.Server)
	var out []failure
	for _, e := range met.list(meeting{pair.OldClient, pair.DictionaryAhead}) {
		f := failure{effect: e}
		// Of several outcomes of one field the gravest is told. Where that is a value, another value may lose the call.
		if other, ok := met.met[meeting{pair.BothClient, pair.DictionaryAhead}][e.use]; ok && other.lost() && !e.lost() {
			f = failure{effect: other, beside: &e}
		}
		out = append(out, f)
	}
	return out, true
}

// nothingLoaded is a proxy that has no dictionary: it takes no configuration that asks for one.
func nothingLoaded(own side, kind transcode.ServerKind) []failure {
	var out []failure
	for _, e := range passed(own, kind) {
		e.outcome, e.status, e.detail = transcode.Rejected, 0, "there is no dictionary"
		out = append(out, failure{effect: e})
	}
	return out
}

func (t *transcoding) outcome(consumer, provider, filter int) Outcome {
	c := Combination{consumer, provider, filter}
	o, ok := t.outcomes[c]
	if !ok {
		o = t.find(c)
		t.outcomes[c] = o
	}
	return o
}

func (t *transcoding) find(c Combination) Outcome {
	failures, known := t.failing(c)
	if !known {
		return t.unknown(c)
	}
	var o Outcome
	var calls []told
	for _, f := range failures {
		common, isNew := t.counts(c.Consumer, f)
		if common != Works && (t.aside[f.use] || t.aside[f.whole()]) {
			common = Works
		}
		o.Common, o.New = graver(o.Common, common), graver(o.New, isNew)
		if common == Fails || isNew == Fails {
			call := t.tell(f, c.Filter)
			call.Common, call.Change = common == Fails, t.change(c.Consumer, f)
			calls = append(calls, call)
		}
	}
	o.Calls = inOrder(calls)
	return o
}

// unknown is the outcome where nothing can be said of the calls. Fresh at r0 no common call fails: one that did is set aside.
func (t *transcoding) unknown(c Combination) Outcome {
	o := Outcome{Common: Unknown, New: Unknown}
	if c.Consumer == t.in.Start.Consumer && (c.Consumer != t.in.End.Consumer || slices.Equal(t.first.services, t.last.services)) {
		o.New = Works // its calls are those of r0
	}
	if c == t.in.Start {
		o.Common = Works
	}
	return o
}

// graver: what fails for sure goes before what may fail.
func graver(a, b Truth) Truth {
	rank := func(t Truth) int { return slices.Index([]Truth{Works, Unknown, Fails}, t) }
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// counts says for which calls a failure of an image counts: both, where a caller of either end meets it. A field of an
// answer that costs the whole call counts against the route.
func (t *transcoding) counts(image int, f failure) (common, isNew Truth) {
	u := f.use
	if f.lost() {
		u = f.whole()
	}
	atFirst, atLast := t.works(image, u)
	switch {
	case atFirst == Works && atLast == Works:
		if t.partlyNew(image, f.use) {
			return Fails, Fails
		}
		return Fails, Works
	case atFirst == Works && atLast == Fails:
		return Works, Works // old: it breaks in every order
	case atFirst == Works:
		return Unknown, Works
	case atLast == Unknown:
		return Unknown, Unknown
	}
	return Works, Fails // also where what r0's image serves is not known: the weaker claim
}

// works tells whether a use of an image's own API works at the ends, each with its own dictionary.
func (t *transcoding) works(image int, u use) (atFirst, atLast Truth) {
	if back, ok := t.back(image); ok {
		atFirst = Unknown
		if back != nil {
			atFirst = back.serves(pair.NewClient, pair.Before, pair.ServerAhead, u)
		}
	}
	if image != t.in.End.Consumer {
		atLast = Unknown
		if t.last.known() {
			atLast = t.compare(t.own(image), t.last, t.in.Server).serves(pair.OldClient, pair.After, pair.DictionaryAhead, u)
		}
	}
	return atFirst, atLast
}

// back compares an image that is not r0's with r0's: nil if that is not known.
func (t *transcoding) back(image int) (*comparison, bool) {
	switch {
	case image == t.in.Start.Consumer && image != t.in.End.Consumer:
		return nil, false
	case !t.first.known():
		return nil, true
	}
	return t.compare(t.first, t.own(image), t.in.Server), true
}

// partlyNew tells whether callers of the image find r0's API to lack something of a use that is shared otherwise.
func (t *transcoding) partlyNew(image int, u use) bool {
	back, ok := t.back(image)
	return ok && back != nil && back.breaks(meeting{pair.NewClient, pair.Before}, u)
}

// alreadyBroken sets aside what fails when fresh at r0.
func (t *transcoding) alreadyBroken() (calls []Call, repaired bool) {
	failures, _ := t.failing(t.in.Start)
	var broken []told
	for _, f := range failures {
		common, _ := t.counts(t.in.Start.Consumer, f)
		if common != Works {
			t.aside[f.use] = true
		}
		if common == Fails {
			call := t.tell(f, t.in.Start.Filter)
			call.Common = true
			broken = append(broken, call)
		}
	}
	if len(broken) == 0 {
		return nil, false
	}
	left, known := t.failing(t.in.End)
	return inOrder(broken), known && !slices.ContainsFunc(left, func(f failure) bool {
		return t.aside[f.use] || t.aside[f.whole()] || slices.ContainsFunc(broken, func(was told) bool { return was.whole() == f.use })
	})
}
