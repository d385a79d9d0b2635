package protection_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/protection"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// Parts of small repositories: the unit web has a Deployment that reads the ConfigMap cc of the unit other.
const (
	appText = `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %[1]s, namespace: argocd, annotations: {%[2]s}}
spec:
  project: shop
  source: {repoURL: "https://git.example.com/m", path: %[1]s, targetRevision: %[3]s}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
  syncPolicy: {automated: {prune: true}%[4]s}
`
	rootText = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: root, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://git.example.com/m", path: argocd/apps, targetRevision: main}
  destination: {server: "https://kubernetes.default.svc", namespace: argocd}
  syncPolicy: {automated: {prune: true}}
`
	// The new image needs a key that comes with it: whatever orders nothing lets a pod start without it.
	oldMap = `{apiVersion: v1, kind: ConfigMap, metadata: {name: cc%s}, data: {a: "1"}%s}`
	newMap = `{apiVersion: v1, kind: ConfigMap, metadata: {name: cc%s}, data: {a: "1", b: "2"}%s}`
)

func plainApp(name, notes string) string { return fmt.Sprintf(appText, name, notes, "main", "") }

// deployment reads a key of a ConfigMap, by environment.
func deployment(image, key, name, notes, podNotes string) string {
	return fmt.Sprintf(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {%s}}, spec: {template: {metadata: {labels: {app: web}, annotations: {%s}},
  spec: {containers: [{name: c, image: "r/web:%s", env: [{name: A, valueFrom: {configMapKeyRef: {name: %s, key: %s}}}]}]}}}}`, notes, podNotes, image, name, key)
}

// mounted reads a ConfigMap by subPath.
func mounted(image string) string {
	return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {volumes: [{name: v, configMap: {name: cc}}], containers: [{name: c, image: "r/web:` + image + `", volumeMounts: [{name: v, mountPath: /etc/a, subPath: a}]}]}}}}`
}

// injected has the ConfigMap mounted into its proxy by an annotation alone.
func injected(image string) string {
	return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {reloader.stakater.com/auto: "true"}}, spec: {template: {metadata: {labels: {app: web}, annotations: {
  sidecar.istio.io/userVolume: '[{"name":"v","configMap":{"name":"cc"}}]', sidecar.istio.io/userVolumeMount: '[{"name":"v","mountPath":"/etc/v"}]'}},
  spec: {containers: [{name: c, image: "r/web:` + image + `"}]}}}}`
}

// repository is the files before and after a release.
type repository struct{ before, after map[string]string }

// plain has none of the protections.
func plain() repository {
	before := map[string]string{
		"argocd/apps/apps.yaml": plainApp("web", "") + plainApp("other", ""),
		"web/d.yaml":            deployment("v1", "a", "cc", "", ""), "other/c.yaml": fmt.Sprintf(oldMap, "", ""),
	}
	after := maps.Clone(before)
	after["web/d.yaml"], after["other/c.yaml"] = deployment("v2", "b", "cc", "", ""), fmt.Sprintf(newMap, "", "")
	return repository{before, after}
}

// with has some files instead, or besides, at both revisions.
func (r repository) with(files ...string) repository {
	for i := 0; i < len(files); i += 2 {
		r.before[files[i]], r.after[files[i]] = files[i+1], files[i+1]
	}
	return r
}

// changing has one file that the release changes.
func (r repository) changing(name, before, after string) repository {
	r.before[name], r.after[name] = before, after
	return r
}

func (r repository) apps(text string) repository { return r.with("argocd/apps/apps.yaml", text) }

func (r repository) rooted() repository { return r.with("argocd/root.yaml", rootText) }

func job(name, hook, command string) string {
	return fmt.Sprintf(`{apiVersion: batch/v1, kind: Job, metadata: {name: %s, annotations: {argocd.argoproj.io/hook: %s}}, spec: {template: {spec: {restartPolicy: Never,
  containers: [{name: c, image: "r/job:v1", command: ["sh", "-c", %q]}]}}}}`, name, hook, command)
}

