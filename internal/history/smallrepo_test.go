package history_test

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/source"
)

// step is one commit of a small repository: its subject, and files by name; "" deletes one, "-> x" says where it moved. A
// subject that begins with "tag " is a tag for the commit before.
type step struct {
	subject string
	files   map[string]string
}

// built writes a repository with a commit for each step, and opens it.
func built(t *testing.T, steps ...step) *world {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i, s := range steps {
		if name, ok := strings.CutPrefix(s.subject, "tag "); ok {
			if err := w.Tag(name, "main", source.Person{}, time.Time{}, ""); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c := source.Change{
			Author: source.Person{Name: "ops", Mail: "ops@example.com"}, When: time.Unix(1_700_000_000+int64(i)*3600, 0).UTC(),
			Message: s.subject, Files: map[string][]byte{}, Renames: map[string]string{},
		}
		for name, content := range s.files {
			if to, moved := strings.CutPrefix(content, "-> "); moved {
				c.Renames[name] = to
			} else if c.Files[name] = []byte(content); content == "" {
				c.Files[name] = nil
			}
		}
		if _, err := w.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return openWorld(t, dir)
}

// files joins what a commit changes.
func files(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		for name, content := range m {
			out[name] = content
		}
	}
	return out
}

// workload is a Deployment in a file of its own, whose proxy reads a ConfigMap.
func workload(name, image, config string) map[string]string {
	return map[string]string{"app/" + name + ".yaml": fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: shop}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata:
      labels: {app: %[1]s, api: "yes"}
      annotations:
        sidecar.istio.io/userVolume: '[{"name":"pb","configMap":{"name":"%[3]s"}}]'
        sidecar.istio.io/userVolumeMount: '[{"name":"pb","mountPath":"/etc/envoy/pb"}]'
    spec:
      containers:
        - name: api
          image: %[2]s
`, name, image, config)}
}

// configMap is a ConfigMap with the descriptor of a service that has these methods.
func configMap(t *testing.T, name string, methods ...string) map[string]string {
	t.Helper()
	raw, err := descriptor.Compile(t.Context(), []string{"a.proto"}, func(name string) ([]byte, error) {
		if name != "a.proto" {
			return nil, fs.ErrNotExist
		}
		text := "syntax = \"proto3\"; package a; message M {}\nservice S {"
		for _, m := range methods {
			text += "rpc " + m + "(M) returns (M);"
		}
		return []byte(text + "}"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rawConfigMap(name, raw)
}

func rawConfigMap(name string, raw []byte) map[string]string {
	return map[string]string{"app/" + name + ".yaml": fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: %s, namespace: shop}
binaryData: {api.pb: %s}
`, name, base64.StdEncoding.EncodeToString(raw))}
}

// incomplete is a descriptor set that lacks a file, as protoc writes it without --include_imports.
func incomplete(t *testing.T) []byte {
	t.Helper()
	raw, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{
		Name: proto.String("a.proto"), Package: proto.String("a"), Dependency: []string{"missing.proto"},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: proto.String("S")}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var filter = map[string]string{"app/filter.yaml": `apiVersion: networking.istio.io/v1alpha3
kind: EnvoyFilter
metadata: {name: transcoder, namespace: shop}
spec:
  workloadSelector: {labels: {api: "yes"}}
  configPatches:
  - applyTo: HTTP_FILTER
    match: {context: SIDECAR_INBOUND}
    patch:
      operation: INSERT_BEFORE
      value:
        name: envoy.filters.http.grpc_json_transcoder
        typed_config:
          '@type': type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder
          proto_descriptor: /etc/envoy/pb/api.pb
          services: [a.S]
`}

// start is the first commit of most repositories below: image r/api:v1 with one method.
func start(t *testing.T) step {
	return step{"start", files(workload("api", "r/api:v1", "pb"), configMap(t, "pb", "One"), filter)}
}

// listed is a kustomization of these files.
func listed(names ...string) map[string]string {
	return map[string]string{"app/kustomization.yaml": "resources: [" + strings.Join(names, ", ") + "]\n"}
}
