// Package hazard is the contract of a rule: what a rule is, what it may look at and what it may say.
//
// A rule is a documented value in a folder of its own. In goes a snapshot, out come candidates: pairs that could go
// wrong. A rule refuses to search or to prove: it names what the pipeline is to judge. There is no other way from a rule
// to the outside than its [Pass].
package hazard

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// Rule is one kind of hazard.
type Rule struct {
	ID    string // lower-case words joined by dashes; its folder has the same name without dashes; never used again
	Title string // one line
	Doc   string // the README of its folder
	Since string // version that brought it
	Run   func(*Pass)
}

// Pass is one run of one rule over one snapshot.
type Pass struct {
	Snapshot   *snapshot.Snapshot
	candidates []Candidate
}

// Candidate is a pair that could go wrong: consumer and provider must match and are delivered apart.
type Candidate struct {
	Rule     string
	Consumer End
	Provider End
	Summary  string   // one sentence that names both sides
	Links    []string // how the consumer reads the provider, strongest first
}

// End is one end of a candidate.
type End struct {
	Object object.ID
	Units  []unit.ID // the units that render it
	At     object.Location
}

// Report names a candidate.
func (p *Pass) Report(c Candidate) { p.candidates = append(p.candidates, c) }

// Run runs rules over a snapshot, in their order.
func Run(rules []Rule, s *snapshot.Snapshot) []Candidate {
	var out []Candidate
	for _, r := range rules {
		p := &Pass{Snapshot: s}
		r.Run(p)
		for _, c := range p.candidates {
			c.Rule = r.ID
			out = append(out, c)
		}
	}
	return out
}

// Headings are the sections that the README of every rule has, in this order.
var Headings = []string{
	"What can go wrong", "When it is safe", "Example", "How it is detected, and what is not seen", "Sources", "Since",
}

var idPattern = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// Validate refuses rules that break the contract: a missing part, an ID that is malformed or used twice, a README without
// one of the [Headings].
func Validate(rules []Rule) error {
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case !idPattern.MatchString(r.ID):
			return fmt.Errorf("rule %q: an ID is lower-case words joined by dashes", r.ID)
		case seen[r.ID]:
			return fmt.Errorf("rule %s is listed twice", r.ID)
		case r.Title == "" || r.Since == "" || r.Run == nil:
			return fmt.Errorf("rule %s: title, since and run are needed", r.ID)
		}
		seen[r.ID] = true
		if err := validateDoc(r); err != nil {
			return err
		}
	}
	return nil
}

func validateDoc(r Rule) error {
	rest := r.Doc
	if !strings.HasPrefix(rest, "# "+r.ID+"\n") {
		return fmt.Errorf("rule %s: its README does not begin with its ID as a title", r.ID)
	}
	for _, h := range Headings {
		_, after, ok := strings.Cut(rest, "\n## "+h+"\n")
		if !ok {
			return fmt.Errorf("rule %s: its README lacks the heading %q, or has it out of order", r.ID, h)
		}
		rest = after
	}
	return nil
}

// Folder is the name of a rule's folder.
func (r Rule) Folder() string { return strings.ReplaceAll(r.ID, "-", "") }
