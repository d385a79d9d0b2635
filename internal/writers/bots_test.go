package writers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/writers"
)

func TestBots(t *testing.T) {
	paths := []string{"app/helm/api/values.yaml", "app/helm/api/Chart.yaml", "app/config/kustomization.yaml", "app/web/deployment.yaml", "app/config/files/api.pb"}
	for _, c := range []struct{ name, file, text, want string }{
		{"nothing", "README.md", "renovate", ""},
		{
			"dependabot by directory", ".github/dependabot.yml",
			"version: 2\nupdates:\n- package-ecosystem: gomod\n  directory: /\n- package-ecosystem: docker\n  directory: /app/web\n",
			"Dependabot .github/dependabot.yml:5 app/web/deployment.yaml",
		},
		{
			"dependabot by directories", ".github/dependabot.yaml",
			"updates: [{package-ecosystem: helm, directories: ['/app/helm/*', '/other']}]",
			"Dependabot .github/dependabot.yaml:1 app/helm/api/Chart.yaml|Dependabot .github/dependabot.yaml:1 app/helm/api/values.yaml",
		},
		{"dependabot elsewhere", ".github/dependabot.yml", "updates: [{package-ecosystem: docker, directory: /app}]", ""},
		{
			"renovate as it comes", "renovate.json", `{"extends": ["config:recommended"]}`,
			"Renovate renovate.json:0 app/config/kustomization.yaml|Renovate renovate.json:0 app/helm/api/Chart.yaml|Renovate renovate.json:0 app/helm/api/values.yaml",
		},
		{"renovate off", "renovate.json", `{"enabled": false}`, ""},
		{
			"renovate by one manager, with comments", ".github/renovate.json5",
			"// as it is\n{ enabledManagers: ['kubernetes'], /* all\n of them */ kubernetes: {\n\tfileMatch: ['deployment\\\\.yaml$'], }, }\n",
			"Renovate .github/renovate.json5:0 app/web/deployment.yaml",
		},
		{
			"renovate by globs", ".renovaterc.json",
			`{"enabledManagers": ["argocd", "custom.regex"], "argocd": {"managerFilePatterns": ["nothing/**"]}, "customManagers": [{"managerFilePatterns": ["app/web/**", "/\\.pb$/"]}], "ignorePaths": ["**/files/**"]}`,
			"Renovate .renovaterc.json:0 app/web/deployment.yaml",
		},
		{"renovate in one place", "renovate.json", `{"includePaths": ["app/helm/**"], "helmv3": {"enabled": false}}`, "Renovate renovate.json:0 app/helm/api/values.yaml"},
	} {
		bots, problems := writers.Bots(tree(c.file, c.text), paths)
		var got []string
		for _, b := range bots {
			got = append(got, fmt.Sprintf("%s %s:%d %s", b.By, b.At.File, b.At.Line, b.Path))
		}
		if strings.Join(got, "|") != c.want || len(problems) > 0 {
			t.Errorf("%s: got %s %v", c.name, strings.Join(got, "|"), problems)
		}
	}
	for file, text := range map[string]string{"renovate.json": "{", ".github/dependabot.yml": "updates: {a: [}", "renovate.json5": "/* no end"} {
		if bots, problems := writers.Bots(tree(file, text), paths); len(bots) > 0 && len(problems) == 0 && file != "renovate.json5" {
			t.Errorf("%s: got %v %v", file, bots, problems)
		}
	}
}

// TestScripts: what a workflow runs is part of it, as far as plain names lead, inside its own repository.
func TestScripts(t *testing.T) {
	const path = "app/config/files/api.pb"
	deliver := "#!/bin/sh\n. ci/delivery.env\ncp api.pb \"manifests/$DESCRIPTOR\"\ngit push --quiet origin HEAD:main\n"
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{
			"a script that reads settings",
			[]string{".gitlab-ci.yml", "script:\n- ci/deliver.sh \"$TAG\"\n", "ci/deliver.sh", deliver, "ci/delivery.env", "# to\nDESCRIPTOR=app/config/files/api.pb\n"},
			"ci/deliver.sh:3 names a file that is called so by .gitlab-ci.yml commits, ci/delivery.env:2 names the path by .gitlab-ci.yml commits",
		},
		{
			"settings beside the script", []string{".gitlab-ci.yml", "script: [sh ci/deliver.sh]\n", "ci/deliver.sh", ". ./to.env\n", "ci/to.env", "D=app/config/files/api.pb\n"},
			"ci/to.env:1 names the path by .gitlab-ci.yml",
		},
		{
			"make", []string{".github/workflows/a.yaml", "run: make deliver\n", "Makefile", "deliver:\n\tgit commit -m x app/config/files/api.pb\n"},
			"Makefile:2 names the path by .github/workflows/a.yaml commits",
		},
		{"a name that is put together", []string{".gitlab-ci.yml", "script: [ci/$WHAT.sh]\n", "ci/deliver.sh", "cp x app/config/files/api.pb\n"}, ""},
		{"out of the repository", []string{".gitlab-ci.yml", "script: [../ci/deliver.sh]\n", "ci/deliver.sh", "cp x app/config/files/api.pb\n"}, ""},
		{"no text", []string{".gitlab-ci.yml", "script: [ci/deliver.sh]\n", "ci/deliver.sh", "\x00 app/config/files/api.pb\n"}, ""},
		{"scripts that run each other", []string{".gitlab-ci.yml", "script: [a.sh]\n", "a.sh", "sh b.sh\n", "b.sh", "sh a.sh\n"}, ""},
	} {
		found, problems := writers.Workflows("", tree(c.files...), []string{path})
		var got []string
		for _, m := range found {
			text := fmt.Sprintf("%s:%d %s", m.At.File, m.At.Line, m.Naming)
			if m.Workflow != "" {
				text += " by " + m.Workflow
			}
			if m.Commits {
				text += " commits"
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want || len(problems) > 0 {
			t.Errorf("%s: got %s %v", c.name, strings.Join(got, ", "), problems)
		}
	}
}
