package pair_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
)

const (
	expandWhen   = "expand (deliver the dictionary first): "
	imageWhen    = "expand (deliver the image; the dictionary stays as it is): "
	migrateWhen  = "migrate (when every proxy has loaded the dictionary of expand, and every pod runs its image): "
	contractWhen = "contract (when nobody uses the old form any more; keep its numbers and names reserved): "
)

// TestMigration has what is said for each kind of change, and follows it: from the old API to the one of expand, and from
// there to the end, callers meet nothing if they did what migrate says.
func TestMigration(t *testing.T) {
	both := strings.Replace(get, `{ get: "/v1/things/{id}" }`, `{ get: "/v1/items/{id}" additional_bindings { get: "/v1/things/{id}" } }`, 1)
	alias := "enum Colour { option allow_alias = true; NONE = 0; RED = 1; CRIMSON = 1; }"
	for _, c := range []struct {
		change   string
		old, new string
		want     []string
		// expand and end are the APIs of those releases; "" where the words name one of the two.
		expand, end string
	}{
		{
			change: "a field gets another type",
			old:    api("", "", "int32 number = 2;", ""), new: api("", "", "string number = 2;", ""),
			want: []string{
				expandWhen + "field number of shop.v1.Answer: add the field string number_text = 3 beside it, and fill both",
				migrateWhen + "callers read number_text instead of number of shop.v1.Answer",
				contractWhen + "remove field number of shop.v1.Answer",
			},
			expand: api("", "", "int32 number = 2; string number_text = 3;", ""),
			end:    api("", "", "string number_text = 3;", ""),
		},
		{
			change: "a field of many messages, in requests and answers, next to a name and numbers that are taken",
			old:    api(get+put, "M m = 2;", "M m = 2;", "message M { int32 n = 1; string n_text = 2; reserved 3 to 4; }"),
			new:    api(get+put, "M m = 2;", "M m = 2;", "message M { string n = 1; string n_text = 2; reserved 3 to 4; }"),
			want: []string{
				expandWhen + "field n of shop.v1.M: add the field string n_text2 = 5 beside it, and read and fill both",
				migrateWhen + "callers send and read n_text2 instead of n of shop.v1.M",
				contractWhen + "remove field n of shop.v1.M",
			},
		},
		{
			change: "a field is renamed",
			old:    api("", "string note = 2;", "", ""), new: api("", "string text = 2;", "", ""),
			want: []string{
				expandWhen + `field note of shop.v1.Request: keep its JSON name with [json_name = "note"], which callers that use that name do not notice; ` +
					"or add the field text = 3 beside it, and read both",
				migrateWhen + "callers send text instead of note of shop.v1.Request",
				contractWhen + "remove field note of shop.v1.Request",
			},
			expand: api("", "string note = 2; string text = 3;", "", ""),
			end:    api("", "string text = 3;", "", ""),
		},
		{
			change: "a JSON name",
			old:    api("", "", "string note = 2;", ""), new: api("", "", `string note = 2 [json_name = "text"];`, ""),
			want: []string{
				expandWhen + `field note of shop.v1.Answer: add the field note_text = 3 [json_name = "text"] beside it, and fill both`,
				migrateWhen + "callers read note_text instead of note of shop.v1.Answer",
				contractWhen + "remove field note of shop.v1.Answer",
			},
			expand: api("", "", `string note = 2; string note_text = 3 [json_name = "text"];`, ""),
			end:    api("", "", `string note_text = 3 [json_name = "text"];`, ""),
		},
		{
			change: "one value becomes many",
			old:    api("", "", "string tag = 2;", ""), new: api("", "", "repeated string tag = 2;", ""),
			want: []string{
				expandWhen + "field tag of shop.v1.Answer: add the field repeated string tag_list = 3 beside it, and fill both",
				migrateWhen + "callers read tag_list instead of tag of shop.v1.Answer",
				contractWhen + "remove field tag of shop.v1.Answer",
			},
			expand: api("", "", "string tag = 2; repeated string tag_list = 3;", ""),
			end:    api("", "", "repeated string tag_list = 3;", ""),
		},
		{
			change: "a number",
			old:    api("", "", "string note = 2;", ""), new: api("", "", "string note = 3;", ""),
			want: []string{expandWhen + "keep number 2 for field note of shop.v1.Answer: a number cannot move"},
		},
		{
			change: "a field goes",
			old:    api("", "string note = 2;", "", ""), new: api("", "", "", ""),
			want: []string{
				expandWhen + "keep field note of shop.v1.Request, and read it",
				migrateWhen + "callers stop using field note of shop.v1.Request",
				contractWhen + "remove field note of shop.v1.Request",
			},
			expand: api("", "string note = 2;", "", ""), end: api("", "reserved 2;", "", ""),
		},
		{
			change: "a route moves",
			old:    api(get, "", "", ""), new: api(strings.Replace(get, "things", "items", 1), "", "", ""),
			want: []string{
				expandWhen + "keep GET /v1/things/{id} as an additional_binding of shop.v1.Shop.Get, beside GET /v1/items/{id}",
				migrateWhen + "callers call GET /v1/items/{id} instead of GET /v1/things/{id}",
				contractWhen + "remove the additional_binding GET /v1/things/{id}",
			},
			expand: api(both, "", "", ""), end: api(strings.Replace(get, "things", "items", 1), "", "", ""),
		},
		{
			change: "a method goes",
			old:    api(put+search, "", "", ""), new: api(put, "", "", ""),
			want: []string{
				expandWhen + "keep method shop.v1.Shop.Search with GET /v1/search",
				migrateWhen + "callers stop calling GET /v1/search",
				contractWhen + "remove method shop.v1.Shop.Search",
			},
			expand: api(put+search, "", "", ""), end: api(put, "", "", ""),
		},
		{
			change: "two fields into a oneof",
			old:    api("", "string a = 2; string b = 3;", "", ""), new: api("", "oneof which { string a = 2; string b = 3; }", "", ""),
			want: []string{
				expandWhen + "keep fields a and b of shop.v1.Request apart; let the handler say what holds when both are set",
				migrateWhen + "callers stop setting both a and b of shop.v1.Request",
				contractWhen + "put a and b of shop.v1.Request into oneof which",
			},
			expand: api("", "string a = 2; string b = 3;", "", ""), end: api("", "oneof which { string a = 2; string b = 3; }", "", ""),
		},
		{
			change: "an enum value goes",
			old:    api("", "Colour c = 2;", "Colour c = 2;", more), new: api("", "Colour c = 2;", "Colour c = 2;", colour),
			want: []string{
				expandWhen + "keep BLUE in enum shop.v1.Colour, but let the server stop sending it",
				migrateWhen + "callers stop sending BLUE of enum shop.v1.Colour",
				contractWhen + "remove BLUE from enum shop.v1.Colour, the image first",
			},
		},
		{
			change: "an enum value is renamed",
			old:    api("", "Colour c = 2;", "Colour c = 2;", colour), new: api("", "Colour c = 2;", "Colour c = 2;", strings.Replace(colour, "RED", "CRIMSON", 1)),
			want: []string{
				expandWhen + "add CRIMSON to enum shop.v1.Colour behind RED, with the same number and allow_alias: both names are taken, answers say RED",
				migrateWhen + "callers send CRIMSON, and take either name; then put it before RED, and answers say it",
				contractWhen + "remove RED from enum shop.v1.Colour",
			},
			expand: api("", "Colour c = 2;", "Colour c = 2;", alias),
			end:    api("", "Colour c = 2;", "Colour c = 2;", strings.Replace(alias, "RED = 1; CRIMSON = 1;", "CRIMSON = 1; RED = 1;", 1)),
		},
		{
			change: "the body of a rule",
			old:    api(strings.Replace(put, `"*"`, `"m"`, 1), "M m = 2;", "", "message M { string a = 1; }"), new: api(put, "M m = 2;", "", "message M { string a = 1; }"),
			want: []string{
				expandWhen + "keep POST /v1/things with body m, and add the new form as an additional_binding of another path",
				migrateWhen + "callers call that path",
				contractWhen + "remove the old form of POST /v1/things",
			},
		},
		{
			change: "an answer becomes a stream",
			old:    api(put, "", "", ""), new: api(stream(put), "", "", ""),
			want: []string{
				expandWhen + "keep method shop.v1.Shop.Put as it is, and add a method with a path of its own for the new form",
				migrateWhen + "callers call the new method instead of shop.v1.Shop.Put",
				contractWhen + "remove method shop.v1.Shop.Put",
			},
		},
		{
			change: "another method takes a route",
			old:    api(get, "", "", ""), new: api(get+strings.Replace(get, "Get", "Other", 1), "", "", ""),
			want: []string{expandWhen + "give one of the two methods that claim GET /v1/things/{id} another verb or path"},
		},
		{
			change: "the package is renamed",
			old:    api("", "", "", ""), new: strings.Replace(api("", "", "", ""), "shop.v1", "shop.v2", 1),
			want: []string{
				imageWhen + "register service shop.v2.Shop in the image beside shop.v1.Shop, with the same handlers; leave the dictionary as it is",
				migrateWhen + "deliver the dictionary, and the list of services, with shop.v2.Shop instead of shop.v1.Shop; no caller has to move",
				contractWhen + "remove shop.v1.Shop from the image, when every proxy has loaded that dictionary",
			},
		},
		{change: "an addition needs none", old: api("", "", "", ""), new: api("", "", "string text = 2;", "")},
		{change: "what one order does needs none", old: api("", "", "Colour c = 2;", colour), new: api("", "", "Colour c = 2;", more)},
	} {
		t.Run(c.change, func(t *testing.T) {
			r := pair.Compare(decode(t, c.old), decode(t, c.new), pair.Options{})
			var got []string
			for _, s := range r.Migration {
				got = append(got, s.Name+" ("+s.When+"): "+strings.Join(s.What, "; "))
			}
			if a, b := strings.Join(got, "\n"), strings.Join(c.want, "\n"); a != b {
				t.Errorf("got\n%s\nwant\n%s", a, b)
			}
			if c.expand == "" {
				return
			}
			first := pair.Compare(decode(t, c.old), decode(t, c.expand), pair.Options{})
			if first.SafeOrder != pair.AnyOrder {
				t.Errorf("expand is safe in %s order\n%s", first.SafeOrder, show(first))
			}
			last := pair.Compare(decode(t, c.expand), decode(t, c.end), pair.Options{})
			if last.SafeOrderIfUnused != pair.AnyOrder {
				t.Errorf("contract, if the old form is unused, is safe in %s order\n%s", last.SafeOrderIfUnused, show(last))
			}
		})
	}
}

