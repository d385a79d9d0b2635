// Package compared prints a comparison of two releases of an API: one file a format.
//
// In goes a diag.Pair and a writer, out come bytes that depend on nothing else. It refuses to judge: what is safe is in the
// comparison.
package compared

import (
	"bytes"
	"fmt"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
)

// Formats are the formats in the order of the help text.
func Formats() []report.Format { return []report.Format{report.Text, report.JSON, report.Markdown} }

// Write prints a comparison in a format.
func Write(w io.Writer, f report.Format, d diag.Pair) error {
	var out bytes.Buffer
	var err error
	switch f {
	case report.Text:
		err = writeText(&out, d)
	case report.JSON:
		err = writeJSON(&out, d)
	case report.Markdown:
		err = writeMarkdown(&out, d)
	default:
		err = fmt.Errorf("unknown format %q", f)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(report.Redact(out.Bytes()))
	return err
}
