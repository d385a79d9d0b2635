package oracle_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
)

var (
	pairs = flag.Int("pairs", 40, "how many mutated pairs go through Envoy and the model")
	seed  = flag.Uint64("seed", 1, "where the generator of pairs begins")
	edits = flag.Int("edits", 6, "how many edits a pair has at most")
	base  = flag.String("base", "", "a descriptor set of an API that is mutated instead of the demo's")
)

// TestSimulatorAgreesOnGeneratedPairs mutates the demo's protos, and files with every kind of field, at random; then it
// sends requests that are made from the descriptors through Envoy and the model, with either set in either place.
func TestSimulatorAgreesOnGeneratedPairs(t *testing.T) {
	o := start(t)
	bases := [][]byte{demoSet(t), compile(t, zoo.text()), compile(t, old.text())}
	if *base != "" {
		raw, err := os.ReadFile(*base)
		if err != nil {
			t.Fatal(err)
		}
		bases = [][]byte{raw}
	}
	seen := map[string]int{}
	for n := range *pairs {
		number := *seed + uint64(n)
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			r := rand.New(rand.NewPCG(number, 7))
			before := bases[number%uint64(len(bases))]
			changed, did := mutate(r, before, 1+r.IntN(*edits))
			for _, setup := range []oracle.Setup{
				{Dictionary: before, Server: changed, Transcoder: randomOptions(r)},
				{Dictionary: changed, Server: before, Transcoder: randomOptions(r)},
			} {
				comparePair(t, o, r, setup, did, seen)
			}
		})
	}
	t.Logf("%d pairs, exchanges: %v", *pairs, seen)
}

func randomOptions(r *rand.Rand) map[string]any {
	p, o := map[string]any{}, map[string]any{}
	for _, name := range []string{"always_print_primitive_fields", "always_print_enums_as_ints", "preserve_proto_field_names"} {
		if r.IntN(4) == 0 {
			p[name] = true
		}
	}
	for _, name := range []string{"convert_grpc_status", "ignore_unknown_query_parameters", "case_insensitive_enum_parsing", "auto_mapping"} {
		if r.IntN(4) == 0 {
			o[name] = true
		}
	}
	if r.IntN(4) == 0 {
		o["request_validation_options"] = map[string]any{"reject_unknown_method": true, "reject_unknown_query_parameters": true}
	}
	o["print_options"] = p
	return o
}

// comparePair sends requests of both sets' clients for every route.
func comparePair(t *testing.T, o *oracle.Oracle, r *rand.Rand, setup oracle.Setup, did []string, seen map[string]int) {
	t.Helper()
	m := newModel(t, setup)
	for i, raw := range [][]byte{setup.Dictionary, setup.Server} {
		client := decodeSet(t, raw)
		v := values{Rand: r, types: dynamicpb.NewTypes(client.Types())}
		for _, s := range client.Services {
			for _, method := range s.Methods {
				md := methodByPath(client, method.Path())
				for _, rule := range method.Rules {
					q, ok := v.request(md, rule)
					if !ok {
						continue
					}
					c := oracle.Case{Setup: setup, Request: q}
					if m.rejected == "" {
						c.Answer = v.answer(t, m.types, m.exchange(c).Method)
					}
					where := fmt.Sprintf("edits: %s; the client has the set of %s", strings.Join(did, "; "), []string{"the proxy", "the server"}[i])
					compare(t, o, m, c, where, seen)
				}
			}
		}
	}
}

// compare sends one case through both.
func compare(t *testing.T, o *oracle.Oracle, m model, c oracle.Case, where string, seen map[string]int) {
	t.Helper()
	real := o.Exchange(t, c)
	seen[outcome(real)]++
	if ds := m.differences(t, c, real); len(ds) > 0 {
		t.Errorf("%s\n  %s %s %s\n  answer %x code %d\n  options %v\n  %s", strings.Join(ds, "\n"), c.Request.Method, c.Request.Target, c.Request.Body,
			c.Answer.Messages, c.Answer.Code, c.Transcoder, where)
	}
}

// outcome is what is counted, to see that the generator reaches everything.
func outcome(r oracle.Reply) string {
	switch {
	case r.ListenerRejected != "":
		return "rejected"
	case r.ProxyCrashed:
		return "proxy ended"
	case r.BrokenOff:
		return "broken off"
	}
	return strconv.Itoa(r.Status)
}

