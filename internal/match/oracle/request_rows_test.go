package oracle_test

const everyInput = schema(`
	Q: int32 i = 1; string s = 2; bool b = 3; repeated int32 l = 4; S n = 5; repeated S ns = 6; map<string, int32> m = 7;
	Q: E e = 8; bytes y = 9; uint64 u = 10; double d = 11; float f = 12; oneof o { string x = 13; int32 z = 14; }
	Q: google.protobuf.Timestamp t = 15; google.protobuf.Duration du = 16; google.protobuf.FieldMask fm = 17;
	Q: google.protobuf.StringValue ws = 18; google.protobuf.Struct st = 19; google.protobuf.Value va = 20; google.protobuf.Any an = 21;
	Q: optional int32 p = 22; repeated E es = 23; map<int32, S> mm = 24; google.protobuf.Int64Value wi = 25;
	message S { string b = 1; int32 c = 2; }
	enum E { E0 = 0; E_ONE = 1; }`)

func put(fact, body, got string) row {
	r := row{fact: fact, d: everyInput, req: "POST /v1/put " + body, status: 200, body: "{}", got: got}
	if got == "-" {
		r.status, r.body = 400, "*"
	}
	return r
}

// requests are bodies as the dictionary takes them: E4, E6.13, E6.15, F6 to F18.
var requests = []row{
	put("E6.13 F6 unknown key", `{"s":"x","zz":{"deep":[1]}}`, `{"s":"x"}`),
	put("E6.13 unknown key in a message", `{"n":{"b":"x","zz":1}}`, `{"n":{"b":"x"}}`),
	put("E4 F12 text for a number", `{"i":"x"}`, "-"),
	put("E4 number in a text", `{"i":"7"}`, `{"i":7}`),
	put("E4 whole number with a point", `{"i":7.0}`, `{"i":7}`),
	put("E4 broken number for a whole one", `{"i":7.5}`, "-"),
	put("E4 F11 number out of range", `{"i":3000000000}`, "-"),
	put("E4 negative for unsigned", `{"u":-1}`, "-"),
	put("E4 big number", `{"u":"18446744073709551615"}`, `{"u":"18446744073709551615"}`),
	put("E4 F14b list for a singular", `{"i":[1,2]}`, "-"),
	put("E4 list of one for a singular", `{"i":[1]}`, "-"),
	put("E4 object for a scalar", `{"i":{"a":1}}`, "-"),
	put("E4 F12 scalar for a message", `{"n":"x"}`, "-"),
	put("E4 F14 scalar for a list", `{"l":1}`, `{"l":[1]}`),
	put("E4 object for a list", `{"ns":{"b":"x"}}`, `{"ns":[{"b":"x"}]}`),
	put("E4 F12 number for a string", `{"s":7}`, "-"),
	put("E4 bool for a string", `{"s":true}`, "-"),
	put("E4 F13 no base64", `{"y":"%%"}`, "-"),
	put("E4 base64 of the other alphabet", `{"y":"-_8"}`, `{"y":"-_8="}`),
	put("E6.13 yes is a bool", `{"b":"yes"}`, `{"b":true}`),
	put("E4 number for a bool", `{"b":1}`, "-"),
	put("E6.13 lists of lists", `{"l":[[1],[2,3]]}`, `{"l":[1,2,3]}`),
	put("E6.13 null in a list", `{"l":[1,null,2]}`, `{"l":[1,2]}`),
	put("E6.13 null as a map value", `{"m":{"k":null}}`, `{"m":{"k":0}}`),
	put("E6.13 null for a scalar", `{"s":null,"i":1}`, `{"i":1}`),
	put("E6.13 null for a message", `{"n":null}`, `{}`),
	put("F24 presence", `{"p":0}`, `{"p":0}`),
	put("F24 default without presence", `{"i":0,"s":""}`, `{}`),
	put("E6.13 Timestamp", `{"t":"2024-01-02T03:04:05.5Z"}`, `{"t":"2024-01-02T03:04:05.500Z"}`),
	put("E6.13 Timestamp as an object", `{"t":{"seconds":"5","nanos":6}}`, `{"t":"1970-01-01T00:00:05.000000006Z"}`),
	put("E6.13 Timestamp as a word", `{"t":"today"}`, "-"),
	put("E6.13 Duration", `{"du":"1.5s"}`, `{"du":"1.5s"}`),
	put("E6.13 FieldMask", `{"fm":"aB,c.dE"}`, `{"fm":"aB,c.dE"}`),
	put("E6.13 wrapper", `{"ws":"x","wi":"7"}`, `{"ws":"x","wi":"7"}`),
	put("E6.13 wrapper as an object", `{"ws":{"value":"x"}}`, `{"ws":"x"}`),
	put("E6.13 Struct and Value", `{"st":{"a":[1,{"b":null}]},"va":"x"}`, `{"st":{"a":[1,{"b":null}]},"va":"x"}`),
	put("E6.13 null for a Value", `{"va":null}`, `{"va":null}`),
	put("E6.8 Any", `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`),
	put("E6.8 F23 Any of an unknown type", `{"an":{"@type":"type.googleapis.com/t.v1.Gone","b":"x"}}`, "-"),
	put("E6.13 trailing commas", `{"l":[1,2,],"s":"x",}`, `{"l":[1,2],"s":"x"}`),
	put("E6.13 single quotes", `{'s':'x'}`, `{"s":"x"}`),
	put("E6.13 bare keys", `{s:"x"}`, `{"s":"x"}`),
	put("E4 F17 unknown enum name", `{"e":"E_TWO"}`, "-"),
	put("E4 enum name of another case", `{"e":"e_one"}`, "-"),
	put("E4 F15 unknown enum number", `{"e":7,"es":[1,9]}`, `{"e":7,"es":[1,9]}`),
	put("E6.13 enum number in a text", `{"e":"1"}`, `{"e":1}`),
	put("E6.13 unknown enum number in a text", `{"e":"7"}`, "-"),
	put("E4 F18 two of a oneof", `{"x":"a","z":1}`, "-"),
	put("E4 one of a oneof, twice", `{"x":"a","x":"b"}`, "-"),
	put("E4 a field twice", `{"s":"a","s":"b"}`, `{"s":"b"}`),
	put("F14b maps", `{"m":{"a":1,"b":2},"mm":{"7":{"b":"x"}}}`, `{"m":{"a":1,"b":2},"mm":{"7":{"b":"x"}}}`),
	put("F12 map key of another type", `{"mm":{"x":{}}}`, "-"),
	put("F12 list for a map", `{"m":[{"key":"a","value":1}]}`, "-"),
	put("E4 no JSON", `{"s":`, "-"),
	put("E4 list for the request", `[{"s":"x"}]`, "-"),
	put("E4 empty body", ``, `{}`),
	put("E4 NaN", `{"d":"NaN","f":"Infinity"}`, `{"d":"NaN","f":"Infinity"}`),
	put("E4 float out of range", `{"f":1e39}`, "-"),
	put("E4 text that is not UTF-8", "{\"s\":\"\xff\"}", "-"),
	{fact: "E4 enum name of another case, allowed", d: everyInput, options: options{"case_insensitive_enum_parsing": true},
		req: `POST /v1/put {"e":"e_One"}`, status: 200, body: "{}", got: `{"e":1}`},
	{fact: "E6.13 body without body rule", d: "Q: string a = 1;\nservice T { rpc Put(Q) returns (R) { option (google.api.http) = {post: \"/v1/put\"}; } }",
		req: `POST /v1/put {"a":"x"}`, status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "F8 body by original and json name", d: "Q: string a_b = 1; string c_d = 2;", req: `POST /v1/put {"a_b":"1","cD":"2"}`, status: 200, body: "{}", got: `{"aB":"1","cD":"2"}`},
	{fact: "F8 old name in a body", d: "Q: string neu = 1;", s: "Q: string old = 1;", req: `POST /v1/put {"old":"1"}`, status: 200, body: "{}", got: `{}`},
	{fact: "F8 new name in a body", d: "Q: string neu = 1;", s: "Q: string old = 1;", req: `POST /v1/put {"neu":"1"}`, status: 200, body: "{}", got: `{"old":"1"}`},
	{fact: "E6.13 F9 body by json_name and original name", d: `Q: string a_b = 1 [json_name = "neu"]; string c_d = 2 [json_name = "x"];`,
		req: `POST /v1/put {"neu":"1","c_d":"2"}`, status: 200, body: "{}", got: `{"neu":"1","x":"2"}`},
	{fact: "E6.13 F9 old json_name in a body", d: `Q: string a_b = 1 [json_name = "neu"];`, req: `POST /v1/put {"aB":"1"}`, status: 200, body: "{}", got: `{}`},
	{fact: "F16 alias of an enum", d: "Q: E e = 1;\nenum E { option allow_alias = true; A = 0; B = 1; C = 1; }", req: `POST /v1/put {"e":"C"}`, status: 200, body: "{}", got: `{"e":1}`},
	{fact: "F10 renumbered in a request", d: "Q: string a = 1;", s: "Q: string a = 2;", req: `POST /v1/put {"a":"x"}`, status: 200, body: "{}", got: "hex:0a0178"},
	{fact: "F6 R14 field that S lacks", d: "Q: string a = 1; string b = 2;", s: "Q: string a = 1;", req: `POST /v1/put {"a":"x","b":"y"}`, status: 200, body: "{}", got: "hex:0a0178 120179"},
	{fact: "F11 wider number to S", d: "Q: int64 i = 1;", s: "Q: int32 i = 1;", req: `POST /v1/put {"i":"4294967298"}`, status: 200, body: "{}", got: `{"i":2}`},
	{fact: "F11b zigzag number to S", d: "Q: int32 i = 1;", s: "Q: sint32 i = 1;", req: `POST /v1/put {"i":3}`, status: 200, body: "{}", got: `{"i":-2}`},
	{fact: "F12 other wire type to S", d: "Q: int32 i = 1;", s: "Q: string i = 1;", req: `POST /v1/put {"i":3}`, status: 200, body: "{}", got: "hex:0803"},
	{fact: "E6.15 bytes for a string of S", d: "Q: bytes a = 1;", s: "Q: string a = 1;", req: `POST /v1/put {"a":"/w=="}`, status: 500, got: "-"},
	{fact: "E6.15 string for a message of S", d: "Q: string a = 1;", s: "Q: S a = 1;\nmessage S { string b = 1; }", req: `POST /v1/put {"a":"xyz"}`, status: 500, got: "-"},
	{fact: "E6.15 required field missing in S", d: "proto2\nQ: optional string a = 1;\nR: optional string a = 1;", s: "proto2\nQ: required string a = 1;\nR: optional string a = 1;", req: `POST /v1/put {}`, status: 500, got: "-"},
	{fact: "E6.15 packed list for a singular of S", d: "Q: repeated int32 i = 1;", s: "Q: int32 i = 1;", req: `POST /v1/put {"i":[1,2,3]}`, status: 200, body: "{}", got: `{"i":3}`},
	{fact: "F14b list of strings for a singular of S", d: "Q: repeated string i = 1;", s: "Q: string i = 1;", req: `POST /v1/put {"i":["a","b"]}`, status: 200, body: "{}", got: `{"i":"b"}`},
	{fact: "F18 oneof in S only", d: "Q: string x = 1; int32 z = 2;", s: "Q: oneof o { string x = 1; int32 z = 2; }", req: `POST /v1/put {"x":"a","z":1}`, status: 200, body: "{}", got: `{"z":1}`},
	{fact: "F15 enum number that a closed enum of S lacks", d: "proto2\nQ: optional E e = 1;\nR: optional E e = 1;\nenum E { A = 0; B = 1; }",
		s: "proto2\nQ: optional E e = 1;\nR: optional E e = 1;\nenum E { A = 0; }", req: `POST /v1/put {"e":"B"}`, status: 200, body: "{}", got: "hex:0801"},
	{fact: "F15 number that a closed enum of D lacks", d: "proto2\nQ: optional E e = 1;\nR: optional E e = 1;\nenum E { A = 0; B = 1; }", req: `POST /v1/put {"e":7}`, status: 200, body: "{}", got: "hex:0807"},
	{fact: "E4 required field missing in D", d: "proto2\nQ: required string a = 1;\nR: optional string a = 1;", s: "proto2\nQ: optional string a = 1;\nR: optional string a = 1;", req: `POST /v1/put {}`, status: 400, body: ": missing field a", got: "-"},
	{fact: "F25 group in a request", d: "proto2\nQ: optional group G = 1 { optional string a = 1; }\nR: optional string a = 1;", req: `POST /v1/put {"g":{"a":"x"}}`, status: 500, got: "-"},
	{fact: "E1 request too large", d: plain, options: options{"max_request_body_size": 10}, req: `POST /v1/put {"a":"0123456789"}`, status: 413, body: "*", got: "-"},
	{fact: "E1 response too large", d: plain, options: options{"max_response_body_size": 10}, req: `POST /v1/put {}`, ans: `{"a":"0123456789"}`, status: 500, body: "*", got: "{}"},
	{fact: "F22 HttpBody request", d: "service T { rpc Put(google.api.HttpBody) returns (R) { option (google.api.http) = {post: \"/v1/put\" body: \"*\"}; } }\nmessage Q { string content_type = 1; bytes data = 2; }",
		header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/put hi there", status: 200, body: "{}", got: `{"contentType":"text/x","data":"aGkgdGhlcmU="}`},
	{fact: "F22 HttpBody field", d: "Q: google.api.HttpBody h = 1; string a = 2;\nservice T { rpc Put(Q) returns (R) { option (google.api.http) = {post: \"/v1/put/{a}\" body: \"h\"}; } }",
		header: map[string][]string{"Content-Type": {"text/x"}}, req: "POST /v1/put/z hi", status: 200, body: "{}", got: `{"a":"z","h":{"contentType":"text/x","data":"aGk="}}`},
}
