package report

import (
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report/remedies"
	"github.com/syncproof/syncproof/internal/report/routes"
	"github.com/syncproof/syncproof/internal/report/words"
)

// Said is what formats for people say of a finding, as sentences: for formats that have a package of their own. What there
// is nothing to say of is empty. Nothing here is cleaned or escaped.
type Said struct {
	Verdict  string // "RACE OR WORSE"
	Grade    string // "sticky, silent, needs no unusual step"
	Release  string // the release and what it changes
	Parts    string // the commits that it brings
	Routes   string // what heads the routes
	Ways     []Way  // the routes that are drawn
	Heading  string // of the steps
	Orders   []SaidOrder
	Others   SaidOrder // ways to harm beside the headline, where no order is told
	Breaking string
	Already  string
	Evidence []string
	Since    []string
	Whose    []string
	Proof    string
	Safe     string // all that is said of what is safe
	Remedies remedies.Said
}

// Way is a route with its beginning in words.
type Way struct {
	diag.Route
	Files []string // one at least
	By    string   // the unit
	Facts string   // how it takes what Git holds
}

// SaidOrder is an order, and the ways to harm that are left in it.
type SaidOrder struct {
	Sentence string
	One      []words.Way // with one unusual step
	More     int         // ways with more than one
}

// Say tells what is said of a finding.
func Say(f diag.Finding) Said {
	s := Said{
		Verdict: verdictWords(f), Grade: gradeWords(f), Heading: shortestWords(f), Breaking: breakingWords(f), Safe: safeFindingWords(f),
		Remedies: remedies.Say(f.Remedies),
	}
	if f.Release != nil {
		s.Release, s.Parts = releaseWords(f.Release), partWords(f.Release)
	}
	if f.Routes != nil {
		s.routes(f.Routes)
	}
	sentences, openings := ordersWords(f.Orders)
	for i, sentence := range sentences {
		s.Orders = append(s.Orders, sayOrder(sentence, openings[i]))
	}
	if f.Orders == nil && f.Verdict != undecided && f.Verdict != safe {
		s.Others = sayOrder(alsoWords(f), others(f))
	}
	if len(f.AlreadyBroken) > 0 {
		s.Already = alreadyWords(f)
	}
	if f.Proof != nil && f.Verdict != undecided {
		s.Proof = proofWords(f.Proof)
	}
	if f.Story != nil {
		s.story(f.Story)
	}
	return s
}

func (s *Said) routes(r *diag.Routes) {
	ways := routes.Drawn(r)
	s.Routes = routes.Heading(r)
	for _, w := range ways {
		way := Way{Route: w, Files: routes.Files(w), By: routes.Unit(w)}
		if w.Unit != nil {
			way.Facts = routes.Facts(*w.Unit)
		}
		s.Ways = append(s.Ways, way)
	}
}

func (s *Said) story(story *diag.Story) {
	if e := story.Evidence; e != nil && e.Judged > 1 {
		s.Evidence = append(s.Evidence, evidenceWords(e))
		for _, w := range e.Windows {
			s.Evidence = append(s.Evidence, togetherWords(w, e.Fixes))
		}
		for _, fix := range e.Fixes {
			s.Evidence = append(s.Evidence, fixWords(fix))
		}
	}
	s.Since, s.Whose = causeWords(story.Cause), boundaryWords(story)
}

func sayOrder(sentence string, openings []diag.Opening) SaidOrder {
	one, more := words.Ways(openings)
	return SaidOrder{sentence, one, more}
}

// OpeningWords head one way to harm: "{abort}, skew, sticky, visible".
func OpeningWords(o diag.Opening) string {
	needs := "ordinary steps alone"
	if len(o.Needs) > 0 {
		needs = words.Set(o.Needs)
	}
	return strings.Join(nonEmpty(needs, o.Harm, o.Persistence, o.Visibility), ", ")
}

// Place is where something is written.
func Place(l object.Location) string { return place(l) }
