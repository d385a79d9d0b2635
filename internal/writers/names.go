package writers

import (
	"regexp"
	"strings"
)

// expression is what stands for a value in a workflow: "${{ inputs.env }}", "$(date +%s)", "${ENV%-*}", "$ENV", "{{ .env }}",
// "<< parameters.env >>". None of them nests: of one that does, the rest stays, and the name with it is not recognised.
var expression = regexp.MustCompile(`\$\{\{[^{}]*\}\}|\{\{[^{}]*\}\}|<<[^<>]*>>|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Za-z_][A-Za-z0-9_]*`)

// namesIn gives what may be names of files in a line of a workflow, by their segments. Expressions become "*", as does
// every character that a name in a workflow hardly has.
func namesIn(line string) [][]string {
	line = expression.ReplaceAllString(line, "*")
	var all [][]string
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("\"'`,;|&<>()[]{}=:\\!?", r)
	}) {
		word = strings.TrimPrefix(strings.Trim(word, "/"), "./")
		if !strings.ContainsAny(word, "/.") || strings.Trim(word, "./*-") == "" {
			continue
		}
		var name []string
		for s := range strings.SplitSeq(word, "/") {
			if s != "" && s != "." {
				name = append(name, s)
			}
		}
		all = append(all, name)
	}
	return all
}

// committing are texts of a step that commits, pushes or opens a pull request. They are looked for in the whole file, since
// a step that edits and one that commits are seldom the same.
var committing = []string{
	"git push", "git commit", "gh pr create", "glab mr create", "create-pull-request", "git-auto-commit-action",
	"add-and-commit", "github-push-action", "semantic-release", "commit_changes", "kustomize-set-image", "gitops-update",
}

func commitsIn(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for _, c := range committing {
			if strings.Contains(line, c) {
				return true
			}
		}
	}
	return false
}
