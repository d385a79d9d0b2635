package kustomize_test

import (
	"slices"
	"testing"
)

func TestOrigins(t *testing.T) {
	tests := []struct {
		name, archive string
		want          []string
	}{
		{"names that contain each other", `
-- app/kustomization.yaml --
namePrefix: web-
nameSuffix: -eu
resources: [a.yaml]
-- app/a.yaml --
kind: A
apiVersion: v1
metadata: {name: web}
---
kind: A
apiVersion: v1
metadata: {name: a}
---
kind: A
apiVersion: v1
metadata: {name: a-web}
`, []string{"A web-web-eu app/a.yaml:1", "A web-a-eu app/a.yaml:5", "A web-a-web-eu app/a.yaml:9"}},

		{"one base twice", `
-- app/kustomization.yaml --
resources: [../x, ../y]
-- x/kustomization.yaml --
namePrefix: x-
resources: [../base]
-- y/kustomization.yaml --
namePrefix: y-
resources: [../base]
-- base/kustomization.yaml --
resources: [a.yaml]
-- base/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: one}}
---
{kind: A, apiVersion: v1, metadata: {name: two}}
`, []string{"A x-one base/a.yaml:1", "A x-two base/a.yaml:3", "A y-one base/a.yaml:1", "A y-two base/a.yaml:3"}},

		{"same name in two namespaces", `
-- app/kustomization.yaml --
resources: [a.yaml]
-- app/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: x, namespace: one}}
---
{kind: A, apiVersion: v1, metadata: {name: x, namespace: two}}
---
{kind: A, apiVersion: other/v1, metadata: {name: x, namespace: two}}
`, []string{"A one/x app/a.yaml:1", "A two/x app/a.yaml:3", "A two/x app/a.yaml:5"}},

		{"items of a list", `
-- app/kustomization.yaml --
resources: [a.yaml]
-- app/a.yaml --
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: A
  metadata: {name: x}
# b
- apiVersion: v1
  kind: B
  metadata: {name: x}
`, []string{"A x app/a.yaml:4", "B x app/a.yaml:8"}},

		{"CRLF and byte order mark", "-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n\xef\xbb\xbf# c\r\nkind: A\r\napiVersion: v1\r\nmetadata: {name: x}\r\n---\r\n" +
			"kind: B\r\napiVersion: v1\r\nmetadata: {name: x}\r\n", []string{"A x app/a.yaml:2", "B x app/a.yaml:6"}},

		{"renamed by a patch", `
-- app/kustomization.yaml --
resources: [a.yaml]
patches:
- target: {kind: A}
  patch: '[{"op": "replace", "path": "/metadata/name", "value": "other"}]'
  options: {allowNameChange: true}
-- app/a.yaml --
{kind: B, apiVersion: v1, metadata: {name: x}}
---
{kind: A, apiVersion: v1, metadata: {name: x}}
`, []string{"B x app/a.yaml:1", "A other app/a.yaml:3"}},

		{"all annotations replaced", `
-- app/kustomization.yaml --
namePrefix: p-
resources: [a.yaml, ../base]
patches:
- target: {kind: B}
  patch: '[{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}]'
-- app/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: x}}
-- base/kustomization.yaml --
resources: [b.yaml]
-- base/b.yaml --
{kind: A, apiVersion: v1, metadata: {name: q}}
---
{kind: B, apiVersion: v1, metadata: {name: x}}
---
{kind: B, apiVersion: v1, metadata: {name: q}}
`, []string{"A p-x app/a.yaml:1", "A p-q base/b.yaml:1", "B p-x base/b.yaml:3", "B p-q base/b.yaml:5"}},

		{"generators", `
-- app/kustomization.yaml --
# c
namePrefix: p-
configMapGenerator:
- name: a
  literals: [k=v]
-
  literals: [k=v]
  name: a-b
- {name: c, literals: [k=v], options: {disableNameSuffixHash: true}}
secretGenerator:
- {name: a, literals: [k=v]}
`, []string{
			"ConfigMap p-a-bdg947hgcc app/kustomization.yaml:4", "ConfigMap p-a-b-bdg947hgcc app/kustomization.yaml:7",
			"ConfigMap p-c app/kustomization.yaml:9", "Secret p-a-ftgtgc4t9f app/kustomization.yaml:11",
		}},

		{"through links", `
-- app/kustomization.yaml --
resources: [link.yaml, ../linked]
-- app/link.yaml --
-> real.yaml
-- app/real.yaml --
{kind: A, apiVersion: v1, metadata: {name: x}}
-- linked --
-> deep/base
-- deep/base/kustomization.yaml --
resources: [../other]
-- deep/other/kustomization.yaml --
resources: [b.yaml]
-- deep/other/b.yaml --

{kind: B, apiVersion: v1, metadata: {name: x}}
`, []string{"A x app/real.yaml:1", "B x deep/other/b.yaml:2"}},

		{"order of the list of resources, not of kinds", `
-- app/kustomization.yaml --
resources: [z.yaml, ns.yaml]
-- app/z.yaml --
{kind: Z, apiVersion: v1, metadata: {name: z}}
-- app/ns.yaml --
{kind: Namespace, apiVersion: v1, metadata: {name: team}}
`, []string{"Z z app/z.yaml:1", "Namespace team app/ns.yaml:1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(render(t, tt.archive, request("app"))); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestOriginsAtTheTop(t *testing.T) {
	const archive = `
-- kustomization.yaml --
resources: [base]
-- base/kustomization.yaml --
resources: [a.yaml]
-- base/a.yaml --
{kind: A, apiVersion: v1, metadata: {name: x}}
`
	for _, path := range []string{".", "", "base/.."} {
		if got := shown(render(t, archive, request(path))); !slices.Equal(got, []string{"A x base/a.yaml:1"}) {
			t.Errorf("%q: got %q", path, got)
		}
	}
}
