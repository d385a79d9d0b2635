package worker

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/redact"
	"github.com/syncproof/syncproof/internal/unit"
)

// maxObject is more than any API server takes for one object, in bytes of JSON (etcd refuses 1.5 MiB).
const maxObject = 4 << 20

// oversized is an object that no cluster could hold.
type oversized struct {
	id   object.ID
	size int
}

func (e *oversized) Error() string {
	return fmt.Sprintf("%s has %d bytes, more than any API server takes", e.id, e.size)
}

// encode seals a rendering and writes it down for the parent.
func encode(key []byte, r unit.Rendering) (Done, []byte, error) {
	done := Done{Tool: r.Tool, Gaps: r.Gaps, Lookups: r.Lookups, Notes: r.Notes, Revision: r.Revision}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	for _, o := range r.Objects {
		o = redact.Seal(key, o)
		start := body.Len()
		if err := enc.Encode(o.Fields); err != nil {
			return Done{}, nil, fmt.Errorf("%s: %w", o.ID, err)
		}
		if size := body.Len() - start; size > maxObject {
			return Done{}, nil, &oversized{o.ID, size}
		}
		done.Objects = append(done.Objects, Document{
			ID:       o.ID,
			Version:  o.Version,
			Origin:   o.Origin,
			Unstable: o.Unstable,
			Length:   int64(body.Len() - start),
		})
	}
	return done, body.Bytes(), nil
}

// lost is the rendering of a unit that is lost as a whole.
func lost(tool unit.Tool, reason diag.Reason, file, message, how string) unit.Rendering {
	return unit.Rendering{Tool: tool, Gaps: []diag.Gap{{
		Reason:  reason,
		At:      object.Location{File: file},
		Message: message,
		Close:   how,
	}}}
}
