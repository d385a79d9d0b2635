package protection

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// optionsNote is the annotation with sync options of one object.
const optionsNote = "argocd.argoproj.io/sync-options"

// acting are sync options that change what an operation does when, within its unit: [A4.3], [A6.5], [A6.3].
var acting = []string{"PruneLast", "SkipDryRunOnMissingResource", "ApplyOutOfSyncOnly"}

// options: what repeats, delays or leaves out a part of an operation does so in operations of one unit. So do self-heal [A5.6]
// and retries [A5.4].
func (p *pair) options() []diag.Protection {
	var found []string
	at := object.Location{}
	by := map[string][]unit.ID{}
	note := func(what string, id unit.ID) {
		if !slices.Contains(found, what) {
			found = append(found, what)
		}
		if !slices.Contains(by[what], id) {
			by[what] = append(by[what], id)
		}
		if at.File == "" {
			at = p.units[id].Origin
		}
	}
	for _, side := range []struct {
		units []unit.ID
		end   object.Object
	}{{p.in.Provider.Units, p.provider}, {p.in.Consumer.Units, p.consumer}} {
		for _, id := range side.units {
			u := p.units[id]
			if u == nil || u.Kind != unit.Application {
				continue
			}
			set := append(slices.Clone(u.Policy.SyncOptions), strings.Split(side.end.Annotations()[optionsNote], ",")...)
			for _, o := range acting {
				if slices.ContainsFunc(set, func(s string) bool { return strings.TrimSpace(s) == o+"=true" }) {
					note(o, id)
				}
			}
			if u.Policy.Automated && u.Policy.SelfHeal {
				note("self-heal", id)
			}
			if p.retries(id) {
				note("retry", id)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for i, what := range found {
		found[i] = fmt.Sprintf("%s of %s", what, p.name(by[what]))
	}
	return one(SyncOptions, enumerate(found), "each acts inside one unit, and what it repeats, heals or delays there waits for nothing of another one", at)
}

// retries tells whether a unit's Application asks for retries.
func (p *pair) retries(id unit.ID) bool {
	o, generated, ok := p.application(id)
	if !ok {
		return false
	}
	spec := object.Map(o.Fields, "spec")
	if generated {
		spec = object.Map(spec, "template", "spec")
	}
	return object.Map(spec, "syncPolicy", "retry") != nil
}

// windows: they hold back a unit, and bring no order between two [A6.6].
func (p *pair) windows() []diag.Protection {
	consumer, at := p.windowsOf(p.in.Consumer.Units)
	provider, other := p.windowsOf(p.in.Provider.Units)
	consumers, providers := p.name(p.in.Consumer.Units), p.name(p.in.Provider.Units)
	if at.File == "" {
		at = other
	}
	switch {
	case len(consumer)+len(provider) == 0:
		return nil
	case slices.Equal(consumer, provider):
		return one(SyncWindows, "sync windows of "+enumerate(projects(consumer)),
			fmt.Sprintf("they hold %s and %s back, and order nothing: when they open, each goes by its own clock", providers, consumers), at)
	case len(provider) == 0:
		consumers, providers = providers, consumers
		fallthrough
	case len(consumer) == 0:
		return one(SyncWindows, "sync windows of "+enumerate(projects(append(consumer, provider...))),
			fmt.Sprintf("they hold %s back and not %s: the time in which only one of the two is new gets longer", providers, consumers), at)
	}
	return one(SyncWindows, "sync windows of "+enumerate(projects(append(consumer, provider...))),
		fmt.Sprintf("they hold %s and %s back at different times: the time in which only one of the two is new gets longer", providers, consumers), at)
}

// projects are the names in front of windows, each once.
func projects(windows []string) []string {
	var out []string
	for _, w := range windows {
		name, _, _ := strings.Cut(w, "#")
		out = append(out, "AppProject "+name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// windowsOf are the windows of their projects that mean one of the units, as "project#number".
func (p *pair) windowsOf(ids []unit.ID) (out []string, at object.Location) {
	for _, id := range ids {
		u := p.units[id]
		if u == nil {
			continue
		}
		project, ok := p.project(u.Project)
		if !ok {
			continue
		}
		for i, w := range object.List(project.Fields, "spec", "syncWindows") {
			name := fmt.Sprintf("%s#%d", project.ID.Name, i)
			if means(w, "applications", u.ID.Name) || means(w, "namespaces", u.Destination.Namespace) || means(w, "clusters", u.Destination.Cluster) {
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
				at = project.Origin
			}
		}
	}
	return out, at
}

func (p *pair) project(name string) (object.Object, bool) {
	for _, u := range p.in.Snapshot.Units {
		for _, o := range u.Objects {
			if o.ID.Group == "argoproj.io" && o.ID.Kind == "AppProject" && o.ID.Name == name {
				return o, true
			}
		}
	}
	return object.Object{}, false
}

// means tells whether a list of a window has a pattern that fits. A star takes any characters.
func means(window any, list, value string) bool {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", ":") }
	return slices.ContainsFunc(object.List(window, list), func(e any) bool {
		pattern, _ := e.(string)
		fits, err := path.Match(flat(pattern), flat(value))
		return pattern != "" && err == nil && fits
	})
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
