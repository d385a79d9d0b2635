package descriptor_test

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

func u32(n uint32) *uint32 { return &n }

func TestDecodeTranscoder(t *testing.T) {
	simple := &descriptor.Transcoder{
		ProtoDescriptor: "/etc/envoy/proto.pb",
		Services:        []string{"orders.v1.Orders"},
		URLUnescapeSpec: "ALL_CHARACTERS_EXCEPT_RESERVED",
	}
	for _, c := range []struct {
		name, json string
		want       *descriptor.Transcoder // nil: another filter
	}{
		{"v3", `{"name": "anything", "typed_config": {
			"@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
			"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}`, simple},
		{"v3 in lowerCamelCase", `{"typedConfig": {
			"@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
			"protoDescriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}`, simple},
		{"v2", `{"name": "envoy.grpc_json_transcoder", "typed_config": {
			"@type": "type.googleapis.com/envoy.config.filter.http.transcoder.v2.GrpcJsonTranscoder",
			"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}`, simple},
		{"udpa TypedStruct", `{"name": "x", "typed_config": {
			"@type": "type.googleapis.com/udpa.type.v1.TypedStruct",
			"type_url": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
			"value": {"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}}`, simple},
		{"xds TypedStruct in lowerCamelCase", `{"name": "x", "typedConfig": {
			"@type": "type.googleapis.com/xds.type.v3.TypedStruct",
			"typeUrl": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
			"value": {"protoDescriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}}`, simple},
		{"Struct under the filter's name", `{"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": {
			"@type": "type.googleapis.com/google.protobuf.Struct",
			"value": {"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}}`, simple},
		{"untyped, old name", `{"name": "envoy.grpc_json_transcoder", "config": {
			"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}`, simple},
		{"untyped, new name", `{"name": "envoy.filters.http.grpc_json_transcoder", "config": {
			"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"]}}`, simple},
		{"null is not set", `{"name": "envoy.grpc_json_transcoder", "config": {
			"proto_descriptor": "/etc/envoy/proto.pb", "services": ["orders.v1.Orders"], "auto_mapping": null, "print_options": null}}`, simple},
		{"all options", `{"name": "envoy.grpc_json_transcoder", "config": {
			"proto_descriptor_bin": "AQ_-", "services": ["a.A", "b.B"],
			"auto_mapping": true, "match_incoming_request_route": true, "match_unregistered_custom_verb": "true",
			"url_unescape_spec": "ALL_CHARACTERS", "query_param_unescape_plus": true,
			"ignored_query_parameters": ["key"], "ignore_unknown_query_parameters": true,
			"capture_unknown_query_parameters": true, "convert_grpc_status": true, "case_insensitive_enum_parsing": true,
			"max_request_body_size": 1024, "max_response_body_size": "2048",
			"request_validation_options": {"reject_unknown_method": true, "reject_unknown_query_parameters": true,
				"reject_binding_body_field_collisions": true},
			"print_options": {"add_whitespace": true, "always_print_primitive_fields": true, "always_print_enums_as_ints": true,
				"preserve_proto_field_names": true, "stream_newline_delimited": true, "stream_sse_style_delimited": true}}}`,
			&descriptor.Transcoder{
				ProtoDescriptorBin: []byte{0x01, 0x0f, 0xfe}, Services: []string{"a.A", "b.B"},
				AutoMapping: true, MatchIncomingRequestRoute: true, MatchUnregisteredCustomVerb: true,
				URLUnescapeSpec: "ALL_CHARACTERS", QueryParamUnescapePlus: true,
				IgnoredQueryParameters: []string{"key"}, IgnoreUnknownQueryParameters: true,
				CaptureUnknownQueryParameters: true, ConvertGRPCStatus: true, CaseInsensitiveEnumParsing: true,
				MaxRequestBodySize: u32(1024), MaxResponseBodySize: u32(2048),
				RequestValidation: descriptor.RequestValidation{RejectUnknownMethod: true, RejectUnknownQueryParameters: true,
					RejectBindingBodyFieldCollisions: true},
				PrintOptions: descriptor.PrintOptions{AddWhitespace: true, AlwaysPrintPrimitiveFields: true, AlwaysPrintEnumsAsInts: true,
					PreserveProtoFieldNames: true, StreamNewlineDelimited: true, StreamSSEStyleDelimited: true},
			}},
		{"options in lowerCamelCase, enum by number", `{"name": "envoy.grpc_json_transcoder", "config": {
			"autoMapping": true, "urlUnescapeSpec": 1, "maxRequestBodySize": 7,
			"requestValidationOptions": {"rejectUnknownMethod": true}, "printOptions": {"streamSseStyleDelimited": true}}}`,
			&descriptor.Transcoder{AutoMapping: true, URLUnescapeSpec: "ALL_CHARACTERS_EXCEPT_SLASH", MaxRequestBodySize: u32(7),
				RequestValidation: descriptor.RequestValidation{RejectUnknownMethod: true},
				PrintOptions:      descriptor.PrintOptions{StreamSSEStyleDelimited: true}}},
		{"unknown keys", `{"name": "envoy.grpc_json_transcoder", "config": {
			"services": ["a.A"], "zeal": 1, "print_options": {"fancy": true}, "auto-mapping": true}}`,
			&descriptor.Transcoder{Services: []string{"a.A"}, URLUnescapeSpec: "ALL_CHARACTERS_EXCEPT_RESERVED",
				Unknown: []string{"auto-mapping", "print_options.fancy", "zeal"}}},
		{"another filter", `{"name": "envoy.filters.http.router", "typed_config": {
			"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}`, nil},
		{"the reverse transcoder", `{"name": "envoy.filters.http.grpc_json_reverse_transcoder", "typed_config": {
			"@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_reverse_transcoder.v3.GrpcJsonReverseTranscoder",
			"descriptor_path": "/x"}}`, nil},
		{"the type goes before the name", `{"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": {
			"@type": "type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua"}}`, nil},
		{"a TypedStruct of another type", `{"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": {
			"@type": "type.googleapis.com/udpa.type.v1.TypedStruct", "type_url": "type.googleapis.com/x.Lua", "value": {}}}`, nil},
		{"untyped under another name", `{"name": "envoy.lua", "config": {"proto_descriptor": "/x"}}`, nil},
		{"only a name", `{"name": "envoy.grpc_json_transcoder"}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok, err := descriptor.DecodeTranscoder([]byte(c.json))
			if err != nil {
				t.Fatal(err)
			}
			if ok != (c.want != nil) {
				t.Fatalf("is a transcoder: %t", ok)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestDecodeTranscoderErrors(t *testing.T) {
	for _, c := range []struct {
		name, json string
		is         bool // known to be a transcoder
		want       string
	}{
		{"placeholder", `{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor_bin": "<base64-encoded-descriptor>"}}`,
			true, "grpc_json_transcoder: proto_descriptor_bin is not base64: illegal base64 data at input byte 0"},
		{"spaces in base64", `{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor_bin": "AQ ID"}}`, true, "not base64"},
		{"bytes as a list", `{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor_bin": [1]}}`, true, "proto_descriptor_bin is not a string"},
		{"both descriptors", `{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor": "/x", "proto_descriptor_bin": "AQ=="}}`,
			true, "exclude each other"},
		{"one field in two spellings", `{"name": "envoy.grpc_json_transcoder", "config": {"autoMapping": true, "auto_mapping": false}}`,
			true, "auto_mapping is set twice, also as autoMapping"},
		{"services as text", `{"name": "envoy.grpc_json_transcoder", "config": {"services": "a.A"}}`, true, "services is not a list"},
		{"a service that is no text", `{"name": "envoy.grpc_json_transcoder", "config": {"services": ["a.A", 2]}}`, true, "services[1] is not a string"},
		{"boolean", `{"name": "envoy.grpc_json_transcoder", "config": {"auto_mapping": "yes"}}`, true, "auto_mapping is not a boolean"},
		{"boolean inside", `{"name": "envoy.grpc_json_transcoder", "config": {"print_options": {"add_whitespace": 1}}}`,
			true, "print_options.add_whitespace is not a boolean"},
		{"options as text", `{"name": "envoy.grpc_json_transcoder", "config": {"print_options": "all"}}`, true, "print_options is not an object"},
		{"enum", `{"name": "envoy.grpc_json_transcoder", "config": {"url_unescape_spec": "ALL"}}`, true, "url_unescape_spec is none of"},
		{"enum number", `{"name": "envoy.grpc_json_transcoder", "config": {"url_unescape_spec": 3}}`, true, "url_unescape_spec is none of"},
		{"size below zero", `{"name": "envoy.grpc_json_transcoder", "config": {"max_request_body_size": -1}}`, true, "max_request_body_size is not a number"},
		{"size too large", `{"name": "envoy.grpc_json_transcoder", "config": {"max_response_body_size": 4294967296}}`, true, "max_response_body_size is not a number"},
		{"path as number", `{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor": 5}}`, true, "proto_descriptor is not a string"},
		{"no JSON", `{"name"`, false, "filter: unexpected EOF"},
		{"a list", `[]`, false, "filter: json: cannot unmarshal array"},
		{"two values", `{} {}`, false, "more than one JSON value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ok, err := descriptor.DecodeTranscoder([]byte(c.json))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if ok != c.is {
				t.Errorf("is a transcoder: %t, want %t", ok, c.is)
			}
		})
	}
}

