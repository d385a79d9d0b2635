// Package words says what findings are made of: harms, unusual steps, commits, and what callers meet.
//
// In go values of a finding, out come a few words or rows of a table. It refuses to print: nothing is cleaned or escaped here.
package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// Harm is a grade; skew is what goes without saying.
func Harm(harm, persistence, visibility string) []string {
	if harm == "skew" {
		harm = ""
	}
	return slices.DeleteFunc([]string{harm, persistence, visibility}, func(s string) bool { return s == "" })
}

// Set is a set of unusual steps: "{abort, reload}".
func Set(needs []string) string {
	if len(needs) == 0 {
		return "ordinary steps"
	}
	return "{" + strings.Join(needs, ", ") + "}"
}

// Unusual says what an unusual step is, for who does not have the words of the proof in mind.
func Unusual(kind string) string {
	switch kind {
	case "churn or scale":
		return "a pod is made again (eviction, drain, lost node), or one is added"
	case "reload":
		return "a proxy restarts, or rebuilds its listener"
	case "abort":
		return "the canary is aborted"
	case "undo":
		return "the workload is set back by hand"
	case "refused":
		return "the API server refuses an object, or one never becomes healthy"
	case "stuck":
		return "an Application starts no sync any more"
	case "manual":
		return "a sync by hand or a self-heal covers a part"
	case "stale-kubelet":
		return "a kubelet gives a new pod the old content"
	case "stale-health":
		return "a wave begins on a health that is out of date"
	}
	return kind
}

// Way is a row of a table of openings.
type Way struct{ Grade, Set, What string }

// Ways are openings as rows: those with one unusual step, and how many there are with more. Every set is told with the
// gravest that it opens, and what hangs on an unknown match only where nothing else is.
func Ways(openings []diag.Opening) (one []Way, more int) {
	told := map[string]bool{}
	for _, maybe := range []bool{false, true} {
		for _, o := range openings {
			set := Set(o.Needs)
			if o.Maybe != maybe || told[set] || len(o.Needs) == 0 {
				continue
			}
			told[set] = true
			if len(o.Needs) > 1 {
				more++
				continue
			}
			grade := strings.Join(Harm(o.Harm, o.Persistence, o.Visibility), ", ")
			if o.Maybe {
				grade += ", if what is not known fails"
			}
			one = append(one, Way{grade, set, Unusual(o.Needs[0])})
		}
	}
	return one, more
}

// Commit name a commit: 9e2f1c4 "release api v1.9.0".
func Commit(c diag.Commit) string {
	text := cmp.Or(c.Short, c.Commit)
	if c.Subject != "" {
		text += fmt.Sprintf(" \"%s\"", Subject(c.Subject))
	}
	return text
}

// longestSubject bounds what is printed of a commit's subject, in runes: nothing bounds what a commit says.
const longestSubject = 200

// Subject is a commit's subject as it is printed.
func Subject(s string) string {
	if runes := []rune(s); len(runes) > longestSubject {
		return string(runes[:longestSubject]) + "..."
	}
	return s
}

// Group is one line of what callers meet: a call and what it meets, or what several calls meet and which they are.
type Group struct {
	Line  string
	Calls []string
}

// Groups put calls together that meet the same, in the order in which each first stands, up to so many calls; left is how
// many more there are.
func Groups(list []diag.Call, atMost int) (out []Group, left int) {
	left = max(0, len(list)-atMost)
	list = list[:len(list)-left]
	var meets []string
	calls := map[string][]string{}
	for _, c := range list {
		if calls[c.Meets] == nil {
			meets = append(meets, c.Meets)
		}
		calls[c.Meets] = append(calls[c.Meets], c.What)
	}
	for _, m := range meets {
		switch all := calls[m]; {
		case m == "":
			for _, what := range all {
				out = append(out, Group{Line: what})
			}
		case len(all) == 1:
			out = append(out, Group{Line: all[0] + ": " + m})
		default:
			out = append(out, Group{Line: m, Calls: all})
		}
	}
	return out, left
}
