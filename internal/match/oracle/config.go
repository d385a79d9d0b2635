package oracle

// destination is the header by which a route says where the server is: servers come and go, Envoy's one cluster stays.
const destination = "x-oracle-server"

// bootstrap is Envoy's configuration: listeners from a file, static ones, and one cluster that speaks HTTP/2.
func bootstrap(list string, static ...any) map[string]any {
	return map[string]any{
		"node":  map[string]any{"id": "oracle", "cluster": "oracle"},
		"admin": map[string]any{"address": loopback()},
		"dynamic_resources": map[string]any{
			"lds_config": map[string]any{
				"path_config_source":   map[string]any{"path": list},
				"resource_api_version": "V3",
			},
		},
		"static_resources": map[string]any{
			"clusters": []any{map[string]any{
				"name":            "server",
				"type":            "ORIGINAL_DST",
				"lb_policy":       "CLUSTER_PROVIDED",
				"connect_timeout": "5s",
				"original_dst_lb_config": map[string]any{
					"use_http_header":  true,
					"http_header_name": destination,
				},
				"typed_extension_protocol_options": map[string]any{
					"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": map[string]any{
						"@type":                "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
						"explicit_http_config": map[string]any{"http2_protocol_options": map[string]any{}},
					},
				},
			}},
			"listeners": append(static, listener(pingListener, []any{map[string]any{
				"match":           map[string]any{"prefix": "/"},
				"direct_response": map[string]any{"status": 200},
			}})),
		},
	}
}

// loopback is an address whose port the system chooses.
func loopback() map[string]any {
	return map[string]any{"socket_address": map[string]any{"address": "127.0.0.1", "port_value": 0}}
}

// listener takes HTTP, runs filters, and routes.
func listener(name string, routes []any, filters ...any) map[string]any {
	router := map[string]any{
		"name":         "envoy.filters.http.router",
		"typed_config": map[string]any{"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
	}
	manager := map[string]any{
		"@type":               "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
		"stat_prefix":         "oracle",
		"generate_request_id": false,
		"http_filters":        append(filters, router),
		"route_config": map[string]any{
			"name":          "oracle",
			"virtual_hosts": []any{map[string]any{"name": "oracle", "domains": []any{"*"}, "routes": routes}},
		},
	}
	return map[string]any{
		"name":              name,
		"address":           loopback(),
		"enable_reuse_port": false,
		"filter_chains": []any{map[string]any{
			"filters": []any{map[string]any{
				"name":         "envoy.filters.network.http_connection_manager",
				"typed_config": manager,
			}},
		}},
	}
}

// routes lead paths with one of the prefixes to the server at an address.
func routes(prefixes []string, address string) []any {
	if prefixes == nil {
		prefixes = []string{"/"}
	}
	var out []any
	for _, prefix := range prefixes {
		out = append(out, map[string]any{
			"match": map[string]any{"prefix": prefix},
			"route": map[string]any{"cluster": "server", "timeout": "10s"},
			"request_headers_to_add": []any{map[string]any{
				"header":        map[string]any{"key": destination, "value": address},
				"append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
			}},
		})
	}
	return out
}
