package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// RefKind says what a targetRevision names.
type RefKind string

// The kinds. A branch moves, the other two stay where they are.
const (
	Branch RefKind = "branch"
	Tag    RefKind = "tag"
	Hash   RefKind = "hash"
)

// ErrAmbiguous means that a name is a branch and a tag. Such a name is an [ErrUnknownRevision] too.
var ErrAmbiguous = fmt.Errorf("%w: it is ambiguous", ErrUnknownRevision)

// refs are the branches and tags of a clone by short name. Values are object ids.
type refs struct {
	branches map[string]string
	tags     map[string]string
}

// Lookup resolves an Application's targetRevision the way Argo CD does against the remote (util/git/client.go, lsRemote
// and resolveSemverRevision), in this order:
//
//  1. a full hash is taken as it is;
//  2. "" and "HEAD" are what HEAD names: of kind [Branch];
//  3. what is a version constraint ("1.2.*", ">=2", but not the plain version "1.2") is the newest tag that satisfies it;
//  4. a branch or a tag, by short name or as refs/heads/... or refs/tags/...;
//  5. the beginning of a hash, seven digits or more.
//
// Argo CD takes a short name that is a branch and a tag for whichever it meets first, and meets them in the order of a
// Go map (go-git's memory.ReferenceStorage): here that is [ErrAmbiguous].
//
// A branch of the remote is a branch of this clone, or else a remote-tracking one: that of origin first, then of the other
// remotes by name. [ErrUnknownRevision] if nothing of this is in the clone.
func (r *Repository) Lookup(ctx context.Context, name string) (RefKind, Commit, error) {
	lower := strings.ToLower(name)
	switch {
	case len(name) == r.hashLen && isHash(lower):
		c, err := r.peel(ctx, name, lower)
		return Hash, c, err
	case name == "" || name == "HEAD":
		c, err := r.Head(ctx)
		return Branch, c, err
	}
	known, err := r.allRefs(ctx)
	if err != nil {
		return "", Commit{}, err
	}
	tag, err := known.newest(name)
	if err != nil {
		return "", Commit{}, err
	}
	if tag != "" {
		c, err := r.peel(ctx, name, tag)
		return Tag, c, err
	}
	branch, isBranch := known.branches[strings.TrimPrefix(name, "refs/heads/")]
	tag, isTag := known.tags[strings.TrimPrefix(name, "refs/tags/")]
	switch {
	case isBranch && isTag:
		return "", Commit{}, fmt.Errorf("%w: %q is a branch and a tag", ErrAmbiguous, name)
	case isBranch:
		c, err := r.peel(ctx, name, branch)
		return Branch, c, err
	case isTag:
		c, err := r.peel(ctx, name, tag)
		return Tag, c, err
	}
	if len(name) >= 7 && len(name) < r.hashLen && strings.Trim(lower, "0123456789abcdef") == "" {
		// Git looks for refs of that name too, also in places that Argo CD does not know.
		c, err := r.Resolve(ctx, lower)
		if err == nil && strings.HasPrefix(c.Hash, lower) {
			return Hash, c, nil
		}
		if err != nil && !errors.Is(err, ErrUnknownRevision) {
			return "", Commit{}, err
		}
	}
	return "", Commit{}, fmt.Errorf("%w %q", ErrUnknownRevision, name)
}

// peel reads the commit of an id that may be that of a tag object.
func (r *Repository) peel(ctx context.Context, name, id string) (Commit, error) {
	c, err := r.commit(ctx, id)
	if errors.Is(err, ErrAbsent) { // also a tag of something that is no commit
		return Commit{}, fmt.Errorf("%w %q", ErrUnknownRevision, name)
	}
	return c, err
}

// newest gives the object of the highest version tag that satisfies a constraint, "" if name is no constraint or no tag
// does. As in Argo CD, a plain version is no constraint, and 0.0.0 never wins.
func (x *refs) newest(name string) (string, error) {
	if _, err := semver.NewVersion(name); err == nil {
		return "", nil
	}
	constraint, err := semver.NewConstraint(name)
	if err != nil {
		return "", nil
	}
	best, object := semver.New(0, 0, 0, "", ""), ""
	for _, tag := range slices.Sorted(maps.Keys(x.tags)) {
		version, err := semver.NewVersion(tag)
		switch {
		case err != nil || !constraint.Check(version):
		case version.GreaterThan(best):
			best, object = version, x.tags[tag]
		case object != "" && version.Equal(best) && x.tags[tag] != object:
			return "", fmt.Errorf("%w: tags %s and %s are one version", ErrAmbiguous, best.Original(), tag)
		}
	}
	return object, nil
}

// allRefs reads the refs at the first call.
func (r *Repository) allRefs(ctx context.Context) (*refs, error) {
	r.refsMu.Lock()
	defer r.refsMu.Unlock()
	if r.refs != nil {
		return r.refs, nil
	}
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	const format = "--format=%(objectname) %(refname)"
	answer, err := r.runner.run(ctx, "for-each-ref", format, "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("read refs: %w", err)
	}
	r.refs = parseRefs(string(answer), remotes)
	return r.refs, nil
}

func parseRefs(lines string, remotes []remote) *refs {
	x := &refs{branches: map[string]string{}, tags: map[string]string{}}
	tracking := map[string]map[string]string{} // by remote, then by branch
	for line := range strings.Lines(lines) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if short, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			x.branches[short] = id
		} else if short, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			x.tags[short] = id
		} else if rest, ok := strings.CutPrefix(name, "refs/remotes/"); ok {
			owner, short := splitTracking(rest, remotes)
			if short == "" || short == "HEAD" {
				continue
			}
			if tracking[owner] == nil {
				tracking[owner] = map[string]string{}
			}
			tracking[owner][short] = id
		}
	}
	owners := slices.Sorted(maps.Keys(tracking))
	slices.SortStableFunc(owners, func(a, b string) int {
		switch {
		case a == "origin" && b != "origin":
			return -1
		case b == "origin" && a != "origin":
			return 1
		}
		return 0
	})
	for _, owner := range owners {
		for short, id := range tracking[owner] {
			if _, known := x.branches[short]; !known {
				x.branches[short] = id
			}
		}
	}
	return x
}

// splitTracking splits "origin/release/1" into remote and branch. Names of remotes may have slashes in them.
func splitTracking(s string, remotes []remote) (owner, branch string) {
	for _, r := range remotes {
		if rest, ok := strings.CutPrefix(s, r.name+"/"); ok && len(r.name) > len(owner) {
			owner, branch = r.name, rest
		}
	}
	if owner == "" {
		owner, branch, _ = strings.Cut(s, "/")
	}
	return owner, branch
}
