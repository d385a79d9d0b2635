package again_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/remedy/stage/again"
	"github.com/syncproof/syncproof/internal/source"
)

// A release of two files is taken back and made again: where its files are as it left them, where one has moved and whoever releases
// writes the old place or the new one, and where one was changed since.
func TestUndone(t *testing.T) {
	release := again.Release{
		Before: map[string][]byte{"values": []byte("v1"), "old/pb": []byte("p1"), "new": nil},
		After:  map[string][]byte{"values": []byte("v2"), "old/pb": []byte("p2"), "new": []byte("n2")},
	}
	for name, c := range map[string]struct {
		tree    string
		copies  map[string]string
		rewired bool
		want    string
	}{
		"as it was":     {"values=v2 old/pb=p2 new=n2", nil, false, "back new=- old/pb=p1 values=v1; again new=n2 old/pb=p2 values=v2"},
		"moved":         {"values=v2 other/pb=p2", map[string]string{"other/pb": "old/pb"}, false, "back other/pb=p1 values=v1; again new=n2 old/pb=p2 other/pb=p1 values=v2"},
		"and rewired":   {"values=v2 other/pb=p2", map[string]string{"other/pb": "old/pb"}, true, "back other/pb=p1 values=v1; again other/pb=p2 values=v2"},
		"copied":        {"values=v2 old/pb=p2 other/pb=p2", map[string]string{"other/pb": "old/pb"}, false, "back old/pb=p1 other/pb=p1 values=v1; again new=n2 old/pb=p2 other/pb=p1 values=v2"},
		"changed since": {"values=v3 old/pb=p2", nil, true, "back old/pb=p1; again old/pb=p2"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{}
			for _, f := range strings.Fields(c.tree) {
				name, data, _ := strings.Cut(f, "=")
				files[name] = []byte(data)
			}
			back, made := release.Undone(source.Memory(files), c.copies, c.rewired)
			if got := "back " + tell(back) + "; again " + tell(made); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func tell(files map[string][]byte) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := "-"
		if files[name] != nil {
			data = string(files[name])
		}
		out = append(out, fmt.Sprintf("%s=%s", name, data))
	}
	return strings.Join(out, " ")
}
