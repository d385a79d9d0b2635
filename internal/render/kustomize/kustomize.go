// Package kustomize builds kustomizations in process, over a tree that cannot reach the host.
//
// In go a tree and a unit's source with the settings of its Application; out come objects with the place that declares
// each of them, or gaps. Before anything is built the whole closure of the kustomization is read, so that whatever would
// reach the network, run a program or leave the repository is a gap with the line of its entry and never tried. It
// inflates no Helm charts and runs no plugins but the builtin ones.
//
// Kustomize writes warnings to standard error and, on broken invariants of its own, ends the process: it is meant to run
// in a worker that can be lost. It keeps the OpenAPI schema in a global of its own. Builds of one process therefore follow
// one another, and one that replaced the schema resets it, so that no build can change another one.
package kustomize

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/buildenv"
	"github.com/syncproof/syncproof/internal/render/kustomize/former"
	"github.com/syncproof/syncproof/internal/render/plain"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// building guards the OpenAPI schema, which is global in kyaml/openapi.
var building sync.Mutex

// Render builds the kustomization in the directory that req.Source.Path names, as Argo CD does with the settings of the
// Application and with req.BuildOptions. It never panics.
func Render(t source.Tree, req unit.Request) (r unit.Rendering) {
	dir := path.Clean(req.Source.Path)
	r.Tool = unit.KustomizeTool
	env := buildenv.Of(req)
	defer func() {
		if recover() != nil {
			r.Objects = nil
			r.Gaps = []diag.Gap{{
				Reason:  diag.RenderFailed,
				At:      object.Location{File: dir},
				Message: "kustomize stopped at an input that it does not expect, such as an empty or wrong file under crds or openapi",
				Close:   "run kustomize build in the directory, and correct what it complains about",
			}}
		}
		r.Revision = env.Revision()
	}()
	b, gaps := prepare(t, dir, req, env)
	if len(gaps) > 0 {
		r.Gaps = diag.SortGaps(gaps)
		return r
	}
	objects, err := b.result()
	if err != nil && imageVolume.MatchString(err.Error()) && b.hidePolicies() {
		objects, err = b.result()
	}
	if err != nil {
		r.Gaps = []diag.Gap{b.failed(err)}
		return r
	}
	r.Objects, r.Notes = objects, b.files.notes
	return r
}

// hidePolicies shows kustomize the PodSecurityPolicies without what it takes for the volumes of a pod. It is false if that is done
// already, or if there are none.
func (b *build) hidePolicies() bool {
	for name := range b.closure.read {
		content, err := b.files.read(name)
		if err != nil {
			continue
		}
		if without, ok := former.HidePolicies(content); ok {
			b.files.instead[name] = without
			b.hidden = true
		}
	}
	if b.hidden {
		b.files.note(former.PolicyVolumes)
	}
	return b.hidden
}

// build is one build that nothing stands in the way of.
type build struct {
	files   *files
	closure *closure
	options *krusty.Options
	content []byte // of the top kustomization with the Application's settings, as JSON
	// keepOrigins and managedBy are what the user's kustomization or options ask for.
	keepOrigins, managedBy bool
	hidden                 bool // see hidePolicies
}

// prepare reads everything that the build will read. Any gap costs the unit.
func prepare(t source.Tree, dir string, req unit.Request, env *buildenv.Variables) (*build, []diag.Gap) {
	if gap := misplaced(t, dir); gap != nil {
		return nil, []diag.Gap{*gap}
	}
	options, gap := parseOptions(req.BuildOptions)
	if gap == nil {
		gap = notApplied(req.Source.Kustomize)
	}
	if gap != nil {
		gap.At.File = dir
		return nil, []diag.Gap{*gap}
	}
	f := newFiles(t)
	dir, err := f.resolve(dir)
	if err != nil {
		return nil, []diag.Gap{plain.Unreadable(dir, err)}
	}
	k, gap := f.load(dir)
	if gap != nil {
		return nil, []diag.Gap{*gap}
	}
	content, err := f.read(k.file)
	if err == nil {
		content, err = edited(t, k, content, req.Source.Kustomize, env)
	}
	if err != nil {
		return nil, []diag.Gap{{
			Reason:  diag.RenderFailed,
			At:      object.Location{File: k.file},
			Message: short(err.Error()),
			Close:   "correct spec.source.kustomize of the Application",
		}}
	}
	f.instead[k.file] = content
	c := readClosure(f, dir, options.LoadRestrictions == types.LoadRestrictionsRootOnly)
	if len(c.gaps) > 0 {
		return nil, c.gaps
	}
	b := &build{files: f, closure: c, options: options, content: content}
	b.keepOrigins = slices.Contains(c.top.spec.BuildMetadata, types.OriginAnnotations)
	b.managedBy = options.AddManagedbyLabel || slices.Contains(c.top.spec.BuildMetadata, types.ManagedByLabelOption)
	return b, nil
}

