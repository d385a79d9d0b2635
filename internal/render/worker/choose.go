package worker

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// choose finds the tool that renders a request's source and merges the overrides of the repository into it, as Argo CD's
// repo-server does before it runs a tool (argo-cd reposerver/repository/repository.go GetAppSourceType). The gap, if any,
// loses the whole unit.
func choose(t source.Tree, req unit.Request) (unit.Tool, unit.Request, *diag.Gap) {
	s := req.Source
	if s.Chart != "" {
		return unit.HelmTool, req, &diag.Gap{
			Reason:  diag.Remote,
			Message: fmt.Sprintf("chart %s lies in the Helm repository %s, behind the network", s.Chart, s.RepoURL),
			Close:   "vendor the chart in the repository and point the source to it, or render it elsewhere",
		}
	}
	dir, gap := directory(t, s.Path)
	if gap != nil {
		return "", req, gap
	}
	if req.Files != nil {
		return unit.DirectoryTool, req, nil // a root of documents: no Application source, so no overrides either
	}
	merged, explicit, gap := override(t, dir, req)
	if gap != nil {
		return "", req, gap
	}
	req.Source = merged
	if len(explicit) == 0 {
		tool, gap := discovered(t, dir)
		return tool, req, gap
	}
	tool, gap := explicitTool(explicit, dir)
	return tool, req, gap
}

// explicitTool is what a source that sets helm, kustomize, directory or plugin is rendered with; several are an error
// (argo-cd pkg/apis/application/v1alpha1/types.go ApplicationSource.ExplicitType).
func explicitTool(explicit []string, dir string) (unit.Tool, *diag.Gap) {
	at := object.Location{File: dir}
	if len(explicit) > 1 {
		return "", &diag.Gap{
			Reason:  diag.RenderFailed,
			At:      at,
			Message: fmt.Sprintf("the source sets several tools (%s), which Argo CD refuses", strings.Join(explicit, ", ")),
			Close:   "keep one of them in spec.source and .argocd-source.yaml",
		}
	}
	switch explicit[0] {
	case "kustomize":
		return unit.KustomizeTool, nil
	case "helm":
		return unit.HelmTool, nil
	case "directory":
		return unit.DirectoryTool, nil
	}
	return "", &diag.Gap{
		Reason:  diag.Unsupported,
		At:      at,
		Message: "a config management plugin renders the source, and plugins are not run",
		Close:   "commit what the plugin renders to and deliver that",
	}
}

// discovered picks the tool by the files of the directory (argo-cd util/app/discovery/discovery.go Discover): it walks
// them in the order of their names and the last match wins, so a kustomization beats a chart unless the chart's file has
// a longer name such as my-Chart.yaml, which counts as well.
func discovered(t source.Tree, dir string) (unit.Tool, *diag.Gap) {
	entries, err := t.ReadDir(dir)
	if err != nil {
		return "", unreadable(dir, "the source's directory", err)
	}
	tool := unit.DirectoryTool
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir():
		case strings.HasSuffix(name, "Chart.yaml"):
			tool = unit.HelmTool
		case isKustomization(name):
			tool = unit.KustomizeTool
		}
	}
	return tool, nil
}

func isKustomization(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}

// directory checks a source's path as argo-cd util/app/path/path.go Path does and cleans it.
func directory(t source.Tree, p string) (string, *diag.Gap) {
	dir := cleanPath(p)
	if path.IsAbs(p) || dir == ".." || strings.HasPrefix(dir, "../") {
		return "", &diag.Gap{
			Reason:  diag.Escape,
			At:      object.Location{File: p},
			Message: fmt.Sprintf("the source's path %s leaves the repository", p),
			Close:   "give a path from the top of the repository",
		}
	}
	info, err := t.Stat(dir)
	switch {
	case unit.IsLent(dir), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return "", missing(dir, "does not exist at this revision")
	case err != nil:
		return "", unreadable(dir, "the source's path", err)
	case !info.IsDir():
		return "", missing(dir, "is a file, not a directory")
	}
	return dir, nil
}

// cleanPath cleans a source's path; "" is the top.
func cleanPath(p string) string { return path.Clean(p) }

func missing(dir, why string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.PathMissing,
		At:      object.Location{File: dir},
		Message: fmt.Sprintf("the source's path %s %s", dir, why),
		Close:   "correct spec.source.path",
	}
}

// unreadable is the gap for what is there and cannot be read.
func unreadable(name, what string, err error) *diag.Gap {
	gap := &diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: name},
		Message: fmt.Sprintf("%s cannot be read: %v", what, err),
		Close:   "see whether the repository is complete and the file intact",
	}
	switch {
	case errors.Is(err, source.ErrEscapes):
		gap.Reason, gap.Close = diag.Escape, "replace the link by a copy of what it points to"
	case errors.Is(err, source.ErrLinkLoop):
		gap.Reason, gap.Close = diag.Unparsable, "break the loop of links"
	case errors.Is(err, source.ErrSubmodule):
		gap.Reason, gap.Close = diag.ContentMissing, "analyse the submodule as a repository of its own"
	case errors.Is(err, source.ErrAbsent):
		gap.Reason, gap.Close = diag.ContentMissing, "clone without a filter"
	case errors.Is(err, source.ErrTooLarge):
		gap.Reason, gap.Close = diag.ContentMissing, "raise limits.fileSize in .syncproof.yaml"
	}
	return gap
}
