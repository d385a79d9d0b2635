package compared

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// The words of diag.Pair that decide what is said.
const (
	anyOrder        = "any"
	dictionaryFirst = "dictionary-first"
	imageFirst      = "image-first"
	noOrder         = "none"

	newDictionary = "new-dictionary"
	newServer     = "new-server"
	afterBoth     = "after"

	oldCaller = "old"
	newCaller = "new"
)

// labelled is a sentence of the head with its name.
type labelled struct{ name, text string }

// orderWords say each order in one sentence, those for existing callers first.
func orderWords(d diag.Pair) []labelled {
	out := []labelled{{"existing", safeWords(d)}}
	if d.SafeOrderIfUnused != d.SafeOrder {
		out = append(out, labelled{"if unused", unusedWords(d)})
	}
	out = append(out, labelled{"deliver", preferredWords(d)})
	if text := listWords(d.ListOrder); text != "" {
		out = append(out, labelled{"services", text})
	}
	return out
}

func safeWords(d diag.Pair) string {
	switch {
	case d.SafeOrder == anyOrder:
		return "any order: callers of the old API meet no change, neither while one half is new nor when both are"
	case d.SafeOrder == dictionaryFirst:
		return "dictionary first: with the image first, the old dictionary harms callers of the old API while it meets the new server"
	case d.SafeOrder == imageFirst:
		return "image first: with the dictionary first, the new dictionary harms callers of the old API while it meets the old server"
	case len(d.Breaking) > 0:
		return "no order is safe: calls of the old API break even when both halves are new (" + lines.Counted(len(d.Breaking), "way") + ")"
	}
	return "no order is safe: each harms callers of the old API while one half is new, and nothing breaks once both are"
}

func unusedWords(d diag.Pair) string {
	const unused = ", if nobody uses what the change removes or replaces"
	switch d.SafeOrderIfUnused {
	case anyOrder:
		return "any order" + unused
	case dictionaryFirst:
		return "dictionary first" + unused + "; with the image first, calls are harmed that use none of it"
	case imageFirst:
		return "image first" + unused + "; with the dictionary first, calls are harmed that use none of it"
	}
	return "no order" + unused + ": calls are harmed that use none of it"
}

func preferredWords(d diag.Pair) string {
	text := oneReleaseWords(d)
	if d.SafeOrder == noOrder && d.PreferredOrder != noOrder {
		text = "if it has to be one release: " + text
	}
	return text
}

func oneReleaseWords(d diag.Pair) string {
	dead := lines.Counted(len(routesWith(d, newCaller, newServer)), "route")
	const why = "a proxy reads the dictionary when its pod starts, and keeps it: "
	switch {
	case d.PreferredOrder == dictionaryFirst && d.SafeOrderIfUnused == dictionaryFirst:
		return "dictionary first, the only order left, also for what is new; wait until every proxy has loaded it"
	case d.PreferredOrder == dictionaryFirst:
		return "dictionary first for what is new (" + dead + "); " + why +
			"with the image first, pods that start before the dictionary arrives do not know what is new until they restart"
	case d.PreferredOrder == imageFirst && d.Restart:
		return "image first, the only order left; " + why + "what is new (" + dead +
			") does not work in pods that started with the old dictionary until they restart"
	case d.PreferredOrder == imageFirst:
		return "image first, the only order left; wait until every pod runs it"
	case d.PreferredOrder == noOrder:
		return "not in one release; the steps below do it without harm"
	}
	return "any order: nothing is new that an old dictionary could withhold"
}

func listWords(order string) string {
	switch order {
	case "after-dictionary":
		return "the filter may list the services that come only after every proxy has loaded the new dictionary: it refuses a listed service that its dictionary lacks"
	case "before-dictionary":
		return "the filter must stop listing the services that go before any proxy loads the new dictionary: it refuses a listed service that its dictionary lacks"
	case "removals-before-and-additions-after-dictionary":
		return "the filter must stop listing the services that go before, and may list those that come only after the new dictionary is loaded: it refuses a listed service that its dictionary lacks"
	}
	return ""
}

