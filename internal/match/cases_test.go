package match_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// grid writes the outcomes of all combinations: a line for each image, "image 0: <dictionary 0>, <dictionary 1>", by filter.
func grid(x *match.Table, images, dictionaries, filters int) string {
	var b strings.Builder
	for f := range filters {
		for i := range images {
			var line []string
			for d := range dictionaries {
				s := short(x.Outcome(i, d, f))
				if !x.Accepts(d, f) {
					s = "refused"
				}
				line = append(line, s)
			}
			fmt.Fprintf(&b, "image %d filter %d: %s\n", i, f, strings.Join(line, ", "))
		}
	}
	return b.String()
}

// shop is a release of one service, so that the filter stays.
func shop(own, dictionaries []*descriptor.Set, image, dictionary int) match.Transcoded {
	return match.Transcoded{
		Own: own, Dictionaries: dictionaries, Filters: []match.Filter{{Services: []string{"shop.v1.Shop"}}},
		End: match.Combination{Consumer: image, Provider: dictionary},
	}
}

type sets = []*descriptor.Set

// TestCases has what the smallest cases of a release are made of: 1 to 10 and 16, and what else a table says of them.
func TestCases(t *testing.T) {
	plain := api(t, put, "", "int32 n = 2;", "")
	method := api(t, put+search, "", "int32 n = 2;", "")
	text := api(t, put, "", "string n = 2;", "")
	renamed := api(t, put, "", "int32 m = 2;", "")
	for _, c := range []struct {
		name     string
		in       match.Transcoded
		want     string // grid
		equal    bool
		breaking string // the first call
		unknown  bool
	}{
		{name: "1: a method added", in: shop(sets{plain, method}, sets{plain, method}, 1, 1),
			want: "image 0 filter 0: works works, works works\nimage 1 filter 0: works fails, works works\n"},
		{name: "2: int32 to string in an answer", in: shop(sets{plain, text}, sets{plain, text}, 1, 1),
			want:     "image 0 filter 0: works works, fails works\nimage 1 filter 0: fails fails, works works\n",
			breaking: "field n in answers of POST /v1/things: 200 in another form of JSON (a string instead of a number)"},
		{name: "3: a field of an answer renamed", in: shop(sets{plain, renamed}, sets{plain, renamed}, 1, 1),
			want:     "image 0 filter 0: works works, works works\nimage 1 filter 0: works fails, works works\n",
			breaking: "field n in answers of POST /v1/things: 200 without it"},
		{name: "4: a method removed", in: shop(sets{method, plain}, sets{method, plain}, 1, 1),
			want:     "image 0 filter 0: works works, works works\nimage 1 filter 0: works works, works works\n",
			breaking: "GET /v1/search: 415 from the server: the proxy's dictionary does not know the route and passes the call through"},
		{name: "5: comments", in: shop(sets{plain, api(t, put, "", "int32 n = 2;", "// so many")}, sets{plain, api(t, put, "", "int32 n = 2;", "// so many")}, 1, 1),
			want:  "image 0 filter 0: works works, works works\nimage 1 filter 0: works works, works works\n",
			equal: true},
		{name: "6: an image of which nothing is known", in: shop(sets{plain, nil}, sets{plain}, 1, 0),
			want: "image 0 filter 0: works works\nimage 1 filter 0: unknown unknown\n", unknown: true},
		{name: "7: an image alone, with a method", in: shop(sets{plain, method}, sets{plain}, 1, 0),
			want: "image 0 filter 0: works works\nimage 1 filter 0: works fails\n"},
		{name: "8: a dictionary alone, with a method", in: shop(sets{plain}, sets{plain, method}, 0, 1),
			want: "image 0 filter 0: works works, works works\n"},
		{name: "9: the other reader of int32 to string", in: shop(sets{plain}, sets{plain, text}, 0, 1),
			want: "image 0 filter 0: works works, fails works\n"},
		{name: "10: the other reader of a method added", in: shop(sets{plain}, sets{plain, method}, 0, 1),
			want: "image 0 filter 0: works works, works works\n"},
		{name: "16: a service added", in: release(api(t, "", "", "", ""), api(t, "", "", "", till)),
			want: "image 0 filter 0: works works, works works\nimage 1 filter 0: works fails, works fails\n" +
				"image 0 filter 1: refused, works works\nimage 1 filter 1: refused, works works\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := table(c.in)
			if got := grid(x, len(c.in.Own), len(c.in.Dictionaries), len(c.in.Filters)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			breaking := ""
			if len(x.Breaking) > 0 {
				breaking = x.Breaking[0].What + ": " + x.Breaking[0].Meets
			}
			if breaking != c.breaking || x.Equal != c.equal || x.Known == c.unknown || x.AlreadyBroken != nil {
				t.Errorf("breaking %q, equal %t, known %t, already broken %v", breaking, x.Equal, x.Known, x.AlreadyBroken)
			}
		})
	}
}

