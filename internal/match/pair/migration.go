package pair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/match/delta"
)

// plan is what one change needs in each release of a migration.
type plan struct {
	expand, migrate, contract string
	image                     bool // expand is of the image alone
}

func steps(expand, migrate, contract string) plan {
	return plan{expand: expand, migrate: migrate, contract: contract}
}

// migration gives the releases that reach the new API without harm: add what is new beside what is old, wait for the
// callers, remove. It goes by the changes that callers of the old API meet, each once.
func migration(r *Result, forOld []*effect, o Options) []Step {
	if r.SafeOrder != NoOrder {
		return nil
	}
	ways := map[delta.Change]way{}
	for _, e := range forOld {
		w := ways[e.Change]
		w.request = w.request || e.Direction == InRequest
		w.response = w.response || e.Direction == InResponse
		ways[e.Change] = w
	}
	var plans []plan // sorted by column
	for change, w := range ways {
		w.original = o.Config.PrintOptions.PreserveProtoFieldNames
		plans = append(plans, planOf(change, w))
	}
	column := func(of func(plan) string) []string {
		var out []string
		for _, p := range plans {
			if text := of(p); text != "" {
				out = append(out, text)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	deliver := "deliver the dictionary first"
	if !slices.ContainsFunc(plans, func(p plan) bool { return !p.image }) {
		deliver = "deliver the image; the dictionary stays as it is"
	}
	out := []Step{
		{Name: "expand", What: column(func(p plan) string { return p.expand }), When: deliver},
		{Name: "migrate", What: column(func(p plan) string { return p.migrate }), When: "when every proxy has loaded the dictionary of expand, and every pod runs its image"},
		{Name: "contract", What: column(func(p plan) string { return p.contract }), When: "when nobody uses the old form any more; keep its numbers and names reserved"},
	}
	return slices.DeleteFunc(out, func(s Step) bool { return len(s.What) == 0 })
}

// way says where callers meet a change.
type way struct {
	request, response bool
	original          bool // names in JSON are those of the declarations
}

func planOf(c delta.Change, w way) plan {
	message, name := cutName(c.Element)
	switch c.Kind {
	case delta.FieldRemoved:
		return steps(fmt.Sprintf("keep field %s of %s%s", name, message, w.pick(", and read it", ", and fill it", ", read it and fill it")),
			fmt.Sprintf("callers stop using field %s of %s", name, message),
			fmt.Sprintf("remove field %s of %s", name, message))
	case delta.FieldRenamed:
		instead := fmt.Sprintf("keep its JSON name with [json_name = %q], which callers that use that name do not notice; or ", c.JSON)
		if w.original {
			instead = ""
		}
		return besides(c, w, instead, "the field "+c.Free)
	case delta.JSONNameChanged:
		return besides(c, w, "", fmt.Sprintf("the field %s [json_name = %q]", c.Free, c.New))
	case delta.TypeChanged, delta.CardinalityMany, delta.CardinalityOne:
		return besides(c, w, "", "the field "+c.New+" "+c.Free)
	case delta.Renumbered:
		return steps(fmt.Sprintf("keep number %s for field %s of %s: a number cannot move", c.Old, name, message), "", "")
	case delta.JoinedOneof:
		return steps(fmt.Sprintf("keep fields %s and %s of %s apart; let the handler say what holds when both are set", name, c.Old, message),
			fmt.Sprintf("callers stop setting both %s and %s of %s", name, c.Old, message),
			fmt.Sprintf("put %s and %s of %s into oneof %s", name, c.Old, message, c.New))
	case delta.ValueRemoved:
		return steps(fmt.Sprintf("keep %s in enum %s%s", c.Old, c.Element, w.pick("", ", but let the server stop sending it", ", but let the server stop sending it")),
			fmt.Sprintf("callers stop sending %s of enum %s", c.Old, c.Element),
			fmt.Sprintf("remove %s from enum %s, the image first", c.Old, c.Element))
	case delta.ValueRenamed:
		return steps(fmt.Sprintf("add %s to enum %s behind %s, with the same number and allow_alias: both names are taken, answers say %[3]s", c.New, c.Element, c.Old),
			fmt.Sprintf("callers send %s, and take either name; then put it before %s, and answers say it", c.New, c.Old),
			fmt.Sprintf("remove %s from enum %s", c.Old, c.Element))
	case delta.FieldAdded:
		return steps(fmt.Sprintf("give field %s of %s a number that no release used", name, message), "", "")
	case delta.AnyChanged:
		return steps("keep the messages that go in the dictionary, and deliver it before a server sends one that is new: "+c.Words, "", "")
	case delta.ValueAdded:
		return steps(fmt.Sprintf("add %s to enum %s, and let the server send it only in the next release", c.New, c.Element), "", "")
	}
	return routePlan(c)
}

// besides adds a field for the new form.
func besides(c delta.Change, w way, instead, declared string) plan {
	message, name := cutName(c.Element)
	other, _, _ := strings.Cut(c.Free, " ")
	return steps(
		fmt.Sprintf("field %s of %s: %sadd %s beside it, and %s", name, message, instead, declared,
			w.pick("read both", "fill both", "read and fill both")),
		fmt.Sprintf("callers %s %s instead of %s of %s", w.pick("send", "read", "send and read"), other, name, message),
		fmt.Sprintf("remove field %s of %s", name, message),
	)
}

// pick gives the words for requests, for answers, or for both.
func (w way) pick(request, response, both string) string {
	switch {
	case w.request && w.response:
		return both
	case w.response:
		return response
	}
	return request
}

func routePlan(c delta.Change) plan {
	switch c.Kind {
	case routeMoved:
		return steps(fmt.Sprintf("keep %s as an additional_binding of %s, beside %s", c.Old, c.Element, c.New),
			fmt.Sprintf("callers call %s instead of %s", c.New, c.Old),
			fmt.Sprintf("remove the additional_binding %s", c.Old))
	case routeRemoved:
		return steps(fmt.Sprintf("keep %s of %s", c.Old, c.Element), "callers stop calling "+c.Old, "remove "+c.Old)
	case methodRemoved:
		return steps(fmt.Sprintf("keep method %s with %s", c.Element, c.Old),
			"callers stop calling "+c.Old,
			fmt.Sprintf("remove method %s", c.Element))
	case serviceRenamed, methodRenamed:
		thing := "service"
		if c.Kind == methodRenamed {
			thing = "method"
		}
		p := steps(fmt.Sprintf("register %s %s in the image beside %s, with the same handlers; leave the dictionary as it is", thing, c.New, c.Old),
			fmt.Sprintf("deliver the dictionary, and the list of services, with %s instead of %s; no caller has to move", c.New, c.Old),
			fmt.Sprintf("remove %s from the image, when every proxy has loaded that dictionary", c.Old))
		p.image = true
		return p
	case routeShadowed:
		return steps(fmt.Sprintf("give one of the two methods that claim %s another verb or path", c.Element), "", "")
	case ruleChanged:
		return steps(fmt.Sprintf("keep %s with body %s, and add the new form as an additional_binding of another path", c.Element, c.Old),
			"callers call that path",
			"remove the old form of "+c.Element)
	case streamChanged, rawChanged:
		return steps(fmt.Sprintf("keep method %s as it is, and add a method with a path of its own for the new form", c.Element),
			"callers call the new method instead of "+c.Element,
			"remove method "+c.Element)
	case detailChanged:
		return steps(fmt.Sprintf("keep the messages in the dictionary, and deliver it before a server sends a new one: %s", c.Old+c.New), "", "")
	case refused:
		return steps("correct the dictionary or the list of services: "+c.Words, "", "")
	}
	return steps("keep the old form beside the new one: "+c.Words, "callers move to the new form", "remove the old form: "+c.Words)
}