// routesWith are the routes on which a class of callers meets something in a state.
func routesWith(d diag.Pair, client, state string) []diag.PairRoute {
	return slices.DeleteFunc(slices.Clone(d.Routes), func(r diag.PairRoute) bool { return !meets(r, client, state) })
}

func meets(r diag.PairRoute, client, state string) bool {
	return slices.ContainsFunc(r.Effects, func(e diag.PairEffect) bool { return e.Client == client && e.State == state })
}

// comesTo says that callers of the old API meet an outcome.
func comesTo(r diag.PairRoute, outcome string) bool {
	return slices.ContainsFunc(r.Effects, func(e diag.PairEffect) bool { return e.Client == oldCaller && e.Outcome == outcome })
}

// affected are the routes that have something to say.
func affected(d diag.Pair) []diag.PairRoute {
	return slices.DeleteFunc(slices.Clone(d.Routes), func(r diag.PairRoute) bool { return len(r.Effects) == 0 })
}

// pairStates are the states in the order in which they are told. That callers of the new API meet the old one before the
// release is no news, and is left to JSON.
func pairStates() []labelled {
	return []labelled{
		{newDictionary, "new dictionary, old server (dictionary first, in between)"},
		{newServer, "old dictionary, new server (image first, in between, and in every pod that keeps its dictionary)"},
		{afterBoth, "both new"},
	}
}

// met is one effect with all classes of callers that meet it in one state.
type met struct {
	diag.PairEffect
	clients []string
}

// metIn joins the effects of a state that differ in nothing but the callers.
func metIn(r diag.PairRoute, state string) []met {
	var out []met
	for _, e := range r.Effects {
		if e.State != state {
			continue
		}
		i := slices.IndexFunc(out, func(m met) bool {
			return m.Field == e.Field && m.Direction == e.Direction && m.Outcome == e.Outcome && m.Detail == e.Detail &&
				m.Witness.Status == e.Witness.Status
		})
		if i < 0 {
			i = len(out)
			out = append(out, met{PairEffect: e})
		}
		out[i].clients = append(out[i].clients, e.Client)
		if e.Client == oldCaller {
			out[i].PairEffect = e // its witness is a call that is made today
		}
	}
	return out
}

// callers names the classes of callers. Those of both APIs come with the old or the new ones, unless they are alone.
func (m met) callers() string {
	old, new := slices.Contains(m.clients, oldCaller), slices.Contains(m.clients, newCaller)
	switch {
	case old && new:
		return "all callers"
	case old:
		return "callers of the old API"
	case new:
		return "callers of the new API"
	}
	return "callers of what both APIs have"
}

// words say what the callers see. What a group is about stands above it.
func (m met) words(g group) string {
	subject := m.callers()
	switch {
	case m.Direction == "":
		subject += ": the call"
	case m.Field == "":
		subject += ": the " + m.Direction
	}
	if !g.alike {
		m.Detail = ""
	}
	outcome := m.outcomeWords()
	switch {
	case m.Detail == "":
	case m.Outcome == "not-routed" || m.Outcome == "unimplemented": // the detail says it all
		outcome = fmt.Sprintf("%d, %s", m.Witness.Status, m.Detail)
	case m.Outcome == "rejected":
		outcome += ": " + m.Detail
	default:
		outcome += " (" + m.Detail + ")"
	}
	return subject + ": " + outcome
}

