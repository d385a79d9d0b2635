package history

import (
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// makers are what objects come from: the units that render them and the files that declare them. At another commit, that
// such an object is not there can be believed only if its makers were read.
type makers struct {
	units []unit.ID
	files []string
}

func (m *makers) add(u unit.ID, o object.Object) {
	if !slices.Contains(m.units, u) {
		m.units = append(m.units, u)
	}
	if f := o.Origin.File; f != "" && !slices.Contains(m.files, f) {
		m.files = append(m.files, f)
	}
}

// unread are reasons for which a file gave no objects.
var unread = []diag.Reason{diag.Unparsable, diag.RenderFailed, diag.RenderLimit, diag.ContentMissing, diag.Escape}

// missing names one that could not be read at a commit, "" if there is none. Where one of the units does not exist, also
// what could not be expanded into units may have been it.
func (m *makers) missing(s *snapshot.Snapshot) string {
	absent := len(m.units)
	for _, u := range s.Units {
		if slices.Contains(m.units, u.ID) {
			absent--
		}
	}
	for _, u := range s.Units {
		mine := slices.Contains(m.units, u.ID) || absent > 0 && u.Kind != unit.Application
		if mine && !u.Rendered {
			return "unit " + s.Names[u.ID]
		}
	}
	for _, g := range s.Gaps {
		if g.At.File != "" && slices.Contains(m.files, g.At.File) && slices.Contains(unread, g.Reason) {
			return g.At.File
		}
	}
	return ""
}
