package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// what is what moves, in a title.
func (p *planner) what(of chosen) string {
	if list := of(p.place); len(list) == 1 {
		return list[0].Name
	}
	return "what it delivers"
}

// kubectl shows a live object.
func kubectl(id object.ID) string {
	kind := strings.ToLower(id.Kind)
	if id.Group != "" {
		kind += "." + id.Group
	}
	if id.Namespace == "" {
		return fmt.Sprintf("kubectl get %s %s -o yaml", kind, id.Name)
	}
	return fmt.Sprintf("kubectl get %s -n %s %s -o yaml", kind, id.Namespace, id.Name)
}

func (p *planner) guardWhy() string {
	return fmt.Sprintf("Changes nothing by itself: the mark has to be on the live object before %s stops to deliver it. An option that comes with the commit that drops the object comes too late.", p.name(p.from.ID))
}

func (p *planner) guardWait(of chosen) []string {
	out := []string{p.synced(p.name(p.from.ID))}
	if list := of(p.place); len(list) == 1 {
		return append(out, "the live object has the annotation: "+kubectl(list[0]))
	}
	return append(out, "the live objects have the annotation, such as: "+kubectl(p.ends.Provider))
}

func (p *planner) synced(name string) string { return name + " is Synced at this commit" }

// adopted is what has to be so for the new unit to have what moved. With a label of Argo CD's own on it the object reads Synced
// before it is adopted [C3].
func (p *planner) adopted() string {
	text := p.synced(p.name(p.to.ID))
	labelled := func(o object.Object) bool { return o.Labels()["app.kubernetes.io/instance"] != "" }
	if before(p.Discover.Config.Controller.ArgoCD, 3, 5) && slices.ContainsFunc(p.from.Objects, labelled) {
		text += "; before Argo CD 3.4.6 sync it in full by hand: what has the label app.kubernetes.io/instance reads Synced without being adopted"
	}
	return text
}

// parent is the unit that delivers an Application.
func (p *planner) parent() string {
	if name := p.name(p.to.Parent); name != "" {
		return name
	}
	return "what delivers the Applications"
}

func (p *planner) joinWhy() string {
	return fmt.Sprintf("%s gets the source of %s as one more of its own, so that one operation delivers both; no file moves, and whoever writes them goes on. "+
		"The Application %s goes in the same commit, so that no two units deliver one object. What it delivered says Delete=false, and stays.",
		p.name(p.to.ID), p.name(p.from.ID), p.name(p.from.ID))
}

func (p *planner) joinWait() []string {
	out := []string{p.synced(p.parent()), p.adopted()}
	if !p.prunes(p.from.ID) {
		out = append(out, fmt.Sprintf("%s prunes nothing by itself: delete the Application %s by hand", p.parent(), p.name(p.from.ID)))
	}
	return append(out, fmt.Sprintf("the Application %s is gone, and the tracking id of the live object begins with %q: %s", p.name(p.from.ID), p.to.ID.Name+":", kubectl(p.ends.Provider)))
}

func (p *planner) addWhy() string {
	return fmt.Sprintf("%s gets the source of %s as one more of its own, and adopts what that renders: the same objects, byte for byte.", p.name(p.to.ID), p.name(p.from.ID))
}

func (p *planner) adoptWait() []string {
	return []string{p.adopted(), fmt.Sprintf("the tracking id of the live object begins with %q: %s", p.to.ID.Name+":", kubectl(p.ends.Provider))}
}

func (p *planner) retireWhy(empty bool) string {
	if empty {
		return "It has nothing to deliver any more. Should something still carry its tracking id, that says Delete=false, and stays."
	}
	return fmt.Sprintf("What it delivered is delivered by %s and says Delete=false, so that it stays.", p.name(p.to.ID))
}

func (p *planner) retireWait(old unit.ID) []string {
	out := []string{p.synced(p.parent())}
	if !p.prunes(old) {
		out = append(out, fmt.Sprintf("%s prunes nothing by itself: delete the Application %s by hand", p.parent(), p.name(old)))
	}
	return append(out, fmt.Sprintf("the Application %s is gone", p.name(old)))
}

func (p *planner) suspendWhy() string {
	return "For a while two units deliver one object. With self-heal on both, each would take it back from the other."
}

func (p *planner) suspendWait() []string {
	return []string{p.synced(p.parent()), p.name(p.from.ID) + " shows no automated sync"}
}

