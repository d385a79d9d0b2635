package match_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/source"
)

// application opens the demo's application.
func application(t testing.TB) *source.Repository {
	t.Helper()
	built, err := demo.Build(t.Context(), filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := source.Open(t.Context(), built.Application, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// version gives the API of a tag.
func version(t testing.TB, r *source.Repository, tag string) *descriptor.Set {
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
	return decode(t, sources)
}

// TestReleasesOfTheDemo has the release that gave the 502, one that only adds, and one that changes no proto.
func TestReleasesOfTheDemo(t *testing.T) {
	const unread = "502 from the proxy: it cannot read the answer by its dictionary, and the server has done the work"
	const passed = "415 from the server: the proxy's dictionary does not know the route and passes the call through"
	answers := []string{
		"field number in answers of GET /v1/orders/{order_id}", "field number in answers of POST /v1/orders",
		"field number in answers of POST /v1/orders/{order_id}/cancel", "field number in answers of POST /v1/orders/{order_id}:cancel",
		"field orders.number in answers of GET /v1/orders",
	}
	each := func(meets string, common bool) []match.Call {
		var out []match.Call
		for _, what := range answers {
			out = append(out, match.Call{What: what, Meets: meets, Change: "field number of orders.v1.Order becomes string, it was int32", Common: common})
		}
		return out
	}
	r := application(t)
	for _, c := range []struct {
		from, to                              string
		imageFirst, dictionaryFirst, breaking []match.Call
		outcomes                              string
		equal                                 bool
	}{
		{from: "v1.18.0", to: "v1.19.0", outcomes: "fails fails, fails works",
			imageFirst: append(each(unread+` (with the value "longer é")`, true), match.Call{What: "GET /v1/orders/{order_id}/history", Meets: passed,
				Change: "GET /v1/orders/{order_id}/history of orders.v1.OrderService.GetHistory is new"}),
			dictionaryFirst: each(unread+" (when it is set)", true),
			breaking:        each("200 in another form of JSON (a string instead of a number)", false)},
		{from: "v1.11.0", to: "v1.12.0", outcomes: "works fails, works works",
			imageFirst: []match.Call{{What: "GET /v1/orders/{order_id}/returns", Meets: passed,
				Change: "GET /v1/orders/{order_id}/returns of returns.v1.ReturnService.ListReturns is new"}}},
		{from: "v1.19.0", to: "v1.19.1", outcomes: "works works, works works", equal: true},
	} {
		x := table(release(version(t, r, c.from), version(t, r, c.to)))
		image, dictionary := x.Outcome(1, 0, 0), x.Outcome(0, 1, 1)
		if got := short(image) + ", " + short(dictionary); got != c.outcomes || x.Equal != c.equal {
			t.Errorf("%s to %s: %s, equal %t", c.from, c.to, got, x.Equal)
		}
		for _, p := range []struct {
			what      string
			got, want []match.Call
		}{
			{"image first", image.Calls, c.imageFirst}, {"dictionary first", dictionary.Calls, c.dictionaryFirst}, {"breaking", x.Breaking, c.breaking},
		} {
			if !reflect.DeepEqual(p.got, p.want) {
				t.Errorf("%s to %s, %s: got", c.from, c.to, p.what)
				for _, call := range p.got {
					t.Errorf("  %t %s: %s [%s]", call.Common, call.What, call.Meets, call.Change)
				}
			}
		}
	}
}

// history are the APIs of all releases of the demo's application.
func history(t testing.TB) []*descriptor.Set {
	r := application(t)
	var out []*descriptor.Set
	for _, tag := range tags {
		out = append(out, version(t, r, tag))
	}
	return out
}

var tags = strings.Fields(`v0.1.0 v0.2.0 v0.3.0 v0.4.0 v0.5.0 v1.0.0 v1.1.0 v1.2.0 v1.2.1 v1.3.0 v1.4.0 v1.5.0 v1.6.0 v1.6.1 v1.7.0
v1.8.0 v1.9.0 v1.10.0 v1.11.0 v1.12.0 v1.12.1 v1.13.0 v1.14.0 v1.15.0 v1.16.0 v1.17.0 v1.18.0 v1.19.0 v1.19.1 v1.20.0 v1.21.0 v1.22.0
v1.23.0 v1.24.0 v1.25.0 v1.26.0 v1.27.0 v1.28.0 v1.29.0 v1.30.0 v1.31.0`)

// replay asks a release of the whole history for all that a proof asks.
func replay(m *match.Matcher, all []*descriptor.Set) (out []string) {
	for i := range all[1:] {
		x := m.Transcoder(release(all[i], all[i+1]))
		out = append(out, grid(x, 2, 2, 2))
	}
	return out
}

// TestComparedOnce replays a history twice, and in several clusters: each two APIs are compared once.
func TestComparedOnce(t *testing.T) {
	all := history(t)
	var m match.Matcher
	first := replay(&m, all)
	made := m.Comparisons()
	again := replay(&m, all)
	if made == 0 || m.Comparisons() != made {
		t.Errorf("%d comparisons, then %d", made, m.Comparisons())
	}
	if !reflect.DeepEqual(first, again) {
		t.Error("what is remembered differs from what was compared")
	}
	for i := range all[1:] {
		if got := grid(table(release(all[i], all[i+1])), 2, 2, 2); got != first[i] {
			t.Errorf("%s: alone\n%sin a history\n%s", tags[i+1], got, first[i])
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	all := history(b)
	for b.Loop() {
		var m match.Matcher
		replay(&m, all)
		b.ReportMetric(float64(m.Comparisons()), "comparisons")
	}
}

func BenchmarkOutcome(b *testing.B) {
	x := table(release(api(b, put, "", "int32 n = 2;", ""), api(b, put+search, "", "string n = 2;", "")))
	for b.Loop() {
		x.Outcome(1, 0, 0)
	}
}
