package refgraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

func rendered(t *testing.T, unitName, manifest string) refgraph.Rendered {
	t.Helper()
	raw := strings.NewReplacer("'", `"`).Replace(manifest)
	fields, err := object.Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	group, _ := object.SplitAPIVersion(object.String(fields, "apiVersion"))
	return refgraph.Rendered{
		Unit: unit.ID{Root: "root", Namespace: "argocd", Name: unitName},
		Object: object.Object{
			ID: object.ID{Cluster: "one", Group: group, Kind: object.String(fields, "kind"),
				Namespace: object.String(fields, "metadata", "namespace"), Name: object.String(fields, "metadata", "name")},
			Fields: fields,
			Origin: object.Location{File: "manifest.yaml"},
		},
	}
}

func deployment(envFrom string) string {
	return `{'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'api', 'namespace': 'shop'},
		'spec': {'template': {'spec': {'containers': [{'name': 'api', 'envFrom': [{'configMapRef': {'name': '` + envFrom + `'}}]}]}}}}`
}

func lines(g refgraph.Graph) []string {
	var out []string
	for _, r := range g.References {
		out = append(out, formatReference(r))
	}
	return out
}

func TestOneIdentityOfSeveralUnits(t *testing.T) {
	g := refgraph.Build([]refgraph.Rendered{
		rendered(t, "b", deployment("same")), rendered(t, "a", deployment("same")), rendered(t, "c", deployment("other")),
	})
	want := []string{
		"start Deployment shop/api {c} -> ConfigMap shop/other {} via spec.template.spec.containers[0].envFrom[0].configMapRef",
		"start Deployment shop/api {a b} -> ConfigMap shop/same {} via spec.template.spec.containers[0].envFrom[0].configMapRef",
	}
	if got := lines(g); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestOneIdentityTwiceInOneUnit(t *testing.T) {
	g := refgraph.Build([]refgraph.Rendered{rendered(t, "a", deployment("first")), rendered(t, "a", deployment("last"))})
	want := []string{"start Deployment shop/api {a} -> ConfigMap shop/last {} via spec.template.spec.containers[0].envFrom[0].configMapRef"}
	if got := lines(g); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestPairs(t *testing.T) {
	id := func(kind, name string) object.ID {
		return object.ID{Cluster: "one", Kind: kind, Namespace: "shop", Name: name}
	}
	ref := func(consumer, provider string, how refgraph.How, key string, d *refgraph.Descriptor) refgraph.Reference {
		return refgraph.Reference{Consumer: id("Pod", consumer), Provider: id("ConfigMap", provider), How: how, Key: key, Descriptor: d}
	}
	g := refgraph.Graph{References: []refgraph.Reference{
		ref("a", "x", refgraph.Start, "k", &refgraph.Descriptor{Path: "/pb"}),
		ref("a", "x", refgraph.Start, "k", nil),
		ref("a", "x", refgraph.Live, "", nil),
		ref("a", "y", refgraph.Exist, "", nil),
		ref("b", "x", refgraph.Live, "", nil),
	}}
	var got []string
	for _, p := range refgraph.Pairs(g) {
		got = append(got, fmt.Sprintf("%s -> %s: %d, first %s %t",
			p.Consumer.Name, p.Provider.Name, len(p.References), p.References[0].How, p.References[0].Descriptor != nil))
	}
	want := []string{"a -> x: 3, first start true", "a -> y: 1, first exist false", "b -> x: 1, first live false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Build has to put the strongest reference of a pair first: Pairs relies on it.
func TestStrongestFirst(t *testing.T) {
	g := refgraph.Build([]refgraph.Rendered{rendered(t, "a", `{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p', 'namespace': 'shop'},
		'spec': {
			'containers': [{'name': 'c', 'env': [{'name': 'E', 'valueFrom': {'configMapKeyRef': {'name': 'cm', 'key': 'z'}}}],
				'volumeMounts': [{'name': 'a', 'mountPath': '/a'}]}],
			'volumes': [{'name': 'a', 'configMap': {'name': 'cm'}}, {'name': 'b', 'configMap': {'name': 'cm'}}]}}`)})
	pairs := refgraph.Pairs(g)
	if len(pairs) != 1 {
		t.Fatalf("%d pairs", len(pairs))
	}
	var hows []string
	for _, r := range pairs[0].References {
		hows = append(hows, string(r.How))
	}
	if !slices.Equal(hows, []string{"start", "live", "exist"}) {
		t.Errorf("got %q", hows)
	}
}

// Manifests of wrong shapes are for the API server to refuse: here they give nothing, and above all no panic.
func TestWrongShapes(t *testing.T) {
	for _, spec := range []string{
		`null`, `[]`, `'text'`, `{'template': 5}`, `{'template': {'spec': {'containers': {'a': 'b'}}}}`,
		`{'template': {'spec': {'containers': [null, 5, {'env': [null, {'valueFrom': 1}], 'envFrom': 'x', 'volumeMounts': [7]}],
			'volumes': [null, 'x', {'name': 5, 'configMap': {'items': [null, {'key': 1}]}}, {'projected': {'sources': [1, {'secret': 2}]}}]}}}`,
		`{'template': {'metadata': {'annotations': {'sidecar.istio.io/userVolume': 'null', 'sidecar.istio.io/userVolumeMount': ''}}}}`,
		`{'selector': ['a'], 'workloadRef': {}, 'configPatches': [null, {'patch': {'value': [[[1]]]}}], 'filters': 'x'}`,
	} {
		var objects []refgraph.Rendered
		for _, kind := range []string{"apps/v1:Deployment", "v1:Service", "v1:Pod", "networking.istio.io/v1:EnvoyFilter", "batch/v1:CronJob"} {
			version, name, _ := strings.Cut(kind, ":")
			objects = append(objects, rendered(t, "u",
				`{'apiVersion': '`+version+`', 'kind': '`+name+`', 'metadata': {'name': 'n', 'namespace': 'x'}, 'spec': `+spec+`}`))
		}
		if got := lines(refgraph.Build(objects)); len(got) > 0 {
			t.Errorf("%s: %q", spec, got)
		}
	}
}

// YAML in a ConfigMap is read by a parser that refuses documents whose aliases multiply.
func TestAliasBomb(t *testing.T) {
	bomb := "grpc_json_transcoder: &a [x,x,x,x,x,x,x,x,x]\\n"
	for i, c := range "bcdefghijk" {
		prev := string("abcdefghijk"[i])
		bomb += fmt.Sprintf("%c: &%c [%s]\\n", c, c, strings.TrimSuffix(strings.Repeat("*"+prev+",", 9), ","))
	}
	g := refgraph.Build([]refgraph.Rendered{
		rendered(t, "a", `{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p', 'namespace': 'shop'}, 'spec': {
			'containers': [{'name': 'c', 'volumeMounts': [{'name': 'v', 'mountPath': '/v'}]}], 'volumes': [{'name': 'v', 'configMap': {'name': 'cm'}}]}}`),
		rendered(t, "a", `{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'cm', 'namespace': 'shop'}, 'data': {'envoy.yaml': '`+bomb+`'}}`),
	})
	if len(g.Gaps) != 1 || !strings.Contains(g.Gaps[0].Message, "is no YAML") {
		t.Errorf("gaps %v", g.Gaps)
	}
}
