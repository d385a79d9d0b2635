// Package history tells what only history knows: what an image serves, which manifests do not say, and how a pair came to
// be delivered as it is.
//
// In go image references or the ends of a pair, commits, and a way to get the snapshot of a commit. Out come descriptor
// sets with the premise that they rest on, from what a configuration declares or from the descriptor that stood beside the
// image in the commit that introduced it; and the commits that separated a pair, joined it, and changed who reads it. It
// gives data and no verdict: it refuses to guess what a mutable tag stands for, to take a descriptor for an image that
// changed alone, and to read absence out of a commit in which something could not be rendered.
package history

import (
	"context"
	"sync"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// Revisions is a repository that revisions of a declaration are looked up in. [source.Repository] is one.
type Revisions interface {
	Resolve(ctx context.Context, rev string) (source.Commit, error)
	Tree(ctx context.Context, c source.Commit) (source.Tree, error)
}

// Repository is the analysed repository. [source.Repository] is one.
type Repository interface {
	Revisions
	FirstParents(ctx context.Context, tip source.Commit, n int) ([]source.Commit, error)
	Changed(ctx context.Context, before, after source.Commit) ([]string, error)
}

// Input is what a [History] reads. Its functions are called again for what they were asked before: they keep what is
// expensive, and may be called by as many goroutines as ask the History.
type Input struct {
	Repository Repository // nil if the analysed directory is no repository: then only what needs no history is known
	// Snapshots gives the snapshot of a commit of Repository.
	Snapshots func(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error)
	// Others opens the repository in a directory that a declaration names, but for ".", which is Repository. An error says
	// why there is none. Nil if there are no others.
	Others func(ctx context.Context, dir string) (Revisions, error)
	// Commits bounds how many first-parent commits are looked at; 0 means 5,000.
	Commits int
}

// DefaultCommits is how many first-parent commits are looked at if nobody says otherwise.
const DefaultCommits = 5_000

// Premise is what it rests on that an image serves a descriptor set.
type Premise string

// The premises.
const (
	Declared Premise = "declared"         // the configuration says where it is written
	Paired   Premise = "paired-at-commit" // it stood beside the image in the commit that introduced the image
)

// Served is what an image serves, or why that is not known.
type Served struct {
	Set     *descriptor.Set // nil if it is not known
	Premise Premise         // "" if it is not known
	// Why is one line: where the set comes from, or why it is not known.
	Why   string
	Close string // one line: how to make it known; "" if it is
	// Commit is where the set was read: of the repository that the declaration names, or of the analysed one.
	Commit source.Commit
}

// Known tells whether it is known.
func (s Served) Known() bool { return s.Set != nil }

func unknown(why, closed string) Served { return Served{Why: oneLine(why), Close: closed} }

// Declaration says where it is written what an image serves. It has the fields of Serves of package config, so that one
// can be converted into the other.
type Declaration struct {
	Repository string // directory, "." for the analysed repository; "" for the analysed revision itself
	Revision   string // {{tag}} in it stands for the tag of the image; "" exactly if Repository is ""
	Protos     string // directory or file of protos, from the top of the repository
	Descriptor string // file of a descriptor set, from the top of the repository; either this or Protos is set
}

// Query asks what an image serves.
type Query struct {
	// Images are references that stand in one pod template, usually one. Several are asked for as a whole: what the
	// combination serves.
	Images []string
	// From is the commit at which the images are in use; history is read from it backwards.
	From source.Commit
	// Consumer, Provider and Key are of the pair that it is asked for. They decide when workloads with this image load
	// different descriptors.
	Consumer, Provider object.ID
	Key                string

	Declared *Declaration // nil if nothing is declared
	Tree     source.Tree  // the analysed revision, for a declaration that means it; nil for that of From
}

// History answers questions about one repository. It may be used by several goroutines at once.
type History struct {
	in Input

	mu       sync.Mutex // for the maps; nothing is rendered or compiled under it
	links    map[string]*link
	paths    map[string][]string     // by commit: what changed, see changed
	words    map[string][]uint64     // by commit: what its lines bring, see wordsOf
	compiled map[compilation]outcome // by what was compiled

	outlines    map[string]*outline // by commit
	lastOutline *outline
	mentioned   map[string]mentions // by commit
}

// New makes a history. Nothing is read before it is asked.
func New(in Input) *History {
	if in.Commits <= 0 {
		in.Commits = DefaultCommits
	}
	return &History{
		in: in, links: map[string]*link{}, paths: map[string][]string{}, words: map[string][]uint64{},
		compiled: map[compilation]outcome{}, outlines: map[string]*outline{}, mentioned: map[string]mentions{},
	}
}

// Serves says what an image serves: what is declared if anything is, else what stood beside it. Errors are failures of
// ours or a cancelled context.
func (h *History) Serves(ctx context.Context, q Query) (Served, error) {
	if len(q.Images) == 0 {
		return unknown("no container of the pod template is known to serve", nameIt), nil
	}
	if q.Declared != nil {
		return h.declared(ctx, q)
	}
	return h.paired(ctx, q)
}

// Ways to close what is not known.
const (
	nameIt       = "name its image with image: under pairs: in the configuration"
	declareIt    = "say under pairs: in the configuration what it serves"
	fetchAll     = "fetch the whole history (fetch-depth: 0), or say under pairs: in the configuration what it serves"
	fixDeclared  = "correct serves: under pairs: in the configuration"
	renderIt     = "close the gaps of that commit, or say under pairs: in the configuration what it serves"
	fixedTagOnly = "use a tag of its own for each build, or a digest"
)
