package pair

import (
	"slices"
)

// judge derives the orders from the effects on callers of the old and of the new API.
func judge(r *Result, forOld, forNew []*effect) {
	for _, e := range forOld {
		if e.State == After {
			r.Breaking = append(r.Breaking, e.Effect)
		}
	}
	r.Breaking = byRoute(r.Breaking)
	r.SafeOrder = orders(forOld)
	r.SafeOrderIfUnused = orders(slices.DeleteFunc(slices.Clone(forOld), func(e *effect) bool { return e.spared }))
	r.PreferredOrder = r.SafeOrderIfUnused
	// What is new works at the end of dictionary-first, and after image-first only if the old dictionary does.
	isNew := slices.ContainsFunc(forNew, func(e *effect) bool { return e.State == ServerAhead })
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
func orders(effects []*effect) Order {
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
