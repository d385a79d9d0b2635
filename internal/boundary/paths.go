package boundary

import (
	"bytes"
	"path"
	"regexp"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// End is one end of a pair at a revision.
type End struct {
	Object object.ID
	At     object.Location // where it is declared
	Units  []unit.ID       // that render it
}

// Paths are the files that an end is written in, those that change most often first. changed counts the changes of paths in
// releases. Of what lies below the sources of its units, a file that declares other objects only is none of its own. The file that
// declares it is told first if releases change it about as often as any other, or if nothing else is known: a base lies outside
// the folder that its unit names, and of a chart it is mostly the values that change.
func Paths(tree source.Tree, s *snapshot.Snapshot, changed map[string]int, e End) []string {
	out := slices.DeleteFunc(Below(changed, Dirs(s, e.Units)), func(p string) bool { return p != e.At.File && foreign(tree, s, p, e) })
	if e.At.File == "" || e.At.Repository != "" || len(out) > 0 && 2*changed[e.At.File] < changed[out[0]] {
		return out
	}
	return append([]string{e.At.File}, slices.DeleteFunc(out, func(p string) bool { return p == e.At.File })...)
}

// Dirs are where the sources of units lie, and the files that they name.
func Dirs(s *snapshot.Snapshot, ids []unit.ID) []string {
	var out []string
	for _, u := range s.Units {
		if !slices.Contains(ids, u.ID) {
			continue
		}
		for _, src := range u.Sources {
			if src.Path != "" {
				out = append(out, src.Path)
			}
		}
		for _, file := range u.Files() {
			if s.Follows(u.Sources[file.Source]) {
				out = append(out, file.Path)
			}
		}
	}
	return out
}

var (
	// manifest is what a file of Kubernetes documents, or of patches of them, has at the start of a line.
	manifest = regexp.MustCompile(`(?m)^kind:[ \t]*[A-Z]`)
	// contentHash is what stands behind a name that tells its content.
	contentHash = regexp.MustCompile(`-[0-9a-z]{8,10}$`)
)

// foreign tells whether a file is about other objects only: it declares some and not this one, or it is a manifest that does not
// have its name.
func foreign(tree source.Tree, s *snapshot.Snapshot, p string, e End) bool {
	declares := false
	for _, u := range s.Units {
		for _, o := range u.Objects {
			if o.Origin.Repository == "" && o.Origin.File == p {
				if o.ID == e.Object {
					return false
				}
				declares = true
			}
		}
	}
	if ext := path.Ext(p); declares || ext != ".yaml" && ext != ".yml" || path.Base(p) == "kustomization.yaml" {
		return declares
	}
	content, err := tree.ReadFile(p)
	if err != nil || !manifest.Match(content) {
		return false
	}
	name := contentHash.ReplaceAllString(e.Object.Name, "")
	return !bytes.Contains(content, []byte(name))
}
