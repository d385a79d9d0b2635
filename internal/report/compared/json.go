package compared

import (
	"io"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/lines"
)

// writeJSON prints the document that docs/schema/pair.json describes.
func writeJSON(w io.Writer, d diag.Pair) error {
	return lines.WriteJSON(w, d)
}
