package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode"

	"github.com/syncproof/syncproof/internal/object"
)

// A file is cut as Kubernetes' reader cuts it, which is not what the YAML specification says: a line that begins with
// three dashes separates documents, wherever it stands; nothing but a comment may follow on it; a directive before the
// first separator is a document of its own, and therefore an error; after "..." the rest of a document is ignored. A file
// that begins with a brace is read as a stream of JSON values until one fails.

// chunk is one document before it is read.
type chunk struct {
	text []byte
	line int  // the line of the file that text begins on, from 1
	json bool // text is one JSON value
}

// jsonWindow is how far Kubernetes' reader looks for the opening brace.
const jsonWindow = 4096

// split gives the documents up to the first place that cannot be cut, and the error for that place. The content has no
// byte order mark and ends its lines with \n alone.
func split(content []byte) ([]chunk, *Error) {
	if !opensWithBrace(content[:min(len(content), jsonWindow)]) {
		return cut(content, 1)
	}
	var chunks []chunk
	d := json.NewDecoder(bytes.NewReader(content))
	for {
		var raw json.RawMessage
		before := int(d.InputOffset())
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return chunks, nil
		}
		if err == nil && isObject(raw) {
			start := int(d.InputOffset()) - len(raw)
			chunks = append(chunks, chunk{text: raw, line: lineAt(content, start), json: true})
			continue
		}
		if len(chunks) > 1 {
			return chunks, &Error{Line: lineAt(content, before), Reason: "neither a JSON object with a kind nor YAML"}
		}
		// Not JSON after all, or YAML after one JSON value.
		at, ok := resume(content, before)
		if !ok {
			return chunks, &Error{Line: lineAt(content, before), Reason: "a JSON value is followed by text that is none"}
		}
		more, failed := cut(content[at:], lineAt(content, at))
		return append(chunks, more...), failed
	}
}

// single gives the one value that a file named .json may hold.
func single(content []byte) ([]chunk, *Error) {
	d := json.NewDecoder(bytes.NewReader(content))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		_, reason := Explain(err)
		var at *json.SyntaxError
		if errors.As(err, &at) {
			return nil, &Error{Line: lineAt(content, int(min(at.Offset, int64(len(content))))), Reason: reason}
		}
		return nil, &Error{Line: lineAt(content, len(content)), Reason: "the JSON ends too early: " + reason}
	}
	end := int(d.InputOffset())
	if d.More() {
		at := end + len(content[end:]) - len(bytes.TrimSpace(content[end:]))
		return nil, &Error{Line: lineAt(content, at), Reason: "a file named .json may hold one object only"}
	}
	return []chunk{{text: raw, line: lineAt(content, end-len(raw)), json: true}}, nil
}

// isObject tells whether a JSON value can be an object of Kubernetes; null counts as an empty document.
func isObject(raw json.RawMessage) bool {
	fields, err := object.Decode(raw)
	return err == nil && (fields == nil || object.String(fields, "kind") != "")
}

func opensWithBrace(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeftFunc(b, unicode.IsSpace), []byte("{"))
}

// resume is where YAML begins after a JSON value: behind white space, up to and with the first line break. Kubernetes'
// reader looks at four bytes at a time and gives up when fewer are left.
func resume(content []byte, offset int) (int, bool) {
	for i, r := range string(content[offset:]) {
		if unicode.IsSpace(r) && r != '\n' {
			continue
		}
		at := offset + i
		if len(content)-at < 4 {
			return 0, false
		}
		if r == '\n' {
			at++
		}
		return at, true
	}
	return 0, false
}

// lineAt is the line of a byte offset, from 1.
func lineAt(content []byte, offset int) int {
	return 1 + bytes.Count(content[:offset], []byte("\n"))
}

// cut separates YAML documents; line is the line of the file that content begins on. A separator with nothing before it
// stays with what follows.
func cut(content []byte, line int) ([]chunk, *Error) {
	var chunks []chunk
	var text []byte
	start := line
	for ; len(content) > 0; line++ {
		end := bytes.IndexByte(content, '\n') + 1
		if end == 0 {
			end = len(content)
		}
		current := content[:end]
		content = content[end:]
		if rest, ok := bytes.CutPrefix(current, []byte("---")); ok {
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' {
				return chunks, &Error{Line: line, Reason: "a document separator is followed by text on the same line"}
			}
			if len(text) > 0 {
				chunks = append(chunks, chunk{text: text, line: start})
				text = nil
				continue
			}
		}
		if len(text) == 0 {
			start = line
		}
		text = append(text, current...)
	}
	if len(text) > 0 {
		if text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		chunks = append(chunks, chunk{text: text, line: start})
	}
	return chunks, nil
}

// firstLine is the line of the file on which the document's content begins: after comments, blank lines, directives and
// a separator. It is the chunk's own line if there is no content.
func (c chunk) firstLine() int {
	line := c.line
	for text := c.text; len(text) > 0; line++ {
		current, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		trimmed := bytes.TrimSpace(current)
		switch {
		case len(trimmed) == 0, trimmed[0] == '#', bytes.HasPrefix(current, []byte("%")), bytes.HasPrefix(current, []byte("---")):
		default:
			return line
		}
	}
	return c.line
}
