package compared

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// printer prints a comparison.
type printer struct{ lines.Printer }

// writeText prints a comparison for people: the orders, what was compared, then route by route what callers meet.
func writeText(w io.Writer, d diag.Pair) error {
	p := &printer{}
	for _, s := range orderWords(d) {
		p.sentence(s.name, s.text)
	}
	p.Field("old", sideWords(d.Old))
	p.Field("new", sideWords(d.New))
	p.Field("server", d.Server)
	if len(d.Options) > 0 {
		p.sentence("options", strings.Join(d.Options, "; "))
	}
	p.routes(d)
	p.migration(d.Migration)
	if len(d.Limits) > 0 {
		p.Line("")
		p.Line("LIMITS  what was not decided")
		for _, l := range d.Limits {
			p.Wrapped(2, l)
		}
	}
	_, err := io.WriteString(w, p.Out.String())
	return err
}

// sentence is a field whose value may be longer than a line.
func (p *printer) sentence(name, text string) {
	const column = 12
	var broken []string
	for _, word := range strings.Fields(text) {
		if last := len(broken) - 1; last >= 0 && column+len(broken[last])+1+len(word) <= lines.Width {
			broken[last] += " " + word
			continue
		}
		broken = append(broken, word)
	}
	p.Field(name, broken...)
}

func sideWords(s diag.PairSide) string {
	return fmt.Sprintf("%s  (%s, %s)", s.Name, lines.Counted(len(s.Services), "service"), lines.Counted(s.Methods, "method"))
}

func (p *printer) routes(d diag.Pair) {
	routes := affected(d)
	p.Line("")
	if len(routes) == 0 {
		p.Line("No route is affected.")
		return
	}
	p.Line("ROUTES  %d of %d affected", len(routes), len(d.Routes))
	for _, g := range groups(d) {
		p.group(g)
	}
}

func (p *printer) group(g group) {
	list, left := leading(g.changes, shownChanges)
	for _, c := range list {
		p.change(g, c)
	}
	switch {
	case left > 0 && g.whole:
		p.Line("  and %s that meet the same", lines.Counted(left, "more route"))
	case left > 0:
		p.Line("  and %s that mean the same", lines.Counted(left, "more change"))
	}
	r := g.as()
	for _, state := range pairStates() {
		p.state(state.text, g, metIn(r, state.name))
	}
	p.Wrapped(4, "breaks: "+breakWords(r))
	p.Wrapped(4, "do: "+adviceWords(r))
}

// change names one change and where it is met.
func (p *printer) change(g group, c change) {
	if g.whole {
		p.Line("  %s", routeWords(c.places[0].route))
		if !routine(c.kind) {
			p.Wrapped(4, c.whole())
		}
		return
	}
	p.Wrapped(2, c.title())
	p.Wrapped(4, c.placesWords())
}

// placesWords name the routes on which a field is met.
func (c change) placesWords() string {
	places, left := leading(c.places, shownPlaces)
	var names []string
	for _, at := range places {
		names = append(names, at.words(c.title()))
	}
	text := fmt.Sprintf("in the %s of %s", c.effects[0].Direction, strings.Join(names, ", "))
	if left > 0 {
		text += fmt.Sprintf(" and %s that carry the same message", lines.Counted(left, "more route"))
	}
	return text
}

func routeWords(r diag.PairRoute) string {
	text := fmt.Sprintf("%s %s  %s", r.Verb, r.Template, r.Method)
	switch r.In {
	case newCaller:
		text += "  (new)"
	case oldCaller:
		text += "  (goes)"
	}
	return text
}

func (p *printer) state(name string, g group, effects []met) {
	if len(effects) == 0 {
		return
	}
	p.Line("    %s", name)
	for _, m := range effects {
		p.Wrapped(6, m.words(g))
		if text := m.exampleWords(); text != "" {
			p.Wrapped(10, "such as "+text)
		}
	}
}

func (p *printer) migration(steps []diag.PairStep) {
	if len(steps) == 0 {
		return
	}
	p.Line("")
	p.Line("STEPS  releases that do it without harm")
	for i, s := range steps {
		p.Wrapped(2, fmt.Sprintf("%d %s: %s", i+1, s.Name, s.When))
		what, left := leading(s.What, shownSteps)
		for _, text := range what {
			p.Wrapped(6, text)
		}
		if left > 0 {
			p.Line("      and %d more, all of them in --format json", left)
		}
	}
}
