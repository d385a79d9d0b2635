package git

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// place is where a repository lies; paths are absolute and free of links.
type place struct {
	gitDir string // the git directory, or the .git file that names it
	top    string // top of the work tree, "" if there is none
	linked bool   // .git is a file: a linked work tree or a submodule, so that core.bare speaks of somebody else
}

// locate looks for a repository from path upward. Git could do that too, but would believe core.worktree, which may name
// any directory of the host.
func locate(path string) (place, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return place{}, err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return place{}, err
	}
	if info, err := os.Stat(start); err != nil {
		return place{}, err
	} else if !info.IsDir() {
		return place{}, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if at, ok := placeAt(dir); ok {
			return at, nil
		}
		if dir == filepath.Dir(dir) {
			return place{}, fmt.Errorf("%s %w", path, ErrNotRepository)
		}
	}
}

// placeAt recognises a repository by the same signs as git: a .git entry, or being a git directory.
func placeAt(dir string) (place, bool) {
	dotGit := filepath.Join(dir, ".git")
	if info, err := os.Stat(dotGit); err == nil {
		switch {
		case info.Mode().IsRegular():
			return place{gitDir: dotGit, top: dir, linked: true}, true
		case info.IsDir() && isGitDir(dotGit):
			return place{gitDir: dotGit, top: dir}, true
		}
	}
	switch {
	case !isGitDir(dir):
		return place{}, false
	case filepath.Base(dir) == ".git":
		return place{gitDir: dir, top: filepath.Dir(dir)}, true
	}
	return place{gitDir: dir}, true
}

func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
