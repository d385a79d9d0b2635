package helm

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// place is where a file of a chart lies: itself in the tree, or inside an archive of the tree.
type place struct {
	file     string
	archived bool
}

// loaded is the chart with its subcharts, and where each of their files lies. Helm keeps the pointers to files when it
// copies a subchart under an alias, so they tell the place whatever the subchart is called in the end.
type loaded struct {
	chart  *chart.Chart
	places map[*common.File]place
}

// load reads the chart at the request's path, with what its charts/ holds.
func (r *renderer) load() (*loaded, *diag.Gap) {
	files, gap := r.files(r.dir)
	if gap != nil {
		return nil, gap
	}
	if !slices.ContainsFunc(files, func(f *archive.BufferedFile) bool { return f.Name == chartFile }) {
		return nil, &diag.Gap{
			Reason:  diag.PathMissing,
			At:      object.Location{File: r.dir},
			Message: "no Chart.yaml in " + r.dir,
			Close:   "correct the path, or take Chart.yaml out of .helmignore",
		}
	}
	r.unpacked = 0
	l := &loaded{places: map[*common.File]place{}}
	l.chart, gap = r.loadChart(l, files, place{file: r.dir}, 0)
	return l, gap
}

// loadChart makes a chart of its files. It does for charts/ what Helm's LoadFiles does (pkg/chart/v2/loader/load.go), but
// in a fixed order, with one limit for all archives together, and without losing where a file came from. At is the
// chart's directory, or the archive that it is in.
func (r *renderer) loadChart(l *loaded, files []*archive.BufferedFile, at place, depth int) (*chart.Chart, *diag.Gap) {
	if depth > maxDepth {
		return nil, chartGap(at, "charts are nested too deeply")
	}
	var own []*archive.BufferedFile
	subcharts := map[string][]*archive.BufferedFile{}
	for _, f := range files {
		rest, inside := strings.CutPrefix(f.Name, "charts/")
		if !inside || path.Ext(f.Name) == ".prov" {
			own = append(own, f)
			continue
		}
		name, _, _ := strings.Cut(rest, "/")
		f.Name = rest
		subcharts[name] = append(subcharts[name], f)
	}
	c, err := loader.LoadFiles(own)
	if err != nil {
		return nil, chartGap(at, "helm cannot load the chart: "+yamlText(err))
	}
	for _, f := range slices.Concat(c.Templates, c.Files) {
		l.places[f] = at.join(f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(subcharts)) {
		if strings.IndexAny(name, "_.") == 0 {
			continue
		}
		sub, gap := r.loadSubchart(l, name, subcharts[name], at, depth)
		if gap != nil {
			return nil, gap
		}
		c.AddDependency(sub)
	}
	return c, nil
}

func (p place) join(name string) place {
	if p.archived {
		return p
	}
	return place{file: path.Join(p.file, name)}
}

// loadSubchart loads charts/<name>: a directory, or an archive. Anything else is an error, as it is for Helm.
func (r *renderer) loadSubchart(
	l *loaded, name string, files []*archive.BufferedFile, at place, depth int,
) (*chart.Chart, *diag.Gap) {
	at = at.join("charts/" + name)
	if path.Ext(name) != ".tgz" {
		var inside []*archive.BufferedFile
		for _, f := range files {
			if _, rest, ok := strings.Cut(f.Name, "/"); ok {
				f.Name = rest
				inside = append(inside, f)
			}
		}
		return r.loadChart(l, inside, at, depth+1)
	}
	if files[0].Name != name {
		return nil, chartGap(at, "a directory in charts/ is called like an archive")
	}
	unpacked, gap := r.unpack(files[0].Data, at)
	if gap != nil {
		return nil, gap
	}
	return r.loadChart(l, unpacked, place{file: at.file, archived: true}, depth+1)
}

// unpack reads a packed chart. Helm's own limit counts the files' bytes only; the size of the stream is tested first, so
// that an archive of countless empty files costs nothing either.
func (r *renderer) unpack(data []byte, at place) ([]*archive.BufferedFile, *diag.Gap) {
	if bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")) {
		return nil, &diag.Gap{
			Reason:  diag.ContentMissing,
			At:      object.Location{File: at.file},
			Message: "the packed chart is a Git LFS pointer",
			Close:   "commit the archive itself, or the chart as a directory",
		}
	}
	size, err := unpackedSize(data)
	if err != nil {
		return nil, chartGap(at, "the packed chart is no gzip archive")
	}
	r.unpacked += size
	if gap := r.overspent(at.file); gap != nil {
		return nil, gap
	}
	files, err := archive.LoadArchiveFiles(bytes.NewReader(data))
	if err != nil {
		return nil, chartGap(at, "helm cannot unpack the chart: "+shorten(err.Error()))
	}
	return files, nil
}

// unpackedSize counts up to one byte more than a chart may hold.
func unpackedSize(data []byte) (int64, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(z, maxChartSize+1))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	return n, nil
}

func chartGap(at place, message string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: at.file},
		Message: message,
		Close:   closeChart,
	}
}

// installable is what helm template asks of the chart itself (pkg/cmd/install.go checkIfInstallable; the version of the
// format: pkg/chart/loader/load.go).
func (r *renderer) installable(c *chart.Chart) *diag.Gap {
	switch c.Metadata.APIVersion {
	case chart.APIVersionV1, chart.APIVersionV2:
	default:
		return r.gap(diag.Unsupported, fmt.Sprintf("chart apiVersion %q is not supported", c.Metadata.APIVersion),
			"use apiVersion v2 (or v1) in Chart.yaml")
	}
	switch c.Metadata.Type {
	case "", "application":
		return nil
	}
	return r.gap(diag.RenderFailed, fmt.Sprintf("helm does not render %s charts", c.Metadata.Type),
		"point the Application at a chart of type application")
}

// ambiguous finds vendored charts between which Helm chooses by chance: it ranges over a Go map while it loads charts/,
// and takes the first of a name that fits a dependency; both of those that fit none come to the same place.
func (r *renderer) ambiguous(c *chart.Chart) *diag.Gap {
	byName := map[string][]*chart.Chart{}
	for _, d := range c.Dependencies() {
		byName[d.Name()] = append(byName[d.Name()], d)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if same := byName[name]; len(same) > 1 && !distinct(c.Metadata.Dependencies, same) {
			return r.gap(diag.RenderFailed,
				fmt.Sprintf("charts/ of %s holds %d charts called %s, and Helm takes one by chance", c.Name(), len(same), name),
				"remove all but one")
		}
	}
	for _, d := range c.Dependencies() {
		if gap := r.ambiguous(d); gap != nil {
			return gap
		}
	}
	return nil
}

// distinct tells whether each of the charts of one name fits a dependency, and each dependency at most one of them.
func distinct(wanted []*chart.Dependency, same []*chart.Chart) bool {
	used := map[*chart.Chart]bool{}
	for _, w := range wanted {
		if w.Name != same[0].Name() {
			continue
		}
		fits := 0
		for _, c := range same {
			if chartutil.IsCompatibleRange(w.Version, c.Metadata.Version) {
				used[c] = true
				fits++
			}
		}
		if fits > 1 {
			return false
		}
	}
	return len(used) == len(same)
}
