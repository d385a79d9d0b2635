package dictionary

import (
	"encoding/base64"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// manifestSeeds are a ConfigMap and EnvoyFilters; $PB stands for a descriptor set in base64.
var manifestSeeds = []string{
	`apiVersion: v1
kind: ConfigMap
metadata: {name: api}
binaryData: {api.pb: $PB}
---
apiVersion: networking.istio.io/v1alpha3
kind: EnvoyFilter
metadata: {name: transcoder}
spec:
  configPatches:
  - applyTo: HTTP_FILTER
    patch:
      operation: INSERT_BEFORE
      value:
        name: envoy.filters.http.grpc_json_transcoder
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder
          proto_descriptor: /etc/api.pb
          services: [t.S]
`,
	`apiVersion: networking.istio.io/v1alpha3
kind: EnvoyFilter
metadata: {name: transcoder}
spec:
  filters:
  - filterName: envoy.grpc_json_transcoder
    filterType: HTTP
    filterConfig: {proto_descriptor_bin: $PB, services: [t.S], print_options: {add_whitespace: true}}
`,
	`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"api.pb":"$PB"}}]}`,
	"apiVersion: v1\nkind: ConfigMap\nbinaryData: {a: 1, b: !!binary eA==}\ndata: [x]\n",
	"&a [*a]",
}

// FuzzManifest reads any text as a manifest: nothing panics, and either there is a set or an error that says why not.
func FuzzManifest(f *testing.F) {
	raw, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{
		Name: proto.String("t.proto"), Package: proto.String("t"),
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("M")}},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: proto.String("S"), Method: []*descriptorpb.MethodDescriptorProto{
			{Name: proto.String("Get"), InputType: proto.String(".t.M"), OutputType: proto.String(".t.M")},
		}}},
	}}})
	if err != nil {
		f.Fatal(err)
	}
	for i, seed := range manifestSeeds {
		text := []byte(strings.ReplaceAll(seed, "$PB", base64.StdEncoding.EncodeToString(raw)))
		f.Add(text)
		if found, err := (&Reader{}).manifest("m.yaml", text); i < 2 && (err != nil || found.Set == nil || found.Filter == nil) {
			f.Fatalf("seed %d: %+v, %v", i, found, err)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, key := range []string{"", "api.pb"} {
			found, err := (&Reader{Key: key}).manifest("m.yaml", text)
			if err == nil && found.Set == nil || err != nil && err.Error() == "" {
				t.Errorf("%+v, %v", found, err)
			}
		}
	})
}
