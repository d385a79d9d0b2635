package writers

import (
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// fromFlux reads an ImageUpdateAutomation: it commits into the repository of its source, to files below a directory whose
// lines are marked with an image policy.
func fromFlux(o object.Object, objects []object.Object) Updater {
	u := Updater{By: "Flux image automation", At: o.Origin, Git: true}
	u.Below = path.Join(".", strings.TrimLeft(object.String(o.Fields, "spec", "update", "path"), "/"))
	u.Branch = first(object.String(o.Fields, "spec", "git", "push", "branch"), object.String(o.Fields, "spec", "git", "checkout", "ref", "branch"))
	ref := object.Map(o.Fields, "spec", "sourceRef")
	namespace := first(object.String(ref, "namespace"), o.ID.Namespace)
	for _, r := range objects {
		named := r.ID.Group == "source.toolkit.fluxcd.io" && r.ID.Kind == "GitRepository" && r.ID.Name == object.String(ref, "name")
		if named && r.ID.Namespace == namespace {
			u.Repository = source.NormalizeURL(object.String(r.Fields, "spec", "url"))
		}
	}
	if u.Repository == "" {
		u.Unknown = "the repository that it commits to is not among the objects"
	}
	return u
}

// policyMark begins the comment by which Flux knows what it may write: # {"$imagepolicy": "flux-system:api:tag"}.
const policyMark = `"$imagepolicy"`

// Writes tells whether the updater may write a file of the analysed repository, and at which line of it, 0 if that is not
// known. repository tells by its normalised URL whether another one is this one; nil takes every repository as it.
func (u Updater) Writes(tree source.Tree, name string, repository func(url string) bool) (bool, int) {
	if !u.Git || u.Repository != "" && repository != nil && !repository(u.Repository) {
		return false, 0
	}
	for _, p := range u.Paths {
		if p == name {
			return true, 0
		}
	}
	if u.Below == "" || u.Below != "." && !strings.HasPrefix(name, u.Below+"/") {
		return false, 0
	}
	if info, err := tree.Stat(name); err != nil || info.IsDir() || info.Size() > maxWorkflowSize {
		return false, 0
	}
	data, err := tree.ReadFile(name)
	if err != nil {
		return false, 0
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if _, comment, ok := strings.Cut(line, "#"); ok && strings.Contains(comment, policyMark) {
			return true, n
		}
	}
	return false, 0
}
