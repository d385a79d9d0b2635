package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// historyWords say of what was judged how much of it there is: not every commit is a release, and not every release could be
// seen in full.
func historyWords(c diag.Counts) []string {
	var out []string
	if c.Commits > c.Releases && c.Releases > 0 {
		out = append(out, fmt.Sprintf("%s among %s: the others change nothing that is rendered", lines.Counted(c.Releases, "release"),
			lines.Counted(c.Commits, "commit")))
	}
	if c.Partial > 0 {
		out = append(out, fmt.Sprintf("%s could not be rendered in full: %s", lines.Counted(c.Partial, "release"), byCount(c.PartialBy)))
	}
	return out
}

// among says over how many releases something was counted, and over how many commits where that is not the same.
func among(e *diag.Evidence) string {
	if e.Commits > e.Judged {
		return fmt.Sprintf("the %s among the last %s", lines.Counted(e.Judged, "release"), lines.Counted(e.Commits, "commit"))
	}
	return "the last " + lines.Counted(e.Judged, "release")
}

// fixWords say how a release was repaired, or may have been.
func fixWords(f diag.Fix) string {
	after := ""
	if f.After != "" {
		after = " after " + f.After
	}
	switch f.Kind {
	case diag.FixRevert:
		return fmt.Sprintf("%s was reverted%s (%s)", words.Commit(f.Release), after, f.By.Short)
	case diag.FixSaid:
		return fmt.Sprintf("%s was fixed%s by %s", words.Commit(f.Release), after, words.Commit(f.By))
	}
	return fmt.Sprintf("%s was followed%s by %s", words.Commit(f.Release), after, words.Commit(f.By))
}

// togetherWords say what holds if two releases are on their way at once.
func togetherWords(w diag.Window, fixes []diag.Fix) string {
	if len(w.Commits) < 2 {
		return ""
	}
	first, last := w.Commits[0], w.Commits[len(w.Commits)-1]
	its := ""
	if slices.ContainsFunc(fixes, func(f diag.Fix) bool {
		return f.Kind == diag.FixRevert && f.Release.Commit == first.Commit && f.By.Commit == last.Commit
	}) {
		its = "its revert "
	}
	return fmt.Sprintf("%s and %s%s, %s apart, are delivered as one if a unit sees both at once: %s", first.Short, its, last.Short, w.Apart, w.Verdict)
}

// partWords are the commits that a merge or a range brings, those that touch the two ends first; "" if it is one commit.
func partWords(r *diag.Release) string {
	if r == nil || r.Brings == 0 {
		return ""
	}
	var names []string
	for _, touches := range []bool{true, false} {
		for _, p := range r.Parts {
			if p.Touches == touches && len(names) < mostParts {
				names = append(names, words.Commit(p.Commit))
			}
		}
	}
	text := "brings " + lines.Counted(r.Brings, "commit")
	if len(r.Base) == 1 && strings.HasPrefix(r.Subject, "Merge ") {
		text = "merges " + lines.Counted(r.Brings, "commit")
	}
	if len(names) < r.Brings {
		return text + ", among them: " + strings.Join(names, ", ")
	}
	return text + ": " + strings.Join(names, ", ")
}

// mostParts is how many of the commits of a merge are named.
const mostParts = 5
