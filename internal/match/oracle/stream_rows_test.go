package oracle_test

import (
	"strconv"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

const unaryList = schema("R: string a = 1;\nservice T { rpc List(Q) returns (R) { option (google.api.http) = {get: \"/v1/list\"}; } }")

// streams are E6.11, F21 and F22.
var streams = []row{
	{fact: "F21 server stream", d: plain, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200, body: `[{"a":"1"},{"a":"2"}]`, got: "{}"},
	{fact: "F21 server stream, empty", d: plain, req: "GET /v1/list", status: 200, body: `[]`, got: "{}"},
	{fact: "F21 server stream, newlines", d: plain, options: options{"print_options": options{"stream_newline_delimited": true}}, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200,
		body: "{\"a\":\"1\"}\n{\"a\":\"2\"}\n", got: "{}"},
	{fact: "F21 server stream, events", d: plain, options: options{"print_options": options{"stream_sse_style_delimited": true}}, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200,
		body: "data: {\"a\":\"1\"}\n\ndata: {\"a\":\"2\"}\n\n", got: "{}"},
	{fact: "E6.11 server stream, bad field", d: "R: fixed32 a = 1;", s: plain, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200, broken: true, got: "{}"},
	{fact: "E6.11 server stream, bad field later", d: "R: string a = 1; fixed32 b = 2;", s: "R: string a = 1; string b = 2;", req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"b\":\"2\"}", status: 200,
		body: `[{"a":"1"}`, broken: true, got: "{}"},
	{fact: "E6.11 server stream, status at once", d: plain, req: "GET /v1/list", end: oracle.Answer{Code: 5, Message: "no"}, status: 404, body: "[]", got: "{}"},
	{fact: "E6.11 server stream, status later", d: plain, req: "GET /v1/list", ans: `{"a":"1"}`, end: oracle.Answer{Code: 5, Message: "no"}, status: 200, body: `[{"a":"1"}]`, got: "{}"},
	{fact: "E6.11 F21 D unary, S streaming", d: unaryList, s: plain, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200, body: `{"a":"1"}`, got: "{}"},
	{fact: "E6.11 D unary, S streaming nothing", d: unaryList, s: plain, req: "GET /v1/list", status: 200, got: "{}"},
	{fact: "F21 D streaming, S unary", d: plain, s: unaryList, req: "GET /v1/list", ans: `{"a":"1"}`, status: 200, body: `[{"a":"1"}]`, got: "{}"},
	{fact: "F21 client stream", d: plain, req: `POST /v1/send [{"a":"1"},{"a":"2"}]`, ans: `{"a":"x"}`, status: 200, body: `{"a":"x"}`, got: "{\"a\":\"1\"}\n{\"a\":\"2\"}"},
	{fact: "F21 client stream, empty list", d: plain, req: `POST /v1/send []`, ans: `{"a":"x"}`, status: 200, body: `{"a":"x"}`, got: ""},
	{fact: "F21 client stream, object", d: plain, req: `POST /v1/send {"a":"1"}`, ans: `{"a":"x"}`, status: 400, body: "Expected an array instead of an object", got: "?"},
	{fact: "F21 client stream, second message wrong", d: "Q: int32 a = 1;\nR: string a = 1;", req: `POST /v1/send [{"a":1},{"a":"x"}]`, status: 400, body: `a: invalid value "x" for type TYPE_INT32`, got: "?"},
	{fact: "F21 both streams", d: plain, req: `POST /v1/talk [{"a":"1"}]`, ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200, body: `[{"a":"1"},{"a":"2"}]`, got: `{"a":"1"}`},
	// grpc-go 1.83 takes the first of two messages; 1.85 is known to count them, and to answer 500.
	{fact: "E6.11 list of two to a unary method of S", d: plain, s: "Q: string a = 1;\nR: string a = 1;\nservice T { rpc Send(Q) returns (R); }", req: `POST /v1/send [{"a":"1"},{"a":"2"}]`, status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "E6.11 list of one to a unary method of S", d: plain, s: "Q: string a = 1;\nR: string a = 1;\nservice T { rpc Send(Q) returns (R); }", req: `POST /v1/send [{"a":"1"}]`, status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "F21 unary in D, client stream in S", d: "Q: string a = 1;\nR: string a = 1;\nservice T { rpc Send(Q) returns (R) { option (google.api.http) = {post: \"/v1/send\" body: \"*\"}; } }", s: plain, req: `POST /v1/send {"a":"1"}`, status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "F22 HttpBody response", d: bodyOut, s: "R: string content_type = 1; bytes data = 2;\nservice T { rpc Get(Q) returns (R); }", req: "GET /v1/get", ans: `{"contentType":"text/x","data":"aGk="}`, status: 200, body: "hi", got: "{}"},
	{fact: "F22 HttpBody in D, message in S that is none", d: bodyOut, s: "R: int32 a = 1;\nservice T { rpc Get(Q) returns (R); }", req: "GET /v1/get", ans: `{"a":5}`, status: 200, got: "{}"},
	{fact: "F22 message in D, HttpBody in S", d: "R: string a = 1;", s: "R: string content_type = 1; bytes data = 2;\nservice T { rpc Get(Q) returns (R); }", req: "GET /v1/get", ans: `{"contentType":"text/x","data":"aGk="}`, status: 200, body: `{"a":"text/x"}`, got: "{}"},
	{fact: "F22 stream of HttpBody", d: "service T { rpc List(Q) returns (stream google.api.HttpBody) { option (google.api.http) = {get: \"/v1/list\"}; } }", s: "R: string content_type = 1; bytes data = 2;", req: "GET /v1/list",
		ans: "{\"contentType\":\"text/x\",\"data\":\"aGk=\"}\n{\"data\":\"aG8=\"}", status: 200, body: "hiho", got: "{}"},
}

const bodyOut = schema("service T { rpc Get(Q) returns (google.api.HttpBody) { option (google.api.http) = {get: \"/v1/get\"}; } }")

const full = schema(`
	R: int32 i = 1; string some_name = 2; E e = 3; repeated int32 l = 4; S n = 5; map<string, int32> m = 6; int64 g = 7; bool b = 8; optional int32 p = 9; double d = 10; bytes y = 11;
	message S { string b = 1; }
	enum E { E0 = 0; E_ONE = 1; }`)

func printed(fact string, o options, ans, body string) row {
	return row{fact: fact, d: full, options: options{"print_options": o}, req: "GET /v1/get", ans: ans, status: 200, body: body, got: "{}"}
}

// prints are print_options.
var prints = []row{
	printed("E1 print defaults", nil, `{"i":1,"someName":"x","e":"E_ONE","g":"5","d":1.5,"y":"aGk="}`, `{"i":1,"someName":"x","e":"E_ONE","g":"5","d":1.5,"y":"aGk="}`),
	printed("E1 always_print_primitive_fields", options{"always_print_primitive_fields": true}, `{}`, `{"i":0,"someName":"","e":"E0","l":[],"m":{},"g":"0","b":false,"d":0,"y":""}`),
	printed("E1 always_print_primitive_fields in a message", options{"always_print_primitive_fields": true}, `{"n":{}}`, `{"i":0,"someName":"","e":"E0","l":[],"n":{"b":""},"m":{},"g":"0","b":false,"d":0,"y":""}`),
	printed("E1 always_print_enums_as_ints", options{"always_print_enums_as_ints": true}, `{"e":"E_ONE"}`, `{"e":1}`),
	printed("E1 preserve_proto_field_names", options{"preserve_proto_field_names": true}, `{"someName":"x"}`, `{"some_name":"x"}`),
	printed("E1 add_whitespace", options{"add_whitespace": true}, `{"i":1}`, "{\n \"i\": 1\n}\n"),
	printed("E1 all together", options{"always_print_primitive_fields": true, "always_print_enums_as_ints": true, "preserve_proto_field_names": true}, `{"p":0}`, `{"i":0,"some_name":"","e":0,"l":[],"m":{},"g":"0","b":false,"p":0,"d":0,"y":""}`),
}

func anyOf(m proto.Message) []byte {
	a, err := anypb.New(m)
	if err != nil {
		return nil // the case then fails: a detail is missing
	}
	raw, err := proto.Marshal(a)
	if err != nil {
		return nil
	}
	return raw
}

func unknownAny() []byte {
	raw, err := proto.Marshal(&anypb.Any{TypeUrl: "type.googleapis.com/t.v1.Gone"})
	if err != nil {
		return nil
	}
	return raw
}

// withDuration has a type that a detail can be of.
const withDuration = schema("R: google.protobuf.Duration d = 1;")

// statuses are E4's table, E6.16 and convert_grpc_status.
var statuses = append([]row{
	{fact: "E4 E6.16 status converted", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/get", end: oracle.Answer{Code: 9, Message: "no"}, status: 400, body: `{"code":9,"message":"no"}`, got: "{}"},
	{fact: "E4 status with a known detail", d: withDuration, options: options{"convert_grpc_status": true}, req: "GET /v1/get",
		end:    oracle.Answer{Code: 9, Message: "no", Details: [][]byte{anyOf(durationpb.New(1e9))}},
		status: 400, body: `{"code":9,"message":"no","details":[{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}]}`, got: "{}"},
	{fact: "E4 F23 status with an unknown detail", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/get",
		end:    oracle.Answer{Code: 9, Message: "no", Details: [][]byte{unknownAny()}},
		status: 400, got: "{}"},
	{fact: "E4 status with a detail of a status", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/get",
		end:    oracle.Answer{Code: 9, Message: "no", Details: [][]byte{anyOf(&spb.Status{Code: 1})}},
		status: 400, body: `{"code":9,"message":"no","details":[{"@type":"type.googleapis.com/google.rpc.Status","code":1}]}`, got: "{}"},
	{fact: "E4 status of a stream converted", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/list", end: oracle.Answer{Code: 9, Message: "no"}, status: 400, body: `{"code":9,"message":"no"}`, got: "{}"},
	{fact: "E4 E6.16 status of a stream converted, later", d: plain, options: options{"convert_grpc_status": true}, req: "GET /v1/list", ans: `{"a":"1"}`, end: oracle.Answer{Code: 9, Message: "no"}, status: 200, body: `[{"a":"1"}]`, got: "{}"},
	{fact: "E6.17 compressed frame", d: plain, unmodelled: onlyGRPC, header: map[string][]string{"Grpc-Accept-Encoding": {"gzip"}}, req: "GET /v1/get", ans: `{"a":"x"}`, end: oracle.Answer{Gzip: true}, status: 502, body: "Unsupported gRPC frame flag: 1", got: "{}"},
}, codes()...)

// codes is the table of gRPC codes and HTTP statuses.
func codes() []row {
	var rows []row
	for code, status := range []int{0, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401} {
		if code > 0 {
			rows = append(rows, row{fact: "E4 code " + strconv.Itoa(code), d: plain, req: "GET /v1/get", end: oracle.Answer{Code: code, Message: "no"}, status: status, got: "{}"})
		}
	}
	return append(rows, row{fact: "E4 code unknown", d: plain, req: "GET /v1/get", end: oracle.Answer{Code: 99, Message: "no"}, status: 500, got: "{}"})
}
