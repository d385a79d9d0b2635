package git

import (
	"context"
	"fmt"
	"strings"
)

// Tracked is one record of the index. A file with conflicts has several of one name.
type Tracked struct {
	Name    string // slash path from the top, valid
	Kind    Kind
	ID      string
	Skipped bool // a sparse checkout need not have it on disk
}

// Tracked lists the index. The repository must not be bare.
func (r *Repository) Tracked(ctx context.Context) ([]Tracked, error) {
	answer, err := r.runner.run(ctx, "ls-files", "-s", "-t", "-z")
	if err != nil {
		return nil, fmt.Errorf("list index: %w", err)
	}
	var list []Tracked
	for record := range strings.SplitSeq(string(answer), "\x00") {
		// "H 100644 <id> 0\t<name>", with S in front for skip-worktree.
		head, name, ok := strings.Cut(record, "\t")
		words := strings.Fields(head)
		if ok && len(words) == 4 && ValidName(name) {
			list = append(list, Tracked{name, kindOf(words[1]), words[2], words[0] == "S"})
		}
	}
	return list, nil
}

// Untracked lists what is in the work tree, not in the index, and not ignored by rules of the repository or of the clone.
// Rules of the user (core.excludesFile) do not count: the result is the same for everybody. A repository inside the work
// tree is listed by itself, as [Module]; of anything else the kind is not told. The repository must not be bare.
func (r *Repository) Untracked(ctx context.Context) ([]Entry, error) {
	answer, err := r.runner.run(ctx, "ls-files", "-o", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	var list []Entry
	for record := range strings.SplitSeq(string(answer), "\x00") {
		name, nested := strings.CutSuffix(record, "/")
		e := Entry{Name: name}
		if nested {
			e.Kind = Module
		}
		if ValidName(name) {
			list = append(list, e)
		}
	}
	return list, nil
}
