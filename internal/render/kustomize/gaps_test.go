package kustomize_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

const deployment = `
-- base/kustomization.yaml --
resources: [deploy.yaml]
-- base/deploy.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: c, image: nginx}]}}}
`

func said(r unit.Rendering) []string {
	var out []string
	for _, g := range r.Gaps {
		out = append(out, fmt.Sprintf("%s %s:%d %s", g.Reason, g.At.File, g.At.Line, g.Message))
	}
	return out
}

// checkGaps compares each gap with a wanted "reason file:line start of the message".
func checkGaps(t *testing.T, r unit.Rendering, want []string) {
	t.Helper()
	if len(r.Objects) > 0 {
		t.Errorf("objects %q beside gaps", shown(r.Objects))
	}
	got := said(r)
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	for _, g := range r.Gaps {
		if g.Close == "" || len(g.Message) > 300 || strings.ContainsAny(g.Message+g.Close, "\n\x00") || strings.Contains(g.Message, "/repository") {
			t.Errorf("bad text: %q / %q", g.Message, g.Close)
		}
	}
}

func TestGaps(t *testing.T) {
	tests := []struct {
		name, archive string
		want          []string
	}{
		{"missing file", "-- app/kustomization.yaml --\nresources:\n- a.yaml\npatches:\n- path: p.yaml\nconfigMapGenerator:\n- name: c\n  files:\n  - k=x.txt\n  envs: [e.env]\n", []string{
			"path-missing app/kustomization.yaml:2 resources names a.yaml, which does not exist",
			"path-missing app/kustomization.yaml:4 patches names p.yaml, which does not exist",
			"path-missing app/kustomization.yaml:8 configMapGenerator names x.txt, which does not exist",
			"path-missing app/kustomization.yaml:9 configMapGenerator names e.env, which does not exist",
		}},
		{"missing in a base", "-- app/kustomization.yaml --\nresources: [../base]\n-- base/kustomization.yaml --\n\nresources: [a.yaml]\n",
			[]string{"path-missing base/kustomization.yaml:2 resources names a.yaml"}},
		{"base without kustomization", "-- app/kustomization.yaml --\nresources:\n- ../base\n-- base/a.yaml --\nkind: A\n",
			[]string{"path-missing app/kustomization.yaml:2 resources names ../base, which has no kustomization file"}},
		{"no kustomization", "-- app/a.yaml --\nkind: A\n", []string{"path-missing app:0 the directory has no kustomization file"}},
		{"no path", "-- x/a.yaml --\n", []string{"path-missing app:0 the source path does not exist"}},
		{"a file as path", "-- app --\n", []string{"path-missing app:0 the source path is a file"}},
		{"two kustomizations", "-- app/kustomization.yaml --\nnamePrefix: a\n-- app/Kustomization --\nnamePrefix: b\n",
			[]string{"render-failed app/Kustomization:0 the directory has more than one kustomization file"}},
		{"empty", "-- app/kustomization.yaml --\nkind: Kustomization\n", []string{"render-failed app/kustomization.yaml:0 the kustomization is empty"}},
		{"wrong kind", "-- app/kustomization.yaml --\n# c\nkind: Deployment\nresources: []\nnamePrefix: x\n",
			[]string{"render-failed app/kustomization.yaml:2 kind should be Kustomization or Component"}},
		{"broken YAML", "-- app/kustomization.yaml --\nresources:\n- a\n b: c\n", []string{"unparsable app/kustomization.yaml:3 "}},
		{"unknown field", "-- app/kustomization.yaml --\nresources: []\nconfigMapGenerator:\n- name: a\n  literal: x\n",
			[]string{"unparsable app/kustomization.yaml:4 kustomize knows no field \"literal\" here"}},
		{"wrong type", "-- app/kustomization.yaml --\nnamePrefix: x\nresources: {a: b}\n",
			[]string{"unparsable app/kustomization.yaml:2 the field resources has the wrong type"}},
		{"out of the repository", "-- app/kustomization.yaml --\nresources:\n- ../../x.yaml\n- /etc/passwd\ncomponents: [../../c]\n", []string{
			"escape app/kustomization.yaml:2 resources names ../../x.yaml, which leaves the repository",
			"escape app/kustomization.yaml:3 resources names /etc/passwd, which leaves the repository",
			"escape app/kustomization.yaml:4 components names ../../c, which leaves the repository",
		}},
		{"link out of the repository", "-- app/kustomization.yaml --\nresources:\n- a.yaml\n-- app/a.yaml --\n-> ../../etc/passwd",
			[]string{"escape app/kustomization.yaml:2 resources names a.yaml, which is a link that leaves the repository"}},
		{"outside the root", "-- app/kustomization.yaml --\nresources: [../base/deploy.yaml]\n" + deployment,
			[]string{"render-failed app/kustomization.yaml:1 resources names ../base/deploy.yaml, which lies outside the directory"}},
		{"link outside the root", "-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n-> ../base/deploy.yaml" + deployment,
			[]string{"render-failed app/kustomization.yaml:1 resources names a.yaml, which lies outside the directory"}},
		{"cycle", "-- app/kustomization.yaml --\nresources: [../b]\n-- b/kustomization.yaml --\nresources:\n- ../app\n",
			[]string{"render-failed b/kustomization.yaml:2 resources names ../app, which is or contains app"}},
		{"parent", "-- app/kustomization.yaml --\nresources: [..]\n-- kustomization.yaml --\nnamePrefix: x\n",
			[]string{"render-failed app/kustomization.yaml:1 resources names .., which is or contains app"}},
		{"component as resource", "-- app/kustomization.yaml --\nresources:\n- ../c\n-- c/kustomization.yaml --\nkind: Component\nnamePrefix: x\n",
			[]string{"render-failed app/kustomization.yaml:2 resources names ../c, which is a component"}},
		{"resource as component", "-- app/kustomization.yaml --\ncomponents: [../base]\n" + deployment,
			[]string{"render-failed app/kustomization.yaml:1 components names ../base, which is no component: its kind is Kustomization"}},
		{"chart", "-- app/kustomization.yaml --\nresources: []\nhelmCharts:\n- name: a\n- name: redis\n  repo: https://example.com\n", []string{
			"unsupported app/kustomization.yaml:3 the Helm chart \"a\"",
			"unsupported app/kustomization.yaml:4 the Helm chart \"redis\"",
		}},
		{"old chart field", "-- app/kustomization.yaml --\nhelmChartInflationGenerator:\n- chartName: redis\n",
			[]string{"unsupported app/kustomization.yaml:2 the Helm chart \"redis\""}},
		{"chart generator", "-- app/kustomization.yaml --\ngenerators: [g.yaml]\n-- app/g.yaml --\n# c\napiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: redis\n",
			[]string{"unsupported app/g.yaml:2 the Helm chart \"redis\""}},
		{"exec plugin", "-- app/kustomization.yaml --\ngenerators:\n- g.yaml\n-- app/g.yaml --\n---\napiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: s}\nfiles: [secret.enc.yaml]\n", []string{
			"unsupported app/g.yaml:2 the plugin ksops \"s\" (viaduct.ai/v1) would run a program",
		}},
		{"function", "-- app/kustomization.yaml --\nresources: []\ntransformers:\n- |-\n  apiVersion: example.com/v1\n  kind: Fn\n  metadata:\n    name: f\n    annotations: {config.kubernetes.io/function: 'container: {image: x}'}\n",
			[]string{"unsupported app/kustomization.yaml:3 the plugin Fn \"f\" (example.com/v1) would run a program"}},
		{"validator", "-- app/kustomization.yaml --\nvalidators: [../v]\n-- v/kustomization.yaml --\nresources: [v.yaml]\n-- v/v.yaml --\napiVersion: x/v1\nkind: V\nmetadata: {name: v}\n",
			[]string{"unsupported v/v.yaml:1 the plugin V \"v\""}},
		{"plugin that cannot be read", "-- app/kustomization.yaml --\ntransformers: [t.yaml]\n-- app/t.yaml --\nfoo: bar\n",
			[]string{"unparsable app/t.yaml:0 the configuration of a generator or transformer cannot be read"}},
		{"plugin that is no YAML", "-- app/kustomization.yaml --\ntransformers: [t.yaml]\n-- app/t.yaml --\napiVersion: builtin\nkind: X\nmetadata: {{ x }}\n",
			[]string{"unparsable app/t.yaml:1 the configuration of a generator or transformer cannot be read: "}},
		{"plugins that are patched", "-- app/kustomization.yaml --\ntransformers: [../t]\n-- t/kustomization.yaml --\nresources: [t.yaml]\npatches: [{patch: 'x'}]\n-- t/t.yaml --\napiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\n",
			[]string{"unsupported t/kustomization.yaml:0 the kustomization changes the configuration of plugins"}},
		{"alias bomb", "-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n" + bomb(), []string{"unparsable app/a.yaml:0 aliases expand"}},
		{"alias bomb in the kustomization", "-- app/kustomization.yaml --\n" + bomb(), []string{"unparsable app/kustomization.yaml:0 aliases expand"}},
		{"alias bomb in a patch", "-- app/kustomization.yaml --\npatches:\n- patch: |-\n" + indented(bomb()), []string{"unparsable app/kustomization.yaml:0 an inline text cannot be read: aliases expand"}},

		// What only the build itself finds.
		{"broken resource", "-- app/kustomization.yaml --\nresources: [../base]\n-- base/kustomization.yaml --\nresources: [a.yaml]\n-- base/a.yaml --\n# c\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: x\n bad: y\n",
			[]string{"unparsable base/a.yaml:7 did not find expected key"}},
		{"broken resource of a component", "-- app/kustomization.yaml --\ncomponents: [../c]\n-- c/kustomization.yaml --\nkind: Component\nresources: [a.yaml]\n-- c/a.yaml --\nkind: [\n",
			[]string{"unparsable c/a.yaml:1 did not find expected node content"}},
		{"broken patch", "-- app/kustomization.yaml --\nresources: [../base]\npatchesStrategicMerge: [p.yaml]\n-- app/p.yaml --\nkind: Deployment\nmetadata: {name: web}\nspec: a: b\n" + deployment,
			[]string{"unparsable app/p.yaml:3 mapping values are not allowed"}},
		{"no kind", "-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\napiVersion: v1\nmetadata: {name: x}\n",
			[]string{"render-failed app/a.yaml:0 missing kind in an object v1"}},
		{"images and a policy that names volumes", "-- app/kustomization.yaml --\nresources: [a.yaml]\nimages: [{name: x, newTag: v1}]\n-- app/a.yaml --\n" +
			"apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: psp}\nspec: {\"volumes\": [secret]}\n",
			[]string{"render-failed app/kustomization.yaml:0 kustomize's images field takes spec.volumes of PodSecurityPolicy psp, a list of names"}},
		{"the same object twice", "-- app/kustomization.yaml --\nresources: [../base, ../again]\n-- again/kustomization.yaml --\nresources: [../base]\n" + deployment,
			[]string{"render-failed app/kustomization.yaml:0 merging again: may not add resource with an already registered id: Deployment.v1.apps/web.[noNs]"}},
		{"patch without target", "-- app/kustomization.yaml --\nresources: [../base]\npatches:\n- path: p.yaml\n-- app/p.yaml --\n# c\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\n" + deployment,
			[]string{"render-failed app/p.yaml:2 no resource matches strategic merge patch \"Deployment.v1.apps/api.[noNs]\""}},
		{"inline patch without target", "-- app/kustomization.yaml --\nresources: [../base]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: api}\n" + deployment,
			[]string{"render-failed app/kustomization.yaml:3 no resource matches strategic merge patch"}},
		{"JSON patch", "-- app/kustomization.yaml --\nresources: [../base]\npatches: [{target: {kind: Deployment}, patch: '[{\"op\": \"remove\", \"path\": \"/spec/nope\"}]'}]\n" + deployment,
			[]string{"render-failed app/kustomization.yaml:0 error in remove for path: '/spec/nope'"}},
		{"empty file under crds", "-- app/kustomization.yaml --\ncrds: [c.json]\n-- app/c.json --\n",
			[]string{"render-failed app:0 kustomize stopped at an input that it does not expect"}},
		{"wrong schema", "-- app/kustomization.yaml --\nresources: [../base]\nopenapi: {path: s.json}\npatches: [{path: p.yaml}]\n-- app/p.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n-- app/s.json --\nnonsense\n" + deployment,
			[]string{"render-failed app:0 kustomize stopped at an input that it does not expect"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkGaps(t, kustomize.Render(tree(tt.archive), request("app")), tt.want)
		})
	}
	if r := kustomize.Render(tree(shop), request("overlays/prod")); len(r.Gaps) > 0 {
		t.Errorf("a build after the failed ones: %q", said(r))
	}
}

