package oracle_test

import (
	"strings"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// Why the model is not asked.
const (
	noFrames = "the model's servers send whole frames of gRPC"
	onlyGRPC = "compression needs a header that only clients of gRPC send"
)

const numbered = schema("R: int32 z = 3;")

// seven is a frame with the message {"z":7}.
const seven = "\x00\x00\x00\x00\x02\x18\x07"

// framed is an answer of bare frames, one DATA frame for each line.
func framed(fact, target string, status int, body string, frames ...string) row {
	r := row{fact: fact, d: numbered, library: oracle.Frames, unmodelled: noFrames, req: "GET " + target, status: status, body: body, got: ""}
	for _, f := range frames {
		r.end.Messages = append(r.end.Messages, []byte(f))
	}
	return r
}

// bare are E6.17: frames as no library sends them.
var bare = []row{
	framed("E6.17 whole frame", "/v1/get", 200, `{"z":7}`, seven),
	framed("E6.17 frame in parts", "/v1/get", 200, `{"z":7}`, seven[:3], seven[3:6], seven[6:]),
	framed("E6.17 two frames for one", "/v1/get", 200, `{"z":7}`, seven+seven),
	framed("E6.17 no frame", "/v1/get", 200, ""),
	framed("E6.17 part of a header", "/v1/get", 502, "Incomplete gRPC frame header received", seven[:3]),
	framed("E6.17 header only", "/v1/get", 502, "Incomplete gRPC frame expected size: 2 actual size: 0", seven[:5]),
	framed("E6.17 short frame", "/v1/get", 502, "Incomplete gRPC frame expected size: 2 actual size: 1", seven[:6]),
	framed("E6.17 flag of compression", "/v1/get", 502, "Unsupported gRPC frame flag: 1", "\x01"+seven[1:]),
	framed("E6.17 unknown flag", "/v1/get", 502, "Unsupported gRPC frame flag: 2", "\x02"+seven[1:]),
	framed("E6.17 frame behind the message is not looked at", "/v1/get", 200, `{"z":7}`, seven+"\x02"),
	framed("E6.17 stream", "/v1/list", 200, `[{"z":7},{"z":7}]`, seven, seven),
	framed("E6.17 stream, frames in parts", "/v1/list", 200, `[{"z":7},{"z":7}]`, seven+seven[:4], seven[4:]),
	broken(framed("E6.17 stream, flag of compression", "/v1/list", 200, `[{"z":7}`, seven, "\x01"+seven[1:])),
	broken(framed("E6.17 stream, flag of compression in the same data", "/v1/list", 200, ``, seven+"\x01"+seven[1:])),
	crashes(framed("E6.12 stream that ends in a header", "/v1/list", 0, "", seven, seven[:3])),
	crashes(framed("E6.12 stream that ends in a frame", "/v1/list", 0, "", seven[:6])),
	otherType("E6.17 answer that is no gRPC", "text/html", "hello"),
	otherType("E6.17 answer that is JSON already", "application/json", `{"a":1}`),
}

func otherType(fact, contentType, body string) row {
	r := framed(fact, "/v1/get", 200, body, strings.SplitAfter(body, "l")...)
	r.end.ContentType = contentType
	return r
}
