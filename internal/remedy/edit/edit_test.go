package edit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// The cases are archives below testdata. The comment of one says what it is about; lines "> ..." in it are edits, made one
// after the other, each over the result of the one before:
//
//	> annotate UNIT KIND/NAMESPACE/NAME KEY VALUE      VALUE - takes it away
//	> adopt FROM TO OBJECT      > drop UNIT OBJECT      > add-source TO FROM
//	> suspend UNIT              > remove UNIT           > content-name UNIT PROVIDER CONSUMER
//
// and lines "= UNIT UNIT" name the units of one environment. Files of the archive are the repository, in which apps(UNIT DIR NAMESPACE) in a line of its own stands for an Application,
// except two: "want" is all that changes, without context ("refused" if the last edit is), and "links" has lines "LINK TARGET".
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2, Key: []byte("k")})
	t.Cleanup(pool.Close)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			runCase(t, pool, a)
		})
	}
}

func runCase(t *testing.T, pool *render.Pool, a *txtar.Archive) {
	files, links := map[string][]byte{}, map[string]string{}
	want, refused := "", ""
	for _, f := range a.Files {
		switch f.Name {
		case "want":
			want = string(f.Data)
		case "refused":
			refused = strings.TrimSpace(string(f.Data))
		case "links":
			for line := range strings.Lines(string(f.Data)) {
				link, target, _ := strings.Cut(strings.TrimSpace(line), " ")
				links[link] = target
			}
		default:
			files[f.Name] = unescape(f.Data)
		}
	}
	tree := linked(t, files, links)
	start := tree
	var all []string
	for line := range strings.Lines(string(a.Comment)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		before := build(t, pool, tree)
		got, err := do(edit.New(tree, before, alike(before, string(a.Comment))...), before, strings.Fields(command))
		if err != nil {
			var r *edit.Refusal
			if !errors.As(err, &r) || refused == "" || !strings.Contains(err.Error(), refused) {
				t.Fatalf("%s: %v\nwant refused: %s\ngaps: %v", command, err, refused, before.Gaps)
			}
			return
		}
		tree = source.Overlay(tree, got.Files)
		out := law.Check(before, build(t, pool, tree), got.Want, got.Gone)
		if len(out.Wrong) > 0 || len(out.Unseen) > 0 {
			t.Errorf("%s: against the law: %q, unseen %q", command, out.Wrong, out.Unseen)
		}
		again, err := do(edit.New(tree, build(t, pool, tree)), build(t, pool, tree), strings.Fields(command))
		if err == nil && len(again.Files) > 0 {
			t.Errorf("%s: a second time it changes %v", command, slices.Sorted(maps.Keys(again.Files)))
		}
		all = append(all, got.Notes...)
		for _, name := range got.Secrets {
			all = append(all, "not for printing: "+name)
		}
	}
	if refused != "" {
		t.Fatalf("not refused: %s", refused)
	}
	if got := changes(t, start, tree) + notes(all); got != want {
		t.Errorf("changes:\n%s\nwant:\n%s", got, want)
	}
}

// alike reads lines "= UNIT UNIT": the units of one environment.
func alike(s *snapshot.Snapshot, comment string) [][]unit.ID {
	var all [][]unit.ID
	for line := range strings.Lines(comment) {
		names, ok := strings.CutPrefix(line, "= ")
		if !ok {
			continue
		}
		var ids []unit.ID
		for _, name := range strings.Fields(names) {
			for _, u := range s.Units {
				if s.Names[u.ID] == name {
					ids = append(ids, u.ID)
				}
			}
		}
		all = append(all, ids)
	}
	return all
}

func notes(all []string) string {
	out := ""
	for _, n := range all {
		out += "note: " + n + "\n"
	}
	return out
}

