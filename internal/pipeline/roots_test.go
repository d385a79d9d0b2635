package pipeline_test

import (
	"strings"
	"testing"
)

const readsAll = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1", envFrom: [{configMapRef: {name: cc}}]}]}}}}`

// moved is the same files with another name for the folder that the Applications stand in.
func moved(files map[string][]byte, to string) map[string][]byte {
	out := map[string][]byte{}
	for name, text := range files {
		out[strings.Replace(name, "apps/", to+"/", 1)] = text
	}
	return out
}

// The place where reading starts is no part of what is delivered: a repository that renames it delivers what it did.
func TestRootIsRenamed(t *testing.T) {
	settings2 := strings.Replace(settings, `"2"`, `"3"`, 1)
	for _, tc := range []struct {
		name          string
		before, after map[string][]byte
		want          []string
	}{
		{
			name:   "nothing else changes",
			before: shopFiles(map[string]string{"web/d.yaml": readsAll, "other/c.yaml": settings}),
			after:  moved(shopFiles(map[string]string{"web/d.yaml": readsAll, "other/c.yaml": settings}), "argocd"),
		},
		{
			name:   "and the settings change",
			before: shopFiles(map[string]string{"web/d.yaml": readsAll, "other/c.yaml": settings}),
			after:  moved(shopFiles(map[string]string{"web/d.yaml": readsAll, "other/c.yaml": settings2}), "argocd"),
			want:   []string{"safe Deployment shop/web <-> ConfigMap shop/cc"}, // as without the other name
		},
		{
			name:   "one kustomization that no Application delivers",
			before: map[string][]byte{"a/kustomization.yaml": []byte("resources: [d.yaml, c.yaml]"), "a/d.yaml": []byte(readsAll), "a/c.yaml": []byte(settings)},
			after:  map[string][]byte{"b/kustomization.yaml": []byte("resources: [d.yaml, c.yaml]"), "b/d.yaml": []byte(readsAll), "b/c.yaml": []byte(settings)},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := released(t, t.Context(), tc.before, tc.after, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Verdict+" "+f.Title)
			}
			compare(t, got, tc.want)
		})
	}
}

// What was there before the first Application came by a way that nobody sees.
func TestFirstApplications(t *testing.T) {
	files := map[string]string{"web/d.yaml": readsAll, "other/c.yaml": settings}
	before := shopFiles(files)
	delete(before, "apps/apps.yaml")
	r, err := released(t, t.Context(), before, shopFiles(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Verdict+" "+f.Title)
	}
	compare(t, got, []string{
		"structure Deployment shop/web <-> ConfigMap shop/cc",
		"undecided Deployment shop/web <-> ConfigMap shop/cc",
	})
	if why := r.Findings[1].Reason; !strings.Contains(why, "no Application") {
		t.Errorf("reason %q", why)
	}
}
