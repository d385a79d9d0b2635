package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// located is the tree that a source names.
type located struct {
	tree       source.Tree
	key        string // equal keys have equal trees
	revision   string // full commit id, "" when the disk is read
	repository string // normalised URL of another repository, "" for the analysed one
	analysed   bool   // the analysed revision itself
}

// home is the analysed tree.
func (d *discovery) homeTree() located {
	return located{tree: d.in.Tree, revision: d.in.Revision, analysed: true}
}

// locate finds the tree of a source, or says why there is none. Errors are failures of ours.
func (d *discovery) locate(ctx context.Context, s unit.Source) (located, *diag.Gap, error) {
	if s.Chart != "" {
		return located{}, &diag.Gap{
			Reason:  diag.Remote,
			Message: fmt.Sprintf("chart %s of %s is not in the repository", strings.TrimSpace(s.Chart+" "+s.TargetRevision), s.RepoURL),
			Close:   "vendor the chart into the repository and give its path; charts are not fetched by this version",
		}, nil
	}
	url := source.NormalizeURL(s.RepoURL)
	if d.home[url] {
		return d.locateHome(ctx, s.TargetRevision)
	}
	for _, g := range d.in.Given {
		for _, u := range g.URLs {
			if g.Refs != nil && source.NormalizeURL(u) == url {
				return d.locateGiven(ctx, g.Refs, url, s.TargetRevision)
			}
		}
	}
	return located{}, &diag.Gap{
		Reason:  diag.NotGiven,
		Message: fmt.Sprintf("the source lies in another repository, %s", s.RepoURL),
		Close: fmt.Sprintf("clone it and add --repo %s=DIR; if it is this repository, list it under repositories: in %s with dir: .",
			s.RepoURL, config.FileName),
	}, nil
}

// locateHome resolves a targetRevision of the analysed repository. HEAD and branches mean the analysed revision, whatever
// the branch is called; tags and commits are read where they point.
func (d *discovery) locateHome(ctx context.Context, rev string) (located, *diag.Gap, error) {
	if rev == "" || rev == "HEAD" {
		return d.homeTree(), nil, nil
	}
	if d.in.Refs == nil {
		// A directory without history knows no names: whatever is tracked is what lies here.
		d.noteBranch(rev)
		return d.homeTree(), nil, nil
	}
	kind, commit, err := d.in.Refs.Lookup(ctx, rev)
	switch {
	case errors.Is(err, source.ErrUnknownRevision):
		return located{}, unknownRevision(rev, "the analysed repository"), nil
	case err != nil:
		return located{}, nil, err
	case kind == source.Branch:
		d.noteBranch(rev)
		return d.homeTree(), nil, nil
	}
	l, err := d.at(ctx, d.in.Refs, commit, "")
	return l, nil, err
}

func (d *discovery) locateGiven(ctx context.Context, refs Refs, url, rev string) (located, *diag.Gap, error) {
	if rev == "" || rev == "HEAD" {
		commit, err := refs.Head(ctx)
		if errors.Is(err, source.ErrNoCommit) {
			return located{}, unknownRevision("HEAD", url), nil
		}
		if err != nil {
			return located{}, nil, err
		}
		l, err := d.at(ctx, refs, commit, url)
		return l, nil, err
	}
	_, commit, err := refs.Lookup(ctx, rev)
	if errors.Is(err, source.ErrUnknownRevision) {
		return located{}, unknownRevision(rev, url), nil
	}
	if err != nil {
		return located{}, nil, err
	}
	l, err := d.at(ctx, refs, commit, url)
	return l, nil, err
}

func (d *discovery) at(ctx context.Context, refs Refs, c source.Commit, repository string) (located, error) {
	tree, err := refs.Tree(ctx, c)
	if err != nil {
		return located{}, fmt.Errorf("read tree of %s: %w", c.Hash, err)
	}
	return located{tree: tree, key: repository + "@" + c.Hash, revision: c.Hash, repository: repository}, nil
}

func unknownRevision(rev, repository string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.RevisionUnknown,
		Message: fmt.Sprintf("targetRevision %q is no branch, tag or commit of %s", rev, repository),
		Close:   fmt.Sprintf("fetch it into the clone (git fetch origin %s), or correct the targetRevision", rev),
	}
}

func (d *discovery) noteBranch(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.branches[name] = true
}

// homeURLs decides which URLs mean the analysed repository: those of the configuration and of the clone's remotes. When
// they tell for none of the Applications that the candidates yield, it is the URL that most of them use, provided that
// most of the paths they name exist here: a mirror, a fork or an unpacked archive is analysed at once, and the head says so.
func (d *discovery) homeURLs(sources []unit.Source) {
	d.home = map[string]bool{}
	for _, u := range d.in.Remotes {
		d.home[source.NormalizeURL(u)] = true
	}
	for _, g := range d.in.Given {
		if g.Refs != nil {
			continue
		}
		for _, u := range g.URLs {
			d.home[source.NormalizeURL(u)] = true
		}
	}
	delete(d.home, "")
	votes := map[string]int{} // paths that exist here less those that do not
	spelled := map[string]string{}
	for _, s := range sources {
		if s.Chart != "" || s.RepoURL == "" {
			continue
		}
		url := source.NormalizeURL(s.RepoURL)
		if d.home[url] {
			return
		}
		if _, err := d.in.Tree.Stat(clean(s.Path)); err == nil {
			votes[url]++
		} else {
			votes[url]--
		}
		spelled[url] = cmp.Or(spelled[url], s.RepoURL)
	}
	best := ""
	for _, url := range slices.Sorted(maps.Keys(votes)) {
		if !d.given(url) && votes[url] > 0 && (best == "" || votes[url] > votes[best]) {
			best = url
		}
	}
	if best != "" {
		d.home[best] = true
		d.assume("%s is taken to be this repository: no Application uses a remote of this clone, and the paths of this one exist here", spelled[best])
	}
}

func (d *discovery) given(url string) bool {
	for _, g := range d.in.Given {
		for _, u := range g.URLs {
			if source.NormalizeURL(u) == url {
				return true
			}
		}
	}
	return false
}

// clean makes a tree path of a source path: "./a/", "a" and "/a" are the same directory to Argo CD.
func clean(p string) string {
	return cmp.Or(strings.TrimPrefix(path.Clean("/"+p), "/"), ".")
}
