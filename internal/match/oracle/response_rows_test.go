package oracle_test

// get compares fields of a response: what D says, what S says, what S sends, what the client sees ("-": 502).
func get(fact, d, s, ans, body string) row {
	r := row{fact: fact, d: schema("R: " + d), s: schema("R: " + s), req: "GET /v1/get", ans: ans, status: 200, body: body, got: "{}"}
	if body == "-" {
		r.status, r.body = 502, "*" // the parser's words
	}
	return r
}

const sub = "\nmessage S { string b = 1; int32 c = 2; }"

// responses are what the client sees of answers: E4, E6.2 to E6.7, F.
var responses = []row{
	get("E4 F6 field that D lacks", "string a = 1;", "string a = 1; string b = 2; S n = 3; repeated int32 l = 4;"+sub, `{"a":"x","b":"y","n":{"b":"z"},"l":[1]}`, `{"a":"x"}`),
	get("F6 field that S lacks", "string a = 1; string b = 2;", "string a = 1;", `{"a":"x"}`, `{"a":"x"}`),
	get("E4 F15 enum number that D lacks", "E e = 1;\nenum E { A = 0; }", "E e = 1;\nenum E { A = 0; B = 7; }", `{"e":"B"}`, `{"e":7}`),
	get("F16 enum value renamed", "E e = 1;\nenum E { A = 0; NEU = 1; }", "E e = 1;\nenum E { A = 0; OLD = 1; }", `{"e":"OLD"}`, `{"e":"NEU"}`),
	get("F16 alias, the first name is printed", "E e = 1;\nenum E { option allow_alias = true; A = 0; B = 1; C = 1; }", "E e = 1;\nenum E { A = 0; C = 1; }", `{"e":"C"}`, `{"e":"B"}`),
	get("F8 field renamed", "string neu_er = 1;", "string old = 1;", `{"old":"x"}`, `{"neuEr":"x"}`),
	get("F9 json_name", `string a = 1 [json_name = "neu"];`, "string a = 1;", `{"a":"x"}`, `{"neu":"x"}`),
	get("F10 renumbered", "string a = 2;", "string a = 1;", `{"a":"x"}`, `{}`),
	get("F10 swapped numbers of one type", "string a = 2; string b = 1;", "string a = 1; string b = 2;", `{"a":"x","b":"y"}`, `{"a":"y","b":"x"}`),
	get("E6.3 swapped numbers of two types", "string a = 2; int32 b = 1;", "string a = 1; int32 b = 2;", `{"a":"xx","b":5}`, "-"),
	get("F11 wider in S", "int32 i = 1;", "int64 i = 1;", `{"i":"4294967298"}`, `{"i":2}`),
	get("F11 wider in D", "int64 i = 1;", "int32 i = 1;", `{"i":-2}`, `{"i":"-2"}`),
	get("F11 unsigned in D", "uint32 i = 1;", "int32 i = 1;", `{"i":-2}`, `{"i":4294967294}`),
	get("F11b zigzag in D", "sint32 i = 1;", "int32 i = 1;", `{"i":3}`, `{"i":-2}`),
	get("F11b zigzag in S", "int32 i = 1;", "sint32 i = 1;", `{"i":-2}`, `{"i":3}`),
	get("E6.7 bool in D, 1", "bool i = 1;", "int32 i = 1;", `{"i":1}`, `{"i":true}`),
	get("E6.7 bool in D, 2", "bool i = 1;", "int32 i = 1;", `{"i":2}`, "-"),
	get("F11b bool in S", "int32 i = 1;", "bool i = 1;", `{"i":true}`, `{"i":1}`),
	get("F11b enum in D", "E e = 1;\nenum E { A = 0; B = 1; }", "int32 e = 1;", `{"e":1}`, `{"e":"B"}`),
	get("F11b enum in S", "int32 e = 1;", "E e = 1;\nenum E { A = 0; B = 1; }", `{"e":"B"}`, `{"e":1}`),
	get("F11b fixed and float", "float f = 1;", "fixed32 f = 1;", `{"f":1069547520}`, `{"f":1.5}`),
	get("F11b fixed and double", "fixed64 f = 1;", "double f = 1;", `{"f":1.5}`, `{"f":"4609434218613702656"}`),
	get("F13 string in D", "string a = 1;", "bytes a = 1;", `{"a":"aGk="}`, `{"a":"hi"}`),
	get("F13 bytes in D", "bytes a = 1;", "string a = 1;", `{"a":"hi"}`, `{"a":"aGk="}`),
	get("E6.7 string in D, no UTF-8", "string a = 1;", "bytes a = 1;", `{"a":"/w=="}`, "-"),
	get("E6.7 message in D that does not parse", "S n = 1;"+sub, "string n = 1;", `{"n":"xyz"}`, "-"),
	get("F13 message in D that parses", "S n = 1;"+sub, "bytes n = 1;", `{"n":"CgFhEAU="}`, `{"n":{"b":"a","c":5}}`),
	get("F13 string in D, message in S", "string n = 1;", "S n = 1;"+sub, `{"n":{"b":"a"}}`, "{\"n\":\"\\n\\u0001a\"}"),
	get("E6.6 F14 list in S, one", "int32 i = 1;", "repeated int32 i = 1;", `{"i":[7]}`, `{"i":7}`),
	get("E6.6 list in S, one, unpacked", "int32 i = 1;", "repeated int32 i = 1 [packed = false];", `{"i":[7]}`, `{"i":7}`),
	get("E6.6 list in S, two", "int32 i = 1;", "repeated int32 i = 1;", `{"i":[7,8]}`, "-"),
	get("E6.6 list of strings in S, one", "string i = 1;", "repeated string i = 1;", `{"i":["a"]}`, `{"i":"a"}`),
	get("E6.6 list of strings in S, two", "string i = 1;", "repeated string i = 1;", `{"i":["a","b"]}`, "-"),
	get("E6.6 list of messages in S, two", "S i = 1;"+sub, "repeated S i = 1;"+sub, `{"i":[{"b":"a"},{"b":"b"}]}`, "-"),
	get("E6.2 list in S, none", "int32 i = 1;", "repeated int32 i = 1;", `{"i":[]}`, `{}`),
	get("F14b list in D", "repeated int32 i = 1;", "int32 i = 1;", `{"i":7}`, `{"i":[7]}`),
	get("F14b list of messages in D", "repeated S i = 1;"+sub, "S i = 1;"+sub, `{"i":{"b":"x"}}`, `{"i":[{"b":"x"}]}`),
	get("F24 presence in D", "optional int32 i = 1;", "int32 i = 1;", `{"i":0}`, `{}`),
	get("F24 presence in S", "int32 i = 1;", "optional int32 i = 1;", `{"i":0}`, `{"i":0}`),
	get("F18 oneof in D, one set", "oneof o { string a = 1; int32 i = 2; }", "string a = 1; int32 i = 2;", `{"i":5}`, `{"i":5}`),
	get("F18 oneof in D, two set", "oneof o { string a = 1; int32 i = 2; }", "string a = 1; int32 i = 2;", `{"a":"x","i":5}`, `{"a":"x","i":5}`),
	get("E6.3 oneof member of another type", "oneof o { fixed32 a = 1; }", "oneof o { string a = 1; }", `{"a":"x"}`, "-"),
	get("E6.3 in a message", "S n = 1;\nmessage S { fixed32 b = 1; }", "S n = 1;"+sub, `{"n":{"b":"x"}}`, "-"),
	get("E6.3 one bad field of many", "string a = 1; fixed32 i = 2; string z = 3;", "string a = 1; int32 i = 2; string z = 3;", `{"a":"x","i":1,"z":"y"}`, "-"),
	get("E6.3 unpacked list", "repeated fixed32 i = 1;", "repeated int32 i = 1 [packed = false];", `{"i":[1]}`, "-"),
	get("E6.3 F14b map value", "map<string, fixed32> m = 1;", "map<string, int32> m = 1;", `{"m":{"a":1}}`, "-"),
	get("E6.3 map key", "map<fixed32, string> m = 1;", "map<int32, string> m = 1;", `{"m":{"1":"x"}}`, "-"),
	get("E6.2 map, empty", "map<string, fixed32> m = 1;", "map<string, int32> m = 1;", `{"m":{}}`, `{}`),
	get("F14b map value, same wire", "map<string, sint32> m = 1;", "map<string, int32> m = 1;", `{"m":{"a":3}}`, `{"m":{"a":-2}}`),
	get("F14b map of messages", "map<string, S> m = 1;"+sub, "map<string, S> m = 1;"+sub, `{"m":{"a":{"b":"x"},"z":{}}}`, `{"m":{"a":{"b":"x"},"z":{}}}`),
	get("E6.7 Timestamp out of range", "google.protobuf.Timestamp t = 1;", "S t = 1;\nmessage S { int64 s = 1; int32 n = 2; }", `{"t":{"s":"999999999999"}}`, "-"),
	get("E6.7 Duration out of range", "google.protobuf.Duration t = 1;", "S t = 1;\nmessage S { int64 s = 1; int32 n = 2; }", `{"t":{"s":"999999999999"}}`, "-"),
	get("F12 Timestamp of a message", "google.protobuf.Timestamp t = 1;", "S t = 1;\nmessage S { int64 s = 1; int32 n = 2; }", `{"t":{"s":"5","n":6}}`, `{"t":"1970-01-01T00:00:05.000000006Z"}`),
	get("F12 wrapper in D", "google.protobuf.StringValue w = 1;", "S w = 1;"+sub, `{"w":{"b":"x"}}`, `{"w":"x"}`),
	get("E6.3 wrapper in D, scalar in S", "google.protobuf.Int32Value w = 1;", "int32 w = 1;", `{"w":5}`, "-"),
	get("F22 HttpBody in D", "google.api.HttpBody h = 1;", "string h = 1;", `{"h":"xyz"}`, "-"),
	{fact: "E6.7 group in D", d: "proto2\nQ: optional string a = 1;\nR: optional group G = 1 { optional string a = 1; }", s: "proto2\nQ: optional string a = 1;\nR: optional G g = 1;\nmessage G { optional string a = 1; }",
		req: "GET /v1/get", ans: `{"g":{"a":"x"}}`, status: 502, body: "*", got: "{}"},
	{fact: "E6.7 group in S", d: "proto2\nQ: optional string a = 1;\nR: optional G g = 1;\nmessage G { optional string a = 1; }", s: "proto2\nQ: optional string a = 1;\nR: optional group G = 1 { optional string a = 1; }",
		req: "GET /v1/get", ans: `{"g":{"a":"x"}}`, status: 502, body: "*", got: "{}"},
	{fact: "F25 group on both sides", d: "proto2\nQ: optional string a = 1;\nR: optional group G = 1 { optional string a = 1; }", req: "GET /v1/get", ans: `{"g":{"a":"x"}}`, status: 200, body: `{"g":{"a":"x"}}`, got: "{}"},
	{fact: "E6.7 proto2 string in D, no UTF-8", d: "proto2\nQ: optional string a = 1;\nR: optional string a = 1;", s: "proto2\nQ: optional string a = 1;\nR: optional bytes a = 1;",
		req: "GET /v1/get", ans: `{"a":"aP/+aQ=="}`, status: 200, body: `{"a":"h  i"}`, got: "{}"},
	{fact: "E4 closed enum in D", d: "proto2\nQ: optional string a = 1;\nR: optional E e = 1;\nenum E { A = 0; }", s: "proto2\nQ: optional string a = 1;\nR: optional int32 e = 1;", req: "GET /v1/get", ans: `{"e":7}`, status: 200, body: `{"e":7}`, got: "{}"},
	{fact: "E4 required field of D missing", d: "proto2\nQ: optional string a = 1;\nR: required string a = 1;", s: "proto2\nQ: optional string a = 1;\nR: optional string a = 1;", req: "GET /v1/get", ans: `{}`, status: 200, body: `{}`, got: "{}"},
}

