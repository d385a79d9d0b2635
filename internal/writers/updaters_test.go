package writers_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/writers"
)

// objects reads manifests; the n-th of them stands at line n of apps.yaml.
func objects(t *testing.T, text string) []object.Object {
	t.Helper()
	var all []object.Object
	for i, doc := range strings.Split(text, "---\n") {
		raw, err := yaml.YAMLToJSON([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		fields, err := object.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		group, version := object.SplitAPIVersion(object.String(fields, "apiVersion"))
		all = append(all, object.Object{
			ID: object.ID{
				Group: group, Kind: object.String(fields, "kind"),
				Namespace: object.String(fields, "metadata", "namespace"), Name: object.String(fields, "metadata", "name"),
			},
			Version: version, Fields: fields, Origin: object.Location{File: "apps.yaml", Line: i + 1},
		})
	}
	return all
}

// application is a manifest with annotations of the Image Updater, given as "name: value" lines without their prefix.
func application(annotations, source string) string {
	var lines strings.Builder
	for _, a := range strings.Split(annotations, "\n") {
		if a != "" {
			fmt.Fprintf(&lines, "    argocd-image-updater.argoproj.io/%s\n", a)
		}
	}
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: api\n  namespace: argocd\n  labels: {team: a}\n  annotations:\n    a: b\n" +
		lines.String() + "spec:\n  " + source + "\n"
}

func one(t *testing.T, text string) writers.Updater {
	t.Helper()
	all := writers.Updaters(objects(t, text))
	if len(all) != 1 {
		t.Fatalf("got %+v", all)
	}
	return all[0]
}

func TestImageUpdaterAnnotations(t *testing.T) {
	const single = "source: {repoURL: https://github.com/Acme/GitOps.git, path: apps/api}"
	const several = "sources: [{repoURL: https://example.com/charts, chart: x}, {repoURL: https://github.com/acme/gitops, path: apps/api}, {repoURL: https://github.com/acme/gitops, path: base}]"
	for _, c := range []struct{ name, annotations, source, want string }{
		{"into the cluster", "image-list: a=x/y", single, "live "},
		{"into the cluster, said", "image-list: a=x/y\nwrite-back-method: argocd", single, "live "},
		{
			"beside the manifests", "image-list: a=x/y\nwrite-back-method: git", single,
			"github.com/acme/gitops apps/api/.argocd-source-api.yaml apps/api/.argocd-source-argocd_api.yaml",
		},
		{
			"values", "image-list: a=x/y\nwrite-back-method: git:secret:argocd/creds\nwrite-back-target: helmvalues\ngit-branch: main", single,
			"github.com/acme/gitops >main apps/api/values.yaml",
		},
		{
			"values further up", "image-list: a=x/y\nwrite-back-method: git\nwrite-back-target: 'helmvalues:../../values/prd.yaml'", single,
			"github.com/acme/gitops values/prd.yaml",
		},
		{
			"values from the top, in another repository",
			"image-list: a=x/y\nwrite-back-method: git\nwrite-back-target: 'helmvalues:/values/prd.yaml'\ngit-repository: git@github.com:acme/values.git", several,
			"github.com/acme/values values/prd.yaml",
		},
		{
			"kustomize", "image-list: a=x/y\nwrite-back-method: git\nwrite-back-target: 'kustomization:/overlays/prd'", single,
			"github.com/acme/gitops overlays/prd/Kustomization overlays/prd/kustomization.yaml overlays/prd/kustomization.yml",
		},
		{
			"several sources", "image-list: a=x/y\nwrite-back-method: git\nwrite-back-target: 'helmvalues:v.yaml'", several,
			" apps/api/v.yaml base/v.yaml ?the Application has several sources, and which of them is written to is not said",
		},
	} {
		u := one(t, application(c.annotations, c.source))
		got := u.Repository
		if !u.Git {
			got = "live"
		}
		if u.Branch != "" {
			got += " >" + u.Branch
		}
		got += " " + strings.Join(u.Paths, " ")
		if u.Unknown != "" {
			got += " ?" + u.Unknown
		}
		if got != c.want || u.Unit != "argocd/api" || u.At.Line != 1 {
			t.Errorf("%s: got %q %+v", c.name, got, u)
		}
	}
	if all := writers.Updaters(objects(t, application("", single))); len(all) > 0 {
		t.Errorf("got %+v", all)
	}
}

func TestImageUpdaterInATemplate(t *testing.T) {
	u := one(t, `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  template:
    metadata:
      name: "{{ .path.basename }}"
      annotations:
        argocd-image-updater.argoproj.io/image-list: a=x/y
        argocd-image-updater.argoproj.io/write-back-method: git
        argocd-image-updater.argoproj.io/write-back-target: helmvalues:/values/prd.yaml
    spec:
      source: {repoURL: https://github.com/acme/gitops, path: "{{ .path.path }}"}
`)
	if strings.Join(u.Paths, " ") != "values/prd.yaml" || u.Unknown == "" || u.Repository != "github.com/acme/gitops" {
		t.Errorf("got %+v", u)
	}
}

func TestImageUpdaterObjects(t *testing.T) {
	const app = "image-list: a=x/y\nwrite-back-method: argocd"
	const updater = `apiVersion: argocd-image-updater.argoproj.io/v1alpha1
kind: ImageUpdater
metadata: {name: u, namespace: argocd}
spec:
  writeBackConfig: {method: "git:repocreds", gitConfig: {branch: main, writeBackTarget: "helmvalues:/general.yaml"}}
  applicationRefs:
`
	for _, c := range []struct{ name, refs, want string }{
		{"general", "  - namePattern: api*", "argocd/api true main general.yaml "},
		{"own", "  - {namePattern: 'ap?', writeBackConfig: {gitConfig: {writeBackTarget: 'helmvalues:/own.yaml'}}}", "argocd/api true main own.yaml "},
		{"into the cluster", "  - {namePattern: api, writeBackConfig: {method: argocd}}", "argocd/api false   "},
		{"by annotations", "  - {namePattern: api, useAnnotations: true}", "argocd/api false   "},
		{"by label", "  - {namePattern: '*', labelSelectors: {matchLabels: {team: a}}}", "argocd/api true main general.yaml "},
		{"nobody", "  - {namePattern: other}", " true main  none of the Applications that are read has a name that it selects"},
		{"not by label", "  - {namePattern: '*', labelSelectors: {matchLabels: {team: b}}}", " true main  none of the Applications that are read has a name that it selects"},
		{"broken", "  - {namePattern: '['}", " true main  none of the Applications that are read has a name that it selects"},
	} {
		all := writers.Updaters(objects(t, updater+c.refs+"\n---\n"+application(app, "source: {repoURL: https://github.com/acme/gitops, path: a}")))
		if len(all) != 2 {
			t.Fatalf("%s: got %+v", c.name, all)
		}
		u := all[0]
		if got := fmt.Sprint(u.Unit, " ", u.Git, " ", u.Branch, " ", strings.Join(u.Paths, " "), " ", u.Unknown); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFlux(t *testing.T) {
	u := one(t, `apiVersion: image.toolkit.fluxcd.io/v1beta2
kind: ImageUpdateAutomation
metadata: {name: flux, namespace: flux-system}
spec:
  sourceRef: {kind: GitRepository, name: gitops}
  git: {checkout: {ref: {branch: main}}, push: {branch: updates}, commit: {author: {email: flux@example.com}}}
  update: {path: ./clusters/prd, strategy: Setters}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: gitops, namespace: flux-system}
spec: {url: "ssh://git@github.com/acme/gitops.git"}
`)
	if u.Repository != "github.com/acme/gitops" || u.Branch != "updates" || u.Below != "clusters/prd" || u.Unknown != "" {
		t.Errorf("got %+v", u)
	}
	files := tree(
		"clusters/prd/api.yaml", "spec:\n  image: x:1 # {\"$imagepolicy\": \"flux-system:api\"}\n",
		"clusters/prd/web.yaml", "spec:\n  image: x:1\n  note: '\"$imagepolicy\"'\n",
		"clusters/stg/api.yaml", "image: x:1 # {\"$imagepolicy\": \"flux-system:api\"}\n",
	)
	ours := func(url string) bool { return url == "github.com/acme/gitops" }
	for _, c := range []struct {
		path  string
		yes   bool
		line  int
		ours  func(string) bool
		below string
	}{
		{"clusters/prd/api.yaml", true, 2, ours, u.Below},
		{"clusters/prd/api.yaml", true, 2, nil, u.Below},
		{"clusters/prd/api.yaml", false, 0, func(string) bool { return false }, u.Below},
		{"clusters/prd/web.yaml", false, 0, ours, u.Below},
		{"clusters/prd/gone.yaml", false, 0, ours, u.Below},
		{"clusters/prd", false, 0, ours, "clusters"},
		{"clusters/stg/api.yaml", false, 0, ours, u.Below},
		{"clusters/stg/api.yaml", true, 1, ours, "."},
	} {
		u.Below = c.below
		if yes, line := u.Writes(files, c.path, c.ours); yes != c.yes || line != c.line {
			t.Errorf("%s: got %v %d", c.path, yes, line)
		}
	}
}

func TestFluxWithoutItsRepository(t *testing.T) {
	u := one(t, "apiVersion: image.toolkit.fluxcd.io/v1\nkind: ImageUpdateAutomation\nmetadata: {name: a}\nspec: {}\n")
	if u.Unknown == "" || u.Below != "." || u.Repository != "" {
		t.Errorf("got %+v", u)
	}
}

func TestWritesByPath(t *testing.T) {
	u := writers.Updater{Git: true, Paths: []string{"values/prd.yaml"}}
	if yes, _ := u.Writes(tree(), "values/prd.yaml", nil); !yes {
		t.Error("a file that it names")
	}
	if yes, _ := u.Writes(tree(), "values/stg.yaml", nil); yes {
		t.Error("a file that it does not name")
	}
	u.Git = false
	if yes, _ := u.Writes(tree(), "values/prd.yaml", nil); yes {
		t.Error("it does not commit")
	}
}
