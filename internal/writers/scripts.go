package writers

import (
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// The bounds of following a workflow into files of its own repository.
const (
	maxFollowed = 40 // files of one workflow
	maxDepth    = 3  // a workflow runs a script, which reads a file of settings
)

// scriptEnds are the ends of files that a step runs or reads. What has no end at all may be a script, too.
var scriptEnds = []string{"", ".sh", ".bash", ".zsh", ".py", ".rb", ".js", ".mjs", ".ts", ".pl", ".ps1", ".mk", ".env", ".groovy", ".just"}

// text is one file that belongs to a workflow: the workflow itself, or what it runs.
type text struct{ name, content string }

// run gives a workflow with the files of its repository that it names, that those name, and so on, each once. They are read
// and not run: a name that is put together from variables is not followed. Without its own text there is nothing.
func run(tree source.Tree, workflow string) ([]text, bool) {
	whole, ok := readText(tree, workflow)
	if !ok {
		return nil, false
	}
	all := []text{{workflow, whole}}
	seen := map[string]bool{workflow: true}
	level := all
	for range maxDepth {
		var next []text
		for _, t := range level {
			for _, name := range filesIn(t) {
				if seen[name] || len(all)+len(next) >= maxFollowed {
					continue
				}
				seen[name] = true
				if whole, ok := readText(tree, name); ok {
					next = append(next, text{name, whole})
				}
			}
		}
		all, level = append(all, next...), next
	}
	return all, true
}

// readText is the text of a regular file that is not too large.
func readText(tree source.Tree, name string) (string, bool) {
	info, err := tree.Stat(name)
	if err != nil || info.IsDir() || info.Size() > maxWorkflowSize {
		return "", false
	}
	data, err := tree.ReadFile(name)
	if err != nil || slices.Contains(data[:min(len(data), 512)], 0) {
		return "", false
	}
	return string(data), true
}

// filesIn are names in a text that may be those of scripts: from the top of the repository, or beside the text.
func filesIn(t text) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for line := range strings.Lines(t.content) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || len(line) > maxLine {
			continue
		}
		if words := strings.Fields(line); slices.Contains(words, "make") {
			add("Makefile")
		}
		for _, name := range namesIn(line) {
			whole := strings.Join(name, "/")
			if strings.Contains(whole, "*") || strings.Contains(whole, "..") || !slices.Contains(scriptEnds, path.Ext(whole)) {
				continue
			}
			add(whole)
			if dir := path.Dir(t.name); dir != "." {
				add(path.Join(dir, whole))
			}
		}
	}
	return out
}
