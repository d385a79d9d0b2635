package oracle_test

import "github.com/syncproof/syncproof/internal/match/oracle"

const noRoutes = "routes of the proxy are neither in the dictionary nor in the filter, which is all that the model knows"

const bound = schema(`
	Q: string a = 1; int32 i = 2; S n = 3; E e = 4; repeated string l = 5; bytes y = 6; bool b = 7; double d = 8;
	R: string a = 1;
	message S { string b = 1; S n = 2; }
	enum E { E0 = 0; E_ONE = 1; }
	service T {
	  rpc A(Q) returns (R) { option (google.api.http) = {get: "/v1/a/{a}" additional_bindings { get: "/v1/i/{i}" }
	    additional_bindings { get: "/v1/nb/{n.b}" } additional_bindings { get: "/v1/e/{e}" } additional_bindings { put: "/v1/put/{a}" body: "*" }}; }
	  rpc M(Q) returns (R) { option (google.api.http) = {get: "/v1/{a=shelves/*/books/*}" additional_bindings { get: "/v1/deep/{a=**}" }}; }
	  rpc V(Q) returns (R) { option (google.api.http) = {post: "/v1/a/{a}:verb" body: "*"}; }
	  rpc C(Q) returns (R) { option (google.api.http) = {custom: {kind: "HEAD" path: "/v1/head"}}; }
	  rpc Plain(Q) returns (R);
	}`)

