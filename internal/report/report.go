// Package report prints a report: one file a format.
//
// In goes a diag.Report and a writer, out come bytes that depend on nothing else: no clock, no terminal, no environment.
// It refuses to decide what matters: what is not to be printed is not in the report.
package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// Format names an output format.
type Format string

// The formats of reports.
const (
	Text     Format = "text"
	JSON     Format = "json"
	Markdown Format = "markdown" // for comments on a change
)

// Formats are the formats in the order of the help text.
func Formats() []Format { return []Format{Text, JSON, Markdown} }

// Options choose how much is printed.
type Options struct {
	Full   bool // the routes, in formats for people; every way to harm step by step, and no list is cut, in text
	Units  bool // list the units, in formats for people
	Colour bool // of verdicts, in text: for a terminal
}

// Write prints a report in a format.
func Write(w io.Writer, f Format, r diag.Report, o Options) error {
	var out bytes.Buffer
	var err error
	switch f {
	case Text:
		err = writeText(&out, r, o)
	case JSON:
		err = writeJSON(&out, r)
	case Markdown:
		err = writeMarkdown(&out, r, o)
	default:
		err = fmt.Errorf("unknown format %q", f)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(Redact(out.Bytes()))
	return err
}

// Redact takes out of a printed text what must not be printed wherever it stands.
func Redact(text []byte) []byte { return lines.Redact(text) }

// Line makes one printable line of a text that may hold anything.
func Line(s string) string { return lines.Clean(string(Redact([]byte(s)))) }
