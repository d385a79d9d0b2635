package demo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// ledger writes commits into one repository and keeps what each branch holds.
type ledger struct {
	w     *source.Writer
	trees map[string]tree   // by branch
	tips  map[string]string // commit id by branch
	tags  map[string]tagged
}

// tagged is a commit with a tag.
type tagged struct {
	id   string
	undo tree // what leads back to the commit before
}

func newLedger(w *source.Writer) *ledger {
	return &ledger{w: w, trees: map[string]tree{}, tips: map[string]string{}, tags: map[string]tagged{}}
}

// commit writes a step whose content is what change makes of the branch's tree, and returns its id.
func (l *ledger) commit(s step, change func(tree) error) (string, error) {
	old, from := l.trees[s.branch], ""
	if old == nil && s.branch != mainBranch {
		old, from = l.trees[mainBranch], l.tips[mainBranch]
	}
	now := maps.Clone(old)
	if now == nil {
		now = tree{}
	}
	if err := change(now); err != nil {
		return "", err
	}
	changes := now.since(old)
	if len(changes) == 0 {
		return "", errors.New("changes nothing")
	}
	id, err := l.w.Commit(source.Change{
		Branch: s.branch, From: from, Author: person(s.author), When: s.when, Message: s.message,
		Files: changes, Executable: scripts(changes),
	})
	if err != nil {
		return "", err
	}
	l.trees[s.branch], l.tips[s.branch] = now, id
	if s.tag == "" {
		return id, nil
	}
	l.tags[s.tag] = tagged{id: id, undo: old.since(now)}
	subject, _, _ := strings.Cut(s.message, "\n")
	return id, l.w.Tag(s.tag, id, person(s.author), s.when, subject)
}

// revert writes a step that puts back what a tagged commit changed, and says so as git does.
func (l *ledger) revert(s step) (string, error) {
	reverted, ok := l.tags[s.reverts]
	if !ok {
		return "", fmt.Errorf("no tag %s to revert", s.reverts)
	}
	s.message += "\nThis reverts commit " + reverted.id + ".\n"
	return l.commit(s, func(t tree) error {
		for p, content := range reverted.undo {
			if content == nil {
				delete(t, p)
			} else {
				t[p] = content
			}
		}
		return nil
	})
}

// person is a role: no one in this story has a name.
func person(role string) source.Person {
	return source.Person{Name: role, Mail: role + "@example.com"}
}

func scripts(t tree) []string {
	var names []string
	for p, content := range t {
		if strings.HasSuffix(p, ".sh") && content != nil {
			names = append(names, p)
		}
	}
	slices.Sort(names)
	return names
}
