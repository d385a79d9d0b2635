package lines_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/report/lines"
)

// TestWriteJSON: a document means what it meant, and has nothing in it that acts on a terminal.
func TestWriteJSON(t *testing.T) {
	for text, want := range map[string]string{
		"plain <a> & \"b\"":         `"plain <a> & \"b\""`,
		"caf\u00e9 \U0001f600":      "\"caf\u00e9 \U0001f600\"",
		"\x1b[2J\a\x00":             `"\u001b[2J\u0007\u0000"`,
		"\u009b2J\x7f":              `"\u009b2J\u007f"`,
		"\u202egnp.exe\u2066":       `"\u202egnp.exe\u2066"`,
		"line\nline\r\u2028 \u0085": `"line\nline\r\u2028 \u0085"`,
		"bytes \xff\xc3":            `"bytes \ufffd\ufffd"`,
	} {
		var b strings.Builder
		if err := lines.WriteJSON(&b, map[string]string{"k": text}); err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSuffix(strings.TrimPrefix(b.String(), "{\n  \"k\": "), "\n}\n")
		if got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back["k"] != strings.ToValidUTF8(strings.ReplaceAll(text, "\xff\xc3", "\ufffd\ufffd"), "\ufffd") {
			t.Errorf("%q comes back as %q, %v", text, back["k"], err)
		}
	}
}
