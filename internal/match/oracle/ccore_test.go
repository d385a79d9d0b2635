package oracle_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// TestCCore is what callers see in front of a server of the C core: rows of its own, and those of grpc-go as the model has
// them. What the dictionary makes of an answer goes by its bytes alone, and is not asked again.
func TestCCore(t *testing.T) {
	o := oracle.Start(t, oracle.Options{Binary: *binary, Required: os.Getenv("CI") == "true", CCore: true})
	n := 0
	for _, r := range ccores() {
		n++
		t.Run(r.fact, func(t *testing.T) {
			c := r.build(t)
			c.Library = oracle.CCore
			reply := o.Exchange(t, c)
			r.check(t, reply)
			if r.unmodelled != "" {
				return
			}
			for _, d := range newModel(t, c.Setup).differences(t, c, reply) {
				t.Error(d)
			}
		})
	}
	for _, rows := range [][]row{routes, requests, streams, statuses, further} {
		for _, r := range rows {
			ends := r.crash || r.rejected != "" || r.status == 400 // before the server counts
			if ends || r.unmodelled != "" || r.fact == requiredMissing {
				continue
			}
			n++
			t.Run(r.fact, func(t *testing.T) {
				c := r.build(t)
				c.Library = oracle.CCore
				reply := o.Exchange(t, c)
				for _, d := range newModel(t, c.Setup).differences(t, c, reply) {
					t.Error(d)
				}
			})
		}
	}
	t.Logf("%d cases", n)
}

// requiredMissing is a row that Python does not answer as C++ does: its protobuf reads messages without their required
// fields.
const requiredMissing = "E6.15 required field missing in S"

const unrouted = "upstream connect error or disconnect/reset before headers. reset reason: remote reset"

// large is longer than a frame of HTTP/2, and than what it lets a sender send at once.
var large = strings.Repeat("0123456789abcdef", 20_000)

const removable = schema(`
	Q: string a = 1;
	service T {
	  rpc Drop(Q) returns (R) { option (google.api.http) = {delete: "/v1/drop"}; }
	  rpc Change(Q) returns (R) { option (google.api.http) = {patch: "/v1/change" body: "*"}; }
	}`)

const twoToOne = schema("Q: string a = 1;\nR: string a = 1;\nservice T { rpc Send(Q) returns (R); }")

