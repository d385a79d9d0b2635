package discover

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/syncproof/syncproof/internal/discover/locate"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/unit"
)

// renderings renders each request once: the guess of roots asks for the same Applications from several sides.
type renderings struct {
	renderer render.Renderer
	mu       sync.Mutex
	done     map[string]*rendering
}

type rendering struct {
	once   sync.Once
	result render.Result
	err    error
}

func newRenderings(r render.Renderer) *renderings {
	return &renderings{renderer: r, done: map[string]*rendering{}}
}

// get renders a request over the tree of a place. The result is shared: callers copy what they change.
func (r *renderings) get(ctx context.Context, l locate.Place, req unit.Request) (unit.Rendering, error) {
	raw, err := json.Marshal(req)
	if err != nil {
		return unit.Rendering{}, fmt.Errorf("encode request: %w", err)
	}
	key := l.Key + "\x00" + string(raw)
	r.mu.Lock()
	e := r.done[key]
	if e == nil {
		e = &rendering{}
		r.done[key] = e
	}
	r.mu.Unlock()
	e.once.Do(func() { e.result, e.err = r.renderer.Render(ctx, l.Tree, req) })
	return e.result.Rendering, e.err
}
