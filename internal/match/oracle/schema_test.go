package oracle_test

import (
	"strings"
)

// schema is a .proto file in short. A line "Q: …" gives the fields of the request, "R: …" those of the response; other
// lines stand as they are. Without a service it has [theService]; "proto2" or "edition" as the first line makes it that.
type schema string

const theService = `
service T {
  rpc Get(Q) returns (R) { option (google.api.http) = {get: "/v1/get"}; }
  rpc Put(Q) returns (R) { option (google.api.http) = {post: "/v1/put" body: "*"}; }
  rpc List(Q) returns (stream R) { option (google.api.http) = {get: "/v1/list"}; }
  rpc Send(stream Q) returns (R) { option (google.api.http) = {post: "/v1/send" body: "*"}; }
  rpc Talk(stream Q) returns (stream R) { option (google.api.http) = {post: "/v1/talk" body: "*"}; }
}`

// imports that a schema may use; only those that it mentions are written, so that every file has its own set.
var imports = []struct{ mention, path string }{
	{"google.api.http", "google/api/annotations.proto"},
	{"google.api.HttpBody", "google/api/httpbody.proto"},
	{"google.protobuf.Any", "google/protobuf/any.proto"},
	{"google.protobuf.Timestamp", "google/protobuf/timestamp.proto"},
	{"google.protobuf.Duration", "google/protobuf/duration.proto"},
	{"google.protobuf.FieldMask", "google/protobuf/field_mask.proto"},
	{"google.protobuf.Empty", "google/protobuf/empty.proto"},
	{"google.protobuf.Struct", "google/protobuf/struct.proto"},
	{"google.protobuf.Value", "google/protobuf/struct.proto"},
	{"google.protobuf.ListValue", "google/protobuf/struct.proto"},
	{"Value w", "google/protobuf/wrappers.proto"},
	{"google.rpc.Status", "google/rpc/status.proto"},
	{"google.rpc.BadRequest", "google/rpc/error_details.proto"},
}

func (s schema) text() string {
	var b strings.Builder
	var q, r, rest string
	syntax, pkg := `syntax = "proto3"`, "t.v1"
	for line := range strings.SplitSeq(string(s), "\n") {
		line = strings.TrimSpace(line)
		head, tail, _ := strings.Cut(line, ": ")
		switch {
		case line == "proto2":
			syntax = `syntax = "proto2"`
		case line == "edition":
			syntax = `edition = "2023"`
		case head == "package":
			pkg = tail
		case head == "Q":
			q += " " + tail
		case head == "R":
			r += " " + tail
		default:
			rest += line + "\n"
		}
	}
	if !strings.Contains(rest, "service ") {
		rest += theService
	}
	if !strings.Contains(rest, "message Q ") {
		rest += "\nmessage Q {" + q + "}"
	}
	if !strings.Contains(rest, "message R ") {
		rest += "\nmessage R {" + r + "}"
	}
	b.WriteString(syntax + ";\npackage " + pkg + ";\n")
	written := map[string]bool{}
	for _, i := range imports {
		if strings.Contains(rest, i.mention) && !written[i.path] {
			written[i.path] = true
			b.WriteString("import \"" + i.path + "\";\n")
		}
	}
	b.WriteString(rest + "\n")
	return b.String()
}
