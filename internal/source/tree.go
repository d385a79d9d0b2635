// Package source reads repositories: trees at a revision straight from Git objects, the work tree, commits and refs.
// It also writes the small repositories of the demo and of tests, with pinned identity and dates.
//
// In goes a path, out come values that cannot reach the host: a [Tree] knows only what lies in the repository, links that
// leave it are refused, and nothing that a repository configures (hooks, filters, file-system monitors, lazy fetches,
// replace objects) is ever run. It refuses to interpret content.
package source

import (
	"errors"
	"io/fs"

	"github.com/syncproof/syncproof/internal/source/git"
)

// Tree is a read-only directory tree at one revision. Names are slash paths from the top, "." for the top itself, as
// [fs.ValidPath] has them. Links inside the tree are followed. Besides the errors of [fs], reading gives the ones below.
//
// A Tree may be used by several goroutines at once.
type Tree interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
}

// Why a name that exists cannot be read.
var (
	ErrEscapes   = errors.New("leaves the repository")
	ErrTooLarge  = git.ErrTooLarge
	ErrSubmodule = errors.New("lies in a submodule")
	ErrAbsent    = git.ErrAbsent
	ErrLinkLoop  = errors.New("is a loop of links")
)
