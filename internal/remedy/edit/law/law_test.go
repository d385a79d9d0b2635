package law_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

func id(name string) object.ID { return object.ID{Kind: "ConfigMap", Namespace: "n", Name: name} }

func thing(name string, more ...any) object.Object {
	f := map[string]any{"kind": "ConfigMap", "metadata": map[string]any{"name": name}}
	for i := 0; i < len(more); i += 2 {
		f[more[i].(string)] = more[i+1]
	}
	return object.Object{ID: id(name), Fields: f}
}

func delivered(name string, objects ...object.Object) discover.Delivered {
	return discover.Delivered{Unit: unit.Unit{ID: unit.ID{Name: name}, Kind: unit.Application}, Objects: objects, Rendered: true}
}

func shot(units ...discover.Delivered) *snapshot.Snapshot { return &snapshot.Snapshot{Units: units} }

func TestCheck(t *testing.T) {
	unknown := delivered("b")
	unknown.Rendered = false
	boot := delivered("boot", thing("x"))
	boot.Kind = unit.Bootstrap
	for _, c := range []struct {
		name          string
		before, after *snapshot.Snapshot
		want          []law.Change
		gone          []unit.ID
		wrong, unseen string
	}{
		{name: "nothing", before: shot(delivered("a", thing("x"))), after: shot(delivered("a", thing("x")))},
		{
			name: "as claimed", before: shot(delivered("a", thing("x"))), after: shot(delivered("a", thing("x", "data", "1"), thing("y"))),
			want: []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x"), Fields: thing("x", "data", "1").Fields}, {Unit: unit.ID{Name: "a"}, ID: id("y"), Fields: thing("y").Fields}},
		},
		{
			name: "another unit, too", before: shot(delivered("a", thing("x")), delivered("b", thing("x"))), after: shot(delivered("a"), delivered("b")),
			want: []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x")}}, wrong: "b does not render ConfigMap n/x any more",
		},
		{
			name: "not done", before: shot(delivered("a", thing("x"))), after: shot(delivered("a", thing("x"))),
			want: []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x")}}, wrong: "a renders ConfigMap n/x",
		},
		{name: "a field", before: shot(delivered("a", thing("x"))), after: shot(delivered("a", thing("x", "data", map[string]any{"k": "v"}))), wrong: "a renders ConfigMap n/x differently at /data"},
		{name: "null is nothing", before: shot(delivered("a", thing("x"))), after: shot(delivered("a", thing("x", "data", nil)))},
		{
			name: "numbers are values", before: shot(delivered("a", thing("x", "data", json.Number("1.0")))),
			after: shot(delivered("a", thing("x", "data", json.Number("1")))),
		},
		{
			name: "lines of base64", before: shot(delivered("a", thing("x", "binaryData", map[string]any{"k": "YWJj\nZGVm\n"}))),
			after: shot(delivered("a", thing("x", "binaryData", map[string]any{"k": "YWJjZGVm"}))),
		},
		{name: "a unit that is gone", before: shot(delivered("a"), delivered("b")), after: shot(delivered("a")), wrong: "the unit b is gone"},
		{name: "a unit that goes", before: shot(delivered("a"), delivered("b")), after: shot(delivered("a")), gone: []unit.ID{{Name: "b"}}},
		{name: "a unit that stays", before: shot(delivered("b")), after: shot(delivered("b")), gone: []unit.ID{{Name: "b"}}, wrong: "the unit b is still there"},
		{name: "a new unit", before: shot(), after: shot(delivered("b")), wrong: "the unit b is new"},
		{name: "an empty bootstrap", before: shot(boot), after: shot(), want: []law.Change{{Unit: boot.ID, ID: id("x")}}},
		{name: "a bootstrap that is lost", before: shot(boot), after: shot(), wrong: "boot does not render ConfigMap n/x any more"},
		{name: "never known", before: shot(unknown), after: shot(unknown), unseen: "b"},
		{name: "no longer known", before: shot(delivered("b")), after: shot(unknown), wrong: "the unit b is rendered before the edit only"},
		{name: "no such unit", before: shot(), after: shot(), want: []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x")}}, wrong: "a has no ConfigMap n/x to change"},
		{
			name: "a name with a suffix", before: shot(delivered("a", thing("x"), thing("y", "ref", "x"))),
			after: shot(delivered("a", thing("x-0123abcd"), thing("y", "ref", "x-0123abcd"))),
			want:  []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x"), Fields: thing("x").Fields, Suffixed: true}},
		},
		{
			name: "a reference that does not follow", before: shot(delivered("a", thing("x"), thing("y", "ref", "x"), thing("z", "ref", "x"))),
			after: shot(delivered("a", thing("x-0123abcd"), thing("y", "ref", "x-9999abcd"), thing("z", "ref", "x-0123abcd"))),
			want:  []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x"), Fields: thing("x").Fields, Suffixed: true}}, wrong: "a renders ConfigMap n/y differently at /ref",
		},
	} {
		out := law.Check(c.before, c.after, c.want, c.gone)
		if got := strings.Join(out.Wrong, "; "); got != c.wrong {
			t.Errorf("%s: wrong %q, want %q", c.name, got, c.wrong)
		}
		if got := strings.Join(out.Unseen, "; "); got != c.unseen {
			t.Errorf("%s: unseen %q, want %q", c.name, got, c.unseen)
		}
	}
}

// TestStuckReference: with the suffix taken away everywhere, a reference that kept the short name reads like one that follows.
func TestStuckReference(t *testing.T) {
	want := []law.Change{{Unit: unit.ID{Name: "a"}, ID: id("x"), Fields: thing("x").Fields, Suffixed: true}}
	reads := func(name string) *snapshot.Snapshot {
		s := shot(delivered("a", thing(name), thing("y")))
		s.Graph.References = []refgraph.Reference{{Consumer: id("y"), Provider: id(name), How: refgraph.Start}}
		return s
	}
	if out := law.Check(reads("x"), reads("x-0123abcd"), want, nil); len(out.Wrong) > 0 {
		t.Errorf("one that follows: %q", out.Wrong)
	}
	stuck := reads("x-0123abcd")
	stuck.Graph.References[0].Provider = id("x")
	out := law.Check(reads("x"), stuck, want, nil)
	for _, sentence := range []string{"ConfigMap n/y goes on naming ConfigMap n/x", "ConfigMap n/y does not read ConfigMap n/x-0123abcd as it did"} {
		if !slices.Contains(out.Wrong, sentence) {
			t.Errorf("wrong = %q, without %q", out.Wrong, sentence)
		}
	}
}
