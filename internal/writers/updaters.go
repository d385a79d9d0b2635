package writers

import (
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Updater is a controller in the cluster that changes images by itself.
type Updater struct {
	By   string // "Argo CD Image Updater", "Flux image automation"
	At   object.Location
	Unit string // the Application whose images it changes, "namespace/name"; "" if it is not about one
	// Git tells that it commits. Otherwise it writes into the live Application, and what runs is not what Git says.
	Git bool
	// Repository is where it commits to, normalised; "" if the object does not say.
	Repository string
	// Branch is what it pushes to, if that is said: maybe another branch than the one that is delivered.
	Branch string
	// Paths are the files that it may write. Below is a directory instead: it writes marked files anywhere in it; "." for
	// the whole repository.
	Paths []string
	Below string
	// Unknown says in one line why Paths or Unit are not all, or may be too many; "" if they are what the object says.
	Unknown string
}

// The names that Argo CD Image Updater knows (pkg/argocd/annotations.go, pkg/argocd/argocd.go).
const (
	updaterGroup    = "argocd-image-updater.argoproj.io"
	imageUpdater    = "Argo CD Image Updater"
	kustomizeTarget = "kustomization"
	helmTarget      = "helmvalues"
)

// Updaters finds what changes images by itself among rendered objects: annotations of Applications, and of the template of
// ApplicationSets; ImageUpdater and ImageUpdateAutomation objects. Other objects are ignored. An Image Updater from 1.0 on
// heeds annotations only where an ImageUpdater object tells it to; since its version is not known, they always count.
// The result is sorted by place.
func Updaters(objects []object.Object) []Updater {
	var all []Updater
	for _, o := range objects {
		switch {
		case o.ID.Group == "argoproj.io" && o.ID.Kind == "Application":
			if app := applicationOf(o); app.annotations[updaterGroup+"/image-list"] != "" {
				all = append(all, app.updater(o.Origin, annotated(app.annotations)))
			}
		case o.ID.Group == "argoproj.io" && o.ID.Kind == "ApplicationSet":
			if app := templateOf(o); app.annotations[updaterGroup+"/image-list"] != "" {
				all = append(all, app.updater(o.Origin, annotated(app.annotations)))
			}
		case o.ID.Group == updaterGroup && o.ID.Kind == "ImageUpdater":
			all = append(all, fromImageUpdater(o, objects)...)
		case o.ID.Group == "image.toolkit.fluxcd.io" && o.ID.Kind == "ImageUpdateAutomation":
			all = append(all, fromFlux(o, objects))
		}
	}
	slices.SortStableFunc(all, func(a, b Updater) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.Unit, b.Unit)
	})
	return all
}

// application is what of an Application counts here.
type application struct {
	namespace, name     string
	labels, annotations map[string]string
	sources             []any
	template            bool // of an ApplicationSet: values may hold expressions
}

func applicationOf(o object.Object) application {
	return application{
		namespace: o.ID.Namespace, name: o.ID.Name, labels: o.Labels(), annotations: o.Annotations(),
		sources: sourcesOf(object.Map(o.Fields, "spec")),
	}
}

func templateOf(o object.Object) application {
	t := object.Map(o.Fields, "spec", "template")
	return application{
		namespace: o.ID.Namespace, name: object.String(t, "metadata", "name"),
		labels: object.StringMap(object.Get(t, "metadata", "labels")), annotations: object.StringMap(object.Get(t, "metadata", "annotations")),
		sources: sourcesOf(object.Map(t, "spec")), template: true,
	}
}

func sourcesOf(spec map[string]any) []any {
	if several := object.List(spec, "sources"); len(several) > 0 {
		return several
	}
	return []any{object.Map(spec, "source")}
}

// settings say how updates are written back.
type settings struct{ method, target, branch, repository string }

func annotated(a map[string]string) settings {
	value := func(name string) string { return strings.TrimSpace(a[updaterGroup+"/"+name]) }
	return settings{value("write-back-method"), value("write-back-target"), value("git-branch"), value("git-repository")}
}

