package memo

import "github.com/syncproof/syncproof/internal/source"

// Table is the part of a memo that holds results of one type. Results are shared: nobody changes them.
type Table[R any] struct {
	memo *Memo
	name string
}

// In gives the table of a name. Each name stands for one type and one meaning of its keys.
func In[R any](m *Memo, name string) Table[R] { return Table[R]{m, name} }

func (t Table[R]) key(key string) string { return t.name + "\x00" + key }

// Get gives the result of a key that holds over a tree.
func (t Table[R]) Get(tree source.Tree, key string) (R, bool) {
	found, _ := t.memo.get(tree, t.key(key))
	result, ok := found.(R)
	return result, ok
}

// Last gives the result of a key that was used last, whatever tree it is of: to share with it what is equal.
func (t Table[R]) Last(key string) (R, bool) {
	found, _ := t.memo.last(t.key(key))
	result, ok := found.(R)
	return result, ok
}

// Put keeps a result that was computed over a tree. The trace is all that it depends on besides the key. size is what the
// result takes in memory, in bytes and roughly.
func (t Table[R]) Put(tree source.Tree, key string, trace source.Trace, result R, size int64) {
	t.memo.put(tree, t.key(key), trace, result, size)
}

// Compute gives what a function gives over a tree, without calling it where its result is known. The function may read
// nothing but its argument.
func (t Table[R]) Compute(tree source.Tree, key string, size int64, f func(source.Tree) R) R {
	if known, ok := t.Get(tree, key); ok {
		return known
	}
	recorder := source.Record(tree)
	result := f(recorder)
	t.Put(tree, key, recorder.Trace(), result, size)
	return result
}
