// Package remedies says what could be done about a pair: in the words of a table, and in those of a page.
//
// In go the remedies of a finding, the best first, out come words. It refuses to judge and to print: what it gives is neither cleaned
// nor escaped, since each format does so in its own way.
package remedies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// InFull is how many remedies a list for people tells with all that they cost.
const InFull = 3

// Heading heads the remedies; where says where the worst case stands: "in brackets".
func Heading(list []diag.Remedy, where string) string {
	n := 0
	for _, r := range list {
		n = max(n, r.Releases)
	}
	return fmt.Sprintf("each judged by the same proof, over %s of the pair and, %s, for a release that fits in no mixed state", lines.Counted(n, "real release"), where)
}

// Verdict is the gravest over the real releases, and that of the worst case in brackets.
func Verdict(r diag.Remedy) string {
	if r.WorstCase == "" {
		return r.Verdict
	}
	return r.Verdict + " (" + r.WorstCase + ")"
}

// Refused is why a remedy does not apply.
func Refused(r diag.Remedy) string { return "does not apply: " + r.Refused }

// Others are what becomes of other readers.
func Others(r diag.Remedy) []string {
	var out []string
	for _, o := range r.Others {
		out = append(out, fmt.Sprintf("%s: %s, %s", o.Consumer, o.Verdict, today(o)))
	}
	return out
}

func today(o diag.OtherReader) string {
	if o.Verdict == o.Today {
		return "as today"
	}
	return "today " + o.Today
}

// Migration says what would have gone into which release.
func Migration(m *diag.Migration) []string {
	if m == nil {
		return nil
	}
	out := []string{"of " + words.Commit(m.Of) + ":"}
	for _, s := range m.Steps {
		out = append(out, s.Name+": "+step(s))
	}
	return out
}

func step(s diag.MigrationStep) string {
	text := strings.Join(s.What, "; ")
	if s.When != "" {
		text += " (" + s.When + ")"
	}
	return text
}

// Costs are what a remedy costs. What has to hold besides is told of the first ones.
func Costs(r diag.Remedy) []string {
	return costs(r, func(kind string) bool { return r.Rank <= InFull || kind != diag.CostPremise })
}

func costs(r diag.Remedy, of func(kind string) bool) []string {
	var out []string
	for _, c := range r.Costs {
		if of(c.Kind) {
			out = append(out, c.Text)
		}
	}
	return out
}

// Price is the cost that is met first: what a release has to do, else what is new or gone, else whatever is first; and how many
// more there are.
func Price(r diag.Remedy) (text string, more int) {
	list := slices.DeleteFunc(slices.Clone(r.Costs), func(c diag.Cost) bool { return c.Kind == diag.CostKept })
	for _, kind := range []string{diag.CostFlow, diag.CostParts, diag.CostAutomation, ""} {
		for _, c := range list {
			if c.Kind == kind || kind == "" {
				return c.Text, len(list) - 1
			}
		}
	}
	return "", 0
}

// Order says why the first remedies stand in this order.
func Order(list []diag.Remedy) string {
	var out []string
	for _, r := range list {
		if r.Reason != "" && r.Rank <= InFull {
			out = append(out, r.Name+" "+r.Reason)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "in this order: " + strings.Join(out, "; ")
}