func TestCalls(t *testing.T) {
	old := api(t, put, "Colour c = 3;", "int32 n = 2; bytes b = 3;", colour)
	new := api(t, put+search+get, "Colour c = 3;", "string n = 2; string b = 3; string note = 4;", blue)
	x := table(shop(sets{old, new}, sets{old, new}, 1, 1))
	const passed = "415 from the server: the proxy's dictionary does not know the route and passes the call through"
	const unread = "502 from the proxy: it cannot read the answer by its dictionary, and the server has done the work"
	const toText, toString = "field n of shop.v1.Answer becomes string, it was int32", "field b of shop.v1.Answer becomes string, it was bytes"
	for _, c := range []struct {
		image, dictionary int
		want              []match.Call
	}{
		{1, 0, []match.Call{
			{What: "field n in answers of POST /v1/things", Meets: unread + ` (with the value "longer é")`, Change: toText, Common: true},
			{What: "GET /v1/search", Meets: passed, Change: "GET /v1/search of shop.v1.Shop.Search is new"},
			{What: "GET /v1/things/{id}", Meets: passed, Change: "GET /v1/things/{id} of shop.v1.Shop.Get is new"},
			{What: "field c in requests of POST /v1/things", Change: "enum shop.v1.Colour: gains BLUE",
				Meets: "400 from the proxy: its dictionary does not take this value (with the value BLUE)"},
			{What: "field b in answers of POST /v1/things", Meets: `200 with another value ("YQ==" instead of "a")`, Change: toString},
			{What: "field note in answers of POST /v1/things", Meets: "200 without it", Change: "field note of shop.v1.Answer is new"},
		}},
		{0, 1, []match.Call{
			{What: "field b in answers of POST /v1/things", Change: toString, Common: true,
				Meets: unread + ` (when it is set); with other values: 200 with another value (with the value "a": "a" instead of "YQ==")`},
			{What: "field n in answers of POST /v1/things", Meets: unread + " (when it is set)", Change: toText, Common: true},
		}},
	} {
		if got := x.Outcome(c.image, c.dictionary, 0).Calls; !reflect.DeepEqual(got, c.want) {
			t.Errorf("image %d, dictionary %d:", c.image, c.dictionary)
			for _, call := range got {
				t.Errorf("  %t %s: %s [%s]", call.Common, call.What, call.Meets, call.Change)
			}
		}
	}
}

// TestNotKnown has versions of which nothing is known: no claim is made of them, in either direction.
func TestNotKnown(t *testing.T) {
	plain, method, text := api(t, put, "", "int32 n = 2;", ""), api(t, put+search, "", "int32 n = 2;", ""), api(t, put, "", "string n = 2;", "")
	one, two := shop(sets{plain, plain}, sets{plain, plain}, 1, 1), shop(sets{plain, plain}, sets{plain, plain}, 1, 1)
	one.Filters = append(one.Filters, match.Filter{Services: []string{"shop.v1.Shop"}, Config: descriptor.Transcoder{AutoMapping: true}})
	one.End.Filter = 1
	two.Filters = append(two.Filters, match.Filter{Services: []string{"shop.v1.Shop"}, Config: descriptor.Transcoder{ProtoDescriptor: "/etc/moved.pb"}})
	two.End.Filter = 1
	for _, c := range []struct {
		name  string
		in    match.Transcoded
		want  string
		known bool
		equal bool
	}{
		// Whatever the image of rk serves counts as new, and the image of r0 may fail.
		{name: "r0's image", in: shop(sets{nil, text}, sets{plain, text}, 1, 1),
			want: "image 0 filter 0: works works, unknown works\nimage 1 filter 0: works fails, works works\n"},
		// What the image of r0 meets may be an old call.
		{name: "rk's image", in: shop(sets{plain, nil}, sets{plain, text}, 1, 1),
			want: "image 0 filter 0: works works, unknown works\nimage 1 filter 0: unknown unknown, unknown unknown\n"},
		{name: "rk's image, and a dictionary that r0's works with", in: shop(sets{plain, nil}, sets{plain, method}, 1, 1),
			want: "image 0 filter 0: works works, works works\nimage 1 filter 0: unknown unknown, unknown unknown\n"},
		{name: "the only image", in: shop(sets{nil}, sets{plain, method}, 0, 1),
			want: "image 0 filter 0: works works, unknown works\n"},
		{name: "the only image, and a dictionary with other comments", in: shop(sets{nil}, sets{plain, api(t, put, "", "int32 n = 2;", "// more")}, 0, 1),
			want: "image 0 filter 0: works works, unknown works\n", equal: true},
		{name: "a dictionary that cannot be decoded", in: shop(sets{plain, method}, sets{plain, nil}, 1, 1),
			want: "image 0 filter 0: works works, unknown works\nimage 1 filter 0: works fails, unknown unknown\n", known: true},
		{name: "other options", in: one, known: true,
			want: "image 0 filter 0: works works, works works\nimage 1 filter 0: unknown unknown, unknown unknown\n" +
				"image 0 filter 1: unknown works, unknown works\nimage 1 filter 1: works works, works works\n"},
		{name: "another path of the file", in: two, known: true, equal: true,
			want: "image 0 filter 0: works works, works works\nimage 1 filter 0: works works, works works\n" +
				"image 0 filter 1: works works, works works\nimage 1 filter 1: works works, works works\n"},
	} {
		x := table(c.in)
		if got := grid(x, len(c.in.Own), len(c.in.Dictionaries), len(c.in.Filters)); got != c.want || x.Known != c.known || x.Equal != c.equal {
			t.Errorf("%s: known %t, equal %t\n%swant\n%s", c.name, x.Known, x.Equal, got, c.want)
		}
	}
}

