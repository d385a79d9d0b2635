package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/pipeline"
)

// A unit of several sources: the chart of the workload, the values that it is filled with, and plain documents.
const severalSources = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  sources:
  - {repoURL: "https://git.example.com/m", path: chart, helm: {valueFiles: [$values/env/web.yaml]}}
  - {repoURL: "https://git.example.com/m", ref: values}
  - {repoURL: "https://git.example.com/m", path: web}
  syncPolicy: {automated: {prune: true, selfHeal: true}}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
---
`

func severalFiles(image, c string) map[string][]byte {
	out := map[string][]byte{}
	for name, text := range map[string]string{
		"apps/apps.yaml":   severalSources + automatedApp("other"),
		"chart/Chart.yaml": "{apiVersion: v2, name: chart, version: 0.1.0}\n",
		"chart/templates/d.yaml": strings.NewReplacer("r/web:v1", "{{ .Values.image }}", "env: [{", "envFrom: [{configMapRef: {name: own}}], env: [{").
			Replace(readsKey),
		"env/web.yaml": "image: " + image + "\n",
		"env/no.yaml":  "image: none\n",
		"web/c.yaml":   ownConfig("own"),
		"other/c.yaml": strings.Replace(settings, `a: "1"`, `a: "`+c+`"`, 1),
	} {
		out[name] = []byte(text)
	}
	return out
}

// A release changes the values that one source lends, and what another unit delivers: a pair of the two units, whose
// consumer is written in the lent file. What two sources of the unit hold is no pair.
func TestPairWithAUnitOfSeveralSources(t *testing.T) {
	r, err := released(t, t.Context(), severalFiles("r/web:v1", "1"), severalFiles("r/web:v2", "2"), func(in *pipeline.Input) { in.Releases.Story = true })
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Units, func(u diag.Unit) bool { return u.Name == "web" })
	if i < 0 || !r.Units[i].Rendered || r.Units[i].Objects != 2 || r.Units[i].Source != "chart + $values + web" {
		t.Fatalf("units %+v", r.Units)
	}
	if len(r.Gaps) != 0 || len(r.Findings) != 1 {
		t.Fatalf("gaps %+v, findings %+v", r.Gaps, r.Findings)
	}
	f := r.Findings[0]
	if f.Title != "Deployment shop/web <-> ConfigMap shop/cc" || f.Verdict == "undecided" || f.Story == nil || len(f.Story.Sides) != 2 {
		t.Fatalf("finding %s %s: %+v", f.Verdict, f.Title, f.Story)
	}
	for _, side := range f.Story.Sides {
		want := map[string][]string{"consumer": {"env/web.yaml"}, "provider": {"other/c.yaml"}}[side.End]
		if !slices.Equal(side.Paths, want) {
			t.Errorf("%s is written in %v, want %v", side.End, side.Paths, want)
		}
	}
	named(t, f)
}
