package helm

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

// absentDependencies are dependencies of the chart that nobody vendored, by the name that values call them.
type absentDependencies struct {
	byName     map[string]*chart.Dependency
	conditions []condition
}

// condition is one path of one dependency's condition.
type condition struct{ of, path string }

// addLocalDependencies adds what charts/ lacks and lies in the repository.
//
// helm template stops at a dependency that charts/ does not hold, whatever its condition (pkg/action/install.go
// CheckDependencies: by name, and for the chart itself only, not for its subcharts). Argo CD then runs `helm dependency
// build` and tries again (repository.go helmTemplate), which packs file:// charts and downloads the others. So a file://
// dependency is taken from the repository; another one is returned, and does no harm as long as its condition or tags
// switch it off: see [renderer.stillMissing].
func (r *renderer) addLocalDependencies(l *loaded) (absentDependencies, *diag.Gap) {
	absent := absentDependencies{byName: map[string]*chart.Dependency{}}
	vendored, added := map[string]bool{}, map[string]bool{}
	for _, c := range l.chart.Dependencies() {
		vendored[c.Name()] = true
	}
	for _, d := range l.chart.Metadata.Dependencies {
		for p := range strings.SplitSeq(d.Condition, ",") {
			absent.conditions = append(absent.conditions, condition{of: called(d), path: p})
		}
		if vendored[d.Name] || added[d.Name+" "+d.Repository] {
			continue
		}
		switch {
		case d.Repository == "":
			return absent, r.gap(diag.PathMissing, fmt.Sprintf("dependency %q has no repository and is not in charts/", d.Name),
				"commit the chart as charts/"+d.Name)
		case !strings.HasPrefix(d.Repository, "file://"):
			copied := *d // ProcessDependencies renames the original
			absent.byName[called(d)] = &copied
			continue
		}
		sub, gap := r.localDependency(l, d)
		if gap != nil {
			return absent, gap
		}
		l.chart.AddDependency(sub)
		added[d.Name+" "+d.Repository] = true
	}
	return absent, nil
}

func called(d *chart.Dependency) string {
	if d.Alias != "" {
		return d.Alias
	}
	return d.Name
}

// localDependency loads a file:// dependency, relative to the chart, as `helm dependency build` packs it
// (pkg/downloader/manager.go tarFromLocalDir).
func (r *renderer) localDependency(l *loaded, d *chart.Dependency) (*chart.Chart, *diag.Gap) {
	rel := strings.TrimPrefix(d.Repository, "file://")
	dir := path.Join(r.dir, rel)
	if path.IsAbs(rel) || !fs.ValidPath(dir) {
		return nil, r.gap(diag.Escape, fmt.Sprintf("dependency %q lies outside the repository: %s", d.Name, d.Repository),
			"move the chart into the repository, or vendor it in charts/")
	}
	if unit.IsLent(dir) {
		return nil, readGap(dir, fmt.Sprintf("directory %s of dependency %q", dir, d.Name), fs.ErrNotExist)
	}
	if _, err := r.tree.Stat(dir); err != nil {
		return nil, readGap(dir, fmt.Sprintf("directory %s of dependency %q", dir, d.Name), err)
	}
	files, gap := r.files(dir)
	if gap != nil {
		return nil, gap
	}
	sub, gap := r.loadChart(l, files, place{file: dir}, 0)
	if gap != nil {
		return nil, gap
	}
	if sub.Name() != d.Name || !chartutil.IsCompatibleRange(d.Version, sub.Metadata.Version) {
		return nil, r.gap(diag.RenderFailed,
			fmt.Sprintf("dependency wants %s %s, but %s holds %s %s", d.Name, d.Version, dir, sub.Name(), sub.Metadata.Version),
			"make name and version in Chart.yaml those of the dependency")
	}
	return sub, nil
}

// stillMissing is asked when Helm has dropped what conditions and tags switch off.
func (r *renderer) stillMissing(c *chart.Chart, absent absentDependencies) *diag.Gap {
	for _, d := range c.Metadata.Dependencies {
		if a, ok := absent.byName[d.Name]; ok {
			return r.remoteDependency(a)
		}
	}
	// The values.yaml of an absent chart could have decided another dependency's condition.
	for _, cond := range absent.conditions {
		name, _, _ := strings.Cut(cond.path, ".")
		if a, ok := absent.byName[name]; ok && cond.of != name {
			return r.remoteDependency(a)
		}
	}
	return nil
}

func (r *renderer) remoteDependency(d *chart.Dependency) *diag.Gap {
	return r.gap(diag.Remote,
		fmt.Sprintf("dependency %q %s of %s is not in charts/", d.Name, d.Version, withoutUser(d.Repository)),
		fmt.Sprintf("vendor it: run `helm dependency build %s` and commit %s", r.dir, path.Join(r.dir, "charts")))
}
