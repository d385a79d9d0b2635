package edit

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gobwas/glob"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/remedy/edit/listing"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// ground is where a unit takes one more object: a directory that it alone renders.
type ground struct {
	unit   discover.Delivered
	source unit.Source
	tool   unit.Tool
	dir    string
	in     *kustomization.File // of a kustomization
	data   []byte              // of that file
	// spell tells that the object has to name its namespace: the unit would put it elsewhere.
	spell bool
}

const bySources = "give the Application a second source (spec.sources) instead, which needs no edit of what is rendered"

// ground finds out where a unit can take an object that another unit renders.
func (e *Editor) ground(to unit.ID, o object.Object) (*ground, error) {
	u, err := e.finder.Unit(to)
	if err != nil {
		return nil, err
	}
	g := &ground{unit: u, spell: o.ID.Namespace != "" && u.Destination.Namespace != o.ID.Namespace}
	switch {
	case u.Destination.Cluster != o.ID.Cluster:
		return nil, declared.Refuse(u.Origin, "deliver it by a unit of that cluster", "%s delivers to another cluster", e.finder.Name(to))
	case slices.ContainsFunc(u.Objects, func(x object.Object) bool { return x.ID == o.ID }):
		return nil, declared.Refuse(u.Origin, "take it out of one of them", "%s renders %s already", e.finder.Name(to), o.ID)
	}
	for _, s := range u.Sources {
		if s.Path != "" && e.finder.IsHome(u, s) || u.Kind == unit.Bootstrap {
			g.source, g.tool, g.dir = s, e.finder.Tool(s), declared.Clean(s.Path)
			break
		}
	}
	if g.dir == "" {
		return nil, declared.Refuse(u.Origin, bySources, "no source of %s lies at this revision of this repository", e.finder.Name(to))
	}
	at := object.Location{File: g.dir}
	if real, ok := e.finder.Index().Real(g.dir); !ok || real != g.dir || len(e.finder.Index().Leading(g.dir)) > 0 {
		return nil, declared.Refuse(at, "replace the link by what it leads to", "a link leads to the directory of %s", e.finder.Name(to))
	}
	if _, err := fs.ReadDir(e.finder.Tree, g.dir); err != nil {
		return nil, declared.Refuse(at, "name a directory of this repository", "the directory cannot be read: %v", err)
	}
	if others := e.finder.Sharers(to, g.dir); len(others) > 0 {
		return nil, declared.Refuse(at, bySources, "%s would render the object, too", strings.Join(others, ", "))
	}
	if g.tool == unit.KustomizeTool {
		return g, e.openKustomization(g, o)
	}
	return g, nil
}

// openKustomization refuses a kustomization that would change the object.
func (e *Editor) openKustomization(g *ground, o object.Object) error {
	set := e.finder.Index().Kustomizations
	g.in = set.At(g.dir)
	if g.in == nil {
		return declared.Refuse(object.Location{File: g.dir}, "correct it first", "the kustomization there cannot be read")
	}
	at := object.Location{File: g.in.Name}
	if tops := set.Tops(g.dir); !slices.Equal(tops, []string{g.dir}) {
		return declared.Refuse(at, bySources, "%s includes the kustomization, too", tops[0])
	}
	what := set.Changes(e.finder.Tree, g.in, o)
	if k := g.source.Kustomize; what == "" && k != nil {
		plain := *k
		plain.KubeVersion, plain.APIVersions = "", nil
		if k.Namespace == o.ID.Namespace {
			plain.Namespace = ""
		}
		if len(k.Images) > 0 && kustomization.Counted(&kustomization.File{Fields: map[string]any{"images": []any{""}}}, o) == "" {
			plain.Images = nil
		}
		if !equalKustomize(plain, unit.Kustomize{}) {
			what = "spec.source.kustomize of the Application"
		}
	}
	if what != "" {
		return declared.Refuse(at, bySources, "%s would change the object", what)
	}
	if object.String(g.in.Fields, "namespace") != "" || g.source.Kustomize != nil && g.source.Kustomize.Namespace != "" {
		g.spell = false
	}
	data, err := e.finder.Tree.ReadFile(g.in.Name)
	if err != nil {
		return declared.Refuse(at, "edit the file by hand", "%v", err)
	}
	if line, generated := yamledit.Generated(data); generated {
		return declared.Refuse(object.Location{File: g.in.Name, Line: line}, "change what generates it", "the file is generated")
	}
	g.data = data
	return nil
}

