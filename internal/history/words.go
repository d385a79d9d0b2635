package history

import (
	"bytes"
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"github.com/syncproof/syncproof/internal/source"
)

// Words are what tags and digests are made of: letters, digits, and . _ - inside. Only those with a digit are looked at,
// since the other ones are no tags that stay. They are kept as hashes: a collision costs a look at one commit more.

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isJoint(c)
}

func isJoint(c byte) bool { return c == '.' || c == '_' || c == '-' }

// maxWord is the length of the longest tag that a registry takes.
const maxWord = 128

// eachWord calls visit with every word of a line.
func eachWord(line []byte, visit func(word []byte)) {
	for len(line) > 0 {
		start := bytes.IndexFunc(line, func(r rune) bool { return r < 128 && isWordByte(byte(r)) })
		if start < 0 {
			return
		}
		end := start
		for end < len(line) && isWordByte(line[end]) {
			end++
		}
		word := bytes.Trim(line[start:end], "._-")
		if len(word) > 0 && len(word) <= maxWord && bytes.ContainsAny(word, "0123456789") {
			visit(word)
		}
		line = line[end:]
	}
}

// maxText is the size in bytes of the largest file whose words are looked at. Nobody writes images into a larger one.
const maxText = 4 << 20

// isText tells text from binary content the way Git does, by a zero byte near the beginning.
func isText(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), 8000)], 0) < 0
}

// addedWords visits the words of lines that after has and before lacks. Lines that only moved inside a file bring nothing.
func addedWords(before, after []byte, visit func(word []byte)) {
	if !isText(after) {
		return
	}
	had := map[string]int{}
	if isText(before) {
		for line := range bytes.Lines(before) {
			had[string(bytes.TrimSpace(line))]++
		}
	}
	for line := range bytes.Lines(after) {
		if key := string(bytes.TrimSpace(line)); had[key] > 0 {
			had[key]--
			continue
		}
		eachWord(line, visit)
	}
}

func hashOf(word []byte) uint64 {
	h := fnv.New64a()
	h.Write(word)
	return h.Sum64()
}

// wordsOf gives the words that a commit brings, sorted: those of lines that its first parent lacks in the same file. An
// edge is a commit whose parent is not to be looked at: it brings all that it holds.
func (h *History) wordsOf(ctx context.Context, l *link) ([]uint64, error) {
	h.mu.Lock()
	words, ok := h.words[l.Hash]
	h.mu.Unlock()
	if ok {
		return words, nil
	}
	var parent source.Commit
	if l.older != nil {
		parent = l.older.Commit
	}
	paths, err := h.changed(ctx, l)
	if err != nil {
		return nil, err
	}
	found := map[uint64]bool{}
	if len(paths) > 0 {
		if err := h.readWords(ctx, parent, l.Commit, paths, found); err != nil {
			return nil, err
		}
	}
	words = make([]uint64, 0, len(found))
	for w := range found {
		words = append(words, w)
	}
	slices.Sort(words)
	h.mu.Lock()
	h.words[l.Hash] = words
	h.mu.Unlock()
	return words, nil
}

func (h *History) readWords(ctx context.Context, parent, c source.Commit, paths []string, found map[uint64]bool) error {
	before, after := source.Memory(nil), source.Tree(nil)
	var err error
	if parent.Hash != "" {
		if before, err = h.in.Repository.Tree(ctx, parent); err != nil {
			return err
		}
	}
	if after, err = h.in.Repository.Tree(ctx, c); err != nil {
		return err
	}
	visit := func(word []byte) { found[hashOf(word)] = true }
	for _, name := range paths {
		// What cannot be read (too large, absent from the clone, a submodule) brings nothing: then the image is not found,
		// and nothing is claimed of it.
		now, err := after.ReadFile(name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || len(now) > maxText {
			continue
		}
		old, err := before.ReadFile(name)
		if err != nil {
			old = nil
		}
		addedWords(old, now, visit)
	}
	return ctx.Err()
}

// spellings are the words that may bring an image: the tag or digest, and the tag with and without a leading v, since
// templates add and take that one.
func spellings(images []Image) []uint64 {
	var out []uint64
	add := func(s string) { out = append(out, hashOf([]byte(strings.Trim(s, "._-")))) }
	for _, i := range images {
		word := i.literal()
		add(word)
		if rest, ok := strings.CutPrefix(word, "v"); ok {
			add(rest)
		} else if word != "" && unicode.IsDigit(rune(word[0])) {
			add("v" + word)
		}
	}
	return out
}

func brings(words, wanted []uint64) bool {
	return slices.ContainsFunc(wanted, func(w uint64) bool {
		_, ok := slices.BinarySearch(words, w)
		return ok
	})
}
