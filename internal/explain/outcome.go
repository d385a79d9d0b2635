package explain

import (
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/proof"
)

// meeting is a version of the consumer together with what it holds of the provider and of the filter.
type meeting struct {
	template int // of the pair's workload; None for a consumer that is an object
	consumer int
	provider int // object
	held     delivery.Content
	filter   delivery.Content
}

// meetings are the combinations that serve callers now.
func (s story) meetings() []meeting {
	pair := &s.n.c.Pair
	if pair.Workload == delivery.None {
		consumer, held := s.end.Objects[pair.Consumer].Content, delivery.Content(0)
		if pair.Provider != delivery.None && exists(s.end.Objects[pair.Provider].Content) {
			held = s.end.Objects[pair.Provider].Content
		}
		if !exists(consumer) {
			return nil
		}
		return []meeting{{template: delivery.None, consumer: int(consumer), provider: pair.Provider, held: held}}
	}
	var out []meeting
	for t, p := range s.end.Workloads[pair.Workload].Pods {
		if template := &s.n.c.Workloads[pair.Workload].Templates[t]; p.Serves {
			out = append(out, meeting{t, template.Image, template.Provider, p.Loaded, p.List})
		}
	}
	return out
}

func (n *names) match(m meeting) delivery.Outcome {
	return n.c.Pair.Match(m.consumer, m.held, m.filter)
}

// harmed are the meetings that are the harm of an opening.
func (s story) harmed(o proof.Opening) []meeting {
	bad := func(t delivery.Truth) bool { return t == delivery.Fails || o.Maybe && t == delivery.Unknown }
	return slices.DeleteFunc(s.meetings(), func(m meeting) bool {
		x := s.n.match(m)
		return !bad(x.Common) && (o.Persistence == proof.Transient || !bad(x.New))
	})
}

// words name a meeting: "v1.9.0 with api-descriptor @ v1.8.0".
func (n *names) words(m meeting) string {
	who := ""
	if m.template != delivery.None {
		who = n.pod(n.c.Pair.Workload, m.template)
	} else {
		who = n.at(n.c.Pair.Consumer, delivery.Content(m.consumer))
	}
	with := ""
	switch {
	case n.c.Pair.Inline:
		with = n.at(n.c.Pair.Filter, m.filter)
	case m.provider == delivery.None:
		return who
	default:
		with = n.at(m.provider, m.held)
	}
	if f := n.c.Pair.Filter; f != delivery.None && !n.c.Pair.Inline && n.varies(f) {
		with += " and " + n.at(f, m.filter)
	}
	return who + " with " + with
}

// unknown are the matches that the opening hangs on.
func (s story) unknown() []string {
	var out []string
	for _, m := range s.meetings() {
		if x := s.n.match(m); x.Common == delivery.Unknown || x.New == delivery.Unknown {
			out = append(out, "whether "+s.n.words(m)+" works")
		}
	}
	return out
}

// unknownFresh are the matches that are not known when all is fresh at r0 or at rk.
func (n *names) unknownFresh() []string {
	var out []string
	pair := &n.c.Pair
	if pair.Match == nil || pair.Workload >= len(n.c.Workloads) {
		return nil
	}
	for _, rev := range []int{0, n.c.Last} {
		content := n.fresh(pair.Consumer, rev)
		if content == 0 {
			continue
		}
		m := meeting{template: delivery.None, consumer: int(content), provider: pair.Provider, filter: n.fresh(pair.Filter, rev)}
		if pair.Workload != delivery.None {
			work := &n.c.Workloads[pair.Workload]
			m.template = work.Template[content]
			m.consumer, m.provider = work.Templates[m.template].Image, work.Templates[m.template].Provider
		}
		m.held = n.fresh(m.provider, rev)
		if pair.Inline {
			m.held = m.filter
		}
		if x := n.match(m); x.Common == delivery.Unknown || x.New == delivery.Unknown {
			out = append(out, "whether "+n.words(m)+" works")
		}
	}
	return out
}

