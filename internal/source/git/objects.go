package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Bounds of a tree. The first two are those of Linux for a path; MaxNames is how many names there may be below a top.
const (
	MaxPath  = 4096
	maxDepth = MaxPath / 2
	MaxNames = 1 << 20

	treeLimit = 32 << 20 // bytes of one tree object: some hundred thousand names
)

// Kind is what a name in a directory stands for.
type Kind uint8

// The kinds.
const (
	File   Kind = iota
	Dir         // a directory
	Link        // a symbolic link
	Module      // a submodule, or a repository of its own inside the work tree
	Other       // a pipe, socket or device: only on disk
)

// Entry is one name in a directory.
type Entry struct {
	Name string
	Kind Kind
	ID   string // object id; of a submodule, that of a commit which is not in this repository
}

// Root gives the id of a commit's top directory. Its directories, not its files, are read on the way. Errors:
// [ErrUnknownRevision] for a commit that the clone lacks, [ErrAbsent] if it lacks the directory, [ErrTooLarge] if there
// are more than [MaxNames] names below it.
func (r *Repository) Root(ctx context.Context, c Commit) (string, error) {
	if !isHash(c.Hash) {
		return "", fmt.Errorf("%w %q", ErrUnknownRevision, c.Hash)
	}
	root, err := r.batch.info(ctx, c.Hash+"^{tree}")
	if errors.Is(err, ErrAbsent) {
		if _, err := r.batch.info(ctx, c.Hash); errors.Is(err, ErrAbsent) {
			return "", fmt.Errorf("%w %q", ErrUnknownRevision, c.Hash)
		}
	}
	if err == nil {
		_, err = r.weigh(ctx, root.id, 0)
	}
	if err != nil {
		return "", fmt.Errorf("tree of commit %s: %w", c.Hash, err)
	}
	return root.id, nil
}

// weigh counts the names below a directory, and fails with [ErrTooLarge] if they are too many for one to visit them all.
// A few small tree objects that refer to each other again and again can stand for any number of names; here each object
// is looked at once. A directory that cannot be read weighs nothing: whoever looks into it will learn why.
func (r *Repository) weigh(ctx context.Context, tree string, depth int) (int64, error) {
	if weight, ok := r.weights.get(tree); ok {
		return weight, nil
	}
	if depth > maxDepth {
		return 0, ErrTooLarge
	}
	entries, err := r.List(ctx, tree)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, nil
	}
	weight := int64(len(entries))
	for _, e := range entries {
		if e.Kind != Dir {
			continue
		}
		below, err := r.weigh(ctx, e.ID, depth+1)
		if err != nil {
			return 0, err
		}
		if weight += below; weight > MaxNames {
			return 0, ErrTooLarge
		}
	}
	r.weights.put(tree, weight, 128)
	return weight, nil
}

// List gives the names in the directory with the given id, sorted and valid (see [ValidName]). Nobody changes the slice.
// Directories are kept: commits share most of them, so that the tree of a second revision costs only what changed.
func (r *Repository) List(ctx context.Context, tree string) ([]Entry, error) {
	if entries, ok := r.trees.get(tree); ok {
		return entries, ctx.Err()
	}
	_, raw, err := r.batch.contents(ctx, tree, "tree", treeLimit)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(raw, r.hashLen/2)
	if err != nil {
		return nil, fmt.Errorf("tree object %s: %w", tree, err)
	}
	cost := int64(0)
	for _, e := range entries {
		cost += int64(len(e.Name)+len(e.ID)) + 64
	}
	r.trees.put(tree, entries, cost)
	return entries, nil
}

// Size gives the size of a blob in bytes.
func (r *Repository) Size(ctx context.Context, blob string) (int64, error) {
	if data, ok := r.blobs.get(blob); ok {
		return int64(len(data)), ctx.Err()
	}
	if size, ok := r.sizes.get(blob); ok {
		return size, ctx.Err()
	}
	head, err := r.batch.info(ctx, blob)
	if err != nil {
		return 0, err
	}
	r.sizes.put(blob, head.size, 128)
	return head.size, nil
}

// Blob gives the content of a blob that is no larger than limit. Its size is known before any of it is read. Nobody
// changes the slice. Errors: [ErrAbsent], [ErrTooLarge].
func (r *Repository) Blob(ctx context.Context, id string, limit int64) ([]byte, error) {
	if data, ok := r.blobs.get(id); ok && int64(len(data)) <= limit {
		return data, ctx.Err()
	}
	_, data, err := r.batch.contents(ctx, id, "blob", limit)
	if err != nil {
		return nil, err
	}
	r.blobs.put(id, data, int64(len(data))+128)
	return data, nil
}

// digested is a SHA-256 of a blob's content, and the size of it.
type digested struct {
	sum  string // hexadecimal
	size int64
}

// Digest gives the SHA-256 of what [Repository.Blob] gives, in hexadecimal, and the same errors. Content is read once.
func (r *Repository) Digest(ctx context.Context, id string, limit int64) (string, error) {
	if d, ok := r.digests.get(id); ok && d.size <= limit {
		return d.sum, ctx.Err()
	}
	data, err := r.Blob(ctx, id, limit)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	d := digested{hex.EncodeToString(sum[:]), int64(len(data))}
	r.digests.put(id, d, 256)
	return d.sum, nil
}

// parseTree reads a tree object: "<octal mode> <name>\0<id>" again and again.
func parseTree(raw []byte, idLen int) ([]Entry, error) {
	var entries []Entry
	for len(raw) > 0 {
		mode, rest, ok := bytes.Cut(raw, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < idLen {
			return nil, errors.New("malformed")
		}
		e := Entry{Name: string(name), Kind: kindOf(string(mode)), ID: hex.EncodeToString(rest[:idLen])}
		raw = rest[idLen:]
		if ValidName(e.Name) && !strings.Contains(e.Name, "/") {
			entries = append(entries, e)
		}
	}
	return Sorted(entries), nil
}

func kindOf(mode string) Kind {
	switch mode {
	case "40000", "040000":
		return Dir
	case "120000":
		return Link
	case "160000":
		return Module
	}
	return File // 100644, 100755, and 100664 of old
}

// Sorted orders by name, in place: Git itself orders directories as if they had a slash at the end. Of two entries with
// one name, which only a broken writer makes, the first one stays.
func Sorted(entries []Entry) []Entry {
	slices.SortStableFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.Name == b.Name })
}

// ValidName tells whether a slash path can name something in a checkout: [fs.ValidPath] except ".", and no element of it
// is Git's own directory, which Git refuses as well.
func ValidName(name string) bool {
	if !fs.ValidPath(name) || name == "." {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
