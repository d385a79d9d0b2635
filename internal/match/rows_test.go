package match_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
)

// services are all that a set has.
func services(set *descriptor.Set) []string {
	var out []string
	if set != nil {
		for _, s := range set.Services {
			out = append(out, s.Name)
		}
	}
	return out
}

// release is one in which image, dictionary and list of services change together, each image with the dictionary of its own.
func release(old, new *descriptor.Set) match.Transcoded {
	return match.Transcoded{
		Own: []*descriptor.Set{old, new}, Dictionaries: []*descriptor.Set{old, new},
		Filters: []match.Filter{{Services: services(old)}, {Services: services(new)}},
		End:     match.Combination{Consumer: 1, Provider: 1, Filter: 1},
	}
}

func table(in match.Transcoded) *match.Table {
	var m match.Matcher
	return m.Transcoder(in)
}

// short is an outcome as "common new".
func short(o match.Outcome) string {
	names := map[match.Truth]string{match.Works: "works", match.Fails: "fails", match.Unknown: "unknown"}
	return names[o.Common] + " " + names[o.New]
}

type row struct {
	change   string
	old, new *descriptor.Set
	// The mixed combinations: what the new image serves under the old dictionary, the old image under the new one, each
	// under the list of services of its dictionary.
	imageFirst, dictionaryFirst string
	breaking                    bool
	unlike                      bool // package pair counts old calls that no order keeps against the orders
}

