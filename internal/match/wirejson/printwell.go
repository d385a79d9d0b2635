package wirejson

import (
	"fmt"
	"math"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
)

func (w *printing) any(m *record) error {
	url, value := m.bytes(1), m.bytes(2)
	if len(m.values[1]) == 0 {
		if len(m.values[2]) == 0 {
			w.WriteString("{}")
			return nil
		}
		return fmt.Errorf("an Any without a type URL")
	}
	md, err := resolve(w.Types, string(url))
	if err != nil {
		return err
	}
	inner, err := decode(md, newReader(value), 0)
	if err != nil {
		return err
	}
	fields := w.fields(inner)
	n := 1 + len(fields)
	if IsWellKnown(md) {
		n = 2
	}
	return w.each("{", "}", n, nil, func(i int) error {
		switch {
		case i == 0:
			w.WriteString(`"@type"`)
			w.colon()
			w.quote(url)
			return nil
		case IsWellKnown(md):
			w.WriteString(`"value"`)
			w.colon()
			return w.message(inner)
		}
		return w.field(inner, fields[i-1])
	})
}

func (m *record) bytes(n protoreflect.FieldNumber) []byte {
	if v := m.values[n]; len(v) > 0 {
		b, _ := v[0].([]byte)
		return b
	}
	return nil
}

func (m *record) whole(n protoreflect.FieldNumber) int64 {
	fd := m.md.Fields().ByNumber(n)
	if v := m.values[n]; fd != nil && len(v) > 0 {
		if u, ok := v[0].(uint64); ok {
			signed, _, _ := whole(fd.Kind(), u)
			return signed
		}
	}
	return 0
}

func (w *printing) value(m *record) error {
	for n := protoreflect.FieldNumber(1); n <= 6; n++ {
		if len(m.values[n]) == 0 {
			continue
		}
		switch v := m.values[n][0].(type) {
		case *record:
			return w.message(v)
		case uint64:
			if f := math.Float64frombits(v); n == 2 && (math.IsNaN(f) || math.IsInf(f, 0)) {
				return fmt.Errorf("a Value that is no number")
			}
		}
		return w.well(m, n, w.first)
	}
	return nil
}

func (w *printing) time(m *record) error {
	seconds, nanos := m.whole(1), m.whole(2)
	fraction := ""
	if n := max(nanos, -nanos); n > 0 {
		fraction = fmt.Sprintf(".%09d", n)
		for strings.HasSuffix(fraction, "000") {
			fraction = strings.TrimSuffix(fraction, "000")
		}
	}
	if m.md.FullName() == timestampName {
		if seconds < minTimestamp || seconds > maxTimestamp || nanos < 0 || nanos > 999999999 {
			return fmt.Errorf("timestamp out of range")
		}
		w.WriteString(time.Unix(seconds, 0).UTC().Format(`"2006-01-02T15:04:05`) + fraction + `Z"`)
		return nil
	}
	if max(seconds, -seconds) > maxDuration || max(nanos, -nanos) > 999999999 || seconds*nanos < 0 && (seconds < 0) != (nanos < 0) {
		return fmt.Errorf("duration out of range")
	}
	sign := ""
	if seconds < 0 || nanos < 0 {
		sign = "-"
	}
	fmt.Fprintf(w, `"%s%d%ss"`, sign, max(seconds, -seconds), fraction)
	return nil
}

// mask prints the paths of a FieldMask in lowerCamelCase, and what is none as it stands.
func (w *printing) mask(m *record) error {
	w.WriteByte('"')
	for i, v := range m.values[1] {
		if i > 0 {
			w.WriteByte(',')
		}
		path, _ := v.([]byte)
		under := false
		for _, c := range path {
			lower := c >= 'a' && c <= 'z'
			switch {
			case lower && under:
				w.WriteByte(c - 'a' + 'A')
			case lower, c >= '0' && c <= '9', c == '.':
				w.WriteByte(c)
			case c == '_':
				under = true
				continue
			default:
				if under {
					w.WriteByte('_')
				}
				w.WriteByte(c)
			}
			under = false
		}
	}
	w.WriteByte('"')
	return nil
}
