package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
	"github.com/syncproof/syncproof/internal/report/words"
)

// Bounds of a comment: hosts of repositories refuse comments of more than 65,536 characters.
const (
	longestComment = 60_000
	mostMarkdown   = 20 // rows of a list
)

// markdown is a document in the making.
type markdown struct {
	out  strings.Builder
	full bool // the routes are told, too
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

// writeMarkdown prints a report for a comment on a change: the verdicts, a table, and what stands behind each row.
func writeMarkdown(w io.Writer, r diag.Report, o Options) error {
	m := &markdown{full: o.Full}
	m.line("### syncproof: %s", lines.Markdown(verdictCounts(r)))
	m.line("")
	m.line("%s", markdownHead(r.Head))
	m.paragraph("Judged", strings.Join(append(nonEmpty(judgedWords(r)), historyWords(r.Counts)...), "; "))
	m.table(r.Findings)
	left := 0
	for _, f := range r.Findings {
		switch {
		case f.Verdict == safe:
			continue
		case left > 0:
			left++
			continue
		}
		block := &markdown{full: o.Full}
		block.details(f)
		if m.out.Len()+block.out.Len() > longestComment {
			left++
			continue
		}
		m.out.WriteString(block.out.String())
	}
	if left > 0 {
		m.line("")
		m.line("The details of %s are left out here: they are in `--format text`.", lines.Counted(left, "more finding"))
	}
	m.safe(r.Findings)
	m.gaps(r.Gaps)
	_, err := io.WriteString(w, m.out.String())
	return err
}

func markdownHead(h diag.Head) string {
	text := "The files on disk"
	if h.Revision != "" {
		text = "At " + lines.CommentCode(fmt.Sprintf("%.12s", h.Revision))
		if h.Subject != "" {
			text += " " + lines.Comment(words.Subject(h.Subject))
		}
		switch {
		case h.Worktree:
			text += ", with the files on disk"
		case h.Shallow:
			text += " (shallow clone)"
		}
	}
	if len(h.Assumptions) > 0 {
		text += ". Assumes " + lines.Comment(strings.Join(h.Assumptions, "; "))
	}
	return text + "."
}

// table has one row for each finding that is not safe.
func (m *markdown) table(list []diag.Finding) {
	rows := 0
	for _, f := range list {
		if f.Verdict == safe {
			continue
		}
		if rows == 0 {
			m.line("")
			m.line("| verdict | what | how | id |")
			m.line("|---|---|---|---|")
		}
		if rows++; rows > mostMarkdown {
			continue
		}
		m.line("| **%s** | %s | %s | %s |", lines.Comment(verdictWords(f)), lines.Comment(upperFirst(f.Message)), lines.Comment(gradeWords(f)), lines.CommentCell(f.ID))
	}
	if rows > mostMarkdown {
		m.line("")
		m.line("and %d more.", rows-mostMarkdown)
	}
}

// details are what stands behind a row.
func (m *markdown) details(f diag.Finding) {
	m.line("")
	m.line("<details><summary><b>%s</b> %s</summary>", lines.CommentHTML(verdictWords(f)), lines.CommentHTML(f.Title))
	m.line("")
	m.paragraph("Now", f.Now)
	if f.Release != nil {
		m.line("Release %s", lines.Comment(strings.Join(nonEmpty(releaseWords(f.Release), f.Release.Window, partWords(f.Release)), "; ")))
		m.line("")
	}
	for _, c := range f.Changes {
		m.line("- %s, %s: %s", lines.Comment(c.Unit), lines.CommentCode(place(c.At)), lines.Comment(c.What))
	}
	m.paragraph("Undecided", f.Reason)
	m.routes(f.Routes)
	m.steps(f)
	m.paragraph("Window", f.Window)
	m.orders(f)
	m.breaking(f)
	m.bullets("Not known", f.Unknown)
	m.paragraph("To close it", f.Close)
	m.worse(f.Gaps)
	m.bullets("Looks as if it protected, and does not", protectionWords(f.Protections))
	m.bullets("Assumes", f.Assumes)
	m.story(f.Story)
	m.remedies(f.Remedies)
	m.shown(f.Releases)
	m.places(f.Instances)
	if f.Proof != nil && f.Verdict != undecided {
		m.paragraph("Proof", proofWords(f.Proof))
	}
	m.line("")
	m.line("</details>")
}

// story is how often, since when and why, and whose files.
func (m *markdown) story(s *diag.Story) {
	if s == nil {
		return
	}
	if e := s.Evidence; e != nil && e.Judged > 1 {
		m.bullets("Evidence", append([]string{evidenceWords(e)}, fixesWords(e)...))
	}
	m.bullets("Since", causeWords(s.Cause))
	m.bullets("Whose files", boundaryWords(s))
	m.bullets("Not seen", s.Limits)
}

func (m *markdown) paragraph(name, text string) {
	if text != "" {
		m.line("")
		m.line("**%s**: %s", name, lines.Comment(text))
	}
}

func (m *markdown) bullets(name string, list []string) {
	if len(list) == 0 {
		return
	}
	m.line("")
	m.line("**%s**", name)
	m.line("")
	for i, text := range list {
		if i == mostMarkdown {
			m.line("- and %d more", len(list)-mostMarkdown)
			return
		}
		m.line("- %s", lines.Comment(text))
	}
}

func (m *markdown) steps(f diag.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	m.line("")
	m.line("**%s**", upperFirst(shortestWords(f)))
	m.line("")
	m.line("| | who | does | then |")
	m.line("|---|---|---|---|")
	for _, s := range f.Steps {
		does := s.Does
		if s.Unusual != "" {
			does = words.Set([]string{s.Unusual}) + " " + does
		}
		m.line("| %d | %s | %s | %s |", s.Number, lines.Comment(s.Actor), lines.Comment(does), lines.Comment(s.Then))
	}
	m.calls("What comes of it", f.Outcome)
	if f.Lasts != "" {
		m.line("")
		m.line("%s.", lines.Comment(upperFirst("This "+f.Lasts)))
	}
}

// calls list what callers meet: calls that meet the same below it.
func (m *markdown) calls(name string, list []diag.Call) {
	if len(list) == 0 {
		return
	}
	m.line("")
	m.line("**%s**", name)
	m.line("")
	groups, left := words.Groups(list, mostCalls)
	for _, g := range groups {
		m.line("- %s", lines.Comment(g.Line))
		for _, call := range g.Calls {
			m.line("  - %s", lines.Comment(call))
		}
	}
	if left > 0 {
		m.line("- and %s", lines.Counted(left, "more call"))
	}
}

func (m *markdown) orders(f diag.Finding) {
	sentences, openings := ordersWords(f.Orders)
	for i, s := range sentences {
		m.paragraph("Order", s)
		m.ways(openings[i])
	}
	if f.Orders == nil && f.Verdict != undecided {
		if one, more := words.Ways(others(f)); len(one)+more > 0 {
			m.paragraph("Also", alsoWords(f))
			m.ways(others(f))
		}
	}
}

func (m *markdown) ways(openings []diag.Opening) {
	one, more := words.Ways(openings)
	if len(one) > 0 {
		m.line("")
	}
	for _, w := range one {
		m.line("- %s %s: %s", lines.CommentCode(w.Set), w.What, w.Grade)
	}
	if more > 0 {
		m.line("")
		m.line("With more than one unusual step: %s.", lines.Counted(more, "way"))
	}
}

func (m *markdown) breaking(f diag.Finding) {
	if text := breakingWords(f); text != "" {
		m.paragraph("Breaking", text)
		m.calls("Old calls that break", f.Breaks)
	}
	m.calls(upperFirst(alreadyWords(f)), f.AlreadyBroken)
}

func (m *markdown) worse(gaps []diag.Gap) {
	var list []string
	for _, g := range gaps {
		list = append(list, strings.Join(nonEmpty(place(g.At), g.Unit, g.Message), ": "))
	}
	m.bullets("Not seen, and it could make it worse", list)
}

func (m *markdown) shown(list []diag.Shown) {
	if len(list) < 2 {
		return
	}
	var lines []string
	for _, s := range list {
		lines = append(lines, shownWords(s)+"  "+words.Subject(s.Subject))
	}
	m.bullets("Releases of this shape, newest first", lines)
}

func (m *markdown) places(list []diag.Instance) {
	if len(list) < 2 {
		return
	}
	var lines []string
	for _, in := range list {
		lines = append(lines, withUnit(in.Consumer)+" <-> "+withUnit(in.Provider))
	}
	m.bullets("Places", lines)
}

// safe lists what holds, a line each.
func (m *markdown) safe(list []diag.Finding) {
	n := 0
	for _, f := range list {
		if f.Verdict != safe {
			continue
		}
		if n == 0 {
			m.line("")
			m.line("<details><summary>What was judged and is safe</summary>")
			m.line("")
		}
		if n++; n <= mostMarkdown {
			m.line("- %s, %s", lines.Comment(f.Title), lines.Comment(safeFindingWords(f)))
		}
	}
	if n > mostMarkdown {
		m.line("- and %d more", n-mostMarkdown)
	}
	if n > 0 {
		m.line("")
		m.line("</details>")
	}
}

// gaps lists what could not be analysed, a cause a line.
func (m *markdown) gaps(gaps []diag.Gap) {
	causes := byCause(gaps)
	if len(causes) == 0 {
		return
	}
	m.line("")
	m.line("<details><summary>%s: what could not be analysed</summary>", lines.Counted(len(causes), "gap"))
	m.line("")
	for i, cause := range causes {
		if i == mostMarkdown {
			m.line("- and %d more", len(causes)-mostMarkdown)
			break
		}
		where := place(cause[0].At)
		if more := len(placesOf(cause)) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		m.line("- %s: %s<br>close: %s", lines.CommentCode(where), lines.Comment(cause[0].Message), lines.Comment(cause[0].Close))
	}
	m.line("")
	m.line("</details>")
}

func upperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
