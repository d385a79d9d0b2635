package pair_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// TestOptions compares one change under other configurations.
func TestOptions(t *testing.T) {
	enum := [2]string{api("", "", "Colour c = 2;", colour), api("", "", "Colour c = 2;", more)}
	query := [2]string{api(get, "", "", ""), api(get, "string note = 2;", "", "")}
	method := [2]string{api(put, "", "", ""), api(put+search, "", "", "")}
	for _, c := range []struct {
		name string
		sets [2]string
		o    pair.Options
		want string // orders, and what callers of the new API meet with the image first
	}{
		{"enums as numbers", enum, pair.Options{Config: descriptor.Transcoder{PrintOptions: descriptor.PrintOptions{AlwaysPrintEnumsAsInts: true}}},
			"any any any; "},
		{"unknown parameters pass", query, pair.Options{}, "any any dictionary-first; not-routed 415"},
		{"unknown parameters ignored", query, pair.Options{Config: descriptor.Transcoder{IgnoreUnknownQueryParameters: true}},
			"any any dictionary-first; dropped 200"},
		{"unknown parameters rejected", query, pair.Options{Config: descriptor.Transcoder{RequestValidation: descriptor.RequestValidation{RejectUnknownQueryParameters: true}}},
			"any any dictionary-first; bad-request 400"},
		{"unknown method", method, pair.Options{}, "any any dictionary-first; not-routed 415"},
		{"unknown method, C++", method, pair.Options{Server: transcode.CServer}, "any any dictionary-first; not-routed 503"},
		{"unknown method rejected", method, pair.Options{Config: descriptor.Transcoder{RequestValidation: descriptor.RequestValidation{RejectUnknownMethod: true}}},
			"any any dictionary-first; not-routed 404"},
		{"a service that is not there", method, pair.Options{NewServices: []string{"shop.v1.Shop", "shop.v1.Till"}},
			"none none none; "},
	} {
		r := pair.Compare(decode(t, c.sets[0]), decode(t, c.sets[1]), c.o)
		got := fmt.Sprint(r.SafeOrder, " ", r.SafeOrderIfUnused, " ", r.PreferredOrder, "; ")
		for _, route := range r.Routes {
			for _, e := range route.Fields {
				if e.Client == pair.NewClient && e.State == pair.ServerAhead {
					got += fmt.Sprint(e.Outcome, " ", e.Witness.Status)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.name, got, c.want, show(r))
		}
	}
}

// TestClasses shows one change for the three classes of callers.
func TestClasses(t *testing.T) {
	r := pair.Compare(decode(t, api("", "", "int32 n = 2;", "")), decode(t, api("", "", "fixed32 n = 2; string note = 3;", "")), pair.Options{})
	var got []string
	for _, e := range r.Routes[0].Fields {
		got = append(got, fmt.Sprint(e.Path, " ", e.Client, " ", e.State, " ", e.Outcome))
	}
	want := []string{
		"n both new-dictionary bad-gateway", "n both new-server bad-gateway",
		"n new new-dictionary bad-gateway", "n new new-server bad-gateway",
		"n old new-dictionary bad-gateway", "n old new-server bad-gateway",
		"note new before dropped", "note new new-dictionary dropped", "note new new-server dropped",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLimits(t *testing.T) {
	latest := strings.NewReplacer("Get(", "Latest(", "{id}", "latest").Replace(get)
	r := pair.Compare(decode(t, api(get, "", "", "")), decode(t, api(get+latest, "", "", "")), pair.Options{Server: transcode.JavaServer})
	want := []string{
		"GET /v1/things/latest takes requests that /shop.v1.Shop/Get answers so far",
		"the behaviour of Java servers was read, not run",
	}
	if !reflect.DeepEqual(r.Limits, want) || r.SafeOrder != "any" || r.PreferredOrder != "dictionary-first" {
		t.Errorf("%s, %s, %q, want %q", r.SafeOrder, r.PreferredOrder, r.Limits, want)
	}
	till := `service Till { rpc Open(Request) returns (Answer) { option (google.api.http) = { get: "/v1/till" }; } }`
	const plain = "rpc Watch(Request) returns (Answer);"
	for _, c := range []struct {
		name, old, new string
		config         descriptor.Transcoder
		want           []string
	}{
		{name: "a service that comes", old: api("", "", "", ""), new: api("", "", "", till),
			want: []string{"Envoy's own routes, which it chooses by the path of the gRPC method, must take /shop.v1.Till/"}},
		{name: "a service that comes, routed by its request", old: api("", "", "", ""), new: api("", "", "", till),
			config: descriptor.Transcoder{MatchIncomingRequestRoute: true},
			want:   []string{"Envoy's own routes, which it chooses by the path of the request, with match_incoming_request_route, must take GET /v1/till"}},
		{name: "a method of gRPC alone", old: api(put+plain, "", "", ""), new: api(put, "", "", ""),
			want: []string{"methods without an HTTP rule have changed or are gone, and gRPC calls were not compared: shop.v1.Shop.Watch"}},
		{name: "the same, mapped", old: api(put+plain, "", "", ""), new: api(put, "", "", ""), config: descriptor.Transcoder{AutoMapping: true}},
		{name: "a method of gRPC alone that stays", old: api(put+plain, "", "", till), new: api(put+plain, "", "", till+"message M {}")},
		{name: "a message in an Any", old: api("", "", "google.protobuf.Any a = 2;", "message D { int32 x = 1; }"),
			new:  api("", "", "google.protobuf.Any a = 2;", "message D { string x = 1; }"),
			want: []string{"what an Any may hold has changed, and was not compared within one: shop.v1.D"}},
		{name: "a message in no Any", old: api("", "", "", "message D { int32 x = 1; }"), new: api("", "", "", "message D { string x = 1; }")},
	} {
		r := pair.Compare(decode(t, c.old), decode(t, c.new), pair.Options{Config: c.config})
		if !reflect.DeepEqual(r.Limits, c.want) {
			t.Errorf("%s: %q, want %q", c.name, r.Limits, c.want)
		}
	}
}

func TestTheSameTwice(t *testing.T) {
	for _, r := range rows() {
		one := pair.Compare(decode(t, r.old), decode(t, r.new), r.options)
		two := pair.Compare(decode(t, r.old), decode(t, r.new), r.options)
		if !reflect.DeepEqual(one, two) {
			t.Errorf("%s: two results\n%s\n%s", r.fact, show(one), show(two))
		}
	}
}

// TestRecursion compares messages that hold each other.
func TestRecursion(t *testing.T) {
	tree := "message Node { repeated Node children = 1; map<string, Node> named = 2; Leaf leaf = 3; } message Leaf { Node node = 1; %s x = 2; }"
	r := pair.Compare(decode(t, api("", "Node n = 2;", "Node n = 2;", fmt.Sprintf(tree, "int32"))),
		decode(t, api("", "Node n = 2;", "Node n = 2;", fmt.Sprintf(tree, "string"))), pair.Options{})
	if r.SafeOrder != "none" || len(r.Breaking) == 0 {
		t.Errorf("%s", show(r))
	}
}

// FuzzCompare reads any two sets: nothing panics or hangs.
func FuzzCompare(f *testing.F) {
	for _, r := range rows() {
		f.Add(compile(f, r.old), compile(f, r.new))
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		a, err := descriptor.Decode(old)
		if err != nil {
			return
		}
		b, err := descriptor.Decode(new)
		if err != nil {
			return
		}
		pair.Compare(a, b, pair.Options{})
	})
}
