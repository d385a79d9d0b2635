// Package plain renders a directory of manifests as Argo CD's repo-server does, and reads the documents of one file.
//
// In go a tree and a unit's source; out come objects with the line that each of them starts on, or gaps. It refuses to
// guess: one file that Argo CD would refuse costs the whole unit, exactly as there. It does not evaluate Jsonnet and
// applies no limit on the combined size of a directory (Argo CD's default of 10 MB is a setting of the repo-server).
//
// Modelled on argoproj/argo-cd: reposerver/repository/repository.go (findManifests, getObjsFromYAMLOrJSON,
// getPotentiallyValidManifestFile, GenerateManifests), util/app/path/path.go (Path), and on k8s.io/apimachinery
// pkg/util/yaml/decoder.go (YAMLOrJSONDecoder), which cuts a file into documents.
package plain

import (
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Render reads the directory that req.Source.Path names. With req.Files set it reads exactly those files, in that order,
// whatever the directory settings say. It never panics and reaches nothing but the tree.
func Render(t source.Tree, req unit.Request) (r unit.Rendering) {
	r.Tool = unit.DirectoryTool
	dir := path.Clean(req.Source.Path)
	defer func() {
		if recover() != nil {
			r.Objects = nil
			r.Gaps = append(r.Gaps, diag.Gap{
				Reason:  diag.RenderFailed,
				At:      object.Location{File: dir},
				Message: "the reader stopped at an input that it does not expect",
				Close:   "report this as a bug, with the directory if you can share it",
			})
		}
	}()
	var files []manifest
	if req.Files != nil {
		files, r.Gaps = listed(t, req.Files)
	} else {
		files, r.Gaps = selectFiles(t, dir, req.Source.Directory)
	}
	for _, file := range files {
		objects, gap := file.objects()
		if gap != nil {
			r.Gaps = append(r.Gaps, *gap)
			continue
		}
		r.Objects = append(r.Objects, objects...)
	}
	if len(r.Gaps) > 0 {
		r.Objects = nil
		r.Gaps = diag.SortGaps(r.Gaps)
	}
	return r
}

// manifest is one file that the source consists of.
type manifest struct {
	name    string
	content []byte
}

func listed(t source.Tree, names []string) (files []manifest, gaps []diag.Gap) {
	for _, name := range names {
		content, err := t.ReadFile(name)
		if err != nil {
			gaps = append(gaps, Unreadable(name, err))
			continue
		}
		files = append(files, manifest{name, content})
	}
	return files, gaps
}

// objects gives what the file holds, or the gap that costs the unit.
func (m manifest) objects() ([]object.Object, *diag.Gap) {
	if strings.HasSuffix(m.name, ".jsonnet") {
		return nil, &diag.Gap{
			Reason:  diag.Unsupported,
			At:      object.Location{File: m.name},
			Message: "Jsonnet is not rendered by this version",
			Close:   "commit the YAML that it evaluates to, or leave the file out with directory.exclude",
		}
	}
	objects, err := Documents(m.name, m.content)
	if err != nil {
		gap := unparsable(m.name, err)
		return nil, &gap
	}
	return objects, nil
}
