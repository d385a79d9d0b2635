package report

import (
	"encoding/json"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
)

// writePairJSON prints the document that docs/schema/pair.json describes.
func writePairJSON(w io.Writer, d diag.Pair) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
