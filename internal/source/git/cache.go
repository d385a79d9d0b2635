package git

import (
	"container/list"
	"sync"
)

// cache keeps values by object id, up to a total cost, and drops those that were used longest ago. What costs more than
// a quarter of it is not kept at all.
type cache[V any] struct {
	mu    sync.Mutex
	limit int64
	used  int64
	items map[string]*list.Element
	order *list.List // of held[V], the last used in front
}

type held[V any] struct {
	key   string
	value V
	cost  int64
}

func newCache[V any](limit int64) *cache[V] {
	return &cache[V]{limit: limit, items: map[string]*list.Element{}, order: list.New()}
}

func (c *cache[V]) get(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.items[key]
	if !ok {
		var none V
		return none, false
	}
	c.order.MoveToFront(at)
	return at.Value.(held[V]).value, true
}

func (c *cache[V]) put(key string, value V, cost int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[key]; ok || cost > c.limit/4 {
		return
	}
	c.items[key] = c.order.PushFront(held[V]{key, value, cost})
	c.used += cost
	for c.used > c.limit {
		last := c.order.Back()
		old := c.order.Remove(last).(held[V])
		delete(c.items, old.key)
		c.used -= old.cost
	}
}
