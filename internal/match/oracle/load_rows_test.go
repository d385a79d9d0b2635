package oracle_test

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/oracle"
)

// service wraps one rule of method M into a schema.
func rule(http string) schema {
	return schema(`
		Q: string a = 1; S n = 2;
		R: string a = 1; S n = 2; google.api.HttpBody h = 3; repeated string l = 4; int32 i = 5;
		message S { string b = 1; int32 i = 2; S n = 3; }
		service T { rpc M(Q) returns (R) { option (google.api.http) = {` + http + `}; } }`)
}

func dictionary(raw []byte) func(*oracle.Setup) {
	return func(s *oracle.Setup) { s.Dictionary, s.Transcoder = raw, options{"services": []string{"t.v1.T"}} }
}

// edited changes the files of the plain schema.
func edited(change func(*descriptorpb.FileDescriptorSet)) func(*oracle.Setup) {
	return func(s *oracle.Setup) {
		set := &descriptorpb.FileDescriptorSet{}
		if proto.Unmarshal(s.Dictionary, set) == nil {
			change(set)
		}
		raw, err := proto.Marshal(set)
		if err == nil {
			dictionary(raw)(s)
		}
	}
}

func sourceInfo() *descriptorpb.SourceCodeInfo {
	return &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{{Path: []int32{4, 0}, Span: []int32{1, 2, 3}}}}
}

const plain = schema("Q: string a = 1;\nR: string a = 1;")

