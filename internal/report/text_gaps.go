package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// gaps prints one cause once, with the places and units that it cost.
func (p *printer) gaps(gaps []diag.Gap) {
	if len(gaps) > 0 {
		p.Line("")
		p.Line("GAPS  what could not be analysed, and how to close it")
	}
	for _, cause := range byCause(gaps) {
		for i, at := range placesOf(cause) {
			if i == most {
				p.Line("  %s  and %d more places", cause[0].Reason, len(placesOf(cause))-most)
				break
			}
			p.Line("  %s", at)
		}
		p.Line("      %s", cause[0].Message)
		p.Line("      close: %s", cause[0].Close)
	}
}

// byCause puts gaps together that differ only in place and unit, in the order in which each cause first stands.
func byCause(gaps []diag.Gap) [][]diag.Gap {
	var out [][]diag.Gap
	at := map[diag.Gap]int{}
	for _, g := range gaps {
		key := diag.Gap{Reason: g.Reason, Message: g.Message, Close: g.Close}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], g)
	}
	return out
}

// placesOf lists where a cause stands, each with the units that it cost there.
func placesOf(cause []diag.Gap) []string {
	var out []string
	for i := 0; i < len(cause); {
		var units []string
		from := i
		for ; i < len(cause) && cause[i].At == cause[from].At; i++ {
			units = append(units, cause[i].Unit)
		}
		out = append(out, strings.Join(nonEmpty(string(cause[from].Reason), place(cause[from].At), enumerate(units)), "  "))
	}
	return out
}

// enumerate lists names, but not a flood of them.
func enumerate(names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
