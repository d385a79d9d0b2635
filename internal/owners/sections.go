package owners

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// sections reads GitLab's dialect, as ee/lib/gitlab/code_owners/file.rb and section_parser.rb do: what stands before the
// first heading is a section of its own, headings of the same name continue one section, and in each section the last
// rule that matches decides unless a pattern excludes the path.
type sections struct {
	*parser
	byName  map[string]*section
	current *section
	// What the last heading says for rules that say nothing.
	owners    []Owner
	optional  bool
	approvals int
}

var (
	heading    = regexp.MustCompile(`^(\^)?\[(.*?)\](?:\[(\d*?)\])?(\s+[@\w.\-/\s+]*)?`)
	unfinished = regexp.MustCompile(`^\^?\[[^\]]+$`)
)

func newSections(p *parser) *sections {
	s := &sections{parser: p, byName: map[string]*section{}}
	s.open("")
	return s
}

// open goes on with the section of a name, which counts without regard to case.
func (s *sections) open(name string) {
	key := strings.ToLower(name)
	if s.byName[key] == nil {
		s.byName[key] = &section{name: name, at: map[string]int{}}
		s.rules.sections = append(s.rules.sections, s.byName[key])
	}
	s.current = s.byName[key]
}

func (s *sections) read(line string) {
	if m := heading.FindStringSubmatch(line); m != nil {
		s.head(m[1] != "", strings.TrimSpace(m[2]), m[3], m[4])
		return
	}
	if unfinished.MatchString(line) {
		s.problem("the heading does not end, so GitLab reads it as a pattern")
	}
	s.rule(line)
}

func (s *sections) head(optional bool, name, approvals, owners string) {
	if name == "" {
		s.problem("a section needs a name")
	}
	s.open(name)
	s.optional = optional
	s.approvals = 0
	if n, err := strconv.Atoi(approvals); err == nil {
		s.approvals = n
	}
	if optional && s.approvals > 0 {
		s.problem("an optional section asks for a number of approvals")
	}
	var strange bool
	if s.owners, strange = namedIn(owners); strange {
		s.problem("the heading has a word that names no owner, and it is left out")
	}
}

func (s *sections) rule(line string) {
	text, rest := firstWord(line)
	if len(text) > maxPattern {
		s.problem("the pattern is too long, the line is skipped")
		return
	}
	body, excludes := strings.CutPrefix(text, "!")
	owners, strange := namedIn(rest)
	switch {
	case excludes:
		owners = nil
	case strange && len(owners) == 0:
		s.problem("the line names no owner that GitLab could know")
	case strange:
		s.problem("the line has a word that names no owner, and it is left out")
	}
	if !excludes && strings.TrimSpace(rest) == "" {
		if owners = s.owners; len(owners) == 0 {
			s.problem("the line has no owner, and its section names none for it")
		}
	}
	pat := globbed(unescaped(body))
	r := rule{
		Match: Match{
			Pattern: text, Line: s.line, Section: s.current.name, Optional: s.optional, Approvals: s.approvals, Owners: owners,
		},
		patterns: []pattern{pat}, excludes: excludes,
	}
	// A rule whose pattern means the same takes the place of the earlier one, and so its rank.
	key := strings.Join(pat.segments, "\x00")
	if i, again := s.current.at[key]; again {
		s.current.rules[i] = r
		return
	}
	s.current.at[key] = len(s.current.rules)
	s.current.rules = append(s.current.rules, r)
}

// unescaped takes away the backslash before a first "#" and before white space.
func unescaped(text string) string {
	if strings.HasPrefix(text, `\#`) {
		text = text[1:]
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && unicode.IsSpace(rune(text[i+1])) {
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

var (
	roleRef = regexp.MustCompile(`(?i)^@@(developer|maintainer|owner)s?$`)
	nameRef = regexp.MustCompile(`^@([A-Za-z0-9_][\w.-]*(?:/[\w.-]+)*)$`)
)

// namedIn finds the owners that a text names: roles, names of users and groups, mail addresses. It also tells whether the
// text has words that are none of these.
func namedIn(text string) (owners []Owner, strange bool) {
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, ",;")
		switch {
		case len(word) > maxOwner:
			strange = true
		case roleRef.MatchString(word):
			owners = append(owners, Owner{Role, word})
		case nameRef.MatchString(word) && strings.Contains(word, "/"):
			owners = append(owners, Owner{Team, word})
		case nameRef.MatchString(word):
			owners = append(owners, Owner{Name, word})
		case mailName.MatchString(word):
			owners = append(owners, Owner{Mail, word})
		default:
			strange = true
		}
	}
	return owners, strange
}
