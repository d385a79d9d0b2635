package cone_test

import (
	"io/fs"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	objects "github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

const cluster = "in-cluster"

// dictionary is the set of a service with these methods.
func dictionary(t *testing.T, methods string) *descriptor.Set {
	t.Helper()
	raw, err := descriptor.Compile(t.Context(), []string{"shop.proto"}, func(name string) ([]byte, error) {
		if name != "shop.proto" {
			return nil, fs.ErrNotExist
		}
		return []byte(`syntax = "proto3"; package shop.v1; import "google/api/annotations.proto"; service Shop { ` + methods +
			` } message Thing { string id = 1; }`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestMeansOfContentNamed: where names tell contents, each image has a provider of its own; what is told of a combination is
// what was proved of it, with its calls.
func TestMeansOfContentNamed(t *testing.T) {
	const get = `rpc Get(Thing) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; } `
	const search = `rpc Search(Thing) returns (Thing) { option (google.api.http) = { get: "/v1/search" }; }`
	served := []*descriptor.Set{dictionary(t, get), dictionary(t, get+search)}
	names := []string{"api-descriptor-5f9c", "api-descriptor-7d2a"}
	id := func(group, kind, name string) objects.ID {
		return objects.ID{Cluster: cluster, Group: group, Kind: kind, Namespace: "shop", Name: name}
	}
	api := unit.ID{Root: "root", Namespace: "argocd", Name: "api"}
	work := id("apps", "Deployment", "api")
	var snaps []*snapshot.Snapshot
	for i, name := range names {
		read := id("", "ConfigMap", name)
		template := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"image": "r/api:v" + string(rune('1'+i))}}}}
		snaps = append(snaps, &snapshot.Snapshot{
			Names: map[unit.ID]string{api: "api"},
			Units: []discover.Delivered{{
				Unit: unit.Unit{ID: api, Kind: unit.Application}, Rendered: true,
				Objects: []objects.Object{
					{ID: read, Fields: map[string]any{"data": map[string]any{"api.pb": name}}},
					{ID: work, Fields: map[string]any{"kind": "Deployment", "spec": map[string]any{"template": template}}},
				},
			}},
			// The second ConfigMap has other bytes, and still the API of the first.
			Graph: refgraph.Graph{References: []refgraph.Reference{{
				Consumer: work, Provider: read, Via: "volume config", Key: "api.pb", How: refgraph.Live,
				Descriptor: &refgraph.Descriptor{
					Filter: id("", "ConfigMap", "envoy"), Path: "/etc/api.pb", Services: []string{"shop.v1.Shop"},
					Config: &descriptor.Transcoder{}, Set: served[0],
				},
			}}},
		})
	}
	p, ok := cone.Build(
		cone.NewRelease([]cone.Revision{{Short: "r0"}, {Short: "r1"}}, snaps),
		cone.Ends{Consumer: work, Provider: id("", "ConfigMap", names[1])},
		cone.Setting{Matcher: &match.Matcher{}, Serves: func(_ objects.Object, i int) cone.Served { return cone.Served{Set: served[i]} }},
	)
	if !ok || p.Case.Pair.Provider != delivery.None {
		t.Fatalf("built %v, the provider is object %d", ok, p.Case.Pair.Provider)
	}
	for image, want := range []delivery.Outcome{{}, {New: delivery.Fails}} {
		told := p.Means(image, 1, 0)
		if proved := p.Case.Pair.Match(image, 1, 0); proved != want || delivery.Truth(told.Common) != want.Common || delivery.Truth(told.New) != want.New {
			t.Errorf("image %d: %+v is proved and %+v told, want %+v", image, proved, told, want)
		}
		if want.New == delivery.Fails && (len(told.Calls) != 1 || told.Calls[0].What != "GET /v1/search") {
			t.Errorf("image %d: the calls are %+v", image, told.Calls)
		}
	}
}
