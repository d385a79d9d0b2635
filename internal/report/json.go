package report

import (
	"io"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// writeJSON prints the document that docs/schema/report.json describes.
func writeJSON(w io.Writer, r diag.Report) error {
	return lines.WriteJSON(w, r)
}
