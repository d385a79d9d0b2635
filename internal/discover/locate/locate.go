// Package locate finds the trees that the sources of an Application name.
//
// In go the analysed tree, what resolves names in it and the other repositories that are given; out comes a [Place] for each
// source, or a gap that says why there is none. It refuses what Argo CD refuses of sources that lend each other files, and
// what it cannot know: charts and repositories that are not on disk, and branches beside the analysed one.
package locate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Refs resolves names in one repository. [source.Repository] does.
type Refs interface {
	Head(ctx context.Context) (source.Commit, error)
	Lookup(ctx context.Context, name string) (source.RefKind, source.Commit, error)
	Tree(ctx context.Context, c source.Commit) (source.Tree, error)
}

// Given is another repository on disk and the URLs that mean it. With no Refs, URLs are further names of the analysed
// repository itself.
type Given struct {
	URLs []string
	Refs Refs
}

// Input is what there is to find trees in.
type Input struct {
	Tree     source.Tree // the analysed revision
	Revision string      // its full commit id; "" when the disk is read
	Refs     Refs        // resolves names of the analysed repository; nil when it is no Git repository
	Remotes  []string    // URLs that the clone itself calls its remotes
	Given    []Given
}

// Place is the tree that a source names.
type Place struct {
	Tree       source.Tree
	Key        string // equal keys have equal trees
	Revision   string // full commit id, "" when the disk is read
	Repository string // normalised URL of another repository, "" for the analysed one
	Analysed   bool   // the analysed revision itself
	// Lent is that of [unit.Request].
	Lent map[string]string

	branch  string           // the name under which it was asked for, if that was taken to mean the analysed revision
	lenders map[string]Place // what lies in the tree besides, by [unit.LentPlace]
}

// Finder finds trees. It may be used by several goroutines at once, after [Finder.Settle].
type Finder struct {
	in   Input
	home map[string]bool // normalised URLs of the analysed repository

	mu       sync.Mutex
	branches map[string]bool
}

// New makes a finder. It knows no URL of the analysed repository before [Finder.Settle].
func New(in Input) *Finder {
	return &Finder{in: in, home: map[string]bool{}, branches: map[string]bool{}}
}

// Home is the analysed tree.
func (f *Finder) Home() Place {
	return Place{Tree: f.in.Tree, Revision: f.in.Revision, Analysed: true}
}

// IsHome tells whether a URL means the analysed repository.
func (f *Finder) IsHome(url string) bool { return f.home[source.NormalizeURL(url)] }

// URLs are those that mean the analysed repository, normalised and sorted.
func (f *Finder) URLs() []string { return slices.Sorted(maps.Keys(f.home)) }

// Branches are the targetRevisions that were taken to mean the analysed revision, sorted.
func (f *Finder) Branches() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.branches))
}

// find finds the tree of one source, or says why there is none. Errors are failures of ours.
func (f *Finder) find(ctx context.Context, s unit.Source) (Place, *diag.Gap, error) {
	if s.Chart != "" {
		return Place{}, &diag.Gap{
			Reason:  diag.Remote,
			Message: fmt.Sprintf("chart %s of %s is not in the repository", strings.TrimSpace(s.Chart+" "+s.TargetRevision), s.RepoURL),
			Close:   "vendor the chart into the repository and give its path; charts are not fetched by this version",
		}, nil
	}
	url := source.NormalizeURL(s.RepoURL)
	if f.home[url] {
		return f.findHome(ctx, s.TargetRevision)
	}
	for _, g := range f.in.Given {
		for _, u := range g.URLs {
			if g.Refs != nil && source.NormalizeURL(u) == url {
				return f.findGiven(ctx, g.Refs, url, s.TargetRevision)
			}
		}
	}
	return Place{}, &diag.Gap{
		Reason:  diag.NotGiven,
		Message: fmt.Sprintf("the source lies in another repository, %s", s.RepoURL),
		Close: fmt.Sprintf("clone it and add --repo %s=DIR; if it is this repository, list it under repositories: in %s with dir: .",
			s.RepoURL, config.FileName),
	}, nil
}

// findHome resolves a targetRevision of the analysed repository. HEAD and branches mean the analysed revision, whatever
// the branch is called; tags and commits are read where they point.
func (f *Finder) findHome(ctx context.Context, rev string) (Place, *diag.Gap, error) {
	if rev == "" || rev == "HEAD" {
		return f.Home(), nil, nil
	}
	if f.in.Refs == nil {
		// A directory without history knows no names: whatever is tracked is what lies here.
		return f.branch(rev), nil, nil
	}
	kind, commit, err := f.in.Refs.Lookup(ctx, rev)
	switch {
	case errors.Is(err, source.ErrUnknownRevision):
		return Place{}, unknownRevision(rev, "the analysed repository"), nil
	case err != nil:
		return Place{}, nil, err
	case kind == source.Branch:
		return f.branch(rev), nil, nil
	}
	p, err := at(ctx, f.in.Refs, commit, "")
	return p, nil, err
}

// branch takes a name to mean the analysed revision.
func (f *Finder) branch(name string) Place {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.branches[name] = true
	p := f.Home()
	p.branch = name
	return p
}

func (f *Finder) findGiven(ctx context.Context, refs Refs, url, rev string) (Place, *diag.Gap, error) {
	if rev == "" || rev == "HEAD" {
		commit, err := refs.Head(ctx)
		if errors.Is(err, source.ErrNoCommit) {
			return Place{}, unknownRevision("HEAD", url), nil
		}
		if err != nil {
			return Place{}, nil, err
		}
		p, err := at(ctx, refs, commit, url)
		return p, nil, err
	}
	_, commit, err := refs.Lookup(ctx, rev)
	if errors.Is(err, source.ErrUnknownRevision) {
		return Place{}, unknownRevision(rev, url), nil
	}
	if err != nil {
		return Place{}, nil, err
	}
	p, err := at(ctx, refs, commit, url)
	return p, nil, err
}

func at(ctx context.Context, refs Refs, c source.Commit, repository string) (Place, error) {
	tree, err := refs.Tree(ctx, c)
	if err != nil {
		return Place{}, fmt.Errorf("read tree of %s: %w", c.Hash, err)
	}
	return Place{Tree: tree, Key: repository + "@" + c.Hash, Revision: c.Hash, Repository: repository}, nil
}

func unknownRevision(rev, repository string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.RevisionUnknown,
		Message: fmt.Sprintf("targetRevision %q is no branch, tag or commit of %s", rev, repository),
		Close:   fmt.Sprintf("fetch it into the clone (git fetch origin %s), or correct the targetRevision", rev),
	}
}

// Clean makes a tree path of a source path: "./a/", "a" and "/a" are the same directory to Argo CD.
func Clean(p string) string {
	return cmp.Or(strings.TrimPrefix(path.Clean("/"+p), "/"), ".")
}
