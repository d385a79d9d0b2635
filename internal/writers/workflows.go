// Package writers says what writes a path besides people: workflow files that name it, programs that keep versions up to date,
// and controllers that change images by themselves.
//
// In go trees and rendered objects, out come places and settings. It is data for an explanation, never a verdict. It refuses to
// run what a workflow does, to follow it out of its repository, and to quote a line of one, which may hold a secret.
package writers

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Problem is something that could not be looked into. Message is one line and quotes nothing.
type Problem struct {
	At      object.Location
	Message string
}

// Naming is how a line of a workflow names a path.
type Naming uint8

// From the surest to the weakest: the whole path; its end with at least one directory ("values/prd.yaml"); a directory
// that it lies in, by its whole path; its bare file name, which other files may share.
const (
	ByPath Naming = iota
	ByEnd
	ByDirectory
	ByName
)

func (n Naming) String() string {
	return [...]string{"names the path", "names the end of the path", "names a directory of it", "names a file that is called so"}[n]
}

// Mention is a line of a workflow that names a path. Only where it stands is kept: what it says may hold a secret.
type Mention struct {
	At     object.Location // Repository is the name that the caller gave
	Path   string          // which of the paths
	Naming Naming
	// Workflow is the workflow whose run reads the file that At means; "" if that is the workflow itself.
	Workflow string
	System   string // whose workflow it is: "GitHub Actions", "GitLab CI", ...
	// Variable tells that a part of the name is a variable or wildcard there: "values/${ENV}.yaml".
	Variable bool
	// Commits tells that the workflow also has a step that commits, pushes or opens a pull request, in its file or in one that
	// it runs; otherwise it may only read, or be started by changes of the path.
	Commits bool
}

// The bounds of looking into workflows of one repository.
const (
	maxWorkflows    = 1000    // files
	maxWorkflowSize = 1 << 20 // bytes
	maxLine         = 4096    // bytes of a line
	maxMentions     = 20      // by file and path
)

// Workflows looks in a tree's workflow files for lines that name one of the paths, which may be paths of another
// repository: CI of an application writes into the repository that delivers it. name is what Location.Repository becomes.
// Scripts of the same tree that a workflow names are looked into as well. Mentions are sorted by workflow, then by place.
func Workflows(name string, tree source.Tree, paths []string) ([]Mention, []Problem) {
	files, problems := workflowFiles(name, tree)
	wanted := make([]wantedPath, 0, len(paths))
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if fs.ValidPath(p) && p != "." {
			wanted = append(wanted, wantedPath{p, strings.Split(p, "/")})
		}
	}
	var all []Mention
	for _, f := range files {
		texts, ok := run(tree, f.name)
		if !ok {
			problems = append(problems, Problem{
				object.Location{Repository: name, File: f.name}, "the workflow is too large or cannot be read, and is not looked into",
			})
			continue
		}
		commits := slices.ContainsFunc(texts, func(t text) bool { return commitsIn(t.content) })
		for _, t := range texts {
			found := mentionsIn(object.Location{Repository: name, File: t.name}, t.content, wanted)
			for i := range found {
				found[i].System, found[i].Commits = f.system, commits
				if t.name != f.name {
					found[i].Workflow = f.name
				}
			}
			all = append(all, found...)
		}
	}
	return all, problems
}

// wantedPath is a path that is looked for.
type wantedPath struct {
	whole    string
	segments []string
}

// mentionsIn finds the lines that name a path. Of one line that names a path several times, the surest counts.
func mentionsIn(at object.Location, text string, wanted []wantedPath) []Mention {
	var all []Mention
	kept := map[string]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || len(line) > maxLine || strings.HasPrefix(line, "//") {
			continue
		}
		names := namesIn(line)
		for _, w := range wanted {
			m, ok := w.named(names)
			if !ok || kept[w.whole] == maxMentions {
				continue
			}
			kept[w.whole]++
			m.At, m.Path = at, w.whole
			m.At.Line = n
			all = append(all, m)
		}
	}
	return all
}

// named tells how the surest of some names means the path.
func (w wantedPath) named(names [][]string) (best Mention, ok bool) {
	for _, name := range names {
		m, means := w.meant(name)
		if means && (!ok || m.Naming < best.Naming) {
			best, ok = m, true
		}
	}
	return best, ok
}

