package compared

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// A message that many routes carry changes once and is met on each of them. What is told is therefore not routes but
// groups: the changes of which callers meet the same, each with the routes that meet it. JSON has every route.

// spot is where a change is met.
type spot struct {
	route diag.PairRoute
	field string // path of the field; "" for the whole route
}

// change is one change, in one direction, with all its places in the order of the routes.
type change struct {
	words   string
	kind    string
	places  []spot
	effects []diag.PairEffect // of the first place; those of the others say the same
}

// title says what changed.
func (c change) title() string { return cmp.Or(c.words, "field "+c.places[0].field) }

// whole says what changed beside the name of the route and its method.
func (c change) whole() string {
	r := c.places[0].route
	return strings.TrimPrefix(c.words, fmt.Sprintf("%s %s of %s ", r.Verb, r.Template, r.Method))
}

// group are changes that mean the same for their callers.
type group struct {
	whole   bool // of routes as a whole
	changes []change
	alike   bool // their effects have the same details
}

// effects stand for those of all its changes.
func (g group) effects() []diag.PairEffect { return g.changes[0].effects }

// as is a route with the effects of the group, for what is said of a route.
func (g group) as() diag.PairRoute {
	r := g.changes[0].places[0].route
	r.Effects = g.effects()
	return r
}

// groups are what a comparison tells, the gravest first.
func groups(d diag.Pair) []group {
	var out []group
	at := map[string]int{}
	for _, c := range changes(d) {
		key := c.profile(false)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, group{whole: c.places[0].field == "" && c.effects[0].Direction == "", alike: true})
		}
		g := &out[i]
		g.alike = g.alike && (len(g.changes) == 0 || g.changes[0].profile(true) == c.profile(true))
		g.changes = append(g.changes, c)
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(a.rank(), b.rank()) })
	return out
}

// rank is lower for what is graver.
func (g group) rank() int {
	r := g.as()
	switch dictionary, image := meets(r, oldCaller, newDictionary), meets(r, oldCaller, newServer); {
	case meets(r, oldCaller, afterBoth):
		return 0
	case dictionary && image:
		return 1
	case dictionary || image:
		return 2
	}
	return 3
}

// changes collects the places of each change. A route as a whole is a change of its own.
func changes(d diag.Pair) []change {
	var out []change
	at := map[string]int{}
	for _, r := range affected(d) {
		for _, effects := range byChange(r.Effects) {
			e := effects[0]
			key := fmt.Sprint(e.Direction, "\x00", e.Change, "\x00", profile(effects, r.In, true))
			if e.Change == "" || e.Direction == "" {
				key += "\x00" + r.Verb + " " + r.Template + "\x00" + e.Field
			}
			i, ok := at[key]
			if !ok {
				i = len(out)
				at[key] = i
				out = append(out, change{words: e.Change, kind: e.Kind, effects: effects})
			}
			c := &out[i]
			switch last := len(c.places) - 1; {
			case last < 0 || c.places[last].route.Verb != r.Verb || c.places[last].route.Template != r.Template:
				c.places = append(c.places, spot{r, e.Field})
			case len(e.Field) < len(c.places[last].field):
				c.places[last].field = e.Field // of a message within itself, the place that is easiest to see
			}
			if !hasReply(c.effects) && hasReply(effects) {
				c.effects = effects // its witness shows more
			}
		}
	}
	return out
}

func hasReply(effects []diag.PairEffect) bool {
	return slices.ContainsFunc(effects, func(e diag.PairEffect) bool { return e.Witness.Reply != "" })
}

// byChange splits the effects on a route by direction and change, and, where one change is met in several fields, by field.
// A field whose names differ in the two APIs has effects under both.
func byChange(effects []diag.PairEffect) [][]diag.PairEffect {
	var out [][]diag.PairEffect
	for _, e := range effects {
		i := slices.IndexFunc(out, func(list []diag.PairEffect) bool {
			x := list[0]
			return x.Direction == e.Direction && x.Change == e.Change && (x.Field == e.Field || e.Change != "" && beside(x.Field, e.Field) &&
				!slices.ContainsFunc(list, func(y diag.PairEffect) bool { return y.Client == e.Client && y.State == e.State }))
		})
		if i < 0 {
			out = append(out, []diag.PairEffect{e})
			continue
		}
		out[i] = append(out[i], e)
	}
	return out
}

// beside says that two paths differ in their last name only.
func beside(a, b string) bool {
	return a[:strings.LastIndexByte(a, '.')+1] == b[:strings.LastIndexByte(b, '.')+1]
}

// profile is what the callers of a change meet. Callers of the new API alone have nothing to lose yet: details do not keep
// what they meet apart, unless all is asked for.
func (c change) profile(all bool) string {
	e := c.effects[0]
	whole := e.Direction == ""
	old := slices.ContainsFunc(c.effects, func(e diag.PairEffect) bool { return e.Client == oldCaller })
	key := fmt.Sprint(e.Direction, "\x00", profile(c.effects, c.places[0].route.In, all || old && !whole))
	if whole && c.kind != "" {
		key += "\x00" + c.kind
	}
	return key
}

func profile(effects []diag.PairEffect, in string, details bool) string {
	var parts []string
	for _, e := range effects {
		part := fmt.Sprint(e.State, " ", e.Client, " ", e.Outcome, " ", e.Witness.Status)
		if details {
			part += " " + e.Detail
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return in + " " + strings.Join(parts, "\n")
}

// How many are named before the rest is counted.
const (
	shownPlaces  = 2
	shownChanges = 12
	shownSteps   = 20
)

// leading gives the first of a list, and how many are left; a list that is longer by one only is given whole.
func leading[T any](list []T, n int) (shown []T, left int) {
	if len(list) <= n+1 {
		return list, 0
	}
	return list[:n], len(list) - n
}

// words name a route, and the field's path where it is more than the name that the change has.
func (s spot) words(change string) string {
	route := s.route.Verb + " " + s.route.Template
	if s.field == "" || strings.Contains(" "+change+" ", " "+s.field+" ") {
		return route
	}
	return fmt.Sprintf("%s (%s)", route, s.field)
}

// routine kinds go without saying: that a route is new or goes stands beside it.
func routine(kind string) bool {
	return kind == "" || kind == "route-added" || kind == "route-removed" || kind == "method-removed"
}
