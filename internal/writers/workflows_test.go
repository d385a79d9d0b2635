package writers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/writers"
)

// tree makes a tree of files given as name and text in turn.
func tree(files ...string) source.Tree {
	m := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = []byte(files[i+1])
	}
	return source.Memory(m)
}

func TestNaming(t *testing.T) {
	const path = "app/helm/api/values/prd.yaml"
	for _, c := range []struct{ line, want string }{
		{"run: yq -i '.image.tag = env.TAG' app/helm/api/values/prd.yaml", "names the path"},
		{"run: sed -i s/x/y/ ./app/helm/api/values/prd.yaml", "names the path"},
		{"file: gitops/app/helm/api/values/prd.yaml", "names the path"},
		{"- $WORKSPACE/app/helm/api/values/prd.yaml", "names the path"},
		{`run: yq -i "$EXPR" "app/helm/${{ matrix.app }}/values/${ENV}.yaml"`, "names the path, by a variable"},
		{"run: yq -i x=1 app/helm/{{ .Service }}/values/prd.yaml", "names the path, by a variable"},
		{"values/prd.yaml: |", "names the end of the path"},
		{"run: yq -i x=1 api/values/$1.yaml", ""}, // a number is no variable of ours
		{"run: yq -i x=1 api/values/${1}.yaml", "names the end of the path, by a variable"},
		{"- a/b/c/app/helm/api/values/prd.yaml", "names the end of the path"},
		{"working-directory: app/helm/api/values", "names a directory of it"},
		{"- 'app/helm/api/**'", "names a directory of it"},
		{"- app/helm/**/*.yaml", "names a directory of it"},
		{"run: yq -i x=1 prd.yaml", "names a file that is called so"},
		{"run: yq -i x=1 $DIR/prd.yaml", "names a file that is called so, by a variable"},
		{"run: yq -i x=1 $DIR/$ENV.yaml", ""},
		{"run: kubectl apply -f *.yaml", ""},
		{"- app/**", ""},
		{"- app/helm/api2/values/prd.yaml", ""},
		{"- other/prd.yaml", ""},
		{"- prd.yaml.tpl and xprd.yaml", ""},
		{"# app/helm/api/values/prd.yaml", ""},
		{"image: app/helm/api:1.2.3", "names a directory of it"}, // looks just like one
	} {
		found, problems := writers.Workflows("", tree(".gitlab-ci.yml", "stages:\n"+c.line+"\n"), []string{path})
		got := ""
		if len(found) == 1 {
			got = found[0].Naming.String()
			if found[0].Variable {
				got += ", by a variable"
			}
			if found[0].At.Line != 2 || found[0].Path != path || found[0].System != "GitLab CI" || found[0].Commits {
				t.Errorf("%s: got %+v", c.line, found[0])
			}
		}
		if got != c.want || len(problems) > 0 {
			t.Errorf("%s: got %q, want %q %v", c.line, got, c.want, problems)
		}
	}
}

// A file at the top, and one whose name many have, are meant by more than their name alone.
func TestNamesThatManyFilesHave(t *testing.T) {
	for _, c := range []struct{ path, line, want string }{
		{"versions.env", "cat versions.env", "names the path"},
		{"versions.env", "cat a/b/versions.env", "names a file that is called so"},
		{"charts/api/values.yaml", "cat values.yaml", ""},
		{"charts/api/values.yaml", "cat api/values.yaml", "names the end of the path"},
	} {
		found, _ := writers.Workflows("", tree("Jenkinsfile", c.line), []string{c.path})
		got := ""
		if len(found) == 1 {
			got = found[0].Naming.String()
		}
		if got != c.want {
			t.Errorf("%s: %s: got %q, want %q", c.path, c.line, got, c.want)
		}
	}
}