// ends are E6.12: map entries in which Envoy finds no key or no value.
var ends = []row{
	{fact: "E6.12 F14b map value becomes a string, empty", d: "R: map<string, string> m = 1;", s: "R: map<string, bytes> m = 1;", req: "GET /v1/get", ans: `{"m":{"a":""}}`, status: 200, body: `{"m":{"a":""}}`, got: "{}"},
	{fact: "E6.12 entry without a value, string", d: "R: map<string, string> m = 1;", s: "R: repeated P m = 1;\nmessage P { string key = 1; string value = 2; }", req: "GET /v1/get", ans: `{"m":[{"key":"a"}]}`, crash: true},
	{fact: "E6.12 entry without a key, string", d: "R: map<string, string> m = 1;", s: "R: repeated P m = 1;\nmessage P { string key = 1; string value = 2; }", req: "GET /v1/get", ans: `{"m":[{"value":"a"}]}`, crash: true},
	{fact: "E6.12 entry with both, from a message", d: "R: map<string, string> m = 1;", s: "R: repeated P m = 1;\nmessage P { string key = 1; string value = 2; }", req: "GET /v1/get", ans: `{"m":[{"key":"a","value":"b"}]}`, status: 200, body: `{"m":{"a":"b"}}`, got: "{}"},
	{fact: "E6.12 map becomes a list of messages", d: "R: repeated P m = 1;\nmessage P { string key = 1; string value = 2; }", s: "R: map<string, string> m = 1;", req: "GET /v1/get", ans: `{"m":{"a":"b"}}`, status: 200, body: `{"m":[{"key":"a","value":"b"}]}`, got: "{}"},
	{fact: "E6.12 Struct read from another message", d: "R: google.protobuf.Struct t = 1;", s: "R: P t = 1;\nmessage P { string a = 1; }", req: "GET /v1/get", ans: `{"t":{"a":""}}`, status: 200, body: `{"t":{}}`, got: "{}"},
	{fact: "E6.12 Struct read from another message with an entry", d: "R: google.protobuf.Struct t = 1;", s: "R: P t = 1;\nmessage P { E a = 1; }\nmessage E { string key = 1; }", req: "GET /v1/get", ans: `{"t":{"a":{"key":"k"}}}`, crash: true},
	ending("map value of S is an empty string", "map<string, int32> m = 1;", "map<string, string> m = 1;", `{"m":{"a":""}}`),
	ending("map value of S is an empty message", "map<string, int32> m = 1;", "map<string, S> m = 1;"+sub, `{"m":{"a":{}}}`),
	ending("map value of S is empty bytes, bool in D", "map<string, bool> m = 1;", "map<string, bytes> m = 1;", `{"m":{"a":""}}`),
	ending("map value of S is an empty string, enum in D", "map<string, E> m = 1;\nenum E { A = 0; }", "map<string, string> m = 1;", `{"m":{"a":""}}`),
	ending("map value of S is an empty string, double in D", "map<string, double> m = 1;", "map<string, string> m = 1;", `{"m":{"a":""}}`),
	ending("map key of S is an empty string", "map<int32, string> m = 1;", "map<string, string> m = 1;", `{"m":{"":"x"}}`),
	ending("map key of S is an empty string, bool in D", "map<bool, string> m = 1;", "map<string, string> m = 1;", `{"m":{"":"x"}}`),
	ending("entry without a value, number", "map<string, int32> m = 1;", "repeated P m = 1;\nmessage P { string key = 1; int32 value = 2; }", `{"m":[{"key":"a"}]}`),
	ending("entry without a value, message", "map<string, S> m = 1;"+sub, "repeated P m = 1;\nmessage P { string key = 1; }", `{"m":[{"key":"a"}]}`),
	ending("entry without a value, bytes", "map<string, bytes> m = 1;", "repeated P m = 1;\nmessage P { string key = 1; }", `{"m":[{"key":"a"}]}`),
	ending("entry without a value, enum", "map<string, E> m = 1;\nenum E { A = 0; }", "repeated P m = 1;\nmessage P { string key = 1; }", `{"m":[{"key":"a"}]}`),
	ending("entry without anything", "map<string, string> m = 1;", "repeated P m = 1;\nmessage P { string key = 1; }", `{"m":[{}]}`),
	ending("entry without a key, number", "map<int32, string> m = 1;", "repeated P m = 1;\nmessage P { int32 key = 1; string value = 2; }", `{"m":[{"value":"x"}]}`),
	ending("entry in a message", "S n = 1;\nmessage S { map<string, string> m = 1; }", "S n = 1;\nmessage S { repeated P m = 1; }\nmessage P { string key = 1; }", `{"n":{"m":[{"key":"a"}]}}`),
	{fact: "E6.12 in a stream", d: "R: map<string, int32> m = 1;", s: "R: map<string, string> m = 1;", req: "GET /v1/list", ans: `{"m":{"a":""}}`, crash: true},
	get("E6.12 map value of S is a string of one byte", "map<string, int32> m = 1;", "map<string, string> m = 1;", `{"m":{"a":"x"}}`, `{"m":{"a":120}}`),
	get("E6.12 map value of S is an empty message, message in D", "map<string, S> m = 1;"+sub, "map<string, string> m = 1;", `{"m":{"a":""}}`, `{"m":{"a":{}}}`),
	get("E6.12 map from a list of other messages", "map<string, string> m = 1;", "repeated P m = 1;\nmessage P { string a = 1; string b = 2; string c = 3; }", `{"m":[{"a":"x","b":"y","c":"z"}]}`, `{"m":{"x":"y"}}`),
	get("E6.12 one field of a map becomes a singular message", "P m = 1;\nmessage P { string key = 1; string value = 2; }", "map<string, string> m = 1;", `{"m":{"a":"x"}}`, `{"m":{"key":"a","value":"x"}}`),
}

