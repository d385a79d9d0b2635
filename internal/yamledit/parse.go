package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var bom = []byte("\xef\xbb\xbf")

// Parse reads a stream of documents. The error is a *Refusal: the text is not YAML, or is YAML that cannot be located byte by byte.
func Parse(data []byte) (*File, error) {
	if r := unreadable(data); r != nil {
		return nil, r
	}
	roots, err := parseNodes(data)
	if err != nil {
		if line, ok := templated(data); ok {
			return nil, templateRefusal(line)
		}
		return nil, &Refusal{lineOf(err), "the text is not valid YAML: " + err.Error(), "correct it first"}
	}
	s, docs := scan(data, roots)
	f := &File{text: data, docs: docs, remarks: s.remarks, aliases: s.aliases}
	if s.template {
		return nil, templateRefusal(f.line(s.templateAt))
	} else if s.failed != nil {
		return nil, &Refusal{f.line(*s.failed), "the text is written in a way that cannot be located byte by byte", "edit this file by hand"}
	} else if line, ok := controlComment(f); ok {
		return nil, templateRefusal(line)
	}
	return f, nil
}

func scan(data []byte, roots []*yaml.Node) (*scanner, []*document) {
	s := &scanner{text: data}
	if bytes.HasPrefix(data, bom) {
		s.pos = len(bom)
	}
	var docs []*document
	for _, root := range roots {
		docs = append(docs, s.document(root))
		if s.failed != nil {
			return s, docs
		}
	}
	if s.space(); s.pos < len(data) {
		s.fail(s.pos)
	}
	return s, docs
}

// unreadable refuses what the parser would take but whose bytes, lines and columns do not mean what they seem to.
func unreadable(data []byte) *Refusal {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.IndexByte(data, 0) >= 0 {
		return &Refusal{1, "the file is UTF-16, UTF-32 or binary", "save it as UTF-8 first"}
	}
	body := bytes.TrimPrefix(data, bom)
	line := 1
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &Refusal{line, "the file is not valid UTF-8", "save it as UTF-8 first"}
		case r == '\r' && !bytes.HasPrefix(body[i:], []byte("\r\n")), r == 0x85, r == 0x2028, r == 0x2029, r == 0xfeff:
			return &Refusal{line, fmt.Sprintf("the file has the unusual line break or mark U+%04X", r), "replace it by an escape or an ordinary line end first"}
		case r == '\n':
			line++
		}
		i += size
	}
	return nil
}

func parseNodes(data []byte) (roots []*yaml.Node, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for err == nil {
		var n yaml.Node
		if err = guarded(func() error { return dec.Decode(&n) }); err == nil {
			roots = append(roots, &n)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return roots, err
}

// guarded turns a panic of the YAML library, which odd input can cause, into an error.
func guarded(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the YAML library gave up: %v", p)
		}
	}()
	return call()
}

var lineInError = regexp.MustCompile(`line (\d+):`)

func lineOf(err error) int {
	if m := lineInError.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits by the pattern; too many of them leave the largest int
		return n
	}
	return 0
}