func applicationSet(strategy string, names ...string) string {
	var elements []string
	for _, n := range names {
		elements = append(elements, "{name: "+n+"}")
	}
	return `---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{list: {elements: [` + strings.Join(elements, ", ") + `]}}]
  strategy: ` + strategy + `
  template:
    metadata: {name: "{{name}}"}
    spec:
      project: shop
      source: {repoURL: "https://git.example.com/m", path: "{{name}}", targetRevision: main}
      destination: {server: "https://kubernetes.default.svc", namespace: shop}
      syncPolicy: {automated: {prune: true}}
`
}

const (
	rolling   = `{type: RollingSync, rollingSync: {steps: [{matchExpressions: [{key: step, operator: In, values: [one]}]}]}}`
	wave      = `argocd.argoproj.io/sync-wave: "%d"`
	generated = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nconfigMapGenerator:\n- name: cc\n  literals: [a=1%s]\n%s"
)

func waves(other, web int) string {
	return plainApp("web", fmt.Sprintf(wave, web)) + plainApp("other", fmt.Sprintf(wave, other))
}

func project(windows string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: shop, namespace: argocd}\nspec:\n  syncWindows: " + windows + "\n"
}

func policy(other, web string) string {
	return fmt.Sprintf(appText, "web", "", "main", web) + fmt.Sprintf(appText, "other", "", "main", other)
}