// TestMigrationOfNames follows the steps for a renamed package: the image serves both names before the dictionary changes.
func TestMigrationOfNames(t *testing.T) {
	rpc := `import "google/api/annotations.proto"; %import service Shop { rpc Put(%M) returns (%M) { option (google.api.http) = { post: "/v1/things" body: "*" }; } }`
	file := func(pkg, imports, message string) string {
		return `syntax = "proto3"; package ` + pkg + "; " + strings.NewReplacer("%import", imports, "%M", message).Replace(rpc)
	}
	one := map[string]string{"one.proto": file("shop.v1", "", "M") + " message M { string id = 1; }"}
	two := map[string]string{"one.proto": one["one.proto"], "two.proto": file("shop.v2", `import "one.proto";`, "shop.v1.M")}
	set := func(sources map[string]string) *descriptor.Set {
		s, err := descriptor.Decode(compileFiles(t, sources))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old, new := []string{"shop.v1.Shop"}, []string{"shop.v2.Shop"}
	for _, c := range []struct {
		step                     string
		a, b                     map[string]string
		oldServices, newServices []string
	}{
		{"expand: the image learns the new name", one, two, old, old},
		{"migrate: the dictionary takes it", two, two, old, new},
	} {
		r := pair.Compare(set(c.a), set(c.b), pair.Options{OldServices: c.oldServices, NewServices: c.newServices})
		if r.SafeOrder != pair.AnyOrder {
			t.Errorf("%s: %s\n%s", c.step, r.SafeOrder, show(r))
		}
	}
}
