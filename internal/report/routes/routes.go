// Package routes draws the ways that a release takes to what runs, in lines of text.
//
// In goes a diag.Routes, out come words and lines. It refuses to print: what it gives is neither cleaned nor escaped, since each
// format does so in its own way.
package routes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// Drawn are the routes that are worth a line: those of the two ends, and of a filter that changes.
func Drawn(r *diag.Routes) []diag.Route {
	if r == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Ways), func(w diag.Route) bool { return w.End == "filter" && !w.Changed })
}

// Heading is what heads the routes.
func Heading(r *diag.Routes) string {
	verb := "reaches"
	if len(r.Commits) > 1 {
		verb = "reach"
	}
	text := strings.Join(r.Commits, " and ")
	switch {
	case text == "" || r.Units == 0:
		return text
	case r.Units == 1:
		return text + " " + verb + " the cluster through one unit"
	}
	return fmt.Sprintf("%s %s the cluster through %d units", text, verb, r.Units)
}

// Stages are those of a route between its files and what runs.
func Stages(w diag.Route) []string { return []string{Unit(w), w.Object} }

func stops(w diag.Route) string { return strings.Join(w.Stops, " -> ") }

// Files are what a route begins with, one entry at least.
func Files(w diag.Route) []string {
	switch {
	case !w.Changed:
		return []string{"(not changed)"}
	case len(w.Paths) == 0 && w.Unit != nil && w.Unit.Source != "":
		return []string{w.Unit.Source}
	case len(w.Paths) == 0:
		return []string{"(files not known)"}
	case w.More > 0:
		return append(slices.Clone(w.Paths), fmt.Sprintf("and %d more", w.More))
	}
	return w.Paths
}

// Unit names who delivers a route.
func Unit(w diag.Route) string {
	switch {
	case w.Unit == nil:
		return "(no rendered unit)"
	case w.Before != "":
		return w.Unit.Name + ", before " + w.Before
	}
	return w.Unit.Name
}

// AllFacts say how the units of routes take what Git holds, once for all that do it alike.
func AllFacts(ways []diag.Route) []string {
	var names, order []string
	by := map[string][]string{}
	for _, w := range ways {
		if w.Unit == nil || slices.Contains(names, w.Unit.Name) {
			continue
		}
		names = append(names, w.Unit.Name)
		facts := Facts(*w.Unit)
		if by[facts] == nil {
			order = append(order, facts)
		}
		by[facts] = append(by[facts], w.Unit.Name)
	}
	for i, facts := range order {
		order[i] = strings.Join(by[facts], " and ") + ": " + facts
	}
	return order
}

// Facts say how a unit takes what Git holds: "automated, prune, self-heal, polls main".
func Facts(u diag.RouteUnit) string {
	if u.Kind == "bootstrap" {
		return "applied by hand"
	}
	var facts []string
	if u.Spec != "" {
		facts = append(facts, "as "+u.Spec+" says")
	}
	revision := cmp.Or(u.Revision, "HEAD")
	switch {
	case !u.Automated:
		return strings.Join(append(facts, "synced by hand", "follows "+revision), ", ")
	case u.Trigger == "webhook":
		revision = "a webhook tells it of " + revision
	default:
		revision = "polls " + revision
	}
	facts = append(facts, "automated")
	if u.Prune {
		facts = append(facts, "prune")
	}
	if u.SelfHeal {
		facts = append(facts, "self-heal")
	}
	return strings.Join(append(facts, revision), ", ")
}
