package worker

import (
	"encoding/json"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// files makes a tree of "path" or "path: content" entries.
func files(entries ...string) fstest.MapFS {
	t := fstest.MapFS{}
	for _, e := range entries {
		name, content, _ := strings.Cut(e, ": ")
		t[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o444}
	}
	return t
}

func TestTool(t *testing.T) {
	helm, kustomize := &unit.Helm{ReleaseName: "r"}, &unit.Kustomize{NamePrefix: "p-"}
	directory, plugin := &unit.Directory{Recurse: true}, map[string]any{}
	for name, c := range map[string]struct {
		tree   source.Tree
		source unit.Source
		want   unit.Tool
		reason diag.Reason
		says   string
	}{
		"plain":                           {tree: files("a/x.yaml"), want: unit.DirectoryTool},
		"chart":                           {tree: files("a/Chart.yaml"), want: unit.HelmTool},
		"chart below":                     {tree: files("a/b/Chart.yaml", "a/x.yaml"), want: unit.DirectoryTool},
		"chart above":                     {tree: files("Chart.yaml", "a/x.yaml"), want: unit.DirectoryTool},
		"kustomization.yaml":              {tree: files("a/kustomization.yaml"), want: unit.KustomizeTool},
		"kustomization.yml":               {tree: files("a/kustomization.yml"), want: unit.KustomizeTool},
		"Kustomization":                   {tree: files("a/Kustomization"), want: unit.KustomizeTool},
		"kustomization.json is none":      {tree: files("a/kustomization.json"), want: unit.DirectoryTool},
		"directories called so":           {tree: files("a/Chart.yaml/x", "a/Kustomization/x"), want: unit.DirectoryTool},
		"both: the last by name":          {tree: files("a/Chart.yaml", "a/kustomization.yaml"), want: unit.KustomizeTool},
		"both, the old kustomization":     {tree: files("a/Chart.yaml", "a/Kustomization"), want: unit.KustomizeTool},
		"any name that ends so, and last": {tree: files("a/myChart.yaml", "a/kustomization.yaml"), want: unit.HelmTool},
		"explicit helm":                   {tree: files("a/kustomization.yaml"), source: unit.Source{Helm: helm}, want: unit.HelmTool},
		"explicit kustomize":              {tree: files("a/Chart.yaml"), source: unit.Source{Kustomize: kustomize}, want: unit.KustomizeTool},
		"explicit directory":              {tree: files("a/Chart.yaml"), source: unit.Source{Directory: directory}, want: unit.DirectoryTool},
		"two explicit": {tree: files("a/x"), source: unit.Source{Helm: helm, Kustomize: kustomize},
			reason: diag.RenderFailed, says: "kustomize, helm"},
		"plugin": {tree: files("a/x"), source: unit.Source{Plugin: plugin}, reason: diag.Unsupported, says: "plugin"},
		"chart of a Helm repository": {tree: files("a/x"), source: unit.Source{Chart: "redis", RepoURL: "https://charts.example"},
			reason: diag.Remote, says: "redis lies in the Helm repository https://charts.example"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.source.Chart == "" {
				c.source.Path = "a"
			}
			tool, req, gap := choose(c.tree, unit.Request{Source: c.source, Name: "app"})
			check(t, gap, c.reason, c.says)
			if gap == nil && tool != c.want {
				t.Errorf("tool %s, want %s", tool, c.want)
			}
			if !reflect.DeepEqual(req.Source, c.source) {
				t.Errorf("source %+v", req.Source)
			}
		})
	}
}

func check(t *testing.T, gap *diag.Gap, reason diag.Reason, says string) {
	t.Helper()
	switch {
	case gap == nil && reason != "":
		t.Errorf("no gap, want %s", reason)
	case gap != nil && (gap.Reason != reason || !strings.Contains(gap.Message, says) || says == "" || gap.Close == ""):
		t.Errorf("gap %+v, want %s %q", gap, reason, says)
	}
}

