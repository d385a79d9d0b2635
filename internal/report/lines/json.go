package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// WriteJSON prints a document. Control characters that JSON lets stand, DEL and those of ISO 6429, and marks that turn text
// around are escaped as well: a document that is looked at on a terminal moves nothing there.
func WriteJSON(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped is a document whose strings hold no such characters: outside of strings JSON has none but line feeds.
func escaped(document []byte) []byte {
	out := make([]byte, 0, len(document))
	for len(document) > 0 {
		r, size := utf8.DecodeRune(document)
		if r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, document[:size]...)
		}
		document = document[size:]
	}
	return out
}
