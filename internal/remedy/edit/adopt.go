package edit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/remedy/edit/template"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// Adopt makes a unit render an object exactly as another one does, which goes on rendering it: the first half of a move.
func (e *Editor) Adopt(from, to unit.ID, id object.ID) (Edit, error) {
	if declares(id) {
		return Edit{}, declared.Refuse(object.Location{}, "move it by hand", "%s declares units", id)
	}
	p, err := e.finder.Locate(from, id)
	if err != nil {
		return Edit{}, err
	}
	if p.How == declared.Templated {
		return Edit{}, declared.Refuse(p.At(), bySources, "the template has actions, so what it renders to depends on its chart")
	}
	g, err := e.ground(to, p.Object)
	if err != nil {
		return Edit{}, err
	}
	out := newEdit()
	if p.How == declared.Generator {
		err = e.adoptGenerated(&out, p, g)
	} else {
		err = e.adoptDocument(&out, p, g)
	}
	if err != nil {
		return Edit{}, err
	}
	out.Want = []law.Change{{Unit: to, ID: id, Fields: p.Object.Fields}}
	return out.done(id, e.adoptAlike(&out, p, g))
}

// adoptAlike sees to the other environments that render the directory, too: there the counterpart of the old unit has to
// render the very same object.
func (e *Editor) adoptAlike(out *Edit, p *declared.Place, g *ground) error {
	for _, u := range e.finder.Snap.Units {
		shares := slices.ContainsFunc(e.finder.Home(u), func(dir string) bool {
			return dir == g.dir || slices.Contains(e.finder.Index().Kustomizations.Reached(dir), g.dir)
		})
		if !e.finder.Kin(u.ID, g.unit.ID) || u.ID == g.unit.ID || !shares {
			continue
		}
		from, _ := e.finder.Counterpart(p.Unit.ID, u.ID)
		id := p.Object.ID
		id.Cluster = u.Destination.Cluster
		i := slices.IndexFunc(from.Objects, func(o object.Object) bool { return o.ID == id })
		if i < 0 || law.Differs(from.Objects[i], p.Object) != "" {
			return declared.Refuse(object.Location{File: g.dir}, bySources, "%s would render the object, too, which is another one there", e.finder.Name(u.ID))
		}
		out.Want = append(out.Want, law.Change{Unit: u.ID, ID: id, Fields: from.Objects[i].Fields})
	}
	return nil
}

// adoptDocument writes the document, as it is rendered, to a file of the other unit.
func (e *Editor) adoptDocument(out *Edit, p *declared.Place, g *ground) error {
	text, err := standalone(p, g.spell)
	if err != nil {
		return err
	}
	o := p.Object.ID
	base := path.Base(p.File)
	if len(p.YAML.Documents()) > 1 || g.tool == unit.HelmTool && (strings.HasPrefix(base, "_") || strings.HasSuffix(base, "NOTES.txt")) {
		base = strings.ToLower(o.Kind) + "-" + o.Name + ".yaml"
	}
	names := []string{base, strings.ToLower(o.Kind) + "-" + o.Name + path.Ext(base)}
	if g.tool == unit.HelmTool {
		if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			return declared.Refuse(p.At(), "take the mark away first", "the file begins with a byte order mark, which a template must not")
		}
		names = []string{path.Join("templates", names[0]), path.Join("templates", names[1])}
		text = template.Literal(text)
	}
	file, err := e.free(g, names...)
	if err != nil {
		return err
	}
	out.copyTo(file, p.File, text)
	if g.tool != unit.KustomizeTool {
		return nil
	}
	out.Files[g.in.Name], err = g.add("resources", path.Base(file))
	return err
}

// standalone is the file of a document without the others that stand in it, and with what was done to the document on its way.
func standalone(p *declared.Place, spell bool) ([]byte, error) {
	if len(p.Item) > 0 {
		return nil, declared.Refuse(p.At(), "write the items as documents first", "the object stands in a list")
	}
	raw := p.Raw()
	edits, err := fields.Carry(raw, p.Object.Fields)
	if err != nil {
		return nil, declared.RefusedBy(p.File, err)
	}
	id := p.Object.ID
	at := yamledit.Path{"metadata", "namespace"}
	switch ns := object.String(raw, "metadata", "namespace"); {
	case ns == "" && spell:
		edits = append(edits, yamledit.Insert{Path: at, Value: id.Namespace, After: "name"})
	case ns != "" && id.Namespace != "" && ns != id.Namespace:
		edits = append(edits, yamledit.Set{Path: at, Value: id.Namespace})
	}
	doc, y := p.Doc, p.YAML
	for len(y.Documents()) > 1 {
		other := 0
		if doc == 0 {
			other = 1
		} else {
			doc--
		}
		text, err := y.Apply(other, yamledit.DeleteDocument{})
		if err != nil {
			return nil, declared.RefusedBy(p.File, err)
		}
		if y, err = yamledit.Parse(text); err != nil {
			return nil, declared.RefusedBy(p.File, err)
		}
	}
	text, err := y.Apply(doc, edits...)
	if err != nil {
		return nil, declared.RefusedBy(p.File, err)
	}
	return text, nil
}
