package report

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// Bounds of a comment: hosts of repositories refuse comments of more than 65,536 characters.
const (
	longestComment = 60_000
	mostMarkdown   = 20 // rows of a list
)

// writeMarkdown prints a report for a comment on a change: the verdicts, a table, and what stands behind each row.
func writeMarkdown(w io.Writer, r diag.Report) error {
	m := &markdown{}
	m.line("### syncproof: %s", plainText(verdictCounts(r)))
	m.line("")
	m.line("%s", markdownHead(r.Head))
	m.paragraph("Judged", judgedWords(r))
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
		block := &markdown{}
		block.details(f)
		if m.out.Len()+block.out.Len() > longestComment {
			left++
			continue
		}
		m.out.WriteString(block.out.String())
	}
	if left > 0 {
		m.line("")
		m.line("The details of %s are left out here: they are in `--format text`.", counted(left, "more finding"))
	}
	m.safe(r.Findings)
	m.gaps(r.Gaps)
	_, err := io.WriteString(w, m.out.String())
	return err
}

func markdownHead(h diag.Head) string {
	text := "The files on disk"
	if h.Revision != "" {
		text = "At " + mdCode(fmt.Sprintf("%.12s", h.Revision))
		if h.Subject != "" {
			text += " " + mdText(subject(h.Subject))
		}
		switch {
		case h.Worktree:
			text += ", with the files on disk"
		case h.Shallow:
			text += " (shallow clone)"
		}
	}
	if len(h.Assumptions) > 0 {
		text += ". Assumes " + mdText(strings.Join(h.Assumptions, "; "))
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
		m.line("| **%s** | %s | %s | %s |", mdText(verdictWords(f)), mdText(upperFirst(f.Message)), mdText(gradeWords(f)), mdCell(f.ID))
	}
	if rows > mostMarkdown {
		m.line("")
		m.line("and %d more.", rows-mostMarkdown)
	}
}

// details are what stands behind a row.
func (m *markdown) details(f diag.Finding) {
	m.line("")
	m.line("<details><summary><b>%s</b> %s</summary>", mdHTML(verdictWords(f)), mdHTML(f.Title))
	m.line("")
	m.paragraph("Now", f.Now)
	if f.Release != nil {
		m.line("Release %s", mdText(releaseWords(f.Release)))
		m.line("")
	}
	for _, c := range f.Changes {
		m.line("- %s, %s: %s", mdText(c.Unit), mdCode(place(c.At)), mdText(c.What))
	}
	m.paragraph("Undecided", f.Reason)
	m.steps(f)
	m.paragraph("Window", f.Window)
	m.orders(f)
	m.breaking(f)
	m.bullets("Not known", f.Unknown)
	m.paragraph("To close it", f.Close)
	m.worse(f.Gaps)
	m.bullets("Assumes", f.Assumes)
	m.shown(f.Releases)
	m.places(f.Instances)
	if f.Proof != nil && f.Verdict != undecided {
		m.paragraph("Proof", proofWords(f.Proof))
	}
	m.line("")
	m.line("</details>")
}

func (m *markdown) paragraph(name, text string) {
	if text != "" {
		m.line("")
		m.line("**%s**: %s", name, mdText(text))
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
		m.line("- %s", mdText(text))
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
			does = setWords([]string{s.Unusual}) + " " + does
		}
		m.line("| %d | %s | %s | %s |", s.Number, mdText(s.Actor), mdText(does), mdText(s.Then))
	}
	m.calls("What comes of it", f.Outcome)
	if f.Lasts != "" {
		m.line("")
		m.line("%s.", mdText(upperFirst("This "+f.Lasts)))
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
	groups, left := callGroups(list)
	for _, g := range groups {
		m.line("- %s", mdText(g.line))
		for _, call := range g.calls {
			m.line("  - %s", mdText(call))
		}
	}
	if left > 0 {
		m.line("- and %s", counted(left, "more call"))
	}
}

func (m *markdown) orders(f diag.Finding) {
	sentences, openings := ordersWords(f.Orders)
	for i, s := range sentences {
		m.paragraph("Order", s)
		m.ways(openings[i])
	}
	if f.Orders == nil && f.Verdict != undecided {
		if one, more := ways(others(f)); len(one)+more > 0 {
			m.paragraph("Also", alsoWords(f))
			m.ways(others(f))
		}
	}
}

func (m *markdown) ways(openings []diag.Opening) {
	one, more := ways(openings)
	if len(one) > 0 {
		m.line("")
	}
	for _, w := range one {
		m.line("- %s %s: %s", mdCode(w.set), w.what, w.grade)
	}
	if more > 0 {
		m.line("")
		m.line("With more than one unusual step: %s.", counted(more, "way"))
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
		lines = append(lines, shownWords(s)+"  "+subject(s.Subject))
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
			m.line("- %s, %s", mdText(f.Title), mdText(safeFindingWords(f)))
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
	m.line("<details><summary>%s: what could not be analysed</summary>", counted(len(causes), "gap"))
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
		m.line("- %s: %s<br>close: %s", mdCode(where), mdText(cause[0].Message), mdText(cause[0].Close))
	}
	m.line("")
	m.line("</details>")
}

// mdText takes text of a repository as text: besides what plainText does, it mentions nobody, refers to no issue, is no
// address and no formula.
func mdText(s string) string {
	return strings.NewReplacer("~", `\~`, "$", "&#36;").Replace(plainText(calm(string(Redact([]byte(s))))))
}

// mdHTML is mdText where the text around is HTML already.
func mdHTML(s string) string { return html.EscapeString(clean(calm(string(Redact([]byte(s)))))) }

var lively = regexp.MustCompile(`([@#])(\w)|(:)(//)|(www)(\.)`)

// calm puts a space without width where a host of repositories would make a mention, a reference or a link.
func calm(s string) string { return lively.ReplaceAllString(s, "$1$3$5\u200b$2$4$6") }

// mdCode shows text of a repository as it is; nothing if there is none.
func mdCode(s string) string {
	if s == "" {
		return ""
	}
	return code(string(Redact([]byte(s))))
}

func mdCell(s string) string { return strings.ReplaceAll(mdCode(s), "|", `\|`) }

func upperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
