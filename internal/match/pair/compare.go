package pair

import (
	"errors"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// side is one release: its dictionary in a proxy, its server, and its routes.
type side struct {
	set      *descriptor.Set
	proxy    *transcode.Proxy // nil: refused
	refused  string
	server   *transcode.Server
	plain    wirejson.Printer // how its clients write requests
	services []string
	routes   map[string]*transcode.Binding // by key; of bindings that clash the first
}

func newSide(set *descriptor.Set, cfg descriptor.Transcoder, services []string, kind transcode.ServerKind) *side {
	s := &side{set: set, server: transcode.NewServer(set, kind), routes: map[string]*transcode.Binding{}}
	s.plain = wirejson.Printer{Types: set.Types()}
	s.services = services
	if len(services) == 0 {
		s.services = cfg.Services
	}
	if len(s.services) == 0 {
		for _, service := range set.Services {
			s.services = append(s.services, service.Name)
		}
	}
	cfg.Services = s.services
	proxy, err := transcode.Load(set, cfg)
	if err != nil {
		s.refused = err.Error()
		var refused *transcode.Refused
		if errors.As(err, &refused) {
			s.refused = refused.Reason
		}
		return s
	}
	s.proxy = proxy
	for _, b := range proxy.Bindings() {
		if s.routes[b.Key()] == nil {
			s.routes[b.Key()] = b
		}
	}
	return s
}

func (s *side) exchange(server *side, r transcode.Request, a transcode.Answer) transcode.Reply {
	if s.proxy == nil {
		return transcode.Reply{Outcome: transcode.Rejected}
	}
	return s.proxy.Exchange(server.server, r, a)
}

// Compare says what two releases mean for each other. Sets that declare the same are told apart by nothing.
func Compare(old, new *descriptor.Set, o Options) Result {
	a := newSide(old, o.Config, o.OldServices, o.Server)
	b := newSide(new, o.Config, o.NewServices, o.Server)
	r := Result{SafeOrder: AnyOrder, SafeOrderIfUnused: AnyOrder, PreferredOrder: AnyOrder, ListOrder: listOrder(a.services, b.services)}
	if old.Digest() == new.Digest() && r.ListOrder == ListStays {
		return r
	}
	there := delta.New(old, new)
	forOld := newComparison(there, o).callers(a, b, OldClient)
	forNew := newComparison(there.Back(), o).callers(b, a, NewClient)
	judge(&r, forOld, forNew)
	r.Routes = merge(a, b, forOld, forNew)
	r.Migration = migration(&r, forOld, o)
	r.Limits = limits(a, b, there, o)
	return r
}

func listOrder(old, new []string) ListOrder {
	comes := slices.ContainsFunc(new, func(s string) bool { return !slices.Contains(old, s) })
	goes := slices.ContainsFunc(old, func(s string) bool { return !slices.Contains(new, s) })
	switch {
	case comes && goes:
		return ListBothSides
	case comes:
		return ListAfterDictionary
	case goes:
		return ListBeforeDictionary
	}
	return ListStays
}

// effect is what one probe shows. State counts from the caller's own API: ahead is the other API's half.
type effect struct {
	Effect
	key      string      // of the route
	route    string      // verb and template
	replaced bool        // the field is not the same in the other API
	spared   bool        // a caller that does not use what the change removes or replaces does not meet it
	used     *sample.Use // that shows it; nil for the route as a whole
	ofOther  bool        // the answer was one of the other API's server
}

// The states as seen by callers of one API: the other API's dictionary before their own server, their own dictionary
// before the other API's server, and the other API alone.
const (
	otherDictionary = iota
	otherServer
	otherBoth
)

// states names them for each class.
func states(c Client) [3]State {
	if c == NewClient {
		return [3]State{ServerAhead, DictionaryAhead, Before}
	}
	return [3]State{DictionaryAhead, ServerAhead, After}
}

// comparison runs the calls of one class.
type comparison struct {
	options Options
	changes *delta.Delta // from the API of the callers to the other one
	known   map[place][]*effect
	// goes and comes are the messages for an Any that only the callers' API has, and only the other one; own and other are
	// those that an Any of either is tried with.
	goes, comes, own, other []protoreflect.MessageDescriptor
}

func newComparison(changes *delta.Delta, o Options) *comparison {
	c := &comparison{options: o, changes: changes, known: map[place][]*effect{}}
	c.goes, c.comes = only(changes.From, changes.To), only(changes.To, changes.From)
	c.own, c.other = several(changes.From, c.goes), several(changes.To, c.comes)
	return c
}

// callers gives the effects on callers of a, when it meets b.
func (c *comparison) callers(a, b *side, client Client) []*effect {
	var out []*effect
	for _, key := range sortedRoutes(a) {
		p := &prober{comparison: c, a: a, b: b, client: client, key: key, from: a.routes[key], to: b.routes[key]}
		p.name = p.from.Rule.Verb + " " + p.from.Rule.Template
		out = append(out, p.route()...)
	}
	return out
}

func sortedRoutes(sides ...*side) []string {
	var keys []string
	for _, s := range sides {
		for key := range s.routes {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
