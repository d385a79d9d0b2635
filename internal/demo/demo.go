// Package demo builds the repositories of the incident that this product exists for: the manifests of a small shop that
// Argo CD delivers, and the order service whose images and descriptors they carry.
//
// In goes a directory, out come two Git repositories with the same commit ids on every machine. Their history is data:
// one file under files/ is one commit, with its message and what it changes (timeline.go says how they are written).
// Releases are not written down twice: each release of the application becomes a commit of the pipeline in the manifests
// (delivery.go), with a descriptor that is compiled from the .proto files of that very commit.
//
// The package refuses to write into a directory that holds anything.
package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/syncproof/syncproof/internal/source"
)

// Tags and branches of the manifests that mark the turns of the story.
const (
	Incident     = "incident"      // tag: the release that gave the 502
	TurningPoint = "turning-point" // tag: the decision that the second reader of the descriptor will leave
	Fixed        = "fixed"         // branch: the descriptor delivered by the unit that reads it
)

// What the repositories call themselves. Nothing answers there.
const (
	ManifestsURL   = "https://git.example.com/shop/manifests.git"
	ApplicationURL = "https://git.example.com/shop/api.git"
)

const mainBranch = "main"

//go:embed files
var files embed.FS

// Repositories says where [Build] put them. Both have a work tree of main.
type Repositories struct {
	Manifests   string
	Application string
}

// Beside is a place next to where [Build] put them.
func (r Repositories) Beside(name string) string {
	return filepath.Join(filepath.Dir(r.Manifests), name)
}

// Build writes both repositories below dir, which it creates if need be. What it wrote before an error is removed.
func Build(ctx context.Context, dir string) (Repositories, error) {
	return buildIn(ctx, dir, writeManifests)
}

// buildIn builds both repositories, and has the history of the manifests written.
func buildIn(ctx context.Context, dir string, manifests func(*ledger, map[string]release) error) (Repositories, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return Repositories{}, fmt.Errorf("demo: %w", err)
	}
	if len(entries) > 0 {
		return Repositories{}, fmt.Errorf("demo: %s is not empty", dir)
	}
	r := Repositories{Manifests: filepath.Join(dir, "manifests"), Application: filepath.Join(dir, "api")}
	if err := build(ctx, r, manifests); err != nil {
		return Repositories{}, errors.Join(fmt.Errorf("demo: %w", err), os.RemoveAll(r.Manifests), os.RemoveAll(r.Application))
	}
	return r, nil
}

func build(ctx context.Context, r Repositories, manifests func(*ledger, map[string]release) error) error {
	var images map[string]release
	if err := write(ctx, r.Application, ApplicationURL, func(l *ledger) (err error) {
		images, err = writeApplication(ctx, l)
		return err
	}); err != nil {
		return fmt.Errorf("application: %w", err)
	}
	if err := write(ctx, r.Manifests, ManifestsURL, func(l *ledger) error {
		return manifests(l, images)
	}); err != nil {
		return fmt.Errorf("manifests: %w", err)
	}
	return nil
}

// write makes one repository and has its history written.
func write(ctx context.Context, dir, url string, history func(*ledger) error) error {
	w, err := source.Create(ctx, dir, source.WriterOptions{DefaultBranch: mainBranch, Remote: url})
	if err != nil {
		return err
	}
	defer w.Close()
	if err := history(newLedger(w)); err != nil {
		return err
	}
	return w.Finish(ctx)
}