// answer makes messages of the output type that the server has for a method, and sometimes a status.
func (v values) answer(t *testing.T, server *descriptor.Set, path string) oracle.Answer {
	t.Helper()
	var out oracle.Answer
	md := methodByPath(server, path)
	if md == nil {
		return out // the server lacks it, or nothing is called
	}
	if v.IntN(12) == 0 {
		out = oracle.Answer{Code: 1 + v.IntN(16), Message: pick(v, "", "no", `"é%`)}
		if v.IntN(2) == 0 {
			out.Details = [][]byte{pick(v, anyOf(durationpb.New(1e9)), unknownAny(), anyOf(v.message(md.Output(), 2)))}
		}
	}
	for range 1 + v.IntN(2) {
		raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(v.message(md.Output(), 0))
		if err != nil {
			t.Fatal(err)
		}
		out.Messages = append(out.Messages, raw)
	}
	return out
}

func decodeSet(t *testing.T, raw []byte) *descriptor.Set {
	t.Helper()
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// demoSet compiles the .proto files of the demo's application.
func demoSet(t *testing.T) []byte {
	t.Helper()
	repositories, err := demo.Build(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(repositories.Application, "proto")
	sources := map[string]string{}
	err = filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".proto") {
			return err
		}
		text, err := os.ReadFile(p)
		sources[strings.TrimPrefix(filepath.ToSlash(p), filepath.ToSlash(root)+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := compiled(sources)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// zoo has every kind of field in requests and responses.
const zoo = schema(`
	message M {
	  int32 i32 = 1; int64 i64 = 2; uint32 u32 = 3; uint64 u64 = 4; sint32 s32 = 5; sint64 s64 = 6; fixed32 f32 = 7; fixed64 f64 = 8;
	  bool flag = 9; float fl = 10; double db = 11; string text = 12; bytes raw = 13; E kind = 14; Sub sub = 15;
	  repeated int32 ints = 16; repeated string texts = 17; repeated Sub subs = 18; repeated E kinds = 19;
	  map<string, string> ss = 20; map<int32, Sub> is = 21; map<string, int64> sn = 22;
	  oneof choice { string one = 23; int32 two = 24; Sub three = 25; }
	  optional string maybe = 26; google.protobuf.Timestamp at = 27; google.protobuf.StringValue w = 28; repeated fixed32 packed = 29;
	  M again = 30;
	}
	message Sub { string name = 1; int32 count = 2; E kind = 3; }
	message Q { string id = 1; M m = 2; int32 n = 3; E kind = 4; repeated string l = 5; }
	enum E { E_ZERO = 0; E_ONE = 1; E_TWO = 2; }
	service T {
	  rpc Get(Q) returns (M) { option (google.api.http) = {get: "/v1/get/{id}"}; }
	  rpc Make(M) returns (Sub) { option (google.api.http) = {post: "/v1/make" body: "*" additional_bindings { put: "/v1/put/{text}" body: "sub" }}; }
	  rpc Echo(Q) returns (Q) { option (google.api.http) = {post: "/v1/echo/{n}" body: "m" additional_bindings { get: "/v1/echo/{n}:look" }}; }
	  rpc List(Q) returns (stream M) { option (google.api.http) = {get: "/v1/list"}; }
	  rpc Send(stream M) returns (Q) { option (google.api.http) = {post: "/v1/send" body: "*"}; }
	}`)

// old is what only proto2 has.
const old = schema(`proto2
	message M {
	  optional int32 i32 = 1 [default = 5]; optional string text = 2; optional bytes raw = 3; optional E kind = 4 [default = E_TWO];
	  optional group G = 5 { optional string name = 1; optional int32 n = 2; }
	  repeated group L = 6 { optional string name = 1; }
	  repeated int32 ints = 7; repeated int32 packed = 8 [packed = true]; repeated E kinds = 9; optional Sub sub = 10;
	  map<string, F> fs = 11; map<string, Sub> subs = 12; oneof choice { string one = 13; Sub two = 14; }
	  optional double db = 15; optional bool flag = 16; repeated string texts = 17;
	}
	message Sub { optional string name = 1; optional E kind = 2; optional M again = 3; }
	message Q { optional string id = 1; optional M m = 2; optional E kind = 3; repeated int32 l = 4; }
	enum E { E_ONE = 1; E_TWO = 2; }
	enum F { F_ZERO = 0; F_ONE = 1; }
	service T {
	  rpc Get(Q) returns (M) { option (google.api.http) = {get: "/v1/get/{id}"}; }
	  rpc Make(M) returns (Sub) { option (google.api.http) = {post: "/v1/make" body: "*"}; }
	  rpc Echo(Q) returns (Q) { option (google.api.http) = {post: "/v1/echo/{id}" body: "m"}; }
	  rpc List(Q) returns (stream M) { option (google.api.http) = {get: "/v1/list"}; }
	}`)
