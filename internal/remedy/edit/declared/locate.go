package declared

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/remedy/edit/listing"
	"github.com/syncproof/syncproof/internal/remedy/edit/template"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// How says in which form an object is declared.
type How int

const (
	Document  How = iota // a document of a file
	Generator            // an entry of configMapGenerator or secretGenerator
	Templated            // a document of a template with actions in it
)

// Place is where an object is declared, in a file that one unit alone renders it from, or one in several environments.
type Place struct {
	Unit   discover.Delivered
	Object object.Object
	All    []Rendered // the object as the unit and its kin render it from there, that of the unit first
	Source unit.Source
	Tool   unit.Tool
	How    How
	File   string // real path
	Data   []byte
	YAML   *yamledit.File   // of Data, or of the masked text of a template
	Mask   *template.Masked // of a template
	Doc    int              // of YAML
	Item   yamledit.Path    // the object in the document; empty unless it stands in a List, or is an entry of a generator
	In     *kustomization.File
}

// Rendered is one object of one unit.
type Rendered struct {
	Unit   discover.Delivered
	Object object.Object
}

// At is where the object is written.
func (p *Place) At() object.Location {
	line := p.Object.Origin.Line
	if p.YAML != nil && line == 0 {
		line, _, _ = p.YAML.Lookup(p.Doc, p.Item)
	}
	return object.Location{File: p.File, Line: line}
}

// Path leads to a field of the object.
func (p *Place) Path(steps ...any) yamledit.Path { return append(slices.Clone(p.Item), steps...) }

// Raw is the document or entry as it is written, nil if it is a template.
func (p *Place) Raw() map[string]any {
	if p.How == Templated {
		return nil
	}
	var v any = fields.Document(p.Data, p.Doc)
	for _, step := range p.Item {
		switch step := step.(type) {
		case string:
			v = object.Get(v, step)
		case int:
			if list, ok := v.([]any); ok && step < len(list) {
				v = list[step]
			}
		}
	}
	doc, _ := v.(map[string]any)
	return doc
}

// Apply edits the file of the place. Lines that an edit adds to a template have to be rendered whenever the object is.
func (p *Place) Apply(edits ...yamledit.Edit) ([]byte, error) {
	if p.Mask == nil {
		text, err := p.YAML.Apply(p.Doc, edits...)
		if err != nil {
			return nil, RefusedBy(p.File, err)
		}
		return text, nil
	}
	text, y := p.Mask.Text, p.YAML
	for _, edit := range edits {
		next, err := y.Apply(p.Doc, edit)
		if err != nil {
			return nil, RefusedBy(p.File, err)
		}
		if err := p.Mask.Safe(text, next, p.At().Line); err != nil {
			return nil, Refuse(p.At(), "edit the template by hand", "%v", err)
		}
		text = next
		if y, err = yamledit.Parse(text); err != nil {
			return nil, RefusedBy(p.File, err)
		}
	}
	out, lost, err := p.Mask.Reveal(text)
	if err == nil && lost > 0 {
		err = errors.New("an action of the template would be lost")
	}
	if err != nil {
		return nil, Refuse(p.At(), "edit the template by hand", "%v", err)
	}
	return out, nil
}

// Locate finds where a unit's object is declared, and refuses if a change there would reach anything else.
func (e *Finder) Locate(in unit.ID, id object.ID) (*Place, error) {
	p, err := e.Find(in, id)
	if err != nil {
		return nil, err
	}
	if err := e.read(p); err != nil {
		return nil, err
	}
	switch {
	case p.Tool == unit.HelmTool && !listing.Within(p.File, path.Join(p.Chart(), "crds")):
		err = e.locateTemplate(p)
	case p.Tool == unit.KustomizeTool && kustomization.Is(path.Base(p.File)):
		err = e.locateGenerator(p)
	default:
		err = e.locateDocument(p)
	}
	if err != nil {
		return nil, err
	}
	return p, e.alone(p)
}

