package git

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Changed gives the paths whose content differs between two commits, sorted: files, links and submodules that came, went
// or changed; of a file that moved, both. Permissions do not count. A zero before stands for an empty tree, so that all
// that is in after has changed. Trees are compared here, object by object: nothing that a repository configures about diffs
// is asked. Errors are those of [Repository.Root], and [ErrShallow] as well for a commit that a shallow clone lacks.
func (r *Repository) Changed(ctx context.Context, before, after Commit) ([]string, error) {
	var roots [2]string
	for i, c := range []Commit{before, after} {
		if i == 0 && c.Hash == "" {
			continue
		}
		root, err := r.Root(ctx, c)
		if errors.Is(err, ErrUnknownRevision) {
			if why := r.cutOff(ctx, err); errors.Is(why, ErrShallow) {
				return nil, fmt.Errorf("%w: %w", err, why)
			}
		}
		if err != nil {
			return nil, err
		}
		roots[i] = root
	}
	d := difference{ctx: ctx, repo: r}
	if err := d.trees(".", roots[0], roots[1]); err != nil {
		return nil, err
	}
	slices.Sort(d.paths)
	return d.paths, nil
}

type difference struct {
	ctx   context.Context
	repo  *Repository
	paths []string
}

// trees compares two directories of one name. Either id may be "" for none.
func (d *difference) trees(dir, before, after string) error {
	if before == after {
		return nil
	}
	old, err := d.list(before)
	if err != nil {
		return err
	}
	now, err := d.list(after)
	if err != nil {
		return err
	}
	for len(old) > 0 || len(now) > 0 {
		var a, b Entry // of one name; no name stands for none
		switch order := compareFirst(old, now); {
		case order < 0:
			a, old = old[0], old[1:]
		case order > 0:
			b, now = now[0], now[1:]
		default:
			a, b, old, now = old[0], now[0], old[1:], now[1:]
		}
		if err := d.entries(dir, a, b); err != nil {
			return err
		}
	}
	return nil
}

func compareFirst(old, now []Entry) int {
	switch {
	case len(old) == 0:
		return 1
	case len(now) == 0:
		return -1
	}
	return strings.Compare(old[0].Name, now[0].Name)
}

func (d *difference) list(tree string) ([]Entry, error) {
	if tree == "" {
		return nil, nil
	}
	return d.repo.List(d.ctx, tree)
}

func (d *difference) entries(dir string, a, b Entry) error {
	if a == b {
		return nil
	}
	name := path.Join(dir, max(a.Name, b.Name))
	if leaf(a) || leaf(b) {
		d.paths = append(d.paths, name)
	}
	return d.trees(name, treeOf(a), treeOf(b))
}

// leaf tells whether there is an entry, and no directory.
func leaf(e Entry) bool { return e.Name != "" && e.Kind != Dir }

func treeOf(e Entry) string {
	if e.Name == "" || e.Kind != Dir {
		return ""
	}
	return e.ID
}
