package transcode

import (
	"slices"
	"strings"
)

// unescape decodes percent escapes, except those of the characters in keep.
func unescape(s, keep string, plus bool) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+' && plus:
			b.WriteByte(' ')
		case s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			c := fromHex(s[i+1])<<4 | fromHex(s[i+2])
			if strings.IndexByte(keep, c) >= 0 {
				b.WriteString(s[i : i+3])
			} else {
				b.WriteByte(c)
			}
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// reserved are the characters of RFC 6570 that url_unescape_spec leaves escaped by default.
const reserved = "!#$&'()*+,/:;=?@[]"

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func fromHex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// bound is a value from the path or the query for a field path.
type bound struct {
	path  []string
	value string
}

// fromPath gives what the variables of a template take. Only a variable of one segment is decoded wholly.
func (t *template) fromPath(parts []string, keep string) []bound {
	var out []bound
	for _, v := range t.variables {
		end := v.end
		if end < 0 {
			end += len(parts) + 1
		}
		end = max(min(end, len(parts)), v.start)
		k := ""
		if end-v.start > 1 || v.end < 0 {
			k = keep
		}
		var values []string
		for _, part := range parts[min(v.start, len(parts)):end] {
			values = append(values, unescape(part, k, false))
		}
		out = append(out, bound{v.path, strings.Join(values, "/")})
	}
	return out
}

func fromQuery(query string, ignored []string, plus bool) []bound {
	var out []bound
	for param := range strings.SplitSeq(query, "&") {
		name, value, ok := strings.Cut(param, "=")
		if !ok || name == "" || slices.Contains(ignored, name) {
			continue
		}
		out = append(out, bound{strings.Split(name, "."), unescape(value, "", plus)})
	}
	return out
}