func TestErrorsDoNotRepeatValues(t *testing.T) {
	for _, field := range []string{"proto_descriptor_bin", "url_unescape_spec", "auto_mapping", "max_request_body_size", "print_options"} {
		_, _, err := descriptor.DecodeTranscoder([]byte(`{"name": "envoy.grpc_json_transcoder", "config": {"` + field + `": "s3cret!"}}`))
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: error %v", field, err)
		}
	}
}

func TestBase64Forms(t *testing.T) {
	want := []byte{0xfb, 0xff, 0xfe, 0x00}
	for _, s := range []string{
		base64.StdEncoding.EncodeToString(want), base64.RawStdEncoding.EncodeToString(want),
		base64.URLEncoding.EncodeToString(want), base64.RawURLEncoding.EncodeToString(want), `+//+\nAA==\n`,
	} {
		got, ok, err := descriptor.DecodeTranscoder([]byte(`{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor_bin": "` + s + `"}}`))
		if err != nil || !ok || string(got.ProtoDescriptorBin) != string(want) {
			t.Errorf("%q: %v, %t, %v", s, got, ok, err)
		}
	}
}

func FuzzDecodeTranscoder(f *testing.F) {
	f.Add([]byte(`{"name": "envoy.grpc_json_transcoder", "config": {"proto_descriptor_bin": "AQ==", "services": ["a"], "max_request_body_size": 1e3}}`))
	f.Add([]byte(`{"typed_config": {"@type": "x/udpa.type.v1.TypedStruct", "type_url": "envoy.config.filter.http.transcoder.v2.GrpcJsonTranscoder"}}`))
	f.Add([]byte(`{"name": null, "config": []}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok, err := descriptor.DecodeTranscoder(raw)
		if (got != nil) != (ok && err == nil) {
			t.Errorf("%v, %t, %v", got, ok, err)
		}
	})
}
