package edit

import (
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// application finds the document of an Application. Part names the field below spec that is to be edited: it has to be as
// it is written, not changed on its way.
func (e *Editor) application(id unit.ID, parts ...string) (discover.Delivered, *declared.Place, error) {
	for _, u := range e.finder.Snap.Units {
		if u.ID != id {
			continue
		}
		parent, app, err := e.finder.Deliverer(u)
		if err != nil {
			return u, nil, err
		}
		p, err := e.finder.Locate(parent, app)
		if err != nil {
			return u, nil, err
		}
		for _, part := range parts {
			for _, r := range p.All {
				if p.How == declared.Document && !fields.Equal(object.Get(p.Raw(), "spec", part), object.Get(r.Object.Fields, "spec", part)) {
					return u, nil, declared.Refuse(p.At(), "edit what changes it", "spec.%s of the Application is changed on its way to %s", part, e.finder.Name(r.Unit.ID))
				}
			}
		}
		return u, p, nil
	}
	return discover.Delivered{}, nil, declared.Refuse(object.Location{}, "name a unit of this revision", "there is no unit %s", id.Name)
}

// Suspend takes automated sync out of an Application. To put it back is to put back the old bytes.
func (e *Editor) Suspend(id unit.ID) (Edit, error) {
	_, p, err := e.application(id, "syncPolicy")
	if err != nil {
		return Edit{}, err
	}
	if object.Get(p.Object.Fields, "spec", "syncPolicy", "automated") == nil {
		return Edit{}, nil
	}
	out := newEdit()
	if out.Files[p.File], err = p.Apply(yamledit.Delete{Path: p.Path("spec", "syncPolicy", "automated"), Prune: true}); err != nil {
		return Edit{}, err
	}
	for _, r := range p.All {
		doc, _ := fields.Clone(r.Object.Fields).(map[string]any)
		spec := object.Map(doc, "spec")
		if policy := object.Map(spec, "syncPolicy"); len(policy) > 1 {
			delete(policy, "automated")
		} else {
			delete(spec, "syncPolicy")
		}
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: doc})
	}
	return out, nil
}

// AddSource makes one Application deliver what another one does as well, by a source of its own: nothing that is rendered
// is touched.
func (e *Editor) AddSource(to, from unit.ID) (Edit, error) {
	_, p, err := e.application(to, "source", "sources")
	if err != nil {
		return Edit{}, err
	}
	out := newEdit()
	var entry yamledit.Fields
	single := len(object.List(p.Object.Fields, "spec", "sources")) == 0
	for i, r := range p.All {
		u, err := e.finder.Unit(unit.ID{Root: r.Unit.ID.Root, Namespace: to.Namespace, Name: to.Name})
		if err != nil {
			return Edit{}, err
		}
		other, err := e.finder.Unit(unit.ID{Root: r.Unit.ID.Root, Namespace: from.Namespace, Name: from.Name})
		if err != nil {
			return Edit{}, err
		}
		s, err := e.lent(u, other)
		if err != nil {
			return Edit{}, err
		}
		doc, plain, err := ordered(s)
		if err != nil {
			return Edit{}, err
		}
		if i > 0 && !reflect.DeepEqual(doc, entry) {
			return Edit{}, declared.Refuse(other.Origin, "add the source by hand", "%s has another source", e.finder.Name(other.ID))
		}
		entry = doc
		app, _ := fields.Clone(r.Object.Fields).(map[string]any)
		spec := object.Map(app, "spec")
		if single {
			spec["sources"] = []any{spec["source"]}
			delete(spec, "source")
		}
		spec["sources"] = append(slices.Clone(object.List(spec, "sources")), plain)
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: app})
		for _, o := range other.Objects {
			out.Want = append(out.Want, law.Change{Unit: u.ID, ID: o.ID, Fields: o.Fields})
		}
	}
	list := p.Path("spec", "sources")
	var edits []yamledit.Edit
	if single {
		edits = append(edits, yamledit.Rename{Path: p.Path("spec", "source"), To: "sources"}, yamledit.Wrap{Path: list})
	}
	if out.Files[p.File], err = p.Apply(append(edits, yamledit.Append(list, entry))...); err != nil {
		return Edit{}, err
	}
	return out, nil
}

