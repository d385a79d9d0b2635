package oracle_test

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// TestSimulatorAgreesOnAnyBytes sends answers with bytes that the dictionary takes for a message: what is wrong with them
// may end the message, the answer or the proxy.
func TestSimulatorAgreesOnAnyBytes(t *testing.T) {
	o := start(t)
	const fields = `
		message M {
		  int32 i = 1; string s = 2; fixed32 f = 3; double d = 4; bool b = 5; M n = 6; repeated int32 l = 7; repeated M ms = 8; map<string, int32> m = 9; bytes y = 10; E e = 11;
		}
		enum E { E0 = 0; E1 = 1; }`
	dictionary := compile(t, schema("R: M x = 1; int32 z = 2; M w = 3;\n"+fields).text())
	server := compile(t, schema("R: bytes x = 1; int32 z = 2; bytes w = 3;").text())
	setup := oracle.Setup{Dictionary: dictionary, Server: server}
	m := newModel(t, setup)
	r := rand.New(rand.NewPCG(*seed, 17))
	v := values{Rand: r, types: dynamicpb.NewTypes(decodeSet(t, dictionary).Types())}
	message, _ := message(t, dictionary, "M")
	seen := map[string]int{}
	for range *odd / 5 { // many of them end the proxy, which takes time
		c := oracle.Case{Setup: setup, Request: oracle.Request{Target: pick(v, "/v1/get", "/v1/get", "/v1/get", "/v1/list")}}
		for range 1 + v.IntN(2) {
			raw := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), v.anyBytes(message.ProtoReflect().Descriptor()))
			if v.IntN(2) == 0 {
				raw = protowire.AppendVarint(protowire.AppendTag(raw, 2, protowire.VarintType), 5)
			}
			if v.IntN(4) == 0 {
				raw = protowire.AppendBytes(protowire.AppendTag(raw, 3, protowire.BytesType), v.anyBytes(message.ProtoReflect().Descriptor()))
			}
			c.Answer.Messages = append(c.Answer.Messages, raw)
		}
		compare(t, o, m, c, "", seen)
	}
	t.Logf("exchanges: %v", seen)
}

// anyBytes strings together records of the type, tags without a value, beginnings of frames, and single bytes.
func (v values) anyBytes(md protoreflect.MessageDescriptor) []byte {
	var raw []byte
	for range v.IntN(5) {
		switch v.IntN(6) {
		case 0, 1:
			raw = append(raw, v.wire(md, 1)...)
		case 2:
			number := protowire.Number(v.IntN(14))
			raw = protowire.AppendTag(raw, max(number, 1), protowire.Type(v.IntN(8)))
		case 3:
			raw = append(raw, 0, 0, 0, 0, byte(v.IntN(3)))
		default:
			raw = append(raw, pick[byte](v, 0, 0, 0, 1, 2, 7, 8, 0x0b, 0x0c, 0x0f, 0x12, 0x62, 0x63, 0x64, 0x66, 0x67, 0x80, 0xff))
		}
	}
	if len(raw) > 0 && v.IntN(5) == 0 {
		raw = raw[:len(raw)-1]
	}
	return raw
}
