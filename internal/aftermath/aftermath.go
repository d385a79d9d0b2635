// Package aftermath tells what a release brings, and what later releases say of it.
//
// In go commits, their messages and dates; out come the commits that a merge brings, whether a later release repairs or takes
// back an earlier one, and whether two objects got one value. It refuses to judge what a release does, to guess other
// languages, and to believe a date that goes backwards.
package aftermath

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
)

// fixTime is how soon a pair is touched again if the second release repairs the first.
const fixTime = 24 * time.Hour

// repairs are the words of a subject that say that something was wrong. They are English: other languages are not guessed.
var repairs = regexp.MustCompile(`(?i)\b(revert(s|ed)?|(hot-?)?fix(es|ed)?|roll(s|ed)?[ -]?back|undo(es)?|undid|broken|incident)\b`)

// Kind tells how a release repairs the one before it of the same pair, by their dates and what it says: a kind of
// [diag.Fix], "" if it came later than within a day.
func Kind(first, second source.Commit) string {
	if after := second.When.Sub(first.When); after < 0 || after > fixTime {
		return ""
	}
	switch {
	case strings.HasPrefix(second.Subject, "Revert "):
		return diag.FixRevert
	case repairs.MatchString(second.Subject):
		return diag.FixSaid
	}
	return diag.FollowUp
}

// takenBack is how git says in a message which commit a revert takes back.
var takenBack = regexp.MustCompile(`(?i)\bThis reverts commit ([0-9a-f]{7,64})\b`)

// Reverts are the ids, or their beginnings, of the commits that a message says to take back.
func Reverts(message string) []string {
	var out []string
	for _, m := range takenBack.FindAllStringSubmatch(message, -1) {
		out = append(out, strings.ToLower(m[1]))
	}
	return out
}

// Span is a time in minutes, hours and days.
func Span(d time.Duration) string {
	h, m := int(d.Hours()), int(d.Minutes())%60
	switch {
	case h >= 48 && h%24 == 0:
		return fmt.Sprintf("%d d", h/24)
	case h >= 48:
		return fmt.Sprintf("%d d %d h", h/24, h%24)
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	}
	return fmt.Sprintf("%d h %d min", h, m)
}
