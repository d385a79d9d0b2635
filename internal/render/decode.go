package render

import (
	"fmt"
	"unicode/utf8"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/unit"
)

// maxText bounds a message of a gap, in bytes. A worker keeps to less by itself.
const maxText = 2000

// decode reads what a worker rendered.
func decode(done worker.Done, body []byte) (unit.Rendering, error) {
	r := unit.Rendering{Tool: done.Tool, Gaps: done.Gaps, Lookups: done.Lookups, Notes: done.Notes, Revision: done.Revision}
	if len(done.Objects) > maxObjects {
		return unit.Rendering{}, fmt.Errorf("%d objects, more than %d", len(done.Objects), maxObjects)
	}
	for _, d := range done.Objects {
		raw, rest, err := worker.Cut(body, d.Length)
		if err != nil {
			return unit.Rendering{}, err
		}
		body = rest
		fields, err := object.Decode(raw)
		if err != nil || fields == nil {
			return unit.Rendering{}, fmt.Errorf("object %s is no mapping", d.ID)
		}
		r.Objects = append(r.Objects, object.Object{
			ID:       d.ID,
			Version:  d.Version,
			Fields:   fields,
			Origin:   d.Origin,
			Unstable: d.Unstable,
		})
	}
	if len(body) > 0 {
		return unit.Rendering{}, fmt.Errorf("%d bytes too many", len(body))
	}
	for _, g := range r.Gaps {
		if !plainText(g) {
			return unit.Rendering{}, fmt.Errorf("a gap of %d bytes", len(g.Message)+len(g.Close))
		}
	}
	return r, nil
}

func plainText(g diag.Gap) bool {
	for _, text := range []string{g.Message, g.Close} {
		if len(text) > maxText || !utf8.ValidString(text) {
			return false
		}
	}
	return true
}