func equalKustomize(a, b unit.Kustomize) bool {
	return a.NamePrefix == b.NamePrefix && a.NameSuffix == b.NameSuffix && a.Namespace == b.Namespace &&
		len(a.Images)+len(a.Replicas)+len(a.CommonLabels)+len(a.CommonAnnotations)+len(a.Components)+len(a.Patches)+len(a.Other) == 0
}

// add makes a kustomization name one more thing.
func (g *ground) add(list string, entry any) ([]byte, error) {
	y, err := yamledit.Parse(g.data)
	if err != nil {
		return nil, declared.RefusedBy(g.in.Name, err)
	}
	at := yamledit.Path{list}
	if _, _, ok := y.Lookup(0, at); ok {
		text, err := y.Apply(0, yamledit.Append(at, entry))
		if err != nil {
			return nil, declared.RefusedBy(g.in.Name, err)
		}
		return text, nil
	}
	after := ""
	for _, key := range []string{"kind", "namespace", "resources"} { // in the order in which kustomize itself writes them
		if _, _, ok := y.Lookup(0, yamledit.Path{key}); ok {
			after = key
		}
	}
	text, err := y.Apply(0, yamledit.Insert{Path: at, Value: []any{entry}, After: after})
	if err != nil {
		return nil, declared.RefusedBy(g.in.Name, err)
	}
	return text, nil
}

// free is a path below the directory of the unit that is not taken: the first of the names.
func (e *Editor) free(g *ground, names ...string) (string, error) {
	for _, name := range names {
		full := path.Join(g.dir, name)
		if _, err := fs.Stat(e.finder.Tree, full); err == nil {
			continue
		}
		return full, e.seen(g, name)
	}
	return "", declared.Refuse(object.Location{File: path.Join(g.dir, names[0])}, "choose a name by hand", "the file exists already")
}

// seen refuses a name that the unit's tool would not read.
func (e *Editor) seen(g *ground, name string) error {
	at := object.Location{File: path.Join(g.dir, name)}
	for dir := path.Dir(at.File); listing.Within(dir, g.dir) && dir != g.dir; dir = path.Dir(dir) {
		if _, link := e.finder.Index().Links[dir]; link {
			return declared.Refuse(at, "replace the link by what it leads to", "%s is a link", dir)
		}
	}
	switch {
	case g.tool == unit.HelmTool:
		return e.notIgnored(g, name)
	case g.tool == unit.KustomizeTool || g.source.Directory == nil:
		return nil
	}
	d := g.source.Directory
	for _, p := range []struct {
		pattern string
		want    bool
	}{{d.Include, true}, {d.Exclude, false}} {
		if p.pattern == "" {
			continue
		}
		compiled, err := glob.Compile(p.pattern)
		if err != nil || compiled.Match(name) != p.want {
			return declared.Refuse(at, "choose another name by hand", "include or exclude of the Application leaves the file out")
		}
	}
	return nil
}

// notIgnored refuses a name that .helmignore may leave out. Patterns are read as wider than they are.
func (e *Editor) notIgnored(g *ground, name string) error {
	data, err := e.finder.Tree.ReadFile(path.Join(g.dir, ".helmignore"))
	if err != nil {
		return nil // there is none
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern := strings.Trim(line, "/")
		hit := strings.HasPrefix(line, "!")
		for at := name; at != "."; at = path.Dir(at) {
			whole, err := path.Match(pattern, at)
			base, _ := path.Match(pattern, path.Base(at))
			hit = hit || err != nil || whole || base
		}
		if hit {
			where := object.Location{File: path.Join(g.dir, ".helmignore"), Line: i + 1}
			return declared.Refuse(where, "choose another name by hand", "the pattern may leave %s out of the chart", name)
		}
	}
	return nil
}
