package demo

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// compile makes a descriptor set of all .proto files below root, as the build of the application does.
func compile(ctx context.Context, t tree, root string) ([]byte, error) {
	sources := map[string][]byte{}
	for p, content := range t {
		if name, ok := strings.CutPrefix(p, root+"/"); ok && strings.HasSuffix(name, ".proto") {
			sources[name] = content
		}
	}
	set, err := descriptor.Compile(ctx, slices.Sorted(maps.Keys(sources)), func(name string) ([]byte, error) {
		content, ok := sources[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return content, nil
	})
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", root, err)
	}
	return set, nil
}
