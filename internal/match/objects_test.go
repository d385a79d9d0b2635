package match_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/match"
)

// keys are what versions of a consumer name, and what versions of a provider have.
func missing(named, has [][]string) func(consumer, provider int) []string {
	return func(consumer, provider int) []string {
		return slices.DeleteFunc(slices.Clone(named[consumer]), func(key string) bool { return slices.Contains(has[provider], key) })
	}
}

func TestObjects(t *testing.T) {
	type fresh = []match.Combination
	a, b := []string{"key a"}, []string{"key a", "key b"}
	for _, c := range []struct {
		name   string
		in     match.Versions
		want   [2][3]string // by consumer 0 and 1, of provider -1, 0 and 1
		blocks [2][2]bool
		equal  bool
		broken int
		mended bool
	}{
		{name: "both change", in: match.Versions{Fresh: fresh{{}, {Consumer: 1, Provider: 1}}},
			want: [2][3]string{{"unknown works", "works works", "unknown works"}, {"unknown works", "unknown works", "works works"}}},
		{name: "the provider changes, two commits", in: match.Versions{Fresh: fresh{{}, {Provider: 1}, {}}},
			want: [2][3]string{{"unknown works", "works works", "works works"}, {"unknown works", "unknown works", "unknown works"}}},
		{name: "nothing changes", in: match.Versions{Fresh: fresh{{}, {}}}, equal: true,
			want: [2][3]string{{"unknown works", "works works", "unknown works"}, {"unknown works", "unknown works", "unknown works"}}},
		{name: "a key comes and is named", in: match.Versions{Fresh: fresh{{}, {Consumer: 1, Provider: 1}}, Missing: missing([][]string{a, b}, [][]string{a, b})},
			want:   [2][3]string{{"unknown works", "works works", "unknown works"}, {"unknown works", "fails works", "works works"}},
			blocks: [2][2]bool{{}, {true, false}}},
		{name: "the same, followed", in: match.Versions{Fresh: fresh{{}, {Consumer: 1, Provider: 1}}, Missing: missing([][]string{a, b}, [][]string{a, b}), Live: true},
			want: [2][3]string{{"fails works", "works works", "unknown works"}, {"fails works", "fails works", "works works"}}},
		{name: "a key goes that is named", in: match.Versions{Fresh: fresh{{}, {Provider: 1}}, Missing: missing([][]string{b, b}, [][]string{b, a})},
			want:   [2][3]string{{"unknown works", "works works", "fails works"}, {"unknown works", "unknown works", "fails works"}},
			blocks: [2][2]bool{{false, true}, {false, true}}},
		{name: "a key is missing all along", in: match.Versions{Fresh: fresh{{}, {Consumer: 1, Provider: 0}}, Missing: missing([][]string{b, b}, [][]string{a, b})},
			want: [2][3]string{{"unknown works", "works works", "unknown works"}, {"unknown works", "works works", "unknown works"}}, broken: 1},
		{name: "a key is missing and comes", in: match.Versions{Fresh: fresh{{}, {Provider: 1}}, Missing: missing([][]string{b, b}, [][]string{a, b})},
			want:   [2][3]string{{"unknown works", "works works", "works works"}, {"unknown works", "unknown works", "unknown works"}},
			broken: 1, mended: true},
		{name: "a provider comes and is named", in: match.Versions{
			Fresh: fresh{{Provider: -1}, {Consumer: 1, Provider: 0}}, Reads: func(consumer int) bool { return consumer == 1 },
		}, want: [2][3]string{{"works works", "works works", "works works"}, {"unknown works", "works works", "unknown works"}}},
	} {
		x := match.Objects(c.in)
		var got [2][3]string
		var blocks [2][2]bool
		for i := range got {
			for p := range got[i] {
				got[i][p] = short(x.Outcome(i, p-1, -1))
			}
			for p := range blocks[i] {
				blocks[i][p] = x.Blocks(i, p)
			}
		}
		if got != c.want || blocks != c.blocks || x.Equal != c.equal || len(x.AlreadyBroken) != c.broken || x.Repaired != c.mended {
			t.Errorf("%s: %q, blocks %v, equal %t, already broken %v, repaired %t", c.name, got, blocks, x.Equal, x.AlreadyBroken, x.Repaired)
		}
	}
}

func TestObjectsInWords(t *testing.T) {
	in := match.Versions{Fresh: []match.Combination{{}, {Consumer: 1, Provider: 1}}, Missing: missing([][]string{nil, {"key a", "key b"}}, [][]string{nil, {"key a", "key b"}})}
	want := []match.Call{
		{What: "key a", Meets: "it is missing, and the pod does not start", Common: true},
		{What: "key b", Meets: "it is missing, and the pod does not start", Common: true},
	}
	if got := match.Objects(in).Outcome(1, 0, -1).Calls; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}
