package kustomize

import (
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
	"github.com/syncproof/syncproof/internal/source"
)

// Names is what one kustomization makes kustomize read, told from text alone: nothing is built. All names are slash paths
// from the top of the tree without links in them, sorted, each once. What does not exist or lies behind the network is in
// none of the lists.
type Names struct {
	File     string   // the kustomization file itself
	Includes []string // directories of the kustomizations that it includes (resources, bases, components)
	Files    []string // its own file and all files that it or the configuration of its plugins names
}

// Named reads the kustomization in a directory, and none of those that it includes. The gap says why it cannot be read.
// What is wrong with the files that it names is left out in silence, since rendering says it.
func Named(t source.Tree, dir string) (Names, *diag.Gap) {
	c := newClosure(newFiles(t), false)
	c.shallow = true
	c.start(path.Clean(dir))
	if c.top == nil {
		return Names{}, &c.gaps[0]
	}
	return Names{
		File:     c.top.file,
		Includes: slices.Sorted(maps.Keys(c.includes)),
		Files:    slices.Sorted(maps.Keys(c.read)),
	}, nil
}

// closure is a kustomization and everything that it reaches, read but not built, with what stands in the way of a build.
type closure struct {
	files    *files
	rootOnly bool // files must lie below the kustomization that names them
	shallow  bool // stop at what is included, and read no files but those that tell what else is read
	gaps     []diag.Gap
	top      *kustomization            // the first; nil if it cannot be read
	byDir    map[string]*kustomization // by real directory
	includes map[string]bool           // if shallow, directories of the kustomizations that the first one includes
	read     map[string]bool           // real names of the files read
	measured map[string]bool           // those whose aliases were looked at
	// resources are those of the files read that declare objects.
	resources map[string]bool
	visited   map[visit]bool
	origins   map[string]string // path from the first directory as kustomize joins it -> real name
	schema    bool              // one of them replaces the OpenAPI schema
}

// visit is one way in which a directory can be included.
type visit struct {
	dir    string
	plugin bool
}

// from is the way on which a directory was reached.
type from struct {
	chain  []string // real directories of the kustomizations above it
	origin string   // path from the first directory, as written
	// owner is the kustomization whose generators or transformers what is reached configures; nil if it is resources.
	owner *kustomization
}

func readClosure(f *files, dir string, rootOnly bool) *closure {
	c := newClosure(f, rootOnly)
	c.start(dir)
	return c
}

func newClosure(f *files, rootOnly bool) *closure {
	return &closure{
		files: f, rootOnly: rootOnly,
		byDir: map[string]*kustomization{}, includes: map[string]bool{}, read: map[string]bool{},
		measured:  map[string]bool{},
		resources: map[string]bool{}, visited: map[visit]bool{}, origins: map[string]string{},
	}
}

// start reads the first kustomization and what it reaches.
func (c *closure) start(dir string) {
	real, err := c.files.resolve(dir)
	if err != nil {
		c.gaps = append(c.gaps, plain.Unreadable(dir, err))
		return
	}
	k, gap := c.files.load(real)
	if gap != nil {
		c.gaps = append(c.gaps, *gap)
		return
	}
	c.top = k
	c.enter(k, from{origin: "."})
}

// enter reads what a kustomization names.
func (c *closure) enter(k *kustomization, way from) {
	c.origins[path.Join(way.origin, path.Base(k.file))] = k.file
	v := visit{k.dir, way.owner != nil}
	if c.visited[v] {
		return
	}
	c.visited[v] = true
	if v.plugin && transforms(k.spec) {
		c.unsupported(k, 0, "the kustomization changes the configuration of plugins, which cannot be told without running them")
	}
	if c.byDir[k.dir] == nil {
		c.byDir[k.dir] = k
		c.read[k.file] = true
		c.own(k)
	}
	way.chain = append(slices.Clone(way.chain), k.dir)
	for _, u := range uses(&k.spec) {
		c.follow(k, u, way)
	}
}

// transforms tells whether a kustomization does anything but name resources.
func transforms(spec types.Kustomization) bool {
	spec.Resources, spec.MetaData = nil, nil
	return spec.CheckEmpty() == nil
}

// own looks at what a kustomization says itself.
func (c *closure) own(k *kustomization) {
	if gap := k.refused(); gap != nil {
		c.gaps = append(c.gaps, *gap)
	}
	if len(k.spec.OpenAPI) > 0 {
		c.schema = true
	}
	charts := k.lines.entries("helmCharts")
	for i, chart := range k.spec.HelmCharts {
		line := 0
		if i < len(charts) {
			line = charts[i].line
		}
		c.chart(object.Location{File: k.file, Line: line}, chart.Name)
	}
	for _, text := range inline(&k.spec) {
		if err := plain.Bounded([]byte(text)); err != nil {
			_, reason := plain.Explain(err)
			c.gaps = append(c.gaps, diag.Gap{
				Reason:  diag.Unparsable,
				At:      object.Location{File: k.file},
				Message: "an inline text cannot be read: " + reason,
				Close:   "write the text without aliases",
			})
		}
	}
	for _, list := range pluginFields(&k.spec) {
		for _, entry := range list.entries {
			if isInline(entry) {
				c.plugins(k, k.file, []byte(entry), k.lines.of(list.field, entry))
			}
		}
	}
}

