package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Remembering renders with another renderer, and only what it has not rendered before: a result stands for every tree that
// answers alike all that was read for it, missing names and listings included. Gaps are results like any other, except
// those that hang on this machine.
type Remembering struct {
	renderer Renderer
	known    memo.Table[Result]
}

var _ Renderer = (*Remembering)(nil)

// Remember makes a renderer remember. A memo is for one renderer: results of pools with different keys for their secrets
// must not mix.
func Remember(r Renderer, m *memo.Memo) *Remembering {
	return &Remembering{r, memo.In[Result](m, "rendering")}
}

// Render implements [Renderer].
func (r *Remembering) Render(ctx context.Context, t source.Tree, req unit.Request) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	revision := req.Revision
	req.Revision = ""
	key, err := keyOf(req)
	if err != nil {
		return Result{}, err
	}
	req.Revision = revision
	atRevision := key + " " + revision
	for _, k := range []string{key, atRevision} {
		if known, ok := r.known.Get(t, k); ok {
			return known, nil
		}
	}
	result, err := r.renderer.Render(ctx, t, req)
	if err != nil || !lasting(result) {
		return result, err
	}
	if result.Revision {
		key = atRevision
	}
	size := r.share(&result, key)
	r.known.Put(t, key, result.Trace, result, size)
	return result, nil
}

// keyOf stands for all that decides a rendering besides the tree: what a worker is told.
func keyOf(req unit.Request) (string, error) {
	raw, err := json.Marshal(worker.NewJob(0, req))
	if err != nil {
		return "", fmt.Errorf("encode request: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// lasting tells whether a result depends on the request and the trace alone.
func lasting(r Result) bool {
	return !r.Died && !slices.ContainsFunc(r.Gaps, func(g diag.Gap) bool { return g.Reason == diag.RenderLimit })
}

// share takes the fields of objects from the last result of the same key where they are equal: a release changes a few
// objects of a unit, and a replay keeps them all. It gives the size of what is new, in bytes and roughly.
func (r *Remembering) share(fresh *Result, key string) int64 {
	before, _ := r.known.Last(key)
	fields := map[object.ID]map[string]any{}
	for _, o := range before.Objects {
		fields[o.ID] = o.Fields
	}
	size := int64(0)
	for i, o := range fresh.Objects {
		size += 256
		if known, ok := fields[o.ID]; ok && reflect.DeepEqual(known, o.Fields) {
			fresh.Objects[i].Fields = known
			continue
		}
		size += sizeOf(o.Fields)
	}
	return size
}

// sizeOf is about what a decoded value takes in memory, in bytes.
func sizeOf(v any) int64 {
	size := int64(16)
	switch v := v.(type) {
	case map[string]any:
		size += 48
		for name, e := range v {
			size += int64(len(name)) + 24 + sizeOf(e)
		}
	case []any:
		for _, e := range v {
			size += sizeOf(e)
		}
	case string:
		size += int64(len(v))
	}
	return size
}
