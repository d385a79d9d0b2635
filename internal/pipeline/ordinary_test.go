package pipeline_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
)

// shopFiles are two units: web, and other, with these files.
func shopFiles(files map[string]string) map[string][]byte {
	out := map[string][]byte{"apps/apps.yaml": []byte(automatedApp("web") + automatedApp("other"))}
	for name, text := range files {
		out[name] = []byte(text)
	}
	return out
}

func automatedApp(name string) string {
	return strings.Replace(app(name, name, inCluster), "  destination:", "  syncPolicy: {automated: {prune: true, selfHeal: true}}\n  destination:", 1)
}

const (
	settings = `{apiVersion: v1, kind: ConfigMap, metadata: {name: cc}, data: {a: "1", b: "2"}}`
	plainWeb = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1"}]}}}}`
	readsKey = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1", env: [{name: A, valueFrom: {configMapKeyRef: {name: cc, key: a}}}]}]}}}}`
	service = `{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}`
	web2    = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web2}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1"}]}}}}`
)

// readsOwn reads the shared settings, and a ConfigMap of its own unit whose name tells its content.
func readsOwn(own string) string {
	return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1", envFrom: [{configMapRef: {name: cc}}, {configMapRef: {name: ` + own + `}}]}]}}}}`
}

func ownConfig(name string) string {
	return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ` + name + `}, data: {n: "` + name + `"}}`
}

// What people do every day is no race.
func TestOrdinaryReleases(t *testing.T) {
	for _, tc := range []struct {
		name          string
		before, after map[string]string
		want          []string // verdicts of pairs, as "verdict title"
	}{
		{
			name:   "a workload begins to read a key that has long been there",
			before: map[string]string{"web/d.yaml": plainWeb, "other/c.yaml": settings},
			after:  map[string]string{"web/d.yaml": readsKey, "other/c.yaml": settings},
			want: []string{
				"structure Deployment shop/web <-> ConfigMap shop/cc", "safe Deployment shop/web <-> ConfigMap shop/cc",
			},
		},
		{
			name:   "a second workload comes that a Service selects, too",
			before: map[string]string{"web/d.yaml": plainWeb, "web/s.yaml": service, "other/c.yaml": settings},
			after:  map[string]string{"web/d.yaml": plainWeb, "web/s.yaml": service, "other/c.yaml": settings, "other/d.yaml": web2},
			want:   []string{"structure Service shop/web <-> Deployment shop/web2"},
		},
		{
			name:   "a hashed ConfigMap of the consumer's own unit, beside a pair that does not change",
			before: map[string]string{"web/d.yaml": readsOwn("own-1"), "web/c.yaml": ownConfig("own-1"), "other/c.yaml": settings},
			after:  map[string]string{"web/d.yaml": readsOwn("own-2"), "web/c.yaml": ownConfig("own-2"), "other/c.yaml": settings},
			want:   []string{"safe Deployment shop/web <-> ConfigMap shop/cc"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := released(t, t.Context(), shopFiles(tc.before), shopFiles(tc.after), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Verdict+" "+f.Title)
				named(t, f)
			}
			compare(t, got, tc.want)
		})
	}
}

// What could not be rendered at one revision is neither gone there nor new at the other.
func TestUnitThatFailsForAWhile(t *testing.T) {
	good := map[string]string{"web/d.yaml": readsKey, "other/c.yaml": settings, "other/kustomization.yaml": "resources: [c.yaml]"}
	bad := map[string]string{"web/d.yaml": readsKey, "other/c.yaml": settings, "other/kustomization.yaml": "resources: [c.yaml, nope.yaml]"}
	for name, files := range map[string][2]map[string]string{"fails": {good, bad}, "is repaired": {bad, good}} {
		t.Run(name, func(t *testing.T) {
			r, err := released(t, t.Context(), shopFiles(files[0]), shopFiles(files[1]), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != 1 || r.Findings[0].Verdict != "undecided" || !strings.Contains(r.Findings[0].Reason, "other could not be rendered") {
				t.Fatalf("findings %+v", r.Findings)
			}
			named(t, r.Findings[0])
			if r.Counts.Verdicts["undecided"] != 1 {
				t.Errorf("counts %v", r.Counts.Verdicts)
			}
		})
	}
}

// named: every finding says which commit it is about.
func named(t *testing.T, f diag.Finding) {
	t.Helper()
	if f.Release == nil || f.Release.Short == "" || len(f.Release.Base) == 0 {
		t.Errorf("%s %s names no release", f.Verdict, f.Title)
	}
}
