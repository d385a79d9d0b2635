package explain

import (
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
)

// message is the finding in one sentence that names both sides.
func message(f *diag.Finding, n *names) string {
	release := "the release"
	if f.Release != nil {
		release = "release " + f.Release.Short
	}
	both, harm := n.both(), met(f.Outcome)
	switch n.s.Verdict {
	case proof.Broken:
		if harm == "" {
			harm = "the harm is " + f.Harm
		}
		return fmt.Sprintf("once %s has arrived, %s do not match, in whatever order they came: %s", release, both, harm)
	case proof.Race, proof.Exposed:
		switch {
		case f.Unavoidable:
			return fmt.Sprintf("%s breaks %s in every order: %s", release, both, harm)
		case f.Window == "":
			return fmt.Sprintf("%s can deliver %s in an order in which %s", release, both, harm)
		}
		return fmt.Sprintf("in %s nothing keeps %s in order: out of order, %s", release, both, harm)
	case proof.Fragile:
		return fmt.Sprintf("in %s %s stay matched unless something unusual happens, %s: then %s", release, both, rare(f), harm)
	case proof.Safe:
		text := fmt.Sprintf("%s keeps %s matched: no harm with up to %s, %d states", release, both, steps(n.s.Steps), n.s.States)
		if len(f.Breaks) > 0 {
			text += "; old calls break in every order"
		}
		return text
	}
	return fmt.Sprintf("what %s does to %s is not decided: %s", release, both, f.Reason)
}

// rare are the sets of unusual steps that open as much as the headline's.
func rare(f *diag.Finding) string {
	var out []string
	for _, o := range f.Openings {
		same := o.Harm == f.Harm && o.Persistence == f.Persistence && o.Visibility == f.Visibility && len(o.Needs) == len(f.Needs)
		if text := braces(o.Needs); same && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) < 2 {
		return braces(f.Needs)
	}
	return fmt.Sprintf("%s or %s", join(out[:len(out)-1]), out[len(out)-1])
}

// met is the first thing that callers meet, and how many more there are.
func met(calls []diag.Call) string {
	if len(calls) == 0 {
		return "calls fail"
	}
	text := calls[0].What
	if calls[0].Meets != "" {
		text += " meets " + calls[0].Meets
	}
	if more := len(calls) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}
