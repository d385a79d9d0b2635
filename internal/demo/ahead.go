package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Ahead is another way on from main's last commit than that of the branch Fixed.
type Ahead struct {
	Commits []Commit
	// Descriptor is where the pipeline writes the descriptor of the releases that follow, "" for where it does on main.
	Descriptor string
}

// Commit is one commit of the platform team.
type Commit struct {
	Message string
	Files   map[string][]byte // content by slash path, nil deletes
}

// BuildAhead is [Build] with main going on: with these commits, a day apart, and then with the releases that Fixed has.
func BuildAhead(ctx context.Context, dir string, a Ahead) (Repositories, error) {
	return buildIn(ctx, dir, func(l *ledger, images map[string]release) error {
		steps, err := timeline(files, "files/manifests")
		if err != nil {
			return err
		}
		all := entries(steps, images)
		at := slices.IndexFunc(all, func(e entry) bool { return e.branch != mainBranch })
		last := all[at-1]
		descriptor := a.Descriptor
		for _, e := range all[:at] {
			if err := e.write(l, images); err != nil {
				return fmt.Errorf("%s: %w", e.file, err)
			}
			if e.release != nil && a.Descriptor == "" {
				descriptor = e.release.delivery.descriptor
			}
		}
		for i, c := range a.Commits {
			s := step{author: "platform-team", branch: mainBranch, message: c.Message, when: last.when.Add(time.Duration(i+1) * 24 * time.Hour)}
			if _, err := l.commit(s, func(t tree) error { c.write(t); return nil }); err != nil {
				return fmt.Errorf("commit %d: %w", i+1, err)
			}
		}
		for _, e := range all[at:] {
			if e.release == nil {
				continue
			}
			r := *e.release
			r.branch, r.delivery.descriptor = mainBranch, descriptor
			if err := (entry{step: r.step(), release: &r}).write(l, images); err != nil {
				return fmt.Errorf("%s: %w", e.file, err)
			}
		}
		return nil
	})
}

func (c Commit) write(t tree) {
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		if c.Files[name] == nil {
			delete(t, name)
		} else {
			t[name] = c.Files[name]
		}
	}
}
