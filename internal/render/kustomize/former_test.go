package kustomize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/render/kustomize/former"
)

// A repository of 2019: patches are a list of files, and images stand beside a policy.
func TestRenderFormerForms(t *testing.T) {
	r := kustomize.Render(tree(`
-- app/kustomization.yaml --
bases: [../base]
patches:
- p.yaml
images: [{name: web, newTag: v2}]
-- app/p.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 3}
-- base/kustomization.yaml --
resources: [a.yaml]
-- base/a.yaml --
apiVersion: policy/v1beta1
kind: PodSecurityPolicy
metadata: {name: psp}
spec:
  volumes:
  - secret
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: c, image: "web:v1"}]}}}
`), request("app"))
	if len(r.Gaps) > 0 {
		t.Fatalf("gaps %+v", r.Gaps)
	}
	if got := strings.Join(shown(r.Objects), ", "); got != "PodSecurityPolicy psp base/a.yaml:1, Deployment web base/a.yaml:8" {
		t.Errorf("objects %s", got)
	}
	if v := object.List(r.Objects[0].Fields, "spec", "volumes"); len(v) != 1 || v[0] != "secret" || len(object.Map(r.Objects[0].Fields, "spec")) != 1 {
		t.Errorf("the policy's volumes are %v", v)
	}
	web := r.Objects[1].Fields
	if n := object.Get(web, "spec", "replicas"); fmt.Sprint(n) != "3" {
		t.Errorf("replicas %v", n)
	}
	if c := object.List(web, "spec", "template", "spec", "containers"); object.Get(c[0].(map[string]any), "image") != "web:v2" {
		t.Errorf("containers %v", c)
	}
	if want := []string{former.PatchList, former.PolicyVolumes}; !slices.Equal(r.Notes, want) {
		t.Errorf("notes %q", r.Notes)
	}
}
