package stage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// sequence is one way to get there.
type sequence struct {
	what  string // what sets it apart, for whoever reads why it was not taken
	steps []step
}

// step becomes one commit: changes that are made one after the other. A step that changes nothing is there already.
type step struct {
	kind  kind
	title string
	why   string
	wait  []string
	edits []change
}

// kind is what a step is for.
type kind int

const (
	guarding kind = iota
	suspending
	joining // the new unit delivers it from then on
	leaving // the old unit does not any more
	moving  // both in one commit
	retiring
	resuming
	freeing
	relocating
	shedding
	naming
)

const (
	syncOptions = "argocd.argoproj.io/sync-options"
	syncWave    = "argocd.argoproj.io/sync-wave"
	// guard keeps an object that its unit drops [A4.6], and one whose unit goes [C4]. Written as one, it is known again as ours.
	guard     = "Prune=false,Delete=false"
	pruneLast = "PruneLast=true"
)

// guarded is what options are with the guard behind them.
func guarded(options string) string {
	if isGuarded(options) {
		return options
	}
	return strings.TrimPrefix(options+","+guard, ",")
}

func isGuarded(options string) bool { return options == guard || strings.HasSuffix(options, ","+guard) }

// unguarded is what options are without the guard.
func unguarded(options string) string {
	return strings.TrimSuffix(strings.TrimSuffix(options, guard), ",")
}

// unwritable says why a remedy is not planned at all, "" if it is.
func (p *planner) unwritable(r diag.Remedy) string {
	half := p.from.ID != p.to.ID && slices.ContainsFunc(p.to.Objects, p.isProvider)
	switch {
	case !slices.Contains(Written(), r.Name):
		return "no edit of what is delivered makes it: " + r.What
	case !p.situated():
		return p.problem
	case r.Refused != "" && !p.together() && !half:
		return r.Refused
	case r.Name == "multi-source" && before(p.Discover.Config.Controller.ArgoCD, 2, 6):
		return "an Application has several sources since Argo CD 2.6 only"
	case p.to.Kind != unit.Application:
		return p.name(p.to.ID) + " is no Application: what somebody applies by hand has no order that could be kept"
	case !p.together() && (r.Name == "co-locate" || r.Name == "content-named") && len(p.apart()) > 0:
		return strings.Join(p.apart(), ", ") + " of other units need it where it is: each release would have to write a second copy"
	}
	return ""
}

func (p *planner) isProvider(o object.Object) bool { return o.ID == p.ends.Provider }

// apart are other workloads that read the provider and that the consumer's unit does not deliver.
func (p *planner) apart() []string {
	var out []string
	for _, ref := range p.Pair.Newest.Graph.References {
		gone := slices.ContainsFunc(p.Pair.Removed, func(id object.ID) bool { return alike(id, ref.Consumer) })
		if ref.Provider != p.ends.Provider || ref.Consumer == p.ends.Consumer || ref.Consumer.Kind == "EnvoyFilter" || gone ||
			slices.Contains(ref.ConsumerUnits, p.to.ID) || slices.Contains(out, ref.Consumer.String()) {
			continue
		}
		out = append(out, ref.Consumer.String())
	}
	return out
}

// alike compares identities without their clusters.
func alike(a, b object.ID) bool {
	return a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name
}

// unfinished tells whether a move was begun here and not ended: the mark that guards it is still there.
func (p *planner) unfinished() bool {
	return slices.ContainsFunc(p.to.Objects, func(o object.Object) bool { return isGuarded(o.Annotations()[syncOptions]) })
}

// sequences are the ways of a remedy, the shortest first.
func (p *planner) sequences(name string) []sequence {
	switch name {
	case "multi-source":
		return p.joined(p.free(everything, "", false))
	case "own-wave":
		if p.joinable() {
			return p.joined(p.free(everything, p.wave(), false))
		}
		return p.moved(onlyProvider, p.free(onlyProvider, p.wave(), false))
	case "co-locate":
		return p.moved(onlyProvider, p.free(onlyProvider, "", false))
	case "merge-units":
		return p.moved(everything, p.free(everything, "", false))
	}
	return p.named()
}

