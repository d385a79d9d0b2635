package source_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/source"
)

// list writes files as "path=content" in one line.
func list(files []source.File) string {
	var words []string
	for _, f := range files {
		words = append(words, f.Path+"="+string(f.Data))
	}
	return strings.Join(words, " ")
}

func TestSubtree(t *testing.T) {
	files := map[string]string{
		"charts/api/Chart.yaml": "c", "charts/api/templates/x.yaml": "x", "charts/api/files": "-> ../../shared",
		"charts/api/values.yaml": "-> ../../values/api.yaml", "charts/api-b/y": "y", "charts/link": "-> api", "shared/deep/d": "d",
		"shared/s": "s", "values/api.yaml": "v", "charts/apix": "",
	}
	const want = "Chart.yaml=c files/deep/d=d files/s=s templates/x.yaml=x values.yaml=v"
	for kind, tree := range everyTree(t, files) {
		for _, dir := range []string{"charts/api", "charts/link"} {
			got, err := source.Subtree(tree, dir)
			if err != nil || list(got) != want {
				t.Errorf("%s: %s holds %s (%v), want %s", kind, dir, list(got), err, want)
			}
		}
	}
	foreign := fstest.MapFS{"d/b/c": {Data: []byte("1")}, "d/a": {Data: []byte("2")}}
	if got, err := source.Subtree(foreign, "d"); err != nil || list(got) != "a=2 b/c=1" {
		t.Errorf("of another package: %s, %v", list(got), err)
	}
}

func TestSubtreeRefuses(t *testing.T) {
	files := map[string]string{
		"self/a":     "-> .",
		"up/x/a":     "-> ..",
		"mutual/a/x": "-> ../b", "mutual/b/y": "-> ../a",
		"dangling/a": "-> none",
		"escape/a":   "-> ../..",
		"file":       "",
		"bomb/40/f":  "",
		"fine/one":   "-> ../file",
	}
	for i := range 40 {
		files[fmt.Sprintf("bomb/%d/a", i)] = fmt.Sprintf("-> ../%d", i+1)
		files[fmt.Sprintf("bomb/%d/b", i)] = fmt.Sprintf("-> ../%d", i+1)
	}
	tests := []struct {
		dir  string
		want error
	}{
		{"self", source.ErrLinkLoop},
		{"up", source.ErrLinkLoop},
		{"mutual", source.ErrLinkLoop},
		{"dangling", fs.ErrNotExist},
		{"escape", source.ErrEscapes},
		{"none", fs.ErrNotExist},
		{"bomb/0", source.ErrTooLarge},
		{"../x", fs.ErrInvalid},
	}
	repo := newRepo(t)
	repo.commit("one", files)
	tree := treeAt(t, open(t, repo.dir), "HEAD")
	for _, test := range tests {
		if got, err := source.Subtree(tree, test.dir); !errors.Is(err, test.want) {
			t.Errorf("%s: %d files, %v, want %v", test.dir, len(got), err, test.want)
		}
	}
	if _, err := source.Subtree(tree, "file"); err == nil {
		t.Error("a file has a subtree")
	}
	if got, err := source.Subtree(tree, "fine"); err != nil || list(got) != "one=" {
		t.Errorf("fine: %s, %v", list(got), err)
	}
	r := openWith(t, filepath.Join(repo.dir), source.Options{FileSize: 1})
	repo.commit("two", map[string]string{"big/b": "12"})
	if _, err := source.Subtree(treeAt(t, r, "HEAD"), "big"); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("big: %v", err)
	}
}
