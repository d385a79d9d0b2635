package owners

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/object"
)

// The bounds of one file. A path of a repository is hardly ever longer than maxPattern.
const (
	maxPattern  = 4096 // bytes
	maxOwner    = 255  // bytes
	maxProblems = 100
)

// parser reads one file line by line. A line that cannot be taken is a problem, and the next one is read.
type parser struct {
	rules    *Rules
	line     int // of the line being read, from 1
	problems []Problem
	more     int // problems that were not kept
}

// parse reads a text in a dialect.
func parse(file, text string, dialect Dialect) (*Rules, []Problem) {
	p := parser{rules: &Rules{File: file, Dialect: dialect}}
	read := map[Dialect]func(string){GitHub: p.github, Bitbucket: p.bitbucket, BitbucketApp: p.app}[dialect]
	if dialect == GitLab {
		read = newSections(&p).read
	} else {
		p.rules.sections = []*section{{}}
	}
	for line := range strings.Lines(text) {
		p.line++
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case !utf8.ValidString(line):
			p.problem("the line is not UTF-8")
		case strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }):
			p.problem("the line holds control characters")
		default:
			read(line)
		}
	}
	if p.more > 0 {
		p.problems = append(p.problems, Problem{object.Location{File: file}, fmt.Sprintf("%d more lines could not be taken as they stand", p.more)})
	}
	return p.rules, p.problems
}

func (p *parser) problem(message string) {
	if len(p.problems) == maxProblems {
		p.more++
		return
	}
	p.problems = append(p.problems, Problem{object.Location{File: p.rules.File, Line: p.line}, message})
}

// add takes a rule of a dialect without sections.
func (p *parser) add(text string, owners []Owner, patterns ...pattern) {
	only := p.rules.sections[0]
	only.rules = append(only.rules, rule{Match: Match{Pattern: text, Line: p.line, Owners: owners}, patterns: patterns})
}

// github reads a line as GitHub does: an owner that is none, or what .gitignore knows and CODEOWNERS does not, spoils the
// whole line.
func (p *parser) github(line string) {
	words := words(line)
	text := words[0]
	switch {
	case len(text) > maxPattern:
		p.problem("the pattern is too long, the line is skipped")
		return
	case strings.HasPrefix(text, "!"):
		p.problem("GitHub knows no patterns that begin with \"!\" and skips the line")
		return
	case strings.HasPrefix(text, `\#`):
		p.problem(`GitHub knows no patterns that begin with "\#" and skips the line`)
		return
	case strings.Contains(text, "["):
		p.problem("GitHub knows no sets of characters and skips the line")
		return
	}
	pat, ok := gitignored(text)
	if !ok {
		p.problem("the pattern matches nothing")
		return
	}
	var owners []Owner
	for _, w := range words[1:] {
		o, ok := forgeOwner(w)
		if !ok {
			p.problem("one of the owners is neither @user, @organization/team nor a mail address: GitHub skips the line")
			return
		}
		owners = append(owners, o)
	}
	p.add(text, owners, pat)
}

// bitbucket reads a line of Bitbucket's own feature. What chooses among a team, as ":random(2)", does not change who owns.
func (p *parser) bitbucket(line string) {
	words := words(line)
	text := words[0]
	pat, ok := gitignored(text)
	switch {
	case len(text) > maxPattern:
		p.problem("the pattern is too long, the line is skipped")
		return
	case strings.HasPrefix(text, "!") || strings.HasPrefix(text, `\#`) || strings.Contains(text, "["):
		p.problem(`Bitbucket knows no "!", no "\#" and no sets of characters in patterns; the line is skipped`)
		return
	case !ok:
		p.problem("the pattern matches nothing")
		return
	}
	var owners []Owner
	for _, w := range words[1:] {
		w = choice.ReplaceAllString(w, "")
		if mail := strings.TrimPrefix(w, "@"); mailName.MatchString(mail) {
			w = mail // "@user@example.com", as the app has it
		}
		o, ok := forgeOwner(w)
		if !ok {
			p.problem("one of the owners is neither a user, a group nor a mail address, and is left out")
			continue
		}
		owners = append(owners, o)
	}
	p.add(text, owners, pat)
}

// words splits at white space that no backslash stands before, up to a word that begins with "#". The line does not
// begin with one, so there is a first word.
func words(line string) []string {
	var all []string
	for line = strings.TrimLeftFunc(line, unicode.IsSpace); line != ""; line = strings.TrimLeftFunc(line, unicode.IsSpace) {
		if line[0] == '#' {
			break
		}
		word, rest := firstWord(line)
		all = append(all, word)
		line = rest
	}
	return all
}

