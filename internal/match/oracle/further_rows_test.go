package oracle_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// rawIn takes the body as it is.
const rawIn = schema(`
	service T {
	  rpc Put(google.api.HttpBody) returns (R) { option (google.api.http) = {post: "/v1/put" body: "*" additional_bindings { get: "/v1/put" }}; }
	  rpc Send(stream google.api.HttpBody) returns (R) { option (google.api.http) = {post: "/v1/send" body: "*"}; }
	}
	message Q { string content_type = 1; bytes data = 2; repeated google.protobuf.Any extensions = 3; }`)

const keyed = schema(`
	Q: map<bool, string> b = 1; map<int64, string> i = 2; map<string, E> e = 3; map<string, google.protobuf.Timestamp> t = 4; map<string, bytes> y = 5; string a = 6;
	R: map<bool, string> b = 1; map<int64, string> i = 2; map<string, E> e = 3; map<string, google.protobuf.Timestamp> t = 4; map<string, bytes> y = 5; map<uint32, double> d = 6;
	enum E { E0 = 0; E_ONE = 1; }`)

func mapped(fact, body, got string) row {
	r := put(fact, body, got)
	r.d = keyed
	return r
}

const (
	proto2Text  = schema("proto2\nQ: optional string a = 1;\nR: optional string a = 1;")
	proto2Bytes = schema("proto2\nQ: optional string a = 1;\nR: optional bytes a = 1;")
)

// captured is HttpBody{content_type: "text/x", data: "hi", extensions: [UnknownQueryParams{key: {zz: {values: [1, 3]}}}]}: a
// message of Envoy's that no server has to know.
var captured = "hex:0a06746578742f78 12026869 1a6e 0a5c" +
	hex.EncodeToString([]byte("type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.UnknownQueryParams")) +
	"120e 0a0c 0a027a7a 1206 0a0131 0a0133"