// unescape writes what an archive cannot hold: \r, \t, a byte order mark, bytes, and no line end at the end.
func unescape(data []byte) []byte {
	s := strings.NewReplacer("<CR>", "\r", "<TAB>", "\t", "<BOM>", "\xef\xbb\xbf", "<FF>", "\xff", "<END>\n", "").Replace(string(data))
	var out strings.Builder
	for line := range strings.Lines(s) {
		var name, dir, ns string
		if n, _ := fmt.Sscanf(line, "app(%s %s %s)", &name, &dir, &ns); n == 3 {
			fmt.Fprintf(&out, `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: %s
  namespace: argocd
spec:
  source:
    repoURL: https://git.example.com/m
    path: %s
  destination: {server: "https://kubernetes.default.svc", namespace: %s}
---
`, name, dir, strings.TrimSuffix(ns, ")"))
			continue
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// linked is a tree, of a repository if there are links in it.
func linked(t *testing.T, files map[string][]byte, links map[string]string) source.Tree {
	t.Helper()
	if len(links) == 0 {
		return source.Memory(files)
	}
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := source.Change{Author: source.Person{Name: "a", Mail: "a@example.com"}, Message: "m", Files: files, Links: map[string]string{}}
	for link, to := range links {
		if to == "submodule" {
			c.Submodules = map[string]string{link: strings.Repeat("1", 40)}
			continue
		}
		c.Links[link] = to
	}
	id, err := w.Commit(c)
	if err == nil {
		err = w.Finish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	at, err := repo.Resolve(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func build(t testing.TB, pool render.Renderer, tree source.Tree) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Build(context.Background(), discover.Input{Tree: tree, Config: config.Default(), Renderer: pool, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// do makes the edit that a command of a case says.
func do(e *edit.Editor, s *snapshot.Snapshot, args []string) (edit.Edit, error) {
	u := func(name string) unit.ID {
		for _, u := range s.Units {
			if s.Names[u.ID] == name || u.ID.Name == name {
				return u.ID
			}
		}
		return unit.ID{Name: name}
	}
	o := func(name string) object.ID {
		part := strings.Split(name, "/")
		for _, u := range s.Units {
			for _, o := range u.Objects {
				if o.ID.Kind == part[0] && o.ID.Namespace == part[1] && o.ID.Name == part[2] {
					return o.ID
				}
			}
		}
		return object.ID{Kind: part[0], Namespace: part[1], Name: part[2]}
	}
	switch args[0] {
	case "annotate":
		return e.Annotate(u(args[1]), o(args[2]), args[3], strings.TrimPrefix(args[4], "-"))
	case "adopt":
		return e.Adopt(u(args[1]), u(args[2]), o(args[3]))
	case "drop":
		return e.Drop(u(args[1]), o(args[2]))
	case "add-source":
		return e.AddSource(u(args[1]), u(args[2]))
	case "suspend":
		return e.Suspend(u(args[1]))
	case "remove":
		return e.RemoveUnit(u(args[1]))
	case "content-name":
		return e.ContentName(u(args[1]), o(args[2]), o(args[3]))
	}
	return edit.Edit{}, fmt.Errorf("no command %s", args[0])
}

// changes writes what differs between two trees: files that are gone, moved, copied, new or changed, with the lines.
func changes(t *testing.T, before, after source.Tree) string {
	t.Helper()
	was, is := contents(t, before), contents(t, after)
	byText := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		byText[was[name]] = name
	}
	var names []string
	for name := range was {
		names = append(names, name)
	}
	for name := range is {
		names = append(names, name)
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range slices.Compact(names) {
		old, had := was[name]
		text, has := is[name]
		switch from := byText[text]; {
		case had && has && old == text:
		case !has:
			fmt.Fprintf(&out, "deleted %s\n", name)
		case !had && from != "":
			fmt.Fprintf(&out, "new %s, as %s\n", name, from)
		case !had:
			fmt.Fprintf(&out, "new %s\n%s", name, lines("", text))
		default:
			fmt.Fprintf(&out, "changed %s\n%s", name, lines(old, text))
		}
	}
	return out.String()
}

func contents(t *testing.T, tree source.Tree) map[string]string {
	t.Helper()
	out := map[string]string{}
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := tree.ReadDir(dir)
		if err != nil {
			return // a submodule
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if e.IsDir() {
				walk(name)
				continue
			}
			data, err := tree.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(data)
		}
	}
	walk(".")
	return out
}

// lines are those that are not in both texts, by the longest common subsequence.
func lines(old, text string) string {
	a, b := split(old), split(text)
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if n[i][j] = max(n[i+1][j], n[i][j+1]); a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			}
		}
	}
	var out bytes.Buffer
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || n[i+1][j] >= n[i][j+1]):
			out.WriteString("-" + a[i] + "\n")
			i++
		default:
			out.WriteString("+" + b[j] + "\n")
			j++
		}
	}
	return out.String()
}

// split cuts into lines; what archives cannot hold is written as they write it.
func split(s string) []string {
	if s == "" {
		return nil
	}
	end := "<END>"
	if strings.HasSuffix(s, "\n") {
		s, end = s[:len(s)-1], ""
	}
	s = strings.NewReplacer("\r", "<CR>", "\t", "<TAB>", "\xef\xbb\xbf", "<BOM>", "\xff", "<FF>").Replace(s)
	return strings.Split(s+end, "\n")
}
