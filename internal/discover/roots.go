package discover

// How roots are guessed. Candidates are rendered as somebody would apply them by hand. Those that yield an Application,
// ApplicationSet or AppProject are expanded to everything that they deliver; who delivers whom makes a graph over them.
// Roots are its sources: a candidate that another one delivers is none, and of candidates that deliver each other the
// first by path is the one. Plain documents are one pile, applied together, unless two of them claim one Application:
// then each directory is a pile of its own. In a repository without Applications every candidate is a root and one unit.

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover/locate"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// root is a place to start reading.
type root struct {
	name       string
	tool       unit.Tool
	request    unit.Request
	at         object.Location
	configured bool
	// whole: every object of it counts. Otherwise only what makes it a root: the rest of a pile of plain documents is not
	// applied by whoever applies the Applications.
	whole bool
	// unitName is what the unit of the root is called.
	unitName string
}

func (r root) path() string { return r.request.Source.Path }

// bootstrapName is the unit of a root that somebody applies by hand.
const bootstrapName = "bootstrap"

func (d *discovery) roots(ctx context.Context) ([]root, error) {
	l, err := d.layout()
	if err != nil {
		return nil, err
	}
	if l.empty {
		d.gaps = append(d.gaps, diag.Gap{
			Reason:  diag.RepositoryEmpty,
			Message: "there is no file at this revision",
			Close:   "commit something, or name another revision with --rev",
		})
		return nil, nil
	}
	if len(d.in.Config.Roots) > 0 {
		return d.configuredRoots(ctx)
	}
	found, err := d.survey(ctx, d.candidates(l, true))
	if err != nil {
		return nil, err
	}
	yielding := slices.DeleteFunc(slices.Clone(found), func(s surveyed) bool {
		return !slices.ContainsFunc(s.rendering.Objects, func(o object.Object) bool {
			return yields(o) && (s.tool != unit.DirectoryTool || entire(o))
		})
	})
	if len(yielding) == 0 {
		return d.unitsWithoutApplications(ctx, l)
	}
	d.settle(declaredSources(yielding))
	return d.guessedRoots(ctx, found, yielding)
}

// configuredRoots are those of the configuration: only what they reach counts.
func (d *discovery) configuredRoots(ctx context.Context) ([]root, error) {
	var roots []root
	var all []surveyed
	for _, r := range d.in.Config.Roots {
		req := handRequest(d.in.Config)
		req.Source = r.Source
		req.Source.Path = locate.Clean(r.Source.Path)
		req.Name = path.Base(req.Source.Path)
		req.Namespace = cmp.Or(r.Namespace, req.Namespace)
		roots = append(roots, root{
			name: r.Name, request: req, configured: true, whole: true, unitName: bootstrapName,
			at: object.Location{File: d.in.Config.File, Line: r.Line},
		})
		all = append(all, surveyed{})
	}
	err := d.parallel(ctx, len(roots), func(ctx context.Context, i int) error {
		var err error
		all[i].rendering, err = d.render.get(ctx, d.find.Home(), roots[i].request)
		roots[i].tool = all[i].rendering.Tool
		return err
	})
	d.settle(declaredSources(all))
	return roots, err
}

// declaredSources are the sources of the Applications that stand in the renderings of roots.
func declaredSources(list []surveyed) []unit.Source {
	var out []unit.Source
	for _, s := range list {
		for _, o := range s.rendering.Objects {
			for _, dec := range declare(o, unit.Unit{}) {
				out = append(out, dec.Sources...)
			}
		}
	}
	return out
}

// guessedRoots chooses among the candidates that yield Applications.
func (d *discovery) guessedRoots(ctx context.Context, found, yielding []surveyed) ([]root, error) {
	var usable []surveyed
	doubts := map[candidate]diag.Gap{}
	for _, s := range yielding {
		if gap, doubtful := d.doubt(s, yielding); doubtful {
			doubts[s.candidate] = gap
			continue
		}
		usable = append(usable, s)
	}
	sources, delivered, err := d.sources(ctx, usable)
	if err != nil {
		return nil, err
	}
	for _, s := range found {
		if delivered(s.candidate) {
			continue
		}
		d.gaps = append(d.gaps, d.lost(s)...)
		if gap, doubtful := doubts[s.candidate]; doubtful {
			d.gaps = append(d.gaps, gap)
		}
	}
	return d.rootsOf(sources), nil
}