// TestProtections: each is told where it is there and does not help, in a word of its own reason, and of no safe pair.
func TestProtections(t *testing.T) {
	healthy := func(c *config.Config) { c.Controller.ApplicationHealth = true }
	base := plain()
	hashed := func(more string) string { return "cc-" + hashOf(t, fmt.Sprintf(generated, more, "")) }
	for _, tc := range []struct {
		name   string
		repo   repository
		change func(*config.Config)
		want   []string // "kind: a part of the reason"
	}{
		{name: "nothing", repo: base},
		{name: "under a root", repo: plain().rooted()},

		{name: "waves of Applications without their health", repo: plain().rooted().apps(waves(-1, 1)), want: []string{"application-waves: argocd-cm"}},
		{name: "waves of Applications with it", repo: plain().rooted().apps(waves(-1, 1)), change: healthy, want: []string{"application-waves: its own clock"}},
		{name: "waves of Applications that nothing delivers", repo: plain().apps(waves(-1, 1)), change: healthy, want: []string{"application-waves: no Application delivers"}},
		{name: "equal waves of Applications", repo: plain().rooted().apps(waves(1, 1))},

		{
			name: "waves of the ends",
			repo: plain().changing("other/c.yaml", fmt.Sprintf(oldMap, `, annotations: {`+fmt.Sprintf(wave, -1)+`}`, ""), fmt.Sprintf(newMap, `, annotations: {`+fmt.Sprintf(wave, -1)+`}`, "")),
			want: []string{"object-waves: these are two: other and web"},
		},

		{name: "a hook that knows nothing", repo: plain().with("web/j.yaml", job("migrate", "PreSync", "migrate")), want: []string{"hook: knows nothing of other"}},
		{name: "a hook that waits for the object", repo: plain().with("web/j.yaml", job("wait", "PreSync", "until kubectl get configmap cc; do sleep 1; done")), want: []string{"hook: skip hooks"}},
		{name: "a hook that waits for the Application", repo: plain().with("web/j.yaml", job("wait", "PreSync", "argocd app wait other")), want: []string{"hook: skip hooks"}},
		{name: "a hook behind the provider", repo: plain().with("other/j.yaml", job("tell", "PostSync", "tell")), want: []string{"hook: web does not wait"}},
		{name: "hooks at other ends", repo: plain().with("other/j.yaml", job("a", "PreSync", "a"), "web/j.yaml", job("b", "PostSync", "b"))},

		{name: "RollingSync of both", repo: plain().apps(applicationSet(rolling, "web", "other")), want: []string{"rolling-sync: the second step can go first"}},
		{name: "RollingSync of one", repo: plain().apps(applicationSet(rolling, "web") + plainApp("other", "")), want: []string{"rolling-sync: web, and not other"}},
		{name: "a set without it", repo: plain().apps(applicationSet("{type: AllAtOnce}", "web", "other"))},

		{
			name: "a checksum", want: []string{"checksum: waits for nothing"},
			repo: plain().changing("web/d.yaml", deployment("v1", "a", "cc", "", `checksum/config: "1"`), deployment("v2", "b", "cc", "", `checksum/config: "2"`)),
		},
		{name: "a reloader of all", repo: noted(`reloader.stakater.com/auto: "true"`), want: []string{"reloader: too late for the first pods"}},
		{name: "a reloader of this one", repo: noted(`configmap.reloader.stakater.com/reload: "x,cc"`), want: []string{"reloader: too late for the first pods"}},
		{name: "a reloader of others", repo: noted(`configmap.reloader.stakater.com/reload: "ccc,secret"`)},
		{name: "a reloader of Secrets", repo: noted(`secret.reloader.stakater.com/auto: "true"`)},
		{name: "a reloader that searches, and is not matched", repo: noted(`reloader.stakater.com/search: "true"`)},
		{name: "a reloader that does not look there", repo: plain().changing("web/d.yaml", injected("v1"), injected("v2")), want: []string{"reloader: not followed"}},

		{
			name: "a generator without its hash", want: []string{"hash-off: the name stays"},
			repo: generating(fmt.Sprintf(generated, "", "  options: {disableNameSuffixHash: true}\n"), fmt.Sprintf(generated, ", b=2", "  options: {disableNameSuffixHash: true}\n"), "cc", "cc"),
		},
		{
			name: "generators without their hash", want: []string{"hash-off: the name stays"},
			repo: generating(fmt.Sprintf(generated, "", "generatorOptions: {disableNameSuffixHash: true}\n"), fmt.Sprintf(generated, ", b=2", "generatorOptions: {disableNameSuffixHash: true}\n"), "cc", "cc"),
		},
		{
			name: "a generator of another unit, by plain text", want: []string{"hash-elsewhere: web has this one as plain text"},
			repo: generating(fmt.Sprintf(generated, "", ""), fmt.Sprintf(generated, ", b=2", ""), hashed(""), hashed(", b=2")),
		},

		{
			name: "immutable", want: []string{"immutable: nothing holds web back"},
			repo: plain().changing("other/c.yaml", fmt.Sprintf(oldMap, "", ", immutable: true"), fmt.Sprintf(newMap, "", ", immutable: true")),
		},
		{name: "a subPath", repo: plain().changing("web/d.yaml", mounted("v1"), mounted("v2")).changing("other/c.yaml", fmt.Sprintf(oldMap, "", ""), strings.Replace(fmt.Sprintf(oldMap, "", ""), `"1"`, `"2"`, 1)), want: []string{"sub-path: bound anew"}},

		{
			name: "self-heal, retries and options", want: []string{"sync-options: waits for nothing of another one"},
			repo: plain().apps(policy(", retry: {limit: 5}, syncOptions: [PruneLast=true, ApplyOutOfSyncOnly=true]", ", syncOptions: [SkipDryRunOnMissingResource=true]")),
		},
		{name: "options that are off", repo: plain().apps(policy(", syncOptions: [PruneLast=false]", ", syncOptions: [CreateNamespace=true]"))},

		{name: "windows of both", repo: plain().with("argocd/apps/p.yaml", project(`[{kind: allow, schedule: "0 1 * * *", applications: ["*"]}]`)), want: []string{"sync-windows: order nothing"}},
		{name: "windows of one", repo: plain().with("argocd/apps/p.yaml", project(`[{kind: deny, schedule: "0 1 * * *", applications: ["w*"]}]`)), want: []string{"sync-windows: hold web back and not other"}},
		{
			name: "windows of each", want: []string{"sync-windows: at different times"},
			repo: plain().with("argocd/apps/p.yaml", project(`[{kind: allow, applications: [web]}, {kind: allow, applications: [other]}]`)),
		},
		{name: "windows of others", repo: plain().with("argocd/apps/p.yaml", project(`[{kind: deny, applications: [third], clusters: ["https://10.0.0.1"]}]`))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := judge(t, []map[string]string{tc.repo.before, tc.repo.after}, tc.change)
			if f.Verdict == "safe" || f.Verdict == "undecided" {
				t.Errorf("verdict %s: %s", f.Verdict, f.Reason)
			}
			compare(t, f.Protections, tc.want)
		})
	}
}