// updater says what the settings mean for an application. Of several sources it is not known which one counts, so the
// files of each are given.
func (a application) updater(at object.Location, s settings) Updater {
	u := Updater{By: imageUpdater, At: at, Unit: a.namespace + "/" + a.name}
	method, _, _ := strings.Cut(s.method, ":")
	u.Git = method == "git"
	if !u.Git {
		return u
	}
	u.Branch, u.Repository = s.branch, source.NormalizeURL(s.repository)
	if s.repository == "" {
		u.Repository = ""
	}
	for _, one := range a.sources {
		dir := object.String(one, "path")
		if url := object.String(one, "repoURL"); u.Repository == "" && len(a.sources) == 1 && url != "" {
			u.Repository = source.NormalizeURL(url)
		}
		if object.String(one, "chart") != "" && s.repository == "" {
			continue // a chart's repository takes no commits
		}
		for _, file := range a.targets(s.target, dir) {
			if !slices.Contains(u.Paths, file) {
				u.Paths = append(u.Paths, file)
			}
		}
	}
	slices.Sort(u.Paths)
	switch {
	case slices.ContainsFunc(append(slices.Clone(u.Paths), u.Unit, u.Repository), hasExpression):
		u.Unknown = "names are filled in by the ApplicationSet"
		u.Paths = slices.DeleteFunc(u.Paths, hasExpression)
		if hasExpression(u.Repository) {
			u.Repository = ""
		}
	case len(a.sources) > 1 && !strings.Contains(s.target, ":/"):
		u.Unknown = "the Application has several sources, and which of them is written to is not said"
	}
	return u
}

func hasExpression(s string) bool { return strings.Contains(s, "{{") }

// targets are the files that a write-back target means for a source in a directory. Without one, and for kinds that are
// not known, parameters go into a file beside the manifests, whose name has the namespace too if Argo CD runs elsewhere.
func (a application) targets(target, dir string) []string {
	kind, name, named := strings.Cut(target, ":")
	at := path.Join(dir, name)
	if strings.HasPrefix(name, "/") {
		at = path.Clean(name[1:])
	}
	switch {
	case kind == kustomizeTarget:
		return []string{path.Join(at, "Kustomization"), path.Join(at, "kustomization.yaml"), path.Join(at, "kustomization.yml")}
	case kind == helmTarget && named:
		return []string{at}
	case kind == helmTarget:
		return []string{path.Join(dir, "values.yaml")}
	case target != "":
		return []string{path.Clean(target)}
	}
	files := []string{path.Join(dir, ".argocd-source-"+a.name+".yaml")}
	if a.namespace != "" {
		files = append(files, path.Join(dir, ".argocd-source-"+a.namespace+"_"+a.name+".yaml"))
	}
	return files
}

// fromImageUpdater reads an ImageUpdater object: its settings for each of the Applications that it selects. One for which
// no Application is at hand is said all the same.
func fromImageUpdater(o object.Object, objects []object.Object) []Updater {
	var all []Updater
	general := configured(object.Get(o.Fields, "spec", "writeBackConfig"))
	for _, ref := range object.List(o.Fields, "spec", "applicationRefs") {
		own := configured(object.Get(ref, "writeBackConfig"))
		set := settings{
			first(own.method, general.method), first(own.target, general.target),
			first(own.branch, general.branch), first(own.repository, general.repository),
		}
		found := false
		for _, app := range selected(ref, o.ID.Namespace, objects) {
			found = true
			if object.Bool(ref, "useAnnotations") {
				if app.annotations[updaterGroup+"/image-list"] == "" {
					continue
				}
				set = annotated(app.annotations)
			}
			all = append(all, app.updater(o.Origin, set))
		}
		if !found {
			all = append(all, Updater{
				By: imageUpdater, At: o.Origin, Git: strings.HasPrefix(set.method, "git"), Branch: set.branch,
				Unknown: "none of the Applications that are read has a name that it selects",
			})
		}
	}
	return all
}

func configured(c any) settings {
	return settings{
		strings.TrimSpace(object.String(c, "method")), strings.TrimSpace(object.String(c, "gitConfig", "writeBackTarget")),
		strings.TrimSpace(object.String(c, "gitConfig", "branch")), strings.TrimSpace(object.String(c, "gitConfig", "repository")),
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// selected gives the Applications, and templates of ApplicationSets with a plain name, that a reference selects by name and
// labels in its namespace. Label expressions are not evaluated: they would only select fewer.
func selected(ref any, namespace string, objects []object.Object) []application {
	pattern := object.String(ref, "namePattern")
	labels := object.StringMap(object.Get(ref, "labelSelectors", "matchLabels"))
	var all []application
	for _, o := range objects {
		if o.ID.Group != "argoproj.io" || o.ID.Kind != "Application" && o.ID.Kind != "ApplicationSet" {
			continue
		}
		app := applicationOf(o)
		if o.ID.Kind == "ApplicationSet" {
			app = templateOf(o)
		}
		named, err := path.Match(pattern, app.name)
		fits := err == nil && named && app.namespace == namespace && !hasExpression(app.name)
		for k, v := range labels {
			fits = fits && app.labels[k] == v
		}
		if fits {
			all = append(all, app)
		}
	}
	return all
}
