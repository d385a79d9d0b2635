package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// Brief is a plan without what it takes to judge it: what is done, what was proved, what is waited for.
func Brief(d diag.Plan) string {
	p := &printer{}
	for _, x := range d.Passed {
		if len(x.Steps) > 0 {
			p.field("not taken", x.What+": "+x.Why)
			break
		}
	}
	for _, s := range d.Stages {
		p.field(fmt.Sprintf("stage %d", s.Number), s.Title)
		var files []string
		for _, f := range s.Files {
			files = append(files, file(f))
		}
		p.field("  files", strings.Join(files, "; "))
		p.field("  review", strings.Join(reviewers(s), ", "))
		p.field("  proved", proof(s))
		if s.Rush != "" {
			p.field("  rush", fmt.Sprintf("as one with stage %d: %s", s.Number-1, s.Rush))
		}
		if s.Release != nil && s.Release.Hold != "" {
			p.field("  hold", s.Release.Hold)
		}
		p.field("  wait", s.Wait[len(s.Wait)-1])
	}
	p.release("in the end", d.End, d)
	p.list("by hand", d.ByHand)
	return p.out.String()
}

func proof(s diag.PlanStage) string {
	if s.Pairs == 0 {
		return s.Proved
	}
	text := s.Verdict + ", " + s.Proved
	if left := openings(s.Left); left != "" {
		text += ": " + left
	}
	return text
}

// reviewers are those of a stage's files, each once.
func reviewers(s diag.PlanStage) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range s.Files {
		if f.Owner != "" && !seen[f.Owner] {
			seen[f.Owner] = true
			out = append(out, f.Owner)
		}
	}
	return out
}

// Race is a finding in a few lines: what races, how it breaks, how often, since when.
func Race(f diag.Finding) string {
	p := &printer{}
	p.field(f.Verdict, fmt.Sprintf("%s: %s, %s", f.Title, f.Persistence, f.Visibility))
	if r := f.Release; r != nil {
		p.field("release", fmt.Sprintf("%s %q", r.Commit.Short, r.Commit.Subject))
	}
	for _, s := range f.Steps {
		p.field("", fmt.Sprintf("%d %s %s", s.Number, s.Actor, doing(s)))
	}
	if len(f.Outcome) > 0 {
		p.field("callers", fmt.Sprintf("%s: %s", f.Outcome[0].What, f.Outcome[0].Meets))
	}
	if f.Lasts != "" {
		p.field("", f.Lasts)
	}
	if f.Story == nil {
		return p.out.String()
	}
	if e := f.Story.Evidence; e != nil {
		p.field("how often", fmt.Sprintf("%d of %d releases that touch the pair race", e.By["race"], e.Touched))
	}
	if c := f.Story.Cause; c != nil && c.Since != nil {
		p.field("since", fmt.Sprintf("%s %s %q", day(c.Since.Date), c.Since.Short, c.Since.Subject))
		for _, r := range c.Readers {
			p.field("", fmt.Sprintf("read by %d since %s %s", len(r.Names), day(r.From.Date), r.From.Short))
		}
	}
	return p.out.String()
}

func day(date string) string { return date[:min(len(date), 10)] }

// Table are remedies that apply: verdict over the real releases, in the worst case, and the gravest that is left.
func Table(list []diag.Remedy) string {
	p := &printer{}
	for _, r := range list {
		if r.Refused == "" {
			p.field(fmt.Sprintf("%2d", r.Rank), fmt.Sprintf("%-19s %-19s %s", r.Name, r.Verdict+" ("+r.WorstCase+")", gravest(r.Left)))
		}
	}
	if len(list) > 1 && list[0].Reason != "" {
		p.field("", list[0].Name+" is "+list[0].Reason)
	}
	return p.out.String()
}

// gravest are the sets of at most one unusual step that open the gravest harm.
func gravest(left []diag.Opening) string {
	var sets []string
	what := ""
	for _, o := range left {
		if len(o.Needs) > 1 {
			continue
		}
		text := strings.Join([]string{o.Harm, o.Persistence, o.Visibility}, ", ")
		if what == "" {
			what = text
		}
		if text == what {
			sets = append(sets, "{"+strings.Join(o.Needs, ", ")+"}")
		}
	}
	if what == "" {
		return "nothing left that one unusual step opens"
	}
	return what + ": " + strings.Join(sets, " ")
}

// Verdicts are releases, one line each.
func Verdicts(list []diag.Finding) string {
	p := &printer{}
	var all []diag.Shown
	left := map[string]string{}
	for _, f := range list {
		for _, s := range f.Releases {
			all = append(all, s)
			if len(f.Openings) > 0 {
				left[s.Commit.Commit] = gravest(f.Openings)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b diag.Shown) int { return strings.Compare(a.Date, b.Date) })
	for _, s := range all {
		p.field(s.Verdict, fmt.Sprintf("%s %s %q", day(s.Date), s.Short, s.Subject))
		if text := left[s.Commit.Commit]; text != "" {
			p.field("", "  "+text)
		}
	}
	return p.out.String()
}