func TestPath(t *testing.T) {
	tree := files("a/b/x.yaml", "Chart.yaml")
	for path, c := range map[string]struct {
		want   unit.Tool
		reason diag.Reason
		says   string
	}{
		"":           {want: unit.HelmTool},
		".":          {want: unit.HelmTool},
		"./":         {want: unit.HelmTool},
		"a/..":       {want: unit.HelmTool},
		"a/b/":       {want: unit.DirectoryTool},
		"./a//b":     {want: unit.DirectoryTool},
		"gone":       {reason: diag.PathMissing, says: "gone does not exist"},
		"a/b/x.yaml": {reason: diag.PathMissing, says: "is a file"},
		"Chart.yaml": {reason: diag.PathMissing, says: "is a file"},
		"..":         {reason: diag.Escape, says: "leaves the repository"},
		"../..":      {reason: diag.Escape, says: "leaves the repository"},
		"a/../../b":  {reason: diag.Escape, says: "leaves the repository"},
		"/a":         {reason: diag.Escape, says: "leaves the repository"},
		"/":          {reason: diag.Escape, says: "leaves the repository"},
		"a\xff":      {reason: diag.PathMissing, says: "does not exist"},
	} {
		tool, _, gap := choose(tree, unit.Request{Source: unit.Source{Path: path}})
		check(t, gap, c.reason, c.says)
		if tool != c.want {
			t.Errorf("%q: tool %q, want %q", path, tool, c.want)
		}
	}
}

// unreadableTree fails as a tree of source does.
type unreadableTree struct {
	fstest.MapFS
	bad map[string]error
}

func (u unreadableTree) Stat(name string) (fs.FileInfo, error) {
	if err := u.bad[name]; err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return u.MapFS.Stat(name)
}

func TestUnreadable(t *testing.T) {
	for err, reason := range map[error]diag.Reason{
		source.ErrEscapes:   diag.Escape,
		source.ErrLinkLoop:  diag.Unparsable,
		source.ErrSubmodule: diag.ContentMissing,
		source.ErrAbsent:    diag.ContentMissing,
		source.ErrTooLarge:  diag.ContentMissing,
		fs.ErrPermission:    diag.RenderFailed,
	} {
		for _, bad := range []string{"a", "a/.argocd-source.yaml", "a/.argocd-source-app.yaml"} {
			tree := unreadableTree{files("a/x.yaml"), map[string]error{bad: err}}
			_, _, gap := choose(tree, unit.Request{Source: unit.Source{Path: "a"}, Name: "app"})
			check(t, gap, reason, err.Error())
			if gap != nil && gap.At.File != bad {
				t.Errorf("at %s", gap.At.File)
			}
		}
	}
}

