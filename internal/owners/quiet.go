package owners

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/source"
)

// somebody stands for whom a text named.
const somebody = "somebody"

var (
	// trailer is a line at the end of a message that names a person: "Co-authored-by: ...", "Cc: ...".
	trailer = regexp.MustCompile(`(?i)^\s*(?:[a-z]+(?:-[a-z]+)*-by|cc|from|author|committer|reviewer|reviewers|assignee)\s*:\s*(.*)$`)
	// address is a mail address, between "<" and ">" or not. "git@host:path" is a repository.
	address = regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN](?:[\pL\pN-]*[\pL\pN])?(?:\.[\pL\pN](?:[\pL\pN-]*[\pL\pN])?)+`)
	// pull begins the message of a merge on GitHub, whose branch has its account in front.
	pull = regexp.MustCompile(`(?m)^(Merge pull request #\d+ from )[^/\s]+/`)
	// mention is "@account". With a slash behind it, it is a team or a package.
	mention = regexp.MustCompile(`(^|[\s(\[,;:"'` + "`" + `])@([\pL\pN](?:[\pL\pN_-]*[\pL\pN])?)(/?)`)
)

// Named are the persons that the trailers of a message name.
func Named(text string) []source.Person {
	var out []source.Person
	for line := range strings.SplitSeq(text, "\n") {
		if m := trailer.FindStringSubmatch(line); m != nil {
			if name, mail, _, ok := pair(m[1]); ok {
				out = append(out, source.Person{Name: name, Mail: mail})
			}
		}
	}
	return out
}

// Quiet takes persons out of what a commit says: lines of trailers that name one go, mail addresses, accounts that are
// mentioned, and the names of the given people and of those of the trailers become "somebody". Teams ("@org/team") and
// programs stay. A name of one word is taken for one where it stands as it is written in the identity, and is no common
// word of the trade. What is left has the same first line unless that named somebody.
func Quiet(text string, people ...source.Person) string {
	people = slices.Clone(people)
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		m := trailer.FindStringSubmatch(line)
		if m == nil || len(kept) == 0 { // the first line is the subject, whatever it looks like
			kept = append(kept, line)
			continue
		}
		if name, mail, _, ok := pair(m[1]); ok {
			people = append(people, source.Person{Name: name, Mail: mail})
		} else {
			people = append(people, source.Person{Name: strings.TrimSpace(m[1])})
		}
	}
	text = strings.TrimRight(strings.Join(kept, "\n"), " \n")
	text = pull.ReplaceAllString(text, "$1")
	text = address.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "git@") {
			return s
		}
		return somebody
	})
	for _, name := range namesOf(people) {
		text = replaceWords(text, name, somebody)
	}
	return mention.ReplaceAllStringFunc(text, func(s string) string {
		m := mention.FindStringSubmatch(s)
		if m[3] == "/" {
			return s
		}
		return m[1] + somebody
	})
}

// commonWords are names of identities that are words of the trade as well.
var commonWords = []string{
	"admin", "api", "app", "argocd", "build", "ci", "config", "deploy", "dev", "git", "github", "gitlab", "main", "master", "ops", "prod",
	"release", "root", "system", "test", "user", somebody,
}

// namesOf are the names of persons that are looked for in a text, the longest first.
func namesOf(people []source.Person) []string {
	var out []string
	for _, p := range people {
		name := strings.TrimSpace(p.Name)
		if robotOf(p) != "" || forgeOfCommitter(p) != "" || utf8.RuneCountInString(name) < 3 {
			continue
		}
		if !strings.Contains(name, " ") && (strings.ContainsAny(name, "-_/") || slices.Contains(commonWords, strings.ToLower(name))) {
			continue // an account, of a team as well as of a person
		}
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(out)
}

// replaceWords replaces a name where no letter or digit touches it.
func replaceWords(text, name, by string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		out.WriteString(text[:i])
		if inWord(before) || inWord(after) {
			out.WriteString(name)
		} else {
			out.WriteString(by)
		}
		text = text[i+len(name):]
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func sorted(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
