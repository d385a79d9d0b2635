package transcode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// fieldTypes are types of a field with values of it, in JSON.
var fieldTypes = []struct {
	name   string
	values []string
}{
	{"int32", []string{`0`, `1`, `-5`, `65`}},
	{"int64", []string{`"7"`, `"4294967297"`, `"-1"`}},
	{"uint32", []string{`3`, `4294967295`}},
	{"sint32", []string{`-3`, `2`}},
	{"fixed32", []string{`9`}},
	{"sfixed64", []string{`"-9"`}},
	{"float", []string{`1.5`, `0.1`}},
	{"double", []string{`0.1`, `1e20`, `1234567`}},
	{"bool", []string{`true`, `false`}},
	{"string", []string{`"a"`, `""`, `"abcd"`, `"abcdefgh"`, `"é<"`}},
	{"bytes", []string{`"/w=="`, `"YWI="`, `"AAE="`, `"CAE="`}},
	{"E", []string{`"E_ONE"`, `7`}},
	{"M", []string{`{}`, `{"a":5}`, `{"b":"x"}`, `{"a":5,"b":"x"}`}},
	{"optional int32", []string{`0`}},
	{"repeated int32", []string{`[]`, `[4]`, `[4,5]`}},
	{"repeated string", []string{`["a"]`, `["a","b"]`, `[""]`}},
	{"repeated M", []string{`[{"a":1}]`, `[{},{"b":"q"}]`}},
	{"map<string, string>", []string{`{"k":"v"}`, `{"":""}`, `{"k":""}`}},
	{"map<string, int32>", []string{`{"k":0}`, `{"k":3}`}},
	{"map<int32, M>", []string{`{"1":{}}`, `{"2":{"a":1}}`}},
	{"google.protobuf.Timestamp", []string{`"2020-01-01T00:00:00.5Z"`}},
	{"google.protobuf.Duration", []string{`"-1.500s"`}},
	{"google.protobuf.Struct", []string{`{"a":[1,null,{"b":true}],"c":"d"}`}},
	{"google.protobuf.Value", []string{`null`, `[1]`}},
	{"google.protobuf.StringValue", []string{`"s"`, `""`}},
	{"google.protobuf.Int64Value", []string{`"5"`, `"0"`}},
	{"google.protobuf.Any", []string{`{"@type":"type.googleapis.com/t.M","a":1}`}},
	{"google.protobuf.FieldMask", []string{`"aB,cD.eF"`}},
}

// everyPair is a service with a method for every pair of types; which of the two its messages have, pick says.
func everyPair(pick func(i, j int) int) string {
	var b strings.Builder
	b.WriteString("syntax = \"proto3\";\npackage t;\nimport \"google/api/annotations.proto\";\n")
	for _, f := range []string{"timestamp", "duration", "struct", "wrappers", "any", "field_mask"} {
		fmt.Fprintf(&b, "import \"google/protobuf/%s.proto\";\n", f)
	}
	b.WriteString("enum E { E_ZERO = 0; E_ONE = 1; }\nmessage M { int32 a = 1; string b = 2; }\nservice S {\n")
	for i := range fieldTypes {
		for j := range fieldTypes {
			fmt.Fprintf(&b, "rpc P%d_%d(M%d_%d) returns (M%d_%d) { option (google.api.http) = { post: \"/p/%d/%d\" body: \"*\" }; }\n", i, j, i, j, i, j, i, j)
		}
	}
	b.WriteString("}\n")
	for i := range fieldTypes {
		for j := range fieldTypes {
			fmt.Fprintf(&b, "message M%d_%d { %s field_one = 1; }\n", i, j, fieldTypes[pick(i, j)].name)
		}
	}
	return b.String()
}

// TestEveryPairOfTypesAgainstEnvoy sends requests and answers where dictionary and server have different types for a field.
func TestEveryPairOfTypesAgainstEnvoy(t *testing.T) {
	o := oracle.Start(t, oracle.Options{Required: os.Getenv("CI") == "true"})
	setup := oracle.Setup{
		Dictionary: compile(t, everyPair(func(i, _ int) int { return i })),
		Server:     compile(t, everyPair(func(_, j int) int { return j })),
	}
	dictionary, server := set(t, setup.Dictionary), set(t, setup.Server)
	p, err := transcode.Load(dictionary, descriptor.Transcoder{Services: []string{"t.S"}})
	if err != nil {
		t.Fatal(err)
	}
	s := transcode.NewServer(server, transcode.GoServer)
	for i, d := range fieldTypes {
		for j, other := range fieldTypes {
			what, target := fmt.Sprintf("%s in the dictionary, %s in the server", d.name, other.name), fmt.Sprintf("/p/%d/%d", i, j)
			for _, v := range other.values {
				answer := serialize(t, server, fmt.Sprintf("t.M%d_%d", i, j), `{"fieldOne":`+v+`}`)
				check(t, o, p, s, what+", answer "+v, oracle.Case{Setup: setup, Request: oracle.Request{Method: "POST", Target: target, Body: []byte("{}")},
					Answer: oracle.Answer{Messages: [][]byte{answer}}})
			}
			for _, v := range d.values {
				check(t, o, p, s, what+", request "+v, oracle.Case{Setup: setup, Request: oracle.Request{Method: "POST", Target: target, Body: []byte(`{"fieldOne":` + v + `}`)}})
			}
		}
	}
}

func set(t *testing.T, raw []byte) *descriptor.Set {
	t.Helper()
	s, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func serialize(t *testing.T, s *descriptor.Set, name, text string) []byte {
	t.Helper()
	d, err := s.Types().FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		t.Fatal(err)
	}
	md, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		t.Fatalf("%s is no message", name)
	}
	m := dynamicpb.NewMessage(md)
	if err := (protojson.UnmarshalOptions{Resolver: dynamicpb.NewTypes(s.Types())}).Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func check(t *testing.T, o *oracle.Oracle, p *transcode.Proxy, s *transcode.Server, what string, c oracle.Case) {
	t.Helper()
	real := o.Exchange(t, c)
	got := p.Exchange(s, transcode.Request{Method: c.Request.Method, Target: c.Request.Target, Body: c.Request.Body, ContentType: "application/json"},
		transcode.Answer{Messages: c.Answer.Messages})
	switch {
	case real.ProxyCrashed != (got.Outcome == transcode.ProxyEnds):
		t.Errorf("%s: Envoy ended %t, model %s", what, real.ProxyCrashed, got.Outcome)
	case real.ProxyCrashed:
	case real.Status != got.Status || real.Ran != got.Ran:
		t.Errorf("%s: Envoy %d %q, model %d %s %q", what, real.Status, real.Body, got.Status, got.Outcome, got.Body)
	case real.Status == 200 && !sameJSON(real.Body, got.Body) && !strings.Contains(what, "bytes in the dictionary"):
		// Of the parts of a message that is read as bytes the real server does not keep the order.
		t.Errorf("%s: Envoy %q, model %q", what, real.Body, got.Body)
	case !reflect.DeepEqual(real.Received, got.Received) && len(real.Received)+len(got.Received) > 0:
		t.Errorf("%s: Envoy's server received %x, the model's %x", what, real.Received, got.Received)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
