package source

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/syncproof/syncproof/internal/source/git"
)

// Dirty tells whether the work tree differs from a commit in what [Repository.Tree] and [Repository.WorkTree] show: in
// tracked files, staged or not, or by files that are neither tracked nor ignored. Permissions and the commits of
// submodules do not count. A bare repository is never dirty.
//
// Contents are compared byte by byte, as object ids that are computed here: asking git would run the clean filters that
// the repository configures. So files that Git converts on checkout (line ends, Git LFS, keywords) read as different.
func (r *Repository) Dirty(ctx context.Context, c Commit) (bool, error) {
	if r.Bare() {
		return false, nil
	}
	root, err := r.Root(ctx, c)
	if err != nil {
		return false, err
	}
	d, err := r.disk(ctx)
	if err != nil {
		return false, err
	}
	committed, err := leaves(objects{repo: r, ctx: ctx, root: root})
	if err != nil {
		return false, fmt.Errorf("list commit %s: %w", c.Hash, err)
	}
	present, err := leaves(d)
	if err != nil {
		return false, fmt.Errorf("list work tree: %w", err)
	}
	for name, is := range present {
		if was, ok := committed[name]; !ok || was.Kind != is.Kind {
			return true, nil
		}
	}
	for name, was := range committed {
		is, ok := present[name]
		if !ok && was.Kind == git.Module {
			continue // never checked out
		}
		if !ok {
			return true, nil
		}
		same, err := r.same(ctx, d, was, is)
		if err != nil {
			return false, fmt.Errorf("compare %s: %w", name, err)
		}
		if !same {
			return true, nil
		}
	}
	return false, nil
}

// leaves gives all that is no directory, by path.
func leaves(s store) (map[string]node, error) {
	all := map[string]node{}
	var walk func(dir node) error
	walk = func(dir node) error {
		if len(dir.path) > git.MaxPath {
			return ErrTooLarge
		}
		entries, err := s.list(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			n := dir.child(e)
			if e.Kind != git.Dir {
				all[n.path] = n
			} else if err := walk(n); err != nil {
				return err
			}
		}
		return nil
	}
	return all, walk(s.top())
}

// same compares a node of a commit with what the disk has at its place, of the same kind.
func (r *Repository) same(ctx context.Context, d *disk, was, is node) (bool, error) {
	if is.ID != "" { // a sparse checkout left it out
		return is.ID == was.ID, nil
	}
	switch was.Kind {
	case git.File:
		return r.sameFile(ctx, d, was, is)
	case git.Link:
		target, err := d.target(is)
		if err != nil {
			return false, err
		}
		h := r.BlobHash(int64(len(target)))
		io.WriteString(h, target)
		return hex.EncodeToString(h.Sum(nil)) == was.ID, nil
	}
	return true, nil
}

// sameFile hashes a file. A large one is hashed only if its size is right: it could be endlessly large for little room
// on disk.
func (r *Repository) sameFile(ctx context.Context, d *disk, was, is node) (bool, error) {
	f, size, err := d.openRegular(is.path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if size > 1<<20 {
		want, err := r.Size(ctx, was.ID)
		if err != nil || want != size {
			return false, err
		}
	}
	h := r.BlobHash(size)
	if _, err := io.Copy(h, io.LimitReader(f, size+1)); err != nil {
		return false, err
	}
	return hex.EncodeToString(h.Sum(nil)) == was.ID, nil
}
