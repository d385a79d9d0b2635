package pair

import (
	"cmp"
	"slices"

	"github.com/syncproof/syncproof/internal/match/transcode"
)

// merge lists the routes of both APIs with the gravest effect for each field, direction, class and state.
func merge(a, b *side, effects ...[]*effect) []Route {
	found := map[string][]*effect{}
	for _, list := range effects {
		for _, e := range list {
			found[e.key] = append(found[e.key], e)
		}
	}
	var out []Route
	for _, key := range sortedRoutes(a, b) {
		binding := b.routes[key]
		if binding == nil {
			binding = a.routes[key]
		}
		r := Route{Verb: binding.Rule.Verb, Template: binding.Rule.Template, Method: binding.Name, Fields: gravest(found[key])}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(x, y Route) int {
		return cmp.Or(cmp.Compare(x.Template, y.Template), cmp.Compare(x.Verb, y.Verb))
	})
	return out
}

// told is an effect as one class of callers meets it.
type told struct {
	*effect
	client  Client
	gravity int
}

// gravest keeps one effect for each field, direction, class and state.
func gravest(effects []*effect) []Effect {
	list := make([]told, 0, 2*len(effects))
	for _, e := range effects {
		list = append(list, told{e, e.Client, gravity(e.Outcome)})
		if e.both() {
			list = append(list, told{e, BothClient, gravity(e.Outcome)})
		}
	}
	slices.SortStableFunc(list, func(x, y told) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Direction, y.Direction), cmp.Compare(x.client, y.client),
			cmp.Compare(x.State, y.State), cmp.Compare(y.gravity, x.gravity))
	})
	list = slices.CompactFunc(list, func(x, y told) bool {
		return x.Path == y.Path && x.Direction == y.Direction && x.client == y.client && x.State == y.State
	})
	out := make([]Effect, len(list))
	for i, t := range list {
		out[i] = t.Effect
		out[i].Client = t.client
	}
	return out
}

// both says that a caller which uses only what both APIs have, and reads either form, meets the effect too.
func (e *effect) both() bool {
	return !e.spared && (e.State == DictionaryAhead || e.State == ServerAhead)
}

// failsCall says that the whole call is lost, also for a client that does not look at the field.
func failsCall(o transcode.Outcome) bool {
	switch o {
	case transcode.Unaffected, transcode.Dropped, transcode.ValueChanged, transcode.ShapeChanged:
		return false
	}
	return true
}

// outcomes are ordered by gravity: of several for one field the gravest is reported.
var outcomes = [...]transcode.Outcome{transcode.Unaffected, transcode.ShapeChanged, transcode.BadRequest, transcode.NotRouted,
	transcode.Shadowed, transcode.Unimplemented, transcode.ServerError, transcode.BadGateway, transcode.Dropped,
	transcode.AnotherMethod, transcode.ValueChanged, transcode.BreaksOff, transcode.ProxyEnds, transcode.Rejected}

func gravity(o transcode.Outcome) int { return slices.Index(outcomes[:], o) }
