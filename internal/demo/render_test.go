package demo

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// TestEveryUnitRendersAtTheTurnsOfTheStory looks at who delivers what, and that nothing is left out.
func TestEveryUnitRendersAtTheTurnsOfTheStory(t *testing.T) {
	r := built(t)
	repository, err := source.Open(t.Context(), r.Manifests, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repository.Close()
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	defer pool.Close()

	for _, c := range []struct{ rev, units, descriptor string }{
		{":/partner-gateway: v0.3.0", "api docs-site mesh monitoring partner-gateway root", "api"},
		{":/deliver the descriptor once", "api config docs-site mesh monitoring partner-gateway root storefront", "config"},
		{"incident", "api config docs-site mesh monitoring partner-gateway root storefront", "config"},
		{"turning-point", "api config docs-site mesh monitoring partner-gateway root storefront", "config"},
		{"main", "api config docs-site mesh monitoring root storefront", "config"},
		{":/api: adopt api-descriptor", "api config docs-site mesh monitoring root storefront", "api config"},
		{":/config: stop to render", "api config docs-site mesh monitoring root storefront", "api"},
		{"fixed", "api docs-site mesh monitoring root storefront", "api"},
	} {
		t.Run(c.rev, func(t *testing.T) {
			rev := c.rev
			if strings.HasPrefix(rev, ":/") {
				rev = git(t, r.Manifests, "rev-parse", rev)
			}
			commit, err := repository.Resolve(t.Context(), rev)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := repository.Tree(t.Context(), commit)
			if err != nil {
				t.Fatal(err)
			}
			remotes, err := repository.Remotes(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found, err := discover.Run(t.Context(), discover.Input{
				Tree: tree, Revision: commit.Hash, Refs: repository, Remotes: remotes,
				Config: config.Default(), Renderer: pool, Jobs: 2,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, gap := range found.Gaps {
				t.Errorf("gap: %+v", gap)
			}
			for _, a := range found.Assumptions {
				t.Errorf("assumed: %s", a)
			}
			var units, delivering []string
			var copies []object.Object
			for _, u := range found.Units {
				if !u.Rendered {
					t.Errorf("%s is not rendered", u.ID.Name)
				}
				if u.Parent.Name != "" {
					units = append(units, u.ID.Name)
				}
				for _, o := range u.Objects {
					if o.ID.Kind == "ConfigMap" && o.ID.Namespace == "api" && o.ID.Name == "api-descriptor" {
						delivering, copies = append(delivering, u.ID.Name), append(copies, o)
					}
				}
			}
			slices.Sort(units)
			if got := strings.Join(units, " "); got != c.units {
				t.Errorf("units are %s, want %s", got, c.units)
			}
			slices.Sort(delivering)
			if got := strings.Join(delivering, " "); got != c.descriptor {
				t.Errorf("api-descriptor is delivered by %q, want %q", got, c.descriptor)
			}
			for _, o := range copies[1:] {
				if !reflect.DeepEqual(content(t, o), content(t, copies[0])) {
					t.Error("the unit that adopts the descriptor renders another one")
				}
			}
		})
	}
}

// content is what the API server stores of a ConfigMap: Kustomize wraps base64 into lines and Helm does not, and a chart
// leaves the namespace to the Application.
func content(t *testing.T, o object.Object) map[string]any {
	t.Helper()
	all := map[string]any{"annotations": o.Annotations(), "labels": o.Labels(), "data": object.Map(o.Fields, "data")}
	for key, value := range object.StringMap(object.Get(o.Fields, "binaryData")) {
		raw, err := base64.StdEncoding.DecodeString(value) // skips line feeds
		if err != nil {
			t.Fatal(err)
		}
		all["binaryData/"+key] = string(raw)
	}
	return all
}
