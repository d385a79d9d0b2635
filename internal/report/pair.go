package report

import (
	"fmt"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
)

// Markdown is a format of [WritePair], for comments on a change.
const Markdown Format = "markdown"

// PairFormats are the formats of comparisons in the order of the help text.
func PairFormats() []Format { return []Format{Text, JSON, Markdown} }

// WritePair prints a comparison of two releases in a format.
func WritePair(w io.Writer, f Format, d diag.Pair) error {
	switch f {
	case Text:
		return writePairText(w, d)
	case JSON:
		return writePairJSON(w, d)
	case Markdown:
		return writePairMarkdown(w, d)
	}
	return fmt.Errorf("unknown format %q", f)
}
