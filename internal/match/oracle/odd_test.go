package oracle_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

var odd = flag.Int("odd", 1000, "how many odd requests, and as many odd answers, go through Envoy and the model")

// TestSimulatorAgreesOnOddRequests sends requests that are not quite what the dictionary wants.
func TestSimulatorAgreesOnOddRequests(t *testing.T) {
	o := start(t)
	set := compile(t, zoo.text())
	client := decodeSet(t, set)
	methods := client.Services[0].Methods
	seen := map[string]int{}
	r := rand.New(rand.NewPCG(*seed, 11))
	v := values{Rand: r, types: dynamicpb.NewTypes(client.Types())}
	for _, options := range []options{nil, {"ignore_unknown_query_parameters": true, "query_param_unescape_plus": true, "url_unescape_spec": "ALL_CHARACTERS"}} {
		setup := oracle.Setup{Dictionary: set, Server: set, Transcoder: options}
		m := newModel(t, setup)
		for range *odd / 2 {
			method := methods[r.IntN(len(methods))]
			rule := method.Rules[r.IntN(len(method.Rules))]
			q, ok := v.request(methodByPath(client, method.Path()), rule)
			if !ok {
				continue
			}
			if q.Body != nil {
				q.Body = v.mangle(q.Body)
			}
			if q.Body == nil || v.IntN(4) == 0 {
				q.Target = v.oddTarget(q.Target)
			}
			compare(t, o, m, oracle.Case{Setup: setup, Request: q}, "", seen)
		}
	}
	t.Logf("exchanges: %v", seen)
}

// oddValues are written in the place of a value.
var oddValues = []string{`null`, `true`, `false`, `0`, `1`, `-1`, `1.0`, `1.5`, `1e2`, `-0`, `1e400`, `2147483648`, `-2147483649`, `4294967296`, `9223372036854775808`,
	`18446744073709551616`, `""`, `"x"`, `"1"`, `"-1"`, `"1.0"`, `"1e2"`, `" 1"`, `"0x10"`, `"+1"`, `"01"`, `"true"`, `"false"`, `"yes"`, `"no"`, `"on"`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"inf"`,
	`"E_ONE"`, `"e_one"`, `"E-ONE"`, `"77"`, `77`, `[]`, `{}`, `[1]`, `["x"]`, `[[]]`, `[null]`, `{"a":1}`, `{"":""}`, `{"1":{}}`, `"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00+01:00"`, `"2024-13-01T00:00:00Z"`,
	`{"seconds":1}`, `{"value":"x"}`, `"aGk"`, `"aGk="`, `"_-8="`, `"a"`, `"\u0000"`, `"\ud83d\ude00"`, `"\ud800"`, `00`, `.5`, `5.`, `+5`, `'x'`, `x`, `NaN`, `1,`, `/* */ 1`}

// mangle puts odd values into an object, adds keys, or breaks the text.
func (v values) mangle(body []byte) []byte {
	var object map[string]json.RawMessage
	text := strings.TrimSuffix(strings.TrimPrefix(string(body), "["), "]")
	if json.Unmarshal([]byte(text), &object) != nil {
		return body
	}
	keys := slices.Sorted(maps.Keys(object))
	for range 1 + v.IntN(4)/3 {
		value := pick(v, oddValues...)
		switch n := v.IntN(12); {
		case n == 0:
			keys = append(keys, pick(v, "unknown", "text", "i32", "one", "two", "n", "ss"))
			object[keys[len(keys)-1]] = json.RawMessage(value)
		case n == 1 && len(keys) > 0:
			keys = append(keys, keys[0]) // the same once more
		case len(keys) > 0:
			k := keys[v.IntN(len(keys))]
			object[k] = v.oddInside(object[k], value)
		}
	}
	var parts []string
	for _, k := range keys {
		parts = append(parts, fmt.Sprintf("%q:%s", k, object[k]))
	}
	out := "{" + strings.Join(parts, ",") + "}"
	if body[0] == '[' {
		out = pick(v, "["+out+"]", "["+out+","+out+"]", out, "["+out)
	}
	if v.IntN(25) == 0 {
		out = pick(v, out+",", out+"x", out[:len(out)-1], " \n"+out+"\t", strings.ReplaceAll(out, `"`, `'`), strings.TrimSuffix(out, "}")+",}", "["+out+"]")
	}
	return []byte(out)
}

// oddInside replaces a value, or one in it.
func (v values) oddInside(old json.RawMessage, value string) json.RawMessage {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case v.IntN(2) == 0:
	case json.Unmarshal(old, &list) == nil && len(list) > 0:
		var parts []string
		list[v.IntN(len(list))] = json.RawMessage(value)
		for _, e := range list {
			parts = append(parts, string(e))
		}
		return json.RawMessage("[" + strings.Join(parts, ",") + "]")
	case json.Unmarshal(old, &object) == nil && len(object) > 0:
		keys := slices.Sorted(maps.Keys(object))
		object[keys[v.IntN(len(keys))]] = json.RawMessage(value)
		var parts []string
		for _, k := range keys {
			parts = append(parts, fmt.Sprintf("%q:%s", k, object[k]))
		}
		return json.RawMessage("{" + strings.Join(parts, ",") + "}")
	}
	return json.RawMessage(value)
}

