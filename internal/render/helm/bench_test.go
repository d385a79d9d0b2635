package helm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/unit"
)

// BenchmarkRender renders a chart of usual size: a subchart, helpers, values, and twenty templates of two documents.
func BenchmarkRender(b *testing.B) {
	chart := one("v: x") + sub("c/charts/x", "x", "1.0.0") +
		"-- c/templates/_helpers.tpl --\n{{- define \"c.labels\" }}\napp: {{ .Chart.Name }}\nrelease: {{ .Release.Name }}\n{{- end }}\n"
	for i := range 20 {
		chart += fmt.Sprintf("-- c/templates/t%d.yaml --\n", i) + strings.Repeat(fmt.Sprintf(`---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: d%d
  labels: {{- include "c.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas | default 2 }}
  template:
    spec:
      containers:
      - name: main
        image: "{{ .Values.image }}:{{ .Chart.Version }}"
        resources: {{- toYaml .Values.resources | nindent 10 }}
`, i), 2)
	}
	for name, extra := range map[string]string{"plain": "", "random": "-- c/templates/r.yaml --\n" + named("{{ uuidv4 }}")} {
		files := tree(chart + extra)
		req := chartAt("c", &unit.Helm{Values: "image: web\nresources: {limits: {cpu: 1, memory: 1Gi}}\n"})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out := Render(files, req); len(out.Gaps) > 0 {
					b.Fatal(out.Gaps)
				}
			}
		})
	}
}
