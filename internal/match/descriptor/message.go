package descriptor

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// message reads one message in protobuf's JSON form. Each key is taken once; what nobody took is unknown. The first fault
// is kept in err, and reading goes on with zero values.
type message struct {
	path   string // "" for the top, else "print_options."
	fields map[string]any
	err    error
}

func newMessage(path string, fields map[string]any) *message {
	m := &message{path: path, fields: make(map[string]any, len(fields))}
	for k, v := range fields {
		m.fields[k] = v
	}
	return m
}

func (m *message) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// take removes a field under its original or its JSON name and returns its value; null counts as not set.
func (m *message) take(name string) any {
	v, snake := m.fields[name]
	delete(m.fields, name)
	if other := camel(name); other != name {
		w, ok := m.fields[other]
		delete(m.fields, other)
		if ok && snake {
			m.fail("%s%s is set twice, also as %s", m.path, name, other)
		}
		if ok {
			v = w
		}
	}
	return v
}

func (m *message) unknown() []string {
	var out []string
	for k := range m.fields {
		out = append(out, m.path+k)
	}
	slices.Sort(out)
	return out
}

func (m *message) text(name string) string {
	switch v := m.take(name).(type) {
	case nil:
	case string:
		return v
	default:
		m.fail("%s%s is not a string", m.path, name)
	}
	return ""
}

func (m *message) texts(name string) []string {
	v := m.take(name)
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		m.fail("%s%s is not a list", m.path, name)
	}
	var out []string
	for i, e := range list {
		s, ok := e.(string)
		if !ok {
			m.fail("%s%s[%d] is not a string", m.path, name, i)
		}
		out = append(out, s)
	}
	return out
}

// bytes gives nil for a field that is not set and an empty slice for an empty one.
func (m *message) bytes(name string) []byte {
	v := m.take(name)
	if v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		m.fail("%s%s is not a string of base64", m.path, name)
		return nil
	}
	raw, err := decodeBase64(s)
	if err != nil {
		m.fail("%s%s %w", m.path, name, err)
		return nil
	}
	return raw
}

// flag takes true and false, as text too: the parser of older releases of Envoy does.
func (m *message) flag(name string) bool {
	switch v := m.take(name); v {
	case nil, false, "false":
	case true, "true":
		return true
	default:
		m.fail("%s%s is not a boolean", m.path, name)
	}
	return false
}

// enum takes a name or a number and gives the name; the first value is the default.
func (m *message) enum(name string, values []string) string {
	v := m.take(name)
	if v == nil {
		return values[0]
	}
	if s, ok := v.(string); ok && slices.Contains(values, s) {
		return s
	}
	if n, ok := whole(v); ok && n < uint64(len(values)) {
		return values[n]
	}
	m.fail("%s%s is none of %s", m.path, name, strings.Join(values, ", "))
	return values[0]
}

// size reads a google.protobuf.UInt32Value.
func (m *message) size(name string) *uint32 {
	v := m.take(name)
	if v == nil {
		return nil
	}
	n, ok := whole(v)
	if !ok || n > math.MaxUint32 {
		m.fail("%s%s is not a number from 0 to %d", m.path, name, uint32(math.MaxUint32))
		return nil
	}
	size := uint32(n)
	return &size
}

func (m *message) message(name string) *message {
	v := m.take(name)
	fields, ok := v.(map[string]any)
	if v != nil && !ok {
		m.fail("%s%s is not an object", m.path, name)
	}
	return newMessage(m.path+name+".", fields)
}

// whole reads a whole number that is not negative, also one written as 1e3, 8.0 or "8", as protobuf's JSON form allows.
func whole(v any) (uint64, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return 0, false
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || f < 0 || f > math.MaxUint32 {
		return 0, false
	}
	return uint64(f), true
}

// camel turns a field's original name into its JSON name.
func camel(name string) string {
	var b strings.Builder
	up := false
	for _, r := range name {
		switch {
		case r == '_':
			up = true
		case up:
			b.WriteString(strings.ToUpper(string(r)))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
