package oracle_test

import (
	"context"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/oracle"
)

var binary = flag.String("envoy", "", "path of Envoy; without it, .envoy/envoy below the module root")

// start runs an oracle, or skips; where CI is set there must be one.
func start(t *testing.T) *oracle.Oracle {
	t.Helper()
	return oracle.Start(t, oracle.Options{Binary: *binary, Required: os.Getenv("CI") == "true"})
}

// sets are those that were compiled, by text: most are wanted by several tests.
var sets sync.Map

// compile gives the serialized set of one file and its imports, in order.
func compile(t testing.TB, text string) []byte {
	t.Helper()
	if raw, ok := sets.Load(text); ok {
		return slices.Clone(raw.([]byte))
	}
	raw, err := compiled(map[string]string{"t.proto": text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	sets.Store(text, raw)
	return slices.Clone(raw)
}

func compiled(sources map[string]string) ([]byte, error) {
	return descriptor.Compile(context.Background(), slices.Collect(maps.Keys(sources)), func(name string) ([]byte, error) {
		text, ok := sources[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
}