// loads are E3 and E6.14.
var loads = []row{
	{fact: "E3 garbage", d: plain, setup: dictionary([]byte("no descriptor")), rejected: "Unable to parse proto descriptor"},
	{fact: "E3 import missing", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) { s.File = s.File[1:] }), rejected: "Unable to build proto descriptor pool"},
	{fact: "E3 wrong order", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) {
		last := len(s.File) - 1
		s.File[last], s.File[last-1] = s.File[last-1], s.File[last]
	}), rejected: "Unable to build proto descriptor pool"},
	{fact: "E3 file twice", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) { s.File = append(s.File, s.File[len(s.File)-1]) }),
		req: "POST /v1/put {}", status: 200, body: "{}", got: "{}"},
	{fact: "E3 file twice, the first with source info", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) {
		again := proto.CloneOf(s.File[len(s.File)-1])
		s.File[len(s.File)-1].SourceCodeInfo = sourceInfo()
		s.File = append(s.File, again)
	}), req: "POST /v1/put {}", status: 200, body: "{}", got: "{}"},
	{fact: "E3 file twice, again with source info", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) {
		again := proto.CloneOf(s.File[len(s.File)-1])
		again.SourceCodeInfo = sourceInfo()
		s.File = append(s.File, again)
	}), rejected: "Unable to build proto descriptor pool"},
	{fact: "E3 symbol twice", d: plain, setup: edited(func(s *descriptorpb.FileDescriptorSet) {
		again := proto.CloneOf(s.File[len(s.File)-1])
		again.Name = proto.String("again.proto")
		s.File = append(s.File, again)
	}), rejected: "Unable to build proto descriptor pool"},
	{fact: "E3 empty file is an empty set", d: plain, setup: dictionary([]byte{}), rejected: "Could not find 't.v1.T' in the proto descriptor"},
	{fact: "E3 F3 service not in dictionary", d: plain, options: options{"services": []string{"t.v1.T", "t.v1.Gone"}}, rejected: "Could not find 't.v1.Gone' in the proto descriptor"},
	{fact: "E6.14 no services", d: plain, options: options{"services": []string{}}, req: "POST /v1/put {}", status: 415, got: "-"},
	{fact: "E6.14 no services, file unreadable", d: plain, setup: func(s *oracle.Setup) {
		s.Dictionary, s.Transcoder = []byte("no descriptor"), options{"services": []string{}}
	}, req: "POST /v1/put {}", status: 415, got: "-"},
	{fact: "E3 template does not parse", d: rule(`get: "/v1/{a"`), rejected: "Cannot register"},
	{fact: "E3 body names nothing", d: rule(`post: "/v1/m" body: "zz"`), rejected: "Could not find field"},
	{fact: "E3 response_body names nothing", d: rule(`post: "/v1/m" body: "*" response_body: "zz"`), rejected: "Could not find field"},
	{fact: "E6.14 response_body scalar", d: rule(`post: "/v1/m" body: "*" response_body: "a"`), rejected: "response_body"},
	{fact: "E6.14 response_body message", d: rule(`post: "/v1/m" body: "*" response_body: "n"`), rejected: "response_body"},
	{fact: "E6.14 response_body list", d: rule(`post: "/v1/m" body: "*" response_body: "l"`), rejected: "response_body"},
	{fact: "E6.14 response_body HttpBody", d: rule(`post: "/v1/m" body: "*" response_body: "h"`),
		req: "POST /v1/m {}", ans: `{"h":{"contentType":"text/x","data":"aGk="}}`, status: 200, body: "hi", got: "{}"},
	{fact: "E6.14 path variable of no field", d: rule(`get: "/v1/{zz}"`), req: "GET /v1/1", status: 415, got: "-"},
	{fact: "E6.14 path variable of no field, ignored", d: rule(`get: "/v1/{zz}"`), options: options{"ignore_unknown_query_parameters": true},
		req: "GET /v1/1", status: 200, body: "{}", got: "{}"},
	{fact: "E6.14 body names a nested scalar", d: rule(`post: "/v1/m" body: "n.b"`), req: `POST /v1/m "x"`, status: 200, body: "{}", got: `{"n":{"b":"x"}}`},
	{fact: "E6.14 body names a nested scalar, object", d: rule(`post: "/v1/m" body: "n.b"`), req: `POST /v1/m {"b":"x"}`, status: 400, body: "*", got: "-"},
	{fact: "E6.14 body names a nested message", d: rule(`post: "/v1/m" body: "n.n"`), req: `POST /v1/m {"b":"x"}`, status: 200, body: "{}", got: `{"n":{"n":{"b":"x"}}}`},
	{fact: "E6.14 body names a nested message, query too", d: rule(`post: "/v1/m" body: "n.n"`), req: `POST /v1/m?n.i=5 {"b":"x"}`, status: 200, body: "{}", got: `{"n":{"i":5,"n":{"b":"x"}}}`},
	{fact: "E6.14 body names a message", d: rule(`post: "/v1/m" body: "n"`), req: `POST /v1/m?a=q {"b":"x"}`, status: 200, body: "{}", got: `{"a":"q","n":{"b":"x"}}`},
	{fact: "E6.14 body names a scalar", d: rule(`post: "/v1/m" body: "a"`), req: `POST /v1/m "x"`, status: 200, body: "{}", got: `{"a":"x"}`},
	{fact: "E6.14 option without pattern", d: rule(`body: "*"`), req: "POST /v1/m {}", status: 415, got: "-"},
	{fact: "E6.14 nested additional_bindings", d: rule(`get: "/v1/m" additional_bindings { get: "/v1/n" additional_bindings { get: "/v1/o" } }`),
		req: "GET /v1/o?a=1", status: 200, body: "{}", got: `{"a":"1"}`},
	{fact: "E3 F1b two methods, one template", d: clash, req: "GET /v1/x/1", status: 415, got: "-"},
	{fact: "F1b the others stay", d: clash, req: "GET /v1/y/1", status: 200, body: "{}", got: `{"a":"1"}`},
}

const clash = schema(`
	Q: string a = 1; string b = 2;
	service T {
	  rpc One(Q) returns (R) { option (google.api.http) = {get: "/v1/x/{a}"}; }
	  rpc Two(Q) returns (R) { option (google.api.http) = {get: "/v1/x/{b}"}; }
	  rpc Three(Q) returns (R) { option (google.api.http) = {get: "/v1/y/{a}"}; }
	}`)