// ending is a response that ends Envoy's process.
func ending(fact, d, s, ans string) row {
	return row{fact: "E6.12 " + fact, d: schema("R: " + d), s: schema("R: " + s), req: "GET /v1/get", ans: ans, crash: true}
}

// wires are E6.3 to E6.5: numbers, and what is length-delimited.
var wires = []row{
	get("E6.3 fixed32 in D, varint in S", "fixed32 a = 1;", "int32 a = 1;", `{"a":1}`, "-"),
	get("E6.3 fixed64 in D, varint in S", "double a = 1;", "int64 a = 1;", `{"a":1}`, "-"),
	get("E6.3 varint in D, fixed32 in S", "int32 a = 1;", "float a = 1;", `{"a":1}`, "-"),
	get("E6.3 varint in D, fixed64 in S", "int32 a = 1;", "double a = 1;", `{"a":1}`, "-"),
	get("E6.3 fixed32 in D, fixed64 in S", "float a = 1;", "double a = 1;", `{"a":1}`, "-"),
	get("E6.3 string in D, varint in S", "string a = 1;", "int32 a = 1;", `{"a":1}`, "-"),
	get("E6.3 bytes in D, fixed32 in S", "bytes a = 1;", "float a = 1;", `{"a":1}`, "-"),
	get("E6.3 message in D, varint in S", "S a = 1;"+sub, "int32 a = 1;", `{"a":1}`, "-"),
	get("E6.2 fixed32 in D, varint in S, default", "fixed32 a = 1;", "int32 a = 1;", `{"a":0}`, `{}`),
	get("E6.2 fixed32 in D, varint with presence in S, default", "fixed32 a = 1;", "optional int32 a = 1;", `{"a":0}`, "-"),
	get("E6.4 varint in D, string of one byte", "int32 a = 1;", "string a = 1;", `{"a":"x"}`, `{"a":120}`),
	get("E6.4 varint in D, string of two bytes", "int32 a = 1;", "string a = 1;", `{"a":"xy"}`, "-"),
	get("E6.4 varint in D, two bytes of one number", "int32 a = 1;", "bytes a = 1;", `{"a":"gAE="}`, `{"a":128}`),
	get("E6.4 varint in D, string empty with presence", "int32 a = 1;", "optional string a = 1;", `{"a":""}`, `{}`),
	get("E6.4 bool in D, one byte", "bool a = 1;", "bytes a = 1;", `{"a":"AQ=="}`, `{"a":true}`),
	get("E6.4 enum in D, string of one byte", "E a = 1;\nenum E { A = 0; X = 120; }", "string a = 1;", `{"a":"x"}`, `{"a":"X"}`),
	get("E6.4 fixed32 in D, string of four", "fixed32 a = 1;", "string a = 1;", `{"a":"abcd"}`, `{"a":1684234849}`),
	get("E6.4 fixed32 in D, string of five", "fixed32 a = 1;", "string a = 1;", `{"a":"abcde"}`, "-"),
	get("E6.4 fixed32 in D, string of eight", "fixed32 a = 1;", "string a = 1;", `{"a":"abcdabcd"}`, "-"),
	get("E6.4 fixed64 in D, string of eight", "fixed64 a = 1;", "string a = 1;", `{"a":"abcdefgh"}`, `{"a":"7523094288207667809"}`),
	get("E6.4 double in D, bytes of eight", "double a = 1;", "bytes a = 1;", `{"a":"AAAAAAAA+D8="}`, `{"a":1.5}`),
	get("E6.4 varint in D, message of S", "int32 a = 1;", "S a = 1;"+sub, `{"a":{"c":5}}`, "-"),
	get("E6.4 varint in D, empty message of S", "int32 a = 1;", "S a = 1;"+sub, `{"a":{}}`, `{}`),
	get("E6.4 list of varint in D, string", "repeated int32 a = 1;", "string a = 1;", `{"a":"xy"}`, `{"a":[120,121]}`),
	get("E6.4 list of varint in D, strings", "repeated int32 a = 1;", "repeated string a = 1;", `{"a":["x","yz"]}`, `{"a":[120,121,122]}`),
	get("E6.4 list of fixed32 in D, string of five", "repeated fixed32 a = 1;", "string a = 1;", `{"a":"abcde"}`, "-"),
	get("E6.5 packed zigzag", "repeated sint32 a = 1;", "repeated int32 a = 1;", `{"a":[3,4]}`, `{"a":[-2,2]}`),
	get("E6.5 packed fixed32 of varints, four", "repeated fixed32 a = 1;", "repeated int32 a = 1;", `{"a":[1,0,0,0]}`, `{"a":[1]}`),
	get("E6.5 packed fixed32 of varints, three", "repeated fixed32 a = 1;", "repeated int32 a = 1;", `{"a":[1,0,0]}`, "-"),
	get("E6.5 packed varints of fixed32", "repeated int32 a = 1;", "repeated fixed32 a = 1;", `{"a":[1]}`, `{"a":[1,0,0,0]}`),
	get("E6.5 string in D of a packed list", "string a = 1;", "repeated int32 a = 1;", `{"a":[120,121]}`, `{"a":"xy"}`),
	get("E6.5 strings in D of a packed list", "repeated string a = 1;", "repeated int32 a = 1;", `{"a":[120,121]}`, `{"a":["xy"]}`),
	get("E6.5 string in D of a packed list, no UTF-8", "string a = 1;", "repeated int32 a = 1;", `{"a":[300]}`, "-"),
	get("E6.5 packed bool of varints", "repeated bool a = 1;", "repeated int32 a = 1;", `{"a":[1,0,2]}`, "-"),
}

