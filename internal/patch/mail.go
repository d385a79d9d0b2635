package patch

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"mime"
	"path"
	"strings"
	"time"
	"unicode"
)

// Commit is what becomes one commit.
type Commit struct {
	Title   string
	Body    string // paragraphs
	Changes []Change
}

// Series are commits that follow each other.
type Series struct {
	Commits []Commit
	First   int // number of the first one, from 1
	All     int // how many there are in all, those before and after included
	Name    string
	Mail    string
	When    time.Time // of the first one; each next one is a minute later
	SHA256  bool      // how the repository names its objects
}

// File is a file of a series.
type File struct {
	Name string
	Data []byte
}

// Mails writes a series as git format-patch does: one file a commit, for git am.
func Mails(s Series) []File {
	var out []File
	for i, c := range s.Commits {
		n := s.First + i
		out = append(out, File{fmt.Sprintf("%04d-%s.patch", n, slug(c.Title)), s.mail(c, n, s.When.Add(time.Duration(n-1)*time.Minute))})
	}
	return out
}

// slug is a title as the name of a file.
func slug(title string) string {
	var b strings.Builder
	for _, r := range title {
		switch {
		case r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_'):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-.")
	return strings.Trim(name[:min(len(name), 52)], "-.")
}

func (s Series) mail(c Commit, n int, when time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From %s Mon Sep 17 00:00:00 2001\n", strings.Repeat("0", s.width()))
	fmt.Fprintf(&b, "From: %s <%s>\n", encoded(s.Name), s.Mail)
	fmt.Fprintf(&b, "Date: %s\n", when.Format(time.RFC1123Z))
	fmt.Fprintf(&b, "Subject: %s\n", fold(fmt.Sprintf("[PATCH %d/%d] %s", n, s.All, encoded(c.Title))))
	b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n")
	for l := range strings.Lines(strings.TrimSpace(c.Body) + "\n") {
		if strings.HasPrefix(l, "From ") || strings.HasPrefix(l, "---") || strings.HasPrefix(l, "diff -") || strings.HasPrefix(l, "Index: ") {
			l = " " + l // it would end the message
		}
		b.WriteString(l)
	}
	b.WriteString("---\n")
	stat(&b, c.Changes)
	b.WriteString("\n")
	for _, change := range c.Changes {
		s.write(&b, change)
	}
	b.WriteString("-- \nsyncproof\n\n")
	return b.Bytes()
}

// fold breaks a header between words.
func fold(text string) string {
	const most = 70
	var b strings.Builder
	n := 0
	for i, w := range strings.Fields(text) {
		switch {
		case i > 0 && n+1+len(w) > most:
			b.WriteString("\n ")
			n = 1
		case i > 0:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	return b.String()
}

func encoded(text string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return mime.QEncoding.Encode("utf-8", clean)
}

// stat is the summary that people read; git am leaves it out.
func stat(b *bytes.Buffer, changes []Change) {
	width := 0
	for _, c := range changes {
		width = max(width, len(c.title()))
	}
	added, deleted := 0, 0
	for _, c := range changes {
		n := strings.TrimSpace(fmt.Sprintf("%d %s", c.Added+c.Deleted, bars(c.Added, c.Deleted)))
		if c.Binary {
			n = fmt.Sprintf("Bin %d -> %d bytes", len(c.Old), len(c.New))
		}
		fmt.Fprintf(b, " %-*s | %s\n", width, c.title(), n)
		added, deleted = added+c.Added, deleted+c.Deleted
	}
	fmt.Fprintf(b, " %s changed, %s(+), %s(-)\n", counted(len(changes), "file"), counted(added, "insertion"), counted(deleted, "deletion"))
}

// bars are the signs of a summary, at most 40 of them.
func bars(added, deleted int) string {
	if n := added + deleted; n > 40 {
		added, deleted = (40*added+n-1)/n, (40*deleted+n-1)/n
	}
	return strings.Repeat("+", added) + strings.Repeat("-", deleted)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (c Change) title() string {
	if c.From != "" {
		return quoted(c.From) + " => " + quoted(c.Path)
	}
	return quoted(c.Path)
}

func (s Series) width() int {
	if s.SHA256 {
		return 2 * sha256.Size
	}
	return 2 * sha1.Size
}

// id is the name of a file's content.
func (s Series) id(data []byte) string {
	blob := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
	if s.SHA256 {
		return fmt.Sprintf("%x", sha256.Sum256(blob))
	}
	return fmt.Sprintf("%x", sha1.Sum(blob))
}

// write writes one file as git diff does.
func (s Series) write(b *bytes.Buffer, c Change) {
	old := c.Path
	if c.From != "" {
		old = c.From
	}
	mode := "100644"
	if c.Executable {
		mode = "100755"
	}
	fmt.Fprintf(b, "diff --git %s %s\n", quoted("a/"+old), quoted("b/"+c.Path))
	from, to := s.id(c.Old), s.id(c.New)
	none := strings.Repeat("0", s.width())
	switch c.Kind {
	case Added:
		fmt.Fprintf(b, "new file mode %s\nindex %s..%s\n", mode, none, to)
	case Deleted:
		fmt.Fprintf(b, "deleted file mode %s\nindex %s..%s\n", mode, from, none)
	case Moved, Copied:
		word := map[Kind]string{Moved: "rename", Copied: "copy"}[c.Kind]
		percent := similarity(c.Old, c.New)
		if bytes.Equal(c.Old, c.New) {
			percent = 100
		}
		fmt.Fprintf(b, "similarity index %d%%\n%s from %s\n%s to %s\n", percent, word, quoted(c.From), word, quoted(c.Path))
		if bytes.Equal(c.Old, c.New) {
			return
		}
		fmt.Fprintf(b, "index %s..%s %s\n", from, to, mode)
	default:
		fmt.Fprintf(b, "index %s..%s %s\n", from, to, mode)
	}
	if c.Binary {
		b.WriteString("GIT binary patch\n")
		literal(b, c.New)
		literal(b, c.Old) // how to take it back
		return
	}
	if len(c.hunks) == 0 {
		return // an empty file
	}
	before, after := label("a/"+old), label("b/"+c.Path)
	if c.Kind == Added {
		before = "/dev/null"
	}
	if c.Kind == Deleted {
		after = "/dev/null"
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", before, after)
	for _, h := range c.hunks {
		fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h.oldAt, h.oldN), span(h.newAt, h.newN))
		for _, l := range h.lines {
			b.WriteByte(l.op)
			b.Write(l.text)
			if !bytes.HasSuffix(l.text, []byte("\n")) {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
}

func span(at, n int) string {
	if n == 1 {
		return fmt.Sprint(at)
	}
	return fmt.Sprintf("%d,%d", at, n)
}

// label is a name in front of hunks: one with a space needs an end.
func label(name string) string {
	q := quoted(name)
	if q == name && strings.Contains(name, " ") {
		return q + "\t"
	}
	return q
}

// quoted is a path as git writes it: in C's way if something in it could be misread.
func quoted(name string) string {
	var b strings.Builder
	plain := true
	for _, c := range []byte(path.Clean(name)) {
		switch {
		case c == '"' || c == '\\':
			plain = false
			fmt.Fprintf(&b, "\\%c", c)
		case c < 0x20 || c >= 0x7f:
			plain = false
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	if plain {
		return name
	}
	return `"` + b.String() + `"`
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// literal writes a content as git does in binary patches: compressed, 52 bytes a line, four bytes in five digits of base 85.
func literal(b *bytes.Buffer, data []byte) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	fmt.Fprintf(b, "literal %d\n", len(data))
	for all := z.Bytes(); len(all) > 0; {
		n := min(52, len(all))
		if n <= 26 {
			b.WriteByte(byte('A' + n - 1))
		} else {
			b.WriteByte(byte('a' + n - 27))
		}
		for at := 0; at < n; at += 4 {
			var v uint32
			for k := range 4 {
				v <<= 8
				if at+k < n {
					v |= uint32(all[at+k])
				}
			}
			var five [5]byte
			for k := 4; k >= 0; k-- {
				five[k], v = digits[v%85], v/85
			}
			b.Write(five[:])
		}
		b.WriteByte('\n')
		all = all[n:]
	}
	b.WriteByte('\n')
}
