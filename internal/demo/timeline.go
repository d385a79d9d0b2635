package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// step is one commit as a file under files/ describes it. The file is a txtar archive. Its comment holds the head, an
// empty line and the commit's message; the head has lines "key: value":
//
//	author   a role
//	date     RFC 3339
//	branch   other than main: it starts at main's last commit
//	tag      a tag on the commit
//	release  application only: a tag on the commit, which the pipeline delivers to the manifests
//	known-as application only: a tag on the pipeline's commit in the manifests
//	reverts  a tag: everything that the commit there changed is put back
//
// Each section of the archive is one edit, in order; see edit.go.
type step struct {
	file     string // name of the file, for errors
	author   string
	when     time.Time
	branch   string
	tag      string
	released bool   // tag is a release
	knownAs  string // tag of the release in the manifests
	reverts  string
	message  string
	edits    []txtar.File
}

// timeline reads a folder of steps, in order of their file names, which must be the order of their dates. The steps of
// other branches come after those of main.
func timeline(fsys fs.FS, dir string) ([]step, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var main, others []step
	last := map[string]time.Time{}
	for _, e := range entries {
		raw, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		s, err := parseStep(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		s.file = e.Name()
		if !s.when.After(last[s.branch]) {
			return nil, fmt.Errorf("%s: is not later than the step before it", e.Name())
		}
		last[s.branch] = s.when
		if s.branch == mainBranch {
			main = append(main, s)
		} else {
			others = append(others, s)
		}
	}
	return append(main, others...), nil
}

func parseStep(raw []byte) (step, error) {
	archive := txtar.Parse(raw)
	head, message, ok := strings.Cut(string(archive.Comment), "\n\n")
	if !ok {
		return step{}, errors.New("no message")
	}
	s := step{branch: mainBranch, message: message, edits: archive.Files}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return step{}, fmt.Errorf("head %q is not \"key: value\"", line)
		}
		switch key {
		case "author":
			s.author = value
		case "date":
			when, err := time.Parse(time.RFC3339, value)
			if err != nil {
				return step{}, err
			}
			s.when = when
		case "branch":
			s.branch = value
		case "tag":
			s.tag = value
		case "release":
			s.tag, s.released = value, true
		case "known-as":
			s.knownAs = value
		case "reverts":
			s.reverts = value
		default:
			return step{}, fmt.Errorf("head has no key %q", key)
		}
	}
	if s.author == "" || s.when.IsZero() {
		return step{}, errors.New("author or date is missing")
	}
	return s, nil
}
