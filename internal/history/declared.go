package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/source"
)

// tagPlace is what stands for the tag of an image in the revision of a declaration.
const tagPlace = "{{tag}}"

// compilation is what a declaration leads to.
type compilation struct{ repository, commit, protos, descriptor string }

// outcome is a set, or why there is none.
type outcome struct {
	set *descriptor.Set
	why string
}

// declared reads what the configuration says about an image.
func (h *History) declared(ctx context.Context, q Query) (Served, error) {
	d := *q.Declared
	tree, commit, at, err := h.treeOf(ctx, q)
	var stop *stopped
	switch {
	case errors.As(err, &stop):
		return unknown(stop.why, stop.close), nil
	case err != nil:
		return Served{}, err
	}
	got, err := h.compile(ctx, compilation{d.Repository, commit.Hash, d.Protos, d.Descriptor}, tree)
	if err != nil {
		return Served{}, err
	}
	what := "protos"
	if d.Descriptor != "" {
		what = "descriptor " + d.Descriptor
	}
	if got.set == nil {
		return unknown(fmt.Sprintf("%s of %s: %s", what, at, got.why), fixDeclared), nil
	}
	why := fmt.Sprintf("image %s serves the %s of %s", labels(q.Images), what, at)
	return Served{Set: got.set, Premise: Declared, Why: oneLine(why), Commit: commit}, nil
}

// treeOf finds the tree that a declaration speaks of, and its name for people. It fails with *stopped if there is none.
func (h *History) treeOf(ctx context.Context, q Query) (source.Tree, source.Commit, string, error) {
	d := *q.Declared
	if d.Repository == "" {
		if q.Tree != nil {
			return q.Tree, source.Commit{}, "this revision", nil // it may be the disk, which is no commit
		}
		if h.in.Repository == nil {
			return nil, source.Commit{}, "", stopf(fixDeclared, "there is no revision to read what is declared from")
		}
		tree, err := h.in.Repository.Tree(ctx, q.From)
		return tree, q.From, "this revision", err
	}
	rev, err := revisionOf(d, q.Images)
	if err != nil {
		return nil, source.Commit{}, "", err
	}
	repository, err := h.repository(ctx, d.Repository)
	if err != nil {
		return nil, source.Commit{}, "", err
	}
	commit, err := find(ctx, repository, rev)
	switch {
	case ctx.Err() != nil:
		return nil, source.Commit{}, "", ctx.Err()
	case errors.Is(err, source.ErrUnknownRevision):
		return nil, source.Commit{}, "", stopf("fetch its tags, or correct serves: under pairs: in the configuration",
			"%s has no revision %s", d.Repository, rev)
	case err != nil:
		return nil, source.Commit{}, "", err
	}
	tree, err := repository.Tree(ctx, commit)
	if unreadable(err) {
		return nil, source.Commit{}, "", stopf(fetchAll, "%s at %s cannot be read: %v", d.Repository, rev, err)
	}
	return tree, commit, fmt.Sprintf("%s at %s (%s)", d.Repository, rev, short(commit)), err
}

// revisionOf puts the tag of the images into the revision of a declaration.
func revisionOf(d Declaration, images []string) (string, error) {
	if !strings.Contains(d.Revision, tagPlace) {
		return d.Revision, nil
	}
	tag := ""
	for _, i := range images {
		image := ParseImage(i)
		switch why := image.mutable(); {
		case image.Tag == "" && image.Digest != "":
			return "", stopf(`write the tag too, "name:tag@sha256:...", or a revision without {{tag}}`,
				"image %s has a digest and no tag: of which revision it was built is not known", image.Name)
		case why != "":
			return "", stopf(fixedTagOnly, "image %s %s", image.Name, why)
		case tag != "" && tag != image.Tag:
			return "", stopf("say with image: which of them serves", "images %s are of different revisions", labels(images))
		}
		tag = image.Tag
	}
	return strings.ReplaceAll(d.Revision, tagPlace, tag), nil
}

func (h *History) repository(ctx context.Context, dir string) (Revisions, error) {
	switch {
	case dir == "." && h.in.Repository != nil:
		return h.in.Repository, nil
	case dir == "." || h.in.Others == nil:
		return nil, stopf(fixDeclared, "there is no repository %s", dir)
	}
	r, err := h.in.Others(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, stopf(fixDeclared, "repository %s cannot be opened: %v", dir, err)
	}
	return r, nil
}

// hashLike is what Git takes for the beginning of a hash, and what may as well be the number of a build.
var hashLike = regexp.MustCompile(`^[0-9a-fA-F]{1,6}$`)

// find looks for a revision as images are named: a tag first, by its full name, since a branch may have the same short one,
// and then whatever Git takes for a revision, a hash's beginning of seven digits or more among it.
func find(ctx context.Context, r Revisions, rev string) (source.Commit, error) {
	c, err := r.Resolve(ctx, "refs/tags/"+rev)
	if !errors.Is(err, source.ErrUnknownRevision) || hashLike.MatchString(rev) {
		return c, err
	}
	return r.Resolve(ctx, rev)
}

// compile reads the set that a tree holds. What is wrong with it is part of the outcome; the error is a cancelled context.
func (h *History) compile(ctx context.Context, what compilation, tree source.Tree) (outcome, error) {
	h.mu.Lock()
	known, ok := h.compiled[what]
	h.mu.Unlock()
	if ok && what.commit != "" { // the disk changes
		return known, nil
	}
	raw, err := readSet(ctx, what, tree)
	var set *descriptor.Set
	if err == nil {
		set, err = descriptor.Decode(raw)
	}
	if err == nil && len(set.Refusals) > 0 {
		err = fmt.Errorf("a proxy refuses it: %s", set.Refusals[0])
	}
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	out := outcome{set: set}
	if err != nil {
		out = outcome{why: oneLine(err.Error())}
	}
	h.mu.Lock()
	h.compiled[what] = out
	h.mu.Unlock()
	return out, nil
}

func readSet(ctx context.Context, what compilation, tree source.Tree) ([]byte, error) {
	if what.descriptor != "" {
		return tree.ReadFile(path.Clean(what.descriptor))
	}
	root := path.Clean(what.protos)
	info, err := tree.Stat(root)
	if err != nil {
		return nil, err
	}
	names := []string{path.Base(root)}
	if info.IsDir() {
		names, err = protosBelow(ctx, tree, root)
	} else {
		root = path.Dir(root)
	}
	if err != nil {
		return nil, err
	}
	return descriptor.Compile(ctx, names, func(name string) ([]byte, error) {
		if !fs.ValidPath(name) {
			return nil, fs.ErrNotExist
		}
		return tree.ReadFile(path.Join(root, name))
	})
}

// maxProtos is how many files one directory of protos may have.
const maxProtos = 10_000

// protosBelow lists the .proto files below a directory by the names that imports have for them.
func protosBelow(ctx context.Context, tree source.Tree, root string) ([]string, error) {
	var names []string
	err := fs.WalkDir(tree, root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case e.IsDir() || path.Ext(name) != ".proto":
			return nil
		case len(names) == maxProtos:
			return fmt.Errorf("more than %d files", maxProtos)
		}
		if root != "." {
			name = strings.TrimPrefix(name, root+"/")
		}
		names = append(names, name)
		return nil
	})
	if err == nil && len(names) == 0 {
		err = errors.New("no .proto file is there")
	}
	return names, err
}

// short is how people name a commit.
func short(c source.Commit) string { return c.Hash[:min(len(c.Hash), 7)] }

// oneLine makes text that a repository had a hand in fit for a report.
func oneLine(s string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(clean), " ")
}