// lent is the source of a unit so that another one renders the same of it.
func (e *Editor) lent(to, from discover.Delivered) (unit.Source, error) {
	byHand := "move what is needed by hand"
	switch {
	case from.Kind != unit.Application || len(from.Sources) != 1:
		return unit.Source{}, declared.Refuse(from.Origin, byHand, "%s is no Application with one source", e.finder.Name(from.ID))
	case from.Destination.Cluster != to.Destination.Cluster:
		return unit.Source{}, declared.Refuse(from.Origin, byHand, "%s and %s deliver to two clusters", e.finder.Name(from.ID), e.finder.Name(to.ID))
	}
	for _, o := range from.Objects {
		if declares(o.ID) {
			return unit.Source{}, declared.Refuse(from.Origin, byHand, "%s delivers Applications", e.finder.Name(from.ID))
		}
		implicit := o.ID.Namespace != "" && object.String(o.Fields, "metadata", "namespace") == ""
		if implicit && from.Destination.Namespace != to.Destination.Namespace {
			return unit.Source{}, declared.Refuse(o.Origin, "write the namespace into it first", "%s has its namespace from the Application", o.ID)
		}
		if slices.ContainsFunc(to.Objects, func(x object.Object) bool { return x.ID == o.ID }) {
			return unit.Source{}, declared.Refuse(o.Origin, "take it out of one of them first", "%s and %s both render %s", e.finder.Name(from.ID), e.finder.Name(to.ID), o.ID)
		}
	}
	s := from.Sources[0]
	if e.finder.IsHome(from, s) {
		overrides, _ := e.finder.Tree.ReadDir(declared.Clean(s.Path))
		for _, f := range overrides {
			if strings.HasPrefix(f.Name(), ".argocd-source-") {
				at := object.Location{File: path.Join(declared.Clean(s.Path), f.Name())}
				return s, declared.Refuse(at, "write it into the Application first", "the file overrides the source for one Application")
			}
		}
	}
	if s.Chart != "" || e.finder.IsHome(from, s) && e.finder.Tool(s) == unit.HelmTool {
		var h unit.Helm
		if s.Helm != nil {
			h = *s.Helm
		}
		if h.ReleaseName == "" { // else it would be the name of the other Application
			h.ReleaseName = from.ID.Name
		}
		if h.Namespace == "" && from.Destination.Namespace != to.Destination.Namespace {
			h.Namespace = from.Destination.Namespace
		}
		s.Helm = &h
	}
	return s, nil
}

// ordered writes a source in the order that people do.
func ordered(s unit.Source) (yamledit.Fields, map[string]any, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, nil, err
	}
	plain, err := object.Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	var out yamledit.Fields
	order := []string{"repoURL", "targetRevision", "path", "chart", "ref"}
	for _, k := range append(order, fields.Keys(plain)...) {
		if v, ok := plain[k]; ok && !slices.ContainsFunc(out, func(f yamledit.Field) bool { return f.Key == k }) {
			out = append(out, yamledit.Field{Key: k, Value: fields.Value(v)})
		}
	}
	return out, plain, nil
}

// RemoveUnit takes an Application away: its document, and the file and the entry that names it if nothing else is in them;
// what is left of its source goes along if that renders to nothing and nobody else reads it.
func (e *Editor) RemoveUnit(id unit.ID) (Edit, error) {
	u, p, err := e.application(id)
	if err != nil {
		return Edit{}, err
	}
	for _, child := range e.finder.Snap.Units {
		if e.finder.Kin(child.Parent, id) {
			return Edit{}, declared.Refuse(p.At(), "move its Applications first", "it delivers %s", e.finder.Name(child.ID))
		}
	}
	out, err := e.drop(p.Unit.ID, p.Object.ID)
	if err != nil {
		return Edit{}, err
	}
	for _, r := range p.All {
		out.Gone = append(out.Gone, unit.ID{Root: r.Unit.ID.Root, Namespace: id.Namespace, Name: id.Name})
	}
	finalizers := object.List(p.Object.Fields, "metadata", "finalizers")
	cascades := slices.ContainsFunc(finalizers, func(f any) bool {
		text, _ := f.(string)
		return strings.HasPrefix(text, "resources-finalizer.argocd.argoproj.io")
	})
	switch {
	case len(u.Objects) > 0 && cascades:
		out.note("%s has the finalizer and takes what it delivers (%d objects) with it", e.finder.Name(id), len(u.Objects))
	case len(u.Objects) > 0:
		out.note("%s has no finalizer: what it delivers (%d objects) stays in the cluster, delivered by nothing", e.finder.Name(id), len(u.Objects))
	}
	for _, dir := range e.finder.Home(u) {
		e.clear(&out, u, dir)
	}
	return out, nil
}

// clear deletes the directory of a unit that renders to nothing.
func (e *Editor) clear(out *Edit, u discover.Delivered, dir string) {
	files, err := source.Subtree(e.finder.Tree, dir)
	hollow := func(f source.File) bool {
		if kustomization.Is(f.Path) {
			return true
		}
		y, err := yamledit.Parse(f.Data)
		return err == nil && !slices.ContainsFunc(y.Documents(), func(d yamledit.Document) bool { return d.Kind != "" })
	}
	switch {
	case !u.Rendered || len(u.Objects) > 0:
		out.note("%s stays, delivered by nothing", dir)
		return
	case err != nil || len(files) > 2 || slices.ContainsFunc(files, func(f source.File) bool { return !hollow(f) }),
		len(e.finder.Sharers(u.ID, dir)) > 0, len(e.finder.Index().Kustomizations.Naming(dir)) > 0, len(e.finder.Index().Leading(dir)) > 0:
		out.note("%s stays: other files are in it, or something else reads it", dir)
		return
	}
	for _, f := range files {
		out.Files[path.Join(dir, f.Path)] = nil
	}
}
