package owners

import (
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// Mailmap says which of the names and addresses in commits are the same person's, as git's .mailmap does. The zero value
// changes nothing.
type Mailmap struct {
	byMail map[string]source.Person // by address in lower case; an empty field keeps what the commit says
	byBoth map[[2]string]source.Person
}

// LoadMailmap reads the .mailmap at the top of a tree. Without one, and if it cannot be read, it changes nothing.
func LoadMailmap(tree source.Tree) Mailmap {
	if info, err := tree.Stat(".mailmap"); err != nil || info.Size() >= maxSize {
		return Mailmap{}
	}
	data, err := tree.ReadFile(".mailmap")
	if err != nil {
		return Mailmap{}
	}
	m := Mailmap{map[string]source.Person{}, map[[2]string]source.Person{}}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		m.add(strings.TrimSpace(line))
	}
	return m
}

// add reads "Proper Name <proper@mail> Commit Name <commit@mail>". The second pair may lack its name; with one pair alone,
// its address is that of commits.
func (m *Mailmap) add(line string) {
	first, mail, rest, ok := pair(line)
	if !ok || strings.HasPrefix(line, "#") {
		return
	}
	second, from, _, two := pair(rest)
	switch {
	case !two:
		m.byMail[strings.ToLower(mail)] = source.Person{Name: first}
	case second == "":
		m.byMail[strings.ToLower(from)] = source.Person{Name: first, Mail: mail}
	default:
		m.byBoth[[2]string{strings.ToLower(second), strings.ToLower(from)}] = source.Person{Name: first, Mail: mail}
	}
}

// pair reads "Name <mail>" at the beginning of a text.
func pair(text string) (name, mail, rest string, ok bool) {
	name, tail, ok := strings.Cut(text, "<")
	if !ok {
		return "", "", "", false
	}
	mail, rest, ok = strings.Cut(tail, ">")
	return strings.TrimSpace(name), strings.TrimSpace(mail), rest, ok
}

// proper gives the person that a commit's author is.
func (m Mailmap) proper(p source.Person) source.Person {
	mail := strings.ToLower(p.Mail)
	better, ok := m.byBoth[[2]string{strings.ToLower(p.Name), mail}]
	if !ok {
		better = m.byMail[mail]
	}
	if better.Name != "" {
		p.Name = better.Name
	}
	if better.Mail != "" {
		p.Mail = better.Mail
	}
	return p
}
