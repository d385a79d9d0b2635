package fields

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// Hashed matches a name with the suffix that kustomize gives (api/hasher/hasher.go: ten letters without vowels).
var Hashed = regexp.MustCompile(`-[bcdfghkmt2456789]{10}$`)

// Carry lists the edits that make a document what it is rendered to. The namespace of the object is left to the caller, and
// values that are sealed cannot be compared. The error is a [yamledit.Refusal] without a line.
func Carry(raw, rendered map[string]any) ([]yamledit.Edit, error) {
	return carrier{object.String(rendered, "kind") == "Secret"}.carry(nil, raw, rendered)
}

type carrier struct{ secret bool }

func refuse(byHand, why string, args ...any) error {
	return &yamledit.Refusal{Why: fmt.Sprintf(why, args...), ByHand: byHand}
}

func (c carrier) carry(at yamledit.Path, raw, want any) ([]yamledit.Edit, error) {
	if slices.Equal(at, yamledit.Path{"metadata", "namespace"}) || Equal(raw, want) {
		return nil, nil
	}
	if s, ok := want.(string); ok && object.IsSealed(s) {
		return nil, nil
	}
	if a, b := object.List(map[string]any{"": raw}, ""), object.List(map[string]any{"": want}, ""); a != nil && b != nil && len(a) == len(b) {
		return c.carryList(at, a, b)
	}
	x, both := raw.(map[string]any)
	y, ok := want.(map[string]any)
	if both && ok {
		return c.carryMap(at, x, y)
	}
	if HasSealed(want) {
		return nil, refuse("move it by hand", "%s comes from elsewhere and is secret", at)
	}
	if s, ok := want.(string); ok && Hashed.MatchString(s) {
		return nil, refuse("move both, or name it without a hash first", "%s names %s, whose name changes with its content", at, s)
	}
	if len(at) > 0 && at[len(at)-1] == "image" {
		return nil, refuse("write the image into the manifest first", "%s is set by images: of a kustomization", at)
	}
	return []yamledit.Edit{yamledit.Set{Path: at, Value: Value(want)}}, nil
}

func (c carrier) carryList(at yamledit.Path, a, b []any) ([]yamledit.Edit, error) {
	var edits []yamledit.Edit
	for i := range a {
		more, err := c.carry(append(slices.Clone(at), i), a[i], b[i])
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

func (c carrier) carryMap(at yamledit.Path, x, y map[string]any) ([]yamledit.Edit, error) {
	var edits []yamledit.Edit
	for _, k := range Keys(x, y) {
		here := append(slices.Clone(at), k)
		switch {
		case x[k] == nil && y[k] == nil:
		case len(at) == 0 && c.secret && (k == "data" || k == "stringData"): // rendered, both are sealed in data
		case y[k] == nil:
			edits = append(edits, yamledit.Delete{Path: here})
		case x[k] == nil && slices.Equal(here, yamledit.Path{"metadata", "namespace"}):
		case HasSealed(y[k]) && x[k] == nil:
			return nil, refuse("move it by hand", "%s comes from elsewhere and is secret", here)
		case x[k] == nil:
			if _, written := x[k]; written {
				edits = append(edits, yamledit.Set{Path: here, Value: Value(y[k])})
				continue
			}
			edits = append(edits, yamledit.Insert{Path: here, Value: Value(y[k])})
		default:
			more, err := c.carry(here, x[k], y[k])
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
		}
	}
	return edits, nil
}