// routes are paths and query parameters: E4, E6.9, F1, F2, F5.
var routes = []row{
	{fact: "E6.9 F1 route not in D", d: plain, req: "POST /v1/new {}", status: 415, got: "-"},
	{fact: "E6.9 F5 verb not in D", d: plain, req: "DELETE /v1/get", status: 415, got: "-"},
	{fact: "E6.9 route not in D, rejected", d: plain, options: options{"request_validation_options": options{"reject_unknown_method": true}},
		req: "POST /v1/new {}", status: 404, body: "Could not resolve /v1/new to a method.", got: "-"},
	{fact: "E6.9 F7 query parameter not in D", d: plain, req: "GET /v1/get?zz=1", status: 415, got: "-"},
	{fact: "E6.9 query parameter not in D, rejected", d: plain, options: options{"request_validation_options": options{"reject_unknown_query_parameters": true}},
		req: "GET /v1/get?zz=1", status: 400, body: `Could not find field "zz" in the type "t.v1.Q".`, got: "-"},
	{fact: "E4 query parameter not in D, ignored", d: plain, options: options{"ignore_unknown_query_parameters": true},
		req: "GET /v1/get?zz=1&a=2", status: 200, body: "{}", got: `{"a":"2"}`},
	{fact: "E4 this query parameter ignored", d: plain, options: options{"ignored_query_parameters": []string{"zz"}},
		req: "GET /v1/get?zz=1&a=2", status: 200, body: "{}", got: `{"a":"2"}`},
	{fact: "E4 another query parameter ignored", d: plain, options: options{"ignored_query_parameters": []string{"zz"}},
		req: "GET /v1/get?yy=1&a=2", status: 415, got: "-"},
	{fact: "E4 ignored parameter of the dictionary", d: plain, options: options{"ignored_query_parameters": []string{"a"}},
		req: "GET /v1/get?a=2", status: 200, body: "{}", got: `{}`},
	{fact: "E1 unknown query parameters captured", d: plain, options: options{"capture_unknown_query_parameters": true},
		req: "GET /v1/get?zz=1&a=2", status: 200, body: "{}", got: `{"a":"2"}`},
	{fact: "E6.9 F2 method not in S", d: plain, s: "Q: string a = 1;\nservice T { rpc Get(Q) returns (R); }", req: "POST /v1/put {}", status: 501, got: "-"},
	{fact: "E4 method not in S, status converted", d: plain, s: "Q: string a = 1;\nservice T { rpc Get(Q) returns (R); }",
		options: options{"convert_grpc_status": true}, req: "POST /v1/put {}", status: 501,
		body: `{"code":12,"message":"unknown method Put for service t.v1.T"}`, got: "-"},
	{fact: "E6.9 F4 service not in S", d: plain, s: "service U { rpc Get(Q) returns (R); }", req: "POST /v1/put {}", status: 501, got: "-"},
	{fact: "E6.9 F19 package renamed", d: plain, s: "package: t.v2\nQ: string a = 1;", req: "POST /v1/put {}", status: 501, got: "-"},
	{fact: "F20 messages renamed", d: plain, s: "Q: string a = 1;\nservice T { rpc Put(Q2) returns (R2); }\nmessage Q2 { string a = 1; }\nmessage R2 { string a = 1; }",
		req: `POST /v1/put {"a":"x"}`, status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "E6.13 trailing slash", d: plain, req: "GET /v1/get/?a=1", status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "F1 double slash", d: plain, req: "GET /v1//get?a=1", status: 415, got: "-"},
	{fact: "E1 auto mapping off", d: bound, req: "POST /t.v1.T/Plain {}", status: 415, got: "-"},
	{fact: "E1 auto mapping", d: bound, options: options{"auto_mapping": true}, req: `POST /t.v1.T/Plain {"a":"1"}`, status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "E1 auto mapping of a method with a rule", d: bound, options: options{"auto_mapping": true}, req: `POST /t.v1.T/A {"a":"1"}`, status: 415, got: "-"},
	{fact: "F1 path variable", d: bound, req: "GET /v1/a/x", status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "F1 path variable, escaped", d: bound, req: "GET /v1/a/x%20y", status: 200, body: "{}", got: `{"a":"x y"}`},
	{fact: "F1 path variable, escaped slash", d: bound, req: "GET /v1/a/x%2Fy", status: 200, body: "{}", got: `{"a":"x/y"}`},
	{fact: "F1 path variable, escaped slash of many segments", d: bound, req: "GET /v1/deep/x%2Fy/z", status: 200, body: "{}", got: `{"a":"x%2Fy/z"}`},
	{fact: "E1 all but slash unescaped", d: bound, options: options{"url_unescape_spec": "ALL_CHARACTERS_EXCEPT_SLASH"},
		req: "GET /v1/deep/x%2Fy%3Fz", status: 200, body: "{}", got: `{"a":"x%2Fy?z"}`},
	{fact: "E1 all unescaped", d: bound, options: options{"url_unescape_spec": "ALL_CHARACTERS"},
		req: "GET /v1/deep/x%2Fy%3Fz", status: 200, body: "{}", got: `{"a":"x/y?z"}`},
	{fact: "E1 reserved kept", d: bound, req: "GET /v1/deep/x%2Fy%3Fz", status: 200, body: "{}", got: `{"a":"x%2Fy%3Fz"}`},
	{fact: "E4 path variable, number", d: bound, req: "GET /v1/i/-7", status: 200, body: "{}", got: `{"i":-7}`},
	{fact: "E4 path variable, no number", d: bound, req: "GET /v1/i/x", status: 400, body: `i: invalid value "x" for type TYPE_INT32`, got: "-"},
	{fact: "F1 path variable, nested", d: bound, req: "GET /v1/nb/x", status: 200, body: "{}", got: `{"n":{"b":"x"}}`},
	{fact: "E6.13 path variable, enum name", d: bound, req: "GET /v1/e/E_ONE", status: 200, body: "{}", got: `{"e":"E_ONE"}`},
	{fact: "E6.13 path variable, enum number", d: bound, req: "GET /v1/e/1", status: 200, body: "{}", got: `{"e":"E_ONE"}`},
	{fact: "E6.13 path variable, unknown enum number", d: bound, req: "GET /v1/e/7", status: 400, body: `e: invalid value "7" for type type.googleapis.com/t.v1.E`, got: "-"},
	{fact: "E6.13 path variable, unknown enum name", d: bound, req: "GET /v1/e/E_TWO", status: 400, body: `e: invalid value "E_TWO" for type type.googleapis.com/t.v1.E`, got: "-"},
	{fact: "F1 template of segments", d: bound, req: "GET /v1/shelves/1/books/2", status: 200, body: "{}", got: `{"a":"shelves/1/books/2"}`},
	{fact: "F1 template of segments, one too many", d: bound, req: "GET /v1/shelves/1/books/2/3", status: 415, got: "-"},
	{fact: "F1 template of any depth", d: bound, req: "GET /v1/deep/1/2/3", status: 200, body: "{}", got: `{"a":"1/2/3"}`},
	{fact: "F1 verb of a template", d: bound, req: "POST /v1/a/x:verb {}", status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "F1 unknown verb of a template", d: bound, req: "GET /v1/a/x:other", status: 200, body: "{}", got: `{"a":"x:other"}`},
	{fact: "F1 custom verb", d: bound, req: "HEAD /v1/head", status: 200, got: `{}`},
	{fact: "F1 query, nested", d: bound, req: "GET /v1/a/x?n.n.b=1", status: 200, body: "{}", got: `{"a":"x","n":{"n":{"b":"1"}}}`},
	{fact: "F1 query, repeated", d: bound, req: "GET /v1/a/x?l=1&l=2", status: 200, body: "{}", got: `{"a":"x","l":["1","2"]}`},
	{fact: "F14b query, singular twice", d: bound, req: "GET /v1/a/x?i=1&i=2", status: 200, body: "{}", got: `{"a":"x","i":2}`},
	{fact: "F12 query, number wanted", d: bound, req: "GET /v1/a/x?i=y", status: 400, body: `i: invalid value "y" for type TYPE_INT32`, got: "-"},
	{fact: "F12 query, message", d: bound, req: "GET /v1/a/x?n=y", status: 400, body: `n: invalid value "y" for type type.googleapis.com/t.v1.S`, got: "-"},
	{fact: "F13 query, bytes", d: bound, req: "GET /v1/a/x?y=aGk%3D", status: 200, body: "{}", got: `{"a":"x","y":"aGk="}`},
	{fact: "F13 query, no base64", d: bound, req: "GET /v1/a/x?y=%25%25", status: 400, body: `y: invalid value "%%" for type TYPE_BYTES`, got: "-"},
	{fact: "F12 query, bool", d: bound, req: "GET /v1/a/x?b=true", status: 200, body: "{}", got: `{"a":"x","b":true}`},
	{fact: "F12 query, double", d: bound, req: "GET /v1/a/x?d=1.5e3", status: 200, body: "{}", got: `{"a":"x","d":1500}`},
	{fact: "F8 query by original and json name", d: "Q: string a_b = 1; string c_d = 2;", req: "GET /v1/get?a_b=1&cD=2", status: 200, body: "{}", got: `{"aB":"1","cD":"2"}`},
	{fact: "E6.13 F9 query by json_name", d: `Q: string a = 1 [json_name = "neu"];`, req: "GET /v1/get?neu=1", status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "E6.13 F9 query by old json_name", d: `Q: string a_b = 1 [json_name = "neu"];`, req: "GET /v1/get?aB=1", status: 415, got: "-"},
	{fact: "E1 plus in a query", d: plain, req: "GET /v1/get?a=x+y", status: 200, body: "{}", got: `{"a":"x+y"}`},
	{fact: "E1 plus unescaped", d: plain, options: options{"query_param_unescape_plus": true}, req: "GET /v1/get?a=x+y%2B", status: 200, body: "{}", got: `{"a":"x y+"}`},
	{fact: "E6.13 body beats path", d: bound, req: `PUT /v1/put/x {"a":"y"}`, status: 200, body: "{}", got: `{"a":"y"}`},
	{fact: "E6.13 body and path, rejected", d: bound, options: options{"request_validation_options": options{"reject_binding_body_field_collisions": true}},
		req: `PUT /v1/put/x {"a":"y"}`, status: 400, body: `The binding value "x" of the field a is conflicting with the value "y" in the body.`, got: "-"},
	{fact: "E6.13 body beats query", d: plain, req: `POST /v1/put?a=x {"a":"y"}`, status: 200, body: "{}", got: `{"a":"y"}`},
	{fact: "E1 routed by the path of the method", d: plain, unmodelled: noRoutes, setup: func(s *oracle.Setup) { s.Routes = []string{"/t.v1.T/"} }, req: "GET /v1/get", status: 200, body: "{}", got: "{}"},
	{fact: "E1 no route for the path of the method", d: plain, unmodelled: noRoutes, setup: func(s *oracle.Setup) { s.Routes = []string{"/v1/"} }, req: "GET /v1/get", status: 404, got: "-"},
	{fact: "E1 routed by the path of the request", d: plain, options: options{"match_incoming_request_route": true}, unmodelled: noRoutes,
		setup: func(s *oracle.Setup) { s.Routes = []string{"/v1/"} }, req: "GET /v1/get", status: 200, body: "{}", got: "{}"},
}