func (m met) outcomeWords() string {
	status, request := m.Witness.Status, m.Direction == "request"
	switch m.Outcome {
	case "not-routed":
		return fmt.Sprintf("%d, not routed", status)
	case "bad-request":
		return fmt.Sprintf("%d, the proxy refuses the request", status)
	case "server-error":
		return fmt.Sprintf("%d, the server cannot read the request", status)
	case "unimplemented":
		return fmt.Sprintf("%d, the server has no such method", status)
	case "bad-gateway":
		return fmt.Sprintf("%d, the proxy cannot read the answer, and the handler has run", status)
	case "proxy-ends":
		return "the proxy's process ends, and every connection with it"
	case "breaks-off":
		return fmt.Sprintf("%d, and the body ends in the middle", status)
	case "dropped":
		if request {
			return fmt.Sprintf("%d, but the server does not get it", status)
		}
		return fmt.Sprintf("%d, but it is missing from the answer", status)
	case "value-changed":
		if request {
			return fmt.Sprintf("%d, but the server gets another value", status)
		}
		return fmt.Sprintf("%d, but with another value", status)
	case "shape-changed":
		return fmt.Sprintf("%d, but in another JSON form", status)
	case "rejected":
		return "the proxy refuses its configuration"
	case "another-method":
		return fmt.Sprintf("%d, but another method answers", status)
	case "shadowed":
		return fmt.Sprintf("%d, taken from its route by another one", status)
	}
	return fmt.Sprintf("%d, %s", status, m.Outcome)
}

// longest is how much of a body is shown.
const longest = 100

// exampleWords show the call: what is sent, and what comes back.
func (m met) exampleWords() string {
	w := m.Witness
	if w.Request == "" {
		return ""
	}
	text := w.Request
	if w.Body != "" {
		text += " " + shortened(w.Body)
	}
	if w.Status == 0 {
		return text + " gets no answer"
	}
	text += fmt.Sprintf(" gets %d", w.Status)
	if w.Reply != "" {
		text += " " + shortened(w.Reply)
	}
	return text
}

func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "..."
	}
	return s
}

// breakWords say in which order a route breaks for callers of the old API.
func breakWords(r diag.PairRoute) string {
	dictionary, image := meets(r, oldCaller, newDictionary), meets(r, oldCaller, newServer)
	switch {
	case meets(r, oldCaller, afterBoth):
		return "in every order, at the latest when both halves are new"
	case dictionary && image:
		return "in every order, while one half is new"
	case dictionary:
		return "with the dictionary first, until the image follows"
	case image:
		return "with the image first, until the proxy loads the new dictionary"
	case r.In == newCaller:
		return "in no order: nobody calls it yet"
	}
	return "in no order for callers of the old API"
}

// changedBy says that callers of the old API meet a kind of change.
func changedBy(r diag.PairRoute, kind string) bool {
	return slices.ContainsFunc(r.Effects, func(e diag.PairEffect) bool { return e.Client == oldCaller && e.Kind == kind })
}

// adviceWords say what to do about a route.
func adviceWords(r diag.PairRoute) string {
	dictionary, image := meets(r, oldCaller, newDictionary), meets(r, oldCaller, newServer)
	switch {
	case comesTo(r, "rejected"):
		return "correct the new dictionary, or the list of services that goes with it"
	case comesTo(r, "shadowed"):
		return "give one of the two methods another verb or path"
	case changedBy(r, "field-number"):
		return "keep the number: a field that has to have another one is a new field"
	case changedBy(r, "service-renamed"), changedBy(r, "method-renamed"):
		return "let the image serve both names before the dictionary changes"
	case meets(r, oldCaller, afterBoth) && r.In == oldCaller:
		return "keep the route until nobody calls it"
	case meets(r, oldCaller, afterBoth):
		return "keep the old form beside the new one until nobody uses it"
	case dictionary && image:
		return "do it in steps: each half has to understand both forms before the other one changes"
	case dictionary:
		return "deliver the image first, and the dictionary when every pod runs it"
	case image:
		return "deliver the dictionary first, and the image when every proxy has loaded it"
	case meets(r, newCaller, newServer):
		return "deliver the dictionary first: an old one does not know it; call it when the image runs, too"
	}
	return "use what is new when the image runs"
}