// TestNoFilters has a filter of which nothing is known.
func TestNoFilters(t *testing.T) {
	set := api(t, "", "", "", "")
	x := table(match.Transcoded{Own: sets{set, set}, Dictionaries: sets{set}, End: match.Combination{Consumer: 1}})
	if got := grid(x, 2, 1, 1); got != "image 0 filter 0: works works\nimage 1 filter 0: unknown unknown\n" || x.Known {
		t.Error(got, x.Known)
	}
}

// TestThirdImage has two commits in flight: the image between the ends has an API of its own.
func TestThirdImage(t *testing.T) {
	plain, method, text := api(t, put, "", "int32 n = 2;", ""), api(t, put+search, "", "int32 n = 2;", ""), api(t, put+search, "", "string n = 2;", "")
	nested := func(kind string) *descriptor.Set {
		return api(t, put, "", "int32 n = 2; Total total = 3;", "message Total { "+kind+" units = 1; }")
	}
	units, long, words := nested("int32"), nested("int64"), nested("string")
	between := func(in match.Transcoded, c match.Combination) match.Transcoded {
		in.Between = []match.Combination{c}
		return in
	}
	for _, c := range []struct {
		name string
		in   match.Transcoded
		want string
	}{
		// A method, then another type: the type costs a common route and the new one.
		{"two changes", between(shop(sets{plain, method, text}, sets{plain, method, text}, 2, 2), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works, fails works\n" +
				"image 1 filter 0: works fails, works works, fails fails\n" +
				"image 2 filter 0: fails fails, fails fails, works works\n"},
		// A method that is taken back: nobody but the image between serves it.
		{"a revert", between(shop(sets{plain, method}, sets{plain, method}, 0, 0), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works\nimage 1 filter 0: works fails, works works\n"},
		// A method that goes, then comes back.
		{"a removal taken back", between(shop(sets{method, plain}, sets{method, plain}, 0, 0), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, fails works\nimage 1 filter 0: works works, works works\n"},
		// A field that changes while it is new: the number is a matter of the field, what cannot be read one of the route.
		{"a number in a new message", between(shop(sets{plain, units, long}, sets{plain, units, long}, 2, 2), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works, works works\n" +
				"image 1 filter 0: works fails, works works, works fails\n" +
				"image 2 filter 0: works fails, works fails, works works\n"},
		{"a text in a new message", between(shop(sets{plain, units, words}, sets{plain, units, words}, 2, 2), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works, works works\n" +
				"image 1 filter 0: works fails, works works, fails fails\n" +
				"image 2 filter 0: works fails, fails fails, works works\n"},
		{"and nothing is known of the last", between(shop(sets{plain, method, nil}, sets{plain, method}, 2, 1), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works\nimage 1 filter 0: unknown unknown, works works\nimage 2 filter 0: unknown unknown, unknown unknown\n"},
		{"of which nothing is known", between(shop(sets{plain, nil, method}, sets{plain, method}, 2, 1), match.Combination{Consumer: 1, Provider: 1}),
			"image 0 filter 0: works works, works works\nimage 1 filter 0: unknown unknown, unknown unknown\nimage 2 filter 0: works fails, works works\n"},
	} {
		if got := grid(table(c.in), len(c.in.Own), len(c.in.Dictionaries), 1); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// TestListBetween has a list of services that grows with the image between the ends, and shrinks again.
func TestListBetween(t *testing.T) {
	old, more := api(t, "", "", "", ""), api(t, "", "", "", till)
	in := release(old, more)
	in.Between, in.End = []match.Combination{in.End}, in.Start
	want := "image 0 filter 0: works works, works works\nimage 1 filter 0: works fails, works fails\n" +
		"image 0 filter 1: refused, works works\nimage 1 filter 1: refused, works works\n"
	if got := grid(table(in), 2, 2, 2); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestListOfOthers has a filter that lists a service which the dictionary has and the image does not.
func TestListOfOthers(t *testing.T) {
	in := shop(sets{api(t, "", "", "int32 n = 2;", "")}, sets{api(t, "", "", "int32 n = 2;", till), api(t, "", "", "string n = 2;", till)}, 0, 1)
	in.Filters[0].Services = []string{"shop.v1.Shop", "shop.v1.Till"}
	if got := grid(table(in), 1, 2, 1); got != "image 0 filter 0: works works, fails works\n" {
		t.Error(got)
	}
}
