package former_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/kustomize/former"
)

func TestPatches(t *testing.T) {
	for text, want := range map[string]string{
		"resources: [a.yaml]\npatches:\n- b.yaml\n- c.yaml\n":   `{"patchesStrategicMerge":["b.yaml","c.yaml"],"resources":["a.yaml"]}`,
		"patches: [b.yaml]\npatchesStrategicMerge: [a.yaml]\n":  `{"patchesStrategicMerge":["b.yaml","a.yaml"]}`,
		"patches:\n- path: b.yaml\n":                            "",
		"patches:\n- b.yaml\n- {path: c.yaml}\n":                "", // neither form
		"patches: []\n":                                         "",
		"patches: [b.yaml]\npatchesStrategicMerge: {path: a}\n": "",
		"resources: [a.yaml]\n":                                 "",
		"patches: [b.yaml\n":                                    "",
	} {
		got, ok := former.Patches([]byte(text))
		if string(got) != want || ok != (want != "") {
			t.Errorf("%q: %s, %v", text, got, ok)
		}
	}
}

func TestHidePolicies(t *testing.T) {
	const pod = "kind: Pod\nspec:\n  volumes: [{name: a}]\n"
	for text, want := range map[string]string{
		"kind: PodSecurityPolicy\nspec:\n  volumes:\n  - secret\n":        "kind: PodSecurityPolicy\nspec:\n  volumesOfPolicy:\n  - secret\n",
		pod + "---\nkind: PodSecurityPolicy\nspec: {volumes: [secret]}\n": pod + "---\nkind: PodSecurityPolicy\nspec: {volumesOfPolicy: [secret]}\n",
		pod:                                   "",
		"kind: PodSecurityPolicy\nspec: {}\n": "",
		"kind: PodSecurityPolicy\nspec: {\"volumes\": [secret]}\n":     "", // in quotes: kustomize's error stands
		"kind: PodSecurityPolicy\nspec: {x: 'é', volumes: [secret]}\n": "kind: PodSecurityPolicy\nspec: {x: 'é', volumesOfPolicy: [secret]}\n",
		"kind: PodSecurityPolicy\nspec: [\n":                           "",
	} {
		got, ok := former.HidePolicies([]byte(text))
		if string(got) != want && !(!ok && want == "") {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

func TestShowPolicy(t *testing.T) {
	fields, err := object.Decode([]byte(`{"kind": "PodSecurityPolicy", "spec": {"volumesOfPolicy": ["secret"], "privileged": false}}`))
	if err != nil {
		t.Fatal(err)
	}
	former.ShowPolicy(object.Object{ID: object.ID{Kind: "PodSecurityPolicy"}, Fields: fields})
	spec := object.Map(fields, "spec")
	if len(spec) != 2 || len(object.List(spec, "volumes")) != 1 {
		t.Errorf("%v", spec)
	}
}
