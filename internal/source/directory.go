package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/syncproof/syncproof/internal/source/git"
)

// OpenDir gives the tree of a directory that is no Git repository, read from disk: everything in it except what is called
// .git. Which names there are is settled at once, content is read when it is asked for. Links must stay inside.
func OpenDir(ctx context.Context, dir string, o Options) (Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	l, err := newLister(abs)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	defer l.close()
	d := &disk{ctx: ctx, path: abs, limit: o.fileSize()}
	if err := l.walk(ctx, "."); err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	d.static = l.done()
	return &view{d}, nil
}

// walk adds what is below a directory. One that cannot be listed, or lies too deep, counts as something that cannot be
// read: it must not take the rest with it.
func (l *lister) walk(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	infos, err := l.readDir(dir)
	if err != nil || len(dir) > git.MaxPath {
		if dir == "." {
			return err
		}
		return l.add(dir, git.Entry{Kind: git.Other})
	}
	if dir != "." {
		l.addDir(dir)
	}
	for _, info := range infos {
		if !git.ValidName(info.Name()) {
			continue
		}
		name := path.Join(dir, info.Name())
		if kind := kindOf(info.Type()); kind != git.Dir {
			err = l.add(name, git.Entry{Kind: kind})
		} else {
			err = l.walk(ctx, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) readDir(dir string) ([]os.DirEntry, error) {
	f, err := l.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	infos, err := f.ReadDir(git.MaxNames + 1)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return infos, err
}