// Find is the object and the source that renders it.
func (e *Finder) Find(in unit.ID, id object.ID) (*Place, error) {
	u, err := e.Unit(in)
	if err != nil {
		return nil, err
	}
	p := &Place{Unit: u}
	n := 0
	for _, o := range u.Objects {
		if o.ID == id {
			p.Object = o
			n++
		}
	}
	at := p.Object.Origin
	switch {
	case n == 0:
		return nil, Refuse(u.Origin, "name an object that it renders", "%s renders no %s", e.Name(in), id)
	case n > 1:
		return nil, Refuse(at, "remove one of them first", "%s renders %s %d times", e.Name(in), id, n)
	case at.Repository != "":
		return nil, Refuse(at, "make the edit in that repository", "%s is declared in another repository", id)
	case at.File == "":
		return nil, Refuse(u.Origin, "find what generates it and edit that", "it is not known where %s is declared", id)
	}
	var from []unit.Source
	for _, s := range u.Sources {
		if !s.Lends() {
			from = append(from, s)
		}
	}
	if len(from) > 1 {
		from = slices.DeleteFunc(from, func(s unit.Source) bool { return !e.IsHome(u, s) || !e.reaches(Clean(s.Path), at.File) })
	}
	if len(from) != 1 {
		return nil, Refuse(u.Origin, "edit the source that renders it", "it cannot be told which of the sources of %s renders %s", e.Name(in), id)
	}
	if !e.IsHome(u, from[0]) {
		where := fmt.Sprintf("%s at %s", from[0].RepoURL, from[0].TargetRevision)
		return nil, Refuse(u.Origin, "make the edit there, and let the Application follow", "%s renders %s from %s", e.Name(in), id, where)
	}
	p.Source, p.Tool = from[0], e.Tool(from[0])
	return p, nil
}

// read reads the file that declares the object.
func (e *Finder) read(p *Place) error {
	name := p.Object.Origin.File
	at := object.Location{File: name}
	real, ok := e.Index().Real(name)
	if !ok {
		return Refuse(at, "replace the link by what it leads to", "the file is a link that cannot be followed")
	}
	p.File = real
	for _, link := range e.Index().Leading(real) {
		if listing.Within(name, link) && len(e.Index().Leading(real)) == 1 && len(e.Index().Kustomizations.Naming(real)) == 0 {
			continue // nothing else leads to it
		}
		return Refuse(object.Location{File: real}, "replace the link by a copy of the file", "the link %s leads to it, too", link)
	}
	data, err := e.Tree.ReadFile(real)
	switch {
	case errors.Is(err, source.ErrSubmodule):
		return Refuse(at, "make the edit in the repository of the submodule", "the file lies in a submodule")
	case err != nil:
		return Refuse(at, "edit the file by hand", "the file cannot be read: %v", err)
	}
	if line, generated := yamledit.Generated(data); generated {
		return Refuse(object.Location{File: real, Line: line}, "change what generates it", "the file is generated")
	}
	p.Data = data
	return nil
}

func (e *Finder) locateDocument(p *Place) error {
	y, err := yamledit.Parse(p.Data)
	if err != nil {
		return RefusedBy(p.File, err)
	}
	p.YAML = y
	line := p.Object.Origin.Line
	docs := y.Documents()
	for i, d := range docs {
		p.Doc = i
		if d.Kind == p.Object.ID.Kind && (d.Line == line || line == 0 && d.Name == p.Object.ID.Name) {
			return e.single(p)
		}
		for n := 0; strings.HasSuffix(d.Kind, "List"); n++ {
			at, _, ok := y.Lookup(i, yamledit.Path{"items", n})
			if !ok {
				break
			}
			if at == line {
				p.Item = yamledit.Path{"items", n}
				return e.single(p)
			}
		}
	}
	// Kustomize and Argo CD count the lines of a document from its separator, this does from its first key.
	for i, d := range docs {
		p.Doc, p.Item = i, nil
		if d.Kind == p.Object.ID.Kind && d.Line >= line && (i == 0 || docs[i-1].Line < line) {
			return e.single(p)
		}
	}
	return Refuse(p.At(), "edit the file by hand", "no document of %s could be found there", p.Object.ID)
}

// single refuses a document that a reader of YAML 1.1 and one of YAML 1.2 disagree on, which makes it unclear what is edited.
func (e *Finder) single(p *Place) error {
	raw := p.Raw()
	if object.String(raw, "kind") != p.Object.ID.Kind {
		return Refuse(p.At(), "edit the file by hand", "the document there is no %s", p.Object.ID.Kind)
	}
	return nil
}