// bomb is YAML of 10^10 nodes.
func bomb() string {
	s := "l0: &l0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 10; i++ {
		s += fmt.Sprintf("l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d,", i-1), 10), ","))
	}
	return s
}

func indented(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n"
}

func TestGapsRemote(t *testing.T) {
	addresses := []string{
		"https://example.com/a.yaml", "http://example.com/a", "HTTPS://example.com/a", "https:/example.com/a", "http:a", "github.com/a/b", "GitHub.com/a/b?ref=v1",
		"github.com:a/b", "git@github.com:a/b.git", "git@example.com:a/b//sub?ref=v1", "git::https://example.com/a", "git::git@example.com:a/b",
		"ssh://git@example.com/a/b", "file:///etc", "user@host:a/b/c", "oci://example.com/a",
	}
	for _, address := range addresses {
		for _, entry := range []string{
			"resources:\n- %s\n", "bases:\n- %s\n", "components:\n- %s\n", "crds:\n- %s\n", "configurations:\n- %s\n",
			"openapi:\n  path: %s\n", "patches:\n- path: %s\n", "patchesStrategicMerge:\n- %s\n", "patchesJson6902:\n- path: %s\n",
			"replacements:\n- path: %s\n", "generators:\n- %s\n", "transformers:\n- %s\n", "validators:\n- %s\n",
			"configMapGenerator:\n- files: [\"k=%s\"]\n", "configMapGenerator:\n- envs: [\"%s\"]\n", "secretGenerator:\n- env: %s\n",
		} {
			content := "resources: [../base]\n" + strings.Replace(entry, "%s", address, 1)
			if strings.HasPrefix(entry, "resources") {
				content = strings.TrimPrefix(content, "resources: [../base]\n")
			}
			archive := "-- top/kustomization.yaml --\nresources: [../app]\n-- app/kustomization.yaml --\n" + content + deployment
			r := kustomize.Render(tree(archive), request("top"))
			if len(r.Gaps) != 1 || r.Gaps[0].Reason != "remote" || r.Gaps[0].At.File != "app/kustomization.yaml" ||
				r.Gaps[0].At.Line != strings.Count(content, "\n") || !strings.Contains(r.Gaps[0].Message, "lies behind the network") {
				t.Errorf("%q: got %q", content, said(r))
			}
		}
	}
}

