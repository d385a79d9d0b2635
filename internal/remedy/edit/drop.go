package edit

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/remedy/edit/listing"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// Drop makes a unit render an object no more. Files that nothing else needs go, and so do the entries that name them.
func (e *Editor) Drop(in unit.ID, id object.ID) (Edit, error) {
	if declares(id) {
		return Edit{}, declared.Refuse(object.Location{}, "remove the units that it declares", "%s declares units", id)
	}
	return e.drop(in, id)
}

// declares tells whether an object makes Argo CD deliver something: what becomes of that is no matter of one object.
func declares(id object.ID) bool {
	return id.Group == "argoproj.io" && (id.Kind == "Application" || id.Kind == "ApplicationSet")
}

func (e *Editor) drop(in unit.ID, id object.ID) (Edit, error) {
	p, err := e.finder.Locate(in, id)
	if err != nil {
		return Edit{}, err
	}
	needs, err := e.needs(p)
	if err != nil {
		return Edit{}, err
	}
	out := newEdit()
	for _, r := range p.All {
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID})
	}
	if p.How == declared.Generator {
		err = e.dropEntry(&out, p)
	} else {
		err = e.dropDocument(&out, p)
	}
	for _, n := range slices.Backward(needs) { // from the end of each list
		if err != nil {
			break
		}
		if err = e.takeOut(&out, n.In, n.List, n.At); err == nil && n.Path != "" {
			e.dropInput(&out, kustomization.Use{In: n.In, List: n.List, At: n.At, Path: n.Path})
		}
	}
	return out.done(id, err)
}

// needs lists what in the kustomizations of a place is about the object. It refuses if they cannot do without it.
func (e *Editor) needs(p *declared.Place) ([]kustomization.Need, error) {
	if p.Tool != unit.KustomizeTool {
		return nil, nil
	}
	set := e.finder.Index().Kustomizations
	written := p.Object
	if p.How == declared.Generator {
		written.ID.Name = object.String(p.Raw(), "name")
	} else {
		written.ID.Name = object.String(p.Raw(), "metadata", "name")
	}
	var dirs, homes []string
	for _, r := range p.All {
		homes = append(homes, e.finder.Home(r.Unit)...)
	}
	for _, home := range homes {
		dirs = append(dirs, set.Reached(home)...)
	}
	slices.Sort(dirs)
	var all []kustomization.Need
	for _, dir := range slices.Compact(dirs) {
		for _, n := range kustomization.Needs(e.finder.Tree, set.At(dir), written) {
			shared := slices.ContainsFunc(set.Tops(dir), func(top string) bool { return !slices.Contains(homes, top) })
			if !n.Sole || shared {
				return nil, declared.Refuse(p.At(), "take that out first", "%s is about the object", n)
			}
			all = append(all, n)
		}
	}
	if written.ID.Name == p.Object.ID.Name {
		return all, nil
	}
	for _, r := range e.finder.Snap.Graph.References {
		if r.Provider == p.Object.ID && slices.Contains(r.ConsumerUnits, p.Unit.ID) {
			return nil, declared.Refuse(p.At(), "write the full name into "+r.Consumer.String()+" first",
				"kustomize writes the name %s into %s only as long as it builds both", p.Object.ID.Name, r.Consumer)
		}
	}
	return all, nil
}

// dropEntry takes out the entry of a generator, and its files.
func (e *Editor) dropEntry(out *Edit, p *declared.Place) error {
	list, _ := p.Item[0].(string)
	at, _ := p.Item[1].(int)
	if err := e.takeOut(out, p.In, list, at); err != nil {
		return err
	}
	for _, u := range p.In.Uses() {
		if u.List == list && u.At == at {
			e.dropInput(out, u)
		}
	}
	return nil
}

// dropInput deletes a file that an entry names, if nothing else may need it.
func (e *Editor) dropInput(out *Edit, u kustomization.Use) {
	other := func(o kustomization.Use) bool { return o.In != u.In || o.List != u.List || o.At != u.At }
	if slices.ContainsFunc(e.finder.Index().Kustomizations.Naming(u.Path), other) || e.needed(u.Path) {
		out.note("%s stays: something else may need it", u.Path)
		return
	}
	out.Files[u.Path] = nil
}

