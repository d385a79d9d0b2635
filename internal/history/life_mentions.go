package history

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"

	"github.com/syncproof/syncproof/internal/source"
)

// mentions are the words that a commit's files have more or less often than before. A lifeline renders the commits that
// touch the name of a provider, whatever they do with it; all says that it cannot be told.
type mentions struct {
	all   bool
	words []uint64 // hashes, sorted
}

// maxPaths is how many changed files of one commit are looked into. A larger commit may mention anything.
const maxPaths = 1_000

// mentionsOf gives what a commit mentions against the one before it.
func (h *History) mentionsOf(ctx context.Context, l *link) (mentions, error) {
	h.mu.Lock()
	m, ok := h.mentioned[l.Hash]
	h.mu.Unlock()
	if ok {
		return m, nil
	}
	m, err := h.readMentions(ctx, l)
	switch {
	case ctx.Err() != nil:
		return m, ctx.Err()
	case unreadable(err):
		m = mentions{all: true}
	case err != nil:
		return m, err
	}
	h.mu.Lock()
	h.mentioned[l.Hash] = m
	h.mu.Unlock()
	return m, nil
}

func (h *History) readMentions(ctx context.Context, l *link) (mentions, error) {
	paths, err := h.changed(ctx, l)
	if err != nil || len(paths) > maxPaths {
		return mentions{all: true}, err
	}
	before, err := h.in.Repository.Tree(ctx, l.older.Commit)
	if err != nil {
		return mentions{}, err
	}
	after, err := h.in.Repository.Tree(ctx, l.Commit)
	if err != nil {
		return mentions{}, err
	}
	found := map[uint64]bool{}
	for _, name := range paths {
		counts := map[uint64]int{}
		if !countNames(before, name, counts, -1) || !countNames(after, name, counts, 1) {
			return mentions{all: true}, nil
		}
		for word, n := range counts {
			if n != 0 {
				found[word] = true
			}
		}
	}
	m := mentions{words: make([]uint64, 0, len(found))}
	for word := range found {
		m.words = append(m.words, word)
	}
	slices.Sort(m.words)
	return m, nil
}

// name is a word that an object could be called.
var name = regexp.MustCompile(`[a-z0-9][a-z0-9.-]{0,252}`)

// countNames counts the words of a file; none if it is not there, is too large for a manifest, or is no text. False if it
// is something else than a file.
func countNames(t source.Tree, file string, counts map[uint64]int, by int) bool {
	info, err := t.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return false
	}
	if info.IsDir() || info.Size() > maxText {
		return !info.IsDir()
	}
	raw, err := t.ReadFile(file)
	if err != nil {
		return false
	}
	if isText(raw) {
		for _, word := range name.FindAll(raw, -1) {
			counts[hashOf(bytes.TrimRight(word, ".-"))] += by
		}
	}
	return true
}

// generated is the hash of the content that Kustomize adds to a name (api/hasher/hasher.go has its letters).
var generated = regexp.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// stem is a name without what a generator adds to it.
func stem(name string) string { return generated.ReplaceAllString(name, "") }
