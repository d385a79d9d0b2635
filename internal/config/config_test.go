package config_test

import (
	"errors"
	"reflect"
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
  - consumer: {kind: Deployment, namespace: api, name: partner}
    provider: {kind: ConfigMap, namespace: api, name: api-descriptor}
    serves: {descriptor: files/partner.pb}
    image: registry.example.com:5000/shop/api
suppress:
  - {id: 4f1c9a02, reason: "consumer leaves in March", until: 2027-03-31}
limits: {unitTimeout: 10s, unitMemory: 500Mi, fileSize: 1Mi, unusualSteps: 0, states: 5000}
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
	want := config.Limits{UnitTimeout: 10 * time.Second, UnitMemory: 500 << 20, FileSize: 1 << 20, UnusualSteps: 0, States: 5000}
	if c.Limits != want {
		t.Errorf("limits = %+v, want %+v", c.Limits, want)
	}
	if inert := []config.Key{{Name: "suppress", Line: 28}}; !slices.Equal(c.Inert, inert) {
		t.Errorf("inert = %+v, want %+v", c.Inert, inert)
	}
	pairs := []config.Pair{{
		Consumer: config.End{Kind: "Rollout", Namespace: "api", Name: "api"},
		Provider: config.End{Kind: "ConfigMap", Namespace: "api", Name: "api-descriptor", Key: "api.pb"},
		Serves:   &config.Serves{Repository: "../api", Protos: "proto", Revision: "{{tag}}"},
		Line:     21,
	}, {
		Consumer: config.End{Kind: "Deployment", Namespace: "api", Name: "partner"},
		Provider: config.End{Kind: "ConfigMap", Namespace: "api", Name: "api-descriptor"},
		Serves:   &config.Serves{Descriptor: "files/partner.pb"},
		Image:    "registry.example.com:5000/shop/api",
		Line:     24,
	}}
	if !reflect.DeepEqual(c.Pairs, pairs) {
		t.Errorf("pairs = %+v, want %+v", c.Pairs, pairs)
	}
}

func TestAPairWithoutServesIsInert(t *testing.T) {
	c, err := config.Parse("f", []byte("version: 1\npairs:\n  - consumer: {kind: A, name: a}\n    provider: {kind: B, name: b}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Pairs) != 1 || c.Pairs[0].Serves != nil {
		t.Errorf("pairs = %+v", c.Pairs)
	}
	if inert := []config.Key{{Name: "a pair without serves", Line: 3}}; !slices.Equal(c.Inert, inert) {
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
		"many steps":         {"version: 1\nlimits:\n  states: 5000\n  unusualSteps: 9\n", "f:4: unusualSteps: 9 is not from 0 to 4"},
		"negative steps":     {"version: 1\nlimits: {unusualSteps: -1}\n", "f:2: unusualSteps: -1 is not from 0 to 4"},
		"few states":         {"version: 1\nlimits: {states: 999}\n", "f:2: states: 999 is not from 1000 to 20000000"},
		"many states":        {"version: 1\nlimits: {states: 20000001}\n", "f:2: states: 20000001 is not from 1000 to 20000000"},
		"steps as text":      {"version: 1\nlimits: {unusualSteps: two}\n", "f:2: a string cannot stand here"},
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

// TestParseRefusesPairs puts a mistake into the entry of a pair: what is written stands below two sound ends.
func TestParseRefusesPairs(t *testing.T) {
	const ends = "version: 1\npairs:\n  - consumer: {kind: A, name: a}\n    provider: {kind: B, name: b, key: k}\n"
	for name, tc := range map[string]struct{ text, want string }{
		"not a mapping":        {"version: 1\npairs: [a]\n", "f:2: a pair is a mapping with consumer, provider, serves, image"},
		"no ends":              {"version: 1\npairs:\n  - image: a\n", "f:3: a pair needs a consumer and a provider"},
		"no provider":          {"version: 1\npairs:\n  - consumer: {kind: A, name: a}\n", "f:3: a pair needs a consumer and a provider"},
		"end without a name":   {"version: 1\npairs:\n  - consumer: {kind: A}\n    provider: {kind: B, name: b}\n", "f:3: consumer needs kind and name"},
		"key of a consumer":    {"version: 1\npairs:\n  - consumer: {kind: A, name: a, key: k}\n", `f:3: unknown key "key" in consumer`},
		"name is a number":     {"version: 1\npairs:\n  - consumer:\n      kind: A\n      name: 7\n", "f:5: name takes a string; put what looks like something else in quotes"},
		"twice":                {ends + "  - consumer: {kind: A, name: a}\n    provider: {kind: B, name: b, key: k}\n", "f:5: the pair of a and b is listed twice"},
		"unknown key":          {ends + "    serve: {descriptor: a}\n", `f:5: unknown key "serve" in a pair`},
		"unknown key inside":   {ends + "    serves:\n      descriptor: a\n      proto: b\n", `f:7: unknown key "proto" in serves`},
		"key stands twice":     {ends + "    serves:\n      descriptor: a\n      descriptor: b\n", "f:7: descriptor stands twice in serves"},
		"serves is a string":   {ends + "    serves: a\n", "f:5: serves is a mapping with repository, protos, revision, descriptor"},
		"both":                 {ends + "    serves: {descriptor: a, protos: b}\n", "f:5: serves takes either protos or descriptor"},
		"neither":              {ends + "    serves: {repository: .., revision: main}\n", "f:5: serves takes either protos or descriptor"},
		"no revision":          {ends + "    serves: {repository: .., protos: b}\n", `f:5: serves takes repository and revision together; "." is this repository`},
		"no repository":        {ends + "    serves: {revision: v1, protos: b}\n", `f:5: serves takes repository and revision together; "." is this repository`},
		"revision is a number": {ends + "    serves: {repository: ., protos: b, revision: 1.10}\n", "f:5: revision takes a string; put what looks like something else in quotes"},
		"other braces":         {ends + "    serves: {repository: ., protos: b, revision: \"{{ tag }}\"}\n", `f:5: revision: "{{ tag }}": only {{tag}} can stand in braces`},
		"an option":            {ends + "    serves: {repository: ., protos: b, revision: --all}\n", `f:5: revision: "--all" begins with a dash`},
		"path leaves":          {ends + "    serves: {descriptor: a/../../b}\n", `f:5: path "a/../../b" leaves the repository`},
		"absolute path":        {ends + "    serves: {protos: /b}\n", `f:5: path "/b" leaves the repository`},
		"empty value":          {ends + "    serves: {protos: b, repository: \"\"}\n", "f:5: repository is empty"},
		"no value":             {ends + "    serves:\n      protos:\n", "f:6: protos takes a string; put what looks like something else in quotes"},
		"image with a tag":     {ends + "    image: host:5000/api:v1\n", `f:5: image: "host:5000/api:v1" has a tag or a digest; write the name alone`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse("f", []byte(tc.text))
			if err == nil || err.Error() != tc.want {
				t.Errorf("error = %v\nwant    %s", err, tc.want)
			}
		})
	}
	for name, text := range map[string]string{
		"constant revision": "    serves: {repository: ., protos: b, revision: v1.2.3}\n",
		"tag inside":        "    serves: {repository: /srv/api, descriptor: b.pb, revision: \"release/{{tag}}\"}\n",
		"protos here":       "    serves: {protos: b}\n",
	} {
		if _, err := config.Parse("f", []byte(ends+text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("version: 1\npairs: [&a {consumer: {kind: A, name: a}, provider: {kind: B, name: b}}, *a]\n"))
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
