// Package helm renders a chart that lies in the repository, as Argo CD's repo-server does with `helm template`.
//
// In go a tree at one revision and a request; out come the chart's objects as decoded JSON, with the template each came
// from, or one gap and no object. The rendering is pure: templates and values are read from the tree alone, and every
// template function that would ask the clock, chance, the cluster or the host is replaced by a stand-in (package standin).
//
// Value files of another source ($ref) lie in the same tree, at the places that the request names.
//
// It refuses what it cannot know: charts, dependencies, values and schemas behind the network, and whatever Helm itself
// would refuse. It does not stop a template that loops: whoever calls it does. Helm's libraries warn through the standard
// logger, whose output is the process's to choose; here nothing global is set.
//
// The behaviour follows Argo CD 3.5 (reposerver/repository/repository.go helmTemplate, util/helm/cmd.go template), which
// runs Helm 4.2, and Helm's own pkg/cmd/template.go and pkg/action/install.go.
package helm

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/buildenv"
	"github.com/syncproof/syncproof/internal/render/standin"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Render renders req.Source.Path of the tree as a Helm chart. Rendering.Gaps has at most one entry, and Objects is empty
// when it has one. Objects are sorted by template, then stand in the order in which the template writes them.
func Render(t source.Tree, req unit.Request) (out unit.Rendering) {
	env := buildenv.Of(req)
	defer func() {
		// Helm and the template engine panic on some malformed charts; a chart must not end the process.
		if p := recover(); p != nil {
			out = failed(&diag.Gap{
				Reason:  diag.RenderFailed,
				Message: "helm stopped unexpectedly: " + shorten(fmt.Sprint(p)),
				Close:   closeTemplate,
			})
		}
		out.Revision = env.Revision()
	}()
	r, gap := newRenderer(t, req, env)
	if gap != nil {
		return failed(gap)
	}
	user, gap := r.userValues()
	if gap != nil {
		return failed(gap)
	}
	first := standin.New(req.Seed, 0)
	objects, gap := r.pass(user, first)
	if gap != nil {
		return failed(gap)
	}
	if first.Used() {
		again, gap := r.pass(user, standin.New(req.Seed, 1))
		if gap != nil {
			return failed(gap)
		}
		if !markUnstable(objects, again) {
			return failed(r.gap(diag.Unsupported, "which objects the chart renders depends on random or time functions",
				"render the same objects every time: take chance out of conditions"))
		}
	}
	return unit.Rendering{Tool: unit.HelmTool, Objects: objects, Lookups: first.Lookups()}
}

func failed(gap *diag.Gap) unit.Rendering {
	return unit.Rendering{Tool: unit.HelmTool, Gaps: []diag.Gap{*gap}}
}

// renderer is one call of Render: the request, and what was read from the tree so far.
type renderer struct {
	tree source.Tree
	req  unit.Request
	env  *buildenv.Variables
	helm unit.Helm // req.Source.Helm, or its zero value
	dir  string    // of the chart, clean

	read   map[string][]*archive.BufferedFile // chart directories that were read
	parsed map[text][]object.Object           // texts that were read

	stored   int64 // bytes of charts in the tree
	unpacked int64 // bytes of packed charts, in this pass
}

func newRenderer(t source.Tree, req unit.Request, env *buildenv.Variables) (*renderer, *diag.Gap) {
	r := &renderer{
		tree:   t,
		req:    req,
		env:    env,
		dir:    path.Clean(strings.TrimPrefix(req.Source.Path, "/")),
		read:   map[string][]*archive.BufferedFile{},
		parsed: map[text][]object.Object{},
	}
	if req.Source.Helm != nil {
		r.helm = *req.Source.Helm
	}
	if req.Source.Chart != "" {
		return nil, &diag.Gap{
			Reason:  diag.Remote,
			Message: fmt.Sprintf("chart %s of %s lies behind the network", req.Source.Chart, withoutUser(req.Source.RepoURL)),
			Close:   "commit the chart to the repository and point the Application's path at it",
		}
	}
	if !fs.ValidPath(r.dir) {
		return nil, &diag.Gap{
			Reason:  diag.Escape,
			Message: fmt.Sprintf("source path %q leaves the repository", req.Source.Path),
			Close:   "use a path inside the repository",
		}
	}
	return r, nil
}

// pass renders the chart once. Everything that Helm may change is made anew, so that two passes do not see each other.
func (r *renderer) pass(user map[string]any, s *standin.Set) ([]object.Object, *diag.Gap) {
	l, gap := r.load()
	if gap != nil {
		return nil, gap
	}
	if gap := r.installable(l.chart); gap != nil {
		return nil, gap
	}
	absent, gap := r.addLocalDependencies(l)
	if gap != nil {
		return nil, gap
	}
	if gap := r.ambiguous(l.chart); gap != nil {
		return nil, gap
	}
	if err := chartutil.ProcessDependencies(l.chart, user); err != nil {
		return nil, r.valuesGap(err)
	}
	if gap := r.stillMissing(l.chart, absent); gap != nil {
		return nil, gap
	}
	texts, gap := r.execute(l, user, s)
	if gap != nil {
		return nil, gap
	}
	if !r.helm.SkipCRDs {
		texts = append(texts, l.crds()...)
	}
	slices.SortFunc(texts, func(a, b text) int { return strings.Compare(a.name, b.name) })
	return r.objects(texts)
}

// gap is about the chart as a whole: it stands at the chart's Chart.yaml.
func (r *renderer) gap(reason diag.Reason, message, closing string) *diag.Gap {
	return &diag.Gap{
		Reason:  reason,
		At:      object.Location{File: path.Join(r.dir, chartFile)},
		Message: message,
		Close:   closing,
	}
}