// doubt says why a candidate that yields Applications is not taken as a root.
func (d *discovery) doubt(s surveyed, yielding []surveyed) (diag.Gap, bool) {
	gap := diag.Gap{Reason: diag.RootAmbiguous}
	switch env := d.environments(s.path); {
	case s.tool == unit.HelmTool && len(env) > 0:
		gap.At = object.Location{File: path.Join(s.path, "Chart.yaml")}
		gap.Message = fmt.Sprintf("chart %s yields Applications, but has values for environments (%s): its defaults alone are nobody's deployment",
			s.path, strings.Join(env, ", "))
		gap.Close = d.rootLine(s.candidate)
	case d.leftOver(s, yielding):
		gap.At = s.rendering.Objects[0].Origin
		gap.Message = fmt.Sprintf("%s holds an Application that the kustomization beside it does not name", s.path)
		gap.Close = fmt.Sprintf("name it there, or remove it; if it is applied by hand, add to roots: in %s: {path: %s, directory: {include: %s}}",
			config.FileName, path.Dir(s.path), path.Base(s.path))
	default:
		return gap, false
	}
	return gap, true
}

// leftOver tells whether a file of documents lies beside a kustomization that yields Applications and does not name it,
// and delivers no other candidate either: as likely forgotten or switched off as applied by hand.
func (d *discovery) leftOver(s surveyed, yielding []surveyed) bool {
	if s.tool != unit.DirectoryTool {
		return false
	}
	beside := slices.ContainsFunc(yielding, func(k surveyed) bool {
		return k.tool == unit.KustomizeTool && k.path == path.Dir(s.path)
	})
	return beside && !slices.ContainsFunc(declaredSources([]surveyed{s}), func(src unit.Source) bool {
		return !src.Lends() && d.find.IsHome(src.RepoURL) &&
			slices.ContainsFunc(yielding, func(k surveyed) bool { return k.path == locate.Clean(src.Path) })
	})
}

// sources returns the candidates that no other candidate delivers, and a test whether any of them delivers a place.
func (d *discovery) sources(ctx context.Context, list []surveyed) ([]surveyed, func(candidate) bool, error) {
	indexes := make([]index, len(list))
	for i, s := range list {
		e, err := d.expand(ctx, d.rootOf(s))
		if err != nil {
			return nil, nil, err
		}
		indexes[i] = e.index()
	}
	delivers, err := edges(ctx, list, indexes)
	if err != nil {
		return nil, nil, err
	}
	var out []surveyed
	for i := range list {
		if isSource(i, delivers) {
			out = append(out, list[i])
		}
	}
	delivered := func(c candidate) bool {
		return slices.ContainsFunc(indexes, func(x index) bool { return x.delivers(c) })
	}
	return out, delivered, nil
}

