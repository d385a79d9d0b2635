package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// candidate is a place that could be a root: a kustomization that no other one includes, a chart, or one file of plain
// documents.
type candidate struct {
	tool unit.Tool
	path string // of the directory, or of the file
}

// request renders a candidate as somebody would apply it by hand.
func (c candidate) request(conf config.Config) unit.Request {
	req := handRequest(conf)
	req.Source.Path = c.path
	if c.tool == unit.DirectoryTool {
		req.Source.Path = path.Dir(c.path)
		req.Files = []string{c.path}
	}
	req.Name = path.Base(req.Source.Path)
	return req
}

// handRequest is what all renderings of roots share.
func handRequest(conf config.Config) unit.Request {
	return unit.Request{
		ByHand:       true,
		Namespace:    argoNamespace,
		KubeVersion:  conf.Kubernetes.Version,
		APIVersions:  conf.Kubernetes.APIVersions,
		BuildOptions: conf.Controller.KustomizeBuildOptions,
	}
}

// argoNamespace is where Argo CD and its Applications live unless documents say otherwise.
const argoNamespace = "argocd"

// layout is what the file names of a tree say.
type layout struct {
	kustomizations []string        // directories with a kustomization file
	kustomized     map[string]bool // the same
	charts         []string        // directories with a Chart.yaml that lie in no other chart
	chart          map[string]bool // the same
	files          []string        // YAML and JSON files, sorted
	empty          bool            // the tree holds no file at all
}

// kustomizationFiles are the names that Kustomize knows, in its order.
var kustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

func (d *discovery) layout() (layout, error) {
	l := layout{empty: true, kustomized: map[string]bool{}, chart: map[string]bool{}}
	var charts []string
	err := fs.WalkDir(d.in.Tree, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return fmt.Errorf("list the top of the tree: %w", err)
		case err != nil:
			d.unlisted(name, err)
			return nil
		case e.IsDir():
			return nil
		}
		l.empty = false
		if e.Type()&fs.ModeSymlink != 0 {
			d.outOfBounds(name)
		}
		switch base := path.Base(name); {
		case slices.Contains(kustomizationFiles, base):
			l.kustomizations = append(l.kustomizations, path.Dir(name))
		case base == "Chart.yaml":
			charts = append(charts, path.Dir(name))
		case slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(base)):
			l.files = append(l.files, name)
		}
		return nil
	})
	slices.Sort(l.kustomizations)
	l.kustomizations = slices.Compact(l.kustomizations)
	for _, k := range l.kustomizations {
		l.kustomized[k] = true
	}
	slices.Sort(charts)
	for _, c := range charts { // an outer one stands before those in it
		if !l.inChart(c) {
			l.charts = append(l.charts, c)
			l.chart[c] = true
		}
	}
	return l, err
}

// inChart tells whether a name lies in a chart or is the directory of one.
func (l layout) inChart(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if l.chart[name] {
			return true
		}
	}
	return l.chart["."]
}

// unlisted says that what lies in a directory is not known: a submodule, or a tree that the clone lacks. A submodule by
// itself loses nothing that this repository delivers, unless a source leads into it; then rendering says so.
func (d *discovery) unlisted(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrSubmodule) {
		return
	}
	d.unread(name, err)
}

// unread says that a file or directory could not be read, so that nobody knows whether it is a root.
func (d *discovery) unread(name string, err error) {
	gap := diag.Gap{
		Reason:  diag.ContentMissing,
		At:      object.Location{File: name},
		Message: "cannot be read, so that nobody knows whether it holds Applications",
		Close:   "fetch the whole repository (no partial clone)",
	}
	if errors.Is(err, source.ErrTooLarge) {
		gap.Message = "is larger than the limit, so that nobody knows whether it holds Applications"
		gap.Close = "raise limits.fileSize, or ignore this if it holds none"
	}
	d.gaps = append(d.gaps, gap)
}

// outOfBounds says that a link leaves the repository: Argo CD then refuses to render anything of it, not only what the
// link is part of (reposerver/repository/repository.go, CheckOutOfBoundsSymlinks).
func (d *discovery) outOfBounds(name string) {
	if _, err := d.in.Tree.Stat(name); errors.Is(err, source.ErrEscapes) {
		d.gaps = append(d.gaps, diag.Gap{
			Reason:  diag.Escape,
			At:      object.Location{File: name},
			Message: "a link leaves the repository: Argo CD refuses every Application of a repository that holds one",
			Close:   "replace the link by a copy, or by one that stays inside",
		})
	}
}

