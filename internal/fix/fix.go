// Package fix is what the command fix does with an opened repository: find the pair of a finding, plan a remedy for it, hand the plan
// out as mails or write it into the work tree.
//
// In goes the input of the pipeline with the repository that it was opened from; out come a plan, files of a directory, or one stage on
// disk. Errors of kind [Refusal] are about what was asked for. It refuses to write where the work tree is not the commit that the
// plan was made for. Tale does all of it with the repositories of the demo.
package fix

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/patch"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/remedy/stage"
	"github.com/syncproof/syncproof/internal/source"
)

// Refusal is what is wrong with what was asked for, in words for the user.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }

// Look is what was seen of a repository.
type Look struct {
	Report diag.Report
	repo   *source.Repository
	at     source.Commit
	pairs  []stage.Input // those whose remedies were asked for
}

// See runs the pipeline and keeps the pairs of the findings that are wanted. With the name of a remedy no other one is judged.
func See(ctx context.Context, in pipeline.Input, repo *source.Repository, remedyName string, wanted func(diag.Finding) bool) (Look, error) {
	l := Look{repo: repo, at: *in.Commit}
	if remedyName != "" {
		in.Releases.Only = []string{remedyName, "multi-source"} // whether a second source is possible is asked by others, too
	}
	in.Releases.Remedies = wanted
	in.Releases.Judged = func(pair remedy.Input, list []diag.Remedy) {
		l.pairs = append(l.pairs, stage.Input{Discover: in.Discover, Pair: pair, Remedies: list, Tree: l.tree})
	}
	var err error
	l.Report, err = pipeline.Run(ctx, in)
	return l, err
}

func (l Look) tree(ctx context.Context, hash string) (source.Tree, error) {
	c, err := l.repo.Resolve(ctx, hash)
	if err != nil {
		return nil, err
	}
	return l.repo.Tree(ctx, c)
}

// Plan plans a remedy for a finding that was wanted; the best that can be written if it has no name.
func (l Look) Plan(ctx context.Context, f diag.Finding, name string) (stage.Plan, error) {
	p := stage.Plan{Plan: diag.Plan{Refused: "the pair is none any more: " + f.Now, Stages: []diag.PlanStage{}}}
	if f.Now == "" {
		p.Refused = "its releases that were judged are " + f.Verdict + ": there is nothing that a remedy would repair"
	}
	if f.Now != "" && !strings.HasSuffix(f.Now, "still read") { // that is what remedies come to
		p.Refused, p.Done, p.Notes = "", true, []string{p.Refused}
	}
	for _, in := range l.pairs {
		if f.Title != in.Pair.Ends.Consumer.String()+" <-> "+in.Pair.Ends.Provider.String() && len(l.pairs) > 1 {
			continue
		}
		var err error
		if p, err = stage.Make(ctx, in, name); err != nil {
			return p, unknown(err)
		}
		break
	}
	p.Schema, p.Finding, p.Title, p.At = diag.PlanSchemaVersion, f.ID, f.Title, l.commit()
	return p, nil
}

// unknown makes a remedy that there is not a refusal.
func unknown(err error) error {
	if errors.Is(err, stage.ErrUnknown) {
		return refuse("%v", err)
	}
	return err
}

func (l Look) commit() diag.Commit {
	return diag.Commit{Commit: l.at.Hash, Short: l.at.Hash[:7], Subject: l.at.Subject, Date: l.Report.Head.Date}
}

// Mails writes the stages of a plan into a directory, for git am: all of them, or one. The directory must be empty or not exist.
func (l Look) Mails(p stage.Plan, dir string, only int) error {
	if len(p.Stages) == 0 {
		return nil
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return refuse("--patch %s: the directory is not empty", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return refuse("--patch: %v", err)
	}
	for i, m := range patch.Mails(p.Series(l.at)) {
		if only > 0 && i != only-1 {
			continue
		}
		if err := patch.Save(dir, m); err != nil {
			return fmt.Errorf("--patch: %w", err)
		}
	}
	return nil
}

// Write writes the next stage into the work tree.
func (l Look) Write(ctx context.Context, p stage.Plan, only int) error {
	switch {
	case len(p.Stages) == 0:
		return nil
	case only > 1:
		return refuse("--write --stage %d: stage 1 is not there yet, and the others come after it", only)
	case l.repo.Bare():
		return refuse("--write: a bare repository has no work tree")
	}
	head, err := l.repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Hash != l.at.Hash {
		return refuse("HEAD has moved from %s to %s meanwhile: run fix again", l.at.Hash[:7], head.Hash[:7])
	}
	dirty, err := l.repo.Dirty(ctx, head)
	if err != nil {
		return err
	}
	if dirty {
		return refuse("the work tree differs from %s: commit or stash that first, or say --patch DIR", l.at.Hash[:7])
	}
	e := p.Edits[0]
	if err := patch.Apply(l.repo.Top(), patch.Changes(e.Before, e.Files, e.From)); err != nil {
		return refuse("--write: %v", err)
	}
	return nil
}
