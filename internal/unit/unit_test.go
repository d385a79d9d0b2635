package unit_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	m, err := object.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDecodeSource(t *testing.T) {
	s, err := unit.DecodeSource(decode(t, `{
		"repoURL": "u", "path": "p", "targetRevision": "main", "notOfArgo": 1, "directory": {},
		"helm": {"valuesObject": {"big": 12345678901234567890}, "parameters": [{"name": "n", "value": "v", "forceString": true}],
			"fileParameters": [{"name": "f", "path": "x"}], "skipCrds": true},
		"kustomize": {"replicas": [{"name": "a", "count": "3"}, {"name": "b", "count": 4}], "commonAnnotationsEnvsubst": true,
			"version": "v5", "forceCommonLabels": false, "images": ["i:1"]},
		"plugin": {}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.RepoURL != "u" || s.Path != "p" || s.TargetRevision != "main" || s.Directory != nil || s.Plugin == nil {
		t.Errorf("source = %+v", s)
	}
	if s.Helm.ValuesObject["big"] != json.Number("12345678901234567890") {
		t.Errorf("big = %v", s.Helm.ValuesObject["big"])
	}
	if !reflect.DeepEqual(s.Helm.Parameters, []unit.Parameter{{Name: "n", Value: "v", ForceString: true}}) ||
		!reflect.DeepEqual(s.Helm.FileParameters, []unit.FileParameter{{Name: "f", Path: "x"}}) || !s.Helm.SkipCRDs {
		t.Errorf("helm = %+v", s.Helm)
	}
	if !reflect.DeepEqual(s.Kustomize.Replicas, []unit.Replica{{Name: "a", Count: 3}, {Name: "b", Count: 4}}) {
		t.Errorf("replicas = %+v", s.Kustomize.Replicas)
	}
	if !reflect.DeepEqual(s.Kustomize.Other, []string{"commonAnnotationsEnvsubst"}) {
		t.Errorf("other = %v", s.Kustomize.Other)
	}
}

func TestBlocksThatSetNothingChooseNoTool(t *testing.T) {
	for _, text := range []string{
		`{"directory": {"recurse": false}}`, `{"directory": {"jsonnet": {}}}`, `{"helm": {"valueFiles": []}}`, `{"helm": {"values": ""}}`,
		`{"helm": {"valuesObject": {}}}`, `{"kustomize": {"images": []}}`, `{"kustomize": {"version": "v5"}}`,
	} {
		s, err := unit.DecodeSource(decode(t, text))
		if err != nil || s.Helm != nil || s.Kustomize != nil || s.Directory != nil {
			t.Errorf("%s: %+v %v", text, s, err)
		}
	}
	for _, text := range []string{`{"directory": {"recurse": true}}`, `{"helm": {"values": "a: 1"}}`, `{"kustomize": {"forceCommonLabels": true}}`} {
		s, err := unit.DecodeSource(decode(t, text))
		if err != nil || s.Helm == nil && s.Kustomize == nil && s.Directory == nil {
			t.Errorf("%s: %+v %v", text, s, err)
		}
	}
}

func TestDecodeSourceSaysWhichFieldIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`{"path": 3}`:                     "source field path cannot be a number",
		`{"helm": {"valueFiles": "x"}}`:   "source field helm.valueFiles cannot be a string",
		`{"helm": {"valuesObject": "x"}}`: "source field helm.valuesObject cannot be a string",
		`{"kustomize": {"replicas": [{"name": "a", "count": "many"}]}}`: "source field kustomize.replicas.count cannot be a string",
	} {
		if _, err := unit.DecodeSource(decode(t, text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestShortNames(t *testing.T) {
	ids := []unit.ID{
		{Root: "r1", Namespace: "argocd", Name: "unique"},
		{Root: "r1", Namespace: "argocd", Name: "ns"},
		{Root: "r1", Namespace: "other", Name: "ns"},
		{Root: "r1", Namespace: "argocd", Name: "root"},
		{Root: "r2", Namespace: "argocd", Name: "root"},
		{Root: "r1", Namespace: "argocd", Name: "all"},
		{Root: "r1", Namespace: "other", Name: "all"},
		{Root: "r2", Namespace: "argocd", Name: "all"},
	}
	want := []string{"unique", "argocd/ns", "other/ns", "r1:root", "r2:root", "r1:argocd/all", "other/all", "r2:all"}
	got := unit.ShortNames(ids)
	for i, id := range ids {
		if got[id] != want[i] {
			t.Errorf("%+v = %q, want %q", id, got[id], want[i])
		}
	}
}

func FuzzDecodeSource(f *testing.F) {
	f.Add(`{"helm": {"valuesObject": {"a": 1}}, "kustomize": {"replicas": [{"name": "a", "count": "3"}]}}`)
	f.Add(`{"helm": {"ValuesObject": {"a": 1}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := object.Decode([]byte(text))
		if err != nil {
			t.Skip("no JSON object")
		}
		unit.DecodeSource(m)
	})
}