// takeOut takes an entry out of a kustomization, which may be edited already. Kustomize refuses an empty one: an empty list of
// resources is not.
func (e *Editor) takeOut(out *Edit, k *kustomization.File, list string, at int) error {
	data, edited := out.Files[k.Name]
	if !edited {
		var err error
		if data, err = e.finder.Tree.ReadFile(k.Name); err != nil {
			return declared.Refuse(object.Location{File: k.Name}, "edit the file by hand", "%v", err)
		}
		if line, generated := yamledit.Generated(data); generated {
			return declared.Refuse(object.Location{File: k.Name, Line: line}, "change what generates it", "the file is generated")
		}
	}
	now, err := kustomization.Decode(k.Name, data)
	if err != nil {
		return declared.Refuse(object.Location{File: k.Name}, "edit the file by hand", "%v", err)
	}
	y, err := yamledit.Parse(data)
	if err != nil {
		return declared.RefusedBy(k.Name, err)
	}
	last := len(object.List(now.Fields, list)) == 1 && bare(now, list)
	var edits []yamledit.Edit
	if last && list != "resources" {
		edits = append(edits, yamledit.Insert{Path: yamledit.Path{"resources"}, Value: []any{}})
	}
	edits = append(edits, yamledit.Delete{Path: yamledit.Path{list, at}, Prune: !last || list != "resources"})
	text, err := y.Apply(0, edits...)
	if err != nil {
		return declared.RefusedBy(k.Name, err)
	}
	out.Files[k.Name] = text
	return nil
}

// needed tells whether a file may be read by something other than kustomizations.
func (e *Editor) needed(file string) bool {
	if _, err := e.finder.Tree.Stat(file); err != nil {
		return true
	}
	if real, ok := e.finder.Index().Real(file); !ok || real != file || len(e.finder.Index().Leading(file)) > 0 {
		return true
	}
	base := path.Base(file)
	return slices.ContainsFunc(e.finder.Snap.Units, func(u discover.Delivered) bool {
		return slices.ContainsFunc(u.Sources, func(s unit.Source) bool {
			values := func(name string) bool { return path.Base(name) == base }
			if s.Helm != nil && (slices.ContainsFunc(s.Helm.ValueFiles, values) ||
				slices.ContainsFunc(s.Helm.FileParameters, func(p unit.FileParameter) bool { return values(p.Path) })) {
				return true
			}
			return u.Kind != unit.Bootstrap && e.finder.IsHome(u, s) && listing.Within(file, declared.Clean(s.Path)) && e.finder.Tool(s) != unit.KustomizeTool
		})
	})
}

// bare tells whether a kustomization says nothing but one list, without which kustomize refuses it as empty.
func bare(f *kustomization.File, list string) bool {
	for key, v := range f.Fields {
		if key != "apiVersion" && key != "kind" && key != "metadata" && key != list && v != nil {
			return false
		}
	}
	return true
}

// dropDocument takes out a document, and the file if nothing else is in it.
func (e *Editor) dropDocument(out *Edit, p *declared.Place) error {
	if len(p.Item) > 0 {
		if _, _, more := p.YAML.Lookup(p.Doc, yamledit.Path{"items", 1}); more {
			text, err := p.Apply(yamledit.Delete{Path: p.Item})
			out.Files[p.File] = text
			return err
		}
	}
	others := 0
	for i, d := range p.YAML.Documents() {
		if i != p.Doc && d.Kind != "" {
			others++
		}
	}
	if p.Mask != nil && !p.Mask.Plain() {
		return e.dropTemplate(out, p, others)
	}
	if others > 0 {
		text, err := p.YAML.Apply(p.Doc, yamledit.DeleteDocument{})
		if err != nil {
			return declared.RefusedBy(p.File, err)
		}
		out.Files[p.File] = text
		return nil
	}
	return e.dropFile(out, p)
}