// noted has an annotation on its Deployment.
func noted(note string) repository {
	return plain().changing("web/d.yaml", deployment("v1", "a", "cc", note, ""), deployment("v2", "b", "cc", note, ""))
}

// generating has its ConfigMap from a kustomization.
func generating(before, after, oldName, newName string) repository {
	r := plain().changing("other/kustomization.yaml", before, after).changing("web/d.yaml",
		deployment("v1", "a", oldName, "", ""), deployment("v2", "b", newName, "", ""))
	delete(r.before, "other/c.yaml")
	delete(r.after, "other/c.yaml")
	return r
}

func compare(t *testing.T, got []diag.Protection, want []string) {
	t.Helper()
	for i, g := range got {
		if i >= len(want) {
			t.Errorf("also %s: %s: %s", g.Kind, g.What, g.Why)
			continue
		}
		kind, part, _ := strings.Cut(want[i], ": ")
		if g.Kind != kind || !strings.Contains(g.Why, part) || g.What == "" || g.At.File == "" {
			t.Errorf("got %s: %s (%+v): %s; want %s", g.Kind, g.What, g.At, g.Why, want[i])
		}
	}
	if len(got) < len(want) {
		t.Errorf("got %d, want %v", len(got), want)
	}
}

// TestWhatProtects: what does hold is not listed. Of a safe pair nothing is said at all.
func TestWhatProtects(t *testing.T) {
	t.Run("children that are pinned, with a health", func(t *testing.T) {
		// The commits of the content come first, then those that pin it.
		repo := plain().rooted()
		pin := func(revision string) map[string]string {
			out := map[string]string{"argocd/root.yaml": rootText}
			out["argocd/apps/apps.yaml"] = fmt.Sprintf(appText, "web", fmt.Sprintf(wave, 1), revision, "") + fmt.Sprintf(appText, "other", fmt.Sprintf(wave, -1), revision, "")
			return out
		}
		content := func(files map[string]string) map[string]string {
			return map[string]string{"web/d.yaml": files["web/d.yaml"], "other/c.yaml": files["other/c.yaml"]}
		}
		for _, healthy := range []bool{true, false} {
			f := judgeSteps(t, []step{
				{files: content(repo.before)}, {pins: pin, to: 0}, {files: content(repo.after)}, {pins: pin, to: 2},
			}, func(c *config.Config) { c.Controller.ApplicationHealth = healthy })
			listed := slices.ContainsFunc(f.Protections, func(p diag.Protection) bool { return p.Kind == protection.ApplicationWaves })
			if listed == healthy {
				t.Errorf("health %v: verdict %s, protections %+v", healthy, f.Verdict, f.Protections)
			}
			if !healthy && f.Verdict == "safe" {
				t.Error("safe without a health of Applications")
			}
		}
	})
	t.Run("one unit", func(t *testing.T) {
		repo := plain().apps(fmt.Sprintf(appText, "web", "", "main", ", retry: {limit: 3}"))
		for _, files := range []map[string]string{repo.before, repo.after} {
			files["web/c.yaml"] = strings.Replace(files["other/c.yaml"], "name: cc", `name: cc, annotations: {`+fmt.Sprintf(wave, -1)+`}`, 1)
			delete(files, "other/c.yaml")
		}
		f := judge(t, []map[string]string{repo.before, repo.after}, func(c *config.Config) {
			c.Pairs = []config.Pair{{
				Consumer: config.End{Kind: "Deployment", Namespace: "shop", Name: "web"}, Provider: config.End{Kind: "ConfigMap", Namespace: "shop", Name: "cc"},
			}}
		})
		compare(t, f.Protections, nil)
	})
	t.Run("a pair that is safe", func(t *testing.T) {
		repo := plain().apps(policy(", retry: {limit: 5}", "")).changing("web/d.yaml", deployment("v1", "a", "cc", "", ""), deployment("v2", "a", "cc", "", ""))
		f := judge(t, []map[string]string{repo.before, repo.after}, nil)
		if f.Verdict != "safe" || len(f.Protections) > 0 {
			t.Errorf("%s %+v", f.Verdict, f.Protections)
		}
	})
}

