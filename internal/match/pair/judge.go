package pair

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/transcode"
)

// judge derives the orders from the effects on callers of the old and of the new API.
func judge(r *Result, forOld, forNew []effect) {
	for _, e := range forOld {
		if e.State == After {
			r.Breaking = append(r.Breaking, e.Effect)
		}
	}
	r.Breaking = byRoute(r.Breaking)
	r.SafeOrder = orders(forOld)
	r.SafeOrderIfUnused = orders(slices.DeleteFunc(slices.Clone(forOld), func(e effect) bool { return e.spared }))
	r.PreferredOrder = r.SafeOrderIfUnused
	// What is new works at the end of dictionary-first, and after image-first only if the old dictionary does.
	isNew := slices.ContainsFunc(forNew, func(e effect) bool { return e.State == ServerAhead })
	if !isNew {
		return
	}
	switch r.SafeOrderIfUnused {
	case AnyOrder:
		r.PreferredOrder = DictionaryFirst
	case ImageFirst:
		r.Restart = true
	}
}

func byRoute(effects []Effect) []Effect {
	return slices.CompactFunc(effects, func(x, y Effect) bool {
		return x.Path == y.Path && x.Direction == y.Direction && x.Outcome == y.Outcome && x.Witness.Request.Target == y.Witness.Request.Target
	})
}

// orders are those in which no effect is met: one in the mixed state rules out the order that passes it, one at the end
// rules out both.
func orders(effects []effect) Order {
	dictionary, image := true, true
	for _, e := range effects {
		switch e.State {
		case DictionaryAhead:
			dictionary = false
		case ServerAhead:
			image = false
		default:
			dictionary, image = false, false
		}
	}
	switch {
	case dictionary && image:
		return AnyOrder
	case dictionary:
		return DictionaryFirst
	case image:
		return ImageFirst
	}
	return NoOrder
}

// migration gives the releases that reach the new API without harm: add what is new beside what is old, wait for the
// callers, remove.
func migration(r *Result, forOld []effect) []Step {
	if r.SafeOrder != NoOrder {
		return nil
	}
	var add, remove []string
	for _, e := range forOld {
		what := e.route
		if e.Path != "" {
			what = fmt.Sprintf("%s, field %s of the %s", e.route, e.Path, e.Direction)
		}
		switch {
		case e.Outcome == transcode.Shadowed:
			add = append(add, "give the new method another path than "+e.route)
		case e.Outcome == transcode.Unimplemented:
			add = append(add, "let the server register the old names beside the new ones: "+e.route)
		case e.Direction == WholeRoute:
			add = append(add, "keep the old route, as an additional_binding if the method stays: "+what)
		default:
			add = append(add, "add the new form as a field with its own name and number, and keep the old one: "+what)
		}
		remove = append(remove, "remove the old form: "+what)
	}
	slices.Sort(add)
	slices.Sort(remove)
	return []Step{
		{Name: "expand", What: slices.Compact(add), When: "deliver the dictionary first"},
		{Name: "migrate", What: []string{"move the callers to the new form"}, When: "every pod has loaded the dictionary of expand"},
		{Name: "contract", What: slices.Compact(remove), When: "nobody calls the old form any more; keep the numbers reserved"},
	}
}

// limits says what the sets hold that was not compared.
func limits(old, new *side, o Options) []string {
	out := overlaps(old, new)
	for _, s := range []*side{old, new} {
		s.set.Types().RangeFiles(func(f protoreflect.FileDescriptor) bool {
			if f.Path() != "google/protobuf/descriptor.proto" && hasExtensionRange(f.Messages()) {
				out = append(out, fmt.Sprintf("%s has extension ranges: extensions in messages are not compared", f.Path()))
			}
			return true
		})
	}
	for _, key := range o.Config.Unknown {
		out = append(out, fmt.Sprintf("the transcoder's option %s is not known", key))
	}
	if o.Server == transcode.JavaServer {
		out = append(out, "the behaviour of Java servers was read, not run")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overlaps names the new routes whose paths an old one takes so far: whether callers ask it for just those is unknown.
func overlaps(old, new *side) []string {
	var out []string
	for _, key := range sortedRoutes(new) {
		b := new.routes[key]
		if old.routes[key] != nil || old.proxy == nil {
			continue
		}
		path := b.FillPath(func(_ []string, fd protoreflect.FieldDescriptor) (string, bool) { return standIn(fd), true })
		if was, ok := old.proxy.Find(b.Rule.Verb, path); ok && was != b.Path() {
			out = append(out, fmt.Sprintf("%s %s takes requests that %s answers so far", b.Rule.Verb, b.Rule.Template, was))
		}
	}
	return out
}

func hasExtensionRange(messages protoreflect.MessageDescriptors) bool {
	for i := range messages.Len() {
		if md := messages.Get(i); md.ExtensionRanges().Len() > 0 || hasExtensionRange(md.Messages()) {
			return true
		}
	}
	return false
}
