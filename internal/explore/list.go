package explore

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// list grows without copying what it holds, so that a search needs no more memory than it keeps. Only the first chunk grows
// as a slice does, since most models are small.
type list[T any] struct {
	chunks [][]T
	n      uint32
}

// filled is a list of n times v.
func filled[T any](n uint32, v T) *list[T] {
	l := &list[T]{}
	for range n {
		l.add(v)
	}
	return l
}

func (l *list[T]) add(v T) {
	c := int(l.n >> chunkBits)
	if c == len(l.chunks) {
		size := chunkSize
		if c == 0 {
			size = 0
		}
		l.chunks = append(l.chunks, make([]T, 0, size))
	}
	l.chunks[c] = append(l.chunks[c], v)
	l.n++
}

func (l *list[T]) get(i uint32) T { return l.chunks[i>>chunkBits][i%chunkSize] }

func (l *list[T]) set(i uint32, v T) { l.chunks[i>>chunkBits][i%chunkSize] = v }

// cut drops what lies behind the first n. Chunks stay.
func (l *list[T]) cut(n uint32) {
	for ; l.n > n; l.n-- {
		c := (l.n - 1) >> chunkBits
		l.chunks[c] = l.chunks[c][:(l.n-1)%chunkSize]
	}
}