// oddTarget adds to a query, or to the path.
func (v values) oddTarget(target string) string {
	path, query, _ := strings.Cut(target, "?")
	names := []string{"id", "n", "kind", "l", "m.i32", "m.i64", "m.u32", "m.flag", "m.fl", "m.db", "m.text", "m.raw", "m.sub.name", "m.subs.name", "m.ss", "m.at", "m.w", "m.one", "m.two", "m.ints", "m.maybe", "m.f32", "m",
		"i32", "unknown", "m.unknown", "n.x", "", "m.", ".m", "M", "m.sub.kind", "m.again.again.text"}
	texts := []string{"", "1", "-1", "1.0", "1e2", "%201", "0x10", "+1", "01", "true", "TRUE", "yes", "1.5", "99999999999", "x", "E_ONE", "e_one", "1", "2", "77", "a%2Fb", "a+b", "%41", "%zz", "%", "a%", "aGk=", "aGk", "nan", "NaN", "inf", "Infinity",
		"2024-01-01T00:00:00Z", "%FF", "h%C3%A9", "null", "%22x%22", "[1]", "1,2", "a=b"}
	for range 1 + v.IntN(2) {
		part := pick(v, names...) + "=" + pick(v, texts...)
		if v.IntN(12) == 0 {
			part = pick(v, names...)
		}
		if query != "" {
			query += "&"
		}
		query += part
	}
	if v.IntN(8) == 0 {
		path = pick(v, path+"/", path+"//", path+":look", path+"/x", strings.ToUpper(path), strings.Replace(path, "/v1", "/%761", 1), path+"%2F", path+";a=b")
	}
	return path + "?" + query
}

// TestSimulatorAgreesOnOddAnswers sends any well-formed protobuf as the answer: the server's message has no field that it
// knows.
func TestSimulatorAgreesOnOddAnswers(t *testing.T) {
	o := start(t)
	dictionary := compile(t, zoo.text())
	opaque := compile(t, schema("message M { }\nservice T { rpc Get(Q) returns (M); rpc List(Q) returns (stream M); }").text())
	seen := map[string]int{}
	r := rand.New(rand.NewPCG(*seed, 13))
	v := values{Rand: r, types: dynamicpb.NewTypes(decodeSet(t, dictionary).Types())}
	output := methodByPath(decodeSet(t, dictionary), "/t.v1.T/Get").Output()
	for _, options := range []options{nil, {"print_options": map[string]any{"always_print_primitive_fields": true, "preserve_proto_field_names": true}}} {
		setup := oracle.Setup{Dictionary: dictionary, Server: opaque, Transcoder: options}
		m := newModel(t, setup)
		for range *odd / 2 {
			c := oracle.Case{Setup: setup, Request: oracle.Request{Method: "GET", Target: "/v1/get/x"}}
			if v.IntN(8) == 0 {
				c.Request.Target = "/v1/list"
				c.Answer.Messages = append(c.Answer.Messages, v.wire(output, 0))
			}
			c.Answer.Messages = append(c.Answer.Messages, v.wire(output, 0))
			compare(t, o, m, c, "", seen)
		}
	}
	t.Logf("exchanges: %v", seen)
}

// wire makes a few records, most of them of the wire type that the dictionary has for the field.
func (v values) wire(md protoreflect.MessageDescriptor, depth int) []byte {
	var raw []byte
	for range v.IntN(4) {
		fd := md.Fields().Get(v.IntN(md.Fields().Len()))
		kind, sub := fd.Kind(), md
		if v.IntN(8) == 0 {
			kind = pick(v, protoreflect.Int32Kind, protoreflect.FloatKind, protoreflect.DoubleKind, protoreflect.StringKind, protoreflect.MessageKind, protoreflect.GroupKind)
		}
		if fd.Message() != nil {
			sub = fd.Message()
		}
		number := fd.Number()
		if v.IntN(20) == 0 {
			number = 50
		}
		raw = v.record(raw, number, kind, sub, depth)
	}
	return raw
}

func (v values) record(raw []byte, number protowire.Number, kind protoreflect.Kind, sub protoreflect.MessageDescriptor, depth int) []byte {
	switch kind {
	case protoreflect.FloatKind, protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.AppendFixed32(protowire.AppendTag(raw, number, protowire.Fixed32Type), pick[uint32](v, 0, 1, 0x3fc00000, 0xff800000))
	case protoreflect.DoubleKind, protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.AppendFixed64(protowire.AppendTag(raw, number, protowire.Fixed64Type), pick[uint64](v, 0, 1, 0x3ff8000000000000, 1<<63))
	case protoreflect.GroupKind:
		return protowire.AppendGroup(protowire.AppendTag(raw, number, protowire.StartGroupType), number, v.wire(sub, depth+1))
	case protoreflect.MessageKind:
		if depth < 3 {
			return protowire.AppendBytes(protowire.AppendTag(raw, number, protowire.BytesType), v.wire(sub, depth+1))
		}
		return raw
	case protoreflect.StringKind, protoreflect.BytesKind:
		return protowire.AppendBytes(protowire.AppendTag(raw, number, protowire.BytesType), pick(v, nil, []byte("x"), []byte{1}, []byte("abcd"), []byte("abcdefgh"), []byte{0xff}, []byte{0x80, 1}, []byte("hé\"\\\u2028</"), []byte("1")))
	default:
		return protowire.AppendVarint(protowire.AppendTag(raw, number, protowire.VarintType), pick[uint64](v, 0, 0, 1, 1, 2, 65, 300, 1<<31, 1<<40, 1<<63))
	}
}
