package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
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
	_, err := io.WriteString(w, p.out.String())
	return err
}

// printer collects lines. Whatever comes from the repository goes through clean: a name must not move the cursor.
type printer struct {
	out    strings.Builder
	colour bool     // of verdicts
	full   bool     // no list is cut
	told   []string // pairs whose background was printed
}

func (p *printer) line(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = clean(s)
		}
	}
	fmt.Fprintf(&p.out, strings.TrimRight(format, " ")+"\n", args...)
}

// width is where long sentences of references are broken; paths and names are never broken.
const width = 118

// wrapped prints a long text behind an indent, its further lines two columns deeper.
func (p *printer) wrapped(indent int, text string) {
	line := strings.Repeat(" ", indent)
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > width:
			p.line("%s", line)
			line = strings.Repeat(" ", indent+2) + word
		default:
			line += " " + word
		}
	}
	p.line("%s", line)
}

// clean replaces control characters, so that text of a repository stays text on a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// field prints one entry of the head: a name in a column of its own, then values, one a line.
func (p *printer) field(name string, values ...string) {
	for i, v := range values {
		if i > 0 {
			name = ""
		}
		p.line("%-11s %s", name, v)
	}
}

func (p *printer) head(r diag.Report) {
	h := r.Head
	p.field("revision", revision(h))
	for i, root := range h.Roots {
		p.field(first(i, "roots"), fmt.Sprintf("%s  (%s, %s)", root.Name, root.Kind, root.From))
	}
	if len(h.ThisURLs) > 0 {
		p.field("repository", strings.Join(h.ThisURLs, ", "))
	}
	if len(h.Branches) > 0 {
		p.field("branches", strings.Join(h.Branches, ", ")+"  (read at this revision)")
	}
	p.field("assumes", h.Assumptions...)
	rendered := 0
	for _, u := range r.Units {
		if u.Rendered {
			rendered++
		}
	}
	p.field("units", fmt.Sprintf("%d, %d of them rendered", r.Counts.Units, rendered))
	p.field("objects", fmt.Sprint(r.Counts.Objects))
	p.field("references", fmt.Sprint(r.Counts.References))
	if judged := judgedWords(r); judged != "" || len(r.Findings) > 0 {
		p.field("findings", verdictCounts(r))
		p.field("judged", nonEmpty(judged)...)
	}
	p.field("latent", tally(r.Counts.Latent, "split pair"))
	p.field("gaps", tally(r.Counts.Gaps, ""))
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
		parts = append(parts, fmt.Sprintf("%.12s  %.10s  %s", h.Revision, h.Date, subject(h.Subject)))
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
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	total := 0
	parts := make([]string, len(names))
	for i, n := range names {
		total += counts[n]
		parts[i] = fmt.Sprintf("%s %d", n, counts[n])
	}
	text := fmt.Sprint(total)
	if what != "" {
		text = counted(total, what)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (p *printer) units(units []diag.Unit) {
	p.line("")
	p.line("UNITS")
	for _, u := range units {
		state := counted(u.Objects, "object")
		if !u.Rendered {
			state = "not rendered"
		}
		p.line("  %s  %s", u.Name, state)
		p.line("      %s", strings.Join(unitFacts(u), ", "))
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
