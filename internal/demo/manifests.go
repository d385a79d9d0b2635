package demo

import (
	"cmp"
	"fmt"
	"slices"
)

// entry is one commit of the manifests: one that somebody made, or the pipeline's.
type entry struct {
	step
	release *release // the pipeline's
}

// writeManifests writes the repository that Argo CD delivers from.
func writeManifests(l *ledger, images map[string]release) error {
	steps, err := timeline(files, "files/manifests")
	if err != nil {
		return err
	}
	for _, e := range entries(steps, images) {
		if err := e.write(l, images); err != nil {
			return fmt.Errorf("%s: %w", e.file, err)
		}
	}
	return nil
}

func (e entry) write(l *ledger, images map[string]release) error {
	if e.reverts != "" {
		_, err := l.revert(e.step)
		return err
	}
	_, err := l.commit(e.step, func(t tree) error {
		if e.release != nil {
			return e.release.deliver(t)
		}
		return applyAll(t, e.step, images)
	})
	return err
}

// entries puts steps and releases into the order of their commits: main first, then by date.
func entries(steps []step, images map[string]release) []entry {
	var all []entry
	for _, s := range steps {
		all = append(all, entry{step: s})
	}
	for _, r := range images {
		if r.delivered {
			all = append(all, entry{step: r.step(), release: &r})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(rank(a.branch), rank(b.branch)), a.when.Compare(b.when))
	})
	return all
}

func rank(branch string) int {
	if branch == mainBranch {
		return 0
	}
	return 1
}