func rows(t *testing.T) []row {
	return []row{
		{change: "add a method", old: api(t, put, "", "", ""), new: api(t, put+search, "", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add a field to a request", old: api(t, "", "", "", ""), new: api(t, "", "string note = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add a field to an answer", old: api(t, "", "", "", ""), new: api(t, "", "", "string note = 2;", ""),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add a message to an answer", old: api(t, "", "", "", ""),
			new:        api(t, "", "", "Total total = 2;", "message Total { int32 units = 1; }"),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add an enum value, requests only", old: api(t, "", "Colour c = 2;", "", colour), new: api(t, "", "Colour c = 2;", "", blue),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add a service", old: api(t, "", "", "", ""), new: api(t, "", "", "", till),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "add an enum value that answers carry", old: api(t, "", "", "Colour c = 2;", colour), new: api(t, "", "", "Colour c = 2;", blue),
			imageFirst: "fails fails", dictionaryFirst: "works works"},
		{change: "remove a method", old: api(t, put+search, "", "", ""), new: api(t, put, "", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true},
		{change: "remove a service", old: api(t, "", "", "", till), new: api(t, "", "", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true},
		{change: "remove a field of a request", old: api(t, "", "string note = 2;", "", ""), new: api(t, "", "", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true},
		{change: "remove a field of an answer", old: api(t, "", "", "string note = 2;", ""), new: api(t, "", "", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true},
		{change: "rename a field of a request", old: api(t, "", "string note = 2;", "", ""), new: api(t, "", "string text = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "rename a field of an answer", old: api(t, "", "", "string note = 2;", ""), new: api(t, "", "", "string text = 2;", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "change a json_name", old: api(t, "", "", "string note = 2;", ""), new: api(t, "", "", `string note = 2 [json_name = "text"];`, ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "rename a variable of a route", old: api(t, get, "string no = 2;", "", ""),
			new:        api(t, strings.ReplaceAll(get, "{id}", "{no}"), "string no = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "move a route", old: api(t, get, "", "", ""), new: api(t, strings.Replace(get, "things", "items", 1), "", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "int32 to string in an answer", old: api(t, "", "", "int32 n = 2;", ""), new: api(t, "", "", "string n = 2;", ""),
			imageFirst: "fails fails", dictionaryFirst: "fails works", breaking: true},
		{change: "bytes to string in an answer", old: api(t, "", "", "bytes b = 2;", ""), new: api(t, "", "", "string b = 2;", ""),
			imageFirst: "works fails", dictionaryFirst: "fails works", breaking: true},
		{change: "int32 to string in a request", old: api(t, "", "int32 n = 2;", "", ""), new: api(t, "", "string n = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "int32 to int64 in an answer", old: api(t, "", "", "int32 n = 2;", ""), new: api(t, "", "", "int64 n = 2;", ""),
			imageFirst: "works fails", dictionaryFirst: "works works", breaking: true},
		{change: "int32 to int64 in a request", old: api(t, "", "int32 n = 2;", "", ""), new: api(t, "", "int64 n = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "singular to repeated in a request", old: api(t, "", "string s = 2;", "", ""), new: api(t, "", "repeated string s = 2;", "", ""),
			imageFirst: "works fails", dictionaryFirst: "works works"},
		{change: "singular to repeated in an answer", old: api(t, "", "", "string s = 2;", ""), new: api(t, "", "", "repeated string s = 2;", ""),
			imageFirst: "fails fails", dictionaryFirst: "works works", breaking: true},
		{change: "repeated to singular in an answer", old: api(t, "", "", "repeated string s = 2;", ""), new: api(t, "", "", "string s = 2;", ""),
			imageFirst: "works fails", dictionaryFirst: "fails works", breaking: true},
		{change: "remove an enum value that answers carry", old: api(t, "", "", "Colour c = 2;", blue), new: api(t, "", "", "Colour c = 2;", colour),
			imageFirst: "works works", dictionaryFirst: "fails works", breaking: true},
		{change: "renumber a field of a request", old: api(t, "", "string s = 2;", "", ""), new: api(t, "", "string s = 3;", "", ""),
			imageFirst: "fails works", dictionaryFirst: "fails works"},
		{change: "one answer to a stream of them", old: api(t, get, "", "", ""), new: api(t, strings.Replace(get, "returns (", "returns (stream ", 1), "", "", ""),
			imageFirst: "fails fails", dictionaryFirst: "works works", breaking: true},
		{change: "an answer becomes any bytes", old: api(t, get, "", "int32 n = 2;", ""),
			new:        api(t, strings.Replace(get, "(Answer)", "(google.api.HttpBody)", 1), "", "", ""),
			imageFirst: "fails fails", dictionaryFirst: "fails works", breaking: true}, // bytes of one field are neither form
		{change: "a number of an answer is used again", old: api(t, "", "", "string note = 2;", ""), new: api(t, "", "", "int32 count = 2;", ""),
			imageFirst: "fails fails", dictionaryFirst: "fails works", breaking: true},
		{change: "two fields into one oneof", old: api(t, "", "string a = 2; string b = 3;", "", ""),
			new:        api(t, "", "oneof which { string a = 2; string b = 3; }", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true},
		{change: "a method that claims an existing route", old: api(t, get, "", "", ""), new: api(t, get+strings.Replace(get, "Get", "Other", 1), "", "", ""),
			imageFirst: "works works", dictionaryFirst: "works works", breaking: true, unlike: true},
		{change: "comments only", old: api(t, "", "", "", ""), new: api(t, "", "", "", "// more to come"),
			imageFirst: "works works", dictionaryFirst: "works works"},
	}
}

// TestRows compares the outcomes of one change each with what is typed here, and with the orders that package pair names.
func TestRows(t *testing.T) {
	for _, r := range rows(t) {
		t.Run(r.change, func(t *testing.T) {
			x := table(release(r.old, r.new))
			image, dictionary := x.Outcome(1, 0, 0), x.Outcome(0, 1, 1)
			if got := short(image); got != r.imageFirst {
				t.Errorf("new image, old dictionary: %s, want %s\n%v", got, r.imageFirst, image.Calls)
			}
			if got := short(dictionary); got != r.dictionaryFirst {
				t.Errorf("old image, new dictionary: %s, want %s\n%v", got, r.dictionaryFirst, dictionary.Calls)
			}
			for _, c := range []match.Combination{{}, {Consumer: 1, Provider: 1, Filter: 1}} {
				if o := x.Outcome(c.Consumer, c.Provider, c.Filter); short(o) != "works works" {
					t.Errorf("fresh: %v: %s %v", c, short(o), o.Calls)
				}
			}
			if (len(x.Breaking) > 0) != r.breaking || !x.Known || x.AlreadyBroken != nil {
				t.Errorf("breaking %v, known %t, already broken %v", x.Breaking, x.Known, x.AlreadyBroken)
			}
			ifUnused := order(dictionary.Common == match.Works, image.Common == match.Works)
			if (x.SafeIfUnused == string(ifUnused)) == r.unlike {
				t.Errorf("orders by outcome: %s, by pair: %s", ifUnused, x.SafeIfUnused)
			}
			safe := ifUnused
			if r.breaking {
				safe = pair.NoOrder
			}
			if x.SafeOrder != string(safe) {
				t.Errorf("safe order by outcome: %s, by pair: %s", safe, x.SafeOrder)
			}
		})
	}
}

func order(dictionaryFirst, imageFirst bool) pair.Order {
	switch {
	case dictionaryFirst && imageFirst:
		return pair.AnyOrder
	case dictionaryFirst:
		return pair.DictionaryFirst
	case imageFirst:
		return pair.ImageFirst
	}
	return pair.NoOrder
}

// TestRenamedPackage has another list of services, which no dictionary but its own satisfies.
func TestRenamedPackage(t *testing.T) {
	old := api(t, "", "", "", "")
	renamed := decode(t, map[string]string{"shop.proto": `syntax = "proto3"; package shop.v2; import "google/api/annotations.proto";
service Shop { ` + put + ` } message Request { string id = 1; } message Answer { string id = 1; }`})
	x := table(release(old, renamed))
	if x.Accepts(0, 1) || x.Accepts(1, 0) || !x.Accepts(0, 0) || !x.Accepts(1, 1) {
		t.Error("a list of services goes with one dictionary only")
	}
	for _, c := range []struct {
		image, version int
		meets          string
	}{
		{1, 0, "501: the server does not know /shop.v1.Shop/Put, which the proxy's dictionary has for this route"},
		{0, 1, "501: the server does not know /shop.v2.Shop/Put, which the proxy's dictionary has for this route"},
	} {
		o := x.Outcome(c.image, c.version, c.version)
		if short(o) != "fails works" || len(o.Calls) != 1 || o.Calls[0].Meets != c.meets || o.Calls[0].What != "POST /v1/things" {
			t.Errorf("%v: %s %v", c, short(o), o.Calls)
		}
	}
	if len(x.Breaking) > 0 || x.SafeOrder != "none" {
		t.Errorf("%v %s", x.Breaking, x.SafeOrder)
	}
}