// further goes on where E6 stops.
var further = []row{
	mapped("F14b map of bools", `{"b":{"true":"x","false":"y"}}`, `{"b":{"true":"x","false":"y"}}`),
	mapped("F14b map key no bool", `{"b":{"x":"x"}}`, "-"),
	mapped("E6.13 yes is a bool, as a map key too", `{"b":{"yes":"x"}}`, `{"b":{"true":"x"}}`),
	mapped("F14b map of numbers", `{"i":{"-7":"x","9223372036854775807":"y"}}`, `{"i":{"-7":"x","9223372036854775807":"y"}}`),
	mapped("F14b map key twice", `{"i":{"1":"x","1":"y"}}`, "-"),
	mapped("F14b map of enums", `{"e":{"a":"E_ONE","b":7}}`, `{"e":{"a":"E_ONE","b":7}}`),
	mapped("F14b map of enums, unknown name", `{"e":{"a":"E_TWO"}}`, "-"),
	mapped("F14b map of timestamps and bytes", `{"t":{"a":"1970-01-01T00:00:01Z"},"y":{"b":"aGk="}}`, `{"t":{"a":"1970-01-01T00:00:01Z"},"y":{"b":"aGk="}}`),
	mapped("F14b map with an empty key", `{"y":{"":"aGk="}}`, `{"y":{"":"aGk="}}`),
	mapped("F14b map that is null", `{"b":null}`, `{}`),
	put("E6.13 empty key in a message", `{"n":{"":{}}}`, "-"),
	put("E6.13 empty key in an unknown message", `{"zz":{"":{}}}`, `{}`),
	// Envoy writes the value as a field of the element, under the number of the list.
	put("E6.13 empty key in an object for a list", `{"ns":{"":{"b":"q"}}}`, "hex:3205 3203 0a0171"),
	put("E6.13 empty key in an element of a list", `{"ns":[{"b":"x","":[{"b":"q"},{"c":1}]}]}`, "hex:320c 0a0178 3203 0a0171 3202 1001"),
	put("E6.13 empty key in an element of a list, text", `{"ns":[{"":"x"}]}`, "-"),
	put("E6.13 empty key in a value of a map", `{"mm":{"1":{"":{}}}}`, "-"),
	{fact: "E6.7 proto2 string in D, broken sequence", d: proto2Text, s: proto2Bytes, req: "GET /v1/get", ans: "hex:0a03 f03f6a", status: 200, body: `{"a":" j"}`, got: "{}"},
	{fact: "E6.7 proto2 string in D, sequence broken by another", d: proto2Text, s: proto2Bytes, req: "GET /v1/get", ans: "hex:0a03 c3c3a9", status: 200, body: `{"a":"  "}`, got: "{}"},
	{fact: "E6.7 proto2 string in D, overlong zero", d: proto2Text, s: proto2Bytes, req: "GET /v1/get", ans: "hex:0a03 c08041", status: 200, body: `{"a":"\u0000A"}`, got: "{}"},
	{fact: "F14b map in a query", d: keyed, req: "GET /v1/get?i.1=x", status: 415, got: "-"},
	{fact: "F14b map in a query, whole", d: keyed, req: "GET /v1/get?i=x", status: 400, body: "*", got: "-"},
	{fact: "F14b maps in a response", d: keyed, req: "GET /v1/get", ans: `{"b":{"true":"x"},"i":{"-7":"y"},"e":{"a":1,"b":9},"t":{"a":"1970-01-01T00:00:01Z"},"y":{"c":"aGk="},"d":{"1":0.5}}`, status: 200,
		body: `{"b":{"true":"x"},"i":{"-7":"y"},"e":{"a":"E_ONE","b":9},"t":{"a":"1970-01-01T00:00:01Z"},"y":{"c":"aGk="},"d":{"1":0.5}}`, got: "{}"},
	{fact: "F14b maps in a response, enums as numbers", d: keyed, options: options{"print_options": options{"always_print_enums_as_ints": true}}, req: "GET /v1/get", ans: `{"e":{"a":1}}`, status: 200, body: `{"e":{"a":1}}`, got: "{}"},

	{fact: "F21 empty stream, newlines", d: plain, options: options{"print_options": options{"stream_newline_delimited": true}}, req: "GET /v1/list", status: 200, body: "", got: "{}"},
	{fact: "F21 empty stream, events", d: plain, options: options{"print_options": options{"stream_sse_style_delimited": true}}, req: "GET /v1/list", status: 200, body: "", got: "{}"},
	{fact: "F21 stream, both delimiters", d: plain, options: options{"print_options": options{"stream_newline_delimited": true, "stream_sse_style_delimited": true}}, req: "GET /v1/list", ans: `{"a":"1"}`, status: 200, body: "data: {\"a\":\"1\"}\n\n", got: "{}"},
	{fact: "F21 stream with defaults printed", d: plain, options: options{"print_options": options{"always_print_primitive_fields": true}}, req: "GET /v1/list", ans: "{}\n{\"a\":\"x\"}", status: 200, body: `[{"a":""},{"a":"x"}]`, got: "{}"},
	{fact: "F21 stream with whitespace", d: plain, options: options{"print_options": options{"add_whitespace": true}}, req: "GET /v1/list", ans: `{"a":"1"}`, status: 200, body: "[{\n \"a\": \"1\"\n}\n]", got: "{}"},
	{fact: "E6.11 newline stream, bad field", d: "R: fixed32 a = 1;", s: plain, options: options{"print_options": options{"stream_newline_delimited": true}}, req: "GET /v1/list", ans: `{"a":"1"}`, status: 200, broken: true, got: "{}"},
	{fact: "F21 newline stream, status at once", d: plain, options: options{"print_options": options{"stream_newline_delimited": true}}, req: "GET /v1/list", end: oracle.Answer{Code: 5, Message: "no"}, status: 404, got: "{}"},
	{fact: "F21 client stream with a query", d: plain, req: `POST /v1/send?a=q [{},{"a":"2"}]`, status: 200, body: `{}`, got: "{\"a\":\"q\"}\n{\"a\":\"2\"}"},
	{fact: "F21 client stream, status", d: plain, req: `POST /v1/send [{"a":"1"}]`, end: oracle.Answer{Code: 9, Message: "no"}, status: 400, got: `{"a":"1"}`},
	{fact: "F21 both streams, status converted", d: plain, options: options{"convert_grpc_status": true}, req: `POST /v1/talk []`, end: oracle.Answer{Code: 9, Message: "no"}, status: 400, body: `{"code":9,"message":"no"}`, got: ""},

	{fact: "F22 HttpBody request without a body", d: rawIn, req: "GET /v1/put", status: 200, body: "{}", got: "{}"},
	{fact: "F22 HttpBody request, empty", d: rawIn, header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/put ", status: 200, body: "{}", got: `{"contentType":"text/x"}`},
	{fact: "F22 HttpBody request, client stream", d: rawIn, header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/send hi", status: 200, body: "{}", got: `{"contentType":"text/x","data":"aGk="}`},
	{fact: "F22 HttpBody request, unknown query parameter", d: rawIn, header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/put?zz=1 hi", status: 415, got: "-"},
	{fact: "E1 unknown query parameters captured in HttpBody", d: rawIn, options: options{"capture_unknown_query_parameters": true}, header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/put?zz=1&zz=3 hi", status: 200, body: "{}", got: captured},
	{fact: "F22 HttpBody response, empty", d: bodyOut, s: "R: string content_type = 1; bytes data = 2;\nservice T { rpc Get(Q) returns (R); }", req: "GET /v1/get", ans: `{}`, status: 200, got: "{}"},
	{fact: "F22 HttpBody response, status converted", d: bodyOut, options: options{"convert_grpc_status": true}, s: "service T { rpc Get(Q) returns (R); }", req: "GET /v1/get", end: oracle.Answer{Code: 5, Message: "no"}, status: 404, body: `{"code":5,"message":"no"}`, got: "{}"},
	{fact: "F22 response_body not set", d: rule(`post: "/v1/m" body: "*" response_body: "h"`), req: "POST /v1/m {}", ans: `{"a":"x"}`, status: 200, got: "{}"},

	{fact: "F5b body selector narrower in D", d: rule(`post: "/v1/m" body: "n"`), req: `POST /v1/m {"a":"x","n":{"b":"y"}}`, status: 200, body: "{}", got: `{"n":{"n":{"b":"y"}}}`},
	{fact: "F5b body selector wider in D", d: rule(`post: "/v1/m" body: "*"`), req: `POST /v1/m {"b":"y"}`, status: 200, body: "{}", got: `{}`},
	{fact: "F5b response_body new in D", d: rule(`get: "/v1/m" response_body: "h"`), req: `GET /v1/m`, ans: `{"a":"x","h":{"contentType":"text/x","data":"aGk="}}`, status: 200, body: "hi", got: `{}`},
	{fact: "F7 field removed from D, in a query", d: "R: string a = 1;", s: plain, req: "GET /v1/get?a=1", status: 415, got: "-"},
	{fact: "F17 enum value removed from S", d: "Q: E e = 1;\nenum E { A = 0; B = 1; }", s: "Q: E e = 1;\nenum E { A = 0; }", req: `POST /v1/put {"e":"B"}`, status: 200, body: "{}", got: `{"e":1}`},
	{fact: "F2 additional binding removed from D", d: plain, s: "Q: string a = 1;\nservice T { rpc Get(Q) returns (R) { option (google.api.http) = {get: \"/v1/get\" additional_bindings { get: \"/v1/old\" }}; } }", req: "GET /v1/old", status: 415, got: "-"},

	{fact: "E4 status without a message", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/get", end: oracle.Answer{Code: 9}, status: 400, body: `{"code":9}`, got: "{}"},
	{fact: "E4 status, defaults printed", d: plain, options: options{"convert_grpc_status": true, "print_options": options{"always_print_primitive_fields": true}}, req: "GET /v1/get", end: oracle.Answer{Code: 9}, status: 400, body: `{"code":9,"message":"","details":[]}`, got: "{}"},
	{fact: "E4 status with an odd message", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/get", end: oracle.Answer{Code: 9, Message: "é \"%\n"}, status: 400, body: `{"code":9,"message":"é \"%\n"}`, got: "{}"},
	{fact: "E4 status with two details, one unknown", d: withDuration, options: options{"convert_grpc_status": true}, req: "GET /v1/get",
		end: oracle.Answer{Code: 9, Message: "no", Details: [][]byte{anyOf(durationpb.New(1e9)), unknownAny()}}, status: 400, got: "{}"},

	{fact: "E1 enum of another case in a query", d: everyInput, options: options{"case_insensitive_enum_parsing": true}, req: "GET /v1/get?e=e_one", status: 200, body: "{}", got: `{"e":1}`},
	{fact: "E1 enum with dashes", d: everyInput, options: options{"case_insensitive_enum_parsing": true}, req: `POST /v1/put {"e":"e-one"}`, status: 200, body: "{}", got: `{"e":1}`},
	{fact: "E1 enum with dashes, not allowed", d: everyInput, req: `POST /v1/put {"e":"e-one"}`, status: 400, body: "*", got: "-"},
	{fact: "E1 plus in a path stays", d: bound, options: options{"query_param_unescape_plus": true}, req: "GET /v1/a/x+y", status: 200, body: "{}", got: `{"a":"x+y"}`},
	{fact: "E1 unregistered verb", d: bound, options: options{"match_unregistered_custom_verb": true}, req: "GET /v1/a/x:other", status: 415, got: "-"},
	{fact: "E6.13 collision of equal values", d: bound, options: options{"request_validation_options": options{"reject_binding_body_field_collisions": true}}, req: `PUT /v1/put/x {"a":"x"}`, status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "E6.13 no collision", d: bound, options: options{"request_validation_options": options{"reject_binding_body_field_collisions": true}}, req: `PUT /v1/put/x {"i":1}`, status: 200, body: "{}", got: `{"a":"x","i":1}`},
	{fact: "E1 request as large as allowed", d: plain, options: options{"max_request_body_size": 9}, req: `POST /v1/put {"a":"0"}`, status: 200, body: "{}", got: `{"a":"0"}`},
	{fact: "E1 request stream too large", d: plain, options: options{"max_request_body_size": 20}, req: `POST /v1/send [{"a":"0123456789"},{"a":"0123456789"},{"a":"0123456789"}]`, status: 413, body: "*", got: "?"},
	{fact: "E1 response stream too large", d: plain, options: options{"max_response_body_size": 10}, req: `GET /v1/list`, ans: `{"a":"0123456789"}`, status: 200, broken: true, got: "{}"},

	{fact: "F12 several fields at once", d: "R: string a = 1; sint32 b = 2; bytes c = 3; repeated int32 d = 4;", s: "R: string x = 1; int32 b = 2; string c = 3; int32 d = 4; string e = 5;", req: "GET /v1/get",
		ans: `{"x":"1","b":4,"c":"hi","d":5,"e":"z"}`, status: 200, body: `{"a":"1","b":2,"c":"aGk=","d":[5]}`, got: "{}"},
	{fact: "F12 several fields at once, one of them fatal", d: "R: string a = 1; sint32 b = 2; float f = 3;", s: "R: string x = 1; int32 b = 2; double f = 3;", req: "GET /v1/get", ans: `{"x":"1","b":4,"f":1}`, status: 502, body: "*", got: "{}"},
	{fact: "F12 several keys at once", d: "Q: string neu = 1; int64 n = 2; repeated string l = 3;", s: "Q: string old = 1; sint64 n = 2; string l = 3;", req: `POST /v1/put {"old":"x","n":"4","l":["a","b"]}`, status: 200, body: "{}", got: `{"n":"2","l":"b"}`},
	{fact: "E6.3 unknown group of S", d: "proto2\nQ: optional string a = 1;\nR: optional string a = 1;", s: "proto2\nQ: optional string a = 1;\nR: optional string a = 1; optional group G = 2 { optional string a = 1; }", req: "GET /v1/get", ans: `{"a":"x","g":{"a":"y"}}`, status: 200, body: `{"a":"x"}`, got: "{}"},
	// A zero tag ends a message for Envoy, and what follows it is read as fields of the message around.
	get("E6.7 message in D with a zero tag", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"AA=="}`, `{"n":{}}`),
	get("E6.7 message in D with a zero tag, more behind it", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"ABgF"}`, `{"n":{},"z":5}`),
	get("E6.7 message in D with two zero tags", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"AAA=","z":7}`, `{"n":{}}`),
	get("E6.7 message in D with a zero tag, field behind it", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"AA==","z":7}`, `{"n":{},"z":7}`),
	get("E6.7 messages in D of a packed list of zero", "repeated S n = 1;"+sub, "repeated int32 n = 1;", `{"n":[0]}`, `{"n":[{}]}`),
	get("E6.7 messages in D of a packed list from zero on", "repeated S n = 1;"+sub, "repeated int32 n = 1;", `{"n":[0,24,5]}`, `{"n":[{}]}`),
	get("E6.7 messages in D of a packed list, field number zero", "repeated S n = 1;"+sub, "repeated int32 n = 1;", `{"n":[2,0]}`, `{"n":[{}]}`),
	get("E6.7 message in D, string that is too long for it", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"Cn94","z":7}`, `{"n":{"b":"x"},"z":7}`),
	get("E6.7 message in D, string without a length", "S n = 1; int32 z = 3;"+sub, "bytes n = 1; int32 z = 3;", `{"n":"Cg==","z":7}`, `{"n":{"b":""},"z":7}`),
	get("E6.7 message in D, message that is too long for it", "S n = 1; int32 z = 3;\nmessage S { S n = 1; int32 c = 2; }", "bytes n = 1; int32 z = 3;", `{"n":"Cn8QAQ==","z":7}`, `{"n":{"n":{"c":1}},"z":7}`),
	get("E6.7 message in D, unknown field that is too long for it", "S n = 1;"+sub, "bytes n = 1;", `{"n":"Yv94"}`, "-"),
	get("E6.7 message in D, unknown group", "S n = 1;"+sub, "bytes n = 1;", `{"n":"YwoBeGQQAQ=="}`, `{"n":{"c":1}}`),
	get("E6.7 message in D, unknown group without an end", "S n = 1;"+sub, "bytes n = 1;", `{"n":"YwoBeA=="}`, `{"n":{}}`),
	get("E6.7 message in D, unknown group with the end of another", "S n = 1;"+sub, "bytes n = 1;", `{"n":"Y2w="}`, "-"),
	list("E6.7 zero tag, nothing behind it", `{"n":"AAA="}`, `[{"n":{}},{"z":9}]`),
	list("E6.7 zero tag, a frame behind it", `{"n":"AAAAAAAAAhgH"}`, `[{"n":{}},{"z":7},{"z":9}]`),
	list("E6.7 zero tag, an empty frame behind it", `{"n":"AAAAAAAAAA=="}`, `[{"n":{}},{},{"z":9}]`),
	broken(list("E6.7 zero tag, no frame behind it", `{"n":"AAAYBQ=="}`, `[{"n":{}}`)),
	broken(list("E6.7 zero tag, no frame behind it in the same data", `{"n":"AAABAAAAAA=="}`, ``)),
	crashes(list("E6.12 zero tag, a part of a frame behind it", `{"n":"AAAAAAAACRgH"}`, ``)),
	ending("map in D of bytes with a zero tag", "map<string, string> m = 1;", "repeated bytes m = 1;", `{"m":["AA=="]}`),
	ending("map in D of a packed list of zero", "map<string, string> m = 1;", "repeated int32 m = 1;", `{"m":[0]}`),
	ending("map in D of a packed list of fixed numbers", "map<string, string> m = 1;", "repeated fixed32 m = 1;", `{"m":[2]}`),
	ending("map in D of an empty string", "map<string, string> m = 1;", "optional string m = 1;", `{"m":""}`),
	{fact: "F25 editions", d: "edition\nQ: string a = 1;\nR: string a = 1 [features.field_presence = IMPLICIT]; E e = 2; string b = 3;\nenum E { A = 0; B = 1; }", s: "Q: string a = 1;\nR: string a = 1; E e = 2; optional string b = 3;\nenum E { A = 0; B = 1; }", req: "GET /v1/get?a=", ans: `{"a":"x","e":"B","b":""}`, status: 200, body: `{"a":"x","e":"B","b":""}`, got: `{}`},
}

// list is an answer of two messages: bytes that are a message for the dictionary, and a number. Behind a zero tag Envoy takes
// what is left for the next frame.
func list(fact, ans, body string) row {
	return row{fact: fact, d: "R: S n = 1; int32 z = 3;" + sub, s: "R: bytes n = 1; int32 z = 3;", req: "GET /v1/list", ans: ans + "\n" + `{"z":9}`, status: 200, body: body, got: "{}"}
}

func broken(r row) row { r.broken = true; return r }

func crashes(r row) row { r.crash = true; return r }

// TestEveryFactHasARow keeps the table whole: what E4, E6 and F say is confirmed by a row, as far as grpc-go can provoke it.
func TestEveryFactHasARow(t *testing.T) {
	var facts []string
	for _, rows := range everyRow {
		for _, r := range rows {
			facts = append(facts, strings.Fields(r.fact)...)
		}
	}
	for _, id := range strings.Fields(`E3 E4 E6.2 E6.3 E6.4 E6.5 E6.6 E6.7 E6.8 E6.9 E6.11 E6.12 E6.13 E6.14 E6.15 E6.16 E6.17
		F1 F1b F2 F3 F4 F5 F5b F6 F7 F8 F9 F10 F11 F11b F12 F13 F14 F14b F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 F25`) {
		if !slices.Contains(facts, id) {
			t.Errorf("no row confirms %s", id)
		}
	}
}
