// Package standin holds the template functions that take the place of those of sprig and Helm that are not functions of
// their arguments: chance, the clock, the host's time zone, the cluster, and the order of Go's maps.
//
// In goes a seed, out comes a function map whose every answer follows from it, and a note whether an answer was given
// that a real rendering would not repeat. It refuses what needs the host: time zones with a name.
package standin

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"
)

// Set is the stand-ins of one rendering. It is not safe for several goroutines.
//
// Every stand-in draws from one seeded stream, so that a rendering is a function of its request. A rendering that used
// one is made a second time, as pass 1: there each draw is certain to come out different (see [Set.pick]), and what
// then differs in the objects is what differs at every rendering.
type Set struct {
	draws   stream
	pass    int
	now     time.Time
	used    bool            // an answer was given that a real rendering would not repeat
	lookups map[string]bool // what templates asked the cluster for
	refused string          // a function was asked for something that is not answered: why
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

// New makes the stand-ins of a pass, 0 or 1.
func New(seed uint64, pass int) *Set {
	s := &Set{draws: stream(seed), pass: pass, lookups: map[string]bool{}}
	const year = 365 * 24 * 3600
	s.now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.draws.below(year)) * time.Second)
	if pass > 0 {
		s.now = otherMoment(s.now)
	}
	return s
}

// stream is a seeded sequence of numbers (SplitMix64): the same for every build, so that stored renderings stay valid.
type stream uint64

// below gives a number from 0 to n-1, n > 0. Its bias is far below what a stand-in needs.
func (s *stream) below(n int) int {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// otherMoment differs from t in every part, since a format may print any: year, month, day, weekday, hour, minute, second.
func otherMoment(t time.Time) time.Time {
	other := t.AddDate(1, 1, 2).Add(time.Hour + time.Minute + time.Second)
	if other.Weekday() == t.Weekday() {
		other = other.AddDate(0, 0, 1)
	}
	return other
}

// Funcs are all stand-ins by their names in templates. What is not among them is pure; a test holds the list of all.
func (s *Set) Funcs() template.FuncMap {
	m := template.FuncMap{
		"lookup": s.lookup,

		"randAlphaNum": func(n int) string { return s.text(n, lower+upper+digits) },
		"randAlpha":    func(n int) string { return s.text(n, lower+upper) },
		"randNumeric":  func(n int) string { return s.text(n, digits) },
		"randAscii":    s.ascii,
		"randBytes":    s.base64,
		"randInt":      s.integer,
		"shuffle":      s.shuffle,
		"uuidv4":       s.uuid,
		"bcrypt":       s.bcrypt,
		"htpasswd":     s.htpasswd,
		"encryptAES":   s.encryptAES,

		"keys":   s.keys,
		"values": s.values,
	}
	maps.Copy(m, s.clockFuncs())
	maps.Copy(m, s.certificateFuncs())
	return m
}

// pick draws a number below n, n > 0. Both passes draw the same, and pass 1 takes the next one instead: so two passes
// differ in every draw with more than one outcome, as long as they draw in the same order.
func (s *Set) pick(n int) int {
	s.used = true
	return (s.draws.below(n) + s.pass) % n
}

// text is a string of n characters of an alphabet; none for a count below one, as sprig has it.
func (s *Set) text(n int, alphabet string) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[s.pick(len(alphabet))])
	}
	return b.String()
}

func (s *Set) ascii(n int) string {
	printable := make([]byte, 0, '~'-' '+1)
	for c := byte(' '); c <= '~'; c++ {
		printable = append(printable, c)
	}
	return s.text(n, string(printable))
}

func (s *Set) bytes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(s.pick(256))
	}
	return out
}

func (s *Set) base64(n int) (string, error) {
	if n < 0 {
		return "", errors.New("randBytes wants a count that is not negative")
	}
	return base64.StdEncoding.EncodeToString(s.bytes(n)), nil
}

func (s *Set) integer(low, high int) (int, error) {
	if high <= low {
		return 0, errors.New("randInt wants a maximum above its minimum")
	}
	return low + s.pick(high-low), nil
}

func (s *Set) shuffle(text string) string {
	runes := []rune(text)
	for i := len(runes) - 1; i > 0; i-- {
		j := s.draws.below(i + 1)
		runes[i], runes[j] = runes[j], runes[i]
	}
	if len(runes) > 1 {
		s.used = true
		runes = append(runes[s.pass:], runes[:s.pass]...)
	}
	return string(runes)
}

func (s *Set) uuid() string {
	hex := []byte(s.text(32, digits+"abcdef"))
	hex[12] = '4'
	hex[16] = "89ab"[s.pick(4)]
	return fmt.Sprintf("%s-%s-%s-%s-%s", hex[:8], hex[8:12], hex[12:16], hex[16:20], hex[20:])
}

// bcrypt has the form of a digest with sprig's cost; nothing in a template can test it against the password.
func (s *Set) bcrypt(password string) string {
	if len(password) > 72 {
		return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes"
	}
	return "$2a$10$" + s.text(53, "./"+upper+lower+digits)
}

func (s *Set) htpasswd(user, password string) string {
	if strings.Contains(user, ":") {
		return "invalid username: " + user
	}
	return user + ":" + s.bcrypt(password)
}

// keys and values come in the random order of a Go map out of sprig; most charts sort them, and then both passes agree.
func (s *Set) keys(dicts ...map[string]any) []string {
	out := []string{}
	for _, d := range dicts {
		out = append(out, s.order(d)...)
	}
	return out
}

func (s *Set) values(dict map[string]any) []any {
	out := []any{}
	for _, k := range s.order(dict) {
		out = append(out, dict[k])
	}
	return out
}

func (s *Set) order(dict map[string]any) []string {
	keys := slices.Sorted(maps.Keys(dict))
	if len(keys) > 1 {
		s.used = true
		if s.pass > 0 {
			slices.Reverse(keys)
		}
	}
	return keys
}

// lookup finds nothing, as it does under helm template, and notes the question.
func (s *Set) lookup(apiVersion, kind, namespace, name string) (map[string]any, error) {
	what := name
	if what == "" {
		what = "*"
	}
	if namespace != "" {
		what = namespace + "/" + what
	}
	s.lookups[apiVersion+"/"+kind+" "+what] = true
	return map[string]any{}, nil
}

// Lookups lists what templates asked the cluster for, sorted; nil for nothing.
func (s *Set) Lookups() []string {
	return slices.Sorted(maps.Keys(s.lookups))
}

// Used tells whether an answer was given that a real rendering would not repeat.
func (s *Set) Used() bool { return s.used }

// Refused says which question was not answered, or "".
func (s *Set) Refused() string { return s.refused }
