package plain_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// refusing is a tree in which reading some names fails, as it does at links out of the repository or absent blobs.
type refusing struct {
	fstest.MapFS
	errs map[string]error
}

func (r refusing) ReadFile(name string) ([]byte, error) {
	if err := r.errs[name]; err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return r.MapFS.ReadFile(name)
}

func (r refusing) Stat(name string) (fs.FileInfo, error) {
	if err := r.errs[name]; err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return r.MapFS.Stat(name)
}

func (r refusing) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := r.errs[name]; err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return r.MapFS.ReadDir(name)
}

func file(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
}

func doc(name string) *fstest.MapFile {
	return file("apiVersion: v1\nkind: A\nmetadata:\n  name: " + name + "\n")
}

func tree() refusing {
	return refusing{
		MapFS: fstest.MapFS{
			"app/b.yaml":              doc("b"),
			"app/a.yml":               file("# a comment\n---\napiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n"),
			"app/c.json":              file(`{"apiVersion": "v1", "kind": "A", "metadata": {"name": "c"}}`),
			"app/notes.txt":           file("kind: A\n"),
			"app/values.yaml":         file("replicas: 1\n"),
			"app/skipped.yaml":        file("# +argocd:skip-file-rendering\nkind: A\nmetadata: {name: skipped}\n"),
			"app/bb/deep.yaml":        doc("deep"),
			"app/bb/more/deeper.yaml": doc("deeper"),
			"app/lib.libsonnet":       file("{}"),
			"jsonnet/x.jsonnet":       file("{}"),
			"jsonnet/y.yaml":          doc("why"),
			"links/file.yaml":         link("../app/b.yaml"),
			"links/gone.yaml":         link("nowhere.yaml"),
			"links/dir.yaml":          link("../app/bb"),
			"links/dir":               link("../app/bb"),
			"escape/a.yaml":           doc("a"),
			"escape/host.yaml":        link("../../etc/passwd"),
			"linked":                  link("app"),
			"broken/1.yaml":           file("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\nkind: B\nx: [\n"),
			"broken/2.yaml":           doc("fine"),
			"broken/3.yaml":           file("apiVersion: v1\nkind: A\nmetadata: {name: \"\xff\"}\n"),
			"absent/a.yaml":           doc("a"),
			"absent/b.yaml":           doc("b"),
			"absent/sub/x":            file(""),
			"empty/README.md":         file(""),
		},
		errs: map[string]error{
			"escape/host.yaml": source.ErrEscapes,
			"absent/b.yaml":    source.ErrAbsent,
			"absent/sub":       source.ErrSubmodule,
		},
	}
}

func names(objects []object.Object) []string {
	var out []string
	for _, o := range objects {
		out = append(out, fmt.Sprintf("%s %s:%d", o.ID.Name, o.Origin.File, o.Origin.Line))
	}
	return out
}

func gaps(r unit.Rendering) []string {
	var out []string
	for _, g := range r.Gaps {
		out = append(out, fmt.Sprintf("%s %s:%d", g.Reason, g.At.File, g.At.Line))
	}
	return out
}

