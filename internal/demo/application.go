package demo

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// release is one tag of the application, with all that the pipeline makes of it.
type release struct {
	tag        string
	branch     string
	when       time.Time // of the tagged commit
	commit     string    // id
	subject    string
	descriptor []byte // a serialised FileDescriptorSet
	delivery   delivery
	delivered  bool   // the pipeline writes it to the manifests; else somebody did by hand
	knownAs    string // tag of the pipeline's commit
}

// writeApplication writes the application's repository and returns its releases by tag.
func writeApplication(ctx context.Context, l *ledger) (map[string]release, error) {
	steps, err := timeline(files, "files/api")
	if err != nil {
		return nil, err
	}
	images := map[string]release{}
	for _, s := range steps {
		id, err := l.commit(s, func(t tree) error { return applyAll(t, s, nil) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		if s.tag == "" {
			continue
		}
		r, err := newRelease(ctx, s, id, l.trees[s.branch])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		images[r.tag] = r
	}
	return images, nil
}

func newRelease(ctx context.Context, s step, id string, t tree) (release, error) {
	subject, _, _ := strings.Cut(s.message, "\n")
	r := release{tag: s.tag, branch: s.branch, when: s.when, commit: id, subject: subject, delivered: s.released, knownAs: s.knownAs}
	var err error
	if r.descriptor, err = compile(ctx, t, "proto"); err != nil {
		return release{}, err
	}
	r.delivery, err = parseDelivery(t[deliveryFile])
	return r, err
}

func applyAll(t tree, s step, images map[string]release) error {
	for _, section := range s.edits {
		if err := t.apply(section, images); err != nil {
			return fmt.Errorf("%s: %w", section.Name, err)
		}
	}
	return nil
}