// Names that only look like addresses.
func TestPathsThatLookRemote(t *testing.T) {
	objects := render(t, `
-- app/kustomization.yaml --
resources: [web@prod, web@host/base, github.com/web, git@host/a/b.yaml]
-- app/web@prod/kustomization.yaml --
resources: [a.yaml]
-- app/web@prod/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: one}}
-- app/web@host/base/kustomization.yaml --
resources: [a.yaml]
-- app/web@host/base/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: two}}
-- app/github.com/web/kustomization.yaml --
resources: [a.yaml]
-- app/github.com/web/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: three}}
-- app/git@host/a/b.yaml --
{kind: A, apiVersion: v1, metadata: {name: four}}
`, request("app"))
	if len(objects) != 4 {
		t.Errorf("got %q", shown(objects))
	}
}

func TestGapsRemoteInPlugins(t *testing.T) {
	for _, config := range []string{
		"kind: PatchTransformer\nmetadata: {name: p}\npath: https://example.com/p.yaml\n",
		"kind: PatchTransformer\nmetadata: {name: p}\nPath: https://example.com/p.yaml\n",
		"kind: PatchTransformer\nmetadata: {name: p}\npath: web.yaml\nPATH: https://example.com/p.yaml\n",
		"kind: PatchStrategicMergeTransformer\nmetadata: {name: p}\npaths: ['https://example.com/a: b']\n",
		"kind: ConfigMapGenerator\nmetadata: {name: p}\nfiles: [k=https://example.com/p.yaml]\n",
		"kind: ConfigMapGenerator\nmetadata: {name: p}\nenvs: [https://example.com/p.yaml]\n",
		"kind: ReplacementTransformer\nmetadata: {name: p}\nreplacements: [{path: https://example.com/p.yaml}]\n",
	} {
		archive := "-- app/kustomization.yaml --\nresources: [../base]\ntransformers: [t.yaml]\n-- app/web.yaml --\n-- app/t.yaml --\napiVersion: builtin\n" + config + deployment
		checkGaps(t, kustomize.Render(tree(archive), request("app")), []string{"remote app/t.yaml:1 "})
	}
	// An entry that looks inline and is an address all the same.
	checkGaps(t, kustomize.Render(tree("-- app/kustomization.yaml --\npatchesStrategicMerge: ['https://example.com/a: b']\n"), request("app")),
		[]string{"remote app/kustomization.yaml:"})
}

