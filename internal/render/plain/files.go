package plain

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/gobwas/glob"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// skipMarker anywhere in a file takes it out of a directory source.
const skipMarker = "+argocd:skip-file-rendering"

var manifestName = regexp.MustCompile(`^.*\.(yaml|yml|json|jsonnet)$`)

// selection walks one directory source.
type selection struct {
	tree    source.Tree
	dir     string // the source path
	recurse bool
	include glob.Glob // nil: everything
	exclude glob.Glob // nil: nothing
	files   []manifest
	gaps    []diag.Gap
}

// selectFiles lists the files that Argo CD would read, in its order (that of a lexical walk). Any gap costs the unit.
func selectFiles(t source.Tree, dir string, settings *unit.Directory) ([]manifest, []diag.Gap) {
	if gap := checkDirectory(t, dir); gap != nil {
		return nil, []diag.Gap{*gap}
	}
	if settings == nil {
		settings = &unit.Directory{}
	}
	s := selection{tree: t, dir: dir, recurse: settings.Recurse}
	var err error
	if s.include, err = compile(settings.Include); err != nil {
		return nil, []diag.Gap{badPattern(dir, "include", "reads no file at all")}
	}
	if s.exclude, err = compile(settings.Exclude); err != nil {
		return nil, []diag.Gap{badPattern(dir, "exclude", "leaves no file out")}
	}
	s.walk(dir)
	return s.files, s.gaps
}

// compile gives a pattern without separator: * crosses /.
func compile(pattern string) (glob.Glob, error) {
	if pattern == "" {
		return nil, nil
	}
	return glob.Compile(pattern)
}

func badPattern(dir, field, effect string) diag.Gap {
	return diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: dir},
		Message: fmt.Sprintf("directory.%s is no valid pattern; Argo CD only logs that and %s", field, effect),
		Close:   "correct the pattern in the Application",
	}
}

// checkDirectory models util/app/path/path.go, and that the walk does not follow a source path that is a link itself.
func checkDirectory(t source.Tree, dir string) *diag.Gap {
	gap := diag.Gap{At: object.Location{File: dir}, Close: "correct spec.source.path in the Application"}
	if strings.HasPrefix(dir, "/") || dir == ".." || strings.HasPrefix(dir, "../") {
		gap.Reason, gap.Message = diag.Escape, "the source path leaves the repository; Argo CD refuses it"
		return &gap
	}
	info, err := t.Stat(dir)
	if err != nil {
		gap = Unreadable(dir, err)
		if gap.Reason == diag.PathMissing {
			gap.Message, gap.Close = "the source path does not exist at this revision", "correct spec.source.path in the Application"
		}
		return &gap
	}
	if !info.IsDir() {
		gap.Reason, gap.Message = diag.PathMissing, "the source path is a file; Argo CD accepts only directories"
		gap.Close = "name its directory in spec.source.path and the file in directory.include"
		return &gap
	}
	if isLink(t, dir) {
		gap.Reason, gap.Message = diag.RenderFailed, "the source path is a link; Argo CD does not follow it and renders nothing"
		gap.Close = "name the directory that it points to in spec.source.path"
		return &gap
	}
	return nil
}

// isLink looks at the last element of name only.
func isLink(t source.Tree, name string) bool {
	if name == "." {
		return false
	}
	entries, err := t.ReadDir(path.Dir(name))
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.Name() == path.Base(name) {
			return e.Type()&fs.ModeSymlink != 0
		}
	}
	return false
}

func (s *selection) walk(dir string) {
	entries, err := s.tree.ReadDir(dir)
	if err != nil {
		s.gaps = append(s.gaps, Unreadable(dir, err))
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !e.IsDir() {
			s.consider(name, e)
		} else if s.recurse {
			s.walk(name)
		}
	}
}

// consider asks the questions of getPotentiallyValidManifestFile in the same order: a link that leaves the repository
// fails the unit even if a pattern would have left it out.
func (s *selection) consider(name string, e fs.DirEntry) {
	if !manifestName.MatchString(e.Name()) {
		return
	}
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := s.tree.Stat(name)
		switch {
		case err != nil:
			if gap := Unreadable(name, err); gap.Reason != diag.PathMissing { // Argo CD skips a link to nowhere
				s.gaps = append(s.gaps, gap)
			}
			return
		case !info.Mode().IsRegular():
			return
		}
	} else if !e.Type().IsRegular() {
		return
	}
	rel := name
	if s.dir != "." {
		rel = strings.TrimPrefix(name, s.dir+"/")
	}
	if s.exclude != nil && s.exclude.Match(rel) || s.include != nil && !s.include.Match(rel) {
		return
	}
	content, err := s.tree.ReadFile(name)
	if err != nil {
		s.gaps = append(s.gaps, Unreadable(name, err))
		return
	}
	if !bytes.Contains(content, []byte(skipMarker)) {
		s.files = append(s.files, manifest{name, content})
	}
}
