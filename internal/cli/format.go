package cli

import (
	"io"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/html"
)

// formats are those of what scan, check and explain print, in the order of the help text.
func formats() []report.Format { return append(report.Formats(), html.Format) }

// write prints a report in one of them.
func write(w io.Writer, f report.Format, r diag.Report, o report.Options) error {
	if f == html.Format {
		return html.Write(w, r)
	}
	return report.Write(w, f, r, o)
}
