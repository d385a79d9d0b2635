package unit_test

import (
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/unit"
)

func TestFilesOfSources(t *testing.T) {
	u := unit.Unit{Sources: []unit.Source{
		{Path: "charts/api", Helm: &unit.Helm{
			ValueFiles:     []string{"values-prod.yaml", "../common.yaml", "/env/top.yaml", "$values/env/api.yaml", "$nobody/x.yaml"},
			FileParameters: []unit.FileParameter{{Name: "text", Path: "$values/text"}},
		}},
		{Ref: "values"},
		{Path: "config"},
	}}
	want := []unit.File{
		{0, "charts/api/values-prod.yaml"}, {0, "charts/common.yaml"}, {0, "env/top.yaml"}, {1, "env/api.yaml"},
		{0, "charts/api/$nobody/x.yaml"}, {1, "text"},
	}
	if got := u.Files(); !reflect.DeepEqual(got, want) {
		t.Errorf("files %v\nwant  %v", got, want)
	}
}

func TestWhatASourceHolds(t *testing.T) {
	for _, c := range []struct {
		source unit.Source
		file   string
		want   bool
	}{
		{unit.Source{Path: "app"}, "app/a.yaml", true},
		{unit.Source{Path: "./app/"}, "app/b/a.yaml", true},
		{unit.Source{Path: "app"}, "apps/a.yaml", false},
		{unit.Source{Path: "."}, "a.yaml", true},
		{unit.Source{Ref: "values"}, "a.yaml", false},
		{unit.Source{Chart: "redis"}, "a.yaml", false},
	} {
		if got := c.source.Holds(c.file); got != c.want {
			t.Errorf("%+v holds %s: %t", c.source, c.file, got)
		}
	}
	for source, want := range map[*unit.Source]bool{
		{Ref: "v"}: true, {Ref: "v", Path: "a"}: false, {Ref: "v", Chart: "c"}: false, {}: false,
	} {
		if source.Lends() != want {
			t.Errorf("%+v lends only: %t", source, !want)
		}
	}
}
