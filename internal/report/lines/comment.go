package lines

import (
	"html"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

var (
	sealed      = regexp.MustCompile(`sealed:[0-9a-f]{64}`)
	credentials = regexp.MustCompile(`://[^/@\s"'\\]+@`)
)

// Redact takes out of a printed text what must not be printed wherever it stands: digests that stand for secrets, where
// one became part of a name or path, and credentials in URLs.
func Redact(text []byte) []byte {
	text = sealed.ReplaceAll(text, []byte(object.Redacted))
	return credentials.ReplaceAll(text, []byte("://"+object.Redacted+"@"))
}

// Comment takes text of a repository as text: besides what Markdown does, it mentions nobody, refers to no issue, is no
// address and no formula.
func Comment(s string) string {
	return strings.NewReplacer("~", `\~`, "$", "&#36;").Replace(Markdown(calm(string(Redact([]byte(s))))))
}

// CommentHTML is Comment where the text around is HTML already.
func CommentHTML(s string) string { return html.EscapeString(Clean(calm(string(Redact([]byte(s)))))) }

var lively = regexp.MustCompile(`([@#])(\w)|(:)(//)|(www)(\.)`)

// calm puts a space without width where a host of repositories would make a mention, a reference or a link.
func calm(s string) string { return lively.ReplaceAllString(s, "$1$3$5\u200b$2$4$6") }

// CommentCode shows text of a repository as it is; nothing if there is none.
func CommentCode(s string) string {
	if s == "" {
		return ""
	}
	return Code(string(Redact([]byte(s))))
}

// CommentCell is CommentCode in a table, where a bar ends even that.
func CommentCell(s string) string { return strings.ReplaceAll(CommentCode(s), "|", `\|`) }
