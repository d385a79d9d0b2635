// Package wirejson translates between JSON and protobuf's wire format exactly as Envoy's gRPC-JSON transcoder does, faults
// and leniencies included: requests by the rules of proto-converter (protostream_objectwriter.cc, datapiece.cc,
// json_stream_parser.cc), answers by those of protobuf 22 and later (json/internal/untyped_message.cc, unparser.cc).
//
// In go a message type, bytes, and the types that an Any may name; out come bytes or an error. Any input is allowed, and
// none panics. What protobuf's Go library does differently (protojson is stricter on the way in and more forgiving on the
// way out) is the reason for this package. It refuses to know of HTTP, of routes and of servers.
package wirejson

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind says what a [Value] is.
type Kind int

// The kinds of values. A number keeps how it was written: whole, negative, or with a point or exponent.
const (
	Null Kind = iota
	Bool
	String
	Uint
	Int
	Double
	List
	Object
)

// Value is one JSON value. Only the field that belongs to the kind is set.
type Value struct {
	Kind   Kind
	Bool   bool
	Text   string
	Uint   uint64
	Int    int64
	Double float64
	Items  []Value
	Fields []Field // in the order of the text; names may repeat
}

// Field is one entry of an object.
type Field struct {
	Name  string
	Value Value
}

// maxDepth is the depth of nesting over which Envoy's JSON parser gives up.
const maxDepth = 100

// Parse reads what Envoy's parser takes for JSON: also trailing commas, single quotes and bare keys.
func Parse(text []byte) (Value, error) {
	if !utf8.Valid(text) {
		return Value{}, fmt.Errorf("not UTF-8")
	}
	p := &parser{rest: string(text)}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.rest != "" {
		return Value{}, fmt.Errorf("text after the end")
	}
	return v, nil
}

type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\n\v\f\r") }

// next is the first byte of the next token, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) value(depth int) (Value, error) {
	c := p.next()
	switch {
	case c == '{' && depth < maxDepth:
		return p.object(depth + 1)
	case c == '[' && depth < maxDepth:
		return p.list(depth + 1)
	case c == '{' || c == '[':
		return Value{}, fmt.Errorf("nested deeper than %d levels", maxDepth)
	case c == '"' || c == '\'':
		s, err := p.text()
		return Value{Kind: String, Text: s}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for word, v := range map[string]Value{"true": {Kind: Bool, Bool: true}, "false": {Kind: Bool}, "null": {}} {
		if rest, ok := strings.CutPrefix(p.rest, word); ok {
			p.rest = rest
			return v, nil
		}
	}
	return Value{}, fmt.Errorf("expected a value")
}

func (p *parser) object(depth int) (Value, error) {
	v := Value{Kind: Object}
	p.rest = p.rest[1:]
	for {
		switch c := p.next(); {
		case c == '}':
			p.rest = p.rest[1:]
			return v, nil
		case c == 0:
			return v, fmt.Errorf("object without end")
		}
		name, err := p.key()
		if err != nil {
			return v, err
		}
		if p.next() != ':' {
			return v, fmt.Errorf("expected : after a key")
		}
		p.rest = p.rest[1:]
		inner, err := p.value(depth)
		if err != nil {
			return v, err
		}
		v.Fields = append(v.Fields, Field{name, inner})
		switch p.next() {
		case ',':
			p.rest = p.rest[1:]
		case '}':
		default:
			return v, fmt.Errorf("expected , or } after a value")
		}
	}
}

func (p *parser) key() (string, error) {
	if c := p.next(); c == '"' || c == '\'' {
		return p.text()
	}
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if n < 0 {
		n = len(p.rest)
	}
	name := p.rest[:n]
	if name == "" || name[0] >= '0' && name[0] <= '9' || name == "true" || name == "false" || name == "null" {
		return "", fmt.Errorf("expected an object key")
	}
	p.rest = p.rest[n:]
	return name, nil
}

func (p *parser) list(depth int) (Value, error) {
	v := Value{Kind: List}
	p.rest = p.rest[1:]
	for {
		switch p.next() {
		case ']':
			p.rest = p.rest[1:]
			return v, nil
		case 0:
			return v, fmt.Errorf("array without end")
		}
		item, err := p.value(depth)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
		switch p.next() {
		case ',':
			p.rest = p.rest[1:]
		case ']':
		default:
			return v, fmt.Errorf("expected , or ] after a value")
		}
	}
}

func (p *parser) text() (string, error) {
	quote := p.rest[0]
	p.rest = p.rest[1:]
	var b strings.Builder
	for p.rest != "" {
		c := p.rest[0]
		switch {
		case c == quote:
			p.rest = p.rest[1:]
			return b.String(), nil
		case c != '\\':
			b.WriteByte(c)
			p.rest = p.rest[1:]
		case len(p.rest) > 1 && p.rest[1] == 'u':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		case len(p.rest) > 1:
			if i := strings.IndexByte("bfnrtv", p.rest[1]); i >= 0 {
				b.WriteByte("\b\f\n\r\t\v"[i])
			} else {
				b.WriteByte(p.rest[1])
			}
			p.rest = p.rest[2:]
		default:
			return "", fmt.Errorf("text without end")
		}
	}
	return "", fmt.Errorf("text without end")
}

// escape reads \uXXXX, and a second one behind a high surrogate.
func (p *parser) escape() (rune, error) {
	unit := func() (rune, error) {
		if len(p.rest) < 6 || p.rest[:2] != `\u` {
			return 0, fmt.Errorf("bad escape")
		}
		n, err := strconv.ParseUint(p.rest[2:6], 16, 16)
		if err != nil {
			return 0, fmt.Errorf("bad escape")
		}
		p.rest = p.rest[6:]
		return rune(n), nil
	}
	r, err := unit()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	low, err := unit()
	if err != nil {
		return 0, err
	}
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, fmt.Errorf("bad escape")
	}
	return r, nil
}

func (p *parser) number() (Value, error) {
	n := strings.IndexFunc(p.rest, func(r rune) bool { return (r < '0' || r > '9') && !strings.ContainsRune(".eE+-x", r) })
	if n < 0 {
		n = len(p.rest)
	}
	text := p.rest[:n]
	p.rest = p.rest[n:]
	digits := strings.TrimPrefix(text, "-")
	if !strings.ContainsAny(text, ".eE") {
		if len(digits) > 1 && digits[0] == '0' {
			return Value{}, fmt.Errorf("number with a leading zero")
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return Value{Kind: Uint, Uint: u}, nil
		}
		if i, err := strconv.ParseInt(text, 10, 64); err == nil && text[0] == '-' {
			return Value{Kind: Int, Int: i}, nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || strings.Contains(text, "x") {
		return Value{}, fmt.Errorf("bad number")
	}
	return Value{Kind: Double, Double: f}, nil
}