func TestWorkflowFiles(t *testing.T) {
	line := "run: edit deploy/api/prd.yaml\n"
	pushing := line + "run: git push origin main # token ghp_secret\n"
	found, problems := writers.Workflows("github.com/acme/api", tree(
		".github/workflows/release.yaml", "on: push\n"+pushing, ".github/workflows/notes.md", line, ".github/workflows/old/x.yml", line,
		".github/actions/bump/action.yml", line, ".gitlab-ci.yml", line, ".gitlab/ci/a/deploy.yml", line, "bitbucket-pipelines.yml", line,
		"Jenkinsfile.release", pushing, ".circleci/config.yml", line, "azure-pipelines.yml", line, ".azure-pipelines/x.yml", line,
		"deploy/api/prd.yaml", line, "scripts/release.yml", line, ".buildkite/pipeline.yml", "# git push\n"+line,
	), []string{"deploy/api/prd.yaml", "deploy/api/prd.yaml", "../outside", "."})
	var got []string
	for _, m := range found {
		s := fmt.Sprintf("%s:%d %s", m.At.File, m.At.Line, m.System)
		if m.Commits {
			s += " commits"
		}
		if m.At.Repository != "github.com/acme/api" {
			t.Errorf("got %+v", m)
		}
		got = append(got, s)
	}
	want := `.azure-pipelines/x.yml:1 Azure Pipelines
.buildkite/pipeline.yml:2 Buildkite
.circleci/config.yml:1 CircleCI
.github/actions/bump/action.yml:1 GitHub Actions
.github/workflows/release.yaml:2 GitHub Actions commits
.gitlab-ci.yml:1 GitLab CI
.gitlab/ci/a/deploy.yml:1 GitLab CI
Jenkinsfile.release:1 Jenkins commits
azure-pipelines.yml:1 Azure Pipelines
bitbucket-pipelines.yml:1 Bitbucket Pipelines`
	if strings.Join(got, "\n") != want || len(problems) > 0 {
		t.Errorf("got\n%s\n%v", strings.Join(got, "\n"), problems)
	}
	if all := fmt.Sprint(found, problems); strings.Contains(all, "secret") {
		t.Errorf("quotes a line: %s", all)
	}
}

func TestHostileWorkflows(t *testing.T) {
	long := strings.Repeat("x", 5000) + " deploy/api/prd.yaml\n"
	many := strings.Repeat("deploy/api/prd.yaml\n", 1000)
	stars := strings.Repeat("*a", 1500) + "/prd.yaml\n"
	files := []string{".gitlab-ci.yml", long + stars + many, ".travis.yml", strings.Repeat("deploy/api/prd.yaml\n", 60_000)}
	for i := range 1100 {
		files = append(files, fmt.Sprintf(".github/workflows/%04d.yml", i), "\xff\x00\n${{${{$($((<<")
	}
	found, problems := writers.Workflows("", tree(files...), []string{"deploy/api/prd.yaml", strings.Repeat("a", 1000) + "/b"})
	if len(found) != 20 || found[0].At.Line != 3 {
		t.Errorf("got %d %+v", len(found), found[0])
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.At.File+" "+p.Message)
	}
	if got := strings.Join(said, "; "); !strings.Contains(got, "more than 1000 workflow files") {
		t.Errorf("got %q", got)
	}
}

func TestAWorkflowTooLarge(t *testing.T) {
	found, problems := writers.Workflows("", tree(".travis.yml", strings.Repeat("deploy/api/prd.yaml\n", 60_000)), []string{"deploy/api/prd.yaml"})
	if len(found) > 0 || len(problems) != 1 || problems[0].At.File != ".travis.yml" {
		t.Errorf("got %d, %+v", len(found), problems)
	}
}

func FuzzWorkflows(f *testing.F) {
	f.Add("run: yq -i x app/${{ a }}/$B.yaml", "app/x/y.yaml")
	f.Add("- 'a/**/*'\n[\\", "a/b")
	f.Fuzz(func(t *testing.T, text, path string) {
		found, _ := writers.Workflows("", tree(".gitlab-ci.yml", text), []string{path})
		for _, m := range found {
			if m.Path != path || m.At.Line < 1 || m.At.Line > strings.Count(text, "\n")+1 {
				t.Errorf("got %+v", m)
			}
		}
	})
}
