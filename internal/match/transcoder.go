package match

import (
	"slices"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// Filter is one version of a transcoder's configuration.
type Filter struct {
	Services []string              // that it lists, fully qualified; none: it does nothing
	Config   descriptor.Transcoder // its options; Services and the descriptor in it are not looked at
}

// Transcoded is a transcoder, the images behind it and what the release brings.
type Transcoded struct {
	Own          []*descriptor.Set // what each image serves; nil: not known
	Dictionaries []*descriptor.Set // versions of the provider; nil: cannot be decoded
	Filters      []Filter          // versions of the filter; what a version that is not among them lists is not known
	Server       transcode.ServerKind
	Start, End   Combination   // what is fresh at r0 and at rk; Consumer is an image
	Between      []Combination // what is fresh at the revisions between, if there are any
}

// transcoding makes the outcomes of one table.
type transcoding struct {
	*Matcher
	in          Transcoded
	first, last side // the APIs of r0 and rk
	outcomes    map[Combination]Outcome
	aside       map[use]bool    // fail when fresh at r0
	taken       map[[2]int]bool // by provider and filter: whether a proxy accepts them together
}

// Transcoder makes the table of a transcoder.
//
// What an image serves is what its own set declares, as far as the filter that is fresh with it lists the services. Under a
// filter with other options than that one, what callers meet is Unknown: options are not compared.
func (m *Matcher) Transcoder(in Transcoded) *Table {
	t := &transcoding{Matcher: m, in: in, outcomes: map[Combination]Outcome{}, aside: map[use]bool{}, taken: map[[2]int]bool{}}
	t.first, t.last = t.fresh(in.Start), t.fresh(in.End)
	table := &Table{
		Outcome:      t.outcome,
		Accepts:      t.accepts,
		Blocks:       func(int, int) bool { return false },
		SameProvider: t.sameProvider,
		Equal:        t.equal(),
		Known:        t.first.known() && t.last.known(),
	}
	table.AlreadyBroken, table.Repaired = t.alreadyBroken()
	if !table.Known {
		return table
	}
	ends := t.compare(t.first, t.last, in.Server)
	table.SafeOrder, table.SafeIfUnused, table.Preferred = string(ends.orders.safe), string(ends.orders.ifUnused), string(ends.orders.preferred)
	table.Limits = slices.Clone(ends.limits)
	if t.first.options != t.last.options && !t.first.off() && !t.last.off() {
		table.Limits = append(table.Limits, "the options of the transcoder change: what that means for callers was not compared")
	}
	var breaking []told
	for _, e := range ends.list(meeting{pair.OldClient, pair.After}) {
		call := t.tell(failure{effect: e}, in.End.Filter)
		call.Change = e.change
		breaking = append(breaking, call)
	}
	table.Breaking = inOrder(breaking)
	return table
}

// at is an element of a list by a version; the zero value for none.
func at[T any](list []T, i int) T {
	var none T
	if i < 0 || i >= len(list) {
		return none
	}
	return list[i]
}

// fresh is the API of an image with a filter: the services that the filter lists and the image has.
func (t *transcoding) fresh(c Combination) side {
	s := t.under(at(t.in.Own, c.Consumer), c.Filter)
	switch {
	case c.Consumer < 0:
		s.services = nil
	case s.set != nil:
		f := at(t.in.Filters, c.Filter)
		s.services = slices.DeleteFunc(slices.Clone(f.Services), func(name string) bool {
			_, ok := s.set.Service(name)
			return !ok
		})
	}
	return s
}

// own is the API of an image, with the filter that is fresh with it. An image of both ends is that of rk.
func (t *transcoding) own(image int) side {
	switch image {
	case t.in.End.Consumer:
		return t.last
	case t.in.Start.Consumer:
		return t.first
	}
	for _, c := range t.in.Between {
		if c.Consumer == image {
			return t.fresh(c)
		}
	}
	return t.fresh(Combination{Consumer: image, Filter: t.in.End.Filter})
}

// loaded is what a proxy exposes with a dictionary under a filter.
func (t *transcoding) loaded(provider, filter int) side {
	return t.under(at(t.in.Dictionaries, provider), filter)
}

// under is a set with all that a filter lists.
func (t *transcoding) under(set *descriptor.Set, filter int) side {
	if filter >= len(t.in.Filters) {
		return side{services: []string{""}} // something, of a set that is as good as not known
	}
	f := at(t.in.Filters, filter)
	return side{set: set, services: f.Services, config: f.Config, options: optionsOf(f.Config)}
}

func (t *transcoding) accepts(provider, filter int) bool {
	key := [2]int{provider, filter}
	ok, known := t.taken[key]
	if !known {
		ok = t.takes(provider, filter)
		t.taken[key] = ok
	}
	return ok
}

func (t *transcoding) takes(provider, filter int) bool {
	d := t.loaded(provider, filter)
	switch {
	case d.off():
		return true
	case provider < 0:
		return false // there is no file
	case d.set == nil:
		return true
	}
	return t.Matcher.accepts(d)
}

func (t *transcoding) sameProvider(a, b int) bool {
	x, y := at(t.in.Dictionaries, a), at(t.in.Dictionaries, b)
	return a == b || x != nil && y != nil && x.Digest() == y.Digest()
}

// equal tells whether all revisions say the same.
func (t *transcoding) equal() bool {
	for _, c := range append([]Combination{t.in.End}, t.in.Between...) {
		a, b := t.loaded(t.in.Start.Provider, t.in.Start.Filter), t.loaded(c.Provider, c.Filter)
		switch {
		case !t.sameProvider(t.in.Start.Provider, c.Provider):
			return false
		case !slices.Equal(a.services, b.services) || a.options != b.options:
			return false
		case c.Consumer != t.in.Start.Consumer && !t.first.same(t.fresh(c)):
			return false
		}
	}
	return true
}
