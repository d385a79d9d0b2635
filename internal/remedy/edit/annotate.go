package edit

import (
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// Annotate gives an object of a unit an annotation. An empty value takes the annotation away, with the annotations of the
// object if it was the only one.
func (e *Editor) Annotate(in unit.ID, id object.ID, key, value string) (Edit, error) {
	p, err := e.finder.Find(in, id)
	if err != nil {
		return Edit{}, err
	}
	have, set := p.Object.Annotations()[key]
	if have == value && set == (value != "") {
		return Edit{}, nil
	}
	if p, err = e.finder.Locate(in, id); err != nil {
		return Edit{}, err
	}
	if p.Tool == unit.HelmTool {
		if err := e.unmentioned(p); err != nil {
			return Edit{}, err
		}
	}
	data, err := annotate(p, key, value, have, set)
	if err != nil {
		return Edit{}, err
	}
	out := newEdit()
	out.Files[p.File] = data
	for _, r := range p.All {
		if other, also := r.Object.Annotations()[key]; other != have || also != set {
			return Edit{}, declared.Refuse(p.At(), "make it the same in all of them first", "%s has another annotation %s", e.finder.Name(r.Unit.ID), key)
		}
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: annotated(r.Object.Fields, key, value)})
	}
	return out.done(id, nil)
}

// annotate is the file of the place with another annotation; have is the one that is rendered.
func annotate(p *declared.Place, key, value, have string, set bool) ([]byte, error) {
	holder := p.Path("metadata", "annotations")
	if p.How == declared.Generator {
		holder = p.Path("options", "annotations")
	}
	at := append(holder, key)
	_, text, written := p.YAML.Lookup(p.Doc, at)
	switch {
	case set != written, set && text != have:
		return nil, declared.Refuse(p.At(), "change it where it comes from", "the annotation %s of the object is not the one written here", key)
	case p.Mask != nil && strings.Contains(value, "{{"):
		return nil, declared.Refuse(p.At(), "write it by hand", "the value would be an action of the template")
	case value == "":
		return p.Apply(yamledit.Delete{Path: at, Prune: true})
	case set:
		return p.Apply(yamledit.Set{Path: at, Value: value})
	}
	data, err := p.Apply(yamledit.Insert{Path: at, Value: value})
	if _, _, there := p.YAML.Lookup(p.Doc, holder); err == nil || p.Mask == nil || there {
		return data, err
	}
	// The end of metadata may be under a condition; the name rarely is.
	if other, e := p.Apply(yamledit.Insert{Path: at, Value: value, After: "name"}); e == nil {
		return other, nil
	}
	return nil, err
}

// annotated is an object with another annotation.
func annotated(doc map[string]any, key, value string) map[string]any {
	out, _ := fields.Clone(doc).(map[string]any)
	meta := object.Map(out, "metadata")
	if meta == nil {
		meta = map[string]any{}
		out["metadata"] = meta
	}
	all := object.Map(meta, "annotations")
	switch {
	case value == "":
		if delete(all, key); len(all) == 0 {
			delete(meta, "annotations")
		}
	case all == nil:
		meta["annotations"] = map[string]any{key: value}
	default:
		all[key] = value
	}
	return out
}
