package redact

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Bounds of what a message may cost and be.
const (
	maxForms   = 50_000 // spellings of secrets; beyond that the messages are withheld
	maxMessage = 600    // bytes of one message
	withheld   = "the engine's message is withheld: it could quote one of very many secrets"
)

// Gaps makes the gaps of a rendering fit to leave the process: one line each, of bounded length, and without a secret that
// stands in the request or in one of the files that were read (contents by name). Engines quote values in their errors
// (fail, required, YAML errors with the line, generators with the literal), so this goes by content, not by engine. The
// given gaps are not changed.
func Gaps(gaps []diag.Gap, req unit.Request, files map[string][]byte) []diag.Gap {
	if len(gaps) == 0 {
		return gaps
	}
	found := collect(req, files)
	for _, word := range public(gaps, req) {
		delete(found.found, word)
	}
	s := newScrubber(found)
	clean := slices.Clone(gaps)
	for i := range clean {
		clean[i].Message = s.scrub(clean[i].Message)
		clean[i].Close = s.scrub(clean[i].Close)
	}
	return clean
}

// public are the words that the gaps show anyway: what is called like its own Application or directory is no secret, and
// redacting it would make paths useless.
func public(gaps []diag.Gap, req unit.Request) []string {
	words := append(strings.Split(req.Source.Path, "/"), req.Name, req.Namespace)
	for _, g := range gaps {
		words = append(words, strings.Split(g.At.File, "/")...)
	}
	return words
}

// scrubber replaces secrets in messages.
type scrubber struct {
	words    map[string]bool // secrets that are plain words, redacted only where they stand alone
	plain    []string        // the secrets, longest first
	coded    []string        // what base64 that holds one of them contains
	replacer *strings.Replacer
	tooMany  bool
}

func newScrubber(s *secrets) *scrubber {
	out := &scrubber{words: map[string]bool{}}
	forms := map[string]bool{}
	for text := range s.found {
		if plainWord.MatchString(text) {
			out.words[text] = true
			out.coded = append(out.coded, insideBase64(text)...)
			continue
		}
		out.plain = append(out.plain, text)
		out.coded = append(out.coded, insideBase64(text)...)
		for _, f := range spellings(text) {
			if len(f) >= shortest {
				forms[f] = true
			}
		}
		if len(forms)+len(out.coded) > maxForms {
			return &scrubber{tooMany: true}
		}
	}
	longestFirst(out.plain)
	all := make([]string, 0, len(forms))
	for f := range forms {
		all = append(all, f)
	}
	longestFirst(all)
	pairs := make([]string, 0, 2*len(all))
	for _, f := range all {
		pairs = append(pairs, f, object.Redacted)
	}
	out.replacer = strings.NewReplacer(pairs...)
	return out
}

func longestFirst(list []string) {
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
}

// spellings are the forms in which a value may be quoted: as it is, on one line, escaped for Go, JSON, YAML and URLs.
func spellings(text string) []string {
	return []string{
		text,
		strings.Join(strings.Fields(text), " "),
		strings.Trim(strconv.Quote(text), `"`),
		strings.Trim(string(encoded(text)), `"`),
		strings.ReplaceAll(text, "'", "''"),
		url.QueryEscape(text),
	}
}

// insideBase64 is what base64 contains that holds a text: the characters that depend on nothing before or behind it, for
// the three offsets at which it may stand, in both alphabets.
func insideBase64(text string) []string {
	var out []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for lead := range 3 {
			code := enc.EncodeToString([]byte(strings.Repeat("x", lead) + text))
			if inner := code[(lead*8+5)/6 : (lead+len(text))*8/6]; len(inner) >= shortest {
				out = append(out, inner)
			}
		}
	}
	return out
}

// base64Run is a stretch that may be base64.
var base64Run = regexp.MustCompile(`[A-Za-z0-9+/_-]{4,}=*`)

// credentials are those of a URL.
var credentials = regexp.MustCompile(`://[^/@\s"']+@`)

// plainWord is a value that is as likely a word of a message as a secret: a part of a name or a host is not redacted for it.
var plainWord = regexp.MustCompile(`^[a-z]{4,11}$`)

// token is a stretch that a plain word must fill to count.
var token = regexp.MustCompile(`[A-Za-z0-9_-]+`)

// withoutWords redacts plain words that stand alone.
func (s *scrubber) withoutWords(message string) string {
	return token.ReplaceAllStringFunc(message, func(t string) string {
		if s.words[t] {
			return object.Redacted
		}
		return t
	})
}

// withoutBase64 redacts whole stretches, since the characters at the ends of what was found say something too.
func (s *scrubber) withoutBase64(message string) string {
	return base64Run.ReplaceAllStringFunc(message, func(run string) string {
		if slices.ContainsFunc(s.coded, func(c string) bool { return strings.Contains(run, c) }) {
			return object.Redacted
		}
		return run
	})
}

// scrub cleans one message.
func (s *scrubber) scrub(message string) string {
	if message == "" {
		return ""
	}
	if s.tooMany {
		return withheld
	}
	message = credentials.ReplaceAllString(message, "://"+object.Redacted+"@")
	message = s.withoutWords(s.withoutBase64(s.replacer.Replace(message)))
	message = oneLine(message)
	message = s.replacer.Replace(message) // joined lines may read as a secret only now
	message = s.beginnings(message)
	if len(message) > maxMessage {
		message = s.beginnings(strings.ToValidUTF8(message[:maxMessage], "") + "…")
	}
	return message
}

// beginnings redacts secrets of which only the beginning is left, as where an engine cut a text: before an ellipsis and at
// the end of the message.
func (s *scrubber) beginnings(message string) string {
	var out strings.Builder
	rest := message
	for rest != "" {
		i, mark := nextCut(rest)
		out.WriteString(s.withoutBeginning(rest[:i]))
		out.WriteString(mark)
		rest = rest[i+len(mark):]
	}
	return out.String()
}

// nextCut finds the next ellipsis, or the end.
func nextCut(text string) (at int, mark string) {
	at = len(text)
	for _, m := range []string{"...", "…"} {
		if i := strings.Index(text, m); i >= 0 && i < at {
			at, mark = i, m
		}
	}
	return at, mark
}

// withoutBeginning redacts the longest end of text that a secret begins with.
func (s *scrubber) withoutBeginning(text string) string {
	best := 0
	for _, secret := range s.plain {
		for n := min(len(secret), len(text)); n >= shortest && n > best; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				best = n
				break
			}
		}
	}
	if best == 0 {
		return text
	}
	return text[:len(text)-best] + object.Redacted
}

// oneLine replaces line breaks and control characters by single blanks.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "?")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
