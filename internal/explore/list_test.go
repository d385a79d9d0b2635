package explore

import "testing"

func TestList(t *testing.T) {
	for _, keep := range []uint32{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 2 * chunkSize, 2*chunkSize + 7} {
		var l list[uint32]
		for i := range uint32(2*chunkSize + 7) {
			l.add(i)
		}
		l.cut(keep)
		for i := keep; i < 3*chunkSize; i++ {
			l.add(2 * i)
		}
		for i := range l.n {
			want := i
			if i >= keep {
				want = 2 * i
			}
			if got := l.get(i); got != want {
				t.Fatalf("cut to %d: at %d is %d, want %d", keep, i, got, want)
			}
		}
		if l.n != 3*chunkSize {
			t.Errorf("cut to %d: %d elements", keep, l.n)
		}
	}
}
