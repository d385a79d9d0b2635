package pair_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/source"
)

// release gives the API of a tag of the demo's application.
func release(t *testing.T, r *source.Repository, tag string) *descriptor.Set {
	t.Helper()
	commit, err := r.Resolve(t.Context(), tag)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Tree(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	protos, err := source.Subtree(tree, "proto")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, f := range protos {
		if strings.HasSuffix(f.Path, ".proto") {
			sources[f.Path] = string(f.Data)
		}
	}
	set, err := descriptor.Decode(compileFiles(t, sources))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestReleasesOfTheDemo(t *testing.T) {
	built, err := demo.Build(t.Context(), filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := source.Open(t.Context(), built.Application, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	for _, c := range []struct {
		from, to                  string
		breaking                  bool
		safe, ifUnused, preferred pair.Order
		list                      pair.ListOrder
	}{
		// a field renamed; a route moved, then both routes
		{from: "v1.3.0", to: "v1.4.0", breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{from: "v1.5.0", to: "v1.6.0", breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{from: "v1.6.0", to: "v1.6.1", safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		// a service added, a method removed
		{from: "v1.7.0", to: "v1.8.0", safe: "any", ifUnused: "any", preferred: "dictionary-first", list: "after-dictionary"},
		{from: "v1.8.0", to: "v1.9.0", breaking: true, safe: "none", ifUnused: "any", preferred: "any"},
		// a method added; an enum value that answers carry; int32 to string in an answer, with a method added
		{from: "v1.11.0", to: "v1.12.0", safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{from: "v1.16.0", to: "v1.17.0", safe: "dictionary-first", ifUnused: "dictionary-first", preferred: "dictionary-first"},
		{from: "v1.18.0", to: "v1.19.0", breaking: true, safe: "none", ifUnused: "none", preferred: "none"},
		// a release that changes no proto
		{from: "v1.19.0", to: "v1.19.1", safe: "any", ifUnused: "any", preferred: "any"},
	} {
		x := pair.Compare(release(t, r, c.from), release(t, r, c.to), pair.Options{})
		got := fmt.Sprint(len(x.Breaking) > 0, " ", x.SafeOrder, " ", x.SafeOrderIfUnused, " ", x.PreferredOrder, " ", x.ListOrder)
		want := fmt.Sprint(c.breaking, " ", c.safe, " ", c.ifUnused, " ", c.preferred, " ", c.list)
		if got != want {
			t.Errorf("%s to %s: %s, want %s\n%s", c.from, c.to, got, want, show(x))
		}
	}
}
