package pair_test

import (
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// compile gives the serialized set of one file and its imports, in order.
func compile(t testing.TB, text string) []byte {
	t.Helper()
	return compileFiles(t, map[string]string{"t.proto": text})
}

func compileFiles(t testing.TB, sources map[string]string) []byte {
	t.Helper()
	raw, err := descriptor.Compile(t.Context(), slices.Collect(maps.Keys(sources)), func(name string) ([]byte, error) {
		text, ok := sources[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatalf("compile: %v\n%v", err, sources)
	}
	return raw
}

func decode(t testing.TB, text string) *descriptor.Set {
	t.Helper()
	set, err := descriptor.Decode(compile(t, text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return set
}
