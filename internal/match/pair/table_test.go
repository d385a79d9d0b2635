package pair_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/pair"
)

// api is a service with a request, an answer, and what else a row declares. %s are replaced by a row's texts.
func api(rules, request, answer, more string) string {
	if rules == "" {
		rules = `rpc Put(Request) returns (Answer) { option (google.api.http) = { post: "/v1/things" body: "*" }; }`
	}
	return `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/api/httpbody.proto";
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
service Shop { ` + rules + ` }
message Request { string id = 1; ` + request + ` }
message Answer { string id = 1; ` + answer + ` }
` + more
}

const (
	get    = `rpc Get(Request) returns (Answer) { option (google.api.http) = { get: "/v1/things/{id}" }; }`
	put    = `rpc Put(Request) returns (Answer) { option (google.api.http) = { post: "/v1/things" body: "*" }; }`
	search = `rpc Search(Request) returns (Answer) { option (google.api.http) = { get: "/v1/search" }; }`
	colour = `enum Colour { NONE = 0; RED = 1; }`
	more   = `enum Colour { NONE = 0; RED = 1; BLUE = 2; }`
)

// TestTable is the table of the orders: what a change means, typed by hand.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		change                    string
		old, new                  string
		breaking                  bool
		safe, ifUnused, preferred pair.Order
		restart                   bool
		list                      pair.ListOrder
	}{
		{change: "add a method", old: api(put, "", "", ""), new: api(put+search, "", "", ""),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "add an optional field to a request", old: api("", "", "", ""), new: api("", "string note = 2;", "", ""),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "add an optional field to an answer", old: api("", "", "", ""), new: api("", "", "string note = 2;", ""),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "add an enum value, requests only", old: api("", "Colour c = 2;", "", colour), new: api("", "Colour c = 2;", "", more),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "add a service", old: api("", "", "", ""),
			new:  api("", "", "", `service Till { rpc Open(Request) returns (Answer) { option (google.api.http) = { get: "/v1/till" }; } }`),
			safe: "any", ifUnused: "any", preferred: "dictionary-first", list: pair.ListAfterDictionary},
		{change: "remove a service", old: api("", "", "", `service Till { rpc Open(Request) returns (Answer) { option (google.api.http) = { get: "/v1/till" }; } }`),
			new: api("", "", "", ""), breaking: true, safe: "none", ifUnused: "any", preferred: "any", list: pair.ListBeforeDictionary},
		{change: "add an enum value that responses carry", old: api("", "", "Colour c = 2;", colour), new: api("", "", "Colour c = 2;", more),
			safe: "dictionary-first", ifUnused: "dictionary-first", preferred: "dictionary-first"},
		{change: "remove a method", old: api(put+search, "", "", ""), new: api(put, "", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "any"},
		{change: "remove a field of a request", old: api("", "string note = 2;", "", ""), new: api("", "", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "any"},
		{change: "remove a field of an answer", old: api("", "", "string note = 2;", ""), new: api("", "", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "any"},
		{change: "rename a field of a request", old: api("", "string note = 2;", "", ""), new: api("", "string text = 2;", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "rename a field of an answer", old: api("", "", "string note = 2;", ""), new: api("", "", "string text = 2;", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "change a json_name", old: api("", "", "string note = 2;", ""), new: api("", "", `string note = 2 [json_name="text"];`, ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "move a route", old: api(get, "", "", ""), new: api(strings.Replace(get, "things", "items", 1), "", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "int32 -> string in a response", old: api("", "", "int32 n = 2;", ""), new: api("", "", "string n = 2;", ""),
			breaking: true, safe: "none", ifUnused: "none", preferred: "none"},
		{change: "int32 -> string in a request body", old: api("", "int32 n = 2;", "", ""), new: api("", "string n = 2;", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "int32 -> int64 in a response", old: api("", "", "int32 n = 2;", ""), new: api("", "", "int64 n = 2;", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "dictionary-first"},
		{change: "int32 -> int64 in a request", old: api("", "int32 n = 2;", "", ""), new: api("", "int64 n = 2;", "", ""),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "singular -> repeated in a request", old: api("", "string s = 2;", "", ""), new: api("", "repeated string s = 2;", "", ""),
			safe: "any", ifUnused: "any", preferred: "dictionary-first"},
		{change: "singular -> repeated in a response", old: api("", "", "string s = 2;", ""), new: api("", "", "repeated string s = 2;", ""),
			breaking: true, safe: "none", ifUnused: "dictionary-first", preferred: "dictionary-first"},
		{change: "repeated -> singular in a response", old: api("", "", "repeated string s = 2;", ""), new: api("", "", "string s = 2;", ""),
			breaking: true, safe: "none", ifUnused: "image-first", preferred: "image-first", restart: true},
		{change: "remove an enum value that responses carry", old: api("", "", "Colour c = 2;", more), new: api("", "", "Colour c = 2;", colour),
			breaking: true, safe: "none", ifUnused: "image-first", preferred: "image-first"},
		{change: "two existing fields into a new oneof", old: api("", "string a = 2; string b = 3;", "", ""),
			new:      api("", "oneof which { string a = 2; string b = 3; }", "", ""),
			breaking: true, safe: "none", ifUnused: "any", preferred: "any"},
		{change: "rename the package, routes kept", old: api("", "", "", ""), new: strings.Replace(api("", "", "", ""), "shop.v1", "shop.v2", 1),
			safe: "none", ifUnused: "none", preferred: "none", list: pair.ListBothSides},
		{change: "comments only", old: api("", "", "", ""), new: "// a comment\n" + api("", "", "", ""),
			safe: "any", ifUnused: "any", preferred: "any"},
		{change: "a method that claims an existing route", old: api(get, "", "", ""), new: api(get+strings.Replace(get, "Get", "Other", 1), "", "", ""),
			breaking: true, safe: "none", ifUnused: "none", preferred: "none"},
	} {
		t.Run(row.change, func(t *testing.T) {
			r := pair.Compare(decode(t, row.old), decode(t, row.new), pair.Options{})
			got := fmt.Sprintf("breaking %t, %s, %s, %s, restart %t, list %q", len(r.Breaking) > 0, r.SafeOrder, r.SafeOrderIfUnused, r.PreferredOrder, r.Restart, r.ListOrder)
			want := fmt.Sprintf("breaking %t, %s, %s, %s, restart %t, list %q", row.breaking, row.safe, row.ifUnused, row.preferred, row.restart, row.list)
			if got != want {
				t.Errorf("\n got %s\nwant %s\n%s", got, want, show(r))
			}
		})
	}
}

func show(r pair.Result) string {
	var b strings.Builder
	for _, route := range r.Routes {
		fmt.Fprintf(&b, "%s %s (%s)\n", route.Verb, route.Template, route.Method)
		for _, e := range route.Fields {
			fmt.Fprintf(&b, "  %-10s %-8s %-4s %-14s %-13s %s | %s %s %s -> %d %s\n", e.Path, e.Direction, e.Client, e.State, e.Outcome, e.Detail,
				e.Witness.Request.Method, e.Witness.Request.Target, e.Witness.Request.Body, e.Witness.Status, e.Witness.Body)
		}
	}
	return b.String()
}