func TestOverride(t *testing.T) {
	given := unit.Source{
		RepoURL: "https://example.com/r", Path: "a", TargetRevision: "main",
		Helm: &unit.Helm{
			ReleaseName:  "r",
			ValueFiles:   []string{"values.yaml"},
			ValuesObject: map[string]any{"a": json.Number("1"), "b": map[string]any{"c": json.Number("12345678901234567890")}},
			Parameters:   []unit.Parameter{{Name: "x", Value: "1"}},
		},
	}
	for name, c := range map[string]struct {
		files  []string
		source unit.Source
		app    unit.Request
		tool   unit.Tool
		want   string // the merged source as JSON, without the four fields that stay
		reason diag.Reason
		says   string
	}{
		"none": {
			source: given, tool: unit.HelmTool,
			want: `{"helm":{"parameters":[{"name":"x","value":"1"}],"releaseName":"r","valueFiles":["values.yaml"],"valuesObject":{"a":1,"b":{"c":12345678901234567890}}}}`,
		},
		"merged, lists replaced, numbers kept": {
			files:  []string{`a/.argocd-source.yaml: {helm: {valueFiles: [prod.yaml], valuesObject: {b: {d: 1.10}}}}`},
			source: given, tool: unit.HelmTool,
			want: `{"helm":{"parameters":[{"name":"x","value":"1"}],"releaseName":"r","valueFiles":["prod.yaml"],"valuesObject":{"a":1,"b":{"c":12345678901234567890,"d":1.1}}}}`,
		},
		"null deletes": {
			files:  []string{`a/.argocd-source.yaml: {helm: {parameters: null, valuesObject: {b: null}}}`},
			source: given, tool: unit.HelmTool,
			want: `{"helm":{"releaseName":"r","valueFiles":["values.yaml"],"valuesObject":{"a":1}}}`,
		},
		"the Application's own file last": {
			files:  []string{`a/.argocd-source-app.yaml: {helm: {releaseName: own}}`, `a/.argocd-source.yaml: {helm: {releaseName: all, namespace: team}}`},
			source: unit.Source{Path: "a"}, tool: unit.HelmTool,
			want: `{"helm":{"namespace":"team","releaseName":"own"}}`,
		},
		"an Application in another namespace": {
			files:  []string{`a/.argocd-source-team_app.yaml: {helm: {releaseName: own}}`},
			source: unit.Source{Path: "a"}, app: unit.Request{AppNS: "team"}, tool: unit.HelmTool,
			want: `{"helm":{"releaseName":"own"}}`,
		},
		"another Application's file": {
			files:  []string{`a/.argocd-source-other.yaml: {helm: {releaseName: own}}`},
			source: unit.Source{Path: "a"}, tool: unit.DirectoryTool, want: `{}`,
		},
		"no Application stands behind a root that is applied by hand": {
			files:  []string{`a/.argocd-source.yaml: {helm: {releaseName: own}}`},
			source: unit.Source{Path: "a"}, app: unit.Request{ByHand: true}, tool: unit.DirectoryTool, want: `{}`,
		},
		"makes the tool explicit": {
			files:  []string{"a/Chart.yaml", `a/.argocd-source.yaml: {kustomize: {images: ["a=b:c"], replicas: [{name: d, count: "3"}]}}`},
			source: unit.Source{Path: "a"}, tool: unit.KustomizeTool,
			want: `{"kustomize":{"images":["a=b:c"],"replicas":[{"count":3,"name":"d"}]}}`,
		},
		"an empty block makes it explicit too": {
			files:  []string{"a/kustomization.yaml", `a/.argocd-source.yaml: {helm: {}}`},
			source: unit.Source{Path: "a"}, tool: unit.HelmTool, want: `{}`,
		},
		"replaces the tool": {
			files:  []string{`a/.argocd-source.yaml: {helm: null, directory: {recurse: true}}`},
			source: given, tool: unit.DirectoryTool, want: `{"directory":{"recurse":true}}`,
		},
		"a second tool": {
			files:  []string{`a/.argocd-source.yaml: {directory: {recurse: true}}`},
			source: given, reason: diag.RenderFailed, says: "helm, directory",
		},
		"a plugin": {
			files:  []string{`a/.argocd-source.yaml: {plugin: {name: x}}`},
			source: unit.Source{Path: "a"}, reason: diag.Unsupported, says: "plugin",
		},
		"where the source lies stays": {
			files:  []string{`a/.argocd-source.yaml: {repoURL: "https://evil", path: ../.., targetRevision: x, chart: redis, helm: {releaseName: q}}`},
			source: given, tool: unit.HelmTool,
			want: `{"helm":{"parameters":[{"name":"x","value":"1"}],"releaseName":"q","valueFiles":["values.yaml"],"valuesObject":{"a":1,"b":{"c":12345678901234567890}}}}`,
		},
		"what kustomize does not apply is named": {
			files:  []string{`a/.argocd-source.yaml: {kustomize: {forceCommonLabels: true}}`},
			source: unit.Source{Path: "a", Kustomize: &unit.Kustomize{NamePrefix: "p-", Other: []string{"labelWithoutSelector"}}},
			tool:   unit.KustomizeTool,
			want:   `{"kustomize":{"namePrefix":"p-","x-other":["forceCommonLabels","labelWithoutSelector"]}}`,
		},
		"a directory called so": {
			files: []string{`a/.argocd-source.yaml/x: `}, source: unit.Source{Path: "a"}, tool: unit.DirectoryTool, want: `{}`,
		},
		"unknown field": {
			files:  []string{`a/.argocd-source.yaml: {hlem: {}}`},
			source: given, reason: diag.Unsupported, says: "hlem",
		},
		"unknown field below": {
			files:  []string{`a/.argocd-source.yaml: {directory: {disableExtensionFilter: true}}`},
			source: unit.Source{Path: "a"}, reason: diag.Unsupported, says: "directory.disableExtensionFilter",
		},
		"wrong type": {
			files:  []string{`a/.argocd-source.yaml: {helm: {parameters: [{name: x, value: 1}]}}`},
			source: given, reason: diag.RenderFailed, says: "cannot be a number",
		},
		"empty file":   {files: []string{`a/.argocd-source.yaml: `}, source: given, reason: diag.Unparsable, says: "no mapping"},
		"list":         {files: []string{`a/.argocd-source.yaml: [1]`}, source: given, reason: diag.Unparsable, says: "no mapping"},
		"broken":       {files: []string{"a/.argocd-source.yaml: helm: {"}, source: given, reason: diag.Unparsable, says: "no YAML"},
		"a YAML bomb":  {files: []string{"a/.argocd-source.yaml: " + bomb()}, source: given, reason: diag.Unparsable, says: "no YAML"},
		"null is none": {files: []string{`a/.argocd-source.yaml: {directory: null}`}, source: unit.Source{Path: "a"}, tool: unit.DirectoryTool, want: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := json.Marshal(c.source)
			req := c.app
			req.Source, req.Name = c.source, "app"
			tool, merged, gap := choose(files(append(c.files, "a/x.txt")...), req)
			check(t, gap, c.reason, c.says)
			if after, _ := json.Marshal(c.source); string(after) != string(before) {
				t.Errorf("the request was changed: %s", after)
			}
			if gap != nil || c.reason != "" {
				return
			}
			if tool != c.tool {
				t.Errorf("tool %s, want %s", tool, c.tool)
			}
			s := merged.Source
			if s.RepoURL != c.source.RepoURL || s.Path != c.source.Path || s.TargetRevision != c.source.TargetRevision || s.Chart != "" {
				t.Errorf("it lies elsewhere: %+v", s)
			}
			s.RepoURL, s.Path, s.TargetRevision = "", "", ""
			got, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if string(canonical(t, got)) != string(canonical(t, []byte(c.want))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// canonical sorts keys and keeps numbers as written.
func canonical(t *testing.T, raw []byte) []byte {
	t.Helper()
	var v any
	if err := DecodeHead(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bomb is a document of a few hundred bytes that stands for billions of nodes.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 12 {
		prev := "*a" + string(rune('0'+i%10))
		if i >= 10 {
			prev = "*a9"
		}
		b.WriteString("a" + string(rune('0'+(i+1)%10)) + ": &a" + string(rune('0'+(i+1)%10)) + " [" + strings.Repeat(prev+",", 9) + prev + "]\n")
	}
	return b.String()
}

// TestFiles: a root that is a pile of documents is no source of an Application.
func TestFiles(t *testing.T) {
	tree := files("Chart.yaml", ".argocd-source.yaml: {helm: {releaseName: q}}", "x.yaml")
	tool, req, gap := choose(tree, unit.Request{Files: []string{"x.yaml"}})
	if tool != unit.DirectoryTool || gap != nil || req.Source.Helm != nil {
		t.Errorf("%s %+v %v", tool, req, gap)
	}
}
