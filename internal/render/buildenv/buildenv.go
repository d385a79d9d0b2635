// Package buildenv is Argo CD's build environment: the variables that a source's fields may hold
// (reposerver/repository/repository.go newEnv, pkg/apis/application/v1alpha1/types.go Envsubst).
//
// In goes a request, out come texts with the variables replaced, and whether the revision was asked for: a rendering that
// did not is the same at every commit that has the same files. It refuses to look at the environment of this process.
package buildenv

import (
	"os"
	"strings"

	"github.com/syncproof/syncproof/internal/unit"
)

// Variables are those of one rendering. They are not for several goroutines at once.
type Variables struct {
	req      unit.Request
	revision bool
}

// Of gives the variables of a request. It is the only reader of [unit.Request.Revision] in a worker.
func Of(req unit.Request) *Variables { return &Variables{req: req} }

// Expand replaces $NAME and ${NAME}: unknown names by nothing, and $$ by one dollar sign.
func (v *Variables) Expand(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	return os.Expand(s, func(name string) string {
		value, _ := v.value(name)
		v.revision = v.revision || strings.HasPrefix(name, revision)
		return value
	})
}

// Known tells whether there is a variable of this name, or it is the dollar sign.
func (v *Variables) Known(name string) bool {
	_, known := v.value(name)
	return known
}

// Revision tells whether a text was expanded that holds the revision in any form.
func (v *Variables) Revision() bool { return v.revision }

// revision begins the names of the variables that hold it.
const revision = "ARGOCD_APP_REVISION"

func (v *Variables) value(name string) (value string, known bool) {
	short := func(n int) string { return v.req.Revision[:min(n, len(v.req.Revision))] }
	value, known = map[string]string{
		"ARGOCD_APP_NAME":                   v.req.Name,
		"ARGOCD_APP_NAMESPACE":              v.req.Namespace,
		"ARGOCD_APP_PROJECT_NAME":           v.req.Project,
		revision:                            v.req.Revision,
		revision + "_SHORT":                 short(7),
		revision + "_SHORT_8":               short(8),
		"ARGOCD_APP_SOURCE_REPO_URL":        v.req.Source.RepoURL,
		"ARGOCD_APP_SOURCE_PATH":            v.req.Source.Path,
		"ARGOCD_APP_SOURCE_TARGET_REVISION": v.req.Source.TargetRevision,
		"$":                                 "$",
	}[name]
	return value, known
}
