package descriptor

import "strings"

// Message names that carry the configuration, and wrappers around it.
const (
	transcoderV2  = "envoy.config.filter.http.transcoder.v2.GrpcJsonTranscoder"
	transcoderV3  = "envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder"
	udpaStruct    = "udpa.type.v1.TypedStruct"
	xdsStruct     = "xds.type.v3.TypedStruct"
	untypedStruct = "google.protobuf.Struct"
)

// transcoderConfig finds the transcoder's message in a filter; false if the filter is another one. A type decides where
// there is one; only an untyped configuration goes by the filter's name.
func transcoderConfig(filter map[string]any) (map[string]any, bool) {
	byName := isTranscoderName(filter["name"])
	if typed := child(filter, "typed_config", "typedConfig"); typed != nil {
		return typedConfig(typed, byName)
	}
	if config := child(filter, "config"); config != nil && byName {
		return config, true
	}
	return nil, false
}

func typedConfig(typed map[string]any, byName bool) (map[string]any, bool) {
	switch messageName(typed["@type"]) {
	case transcoderV2, transcoderV3:
		return without(typed, "@type"), true
	case udpaStruct, xdsStruct:
		url, ok := typed["type_url"]
		if !ok {
			url = typed["typeUrl"]
		}
		if name := messageName(url); name != transcoderV2 && name != transcoderV3 {
			return nil, false
		}
		return orEmpty(child(typed, "value")), true
	case untypedStruct:
		if byName {
			return orEmpty(child(typed, "value")), true
		}
	}
	return nil, false
}

func isTranscoderName(v any) bool {
	switch v {
	case "envoy.filters.http.grpc_json_transcoder", "envoy.grpc_json_transcoder", "grpc_json_transcoder":
		return true
	}
	return false
}

// messageName is what follows the last slash of a type URL.
func messageName(url any) string {
	s, _ := url.(string)
	return s[strings.LastIndexByte(s, '/')+1:]
}

func child(m map[string]any, names ...string) map[string]any {
	for _, name := range names {
		if c, ok := m[name].(map[string]any); ok {
			return c
		}
	}
	return nil
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func without(m map[string]any, key string) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if k != key {
			out[k] = v
		}
	}
	return out
}