func (e *Finder) locateGenerator(p *Place) error {
	y, err := yamledit.Parse(p.Data)
	if err != nil {
		return RefusedBy(p.File, err)
	}
	p.YAML, p.How = y, Generator
	p.In = e.Index().Kustomizations.At(path.Dir(p.File))
	list := map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}[p.Object.ID.Kind]
	if p.In == nil || list == "" {
		return Refuse(p.At(), "edit the generator by hand", "%s is made by something else than the generator of a kustomization", p.Object.ID)
	}
	var found []int
	for i, entry := range object.List(p.In.Fields, list) {
		name := object.String(entry, "name")
		if line, _, ok := y.Lookup(0, yamledit.Path{list, i}); ok && line == p.Object.Origin.Line && name != "" {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return Refuse(p.At(), "edit the kustomization by hand", "no entry of %s could be found there that makes %s", list, p.Object.ID)
	}
	p.Item = yamledit.Path{list, found[0]}
	name := object.String(object.List(p.In.Fields, list)[found[0]], "name")
	for _, entry := range object.List(p.In.Fields, list) {
		if b := object.String(entry, "behavior"); b != "" && b != "create" && object.String(entry, "name") == name {
			return Refuse(p.At(), "edit the generators by hand", "the entry %s changes what another kustomization generates", name)
		}
	}
	return nil
}

func (e *Finder) locateTemplate(p *Place) error {
	chart := p.Chart()
	switch {
	case chart == "":
		return Refuse(p.At(), "edit the chart by hand", "the chart of the template cannot be told")
	case listing.Within(p.File, path.Join(chart, "charts")):
		return Refuse(object.Location{File: p.File}, "make the edit where the chart comes from", "the template belongs to a vendored chart")
	}
	m, err := template.Mask(p.Data)
	if err != nil {
		return Refuse(object.Location{File: p.File}, "edit the template by hand", "%v", err)
	}
	y, err := yamledit.Parse(m.Text)
	if err != nil {
		return RefusedBy(p.File, err)
	}
	p.YAML, p.Mask, p.How = y, m, Templated
	if m.Plain() {
		p.How = Document
	}
	var exact, open []int
	for i, d := range y.Documents() {
		switch {
		case d.Kind != p.Object.ID.Kind:
		case d.Name == p.Object.ID.Name:
			exact = append(exact, i)
		case m.Tokened(d.Name):
			open = append(open, i)
		}
	}
	kin := 0 // objects that the template makes of the kind
	for _, o := range p.Unit.Objects {
		if o.Origin.File == p.Object.Origin.File && o.ID.Kind == p.Object.ID.Kind {
			kin++
		}
	}
	if len(exact) == 1 && len(open) == 0 {
		p.Doc = exact[0]
		return nil
	}
	if len(exact) == 0 && len(open) == 1 && kin == 1 {
		p.Doc = open[0]
		return nil
	}
	return Refuse(object.Location{File: p.File}, "edit the template by hand", "it cannot be told which part of the template makes %s", p.Object.ID)
}

// Chart is the directory of the chart that the source renders, "" if it renders none.
func (p *Place) Chart() string {
	dir := Clean(p.Source.Path)
	if p.Tool != unit.HelmTool || !listing.Within(p.File, dir) {
		return ""
	}
	return dir
}

// alone refuses a place that something else reads than the unit and its kin.
func (e *Finder) alone(p *Place) error {
	line := p.Object.Origin.Line
	p.All = []Rendered{{p.Unit, p.Object}}
	homes := e.Home(p.Unit)
	for _, u := range e.Snap.Units {
		if !e.Kin(u.ID, p.Unit.ID) || u.ID == p.Unit.ID {
			continue
		}
		homes = append(homes, e.Home(u)...)
		for _, o := range u.Objects {
			if o.Origin == p.Object.Origin && o.ID.Kind == p.Object.ID.Kind && (line > 0 || o.ID.Name == p.Object.ID.Name) {
				p.All = append(p.All, Rendered{u, o})
			}
		}
	}
	if others := e.readers(p.Unit.ID, p.Object.Origin.File, line); len(others) > 0 {
		return Refuse(p.At(), "give each of them a file of its own first", "%s would change, too", strings.Join(others, ", "))
	}
	if p.Tool == unit.HelmTool {
		if others := e.Sharers(p.Unit.ID, p.Chart()); len(others) > 0 {
			return Refuse(p.At(), "do it by a value of the chart", "the chart is also that of %s", strings.Join(others, ", "))
		}
		return nil
	}
	set := e.Index().Kustomizations
	dirs := []string{path.Dir(p.File)}
	if p.How != Generator {
		dirs = nil
		for _, u := range set.Naming(p.File) {
			dirs = append(dirs, u.In.Dir())
		}
	}
	for _, dir := range dirs {
		for _, top := range set.Tops(dir) {
			if !slices.Contains(homes, top) {
				return Refuse(p.At(), "do it in the kustomization of "+e.Name(p.Unit.ID), "%s includes the file, too", top)
			}
		}
	}
	return nil
}
