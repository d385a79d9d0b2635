package history

import (
	"slices"
	"strings"
	"testing"
)

func TestWhichReferencesMove(t *testing.T) {
	for reference, moves := range map[string]bool{
		"a": true, "host:5000/a": true, "a:latest": true, "a:main": true, "a:master": true, "a:stable": true, "a:edge": true,
		"a:nightly": true, "a:dev": true, "a:my-branch": true, "a:v1-latest": true, "a:latest-arm64": true, "a:1.2-SNAPSHOT": true,
		"a:pr-123": true, "a:feature-login2": true, "a:fix.7": true,
		"a:--all1": true, "a:v1^": true, "a:@{1}": true, "a:": true,

		"a:v1.9.0": false, "a:1": false, "a:2024-03-11": false, "a:4f1c9a0": false, "a:deadbeef": false, "a:sha-4f1c9a0": false,
		"a:main-4f1c9a0": false, "a:nightly-20240311": false, "a:pr-123-4f1c9a0": false, "a:v1.2.3-rc.1": false, "a:release-1.2": false,
		"a@sha256:00": false, "a:latest@sha256:00": false,
	} {
		if got := ParseImage(reference).mutable(); (got != "") != moves {
			t.Errorf("%s: %q", reference, got)
		}
	}
}

func TestAddedWords(t *testing.T) {
	for _, c := range []struct{ what, before, after, want string }{
		{"a new file", "", "image: host:5000/shop/api:v1.9.0 # v2.\n", "5000 v1.9.0 v2"},
		{"quoted", "", `{"tag":"1.2_3-x","x":"é4é"}`, "1.2_3-x 4"},
		{"a changed line", "a: v1\nb: v2\n", "a: v3\nb: v2\n", "v3"},
		{"the rest of a changed line", "tag: v1 # v2\n", "tag: v2\n", "v2"},
		{"moved lines", "a: v1\nb: v2\n", "  b: v2\na: v1\n", ""},
		{"a line once more", "a: v1\n", "a: v1\na: v1\n", "v1"},
		{"nothing with a digit", "", "tag: latest\n", ""},
		{"too long", "", "x: " + strings.Repeat("1", 129) + "\n", ""},
		{"binary", "", "v1\x00", ""},
		{"was binary", "v1\n\x00", "v1\n", "v1"},
		{"a digest", "", "a@sha256:0123abcd\n", "0123abcd sha256"},
		{"not UTF-8", "", "\xff\xfe v1 \xff\n", "v1"},
	} {
		var got []string
		addedWords([]byte(c.before), []byte(c.after), func(word []byte) { got = append(got, string(word)) })
		slices.Sort(got)
		if joined := strings.Join(got, " "); joined != c.want {
			t.Errorf("%s: %q, want %q", c.what, joined, c.want)
		}
	}
}

func TestSpellings(t *testing.T) {
	for reference, want := range map[string]string{
		"a:v1.2":        "v1.2 1.2",
		"a:1.2":         "1.2 v1.2",
		"a:b1":          "b1",
		"a:1@sha256:ab": "ab",
		"a:v1._":        "v1 1",
	} {
		var hashes []uint64
		for word := range strings.FieldsSeq(want) {
			hashes = append(hashes, hashOf([]byte(word)))
		}
		if got := spellings([]Image{ParseImage(reference)}); !slices.Equal(got, hashes) {
			t.Errorf("%s: not %s", reference, want)
		}
	}
}

func FuzzAddedWords(f *testing.F) {
	f.Add([]byte("a: v1\n"), []byte("a: v2\n"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		addedWords(before, after, func(word []byte) {
			if len(word) == 0 || len(word) > maxWord || strings.Trim(string(word), "._-") != string(word) {
				t.Errorf("no word: %q", word)
			}
		})
		addedWords(after, after, func(word []byte) { t.Errorf("%q is new beside itself", word) })
	})
}