func TestRenderSelects(t *testing.T) {
	app := []string{"a app/a.yml:3", "b app/b.yaml:1", "c app/c.json:1"}
	tests := []struct {
		name string
		path string
		dir  *unit.Directory
		list []string
		want []string
	}{
		{"not recursive", "app", nil, nil, app},
		{"path with dots", "./app/bb/..", nil, nil, app},
		{"recursive in walking order", "app", &unit.Directory{Recurse: true}, nil,
			[]string{"a app/a.yml:3", "b app/b.yaml:1", "deep app/bb/deep.yaml:1", "deeper app/bb/more/deeper.yaml:1", "c app/c.json:1"}},
		{"include one", "app", &unit.Directory{Include: "b.yaml"}, nil, []string{"b app/b.yaml:1"}},
		{"a star crosses slashes", "app", &unit.Directory{Recurse: true, Include: "bb*"}, nil,
			[]string{"deep app/bb/deep.yaml:1", "deeper app/bb/more/deeper.yaml:1"}},
		{"alternatives", "app", &unit.Directory{Include: "{a.yml,c.json}"}, nil, []string{"a app/a.yml:3", "c app/c.json:1"}},
		{"exclude wins", "app", &unit.Directory{Include: "*.y*ml", Exclude: "b*"}, nil, []string{"a app/a.yml:3"}},
		{"patterns are relative to the path", "app", &unit.Directory{Include: "app/*"}, nil, nil},
		{"linked files are read, linked directories are not", "links", &unit.Directory{Recurse: true}, nil, []string{"b links/file.yaml:1"}},
		{"Jsonnet left out", "jsonnet", &unit.Directory{Exclude: "*.jsonnet"}, nil, []string{"why jsonnet/y.yaml:1"}},
		{"no manifests", "empty", nil, nil, nil},
		{"a list of files", "app", nil, []string{"broken/2.yaml", "app/b.yaml"}, []string{"fine broken/2.yaml:1", "b app/b.yaml:1"}},
		{"an empty list of files", "app", nil, []string{}, nil},
		{"a submodule below is not entered", "absent", &unit.Directory{Include: "a.yaml"}, nil, []string{"a absent/a.yaml:1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := plain.Render(tree(), unit.Request{Source: unit.Source{Path: tt.path, Directory: tt.dir}, Files: tt.list})
			if r.Tool != unit.DirectoryTool || len(r.Gaps) > 0 {
				t.Fatalf("tool %q, gaps %q", r.Tool, gaps(r))
			}
			if got := names(r.Objects); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRenderTop(t *testing.T) {
	for _, path := range []string{".", "", "./"} {
		r := plain.Render(fstest.MapFS{"a.yaml": doc("a"), "sub/b.yaml": doc("b")}, unit.Request{Source: unit.Source{
			Path: path, Directory: &unit.Directory{Recurse: true, Exclude: "a.yaml"},
		}})
		if got := names(r.Objects); !slices.Equal(got, []string{"b sub/b.yaml:1"}) || len(r.Gaps) > 0 {
			t.Errorf("%q: got %q and %q", path, got, gaps(r))
		}
	}
}

func TestRenderGaps(t *testing.T) {
	tests := []struct {
		name string
		path string
		dir  *unit.Directory
		list []string
		want []string
		says string // a part of the first message
	}{
		{"no such path", "nope", nil, nil, []string{"path-missing nope:0"}, "does not exist at this revision"},
		{"a file as path", "app/b.yaml", nil, nil, []string{"path-missing app/b.yaml:0"}, "is a file"},
		{"absolute path", "/app", nil, nil, []string{"escape /app:0"}, "leaves the repository"},
		{"path above the top", "../app", nil, nil, []string{"escape ../app:0"}, "leaves the repository"},
		{"path is a link", "linked", nil, nil, []string{"render-failed linked:0"}, "is a link"},
		{"link to the host", "escape", nil, nil, []string{"escape escape/host.yaml:0"}, "leaves the repository"},
		{"link to the host, left out by a pattern", "escape", &unit.Directory{Exclude: "host.yaml"}, nil,
			[]string{"escape escape/host.yaml:0"}, "leaves the repository"},
		{"every broken file is named", "broken", nil, nil, []string{"unparsable broken/1.yaml:7", "unparsable broken/3.yaml:3"}, "did not find expected"},
		{"Jsonnet", "jsonnet", nil, nil, []string{"unsupported jsonnet/x.jsonnet:0"}, "Jsonnet"},
		{"absent blob", "absent", nil, nil, []string{"content-missing absent/b.yaml:0"}, "absent from this clone"},
		{"submodule", "absent", &unit.Directory{Recurse: true, Include: "a.yaml"}, nil, []string{"content-missing absent/sub:0"}, "submodule"},
		{"bad include", "app", &unit.Directory{Include: "a[b"}, nil, []string{"render-failed app:0"}, "directory.include is no valid pattern"},
		{"bad exclude", "app", &unit.Directory{Exclude: "["}, nil, []string{"render-failed app:0"}, "directory.exclude is no valid pattern"},
		{"listed file is missing", "app", nil, []string{"app/b.yaml", "app/x.yaml"}, []string{"path-missing app/x.yaml:0"}, "does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := plain.Render(tree(), unit.Request{Source: unit.Source{Path: tt.path, Directory: tt.dir}, Files: tt.list})
			if len(r.Objects) > 0 {
				t.Errorf("objects %q beside gaps", names(r.Objects))
			}
			if got := gaps(r); !slices.Equal(got, tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			if g := r.Gaps[0]; !strings.Contains(g.Message, tt.says) || g.Close == "" || strings.Contains(g.Message+g.Close, "\n") {
				t.Errorf("got %q / %q, want a line with %q and how to close it", g.Message, g.Close, tt.says)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want diag.Reason
	}{
		{fs.ErrNotExist, diag.PathMissing},
		{source.ErrEscapes, diag.Escape},
		{source.ErrSubmodule, diag.ContentMissing},
		{source.ErrAbsent, diag.ContentMissing},
		{source.ErrTooLarge, diag.ContentMissing},
		{source.ErrLinkLoop, diag.RenderFailed},
		{fs.ErrPermission, diag.ContentMissing},
	} {
		g := plain.Unreadable("a/b.yaml", &fs.PathError{Op: "open", Path: "a/b.yaml", Err: tt.err})
		if g.Reason != tt.want || g.At.File != "a/b.yaml" || g.Message == "" || g.Close == "" {
			t.Errorf("%v: got %+v, want %s", tt.err, g, tt.want)
		}
	}
}
