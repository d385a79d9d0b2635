package config_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
)

const full = `version: 1
roots:
  - path: argocd-config/overlays/gcp
    name: gcp
    namespace: gitops
  - path: charts/root
    helm: {valueFiles: [values-prod.yaml], parameters: [{name: env, value: prod}]}
repositories:
  - urls: ["http://gitea.gitea.svc/ops/homelab", "git@github.com:acme/gitops.git"]
    dir: .
clusters:
  - {name: prod-1, server: "https://10.0.0.1", labels: {env: prod}, annotations: {}}
controller:
  argocd: "3.5"
  trigger: webhook
  trackingMethod: annotation
  applicationHealth: false
  kustomizeBuildOptions: "--load-restrictor LoadRestrictionsNone"
kubernetes: {version: "1.34", apiVersions: [monitoring.coreos.com/v1]}
pairs:
  - consumer: {kind: Rollout, namespace: api, name: api}
    provider: {kind: ConfigMap, namespace: api, name: api-descriptor, key: api.pb}
    serves: {repository: ../api, protos: proto, revision: "{{tag}}"}
suppress:
  - {id: 4f1c9a02, reason: "consumer leaves in March", until: 2027-03-31}
limits: {unitTimeout: 10s, unitMemory: 500Mi, fileSize: 1Mi, unusualSteps: 3, states: 100}
`

func TestParseReadsEveryKey(t *testing.T) {
	c, err := config.Parse(".syncproof.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Roots) != 2 || c.Roots[0].Name != "gcp" || c.Roots[0].Source.Path != "argocd-config/overlays/gcp" || c.Roots[0].Namespace != "gitops" {
		t.Errorf("roots = %+v", c.Roots)
	}
	second := c.Roots[1]
	if second.Name != "charts/root" || second.Line != 6 || second.Source.Helm.ValueFiles[0] != "values-prod.yaml" ||
		second.Source.Helm.Parameters[0].Value != "prod" {
		t.Errorf("second root = %+v", second)
	}
	if len(c.Repositories) != 1 || len(c.Repositories[0].URLs) != 2 || c.Repositories[0].Dir != "." {
		t.Errorf("repositories = %+v", c.Repositories)
	}
	if len(c.Clusters) != 1 || c.Clusters[0].Server != "https://10.0.0.1" || c.Clusters[0].Labels["env"] != "prod" {
		t.Errorf("clusters = %+v", c.Clusters)
	}
	if c.Controller.Trigger != "webhook" || c.Controller.KustomizeBuildOptions == "" {
		t.Errorf("controller = %+v", c.Controller)
	}
	if c.Kubernetes.Version != "1.34" || len(c.Kubernetes.APIVersions) != 1 {
		t.Errorf("kubernetes = %+v", c.Kubernetes)
	}
	want := config.Limits{UnitTimeout: 10 * time.Second, UnitMemory: 500 << 20, FileSize: 1 << 20, UnusualSteps: 3, States: 100}
	if c.Limits != want {
		t.Errorf("limits = %+v, want %+v", c.Limits, want)
	}
	inert := []config.Key{{Name: "pairs", Line: 20}, {Name: "limits of the search", Line: 26}, {Name: "suppress", Line: 24}}
	if !slices.Equal(c.Inert, inert) {
		t.Errorf("inert = %+v, want %+v", c.Inert, inert)
	}
}

