package boundary_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/boundary"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// What a release changes beside an end is not what the end is written in.
func TestPathsOfAnEnd(t *testing.T) {
	web, svc := object.ID{Kind: "Deployment", Name: "web"}, object.ID{Kind: "Service", Name: "web"}
	id := unit.ID{Name: "web"}
	s := &snapshot.Snapshot{Units: []discover.Delivered{{
		Unit: unit.Unit{ID: id, Sources: []unit.Source{{Path: "web/prod"}}},
		Objects: []object.Object{
			{ID: web, Origin: object.Location{File: "web/base/deployment.yaml"}},
			{ID: svc, Origin: object.Location{File: "web/prod/service.yaml"}},
		},
	}}}
	tree := source.Memory(map[string][]byte{
		"web/prod/service.yaml": []byte("kind: Service\nmetadata: {name: web}\n"),
		"web/prod/patch.yaml":   []byte("kind: Deployment\nmetadata: {name: web}\n"),
		"web/prod/other.yaml":   []byte("kind: StatefulSet\nmetadata: {name: db}\n"),
		"web/prod/values.yaml":  []byte("tag: v1\n"),
	})
	changed := map[string]int{
		"web/prod/service.yaml": 9, "web/prod/patch.yaml": 3, "web/prod/other.yaml": 8, "web/prod/values.yaml": 4, "web/prod/app.pb": 2,
		"web/base/deployment.yaml": 2, "elsewhere/x.yaml": 20,
	}
	end := boundary.End{Object: web, At: object.Location{File: "web/base/deployment.yaml"}, Units: []unit.ID{id}}
	want := []string{"web/base/deployment.yaml", "web/prod/values.yaml", "web/prod/patch.yaml", "web/prod/app.pb"}
	if got := boundary.Paths(tree, s, changed, end); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	changed["web/base/deployment.yaml"] = 1 // seldom, beside the values
	if got := boundary.Paths(tree, s, changed, end); !slices.Equal(got, want[1:]) {
		t.Errorf("got %q, want %q", got, want[1:])
	}
}