// firstWord cuts at the first white space that no backslash stands before.
func firstWord(line string) (word, rest string) {
	escaped := false
	for i, r := range line {
		if unicode.IsSpace(r) && !escaped {
			return line[:i], line[i:]
		}
		escaped = r == '\\' && !escaped
	}
	return line, ""
}

var (
	teamName = regexp.MustCompile(`^@[A-Za-z0-9][\w.-]*(/[\w.-]+)+$`)
	userName = regexp.MustCompile(`^@[A-Za-z0-9][\w.-]*$`)
	mailName = regexp.MustCompile(`^[^@\s"]+@[^@\s"]+$`)
	choice   = regexp.MustCompile(`:(all|random|least_busy)(\(\d*\))?$`)
)

// forgeOwner reads one owner as GitHub and Bitbucket have them.
func forgeOwner(word string) (Owner, bool) {
	switch {
	case len(word) > maxOwner:
		return Owner{}, false
	case teamName.MatchString(word):
		return Owner{Team, word}, true
	case userName.MatchString(word):
		return Owner{User, word}, true
	case mailName.MatchString(word):
		return Owner{Mail, word}, true
	}
	return Owner{}, false
}

// settingPrefix begins a line that sets something for the whole file.
const settingPrefix = "CODEOWNERS."

// isCheck tells a line that says how many have to approve.
func isCheck(line string) bool {
	return strings.HasPrefix(line, "Check(") || strings.HasPrefix(line, "OverallCheck(")
}

// app reads a line of the Code Owners app for Bitbucket: "@@@group members", settings, checks, and rules whose pattern or
// names may be quoted.
func (p *parser) app(line string) {
	if isCheck(line) {
		return
	}
	words := quotedWords(line)
	switch {
	case strings.HasPrefix(line, settingPrefix):
		p.setting(words)
		return
	case strings.HasPrefix(line, "@@@"):
		return // whoever refers to the group names it; its members do not matter
	}
	text := unquoted(words[0])
	body, excludes := strings.CutPrefix(text, "!")
	if escaped := strings.TrimPrefix(text, `\`); escaped != text && (escaped[:min(1, len(escaped))] == "#" || strings.HasPrefix(escaped, "!")) {
		body = escaped
	}
	if len(text) > maxPattern {
		p.problem("the pattern is too long, the line is skipped")
		return
	}
	choices, ok := alternatives(body)
	if !ok {
		p.problem("the pattern has braces without a partner, or stands for too many, and is skipped")
		return
	}
	var patterns []pattern
	for _, c := range choices {
		if pat, ok := gitignored(c); ok {
			pat.sets = true
			patterns = append(patterns, pat)
		}
	}
	var owners []Owner
	for _, w := range words[1:] {
		if o, ok := appOwner(w); ok && !excludes {
			owners = append(owners, o)
		} else if !ok {
			p.problem("one of the owners is neither a user, a group nor a mail address, and is left out")
		}
	}
	p.add(text, owners, patterns...)
}

func (p *parser) setting(words []string) {
	name := strings.TrimPrefix(words[0], settingPrefix)
	switch {
	case name == "destination_branch_pattern" && len(words) > 1:
		if !slices.Contains(p.rules.Branches, words[1]) {
			p.rules.Branches = append(p.rules.Branches, words[1])
		}
	case name == "toplevel.subdirectory_overrides" && slices.Contains(words, "enable"):
		p.problem("files of the same name further down take the place of this one there, and are not read")
	}
}

// appOwner reads one owner as the app has them: @user, @"user with spaces", @@group, a mail address with or without "@".
func appOwner(word string) (Owner, bool) {
	name := unquoted(strings.TrimLeft(word, "@"))
	if name == "" || len(word) > maxOwner {
		return Owner{}, false
	}
	switch ats := len(word) - len(strings.TrimLeft(word, "@")); {
	case ats == 2:
		return Owner{Team, "@@" + name}, true
	case ats <= 1 && mailName.MatchString(name):
		return Owner{Mail, name}, true
	case ats == 1:
		return Owner{User, "@" + name}, true
	}
	return Owner{}, false
}

// quotedWords splits at white space outside of double quotes, up to a word that begins with "#".
func quotedWords(line string) []string {
	var all []string
	start, quoted := -1, false
	for i, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			if start >= 0 {
				all = append(all, line[start:i])
			}
			start = -1
			continue
		case r == '#' && start < 0:
			return all
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		all = append(all, line[start:])
	}
	return all
}

func unquoted(word string) string { return strings.ReplaceAll(word, `"`, "") }
