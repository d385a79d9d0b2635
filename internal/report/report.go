// Package report prints a report: one file a format.
//
// In goes a diag.Report and a writer, out come bytes that depend on nothing else: no clock, no terminal, no environment.
// It refuses to decide what matters: what is not to be printed is not in the report.
package report

import (
	"fmt"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
)

// Format names an output format.
type Format string

// The formats of reports.
const (
	Text Format = "text"
	JSON Format = "json"
)

// Formats are the formats in the order of the help text.
func Formats() []Format { return []Format{Text, JSON} }

// Options choose how much is printed.
type Options struct {
	Units bool // list the units, in formats for people
}

// Write prints a report in a format.
func Write(w io.Writer, f Format, r diag.Report, o Options) error {
	switch f {
	case Text:
		return writeText(w, r, o)
	case JSON:
		return writeJSON(w, r)
	}
	return fmt.Errorf("unknown format %q", f)
}