func TestParseKeepsDefaults(t *testing.T) {
	for _, text := range []string{"", "version: 1\n", "version: 1\ncontroller: {trigger: webhook}\n"} {
		c, err := config.Parse("f", []byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if c.Controller.ArgoCD != "3.5" || c.Controller.TrackingMethod != "annotation" || c.Kubernetes.Version != "1.35" {
			t.Errorf("%q: defaults lost: %+v %+v", text, c.Controller, c.Kubernetes)
		}
		if c.Limits != config.Default().Limits {
			t.Errorf("%q: limits = %+v", text, c.Limits)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"unknown key":        {"version: 1\nrooots: []\n", `f:2: unknown key "rooots"`},
		"unknown nested key": {"version: 1\ncontroller:\n  argo: 3\n", `f:3: unknown key "argo"`},
		"unknown root key":   {"version: 1\nroots:\n  - path: a\n    patch: b\n", `f:4: unknown key "patch" in a root`},
		"unknown helm key":   {"version: 1\nroots:\n  - path: a\n    helm:\n      valuesFiles: [b]\n", `f:5: unknown key "valuesFiles" in helm`},
		"wrong type in root": {"version: 1\nroots:\n  - path: a\n    helm: {valueFiles: b}\n", `f:3: source field helm.valueFiles cannot be a string`},
		"little memory":      {"version: 1\nlimits: {unitMemory: 100Mi}\n", "f:2: unitMemory: a renderer needs at least 200Mi"},
		"no path":            {"version: 1\nroots:\n  - name: a\n", "f:3: a root needs a path"},
		"path leaves":        {"version: 1\nroots:\n  - path: ../x\n", `f:3: path "../x" leaves the repository`},
		"absolute path":      {"version: 1\nroots:\n  - path: /x\n", `f:3: path "/x" leaves the repository`},
		"same name":          {"version: 1\nroots:\n  - path: a\n  - path: b\n    name: a\n", `f:4: root "a" is named twice; give each root a name of its own`},
		"root is a string":   {"version: 1\nroots: [a]\n", "f:2: a root is a mapping with path, name, namespace, helm, kustomize, directory"},
		"no version":         {"roots: []\n", "f:1: version is missing; write `version: 1`"},
		"other version":      {"version: 2\n", "f:1: version 2 is not known; this version reads 1"},
		"bad trigger":        {"version: 1\ncontroller: {trigger: cron}\n", `f:2: trigger: "cron" is not one of polling, webhook`},
		"bad tracking":       {"version: 1\ncontroller: {trackingMethod: x}\n", `f:2: trackingMethod: "x" is not one of annotation, label, annotation+label`},
		"bad argo version":   {"version: 1\ncontroller: {argocd: latest}\n", `f:2: argocd: "latest" is no version such as 3.5`},
		"bad kube version":   {"version: 1\nkubernetes: {version: new}\n", `f:2: kubernetes version "new" is no version such as 1.35`},
		"bad timeout":        {"version: 1\nlimits: {unitTimeout: 30}\n", `f:2: unitTimeout: "30" is no duration such as 30s`},
		"bad memory":         {"version: 1\nlimits: {unitMemory: lots}\n", `f:2: unitMemory: "lots" is no size such as 1500Mi`},
		"bad steps":          {"version: 1\nlimits: {unusualSteps: 0}\n", "f:2: unusualSteps must be at least 1"},
		"repository":         {"version: 1\nrepositories:\n  - dir: .\n", "f:3: a repository needs urls and a dir"},
		"cluster twice":      {"version: 1\nclusters:\n  - {name: a, server: s}\n  - {name: b, server: s}\n", `f:2: cluster "b" is listed twice`},
		"cluster without":    {"version: 1\nclusters:\n  - {name: a}\n", "f:2: a cluster needs a name and a server"},
		"not YAML":           {"version: 1\nroots: [\n", "f:2: did not find expected node content"},
		"not YAML inside":    {"version: 1\nroots: []\nlimits: {unitTimeout: [}\n", "f:3: did not find expected node content"},
		"bad indentation":    {"version: 1\n roots: []\n", "f:2: mapping values are not allowed in this context"},
		"not a mapping":      {"- 1\n", "f:1: a list cannot stand here"},
		"scalar for map":     {"version: 1\nlimits: 3\n", "f:2: a number cannot stand here"},
		"two documents":      {"version: 1\n---\nversion: 1\n", "f: holds more than one document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse("f", []byte(tc.text))
			if err == nil || err.Error() != tc.want {
				t.Errorf("error = %v\nwant    %s", err, tc.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("version: 1\nroots: [{path: a, helm: {valuesObject: {a: 1}}}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := config.Parse("f", text); err != nil {
			var mistake *config.Error
			if !errors.As(err, &mistake) {
				t.Errorf("%T is no *config.Error: %v", err, err)
			}
		}
	})
}
