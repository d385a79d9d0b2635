package report

import (
	"encoding/json"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
)

// writeJSON prints the document that docs/schema/report.json describes.
func writeJSON(w io.Writer, r diag.Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
