package helm

import (
	"context"
	"fmt"
	"path"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	cutil "helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/render/standin"
)

// text is what one template rendered to, or one file of crds/.
type text struct {
	name string // as the engine calls it: chart/charts/sub/templates/x.yaml
	at   place
	body string
	crd  bool // a file of crds/, which Helm passes on as it is
}

// execute renders all templates, NOTES.txt too, whose errors count although its text does not.
func (r *renderer) execute(l *loaded, user map[string]any, s *standin.Set) ([]text, *diag.Gap) {
	release, gap := r.release()
	if gap != nil {
		return nil, gap
	}
	caps, gap := r.capabilities()
	if gap != nil {
		return nil, gap
	}
	// Schemas are validated here and not by Helm, which would follow their references to the disk and the network.
	top, err := cutil.ToRenderValuesWithSchemaValidation(l.chart, user, release, caps, true)
	if err != nil {
		return nil, r.valuesGap(err)
	}
	if !r.helm.SkipSchemaValidation {
		if gap := r.validate(l.chart, top["Values"].(common.Values)); gap != nil {
			return nil, gap
		}
	}
	if want := l.chart.Metadata.KubeVersion; want != "" && !chartutil.IsCompatibleRange(want, caps.KubeVersion.String()) {
		return nil, r.gap(diag.RenderFailed,
			fmt.Sprintf("the chart wants Kubernetes %s, and the cluster is taken to run %s", want, caps.KubeVersion.Version),
			"set kubernetes.version in .syncproof.yaml, or helm.kubeVersion in the Application")
	}
	places, gap := r.templatePlaces(l)
	if gap != nil {
		return nil, gap
	}
	rendered, err := engine.Engine{CustomTemplateFuncs: s.Funcs()}.RenderWithContext(context.Background(), l.chart, top)
	if why := s.Refused(); why != "" {
		return nil, r.gap(diag.Unsupported, why, "take it out of the chart")
	}
	if err != nil {
		return nil, r.templateGap(err, places)
	}
	var out []text
	for name, body := range rendered {
		if !strings.HasSuffix(name, "NOTES.txt") && strings.TrimSpace(body) != "" {
			out = append(out, text{name: name, at: places[name], body: body})
		}
	}
	return out, nil // the caller sorts
}

// release is .Release. Without a namespace Argo CD passes none, and Helm takes "default".
func (r *renderer) release() (common.ReleaseOptions, *diag.Gap) {
	o := common.ReleaseOptions{Name: r.req.Name, Namespace: r.req.Namespace, Revision: 1, IsInstall: true}
	if r.helm.ReleaseName != "" {
		o.Name = r.helm.ReleaseName
	}
	if r.helm.Namespace != "" {
		o.Namespace = r.helm.Namespace
	}
	if o.Namespace == "" {
		o.Namespace = "default"
	}
	// --name-template is a template, but a valid name holds no action, and one with an action is refused here.
	if chartutil.ValidateReleaseName(o.Name) != nil {
		return o, r.gap(diag.RenderFailed,
			fmt.Sprintf("%q cannot be the name of a Helm release: at most 53 lower-case letters, digits, dashes and dots",
				shorten(o.Name)),
			"set helm.releaseName in the Application")
	}
	return o, nil
}

// templatePlaces maps the engine's names of templates to the files they come from.
func (r *renderer) templatePlaces(l *loaded) (map[string]place, *diag.Gap) {
	places := map[string]place{}
	var visit func(c *chart.Chart) *diag.Gap
	visit = func(c *chart.Chart) *diag.Gap {
		for _, t := range c.Templates {
			name := path.Join(c.ChartFullPath(), t.Name)
			if _, taken := places[name]; taken {
				return r.gap(diag.RenderFailed, "two charts render to the same name "+name+", and Helm takes one by chance",
					"give one of them an alias, or remove it from charts/")
			}
			places[name] = l.places[t]
		}
		for _, d := range c.Dependencies() {
			if gap := visit(d); gap != nil {
				return gap
			}
		}
		return nil
	}
	gap := visit(l.chart)
	return places, gap
}

// crds are the files in crds/ of the chart and of the subcharts that are left (pkg/chart/v2/chart.go CRDObjects).
func (l *loaded) crds() []text {
	var out []text
	for _, c := range l.chart.CRDObjects() {
		out = append(out, text{name: c.Filename, at: l.places[c.File], body: string(c.File.Data), crd: true})
	}
	return out
}