// joinable tells whether the provider's unit can become a source of the consumer's.
func (p *planner) joinable() bool {
	old := before(p.Discover.Config.Controller.ArgoCD, 2, 6) // one source is all that it knows
	return p.together() || !old && !slices.ContainsFunc(p.Remedies, func(r diag.Remedy) bool { return r.Name == "multi-source" && r.Refused != "" })
}

const (
	atOnce = "at once, without a guard"
	inOne  = "guarded, in one commit"
)

// waiting is what the longest way is called.
func (p *planner) waiting() string {
	return "guarded, " + p.name(p.from.ID) + " not synced by itself meanwhile"
}

// joined are the ways to a second source.
func (p *planner) joined(last step) []sequence {
	if p.together() {
		return []sequence{{"", []step{last}}}
	}
	var out []sequence
	if p.prunes(p.from.ID) { // else two units would deliver one object until somebody deletes the old one
		out = []sequence{{atOnce, []step{p.join(), last}}, {inOne, []step{p.guard(everything), p.join(), last}}}
	}
	return append(out, sequence{p.waiting(), []step{p.guard(everything), p.suspend(), p.add(), p.retire(false), last}})
}

// moved are the ways to other files.
func (p *planner) moved(of chosen, last step) []sequence {
	if p.together() {
		return []sequence{{"", append(p.sweep(), last)}}
	}
	end := []step{last}
	empties := len(p.from.Objects) <= len(of(p.place))
	if empties {
		end = []step{p.retire(true), last}
	}
	apart := []step{p.guard(of), p.suspend(), p.adopt(of), p.drop(of)}
	if !empties {
		apart = append(apart, p.resume())
	}
	return []sequence{
		{atOnce, append([]step{p.move(of)}, end...)},
		{inOne, append([]step{p.guard(of), p.move(of)}, end...)},
		{p.waiting(), append(apart, end...)},
	}
}

// named are the ways to a name that tells the content, from one unit and files that one tool renders.
func (p *planner) named() []sequence {
	if p.together() {
		begin := p.sweep()
		with := func(steps ...step) []step { return append(slices.Clone(begin), steps...) }
		out := []sequence{
			{"named without waiting", with(p.free(onlyProvider, "", false), p.contentName())},
			{"to be pruned last, then named", with(p.free(onlyProvider, "", true), p.contentName())},
		}
		if p.severed() {
			out = append(out, sequence{"into the source of the consumer first", with(p.relocate(), p.free(onlyProvider, "", true), p.shed(), p.contentName())})
		}
		return out
	}
	var out []sequence
	for _, last := range []bool{false, true} {
		for _, before := range p.moved(onlyProvider, p.free(onlyProvider, "", last)) {
			what := before.what + map[bool]string{true: "; to be pruned last, then named", false: "; named without waiting"}[last]
			out = append(out, sequence{what, append(before.steps, p.contentName())})
		}
	}
	return out
}

// wave is the wave before the consumer's.
func (p *planner) wave() string {
	o, _ := p.Pair.Newest.Object(p.ends.Consumer)
	n, err := strconv.Atoi(strings.TrimSpace(o.Annotations()[syncWave]))
	if err != nil {
		n = 0
	}
	return strconv.Itoa(n - 1)
}

// prunes tells whether what delivers a unit's Application takes it away by itself when it is dropped.
func (p *planner) prunes(id unit.ID) bool {
	i := slices.IndexFunc(p.Pair.Newest.Units, func(u discover.Delivered) bool { return u.ID == id })
	if i < 0 {
		return false
	}
	parent := p.Pair.Newest.Units[i].Parent
	j := slices.IndexFunc(p.Pair.Newest.Units, func(u discover.Delivered) bool { return u.ID == parent })
	return j >= 0 && p.Pair.Newest.Units[j].Policy.Automated && p.Pair.Newest.Units[j].Policy.Prune
}