func (p *planner) resumeWhy() string { return "What moved is no matter of it any more." }

func (p *planner) resumeWait() []string { return []string{p.synced(p.parent())} }

func (p *planner) moveWhy() string {
	return fmt.Sprintf("%s delivers the same object, byte for byte, from files of its own; %s stops in the same commit, so that no two units deliver it. "+
		"Whoever comes first, the mark on the live object keeps it.", p.name(p.to.ID), p.name(p.from.ID))
}

func (p *planner) adoptWhy() string {
	return fmt.Sprintf("It renders what %s renders, byte for byte, so that nothing changes in the cluster but whose object it is.", p.name(p.from.ID))
}

func (p *planner) dropWhy() string {
	return fmt.Sprintf("The live object carries the tracking id of %s by now, and may not be pruned.", p.name(p.to.ID))
}

func (p *planner) dropWait() []string {
	return []string{fmt.Sprintf("%s is Synced at this commit: sync it by hand, without pruning", p.name(p.from.ID))}
}

func (p *planner) freeTitle(of chosen, wave string, last bool) string {
	name, n := "what moved", len(of(p.place))
	if p.together() {
		n = 0
		for _, o := range p.to.Objects {
			if isGuarded(o.Annotations()[syncOptions]) {
				n++
			}
		}
	}
	if n < 2 || wave != "" || last {
		name = p.ends.Provider.Name
	}
	switch {
	case wave != "":
		return name + " one wave ahead of " + p.ends.Consumer.Kind + " " + p.ends.Consumer.Name
	case last:
		return name + " is pruned last"
	}
	return name + " may be pruned again"
}

func (p *planner) freeWhy(wave string, last bool) string {
	var out []string
	if wave != "" {
		out = append(out, fmt.Sprintf("An operation waits for the end of a wave: if %s is refused, %s stays as it is.", p.ends.Provider, p.ends.Consumer))
	}
	if last {
		out = append(out, "Whether an object is pruned last is asked of the live one: when its name changes, old pods still need the old one.")
	}
	if !p.together() || p.unfinished() {
		out = append(out, "The mark of the move goes: nobody else delivers it any more, and a mark that is left behind would keep it alive when it is dropped one day.")
	}
	return strings.Join(out, " ")
}

func (p *planner) freeWait(last bool) []string {
	out := []string{p.synced(p.name(p.to.ID))}
	if last {
		out = append(out, "the live object has the annotation: "+kubectl(p.ends.Provider))
	}
	return out
}

func (p *planner) relocateWhy() string {
	return fmt.Sprintf("One unit renders it before and after, to the same bytes: nothing changes in the cluster. What renders %s can then name it by its content.", p.ends.Consumer)
}

func (p *planner) shedWhy() string {
	return "Not in the commit before: an Application that is without the source ahead of its files would drop the object."
}

func (p *planner) nameWhy() string {
	return fmt.Sprintf("Each content has a name of its own, and the template of %s names it: pods of a release read what belongs to it, whenever they start.", p.ends.Consumer)
}

func (p *planner) nameWait() []string {
	return []string{p.synced(p.name(p.to.ID)), "all pods of " + p.ends.Consumer.String() + " are of its template"}
}

// writer is what writes the provider at a release.
func (p *planner) writer() string {
	for _, side := range p.Pair.Sides {
		for _, w := range side.Automation {
			if side.End == "provider" && w.By != "" {
				return w.By
			}
		}
	}
	return "whoever releases"
}

// rewiring says what others have to change.
func (p *planner) rewiring(x *run) []string {
	var out []string
	for _, m := range p.movedFiles(x) {
		at := ""
		for _, side := range p.Pair.Sides {
			for _, w := range side.Automation {
				if w.Path == m.from && w.At.File != "" {
					at = fmt.Sprintf(" (%s:%d)", w.At.File, w.At.Line)
				}
			}
		}
		out = append(out, fmt.Sprintf("%s%s writes %s: let it write %s instead, with the stage that moves it", p.writer(), at, m.from, m.to))
	}
	return out
}

// alreadyOne says that nothing races any more.
func (p *planner) alreadyOne() string {
	return fmt.Sprintf("%s delivers both already: no order of ordinary steps can part them. What is left needs unusual steps; --remedy own-wave or content-named closes more of it", p.name(p.to.ID))
}