// within tells whether a path lies in a directory or is the directory itself.
func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// candidates lists what could be a root. With yielding set, only places whose files speak of Applications count: the
// cheap test before rendering anything.
func (d *discovery) candidates(l layout, yielding bool) []candidate {
	read := d.kustomizations(l.kustomizations)
	included := map[string]bool{} // directories that another kustomization includes
	named := map[string]bool{}    // files that some kustomization reads
	for _, dir := range l.kustomizations {
		k := read[dir]
		if k.gap != nil {
			d.unreadable(dir, k, l)
			continue
		}
		for _, inner := range k.includes {
			included[inner] = read[inner] != nil && read[inner].gap == nil // nothing can include a broken one
		}
		for _, f := range k.files {
			named[f] = true
		}
	}
	var out []candidate
	for _, dir := range l.kustomizations {
		if !included[dir] && !l.inChart(dir) && (!yielding || read[dir].reaches) {
			out = append(out, candidate{unit.KustomizeTool, dir})
		}
	}
	for _, c := range l.charts {
		if !l.kustomized[c] && (!yielding || d.chartSpeaks(c)) {
			out = append(out, candidate{unit.HelmTool, c})
		}
	}
	for _, f := range l.files {
		// A document that lies beside a kustomization and that none names is applied by hand, if it is an Application;
		// anything else there is a part of the kustomization, used or not.
		if named[f] || l.inChart(f) || !yielding && l.kustomized[path.Dir(f)] {
			continue
		}
		if doc := d.document(f); doc.plain && (!yielding || doc.speaks) {
			out = append(out, candidate{unit.DirectoryTool, f})
		}
	}
	return out
}

// unreadable says that a kustomization cannot be read. If what lies there speaks of Applications it is a candidate, and
// its rendering says why.
func (d *discovery) unreadable(dir string, k *kustomization, l layout) {
	if d.missed[dir] || l.inChart(dir) || k.speaks {
		return
	}
	d.missed[dir] = true
	gap := *k.gap
	gap.Message = "a kustomization cannot be read, so that nobody knows whether it holds Applications: " + gap.Message
	d.gaps = append(d.gaps, gap)
}

// environments lists the value files of a chart that look like one per environment: its defaults alone are then nobody's
// deployment.
func (d *discovery) environments(chart string) []string {
	var out []string
	for _, pattern := range []string{"values-*.yaml", "values.*.yaml", "values/*.yaml", "values_*.yaml"} {
		matches, err := fs.Glob(d.in.Tree, path.Join(chart, pattern))
		if err != nil {
			continue
		}
		for _, m := range matches {
			out = append(out, strings.TrimPrefix(m, chart+"/"))
		}
	}
	return out
}

// surveyed is a candidate and what it rendered to.
type surveyed struct {
	candidate
	rendering unit.Rendering
}

// survey renders the candidates, several at a time, and keeps their order.
func (d *discovery) survey(ctx context.Context, list []candidate) ([]surveyed, error) {
	out := make([]surveyed, len(list))
	err := d.parallel(ctx, len(list), func(ctx context.Context, i int) error {
		r, err := d.render.get(ctx, d.find.Home(), list[i].request(d.in.Config))
		out[i] = surveyed{list[i], r}
		return err
	})
	return out, err
}

// lost is the gap of a place that may be a root and cannot be read as one.
func (d *discovery) lost(s surveyed) []diag.Gap {
	var out []diag.Gap
	for _, g := range s.rendering.Gaps {
		g.Message = fmt.Sprintf("%s speaks of Applications, but cannot be read as a root: %s", s.path, g.Message)
		switch s.tool {
		case unit.HelmTool:
			g.Close = d.rootLine(s.candidate)
		case unit.DirectoryTool:
			g.Close = "correct the file; if it is a template or a fixture of tests, nothing is lost"
		}
		out = append(out, g)
	}
	return out
}

// rootLine is the configuration that would take a candidate as a root.
func (d *discovery) rootLine(c candidate) string {
	line := fmt.Sprintf("if it is a root, add to roots: in %s: {path: %s", config.FileName, c.path)
	if c.tool == unit.HelmTool {
		files := "VALUES.yaml"
		if env := d.environments(c.path); len(env) > 0 {
			files = env[0]
		}
		line += fmt.Sprintf(", helm: {valueFiles: [%s]}", files)
	}
	return line + "}"
}