// edges lists for each candidate those that its expansion delivers.
func edges(ctx context.Context, list []surveyed, indexes []index) ([][]int, error) {
	out := make([][]int, len(list))
	for i, covers := range indexes {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		for j := range list {
			if i != j && covers.delivers(list[j].candidate) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out, nil
}

// isSource tells whether no other candidate reaches i, or only ones that i reaches as well and that stand behind it.
func isSource(i int, edges [][]int) bool {
	from := reach(i, edges)
	for j := range edges {
		if j == i || len(edges[j]) == 0 || from[j] && j > i {
			continue
		}
		if reach(j, edges)[i] {
			return false
		}
	}
	return true
}

func reach(i int, edges [][]int) map[int]bool {
	seen := map[int]bool{}
	next := []int{i}
	for len(next) > 0 {
		k := next[len(next)-1]
		next = next[:len(next)-1]
		for _, j := range edges[k] {
			if !seen[j] {
				seen[j] = true
				next = append(next, j)
			}
		}
	}
	return seen
}

// rootOf makes a root of one candidate.
func (d *discovery) rootOf(s surveyed) root {
	r := root{name: s.path, tool: s.tool, request: s.request(d.in.Config), whole: true, unitName: bootstrapName}
	r.at = object.Location{File: s.path}
	switch s.tool {
	case unit.DirectoryTool:
		r.whole = false
	case unit.HelmTool:
		r.at.File = path.Join(s.path, "Chart.yaml")
	case unit.KustomizeTool:
		r.at.File = d.kustomizationFile(s.path)
	}
	return r
}

func (d *discovery) kustomizationFile(dir string) string {
	for _, name := range kustomizationFiles {
		if _, err := d.in.Tree.Stat(path.Join(dir, name)); err == nil {
			return path.Join(dir, name)
		}
	}
	return dir
}

// rootsOf makes roots of the chosen candidates: kustomizations and charts one by one, plain documents as piles.
func (d *discovery) rootsOf(list []surveyed) []root {
	var out []root
	var plain []surveyed
	for _, s := range list {
		if s.tool == unit.DirectoryTool {
			plain = append(plain, s)
			continue
		}
		out = append(out, d.rootOf(s))
	}
	for _, pile := range piles(plain) {
		out = append(out, d.pileRoot(pile))
	}
	taken := map[string]bool{}
	for i := range out { // a pile can have the directory of a chart or kustomization for its name
		if taken[out[i].name] {
			out[i].name += " (documents)"
		}
		taken[out[i].name] = true
	}
	return out
}

// piles groups files of plain documents: all of them, or by directory when two claim one identity.
func piles(list []surveyed) [][]surveyed {
	if len(list) == 0 {
		return nil
	}
	claimed := map[string]bool{}
	clash := false
	for _, s := range list {
		for _, o := range s.rendering.Objects {
			if yields(o) {
				id := o.ID.Kind + " " + cmp.Or(o.ID.Namespace, argoNamespace) + "/" + o.ID.Name
				clash = clash || claimed[id]
				claimed[id] = true
			}
		}
	}
	if !clash {
		return [][]surveyed{list}
	}
	var out [][]surveyed
	at := map[string]int{}
	for _, s := range list {
		dir := path.Dir(s.path)
		i, seen := at[dir]
		if !seen {
			i = len(out)
			at[dir] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// pileRoot is the root of files that are applied together, named after their deepest common directory.
func (d *discovery) pileRoot(pile []surveyed) root {
	dir := path.Dir(pile[0].path)
	var files []string
	for _, s := range pile {
		for !within(s.path, dir) {
			dir = path.Dir(dir)
		}
		files = append(files, s.path)
	}
	req := handRequest(d.in.Config)
	req.Source.Path = dir
	req.Source.Directory = &unit.Directory{Recurse: true}
	req.Files = files
	req.Name = path.Base(dir)
	return root{
		name: dir, tool: unit.DirectoryTool, request: req, unitName: bootstrapName,
		at: object.Location{File: files[0]},
	}
}

// unitsWithoutApplications makes every kustomization, chart and directory of documents a root and one unit.
func (d *discovery) unitsWithoutApplications(ctx context.Context, l layout) ([]root, error) {
	d.settle(nil)
	found, err := d.survey(ctx, d.candidates(l, false))
	if err != nil {
		return nil, err
	}
	var out []root
	dirs := map[string]int{}
	for _, s := range found {
		if s.tool != unit.DirectoryTool {
			r := d.rootOf(s)
			r.unitName = r.name
			r.request.Namespace = "default"
			out = append(out, r)
			continue
		}
		if len(s.rendering.Objects) == 0 && len(s.rendering.Gaps) == 0 {
			continue
		}
		if len(s.rendering.Gaps) > 0 { // one broken file must not cost its neighbours
			d.gaps = append(d.gaps, s.rendering.Gaps...)
			continue
		}
		dir := path.Dir(s.path)
		if i, seen := dirs[dir]; seen {
			out[i].request.Files = append(out[i].request.Files, s.path)
			continue
		}
		dirs[dir] = len(out)
		r := d.pileRoot([]surveyed{s})
		r.unitName, r.whole, r.request.Namespace = dir, true, "default"
		out = append(out, r)
	}
	if len(out) == 0 && len(d.gaps) == 0 {
		d.gaps = append(d.gaps, diag.Gap{
			Reason:  diag.RepositoryEmpty,
			Message: "there is no Application, kustomization, chart or Kubernetes document at this revision",
			Close:   "name where reading starts under roots: in " + config.FileName,
		})
	}
	if len(out) > 0 {
		d.assume("nothing that could be rendered yields an Argo CD Application: each kustomization, chart and directory of documents is taken as one unit in a cluster of its own")
	}
	return out, nil
}
