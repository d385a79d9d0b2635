package pair

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/match/flat"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// became says in terms of a call what became of its data, and how, seen from the field that was tried.
func became(d flat.Difference, field string) (transcode.Outcome, string) {
	at, here := elsewhere(d.Path, field)
	switch d.Kind {
	case flat.Shape:
		if here {
			return transcode.ShapeChanged, d.Detail
		}
		return transcode.ShapeChanged, fmt.Sprintf("field %s: %s", at, d.Detail)
	case flat.Missing:
		if here {
			return transcode.Dropped, ""
		}
		return transcode.Dropped, fmt.Sprintf("field %s is lost", at)
	case flat.Value:
		if here {
			return transcode.ValueChanged, d.Detail
		}
		return transcode.ValueChanged, fmt.Sprintf("field %s is %s", at, d.Detail)
	}
	return transcode.Unaffected, ""
}

// positions are what a path has beside names of fields: the number of a message in a stream, indices, keys of maps, and the
// sign for a message as a whole.
var positions = regexp.MustCompile(`^\d+:|\[\d+\]|\{[^}]*\}|\.?\$$`)

// elsewhere names the place of a difference as seen from a field: its last name if it stands beside the field. here says
// that it is the field itself, or within or around it.
func elsewhere(path, field string) (at string, here bool) {
	path = positions.ReplaceAllString(path, "")
	if path == "" || path == field || strings.HasPrefix(path, field+".") || strings.HasPrefix(field, path+".") {
		return path, true
	}
	parent := field[:strings.LastIndexByte(field, '.')+1]
	if beside, ok := strings.CutPrefix(path, parent); ok {
		return beside, false
	}
	return path, false
}

// said joins what was tried with what came of it. A plain use goes without saying, but where the call as a whole fails for
// it.
func said(f finding, when string) string {
	switch {
	case f.detail == "" && (f.outcome == transcode.Dropped && when == sample.Plainly || f.outcome == transcode.Unaffected):
		return ""
	case f.detail == "":
		return when
	case when == sample.Plainly:
		return f.detail
	}
	return when + ": " + f.detail
}
