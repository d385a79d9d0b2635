package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// use is a call: a route, with the use of a field unless it is meant as a whole.
type use struct {
	key       string // verb and template, variables erased: a variable's name is no matter of callers
	path      string
	direction pair.Direction
}

// whole is the route itself.
func (u use) whole() use { return use{key: u.key} }

// effect is what becomes of a use.
type effect struct {
	use
	route   string // verb and template, as written
	method  string // fully qualified
	outcome transcode.Outcome
	detail  string
	status  int    // HTTP, as met
	change  string // what was changed, in words, from the first side to the second
}

// lost: a field of an answer costs the whole call.
func (e effect) lost() bool {
	if e.direction != pair.InResponse {
		return false
	}
	switch e.outcome {
	case transcode.Dropped, transcode.ValueChanged, transcode.ShapeChanged, transcode.Unaffected:
		return false
	}
	return true
}

// meeting is who meets something, and when.
type meeting struct {
	client pair.Client
	state  pair.State
}

// meetings are those that outcomes are made of.
var meetings = [...]meeting{
	{pair.OldClient, pair.DictionaryAhead}, {pair.OldClient, pair.After}, {pair.NewClient, pair.Before},
	{pair.BothClient, pair.DictionaryAhead}, {pair.BothClient, pair.ServerAhead},
}

// orders are those that package pair names: safe, safe if what the release removes is not used, preferred.
type orders struct{ safe, ifUnused, preferred pair.Order }

var anyOrder = orders{pair.AnyOrder, pair.AnyOrder, pair.AnyOrder}

// comparison is what is kept of a [pair.Result].
type comparison struct {
	met    map[meeting]map[use]effect
	orders orders
	limits []string
}

func (c *comparison) note(at meeting, e effect) {
	if c.met == nil {
		c.met = map[meeting]map[use]effect{}
	}
	if c.met[at] == nil {
		c.met[at] = map[use]effect{}
	}
	c.met[at][e.use] = e
}

// list gives what somebody meets, in order.
func (c *comparison) list(at meeting) []effect {
	return slices.SortedFunc(maps.Values(c.met[at]), func(x, y effect) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.path, y.path), cmp.Compare(x.direction, y.direction))
	})
}

// serves tells whether a use of the client's API works in the other API. What a caller who uses only what both have meets in
// the mixed state is shared, also where the client finds a part of it missing at the end: an enum that has one value more.
func (c *comparison) serves(client pair.Client, end, mixed pair.State, u use) Truth {
	at := meeting{client, end}
	if _, ok := c.met[at][u.whole()]; ok {
		return Fails
	}
	if _, ok := c.met[meeting{pair.BothClient, mixed}][u]; !ok && c.breaks(at, u) {
		return Fails
	}
	return Works
}

// breaks tells whether somebody meets something at a use, or around it.
func (c *comparison) breaks(at meeting, u use) bool {
	for {
		if _, ok := c.met[at][u]; ok {
			return true
		}
		if u.path == "" {
			break
		}
		u.path = u.path[:max(strings.LastIndexByte(u.path, '.'), 0)]
	}
	_, ok := c.met[at][u.whole()]
	return ok
}

func digested(r pair.Result) *comparison {
	c := &comparison{orders: orders{r.SafeOrder, r.SafeOrderIfUnused, r.PreferredOrder}, limits: r.Limits}
	for _, route := range r.Routes {
		key := route.Verb + " " + erased(route.Template)
		for _, f := range route.Fields {
			at := meeting{f.Client, f.State}
			if !slices.Contains(meetings[:], at) {
				continue
			}
			c.note(at, effect{
				use:   use{key: key, path: f.Path, direction: f.Direction},
				route: route.Verb + " " + route.Template, method: route.Method,
				outcome: f.Outcome, detail: f.Detail, status: f.Witness.Status, change: f.Change.Words,
			})
		}
	}
	return c
}

// change is what was changed at a use, "" if nothing was.
func (c *comparison) change(u use) string {
	for _, u := range []use{u, u.whole()} {
		for _, at := range meetings {
			if e, ok := c.met[at][u]; ok {
				return e.change
			}
		}
	}
	return ""
}

// erased is a template without the names of its variables: {id} is *, {name=shelves/*} is shelves/*.
func erased(template string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		variable, after, _ := strings.Cut(rest, "}")
		pattern := "*"
		if _, p, ok := strings.Cut(variable, "="); ok {
			pattern = p
		}
		b.WriteString(pattern)
		template = after
	}
}

// against compares with a transcoder that does nothing: every call of the side that does something passes it.
func against(old, new side, kind transcode.ServerKind) *comparison {
	c := &comparison{orders: anyOrder}
	if old.off() {
		for _, e := range passed(new, kind) {
			c.note(meeting{pair.NewClient, pair.Before}, e)
		}
		c.orders.preferred = pair.DictionaryFirst
		return c
	}
	c.orders.safe = pair.NoOrder
	for _, e := range passed(old, kind) {
		c.note(meeting{pair.OldClient, pair.DictionaryAhead}, e)
		c.note(meeting{pair.OldClient, pair.After}, e)
	}
	return c
}

// passed are all calls of a side that work, as they fail where no transcoder translates them (E1.1).
func passed(s side, kind transcode.ServerKind) []effect {
	cfg := s.config
	cfg.Services = s.services
	own, err := transcode.Load(s.set, cfg)
	if err != nil {
		return nil
	}
	cfg.Services = nil
	off, err := transcode.Load(s.set, cfg)
	if err != nil {
		return nil
	}
	server := transcode.NewServer(s.set, kind)
	var out []effect
	for _, b := range own.Bindings() {
		verb := b.Rule.Verb
		if verb == "*" {
			verb = "GET" // any will do
		}
		path := b.FillPath(func([]string, protoreflect.FieldDescriptor) (string, bool) { return "", false })
		if found, ok := own.Find(verb, path); !ok || found != b.Path() {
			continue // it does not work in its own API
		}
		reply := off.Exchange(server, transcode.Request{Method: verb, Target: path}, transcode.Answer{})
		out = append(out, effect{
			use:   use{key: b.Rule.Verb + " " + erased(b.Rule.Template)},
			route: b.Rule.Verb + " " + b.Rule.Template, method: b.Name, outcome: reply.Outcome, status: reply.Status,
		})
	}
	return out
}
