package memo

import (
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/source"
)

// repo is a repository that a test writes commit by commit. A content that begins with "-> " makes a link, no content
// deletes.
type repo struct {
	t      *testing.T
	dir    string
	writer *source.Writer
	count  int
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return &repo{t: t, dir: dir, writer: w}
}

func (r *repo) commit(files map[string]string) string {
	r.t.Helper()
	r.count++
	c := source.Change{
		Author:  source.Person{Name: "platform-team", Mail: "platform-team@example.com"},
		When:    time.Date(2026, 1, 1, 0, r.count, 0, 0, time.UTC),
		Message: "commit",
		Files:   map[string][]byte{},
		Links:   map[string]string{},
	}
	for name, content := range files {
		target, link := strings.CutPrefix(content, "-> ")
		switch {
		case link:
			c.Links[name] = target
		case content == "":
			c.Files[name] = nil
		default:
			c.Files[name] = []byte(content)
		}
	}
	hash, err := r.writer.Commit(c)
	if err != nil {
		r.t.Fatal(err)
	}
	return hash
}

// open ends the writing.
func (r *repo) open() *source.Repository {
	r.t.Helper()
	if err := r.writer.Finish(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	repository, err := source.Open(r.t.Context(), r.dir, source.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(repository.Close)
	return repository
}

func treeAt(t *testing.T, r *source.Repository, hash string) source.Tree {
	t.Helper()
	tree, err := r.Tree(t.Context(), source.Commit{Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func traced(tree source.Tree, read func(source.Tree)) source.Trace {
	r := source.Record(tree)
	read(r)
	return r.Trace()
}
