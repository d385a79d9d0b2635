package html

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// view is what the page shows.
type view struct {
	Policy   string
	Style    template.CSS
	Title    string
	Head     diag.Head
	Revision string
	Findings []finding
	Safe     []finding
	Gaps     []gap // of the report, beside those of its findings
}

// finding is one finding and what is drawn of it.
type finding struct {
	diag.Finding
	Said     report.Said
	Anchor   string
	Lead     string // the message as a sentence begins
	Colour   string
	Routes   []drawing
	Trace    []drawing
	Strip    []drawing
	Outcome  []words.Group
	Breaking []words.Group
	Already  []words.Group
	Orders   []order
	Counts   []count
	Message  []string // paragraphs of the commit since which it is so
	Gaps     []gap
	Changes  []change
	Sides    []side
}

// Rests tells whether there is something to say of what the finding rests on.
func (f finding) Rests() bool {
	return len(f.Assumes)+len(f.Unknown)+len(f.Gaps) > 0 || f.Close != "" || f.Said.Proof != "" || f.Story != nil && len(f.Story.Limits) > 0
}

// order is one order, with every way to harm that is left in it.
type order struct {
	Name     string
	Sentence string
	One      []words.Way
	More     int
	Ways     []way
}

// way is one way to harm, step by step.
type way struct {
	Words string
	Steps []diag.Step
}

type count struct {
	Verdict string
	Colour  string
	N       int
}

type gap struct{ Where, Unit, Message, Close string }

type change struct{ Unit, Place, What string }

// side is whose files an end is written in.
type side struct {
	End, Unit, Owner, Writers, Whose string
	Paths                            []string
}

func viewOf(r diag.Report) view {
	v := view{Title: "syncproof", Head: r.Head, Revision: fmt.Sprintf("%.12s", r.Head.Revision)}
	if len(r.Findings) == 1 {
		f := r.Findings[0]
		v.Title = fmt.Sprintf("%s %s: %s", f.Verdict, f.ID, f.Title)
	}
	told := map[string]bool{}
	for i, f := range r.Findings {
		one := findingOf(f, fmt.Sprintf("f%d", i+1))
		if told[f.Title] {
			one.Story = nil // findings of one pair share it
		}
		told[f.Title] = true
		if f.Verdict == "safe" {
			v.Safe = append(v.Safe, one)
		} else {
			v.Findings = append(v.Findings, one)
		}
	}
	v.Gaps = gapsOf(r.Gaps)
	if len(r.Findings) == 1 {
		v.Gaps = nil // those of the finding
	}
	return v
}

func findingOf(f diag.Finding, anchor string) finding {
	s := report.Say(f)
	out := finding{
		Finding: f, Said: s, Anchor: anchor, Lead: begun(f.Message), Colour: colour(f.Verdict),
		Routes: drawRoutes(anchor+"-routes", f.Routes, s), Trace: drawTrace(anchor+"-trace", f, s), Strip: drawStrip(anchor+"-strip", f),
		Outcome: groups(f.Outcome), Breaking: groups(f.Breaks), Already: groups(f.AlreadyBroken),
		Gaps: gapsOf(f.Gaps),
	}
	out.Orders = ordersOf(f, s)
	for _, c := range f.Changes {
		out.Changes = append(out.Changes, change{c.Unit, report.Place(c.At), c.What})
	}
	if f.Story != nil {
		out.story(f.Story)
	}
	return out
}

func (f *finding) story(s *diag.Story) {
	if e := s.Evidence; e != nil {
		for _, v := range diag.Verdicts() {
			if e.By[v] > 0 {
				f.Counts = append(f.Counts, count{v, colour(v), e.By[v]})
			}
		}
	}
	if s.Cause != nil && s.Cause.Since != nil {
		f.Message = paragraphs(s.Cause.Message)
	}
	for _, x := range s.Sides {
		f.Sides = append(f.Sides, sideOf(x))
	}
}

// sideOf tells whose an end is. What only may write a file is told as such.
func sideOf(x diag.Side) side {
	out := side{End: x.End, Unit: x.Unit, Paths: x.Paths, Owner: x.Owner, Whose: x.Whose}
	writers := slices.Clone(x.Writers)
	for _, w := range x.Automation {
		text := w.By
		if !w.Sure {
			text += " (it may)"
		}
		writers = append(writers, text)
	}
	out.Writers = strings.Join(writers, ", ")
	if out.Owner == "" {
		var owners []string
		for _, o := range x.Owners {
			if o.By != "" && !slices.Contains(owners, o.By) {
				owners = append(owners, o.By)
			}
		}
		out.Owner = strings.Join(owners, ", ")
	}
	return out
}

// ordersOf are the orders: what is said of each, and every way to harm in it. Without orders the ways of the finding are told.
func ordersOf(f diag.Finding, s report.Said) []order {
	if f.Orders == nil {
		if len(f.Openings) == 0 || f.Verdict == "safe" {
			return nil
		}
		o := order{Name: "In any order", One: s.Others.One, More: s.Others.More, Ways: waysOf(f.Openings)}
		if len(o.One) > 0 {
			o.Sentence = s.Others.Sentence
		}
		return []order{o}
	}
	var out []order
	for _, x := range []struct {
		name string
		of   diag.Order
	}{{"Provider first", f.Orders.ProviderFirst}, {"Consumer first", f.Orders.ConsumerFirst}} {
		o := order{Name: x.name, Sentence: x.of.Sentence, Ways: waysOf(x.of.Openings)}
		for _, said := range s.Orders {
			if said.Sentence == x.of.Sentence {
				o.One, o.More = said.One, said.More
			}
		}
		out = append(out, o)
	}
	return out
}

func waysOf(openings []diag.Opening) []way {
	var out []way
	for _, o := range openings {
		if len(o.Steps) > 0 {
			out = append(out, way{report.OpeningWords(o), o.Steps})
		}
	}
	return out
}

func gapsOf(gaps []diag.Gap) []gap {
	var out []gap
	for _, g := range gaps {
		out = append(out, gap{report.Place(g.At), g.Unit, g.Message, g.Close})
	}
	return out
}

// groups put all calls together that meet the same.
func groups(list []diag.Call) []words.Group {
	out, _ := words.Groups(list, len(list))
	return out
}

// paragraphs are what a message parts by empty lines.
func paragraphs(s string) []string {
	var out []string
	for _, p := range strings.Split(s, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// begun is a sentence with a capital, if it begins with a word: what begins with a name or an id stays.
func begun(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if len(word) < 2 || len(word) > 5 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// day is the date of a time, as it was written.
func day(date string) string { return fmt.Sprintf("%.10s", date) }

// parts are a path in the parts between which it may be broken.
func parts(path string) []string { return strings.SplitAfter(path, "/") }

func counted(n int, what string) string { return lines.Counted(n, what) }
