package owners

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// programs are what is known to commit by itself: words that its names hold, and what it is.
var programs = []struct {
	word, role string
}{
	{"argocd-image-updater", "Argo CD Image Updater"},
	{"image-updater", "Argo CD Image Updater"},
	{"fluxbot", "Flux"}, {"fluxcdbot", "Flux"}, {"fluxcd", "Flux"}, {"flux", "Flux"},
	{"kargo", "Kargo"},
	{"renovate", "Renovate"}, {"renovatebot", "Renovate"},
	{"dependabot", "Dependabot"},
	{"github-actions", "GitHub Actions"}, {"github-action", "GitHub Actions"}, {"actions-user", "GitHub Actions"},
	{"gitlab-ci-token", "GitLab CI"}, {"gitlab-ci", "GitLab CI"}, {"gitlab-bot", "GitLab CI"},
	{"bitbucket-pipelines", "Bitbucket Pipelines"},
	{"azure-pipelines", "Azure Pipelines"}, {"azure-devops", "Azure Pipelines"},
	{"jenkins", "Jenkins"}, {"circleci", "CircleCI"}, {"travis-ci", "Travis CI"}, {"buildkite", "Buildkite"},
	{"teamcity", "TeamCity"}, {"concourse", "Concourse"}, {"tekton", "Tekton"}, {"codefresh", "Codefresh"},
	{"semantic-release", "a release tool"}, {"release-please", "a release tool"}, {"goreleaser", "a release tool"},
	{"copybara", "Copybara"}, {"mergify", "Mergify"}, {"prow", "Prow"}, {"greenkeeper", "Greenkeeper"}, {"snyk", "Snyk"},
}

// fillers may stand beside a program's name: "Jenkins CI Server".
var fillers = []string{"ci", "cd", "server", "user", "agent", "service", "account", "argo", "system", "noreply"}

// robotOf guesses whether an author is a program, by name and address, and what it is: "Renovate", "CI", "a bot". It is
// "" for a person. Nothing in a commit says so for certain.
func robotOf(p source.Person) string {
	name := strings.ToLower(strings.TrimSpace(p.Name))
	local, host, _ := strings.Cut(strings.ToLower(p.Mail), "@")
	noreply := strings.HasPrefix(host, "users.noreply.")
	certain := strings.HasSuffix(name, "[bot]") || noreply && strings.HasSuffix(local, "[bot]") ||
		strings.Contains(local, "_bot_") && strings.Contains(host, "noreply")
	if role := roleOf(strings.TrimSuffix(name, "[bot]")); role != "" {
		return role
	}
	if certain {
		return "a bot"
	}
	// The account name in a forge's own address is chosen freely: "ci-operator" may be a person.
	if noreply {
		return ""
	}
	return roleOfAddress(local)
}

// roleOf tells a program by its name in lower case. A name without spaces is that of an account, and may say whose program
// it is: "acme-jenkins". One with spaces may be a person's.
func roleOf(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -_./", r) })
	if strings.Contains(name, " ") {
		return roleOfWords(words)
	}
	if role, _ := programIn(words); role != "" {
		return role
	}
	return markedAs(words)
}

// roleOfWords tells a program by words that may be a person's: what is beside its name must be plain, or say that it is one.
func roleOfWords(words []string) string {
	role, rest := programIn(words)
	robot := slices.Contains(words, "bot") || slices.Contains(words, "robot")
	plain := !slices.ContainsFunc(rest, func(w string) bool { return !slices.Contains(fillers, w) })
	switch {
	case role != "" && (plain || robot):
		return role
	case robot:
		return "a bot"
	}
	return ""
}

// roleOfAddress tells a program by what stands before the "@". Dots join the names of persons: "ci.xin".
func roleOfAddress(local string) string {
	if role := roleOfWords(strings.FieldsFunc(local, func(r rune) bool { return strings.ContainsRune("-_.+", r) })); role != "" {
		return role
	}
	return markedAs(strings.FieldsFunc(local, func(r rune) bool { return strings.ContainsRune("-_+", r) }))
}

// markedAs tells a program by one word of an account's name.
func markedAs(words []string) string {
	for _, w := range words {
		switch w {
		case "ci", "cd", "cicd":
			return "CI"
		case "bot", "robot", "automation":
			return "a bot"
		}
	}
	return ""
}

// programIn finds a program whose words stand in a row among others, and gives the others.
func programIn(words []string) (role string, rest []string) {
	for _, p := range programs {
		parts := strings.Split(p.word, "-")
		for i := 0; i+len(parts) <= len(words); i++ {
			if slices.Equal(words[i:i+len(parts)], parts) {
				return p.role, slices.Concat(words[:i], words[i+len(parts):])
			}
		}
	}
	return "", words
}