// misplaced models util/app/path/path.go of Argo CD.
func misplaced(t source.Tree, dir string) *diag.Gap {
	gap := &diag.Gap{At: object.Location{File: dir}, Close: "correct spec.source.path in the Application"}
	if path.IsAbs(dir) || dir == ".." || strings.HasPrefix(dir, "../") {
		gap.Reason, gap.Message = diag.Escape, "the source path leaves the repository; Argo CD refuses it"
		return gap
	}
	info, err := t.Stat(dir)
	switch {
	case err != nil && isNotExist(err):
		gap.Reason, gap.Message = diag.PathMissing, "the source path does not exist at this revision"
	case err != nil:
		*gap = plain.Unreadable(dir, err)
	case !info.IsDir():
		gap.Reason, gap.Message = diag.PathMissing, "the source path is a file; Argo CD accepts only directories"
	default:
		return nil
	}
	return gap
}

func notApplied(settings *unit.Kustomize) *diag.Gap {
	if settings == nil || len(settings.Other) == 0 {
		return nil
	}
	return &diag.Gap{
		Reason:  diag.Unsupported,
		Message: "this version does not apply spec.source.kustomize." + strings.Join(settings.Other, ", "),
		Close:   "write the setting into the kustomization itself",
	}
}

// result builds, and finds where each object is declared. When kustomize notes origins it rewrites an annotation for every
// resource and every transformer, which is most of the time of a build with many patches. So they are asked for only
// where declarations cannot be told without them.
func (b *build) result() ([]object.Object, error) {
	if !b.keepOrigins && !b.closure.renames() {
		objects, _, err := b.objects()
		if err != nil || newOrigins(b.closure).declare(objects) {
			return objects, err
		}
	}
	var err error
	if b.files.instead[b.closure.top.file], err = withOrigins(b.content); err != nil {
		return nil, err
	}
	objects, from, err := b.objects()
	if err != nil {
		return nil, err
	}
	newOrigins(b.closure).place(objects, from)
	return objects, nil
}

// withOrigins asks kustomize, in the copy of the file that only the build sees, to note where each resource comes from.
func withOrigins(content []byte) ([]byte, error) {
	fields, err := object.Decode(content)
	if err != nil {
		return nil, err
	}
	field := "buildMetadata"
	for name := range fields {
		if strings.EqualFold(name, field) {
			field = name
		}
	}
	list := object.List(fields, field)
	if !slices.Contains(list, any(types.OriginAnnotations)) {
		fields[field] = append(slices.Clone(list), types.OriginAnnotations)
	}
	return json.Marshal(fields)
}

func (b *build) run() (resmap.ResMap, error) {
	building.Lock()
	defer building.Unlock()
	if b.closure.schema {
		// A schema that is set adds to one that is parsed already, and stays until it is reset.
		openapi.ResetOpenAPI()
		defer openapi.ResetOpenAPI()
	}
	return krusty.MakeKustomizer(b.options).Run(b.files, mounted(b.closure.top.dir))
}

// objects builds, and reads the result as Argo CD reads the output of kustomize build. Kustomize writes its YAML from the
// JSON that is read here. from[i] is the origin that kustomize noted for the i-th object; it may be nil.
func (b *build) objects() (all []object.Object, from []*resource.Origin, err error) {
	resources, err := b.run()
	if err != nil {
		return nil, nil, err
	}
	for _, res := range resources.Resources() {
		origin, err := res.GetOrigin()
		if err != nil {
			return nil, nil, fmt.Errorf("read the origin of %s: %w", res.CurId(), err)
		}
		if !b.keepOrigins {
			if err := res.SetOrigin(nil); err != nil {
				return nil, nil, fmt.Errorf("remove the origin of %s: %w", res.CurId(), err)
			}
		}
		text, err := res.MarshalJSON()
		if err != nil {
			return nil, nil, fmt.Errorf("write %s: %w", res.CurId(), err)
		}
		objects, err := plain.Documents("build.json", text)
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", res.CurId(), err)
		}
		for _, o := range objects {
			if b.hidden {
				former.ShowPolicy(o)
			}
			if b.managedBy {
				o.Unstable = []string{"/metadata/labels/app.kubernetes.io~1managed-by"} // holds the version of kustomize
			}
			all = append(all, o)
			from = append(from, origin)
		}
	}
	return all, from, nil
}