// dropFile deletes a file that holds only the object, and the entry that names it.
func (e *Editor) dropFile(out *Edit, p *declared.Place) error {
	out.Files[p.File] = nil
	if p.Object.Origin.File != p.File {
		out.Files[p.Object.Origin.File] = nil // the link that led to it
	}
	switch {
	case p.Tool == unit.KustomizeTool:
		return e.dropName(out, p)
	case p.Tool == unit.HelmTool:
		return e.unmentioned(p)
	case p.Unit.Kind == unit.Bootstrap || e.populated(declared.Clean(p.Source.Path), out):
		return nil
	case path.Ext(p.File) == ".json":
		return declared.Refuse(p.At(), "put another file there first", "without the file its directory is no more, which Argo CD takes for an error")
	}
	// Git keeps no empty directory, and Argo CD refuses a path that does not exist.
	out.Files[p.File] = []byte("# Empty: " + p.Object.ID.String() + " is not delivered from here any more.\n")
	return nil
}

// populated tells whether a directory has files when an edit is made.
func (e *Editor) populated(dir string, edit *Edit) bool {
	files, err := source.Subtree(edit.over(e.finder.Tree), dir)
	return err == nil && len(files) > 0
}

// dropName takes the entries out that name the file.
func (e *Editor) dropName(out *Edit, p *declared.Place) error {
	uses := e.finder.Index().Kustomizations.Naming(p.File)
	if len(uses) == 0 {
		uses = e.finder.Index().Kustomizations.Naming(p.Object.Origin.File)
	}
	if len(uses) == 0 || slices.ContainsFunc(uses, func(u kustomization.Use) bool { return u.List != "resources" }) {
		return declared.Refuse(p.At(), "take the file out of the kustomization by hand", "it is not an entry of resources that names the file")
	}
	for _, u := range uses {
		if err := e.takeOut(out, u.In, u.List, u.At); err != nil {
			return err
		}
	}
	return nil
}

var filesGet = regexp.MustCompile(`\.Files\.Get\s+"([^"]+)"`)

// dropTemplate takes an object out of a template with actions.
func (e *Editor) dropTemplate(out *Edit, p *declared.Place, others int) error {
	for _, o := range p.Unit.Objects {
		if o.Origin.File == p.Object.Origin.File && o.ID != p.Object.ID && others == 0 {
			return declared.Refuse(p.At(), "take it out of the template by hand", "one document of the template makes %s, too", o.ID)
		}
	}
	if p.Mask.Defines() || others > 0 && p.Mask.Controls() {
		return declared.Refuse(p.At(), "take it out of the template by hand", "the template holds more than the object")
	}
	if others > 0 {
		text, err := p.YAML.Apply(p.Doc, yamledit.DeleteDocument{})
		if err != nil {
			return declared.RefusedBy(p.File, err)
		}
		if out.Files[p.File], _, err = p.Mask.Reveal(text); err != nil {
			return declared.Refuse(p.At(), "take it out of the template by hand", "%v", err)
		}
		return nil
	}
	out.Files[p.File] = nil
	if err := e.unmentioned(p); err != nil {
		return err
	}
	for _, m := range filesGet.FindAllSubmatch(p.Data, -1) {
		name := path.Join(p.Chart(), string(m[1]))
		if e.mentions(p.Chart(), p.File, string(m[1])) == "" && e.mentions(p.Chart(), p.File, ".Files.Glob") == "" &&
			len(e.finder.Index().Kustomizations.Naming(name)) == 0 {
			if _, err := e.finder.Tree.Stat(name); err == nil {
				out.Files[name] = nil
			}
		}
	}
	return nil
}

// unmentioned refuses to change a template that another one includes, such as for a checksum.
func (e *Editor) unmentioned(p *declared.Place) error {
	if by := e.mentions(p.Chart(), p.File, path.Base(p.File)); by != "" {
		return declared.Refuse(p.At(), "take that out first", "%s names the template", by)
	}
	return nil
}

// mentions is the first template of a chart, other than one, that has a text in it.
func (e *Editor) mentions(chart, but, text string) string {
	files, err := source.Subtree(e.finder.Tree, path.Join(chart, "templates"))
	if err != nil {
		return ""
	}
	for _, f := range files {
		name := path.Join(chart, "templates", f.Path)
		if name != but && strings.Contains(string(f.Data), text) {
			return name
		}
	}
	return ""
}
