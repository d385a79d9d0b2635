package match_test

import (
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// api is the set of a service with these methods, messages for them and what else is declared.
func api(t testing.TB, methods, request, answer, more string) *descriptor.Set {
	t.Helper()
	if methods == "" {
		methods = put
	}
	return decode(t, map[string]string{"shop.proto": `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/api/httpbody.proto";
service Shop { ` + methods + ` }
message Request { string id = 1; ` + request + ` }
message Answer { string id = 1; ` + answer + ` }
` + more})
}

const (
	get    = `rpc Get(Request) returns (Answer) { option (google.api.http) = { get: "/v1/things/{id}" }; }`
	put    = `rpc Put(Request) returns (Answer) { option (google.api.http) = { post: "/v1/things" body: "*" }; }`
	search = `rpc Search(Request) returns (Answer) { option (google.api.http) = { get: "/v1/search" }; }`
	till   = `service Till { rpc Open(Request) returns (Answer) { option (google.api.http) = { get: "/v1/till" }; } }`
	colour = `enum Colour { NONE = 0; RED = 1; }`
	blue   = `enum Colour { NONE = 0; RED = 1; BLUE = 2; }`
)

func decode(t testing.TB, sources map[string]string) *descriptor.Set {
	t.Helper()
	raw, err := descriptor.Compile(t.Context(), slices.Sorted(maps.Keys(sources)), func(name string) ([]byte, error) {
		text, ok := sources[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatalf("compile: %v\n%v", err, sources)
	}
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
