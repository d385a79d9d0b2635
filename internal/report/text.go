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
	p := &printer{}
	p.head(r)
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
type printer struct{ out strings.Builder }

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
		parts = append(parts, fmt.Sprintf("%.12s  %.10s  %s", h.Revision, h.Date, h.Subject))
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
	if what != "" && total != 1 {
		what += "s"
	}
	text := strings.TrimSpace(fmt.Sprintf("%d %s", total, what))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

func (p *printer) units(units []diag.Unit) {
	p.line("")
	p.line("UNITS")
	for _, u := range units {
		state := fmt.Sprintf("%d objects", u.Objects)
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

func (p *printer) references(list []diag.Reference) {
	pair := ""
	for i, r := range list {
		if i == 0 {
			p.line("")
			p.line("REFERENCES")
		}
		if text := fmt.Sprintf("%s -> %s", withUnit(r.Consumer), withUnit(r.Provider)); text != pair {
			pair = text
			p.line("  %s", pair)
		}
		p.wrapped(6, r.Words)
	}
}

func withUnit(e diag.End) string {
	return fmt.Sprintf("%s (%s)", e.Object, cmp.Or(e.Unit, "not in Git"))
}

func (p *printer) latent(r diag.Report) {
	for i, l := range r.Latent {
		if i == 0 {
			p.line("")
			p.line("LATENT  pairs that must match and that two units deliver; no release was looked at")
		}
		p.line("  %s  %s  %s", l.ID, l.Rule, l.Summary)
		for _, in := range l.Instances {
			p.line("      %s  %s", in.Consumer.Unit, place(in.Consumer.At))
			p.line("      %s  %s", in.Provider.Unit, place(in.Provider.At))
			for _, link := range in.Links {
				p.wrapped(8, link)
			}
		}
	}
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

// gaps prints what several units lost by one cause once.
func (p *printer) gaps(gaps []diag.Gap) {
	if len(gaps) > 0 {
		p.line("")
		p.line("GAPS  what could not be analysed, and how to close it")
	}
	for len(gaps) > 0 {
		g, units := gaps[0], []string{gaps[0].Unit}
		rest := gaps[1:]
		for len(rest) > 0 && sameCause(g, rest[0]) {
			units = append(units, rest[0].Unit)
			rest = rest[1:]
		}
		gaps = rest
		p.line("  %s", strings.Join(nonEmpty(string(g.Reason), place(g.At), enumerate(units)), "  "))
		p.line("      %s", g.Message)
		p.line("      close: %s", g.Close)
	}
}

func sameCause(a, b diag.Gap) bool {
	a.Unit = b.Unit
	return a == b
}

// enumerate lists names, but not a flood of them.
func enumerate(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