// TestEachIsExplained: docs/protections.md has a heading for each kind, and the table above a case.
func TestEachIsExplained(t *testing.T) {
	doc, err := os.ReadFile("../../docs/protections.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("protection_test.go")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, kind := range protection.Kinds() {
		i := strings.Index(string(doc), "\n## "+kind+"\n")
		if i < at {
			t.Errorf("%s has no heading, or one out of order", kind)
		}
		at = max(i, at)
		if !strings.Contains(string(own), `"`+kind+`: `) {
			t.Errorf("%s is not tested", kind)
		}
	}
}

// step is a commit: of files, or of what pins an earlier one.
type step struct {
	files map[string]string
	pins  func(revision string) map[string]string
	to    int
}

func judge(t *testing.T, commits []map[string]string, change func(*config.Config)) diag.Finding {
	t.Helper()
	var steps []step
	for _, files := range commits {
		steps = append(steps, step{files: files})
	}
	return judgeSteps(t, steps, change)
}

// judgeSteps writes the commits and judges the last one as a release of the pair.
func judgeSteps(t *testing.T, steps []step, change func(*config.Config)) diag.Finding {
	t.Helper()
	in := written(t, steps)
	if change != nil {
		change(&in.Discover.Config)
	}
	r, err := pipeline.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || len(r.Gaps) > 0 {
		t.Fatalf("findings %+v, gaps %+v", r.Findings, r.Gaps)
	}
	return r.Findings[0]
}

func written(t *testing.T, steps []step) pipeline.Input {
	t.Helper()
	dir := t.TempDir() + "/repository"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Remote: "https://git.example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	when := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var ids []string
	for i, s := range steps {
		files := map[string][]byte{}
		if s.pins != nil {
			s.files = s.pins(ids[s.to])
		}
		for name, text := range s.files {
			files[name] = []byte(text)
		}
		id, err := w.Commit(source.Change{Author: source.Person{Name: "T", Mail: "t@example.com"}, When: when.Add(time.Duration(i) * time.Hour), Message: "release", Files: files})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	tip, err := repo.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	commits, err := repo.FirstParents(t.Context(), tip, 2)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(t.Context(), tip)
	if err != nil {
		t.Fatal(err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	t.Cleanup(pool.Close)
	return pipeline.Input{
		Commit: &tip, All: true, Rules: hazards.Rules(),
		Discover: discover.Input{
			Tree: tree, Revision: tip.Hash, Refs: repo, Remotes: []string{"https://git.example.com/m"}, Config: config.Default(), Renderer: pool, Jobs: 2,
		},
		Releases: &pipeline.Releases{Repository: repo, Steps: []pipeline.Step{{Commits: []source.Commit{commits[1], commits[0]}}}},
	}
}

// hashOf is the hash that kustomize gives to the generator's name.
func hashOf(t *testing.T, kustomization string) string {
	t.Helper()
	out, err := pipeline.Render(t.Context(), written(t, []step{
		{files: map[string]string{"a": "b"}},
		{files: map[string]string{"argocd/apps/apps.yaml": plainApp("other", ""), "other/kustomization.yaml": kustomization}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out.Objects {
		if o.Object.ID.Kind == "ConfigMap" {
			return strings.TrimPrefix(o.Object.ID.Name, "cc-")
		}
	}
	t.Fatalf("no ConfigMap: %+v", out)
	return ""
}