// meant tells how a name means the path. A checkout may lie in a directory of its own, so the name may have more in front
// than the path has; a step may run inside a directory, so it may have less.
func (w wantedPath) meant(name []string) (Mention, bool) {
	same, plainDirs, variable := 0, 0, false
	for same < min(len(name), len(w.segments)) {
		theirs := name[len(name)-1-same]
		if fits, err := path.Match(theirs, w.segments[len(w.segments)-1-same]); err != nil || !fits {
			break
		}
		if strings.Contains(theirs, "*") {
			variable = true
		} else if same > 0 {
			plainDirs++
		}
		same++
	}
	file := name[len(name)-1]
	switch extra := len(name) - same; {
	case same == 0 || strings.Trim(file, "*.") == "":
		return w.directory(name)
	case same == len(w.segments) && extra <= 1 && (plainDirs > 0 || same == 1 && extra == 0 && !variable):
		return Mention{Naming: ByPath, Variable: variable}, true
	case (extra == 0 || same == len(w.segments)) && plainDirs > 0:
		return Mention{Naming: ByEnd, Variable: variable}, true
	case (extra == 0 || same == len(w.segments)) && !strings.Contains(file, "*") && !slices.Contains(common, file):
		return Mention{Naming: ByName, Variable: variable}, true
	}
	return w.directory(name)
}

// common are file names that say nothing of where the file lies.
var common = []string{
	"values.yaml", "values.yml", "Chart.yaml", "Chart.lock", "kustomization.yaml", "kustomization.yml", "deployment.yaml",
	"service.yaml", "configmap.yaml", "application.yaml", "README.md", "Makefile", "Dockerfile",
}

// directory tells whether a name is that of a directory above the path, of at least two names, perhaps with variables
// before it and wildcards for what is below it.
func (w wantedPath) directory(name []string) (Mention, bool) {
	for len(name) > 0 && strings.Contains(name[0], "*") {
		name = name[1:]
	}
	if i := slices.IndexFunc(name, func(s string) bool { return strings.Contains(s, "*") }); i >= 0 {
		name = name[:i]
	}
	for length := len(w.segments) - 1; length > 1; length-- {
		if len(name) < length {
			continue
		}
		if slices.Equal(name[len(name)-length:], w.segments[:length]) {
			return Mention{Naming: ByDirectory}, true
		}
	}
	return Mention{}, false
}

// workflowFile is a file that a CI system reads.
type workflowFile struct{ name, system string }

// fixed are workflow files by their whole path.
var fixed = []workflowFile{
	{".gitlab-ci.yml", "GitLab CI"}, {"bitbucket-pipelines.yml", "Bitbucket Pipelines"},
	{".circleci/config.yml", "CircleCI"}, {"azure-pipelines.yml", "Azure Pipelines"}, {"azure-pipelines.yaml", "Azure Pipelines"},
	{".travis.yml", "Travis CI"}, {".drone.yml", "Drone"}, {".woodpecker.yml", "Woodpecker"},
	{"cloudbuild.yaml", "Cloud Build"}, {"cloudbuild.yml", "Cloud Build"}, {"buildspec.yml", "CodeBuild"},
}

// folders are directories whose YAML files are workflows, with all that is below if deep.
var folders = []struct {
	dir, system string
	deep        bool
}{
	{".github/workflows", "GitHub Actions", false}, {".gitea/workflows", "Gitea Actions", false},
	{".forgejo/workflows", "Forgejo Actions", false}, {".github/actions", "GitHub Actions", true}, {".gitlab", "GitLab CI", true},
	{".azure-pipelines", "Azure Pipelines", true}, {"azure-pipelines", "Azure Pipelines", true},
	{".buildkite", "Buildkite", true}, {".woodpecker", "Woodpecker", false}, {".tekton", "Tekton", true},
}

// workflowFiles lists what CI reads in a tree, sorted by name.
func workflowFiles(repository string, tree source.Tree) ([]workflowFile, []Problem) {
	var all []workflowFile
	for _, f := range fixed {
		if info, err := tree.Stat(f.name); err == nil && !info.IsDir() {
			all = append(all, f)
		}
	}
	if entries, err := tree.ReadDir("."); err == nil {
		for _, e := range entries {
			if !e.IsDir() && strings.HasPrefix(e.Name(), "Jenkinsfile") {
				all = append(all, workflowFile{e.Name(), "Jenkins"})
			}
		}
	}
	for _, f := range folders {
		for _, name := range yamlBelow(tree, f.dir, f.deep, maxWorkflows+1-len(all)) {
			all = append(all, workflowFile{name, f.system})
		}
	}
	slices.SortFunc(all, func(a, b workflowFile) int { return strings.Compare(a.name, b.name) })
	if len(all) <= maxWorkflows {
		return all, nil
	}
	return all[:maxWorkflows], []Problem{{
		object.Location{Repository: repository},
		fmt.Sprintf("there are more than %d workflow files, and some are not looked into", maxWorkflows),
	}}
}

// yamlBelow lists at most so many YAML files of a directory. Links among directories are not followed.
func yamlBelow(tree source.Tree, dir string, deep bool, most int) []string {
	entries, err := tree.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case len(all) >= most:
			return all
		case e.IsDir() && deep:
			all = append(all, yamlBelow(tree, name, deep, most-len(all))...)
		case !e.IsDir() && (path.Ext(name) == ".yml" || path.Ext(name) == ".yaml"):
			all = append(all, name)
		}
	}
	return all
}
