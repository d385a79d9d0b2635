package pair

import (
	"cmp"
	"errors"
	"slices"

	"github.com/syncproof/syncproof/internal/match/descriptor"
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
	c := &comparison{options: o, changes: newChanges(old, new), known: map[place][]effect{}}
	forOld := c.callers(a, b, OldClient)
	c.changes = newChanges(new, old)
	forNew := c.callers(b, a, NewClient)
	judge(&r, forOld, forNew)
	r.Routes = merge(a, b, forOld, forNew)
	r.Migration = migration(&r, forOld)
	r.Limits = limits(a, b, o)
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
	key      string // of the route
	route    string // verb and template
	replaced bool   // the field is not the same in the other API
	spared   bool   // a caller that does not use what the change removes or replaces does not meet it
	sample   string // what was used
	ofOther  bool   // the answer was one of the other API's server
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
	changes *changes
	known   map[place][]effect
}

// callers gives the effects on callers of a, when it meets b.
func (c *comparison) callers(a, b *side, client Client) []effect {
	var out []effect
	for _, key := range sortedRoutes(a) {
		p := &prober{comparison: c, a: a, b: b, client: client, key: key, from: a.routes[key], to: b.routes[key]}
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

// merge lists the routes of both APIs with the gravest effect for each field, direction, class and state.
func merge(a, b *side, effects ...[]effect) []Route {
	byRoute := map[string][]Effect{}
	for _, list := range effects {
		for _, e := range list {
			byRoute[e.key] = append(byRoute[e.key], e.Effect)
			if e.both() {
				same := e.Effect
				same.Client = BothClient
				byRoute[e.key] = append(byRoute[e.key], same)
			}
		}
	}
	var out []Route
	for _, key := range sortedRoutes(a, b) {
		binding := b.routes[key]
		if binding == nil {
			binding = a.routes[key]
		}
		r := Route{Verb: binding.Rule.Verb, Template: binding.Rule.Template, Method: binding.Name, Fields: gravest(byRoute[key])}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(x, y Route) int {
		return cmp.Or(cmp.Compare(x.Template, y.Template), cmp.Compare(x.Verb, y.Verb))
	})
	return out
}

// both says that a caller which uses only what both APIs have, and reads either form, meets the effect too.
func (e effect) both() bool {
	return !e.spared && (e.State == DictionaryAhead || e.State == ServerAhead)
}

// gravest keeps one effect for each field, direction, class and state.
func gravest(effects []Effect) []Effect {
	slices.SortStableFunc(effects, func(x, y Effect) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Direction, y.Direction), cmp.Compare(x.Client, y.Client),
			cmp.Compare(x.State, y.State), cmp.Compare(gravity(y.Outcome), gravity(x.Outcome)))
	})
	return slices.CompactFunc(effects, func(x, y Effect) bool {
		return x.Path == y.Path && x.Direction == y.Direction && x.Client == y.Client && x.State == y.State
	})
}

// failsCall says that the whole call is lost, also for a client that does not look at the field.
func failsCall(o transcode.Outcome) bool {
	switch o {
	case transcode.Unaffected, transcode.Dropped, transcode.ValueChanged, transcode.ShapeChanged:
		return false
	}
	return true
}

// gravity orders outcomes: of several for one field the gravest is reported.
func gravity(o transcode.Outcome) int {
	return slices.Index([]transcode.Outcome{transcode.Unaffected, transcode.ShapeChanged, transcode.BadRequest, transcode.NotRouted,
		transcode.Shadowed, transcode.Unimplemented, transcode.ServerError, transcode.BadGateway, transcode.Dropped,
		transcode.ValueChanged, transcode.BreaksOff, transcode.ProxyEnds, transcode.Rejected}, o)
}