func ccores() []row {
	rows := []row{
		{fact: "E4.1 route not in D", d: plain, req: "POST /v1/new {}", status: 503, body: unrouted, got: "-"},
		{fact: "E4.1 route not in D, without a body", d: plain, req: "GET /v1/new", status: 503, body: unrouted, got: "-"},
		{fact: "E4.1 route not in D, PUT", d: plain, req: "PUT /v1/new {}", status: 503, body: unrouted, got: "-"},
		{fact: "E4.1 route not in D, DELETE", d: plain, req: "DELETE /v1/new", status: 200, got: "-"},
		{fact: "E4.1 route not in D, PATCH", d: plain, req: "PATCH /v1/new {}", status: 200, got: "-"},
		{fact: "E4.1 route not in D, HEAD", d: plain, req: "HEAD /v1/new", status: 200, got: "-"},
		{fact: "E4.1 route not in D, OPTIONS", d: plain, req: "OPTIONS /v1/new", status: 200, got: "-"},
		{fact: "E4.1 route not in D, rejected", d: plain, options: options{"request_validation_options": options{"reject_unknown_method": true}}, req: "DELETE /v1/new", status: 404, body: "*", got: "-"},
		{fact: "E4.1 query parameter not in D", d: plain, req: "GET /v1/get?zz=1", status: 503, body: unrouted, got: "-"},
		{fact: "E4.1 query parameter not in D, DELETE", d: removable, req: "DELETE /v1/drop?zz=1", status: 200, got: "-"},
		{fact: "E4.1 query parameter not in D, PATCH", d: removable, req: "PATCH /v1/change?zz=1 {}", status: 200, got: "-"},
		{fact: "E4.1 query parameter in D, DELETE", d: removable, req: "DELETE /v1/drop?a=1", status: 200, body: "{}", got: `{"a":"1"}`},
		{fact: "E4.1 query parameter not in D, rejected", d: removable, options: options{"request_validation_options": options{"reject_unknown_query_parameters": true}}, req: "DELETE /v1/drop?zz=1", status: 400, body: "*", got: "-"},
		{fact: "E4.1 two methods, one template", d: clash, req: "GET /v1/x/1", status: 503, body: unrouted, got: "-"},

		{fact: "E4.6 method not in S", d: plain, s: "Q: string a = 1;\nservice T { rpc Get(Q) returns (R); }", req: "POST /v1/put {}", status: 501, got: "-"},
		{fact: "E4.6 method not in S, status converted", d: plain, s: "Q: string a = 1;\nservice T { rpc Get(Q) returns (R); }", options: options{"convert_grpc_status": true}, req: "POST /v1/put {}", status: 501,
			body: `{"code":12,"message":"Method not found!"}`, got: "-"},
		{fact: "E4.6 service not in S", d: plain, s: "service U { rpc Get(Q) returns (R); }", req: "POST /v1/put {}", status: 501, got: "-"},

		{fact: "E6.15 bytes for a string of S", d: "Q: bytes a = 1;", s: "Q: string a = 1;", req: `POST /v1/put {"a":"/w=="}`, status: 500, got: "-"},
		{fact: "E6.15 string for a message of S", d: "Q: string a = 1;", s: "Q: S a = 1;\nmessage S { string b = 1; }", req: `POST /v1/put {"a":"xyz"}`, status: 500, got: "-"},
		{fact: "E6.15 string for a message of S, server stream", d: "Q: string a = 1;", s: "Q: S a = 1;\nmessage S { string b = 1; }", req: `GET /v1/list?a=xyz`, status: 500, body: "[]", got: "-"},
		{fact: "E6.15 string for a message of S, client stream", d: "Q: string a = 1;", s: "Q: S a = 1;\nmessage S { string b = 1; }", req: `POST /v1/send [{},{"a":"xyz"}]`, status: 500, got: "{}"},
		{fact: "E6.15 packed list for a singular of S", d: "Q: repeated int32 i = 1;", s: "Q: int32 i = 1;", req: `POST /v1/put {"i":[1,2,3]}`, status: 200, body: "{}", got: `{"i":3}`},

		{fact: "E6.11 server stream", d: plain, req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"a\":\"2\"}", status: 200, body: `[{"a":"1"},{"a":"2"}]`, got: "{}"},
		{fact: "E6.11 server stream, empty", d: plain, req: "GET /v1/list", status: 200, body: `[]`, got: "{}"},
		{fact: "E6.11 server stream, status at once", d: plain, req: "GET /v1/list", end: oracle.Answer{Code: 5, Message: "no"}, status: 404, body: "[]", got: "{}"},
		{fact: "E6.11 server stream, status later", d: plain, req: "GET /v1/list", ans: `{"a":"1"}`, end: oracle.Answer{Code: 5, Message: "no"}, status: 200, body: `[{"a":"1"}]`, got: "{}"},
		{fact: "E6.11 server stream, bad field later", d: "R: string a = 1; fixed32 b = 2;", s: "R: string a = 1; string b = 2;", req: "GET /v1/list", ans: "{\"a\":\"1\"}\n{\"b\":\"2\"}", status: 200, body: `[{"a":"1"}`, broken: true, got: "{}"},
		{fact: "E6.11 list of two to a unary method of S", d: plain, s: twoToOne, req: `POST /v1/send [{"a":"1"},{"a":"2"}]`, status: 200, body: "{}", got: `{"a":"1"}`},
		{fact: "E6.11 list of none to a unary method of S", d: plain, s: twoToOne, unmodelled: "C++ answers 500 (read)", req: `POST /v1/send []`, status: 501, got: "-"},

		{fact: "E6.15 large request", d: plain, req: `POST /v1/put {"a":"` + large + `"}`, status: 200, body: "{}", got: `{"a":"` + large + `"}`},
		{fact: "E6.3 large answer", d: plain, req: "GET /v1/get", ans: `{"a":"` + large + `"}`, status: 200, body: `{"a":"` + large + `"}`, got: "{}"},
		{fact: "E6.3 large answers in a stream", d: plain, req: "GET /v1/list", ans: `{"a":"` + large + `"}` + "\n" + `{"a":"x"}`, status: 200, body: `[{"a":"` + large + `"},{"a":"x"}]`, got: "{}"},
		{fact: "E6.17 compressed frame", d: plain, unmodelled: onlyGRPC, header: map[string][]string{"Grpc-Accept-Encoding": {"gzip"}}, req: "GET /v1/get", ans: `{"a":"` + large + `"}`, end: oracle.Answer{Gzip: true}, status: 502, body: "Unsupported gRPC frame flag: 1", got: "{}"},
	}
	for _, r := range codes() {
		r.fact = strings.Replace(r.fact, "E4 code", "E4.16 code", 1)
		rows = append(rows, r)
	}
	for _, code := range []int{17, 98} {
		rows = append(rows, row{fact: "E4.16 code " + strconv.Itoa(code), d: plain, req: "GET /v1/get", end: oracle.Answer{Code: code, Message: "no"}, status: 500, got: "{}"})
	}
	return rows
}