func TestGapsHideCredentials(t *testing.T) {
	r := kustomize.Render(tree("-- app/kustomization.yaml --\nresources: ['https://bot:hunter2@example.com/a/b?ref=v1']\n"), request("app"))
	checkGaps(t, r, []string{"remote app/kustomization.yaml:1 resources names https://example.com/a/b?ref=v1, which"})
}

// Whatever kustomize says, values of Secrets are not repeated.
func TestGapsQuoteNoSecrets(t *testing.T) {
	for name, archive := range map[string]string{
		"literal":         "-- app/kustomization.yaml --\nsecretGenerator:\n- name: s\n  literals: [password=hunter2, hunter2]\n",
		"key given twice": "-- app/kustomization.yaml --\nsecretGenerator:\n- name: s\n  literals: [hunter2=a, hunter2=b]\n",
		"merge":           "-- app/kustomization.yaml --\nsecretGenerator:\n- name: s\n  behavior: merge\n  literals: [password=hunter2]\n",
		"no name":         "-- app/kustomization.yaml --\nresources: [s.yaml]\n-- app/s.yaml --\napiVersion: v1\nkind: Secret\nstringData: {a: hunter2}\n",
		"broken":          "-- app/kustomization.yaml --\nresources: [s.yaml]\n-- app/s.yaml --\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: *hunter2}\n",
		"patch":           "-- app/kustomization.yaml --\nresources: [../base]\npatches: [{target: {kind: Secret}, patch: 'op: hunter2'}]\n" + deployment,
		"patch file":      "-- app/kustomization.yaml --\nresources: [../base]\npatchesJson6902: [{target: {version: v1, kind: Secret, name: s}, path: p.json}]\n-- app/p.json --\n[{\"value\": \"hunter2\"]\n" + deployment,
		"generator":       "-- app/kustomization.yaml --\ngenerators: [g.yaml]\n-- app/g.yaml --\napiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: g}\nname: s\nliterals: [hunter2]\n",
		"environment":     "-- app/kustomization.yaml --\nsecretGenerator: [{name: s, envs: [e]}]\n-- app/e --\nhunter2=1\nhunter2=2\n",
		"type":            "-- app/kustomization.yaml --\nresources: [s.yaml]\npatches: [{path: p.yaml}]\n-- app/s.yaml --\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n-- app/p.yaml --\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: hunter2\n",
	} {
		r := kustomize.Render(tree(archive), request("app"))
		if len(r.Gaps) == 0 {
			t.Errorf("%s: no gap", name)
		}
		if text := strings.Join(said(r), "\n"); strings.Contains(text, "hunter2") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// refusing is a tree in which some names cannot be read.
type refusing struct {
	fstest.MapFS
	errs map[string]error
}

func (r refusing) check(op, name string) error {
	if err := r.errs[name]; err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

func (r refusing) ReadFile(name string) ([]byte, error) {
	if err := r.check("read", name); err != nil {
		return nil, err
	}
	return r.MapFS.ReadFile(name)
}

func (r refusing) Stat(name string) (fs.FileInfo, error) {
	if err := r.check("stat", name); err != nil && !errors.Is(r.errs[name], source.ErrAbsent) {
		return nil, err
	}
	return r.MapFS.Stat(name)
}

func TestGapsOfTheTree(t *testing.T) {
	files := refusing{tree(`
-- app/kustomization.yaml --
resources:
- a.yaml
- ../module
-- app/a.yaml --
kind: A
-- module/kustomization.yaml --
resources: []
-- absent/kustomization.yaml --
resources: []
-- broken/kustomization.yaml --
resources: []
`), map[string]error{
		"app/a.yaml":                source.ErrAbsent,
		"module/kustomization.yaml": source.ErrSubmodule,
		"absent/kustomization.yaml": source.ErrAbsent,
		"broken":                    source.ErrLinkLoop,
	}}
	for dir, want := range map[string][]string{
		"app": {
			"content-missing app/kustomization.yaml:2 resources names a.yaml, which is absent from this clone",
			"content-missing app/kustomization.yaml:3 resources names ../module, which lies in a submodule",
		},
		"absent": {"content-missing absent/kustomization.yaml:0 is absent from this clone"},
		"broken": {"render-failed broken:0 is a loop of links"},
	} {
		checkGaps(t, kustomize.Render(files, request(dir)), want)
	}
	for _, dir := range []string{"/app", "../app", "app/../.."} {
		checkGaps(t, kustomize.Render(files, request(dir)), []string{"escape "})
	}
}
