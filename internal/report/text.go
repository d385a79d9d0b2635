package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// writeText prints for people: the head, then what was found, then what could not be seen.
func writeText(w io.Writer, r diag.Report, o Options) error {
	p := &printer{colour: o.Colour, full: o.Full}
	p.head(r)
	p.findings(r.Findings)
	if o.Units {
		p.units(r.Units)
	}
	p.references(r.References)
	p.latent(r)
	p.gaps(r.Gaps)
	_, err := io.WriteString(w, p.Out.String())
	return err
}

// printer prints a report.
type printer struct {
	lines.Printer
	colour bool     // of verdicts
	full   bool     // no list is cut
	told   []string // pairs whose background was printed
}

func (p *printer) head(r diag.Report) {
	h := r.Head
	p.Field("revision", revision(h))
	for i, root := range h.Roots {
		p.Field(first(i, "roots"), fmt.Sprintf("%s  (%s, %s)", root.Name, root.Kind, root.From))
	}
	if len(h.ThisURLs) > 0 {
		p.Field("repository", strings.Join(h.ThisURLs, ", "))
	}
	if len(h.Branches) > 0 {
		p.Field("branches", strings.Join(h.Branches, ", ")+"  (read at this revision)")
	}
	p.Field("assumes", h.Assumptions...)
	rendered := 0
	for _, u := range r.Units {
		if u.Rendered {
			rendered++
		}
	}
	p.Field("units", fmt.Sprintf("%d, %d of them rendered", r.Counts.Units, rendered))
	p.Field("objects", fmt.Sprint(r.Counts.Objects))
	p.Field("references", fmt.Sprint(r.Counts.References))
	if judged := judgedWords(r); judged != "" || len(r.Findings) > 0 {
		p.Field("findings", verdictCounts(r))
		p.Field("judged", append(nonEmpty(judged), historyWords(r.Counts)...)...)
	}
	p.Field("latent", tally(r.Counts.Latent, "split pair"))
	p.Field("gaps", tally(r.Counts.Gaps, ""))
}

func first(i int, name string) string {
	if i == 0 {
		return name
	}
	return ""
}

func revision(h diag.Head) string {
	var parts []string
	if h.Revision != "" {
		parts = append(parts, fmt.Sprintf("%.12s  %.10s  %s", h.Revision, h.Date, words.Subject(h.Subject)))
	}
	switch {
	case h.Worktree:
		parts = append(parts, "(the files on disk, not the commit)")
	case h.Dirty:
		parts = append(parts, "(the work tree differs; --worktree reads it)")
	}
	if h.Shallow {
		parts = append(parts, "(shallow clone)")
	}
	return cmp.Or(strings.Join(parts, "  "), "(no commit)")
}

// tally prints counts by name, the largest first: "12 split pairs: Deployment -> Secret 9, Service -> Deployment 3".
func tally(counts map[string]int, what string) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	text := fmt.Sprint(total)
	if what != "" {
		text = lines.Counted(total, what)
	}
	if len(counts) > 0 {
		text += ": " + byCount(counts)
	}
	return text
}

// byCount lists counts by name, the largest first.
func byCount(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = fmt.Sprintf("%s %d", n, counts[n])
	}
	return strings.Join(parts, ", ")
}

func (p *printer) units(units []diag.Unit) {
	p.Line("")
	p.Line("UNITS")
	for _, u := range units {
		state := lines.Counted(u.Objects, "object")
		if !u.Rendered {
			state = "not rendered"
		}
		p.Line("  %s  %s", u.Name, state)
		p.Line("      %s", strings.Join(unitFacts(u), ", "))
	}
}

func unitFacts(u diag.Unit) []string {
	facts := []string{u.Kind}
	if u.Source != "" {
		facts = append(facts, "from "+u.Source)
	}
	if u.Namespace != "" {
		facts = append(facts, "into "+u.Namespace)
	}
	if u.Cluster != "" {
		facts = append(facts, "of "+u.Cluster)
	}
	if u.Parent != "" {
		facts = append(facts, "delivered by "+u.Parent)
	}
	switch {
	case u.Kind != "Application":
	case !u.Automated:
		facts = append(facts, "synced by hand")
	case u.Prune && u.SelfHeal:
		facts = append(facts, "automated with prune and self-heal")
	case u.Prune:
		facts = append(facts, "automated with prune")
	case u.SelfHeal:
		facts = append(facts, "automated with self-heal")
	default:
		facts = append(facts, "automated")
	}
	return facts
}

func place(l object.Location) string {
	text := l.File
	if l.Line > 0 {
		text = fmt.Sprintf("%s:%d", text, l.Line)
	}
	if l.Repository != "" {
		text = l.Repository + "//" + text
	}
	return text
}
