package descriptor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Transcoder is the configuration of Envoy's grpc_json_transcoder filter. Fields are those of the v3 message
// (envoy/extensions/filters/http/grpc_json_transcoder/v3/transcoder.proto); the v2 message has a part of them.
type Transcoder struct {
	ProtoDescriptor    string // path of the file with the descriptor set; "" when it is inline
	ProtoDescriptorBin []byte // the descriptor set itself; nil when it is a file
	// Services are the fully qualified names that are exposed, as written. With none the filter is off, and Envoy does not
	// even read the descriptor.
	Services []string

	AutoMapping                   bool
	MatchIncomingRequestRoute     bool
	MatchUnregisteredCustomVerb   bool
	URLUnescapeSpec               string // name of the enum value; the default is written out
	QueryParamUnescapePlus        bool
	IgnoredQueryParameters        []string
	IgnoreUnknownQueryParameters  bool
	CaptureUnknownQueryParameters bool
	RequestValidation             RequestValidation
	PrintOptions                  PrintOptions
	ConvertGRPCStatus             bool
	CaseInsensitiveEnumParsing    bool
	MaxRequestBodySize            *uint32 // nil: not set
	MaxResponseBodySize           *uint32

	// Unknown lists keys that this package does not know, by their path ("print_options.fancy"), sorted. What they do is
	// not reflected in the other fields.
	Unknown []string
}

// RequestValidation is request_validation_options.
type RequestValidation struct {
	RejectUnknownMethod              bool
	RejectUnknownQueryParameters     bool
	RejectBindingBodyFieldCollisions bool
}

// PrintOptions is print_options.
type PrintOptions struct {
	AddWhitespace              bool
	AlwaysPrintPrimitiveFields bool
	AlwaysPrintEnumsAsInts     bool
	PreserveProtoFieldNames    bool
	StreamNewlineDelimited     bool
	StreamSSEStyleDelimited    bool
}

// maxFilter leaves room for an inline descriptor set of MaxSize in base64.
const maxFilter = 2 * MaxSize

// DecodeTranscoder reads one HTTP filter of an Envoy configuration, in JSON: {"name": ..., "typed_config": {...}} in any of
// the forms that [FromFields] takes. False means that it is another filter; true with an error, that it is a transcoder
// whose configuration cannot be read.
func DecodeTranscoder(raw []byte) (*Transcoder, bool, error) {
	if len(raw) > maxFilter {
		return nil, false, fmt.Errorf("filter of %d bytes: more than the limit of %d", len(raw), maxFilter)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var filter map[string]any
	if err := d.Decode(&filter); err != nil {
		return nil, false, fmt.Errorf("filter: %w", err)
	}
	if d.More() {
		return nil, false, fmt.Errorf("filter: more than one JSON value")
	}
	return FromFields(filter)
}

// FromFields is [DecodeTranscoder] for decoded JSON. It takes typed_config with the type of the v2 or v3 message, a
// TypedStruct or Struct around it, and the older untyped config under the filter's name; keys in snake_case or
// lowerCamelCase, as protobuf's JSON form has them. Errors never repeat a value: it may be confidential.
func FromFields(filter map[string]any) (*Transcoder, bool, error) {
	config, ok := transcoderConfig(filter)
	if !ok {
		return nil, false, nil
	}
	t, err := read(config)
	if err != nil {
		return nil, true, fmt.Errorf("grpc_json_transcoder: %w", err)
	}
	return t, true, nil
}

func read(config map[string]any) (*Transcoder, error) {
	m := newMessage("", config)
	t := &Transcoder{
		ProtoDescriptor:               m.text("proto_descriptor"),
		ProtoDescriptorBin:            m.bytes("proto_descriptor_bin"),
		Services:                      m.texts("services"),
		AutoMapping:                   m.flag("auto_mapping"),
		MatchIncomingRequestRoute:     m.flag("match_incoming_request_route"),
		MatchUnregisteredCustomVerb:   m.flag("match_unregistered_custom_verb"),
		URLUnescapeSpec:               m.enum("url_unescape_spec", unescapeSpecs),
		QueryParamUnescapePlus:        m.flag("query_param_unescape_plus"),
		IgnoredQueryParameters:        m.texts("ignored_query_parameters"),
		IgnoreUnknownQueryParameters:  m.flag("ignore_unknown_query_parameters"),
		CaptureUnknownQueryParameters: m.flag("capture_unknown_query_parameters"),
		ConvertGRPCStatus:             m.flag("convert_grpc_status"),
		CaseInsensitiveEnumParsing:    m.flag("case_insensitive_enum_parsing"),
		MaxRequestBodySize:            m.size("max_request_body_size"),
		MaxResponseBodySize:           m.size("max_response_body_size"),
	}
	v := m.message("request_validation_options")
	t.RequestValidation = RequestValidation{
		RejectUnknownMethod:              v.flag("reject_unknown_method"),
		RejectUnknownQueryParameters:     v.flag("reject_unknown_query_parameters"),
		RejectBindingBodyFieldCollisions: v.flag("reject_binding_body_field_collisions"),
	}
	p := m.message("print_options")
	t.PrintOptions = PrintOptions{
		AddWhitespace:              p.flag("add_whitespace"),
		AlwaysPrintPrimitiveFields: p.flag("always_print_primitive_fields"),
		AlwaysPrintEnumsAsInts:     p.flag("always_print_enums_as_ints"),
		PreserveProtoFieldNames:    p.flag("preserve_proto_field_names"),
		StreamNewlineDelimited:     p.flag("stream_newline_delimited"),
		StreamSSEStyleDelimited:    p.flag("stream_sse_style_delimited"),
	}
	t.Unknown = slices.Sorted(slices.Values(slices.Concat(m.unknown(), v.unknown(), p.unknown())))
	if t.ProtoDescriptor != "" && t.ProtoDescriptorBin != nil {
		m.fail("proto_descriptor and proto_descriptor_bin exclude each other")
	}
	for _, part := range []*message{m, v, p} {
		if part.err != nil {
			return nil, part.err
		}
	}
	return t, nil
}

// unescapeSpecs are the values of UrlUnescapeSpec by number.
var unescapeSpecs = []string{"ALL_CHARACTERS_EXCEPT_RESERVED", "ALL_CHARACTERS_EXCEPT_SLASH", "ALL_CHARACTERS"}

// decodeBase64 reads bytes as protobuf's JSON form has them: either alphabet, with or without padding; line breaks are
// ignored.
func decodeBase64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "=\r\n"))
	if err != nil {
		return nil, fmt.Errorf("is not base64: %w", err)
	}
	return raw, nil
}
