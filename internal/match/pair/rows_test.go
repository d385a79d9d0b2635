package pair_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
)

// row is a kind of change (F in docs/semantics.md). want is what callers of the old API meet: with the dictionary first,
// with the image first, and after both; back is the same for the change in the other direction.
type row struct {
	fact       string
	old, new   string
	want, back [3]string // "request note dropped, response dropped", sorted; "" is unaffected
	options    pair.Options
}

func stream(rpc string) string {
	return strings.Replace(rpc, "returns (Answer)", "returns (stream Answer)", 1)
}

func rows() []row {
	const message = "message M { string a = 1; }"
	both := func(field string) (string, string) { return field, field }
	fields := func(field, more string) string {
		q, a := both(field)
		return api("", q, a, more)
	}
	return []row{
		{
			fact: "F1 add a method",
			old:  api(put, "", "", ""),
			new:  api(put+search, "", "", ""),
			back: [3]string{"not-routed", "unimplemented", "not-routed"},
		},
		{
			fact: "F1b a method with an existing template",
			old:  api(get, "", "", ""),
			new:  api(get+strings.Replace(get, "Get", "Other", 1), "", "", ""),
			want: [3]string{"shadowed", "", "shadowed"},
		},
		{
			fact: "F2 a method within the template of another",
			old:  api(get+strings.NewReplacer("Get(", "Latest(", "{id}", "latest").Replace(get), "", "", ""),
			new:  api(get, "", "", ""),
			want: [3]string{"another-method", "unimplemented", "another-method"},
		},
		{
			fact: "F3 add a service",
			old:  api("", "", "", ""),
			new:  api("", "", "", `service Till { rpc Open(Request) returns (Answer) { option (google.api.http) = { get: "/v1/till" }; } }`),
			back: [3]string{"not-routed", "unimplemented", "not-routed"},
		},
		{
			fact: "F5 change a path",
			old:  api(get, "", "", ""),
			new:  api(strings.Replace(get, "things", "items", 1), "", "", ""),
			want: [3]string{"not-routed", "", "not-routed"},
			back: [3]string{"not-routed", "", "not-routed"},
		},
		{
			fact: "F5 change a verb",
			old:  api(put, "", "", ""),
			new:  api(strings.Replace(put, "post", "patch", 1), "", "", ""),
			want: [3]string{"not-routed", "", "not-routed"},
			back: [3]string{"not-routed", "", "not-routed"},
		},
		{
			fact: "F5 keep the old path as an additional binding",
			old:  api(get, "", "", ""),
			new:  api(`rpc Get(Request) returns (Answer) { option (google.api.http) = { get: "/v1/items/{id}" additional_bindings { get: "/v1/things/{id}" } }; }`, "", "", ""),
			back: [3]string{"not-routed", "", "not-routed"},
		},
		{
			fact: "F5b change the body",
			old:  api(strings.Replace(put, `"*"`, `"m"`, 1), "M m = 2;", "", message),
			new:  api(put, "M m = 2;", "", message),
			want: [3]string{"request m dropped", "", "request m dropped"},
			back: [3]string{"request id dropped, request m dropped", "", "request id dropped, request m dropped"},
		},
		{
			fact: "F6 add a field",
			old:  fields("", ""),
			new:  fields("string note = 2;", ""),
			back: [3]string{"request note dropped, response note dropped", "request note dropped, response note dropped", "request note dropped, response note dropped"},
		},
		{
			fact: "F6 add a field of the query",
			old:  api(get, "", "", ""),
			new:  api(get, "string note = 2;", "", ""),
			back: [3]string{"request note not-routed", "request note dropped", "request note not-routed"},
		},
		{
			fact: "F8 rename a field",
			old:  fields("string note = 2;", ""),
			new:  fields("string text = 2;", ""),
			want: [3]string{"request note dropped, response note dropped", "", "request note dropped, response note dropped"},
			back: [3]string{"request text dropped, response text dropped", "", "request text dropped, response text dropped"},
		},
		{
			fact: "F8 rename a field of the query",
			old:  api(get, "string note = 2;", "", ""),
			new:  api(get, "string text = 2;", "", ""),
			want: [3]string{"request note not-routed", "", "request note not-routed"},
			back: [3]string{"request text not-routed", "", "request text not-routed"},
		},
		{
			fact: "F8 rename a field of the path",
			old:  api(strings.Replace(get, "{id}", "{name}", 1), "string name = 2;", "", ""),
			new:  api(strings.Replace(get, "{id}", "{name}", 1), "string title = 2;", "", ""),
			want: [3]string{"not-routed", "", "not-routed"},
		},
		{
			fact: "F8 rename a field, keep json_name",
			old:  fields("string note = 2;", ""),
			new:  fields(`string text = 2 [json_name="note"];`, ""),
		},
		{
			fact: "F9 change json_name",
			old:  fields("string note = 2;", ""),
			new:  fields(`string note = 2 [json_name="text"];`, ""),
			want: [3]string{"response note dropped", "", "response note dropped"},
			back: [3]string{"request note dropped, response note dropped", "", "request note dropped, response note dropped"},
		},
		{
			fact: "F10 renumber",
			old:  fields("string note = 2;", ""),
			new:  fields("string note = 3;", ""),
			want: [3]string{"request note dropped, response note dropped", "request note dropped, response note dropped", ""},
			back: [3]string{"request note dropped, response note dropped", "request note dropped, response note dropped", ""},
		},
		{
			fact: "F11 int32 and int64",
			old:  fields("int32 n = 2;", ""),
			new:  fields("int64 n = 2;", ""),
			want: [3]string{"response n shape-changed", "response n value-changed", "response n shape-changed"},
			back: [3]string{"request n bad-request, response n value-changed", "request n value-changed", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F11b int32 and sint32",
			old:  fields("int32 n = 2;", ""),
			new:  fields("sint32 n = 2;", ""),
			want: [3]string{"request n value-changed, response n value-changed", "request n value-changed, response n value-changed", ""},
			back: [3]string{"request n value-changed, response n value-changed", "request n value-changed, response n value-changed", ""},
		},
		{
			fact: "F11b int32 and bool",
			old:  fields("int32 n = 2;", ""),
			new:  fields("bool n = 2;", ""),
			want: [3]string{"request n bad-request, response n bad-gateway", "request n value-changed", "request n bad-request, response n shape-changed"},
			back: [3]string{"request n bad-request, response n shape-changed", "response n bad-gateway", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F11b int32 and enum",
			old:  fields("int32 n = 2;", colour),
			new:  fields("Colour n = 2;", colour),
			want: [3]string{"response n shape-changed", "", "response n shape-changed"},
			back: [3]string{"request n bad-request, response n shape-changed", "response n shape-changed", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F12 int32 and fixed32",
			old:  fields("int32 n = 2;", ""),
			new:  fields("fixed32 n = 2;", ""),
			want: [3]string{"request n dropped, response n bad-gateway", "request n dropped, response n bad-gateway", "request n bad-request"},
			back: [3]string{"request n dropped, response n bad-gateway", "request n dropped, response n bad-gateway", "request n bad-request"},
		},
		{
			fact: "F12 int32 and string",
			old:  fields("int32 n = 2;", ""),
			new:  fields("string n = 2;", ""),
			want: [3]string{"request n bad-request, response n bad-gateway", "request n dropped, response n value-changed", "request n bad-request, response n shape-changed"},
			back: [3]string{"request n bad-request, response n bad-gateway", "request n dropped, response n bad-gateway", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F13 string and bytes",
			old:  fields("string n = 2;", ""),
			new:  fields("bytes n = 2;", ""),
			want: [3]string{"request n bad-request, response n value-changed", "response n bad-gateway", "request n bad-request, response n value-changed"},
			back: [3]string{"request n value-changed, response n value-changed", "request n server-error", "request n value-changed, response n value-changed"},
		},
		{
			fact: "F13 string and message",
			old:  fields("string n = 2;", message),
			new:  fields("M n = 2;", message),
			want: [3]string{"request n bad-request, response n bad-gateway", "request n server-error, response n value-changed", "request n bad-request, response n shape-changed"},
			back: [3]string{"request n bad-request, response n shape-changed", "request n value-changed, response n bad-gateway", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F14 singular and repeated",
			old:  fields("string n = 2;", ""),
			new:  fields("repeated string n = 2;", ""),
			want: [3]string{"response n shape-changed", "response n bad-gateway", "response n shape-changed"},
			back: [3]string{"request n bad-request, response n bad-gateway", "request n dropped", "request n bad-request, response n shape-changed"},
		},
		{
			fact: "F15 add an enum value",
			old:  fields("Colour c = 2;", colour),
			new:  fields("Colour c = 2;", more),
			want: [3]string{"", "response c shape-changed", ""},
			back: [3]string{"request c bad-request, response c shape-changed", "request c value-changed", "request c bad-request, response c dropped"},
		},
		{
			fact: "F16 rename an enum value",
			old:  fields("Colour c = 2;", colour),
			new:  fields("Colour c = 2;", strings.Replace(colour, "RED", "CRIMSON", 1)),
			want: [3]string{"request c bad-request, response c value-changed", "", "request c bad-request, response c value-changed"},
			back: [3]string{"request c bad-request, response c value-changed", "", "request c bad-request, response c value-changed"},
		},
		{
			fact: "F16 another name for an enum value",
			old:  fields("Colour c = 2;", colour),
			new:  fields("Colour c = 2;", "enum Colour { option allow_alias = true; NONE = 0; RED = 1; CRIMSON = 1; }"),
			back: [3]string{"request c bad-request", "", "request c bad-request"},
		},
		{
			fact: "F16 the other name first",
			old:  fields("Colour c = 2;", "enum Colour { option allow_alias = true; NONE = 0; RED = 1; CRIMSON = 1; }"),
			new:  fields("Colour c = 2;", "enum Colour { option allow_alias = true; NONE = 0; CRIMSON = 1; RED = 1; }"),
			want: [3]string{"response c value-changed", "", "response c value-changed"},
			back: [3]string{"response c value-changed", "", "response c value-changed"},
		},
		{
			fact: "F18 one field into a new oneof",
			old:  fields("string a = 2;", ""),
			new:  fields("oneof o { string a = 2; }", ""),
		},
		{
			fact: "F18 two fields into a new oneof",
			old:  fields("string a = 2; string b = 3;", ""),
			new:  fields("oneof o { string a = 2; string b = 3; }", ""),
			want: [3]string{"request a+b bad-request", "request a+b dropped", "request a+b bad-request"},
		},
		{
			fact: "F19 rename the package",
			old:  api("", "", "", ""),
			new:  strings.Replace(api("", "", "", ""), "shop.v1", "shop.v2", 1),
			want: [3]string{"unimplemented", "unimplemented", ""},
			back: [3]string{"unimplemented", "unimplemented", ""},
		},
		{
			fact: "F19 rename a method",
			old:  api(get, "", "", ""),
			new:  api(strings.Replace(get, "Get", "Fetch", 1), "", "", ""),
			want: [3]string{"unimplemented", "unimplemented", ""},
			back: [3]string{"unimplemented", "unimplemented", ""},
		},
		{
			fact: "F20 rename a message",
			old:  fields("M n = 2;", message),
			new:  fields("N n = 2;", strings.Replace(message, "M", "N", 1)),
		},
		{
			fact: "F21 unary and server stream",
			old:  api(put, "", "", ""),
			new:  api(stream(put), "", "", ""),
			want: [3]string{"response  shape-changed", "response  dropped", "response  shape-changed"},
			back: [3]string{"response  shape-changed", "", "response  shape-changed"},
		},
		{
			fact: "F22 message and HttpBody",
			old:  api(put, "", "string note = 2;", ""),
			new:  api(strings.Replace(put, "returns (Answer)", "returns (google.api.HttpBody)", 1), "", "string note = 2;", ""),
			want: [3]string{"response  shape-changed", "response  bad-gateway", "response  shape-changed"},
			back: [3]string{"response  bad-gateway", "response  shape-changed", "response  shape-changed"},
		},
		{
			fact: "F23 a new type for an Any",
			old:  api("", "", "google.protobuf.Any a = 2;", "message D { int32 x = 1; }"),
			new:  api("", "", "google.protobuf.Any a = 2;", "message D { int32 x = 1; } message E { int32 y = 1; }"),
			want: [3]string{"", "response a bad-gateway", ""},
			back: [3]string{"response a bad-gateway", "", "response a dropped"},
		},
		{
			fact:    "F23 a new type for the details of a status",
			old:     api("", "", "", "message D { int32 x = 1; }"),
			new:     api("", "", "", "message D { int32 x = 1; } message E { int32 y = 1; }"),
			options: pair.Options{Config: descriptor.Transcoder{ConvertGRPCStatus: true}},
			want:    [3]string{"", "response google.rpc.Status.details dropped", ""},
			back:    [3]string{"response google.rpc.Status.details dropped", "", ""},
		},
		{
			fact: "F24 presence",
			old:  fields("int32 n = 2;", ""),
			new:  fields("optional int32 n = 2;", ""),
		},
		{
			fact: "F25 comments and an unused message",
			old:  api("", "", "", ""),
			new:  api("", "", "", "// A word.\nmessage Unused { string a = 1; }"),
		},
		{
			fact: "E6.12 map values",
			old:  fields("map<string, string> m = 2;", ""),
			new:  fields("map<string, int32> m = 2;", ""),
			want: [3]string{"request m bad-request, response m proxy-ends", "request m value-changed, response m bad-gateway", "request m bad-request, response m shape-changed"},
			back: [3]string{"request m bad-request, response m bad-gateway", "request m value-changed, response m proxy-ends", "request m bad-request, response m shape-changed"},
		},
		{
			fact: "E6.3 nested",
			old:  fields("M m = 2;", "message M { repeated N n = 1; } message N { int32 x = 1; }"),
			new:  fields("M m = 2;", "message M { repeated N n = 1; } message N { double x = 1; }"),
			want: [3]string{"request m.n.x dropped, response m.n.x bad-gateway", "request m.n.x dropped, response m.n.x bad-gateway", ""},
			back: [3]string{"request m.n.x bad-request, response m.n.x bad-gateway", "request m.n.x dropped, response m.n.x bad-gateway", "request m.n.x bad-request"},
		},
		{
			fact: "E6.3 swapped numbers",
			old:  api("", "", "string a = 2; int32 b = 3;", ""),
			new:  api("", "", "string a = 3; int32 b = 2;", ""),
			want: [3]string{"response a value-changed, response b bad-gateway", "response a value-changed, response b bad-gateway", ""},
			back: [3]string{"response a value-changed, response b bad-gateway", "response a value-changed, response b bad-gateway", ""},
		},
		{
			fact: "E6.2 wrapper",
			old:  fields("int32 n = 2;", ""),
			new:  fields("google.protobuf.Int32Value n = 2;", ""),
			want: [3]string{"request n dropped, response n bad-gateway", "request n dropped, response n bad-gateway", ""},
			back: [3]string{"request n dropped, response n bad-gateway", "request n dropped, response n bad-gateway", ""},
		},
	}
}

func effects(r pair.Result) [3]string {
	var out [3][]string
	for _, route := range r.Routes {
		for _, e := range route.Fields {
			if e.Client != pair.OldClient {
				continue
			}
			text := string(e.Outcome)
			if e.Direction != pair.WholeRoute {
				text = string(e.Direction) + " " + e.Path + " " + text
			}
			i := slices.Index([]pair.State{pair.DictionaryAhead, pair.ServerAhead, pair.After}, e.State)
			out[i] = append(out[i], text)
		}
	}
	var joined [3]string
	for i, list := range out {
		slices.Sort(list)
		joined[i] = strings.Join(list, ", ")
	}
	return joined
}

func TestRows(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.fact, func(t *testing.T) {
			there := pair.Compare(decode(t, r.old), decode(t, r.new), r.options)
			if got := effects(there); got != r.want {
				t.Errorf("\n got %q\nwant %q\n%s", got, r.want, show(there))
			}
			again := pair.Compare(decode(t, r.new), decode(t, r.old), r.options)
			if got := effects(again); got != r.back {
				t.Errorf("back:\n got %q\nwant %q\n%s", got, r.back, show(again))
			}
		})
	}
}