// outcome is what callers meet, or what hangs.
func (s story) outcome(o proof.Opening) []diag.Call {
	switch o.Harm {
	case proof.Absent:
		return s.absent()
	case proof.Blocked:
		return s.blocked()
	}
	var out []diag.Call
	for _, m := range s.harmed(o) {
		for _, c := range s.n.calls(m) {
			if call := (diag.Call{What: c.What, Meets: c.Meets, New: !c.Common}); (c.Common || o.Persistence != proof.Transient) &&
				!slices.Contains(out, call) {
				out = append(out, call)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range s.harmed(o) {
		works := " does not work"
		if x := s.n.match(m); x.Common != delivery.Fails && x.New != delivery.Fails {
			works = " may not work"
		}
		out = append(out, diag.Call{What: s.n.words(m) + works})
	}
	return out
}

// calls are the calls that fail in a meeting.
func (n *names) calls(m meeting) []match.Call {
	if n.s.Means == nil {
		return nil
	}
	return n.s.Means(m.consumer, m.held, m.filter).Calls
}

// absent are the needed objects that were deleted.
func (s story) absent() []diag.Call {
	var out []diag.Call
	for o, at := range s.end.Objects {
		if at.Content != delivery.Deleted {
			continue
		}
		readers := s.readers(o)
		switch {
		case len(readers) > 0:
			out = append(out, diag.Call{What: fmt.Sprintf("%s is deleted while pods of %s read it: those that start now hang", s.n.object(o), list(readers))})
		case s.n.c.Objects[o].Needed:
			out = append(out, diag.Call{What: s.n.object(o) + " is deleted although it is needed"})
		}
	}
	return out
}

// readers are the pods, running or wanted, that need an object to start.
func (s story) readers(o int) []string {
	var out []string
	for i := range s.n.c.Workloads {
		for t, template := range s.n.c.Workloads[i].Templates {
			reads := slices.ContainsFunc(template.Reads, func(r delivery.Read) bool { return r.Object == o && !r.Optional })
			if reads && s.end.Workloads[i].Pods[t].Phase != delivery.Gone {
				out = append(out, fmt.Sprintf("%s (%s)", s.n.object(s.n.c.Workloads[i].Object), s.n.pod(i, t)))
			}
		}
	}
	return out
}

// blocked are the pods that hang, and the objects that are refused.
func (s story) blocked() []diag.Call {
	var out []diag.Call
	for i := range s.n.c.Workloads {
		for t, p := range s.end.Workloads[i].Pods {
			who := fmt.Sprintf("new pods of %s (%s) ", s.n.object(s.n.c.Workloads[i].Object), s.n.pod(i, t))
			switch missing, inside := s.end.run.Missing(i, t); {
			case p.Phase == delivery.Refusing:
				out = append(out, diag.Call{What: who + fmt.Sprintf("do not become ready: the proxy refuses %s, since its file is %s",
					s.n.at(s.n.c.Pair.Filter, s.end.Filter), s.n.at(s.n.read(i, t), p.File))})
			case p.Phase == delivery.Starting && len(missing) > 0:
				out = append(out, diag.Call{What: who + "do not start: " + s.n.object(missing[0]) + " is not there"})
			case p.Phase == delivery.Starting && inside:
				provider := s.n.read(i, t)
				out = append(out, diag.Call{What: who + fmt.Sprintf("do not start: %s %s lacks something that they name",
					s.n.object(provider), s.n.version(provider, s.end.Objects[provider].Content))})
			}
		}
	}
	for u, turned := range s.end.turned {
		for _, o := range turned {
			out = append(out, diag.Call{What: fmt.Sprintf("the API server refuses %s of %s", s.n.object(o), s.n.unit(u))})
		}
	}
	return out
}

// calls are calls of a match for a finding.
func calls(in []match.Call) []diag.Call {
	var out []diag.Call
	for _, c := range in {
		out = append(out, diag.Call{What: c.What, Meets: c.Meets, New: !c.Common})
	}
	return out
}
