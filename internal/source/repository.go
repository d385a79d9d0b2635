package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/syncproof/syncproof/internal/source/address"
	"github.com/syncproof/syncproof/internal/source/git"
)

// Options are the limits of reading. The zero value is usable.
type Options struct {
	FileSize int64  // bytes; a larger file is [ErrTooLarge]. 0 means 16 MiB
	Git      string // the git program; "" means the one that PATH leads to. Not used for plain directories
}

const defaultFileSize = 16 << 20

func (o Options) fileSize() int64 {
	if o.FileSize <= 0 {
		return defaultFileSize
	}
	return o.FileSize
}

// What [git] says about repositories, by the names that callers of this package know.
type (
	Commit  = git.Commit
	RefKind = git.RefKind
)

// The kinds of refs, see [Repository.Lookup].
const (
	Branch = git.Branch
	Tag    = git.Tag
	Hash   = git.Hash
)

// Errors about a repository as a whole.
var (
	ErrNotRepository   = git.ErrNotRepository
	ErrNoCommit        = git.ErrNoCommit
	ErrUnknownRevision = git.ErrUnknownRevision
	ErrAmbiguous       = git.ErrAmbiguous
	ErrShallow         = git.ErrShallow
	ErrUnrelated       = git.ErrUnrelated
	ErrNoWorkTree      = errors.New("a bare repository has no work tree")
)

// Repository is a Git repository on disk with its trees, for reading. Nothing that it configures is executed or fetched.
// It holds a process, which Close ends, and may be used by several goroutines at once.
type Repository struct {
	*git.Repository
	fileSize int64
}

// Open opens the repository that path lies in: the top of a clone or of a linked work tree, any folder below it, a bare
// repository, or a .git directory. Errors: those of [io/fs] for a path that cannot be used, [ErrNotRepository] when no
// directory from path upward is a repository ([OpenDir] reads such a path).
func Open(ctx context.Context, path string, o Options) (*Repository, error) {
	r, err := git.Open(ctx, path, o.Git)
	if err != nil {
		return nil, err
	}
	return &Repository{r, o.fileSize()}, nil
}

// Limited is the same repository with another limit for files. Both share one process; closing one closes the other.
func (r *Repository) Limited(fileSize int64) *Repository {
	return &Repository{r.Repository, Options{FileSize: fileSize}.fileSize()}
}

// NormalizeURL writes URLs of one repository in one form, see [address.Normalize].
func NormalizeURL(url string) string { return address.Normalize(url) }

// Tree gives the tree of a commit. Directories are read at once, files when they are asked for; when ctx ends, so does
// reading. Errors: [ErrUnknownRevision] for a commit that the clone lacks, [ErrAbsent] if it lacks the tree, [ErrTooLarge]
// if there are more than a million names in it.
func (r *Repository) Tree(ctx context.Context, c Commit) (Tree, error) {
	root, err := r.Root(ctx, c)
	if err != nil {
		return nil, err
	}
	return &view{objects{r, ctx, root, fmt.Sprintf("%s limit %d", root, r.fileSize)}}, nil
}

// objects is the store of a tree in Git's object database.
type objects struct {
	repo *Repository
	ctx  context.Context // io/fs has none to pass; this one is of whoever asked for the tree
	root string          // object id of the top
	// identity is that of [Identity].
	identity string
}

func (o objects) top() node { return top(o.root) }

func (o objects) list(dir node) ([]git.Entry, error) { return o.repo.List(o.ctx, dir.ID) }

func (o objects) size(file node) (int64, error) { return o.repo.Size(o.ctx, file.ID) }

func (o objects) read(file node) ([]byte, error) { return o.repo.Blob(o.ctx, file.ID, o.repo.fileSize) }

func (o objects) digest(file node) (string, error) {
	return o.repo.Digest(o.ctx, file.ID, o.repo.fileSize)
}

func (o objects) target(link node) (string, error) {
	target, err := o.repo.Blob(o.ctx, link.ID, git.MaxPath)
	if errors.Is(err, ErrTooLarge) {
		return "", fs.ErrNotExist // no system could follow it either
	}
	return string(target), err
}
