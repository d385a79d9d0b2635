package explain

import (
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// lasts says how long a harm stays, and what Argo CD shows meanwhile.
func lasts(n *names, o proof.Opening, s story) string {
	text := ""
	switch o.Persistence {
	case proof.Sticky:
		text = "stays"
		if n.s.Verdict == proof.Broken && len(o.Set) > 0 {
			text = "begins only then, since pods that run keep what they have, and stays"
		}
		if len(s.after) > 0 {
			text += ", also when " + list(s.after) + ","
		}
		text += " until " + s.until(o)
	case proof.Recurring:
		text = "comes back again and again"
	default:
		text = "ends by itself, at the latest when " + s.heals(o)
	}
	return text + "; " + s.shown(o)
}

// until says what ends a harm that stays.
func (s story) until(o proof.Opening) string {
	switch pair := &s.n.c.Pair; {
	case o.Harm == proof.Absent:
		return "somebody puts it back"
	case o.Harm == proof.Blocked:
		return "somebody acts"
	case pair.Workload == delivery.None:
		return "one of the two changes again"
	case pair.How == delivery.Follows || pair.Inline:
		return "somebody acts"
	case !s.helps(o):
		return "somebody acts: a new pod meets the same"
	case pair.Proxy && pair.Mounted: // [E2.2]
		return "the pod, its proxy or its listener is replaced"
	case pair.Mounted:
		return "the pod is replaced, or its process starts again"
	default:
		return "the pod is replaced"
	}
}

// helps tells whether pods that are made again work: with what the provider and the filter hold at the end.
func (s story) helps(o proof.Opening) bool {
	run, harmed := s.end.run, s.harmed(o)
	here := run.Point()
	defer run.Back(here)
	for _, m := range harmed {
		if !s.anew(m.template) {
			return false
		}
	}
	after := story{n: s.n, end: &scene{State: run.State(), run: run}}
	return !slices.ContainsFunc(after.meetings(), func(m meeting) bool {
		x := s.n.match(m)
		return x.Common == delivery.Fails || x.New == delivery.Fails
	})
}

// anew makes a pod of the pair again, and tells whether there is one that is ready then.
func (s story) anew(t int) bool {
	i := s.n.c.Pair.Workload
	run, work := s.end.run, &s.n.c.Workloads[i]
	if !run.Take(delivery.Event{Deed: delivery.Churned, Object: work.Object, Number: t}) {
		return false
	}
	if now := run.State(); now.Workloads[i].Pods[t].Phase == delivery.Gone { // [D1.3]
		t = work.Template[now.Objects[work.Object].Content]
	}
	run.Take(delivery.Event{Deed: delivery.PodStarted, Object: work.Object, Number: t})
	return run.State().Workloads[i].Pods[t].Phase == delivery.Ready
}

// heals says what has to happen for a harm to end that does not last.
func (s story) heals(o proof.Opening) string {
	var out []string
	for _, c := range s.conditions(o) {
		out = append(out, c.words)
	}
	if len(out) == 0 {
		return "the release has arrived everywhere"
	}
	return list(out)
}

// condition is something that has to happen.
type condition struct {
	words string
	met   func(story) bool
}

// conditions are what has to happen for a harm to end: the units bring what the release holds, and the pods that are harmed
// go, or take over what they follow.
func (s story) conditions(o proof.Opening) []condition {
	var out []condition
	for u := range s.n.c.Units {
		if s.behind(u) {
			words := fmt.Sprintf("%s is in sync with %s", s.n.unit(u), s.n.revision(s.n.c.Last))
			out = append(out, condition{words, func(s story) bool { return !s.behind(u) }})
		}
	}
	for i := range s.n.c.Workloads {
		work := &s.n.c.Workloads[i]
		last := work.Template[s.n.fresh(work.Object, s.n.c.Last)]
		for t := range work.Templates {
			gone := func(s story) bool { return s.end.Workloads[i].Pods[t].Phase == delivery.Gone }
			switch {
			case !s.suffers(o, i, t):
			case t != last:
				out = append(out, condition{"pods of " + s.n.pod(i, t) + " are gone", gone})
			case o.Harm == proof.Skew && s.n.c.Pair.How == delivery.Follows: // [D4.6]
				out = append(out, condition{"the kubelet has brought the change to the pod (about a minute)", func(s story) bool { return !s.suffers(o, i, t) }})
			}
		}
	}
	return out
}

// suffers tells whether pods of a template are what is harmed.
func (s story) suffers(o proof.Opening, i, t int) bool {
	p := s.end.Workloads[i].Pods[t]
	switch o.Harm {
	case proof.Skew:
		return i == s.n.c.Pair.Workload && slices.ContainsFunc(s.harmed(o), func(m meeting) bool { return m.template == t })
	case proof.Absent:
		objects, _ := s.end.run.Missing(i, t)
		return p.Phase != delivery.Gone && len(objects) > 0
	}
	return p.Phase == delivery.Refusing || p.Phase == delivery.Starting && s.end.hangs(i, t)
}

// behind tells whether a unit has not brought everything to the last revision.
func (s story) behind(u int) bool {
	return slices.ContainsFunc(s.end.run.OutOfSync(u, s.n.c.Last), func(o int) bool {
		object := &s.n.c.Objects[o]
		return object.Kind != delivery.Rest && object.Render[u] != nil && object.Render[u][s.n.c.Last] != 0
	})
}

// shown says what Argo CD shows in the harmed state.
func (s story) shown(o proof.Opening) string {
	var units []string
	for u := range s.n.c.Units {
		units = append(units, s.n.unit(u))
	}
	switch {
	case o.Visibility == proof.Silent && len(units) > 3:
		return "meanwhile Argo CD shows everything Synced and Healthy"
	case o.Visibility == proof.Silent:
		return fmt.Sprintf("meanwhile Argo CD shows %s Synced and Healthy", list(units))
	case o.Persistence == proof.Transient:
		return "meanwhile Argo CD shows that something is under way"
	}
	var signs []string
	for u := range s.n.c.Units {
		if len(s.end.run.OutOfSync(u, s.end.Units[u].Seen)) > 0 {
			signs = append(signs, s.n.unit(u)+" OutOfSync")
		}
	}
	for i, w := range s.end.Workloads {
		name := s.n.object(s.n.c.Workloads[i].Object)
		switch {
		case w.Aborted: // [D2.5]
			signs = append(signs, name+" Degraded")
		case slices.ContainsFunc(w.Pods, func(p delivery.PodAt) bool { return p.Phase == delivery.Starting || p.Phase == delivery.Refusing }):
			signs = append(signs, name+" not Healthy")
		}
	}
	if len(signs) == 0 {
		return "meanwhile Argo CD does not show everything Synced and Healthy"
	}
	return "meanwhile Argo CD shows " + list(signs)
}
