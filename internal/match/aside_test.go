package match_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// TestAlreadyBroken sets aside what fails when fresh at r0, and nothing else.
func TestAlreadyBroken(t *testing.T) {
	one, two := api(t, put, "", "int32 n = 2;", ""), api(t, put+search, "", "int32 n = 2;", "")
	text := api(t, put, "", "string n = 2;", "")
	both := api(t, put, "", "int32 n = 2; int32 m = 3;", "")
	texts := api(t, put, "", "string n = 2; int32 m = 3;", "")
	worse := api(t, put, "", "string n = 2; string m = 3;", "")
	const lost = "field n in answers of POST /v1/things"
	for _, c := range []struct {
		name     string
		in       match.Transcoded
		want     string
		broken   []string
		repaired bool
	}{
		{"repaired by the release", shop(sets{one}, sets{text, one}, 0, 1), "image 0 filter 0: works works, works works\n", []string{lost}, true},
		{"left as it is", shop(sets{one, two}, sets{text}, 1, 0),
			"image 0 filter 0: works works\nimage 1 filter 0: works fails\n", []string{lost}, false},
		{"made worse", shop(sets{both}, sets{texts, worse}, 0, 1), "image 0 filter 0: works works, fails works\n", []string{lost}, false},
		{"a route that is missing, repaired", shop(sets{two}, sets{one, two}, 0, 1), "image 0 filter 0: works works, works works\n",
			[]string{"GET /v1/search"}, true},
		// What r0's image alone serves and nobody can call is no matter of this release.
		{"a route that goes", shop(sets{two, one}, sets{one}, 1, 0), "image 0 filter 0: works works\nimage 1 filter 0: works works\n", nil, false},
	} {
		x := table(c.in)
		var broken []string
		for _, call := range x.AlreadyBroken {
			broken = append(broken, call.What)
		}
		got := grid(x, len(c.in.Own), len(c.in.Dictionaries), 1)
		if got != c.want || !reflect.DeepEqual(broken, c.broken) || x.Repaired != c.repaired {
			t.Errorf("%s: already broken %q, repaired %t\n%s", c.name, broken, x.Repaired, got)
		}
	}
}

// TestFilters has services that come and go with the filter alone, and proxies without a transcoder.
func TestFilters(t *testing.T) {
	set := api(t, "", "", "", till)
	in := match.Transcoded{
		Own: sets{set}, Dictionaries: sets{set},
		Filters: []match.Filter{
			{Services: []string{"shop.v1.Shop"}}, {Services: []string{"shop.v1.Shop", "shop.v1.Till"}}, {}, {Services: []string{"shop.v1.Bar"}},
		},
	}
	for _, c := range []struct {
		from, to int
		want     string // under none, and under each filter
		breaking int
		accepts  string
	}{
		{from: 0, to: 1, want: "fails fails, works fails, works works, fails fails, fails fails"},
		{from: 1, to: 0, want: "fails works, works works, works works, fails works, fails works", breaking: 1},
		{from: 2, to: 0, want: "works fails, works works, works works, works fails, works fails"},
		{from: 0, to: 2, want: "works works, works works, works works, works works, works works", breaking: 1},
		{from: -1, to: 1, want: "works fails, works fails, works works, works fails, works fails"},
	} {
		in.Start.Filter, in.End.Filter = c.from, c.to
		x := table(in)
		got := short(x.Outcome(0, 0, -1))
		for f := range in.Filters {
			got += ", " + short(x.Outcome(0, 0, f))
		}
		if got != c.want || len(x.Breaking) != c.breaking || !x.Known || x.Equal {
			t.Errorf("%d to %d: %s, breaking %v, known %t, equal %t", c.from, c.to, got, x.Breaking, x.Known, x.Equal)
		}
	}
	x := table(in)
	if got := fmt.Sprint(x.Accepts(0, -1), x.Accepts(0, 0), x.Accepts(0, 2), x.Accepts(-1, 2), x.Accepts(0, 3), x.Accepts(-1, 0)); got != "true true true true false false" {
		t.Error(got)
	}
	for f, want := range map[int]string{
		-1: "415 from the server: the proxy has no transcoder and passes the call through",
		0:  "415 from the server: the transcoder does not list the service shop.v1.Till and passes the call through",
		2:  "415 from the server: the transcoder lists no services and passes the call through",
		3:  `the proxy refuses the dictionary together with its list of services (the dictionary has no service "shop.v1.Bar")`,
	} {
		calls := x.Outcome(0, 0, f).Calls
		if len(calls) == 0 || calls[0].What != "GET /v1/till" || calls[0].Meets != want {
			t.Errorf("filter %d: %v", f, calls)
		}
	}
	if calls := x.Outcome(0, -1, 1).Calls; len(calls) != 2 || calls[0].Meets != "the proxy refuses the dictionary together with its list of services (there is no dictionary)" {
		t.Errorf("no dictionary: %v", calls)
	}
}

// TestNoImage has a workload that comes with the release: all that it serves is new.
func TestNoImage(t *testing.T) {
	set := api(t, "", "", "", "")
	in := shop(sets{set}, sets{set}, 0, 0)
	in.Start = match.Combination{Consumer: -1, Provider: -1, Filter: -1}
	x := table(in)
	if got := short(x.Outcome(0, -1, 0)) + ", " + short(x.Outcome(0, 0, 0)) + ", " + short(x.Outcome(-1, -1, -1)); got != "works fails, works works, works works" || !x.Known || x.Equal {
		t.Error(got, x.Known, x.Equal)
	}
}

// TestStatuses has what others than grpc-go make of a call that passes the proxy, and a proxy that keeps it.
func TestStatuses(t *testing.T) {
	old, new := api(t, put, "", "", ""), api(t, put+`rpc Drop(Request) returns (Answer) { option (google.api.http) = { delete: "/v1/things/{id}" }; }`+search, "", "", "")
	for _, c := range []struct {
		server transcode.ServerKind
		keep   bool
		want   []string
	}{
		{transcode.CServer, false, []string{
			"an error in the gRPC status under a 200 from the server: the proxy's dictionary does not know the route and passes the call through",
			"503 from the server: the proxy's dictionary does not know the route and passes the call through",
		}},
		{transcode.GoServer, true, []string{
			"404 from the proxy: the proxy's dictionary does not know the route",
			"404 from the proxy: the proxy's dictionary does not know the route",
		}},
	} {
		in := shop(sets{old, new}, sets{old, new}, 1, 1)
		in.Server = c.server
		in.Filters[0].Config = descriptor.Transcoder{RequestValidation: descriptor.RequestValidation{RejectUnknownMethod: c.keep}}
		var got []string
		for _, call := range table(in).Outcome(1, 0, 0).Calls {
			got = append(got, call.Meets)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q", got)
		}
	}
}