// follow reads what one entry names.
func (c *closure) follow(k *kustomization, u use, way from) {
	name := path.Join(k.dir, u.name)
	if isURL(u.name) || isRemote(u.name) && !c.files.isFile(name) {
		c.fetches(k, u)
		return
	}
	if path.IsAbs(u.name) || name == ".." || strings.HasPrefix(name, "../") {
		c.blocked(k, u, diag.Gap{Reason: diag.Escape, Message: "leaves the repository", Close: "copy it into the repository"})
		return
	}
	real, err := c.files.resolve(name)
	if err != nil {
		c.blocked(k, u, plain.Unreadable(name, err))
		return
	}
	way.origin = path.Join(way.origin, u.name)
	switch u.role {
	case aPlugin:
		way.owner = k
	case aResource: // of what it is a part of
	default:
		way.owner = nil
	}
	isDir := c.files.isDir(real)
	switch {
	case isDir && (u.role == aResource || u.role == aComponent || u.role == aPlugin):
		c.directory(k, u, real, way)
	case isDir:
		c.blocked(k, u, diag.Gap{Reason: diag.RenderFailed, Message: "is a directory", Close: "name a file"})
	case u.role == aComponent:
		c.blocked(k, u, diag.Gap{Reason: diag.RenderFailed, Message: "is a file", Close: "name the directory of a component"})
	default:
		c.file(k, u, real, way)
	}
}

func (c *closure) directory(k *kustomization, u use, dir string, way from) {
	for _, above := range way.chain {
		if dir == "." || above == dir || strings.HasPrefix(above, dir+"/") {
			c.blocked(k, u, diag.Gap{
				Reason:  diag.RenderFailed,
				Message: "is or contains " + above + ", which includes this kustomization: kustomize refuses cycles",
				Close:   "move what both need into a directory beside them",
			})
			return
		}
	}
	if c.shallow && way.owner == nil {
		if _, gap := c.files.find(dir); gap == nil && len(way.chain) == 1 {
			c.includes[dir] = true
		}
		return
	}
	child, gap := c.files.load(dir)
	if gap != nil {
		switch gap.Reason {
		case diag.PathMissing:
			gap.Message = "has no kustomization file"
			c.blocked(k, u, *gap)
		case diag.ContentMissing, diag.Escape:
			c.blocked(k, u, *gap)
		default:
			c.gaps = append(c.gaps, *gap)
		}
		return
	}
	if isComponent := child.spec.Kind == types.ComponentKind; isComponent != (u.role == aComponent) {
		message := "is a component, which kustomize takes under components only"
		if !isComponent {
			message = "is no component: its kind is " + shown(child.spec.Kind)
		}
		c.blocked(k, u, diag.Gap{
			Reason: diag.RenderFailed, Message: message, Close: "move the entry to the other list, or change the kind",
		})
	}
	c.enter(child, way)
}

func (c *closure) file(k *kustomization, u use, name string, way from) {
	if c.rootOnly && k.dir != "." && !strings.HasPrefix(name, k.dir+"/") {
		c.blocked(k, u, diag.Gap{
			Reason:  diag.RenderFailed,
			Message: "lies outside the directory of the kustomization: kustomize refuses that by default",
			Close: "move it below " + k.dir + ", or, if kustomize.buildOptions of Argo CD has --load-restrictor " +
				"LoadRestrictionsNone, set controller.kustomizeBuildOptions to that",
		})
		return
	}
	if c.shallow && way.owner == nil {
		c.read[name] = true
		return
	}
	content, err := c.files.read(name)
	if err != nil {
		c.blocked(k, u, plain.Unreadable(name, err))
		return
	}
	c.origins[way.origin] = name
	if u.role == aResource && way.owner == nil {
		c.resources[name] = true
	}
	if way.owner != nil {
		c.plugins(way.owner, name, content, 0)
	}
	c.read[name] = true
	if u.role == aFile || c.measured[name] {
		return
	}
	c.measured[name] = true
	if err := plain.Bounded(content); err != nil {
		_, reason := plain.Explain(err)
		c.gaps = append(c.gaps, diag.Gap{
			Reason: diag.Unparsable, At: object.Location{File: name}, Message: reason, Close: "write the file without these aliases",
		})
	}
}