const anySub = "google.protobuf.Any an = 1;"

// anys are E6.8.
var anys = []row{
	get("E6.8 Any of a known type", anySub+sub, anySub+sub, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`),
	get("E6.8 F23 Any of a type that D lacks", anySub, anySub+sub, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`, "-"),
	get("E6.8 Any of a type that D lacks, empty", anySub, anySub+sub, `{"an":{"@type":"type.googleapis.com/t.v1.S"}}`, "-"),
	get("E6.8 Any of another host", anySub+sub, anySub+sub, `{"an":{"@type":"example.com/t.v1.S","b":"x"}}`, "-"),
	get("E6.8 Any without a type URL", anySub, "P an = 1;\nmessage P { string u = 1; bytes v = 2; }", `{"an":{"v":"CgFh"}}`, "-"),
	get("E6.8 Any that is empty", anySub, "P an = 1;\nmessage P { string u = 1; bytes v = 2; }", `{"an":{}}`, `{"an":{}}`),
	get("E6.8 Any with a renamed field", anySub+"\nmessage S { string neu = 1; }", anySub+sub, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`, `{"an":{"@type":"type.googleapis.com/t.v1.S","neu":"x"}}`),
	get("E6.8 Any with a field of another wire type", anySub+"\nmessage S { fixed32 b = 1; }", anySub+sub, `{"an":{"@type":"type.googleapis.com/t.v1.S","b":"x"}}`, "-"),
	get("E6.8 Any of a well-known type", anySub+"\nmessage K { google.protobuf.Duration d = 1; }", anySub+"\nmessage K { google.protobuf.Duration d = 1; }", `{"an":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}`, `{"an":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}`),
}
