package kustomize

import (
	"os"

	"github.com/syncproof/syncproof/internal/unit"
)

// buildEnvironment gives what replaces the variables of Argo CD's build environment in images and labels
// (reposerver/repository/repository.go, newEnv; Envsubst). Unknown names become empty, "$$" one dollar sign. The
// environment of this process takes no part.
func buildEnvironment(req unit.Request) func(string) string {
	short := func(n int) string { return req.Revision[:min(n, len(req.Revision))] }
	values := map[string]string{
		"ARGOCD_APP_NAME":                   req.Name,
		"ARGOCD_APP_NAMESPACE":              req.Namespace,
		"ARGOCD_APP_PROJECT_NAME":           req.Project,
		"ARGOCD_APP_REVISION":               req.Revision,
		"ARGOCD_APP_REVISION_SHORT":         short(7),
		"ARGOCD_APP_REVISION_SHORT_8":       short(8),
		"ARGOCD_APP_SOURCE_REPO_URL":        req.Source.RepoURL,
		"ARGOCD_APP_SOURCE_PATH":            req.Source.Path,
		"ARGOCD_APP_SOURCE_TARGET_REVISION": req.Source.TargetRevision,
		"$":                                 "$",
	}
	return func(s string) string {
		return os.Expand(s, func(name string) string { return values[name] })
	}
}
