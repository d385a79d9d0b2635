// Package git reads Git repositories through the git program, in a way in which nothing that a repository configures is
// executed or fetched (see [Repository]).
//
// In goes a path, out come commits, refs, remotes, directories and contents by object id, and what the index lists. It
// refuses to write, to reach the network, to read what a replace ref, a graft or a filter would show instead, and to give
// names that no checkout could have.
package git

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"strings"
	"sync"
)

// Errors about a repository, and about what is asked of it.
var (
	ErrNotRepository   = errors.New("is no git repository")
	ErrNoCommit        = errors.New("there is no commit")
	ErrUnknownRevision = errors.New("unknown revision")
	ErrAbsent          = errors.New("is absent from this clone")
	ErrTooLarge        = errors.New("is larger than the limit")
)

// Bounds of what one repository keeps in memory, in bytes.
const (
	blobCache   = 64 << 20
	treeCache   = 64 << 20
	numberCache = 8 << 20 // sizes and weights, each
	digestCache = 16 << 20
)

// Repository is a Git repository on disk, for reading. It holds one process of git, which [Repository.Close] ends. It may
// be used by several goroutines at once.
//
// Objects are immutable and read when they are needed. Refs that [Repository.Lookup] uses are read once.
//
// Nothing that the repository, the user or the machine configures can make it execute or fetch anything. That rests on
// four legs, each of which would do for most attacks:
//
//   - Only commands that start no other program by themselves are run: rev-parse, rev-list, merge-base, for-each-ref,
//     config, ls-files, diff-tree for names alone, and cat-file without --textconv and --filters. No status, diff or checkout
//     (clean and smudge filters, external diffs), no log (signature checks), no fetch.
//   - Neither git nor a program that it might start finds a second program: PATH and GIT_EXEC_PATH lead nowhere. A lazy
//     fetch of a partial clone starts "git fetch" and ends there, also in versions without GIT_NO_LAZY_FETCH (2.45, and
//     older ones with the fix of CVE-2024-32004).
//   - No transport is allowed: GIT_ALLOW_PROTOCOL goes before every protocol.*.allow that a repository may set.
//   - Configuration that names programs, or files of the host, is overridden on the command line, which goes before
//     every file. Includes are read (CI systems keep credentials that way) but can only set what is overridden here.
//
// What git follows to find its objects stays allowed, although it may lead out of the directory: a .git file (worktrees
// and submodules), commondir, and objects/info/alternates ("git clone --shared" and "--reference").
type Repository struct {
	place   place
	hashLen int // hexadecimal digits of an object id: 40 or 64
	runner  *runner
	batch   *batch

	// By object id. Weights are those of [Repository.weigh].
	blobs   *cache[[]byte]
	trees   *cache[[]Entry]
	sizes   *cache[int64]
	weights *cache[int64]
	digests *cache[digested]

	refsMu sync.Mutex
	refs   *refs
}

// Open opens the repository that path lies in: the top of a clone or of a linked work tree, any folder below it, a bare
// repository, or a .git directory. bin is the git program, "" for the one that PATH leads to. Errors: those of [io/fs]
// for a path that cannot be used, [ErrNotRepository] when no directory from path upward is a repository.
func Open(ctx context.Context, path, bin string) (*Repository, error) {
	at, err := locate(path)
	if err != nil {
		return nil, err
	}
	found, err := Find(bin)
	if err != nil {
		return nil, err
	}
	g := newRunner(found, at)
	bare, format, err := g.probe(ctx)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if bare && !at.linked {
		at.top = ""
	}
	if at.top != "" {
		g.setWorkTree(at.top) // not before: with a work tree given, git says that nothing is bare
	}
	r := &Repository{
		place:   at,
		hashLen: 40,
		runner:  g,
		batch:   &batch{runner: g},
		blobs:   newCache[[]byte](blobCache),
		trees:   newCache[[]Entry](treeCache),
		sizes:   newCache[int64](numberCache),
		weights: newCache[int64](numberCache),
		digests: newCache[digested](digestCache),
	}
	if format == "sha256" {
		r.hashLen = 64
	}
	return r, nil
}

// probe makes sure that git takes the place for a repository.
func (g *runner) probe(ctx context.Context) (bare bool, format string, err error) {
	answer, err := g.run(ctx, "rev-parse", "--is-bare-repository", "--show-object-format")
	var failed *exitError
	if errors.As(err, &failed) {
		for _, sign := range [...]string{"not a git repository", "gitfile"} {
			if strings.Contains(failed.stderr, sign) {
				return false, "", ErrNotRepository
			}
		}
	}
	if err != nil {
		return false, "", err
	}
	words := strings.Fields(string(answer))
	if len(words) != 2 {
		return false, "", errors.New("unexpected answer of git rev-parse")
	}
	return words[0] == "true", words[1], nil
}

// Close ends the git process. Nothing can be read any more.
func (r *Repository) Close() { r.batch.close() }

// Top is the absolute path of the work tree's top directory, or of the git directory when the repository is bare.
func (r *Repository) Top() string {
	if r.Bare() {
		return r.place.gitDir
	}
	return r.place.top
}

// Bare tells whether there is no work tree.
func (r *Repository) Bare() bool { return r.place.top == "" }

// Shallow tells whether history was cut off when the repository was cloned.
func (r *Repository) Shallow(ctx context.Context) (bool, error) {
	answer, err := r.runner.run(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return false, fmt.Errorf("is the clone shallow: %w", err)
	}
	return strings.TrimSpace(string(answer)) == "true", nil
}

// BlobHash starts the object id of a blob of the given size in bytes. The content is to be written to it.
func (r *Repository) BlobHash(size int64) hash.Hash {
	h := sha1.New()
	if r.hashLen == 64 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}
