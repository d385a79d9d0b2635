package object_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
)

func TestGetStopsAtWhatIsNoMap(t *testing.T) {
	v := map[string]any{"a": map[string]any{"b": "c", "l": []any{"x"}, "t": true}}
	if object.String(v, "a", "b") != "c" || object.String(v, "a", "b", "c") != "" || object.String(v, "x", "y") != "" {
		t.Error("String")
	}
	if !object.Bool(v, "a", "t") || object.Bool(v, "a", "b") {
		t.Error("Bool")
	}
	if len(object.List(v, "a", "l")) != 1 || object.List(v, "a") != nil || object.Map(v, "a", "l") != nil {
		t.Error("List, Map")
	}
	if got := object.StringMap(map[string]any{"s": "1", "n": json.Number("2")}); !reflect.DeepEqual(got, map[string]string{"s": "1"}) {
		t.Errorf("StringMap = %v", got)
	}
}

func TestPublicRedactsAtAnyDepthAndCopies(t *testing.T) {
	in := map[string]any{"list": []any{map[string]any{"v": object.Sealed("d1"), "w": "plain"}}, "n": json.Number("1")}
	out := object.Public(in)
	want := map[string]any{"list": []any{map[string]any{"v": "redacted", "w": "plain"}}, "n": json.Number("1")}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("Public = %v", out)
	}
	if v := object.String(in["list"].([]any)[0], "v"); !object.IsSealed(v) {
		t.Errorf("the original was changed: %v", v)
	}
}

func TestDecodeKeepsNumbers(t *testing.T) {
	got, err := object.Decode([]byte(`{"n": 12345678901234567890}`))
	if err != nil || got["n"] != json.Number("12345678901234567890") {
		t.Errorf("%v %v", got, err)
	}
	if _, err := object.Decode([]byte(`[1]`)); err == nil {
		t.Error("a list is no object")
	}
}

func TestCanonicalGroup(t *testing.T) {
	for _, tc := range [][3]string{
		{"extensions", "Deployment", "apps"},
		{"extensions", "Ingress", "networking.k8s.io"},
		{"extensions", "Unknown", "extensions"},
		{"apps", "Deployment", "apps"},
		{"", "Service", ""},
	} {
		if got := object.CanonicalGroup(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%s/%s = %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
	if g, v := object.SplitAPIVersion("v1"); g != "" || v != "v1" {
		t.Error("core")
	}
	if g, v := object.SplitAPIVersion("apps/v1"); g != "apps" || v != "v1" {
		t.Error("apps")
	}
}

func TestClusterScoped(t *testing.T) {
	for kind, want := range map[[2]string]bool{
		{"", "Namespace"}: true, {"", "ConfigMap"}: false, {"rbac.authorization.k8s.io", "ClusterRole"}: true,
		{"rbac.authorization.k8s.io", "Role"}: false, {"argoproj.io", "Application"}: false,
		{"machineconfiguration.openshift.io", "MachineConfig"}: true, {"coil.cybozu.com", "AddressPool"}: true, {"metallb.io", "IPAddressPool"}: false,
	} {
		if object.ClusterScoped(kind[0], kind[1]) != want {
			t.Errorf("%v: want %v", kind, want)
		}
	}
}

func TestIDString(t *testing.T) {
	id := object.ID{Cluster: "c", Group: "apps", Kind: "Deployment", Namespace: "n", Name: "d"}
	if id.String() != "Deployment n/d" {
		t.Error(id)
	}
	id.Namespace = ""
	if id.String() != "Deployment d" {
		t.Error(id)
	}
}
