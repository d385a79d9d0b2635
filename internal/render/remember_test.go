package render

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// twoCommits writes a repository with two commits and gives their trees. A content that begins with "-> " makes a link, no
// content deletes.
func twoCommits(t *testing.T, before, change map[string]string) (one, two source.Tree) {
	t.Helper()
	dir := t.TempDir()
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var hashes []string
	for i, files := range []map[string]string{before, change} {
		c := source.Change{
			Author: source.Person{Name: "platform-team", Mail: "platform-team@example.com"}, Message: "commit",
			When: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC), Files: map[string][]byte{}, Links: map[string]string{},
		}
		for name, content := range files {
			if target, link := strings.CutPrefix(content, "-> "); link {
				c.Links[name] = target
			} else if c.Files[name] = []byte(content); content == "" {
				c.Files[name] = nil
			}
		}
		hash, err := w.Commit(c)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open(t.Context(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	var trees []source.Tree
	for _, h := range hashes {
		tree, err := repo.Tree(t.Context(), source.Commit{Hash: h})
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees[0], trees[1]
}

func configMap(name, data string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {x: '" + data + "'}}\n"
}

// TestOnlyWhatChangedIsRenderedAgain: the second commit renders a unit again exactly if something that it read, looked for
// or listed is different, and gives what a renderer without memory gives.
func TestOnlyWhatChangedIsRenderedAgain(t *testing.T) {
	base := map[string]string{
		"c/Chart.yaml":       "{apiVersion: v2, name: c, version: 0.1.0}",
		"c/templates/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '{{ .Values.v }}{{ .Files.Get \"files/f\" }}'}}",
		"c/values.yaml":      "v: 1\n",
		"c/files":            "-> ../shared",
		"shared/f":           "shared",
		"other/f":            "other",
		"values/prd.yaml":    "v: 2\n",
		"k/kustomization.yaml": "resources: [../base]\nconfigMapGenerator: [{name: g, files: [g.conf], " +
			"options: {disableNameSuffixHash: true}}]\n",
		"k/g.conf":                "1",
		"base/kustomization.yaml": "resources: [a.yaml]\n",
		"base/a.yaml":             configMap("a", "1"),
		"base/unused.yaml":        configMap("b", "1"),
		"d/a.yaml":                configMap("a", "1"),
		"d/skipped/b.yaml":        configMap("b", "1"),
		"broken/Chart.yaml":       "{apiVersion: v2, name: broken}",
	}
	helm := func(files ...string) unit.Source {
		return unit.Source{Path: "c", Helm: &unit.Helm{ValueFiles: files, IgnoreMissingValueFiles: true}}
	}
	dir := func(include string) unit.Source {
		return unit.Source{Path: "d", Directory: &unit.Directory{Recurse: true, Include: include}}
	}
	for name, c := range map[string]struct {
		source unit.Source
		change map[string]string
		again  bool
	}{
		"nothing":                                   {helm(), nil, false},
		"chart: template":                           {helm(), map[string]string{"c/templates/a.yaml": configMap("z", "1")}, true},
		"chart: file appears":                       {helm(), map[string]string{"c/templates/b.yaml": configMap("b", "1")}, true},
		"chart: file goes":                          {helm(), map[string]string{"c/values.yaml": ""}, true},
		"chart: values outside of it":               {helm("../values/prd.yaml"), map[string]string{"values/prd.yaml": "v: 3\n"}, true},
		"chart: values that it does not name":       {helm(), map[string]string{"values/prd.yaml": "v: 3\n"}, false},
		"chart: values that were missing":           {helm("../values/add.yaml"), map[string]string{"values/add.yaml": "v: 3\n"}, true},
		"chart: values matched by a pattern":        {helm("../values/*.yaml"), map[string]string{"values/q.yaml": "v: 3\n"}, true},
		"chart: no values matched by a pattern":     {helm("../values/p*.yaml"), map[string]string{"other/p.yaml": "v: 3\n"}, false},
		"chart: override of the source":             {helm(), map[string]string{"c/.argocd-source.yaml": "helm: {values: 'v: 9'}\n"}, true},
		"chart: override of another Application":    {unit.Source{Path: "k"}, map[string]string{"k/.argocd-source-other.yaml": "{}"}, true}, // the directory is listed
		"chart: link leads elsewhere":               {helm(), map[string]string{"c/files": "-> ../other"}, true},
		"chart: where a link leads":                 {helm(), map[string]string{"shared/f": "new"}, true},
		"chart: link leads elsewhere, same content": {helm(), map[string]string{"c/files": "-> ../copy", "copy/f": "shared"}, true},
		"chart: another unit":                       {helm(), map[string]string{"base/a.yaml": configMap("a", "2"), "d/c.yaml": configMap("c", "1")}, false},
		"chart: broken, another unit":               {unit.Source{Path: "broken"}, map[string]string{"base/a.yaml": configMap("a", "2")}, false},
		"chart: broken, repaired":                   {unit.Source{Path: "broken"}, map[string]string{"broken/Chart.yaml": "{apiVersion: v2, name: broken, version: 0.1.0}"}, true},
		"kustomization: its base":                   {unit.Source{Path: "k"}, map[string]string{"base/a.yaml": configMap("a", "2")}, true},
		"kustomization: generator's file":           {unit.Source{Path: "k"}, map[string]string{"k/g.conf": "2"}, true},
		"kustomization: file that none names":       {unit.Source{Path: "k"}, map[string]string{"base/unused.yaml": configMap("b", "2")}, false},
		"kustomization: new file that none names":   {unit.Source{Path: "k"}, map[string]string{"base/new.yaml": configMap("b", "2")}, false},
		"kustomization: a second kustomization":     {unit.Source{Path: "k"}, map[string]string{"base/kustomization.yml": "{}"}, true},
		"directory: file":                           {dir(""), map[string]string{"d/a.yaml": configMap("a", "2")}, true},
		"directory: new file":                       {dir(""), map[string]string{"d/new.yaml": configMap("b", "2")}, true},
		"directory: file that does not match":       {dir("a*"), map[string]string{"d/skipped/b.yaml": configMap("b", "2")}, false},
		"directory: new file that does match":       {dir("*a.yaml"), map[string]string{"d/skipped/a.yaml": configMap("b", "2")}, true},
		"missing path: something else":              {unit.Source{Path: "gone/path"}, map[string]string{"gone/else.yaml": "{}"}, false},
		"missing path: comes":                       {unit.Source{Path: "gone/path"}, map[string]string{"gone/path/a.yaml": configMap("a", "1")}, true},
		"missing path: comes by a link":             {unit.Source{Path: "gone/path"}, map[string]string{"gone": "-> links", "links/path/a.yaml": configMap("a", "1")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			one, two := twoCommits(t, base, c.change)
			pool := newPool(t, worker.InProcess{Engines: Engines()}, Options{Key: []byte("k")})
			remembering := Remember(pool, memo.New(memo.Options{}))
			req := unit.Request{Source: c.source, Name: "app", Namespace: "n", KubeVersion: "1.35"}
			for i, tree := range []source.Tree{one, two, one, two, source.Overlay(two, nil)} {
				before := pool.Rendered()
				req.Revision = strings.Repeat(string(rune('a'+i)), 40) // of no importance
				got, err := remembering.Render(t.Context(), tree, req)
				if err != nil {
					t.Fatal(err)
				}
				executed := pool.Rendered() - before
				if want := map[bool]int64{true: 1, false: 0}[i == 0 || i == 1 && c.again]; executed != want {
					t.Errorf("tree %d: %d renderings, want %d", i, executed, want)
				}
				fresh, err := pool.Render(t.Context(), tree, req)
				if err != nil || !reflect.DeepEqual(got, fresh) {
					t.Errorf("tree %d: remembered and fresh differ:\n%+v\n%+v %v", i, got, fresh, err)
				}
			}
		})
	}
}

// TestRevisionCountsWhereItIsUsed: $ARGOCD_APP_REVISION and its short forms, wherever they can stand.
func TestRevisionCountsWhereItIsUsed(t *testing.T) {
	tree := func(override string) source.Tree {
		files := map[string][]byte{
			"c/Chart.yaml":         []byte("{apiVersion: v2, name: c, version: 0.1.0}"),
			"c/templates/a.yaml":   []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '{{ .Values.v }}'}}"),
			"k/kustomization.yaml": []byte("resources: [a.yaml]\n"),
			"k/a.yaml":             []byte("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i}]}}"),
		}
		if override != "" {
			files["c/.argocd-source.yaml"], files["k/.argocd-source.yaml"] = []byte(override), []byte(override)
		}
		return source.Memory(files)
	}
	parameter := func(value string) unit.Source {
		return unit.Source{Path: "c", Helm: &unit.Helm{Parameters: []unit.Parameter{{Name: "v", Value: value}}}}
	}
	for name, c := range map[string]struct {
		source   unit.Source
		override string
		used     bool
	}{
		"parameter":                  {parameter("$ARGOCD_APP_REVISION"), "", true},
		"parameter, braces":          {parameter("x${ARGOCD_APP_REVISION_SHORT}y"), "", true},
		"parameter, another":         {parameter("$ARGOCD_APP_NAME"), "", false},
		"parameter, unknown":         {parameter("$ARGOCD_APP"), "", false},
		"parameter, escaped":         {parameter("$$ARGOCD_APP_NAME"), "", false},
		"parameter, in the override": {unit.Source{Path: "c"}, "helm: {parameters: [{name: v, value: $ARGOCD_APP_REVISION_SHORT_8}]}", true},
		"value file":                 {unit.Source{Path: "c", Helm: &unit.Helm{ValueFiles: []string{"$ARGOCD_APP_REVISION.yaml"}}}, "", true},
		"image":                      {unit.Source{Path: "k", Kustomize: &unit.Kustomize{Images: []string{"i:$ARGOCD_APP_REVISION"}}}, "", true},
		"image, broken":              {unit.Source{Path: "k", Kustomize: &unit.Kustomize{Images: []string{"$ARGOCD_APP_REVISION"}}}, "", true},
		"image, in the override":     {unit.Source{Path: "k"}, "kustomize: {images: ['i:$ARGOCD_APP_REVISION']}", true},
		"label":                      {unit.Source{Path: "k", Kustomize: &unit.Kustomize{CommonLabels: map[string]string{"a": "$ARGOCD_APP_REVISION"}}}, "", true},
		"annotation":                 {unit.Source{Path: "k", Kustomize: &unit.Kustomize{CommonAnnotations: map[string]string{"a": "$ARGOCD_APP_REVISION"}}}, "", false},
		"nowhere":                    {unit.Source{Path: "k"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			pool := newPool(t, worker.InProcess{Engines: Engines()}, Options{Key: []byte("k")})
			remembering := Remember(pool, memo.New(memo.Options{}))
			for round, revision := range []string{"0123456789", "abcdef0123", "0123456789"} {
				before := pool.Rendered()
				req := unit.Request{Source: c.source, Name: "app", Namespace: "n", KubeVersion: "1.35", Revision: revision}
				got, err := remembering.Render(t.Context(), tree(c.override), req)
				if err != nil || got.Revision != c.used {
					t.Fatalf("revision used: %t, want %t (%v %v)", got.Revision, c.used, got.Gaps, err)
				}
				if again := pool.Rendered() > before; again != (round == 0 || round == 1 && c.used) {
					t.Errorf("round %d: rendered %t", round, again)
				}
				if fresh, err := pool.Render(t.Context(), tree(c.override), req); err != nil || !reflect.DeepEqual(got.Rendering, fresh.Rendering) {
					t.Errorf("round %d: remembered and fresh differ:\n%+v\n%+v %v", round, got, fresh, err)
				}
			}
		})
	}
}

// TestOnlyTheBuildEnvironmentReadsTheRevision: an engine that read it past package buildenv would be remembered wrongly.
func TestOnlyTheBuildEnvironmentReadsTheRevision(t *testing.T) {
	for _, dir := range []string{"helm", "kustomize", "plain", "redact", "standin", "worker"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v %v", dir, files, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") && (strings.Contains(string(text), "req.Revision") || strings.Contains(string(text), "Request.Revision")) {
				t.Errorf("%s reads the revision of the request", name)
			}
		}
	}
}

// stub gives the same result again and again, and counts.
type stub struct {
	result Result
	err    error
	count  int
}

func (s *stub) Render(context.Context, source.Tree, unit.Request) (Result, error) {
	s.count++
	return s.result, s.err
}

func TestWhatIsNotKept(t *testing.T) {
	gap := func(r diag.Reason) unit.Rendering { return unit.Rendering{Gaps: []diag.Gap{{Reason: r}}} }
	for name, c := range map[string]struct {
		result Result
		count  int
	}{
		"objects":         {Result{Rendering: unit.Rendering{Tool: unit.HelmTool}}, 1},
		"a gap":           {Result{Rendering: gap(diag.RenderFailed)}, 1},
		"a limit":         {Result{Rendering: gap(diag.RenderLimit)}, 2},
		"a dead worker":   {Result{Rendering: gap(diag.RenderFailed), Died: true}, 2},
		"a passing error": {Result{Trace: source.Trace{Files: []source.Seen{{Path: "a", Digest: source.Unstable}}}}, 2},
	} {
		s := &stub{result: c.result}
		r := Remember(s, memo.New(memo.Options{}))
		for range 2 {
			if got, err := r.Render(t.Context(), source.Memory(nil), unit.Request{}); err != nil || !reflect.DeepEqual(got, c.result) {
				t.Errorf("%s: %+v %v", name, got, err)
			}
		}
		if s.count != c.count {
			t.Errorf("%s: rendered %d times, want %d", name, s.count, c.count)
		}
	}
	s := &stub{err: ErrClosed}
	r := Remember(s, memo.New(memo.Options{}))
	for range 2 {
		if _, err := r.Render(t.Context(), source.Memory(nil), unit.Request{}); err == nil {
			t.Error("no error")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Render(ctx, source.Memory(nil), unit.Request{}); err == nil || s.count != 2 {
		t.Errorf("an ended context: %v, rendered %d times", err, s.count)
	}
}

// TestEveryFieldOfARequestCounts: whatever a request says besides the revision, another request is another rendering.
func TestEveryFieldOfARequestCounts(t *testing.T) {
	s := &stub{}
	r := Remember(s, memo.New(memo.Options{}))
	render := func(req unit.Request) bool {
		t.Helper()
		before := s.count
		if _, err := r.Render(t.Context(), source.Memory(nil), req); err != nil {
			t.Fatal(err)
		}
		return s.count > before
	}
	render(unit.Request{})
	fields := reflect.TypeFor[unit.Request]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		for _, different := range differing(reflect.Zero(fields), i) {
			req := different.Interface().(unit.Request)
			if got := render(req); got != (name != "Revision") {
				t.Errorf("%s: %+v is another rendering: %t", name, req, got)
			}
			if render(req) {
				t.Errorf("%s: %+v is rendered twice", name, req)
			}
		}
	}
	if !render(unit.Request{Source: unit.Source{Plugin: map[string]any{}}}) {
		t.Error("an empty plugin block is taken for none")
	}
}

// differing gives a struct with one field, or each field of it, set to something.
func differing(base reflect.Value, field int) []reflect.Value {
	var out []reflect.Value
	for _, value := range values(base.Field(field).Type()) {
		changed := reflect.New(base.Type()).Elem()
		changed.Set(base)
		changed.Field(field).Set(value)
		out = append(out, changed)
	}
	return out
}

// values gives some of a type that are not its zero value.
func values(typ reflect.Type) []reflect.Value {
	var out []reflect.Value
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			out = append(out, differing(reflect.Zero(typ), i)...)
		}
	case reflect.Pointer:
		out = append(out, reflect.New(typ.Elem()))
		for _, v := range values(typ.Elem()) {
			p := reflect.New(typ.Elem())
			p.Elem().Set(v)
			out = append(out, p)
		}
	case reflect.Slice:
		for _, v := range values(typ.Elem()) {
			out = append(out, reflect.Append(reflect.MakeSlice(typ, 0, 1), v))
		}
	case reflect.Map:
		m := reflect.MakeMap(typ)
		m.SetMapIndex(reflect.ValueOf("k"), values(typ.Elem())[0])
		out = append(out, m)
	case reflect.Interface:
		out = append(out, reflect.ValueOf("v"))
	case reflect.String:
		out = append(out, reflect.ValueOf("v").Convert(typ))
	case reflect.Bool:
		out = append(out, reflect.ValueOf(true))
	default:
		out = append(out, reflect.ValueOf(1).Convert(typ))
	}
	return out
}

// TestEqualObjectsAreShared: a replay of many commits keeps one copy of what does not change.
func TestEqualObjectsAreShared(t *testing.T) {
	one, two := twoCommits(t, map[string]string{"d/a.yaml": configMap("a", "1"), "d/b.yaml": configMap("b", "1")},
		map[string]string{"d/b.yaml": configMap("b", "2"), "d/a.yaml": "# moved\n" + configMap("a", "1")})
	r := Remember(newPool(t, worker.InProcess{Engines: Engines()}, Options{}), memo.New(memo.Options{}))
	var results []Result
	for _, tree := range []source.Tree{one, two} {
		got, err := r.Render(t.Context(), tree, request("d"))
		if err != nil || len(got.Objects) != 2 {
			t.Fatalf("%+v %v", got, err)
		}
		results = append(results, got)
	}
	fields := func(r Result, i int) uintptr { return reflect.ValueOf(r.Objects[i].Fields).Pointer() }
	if fields(results[0], 0) != fields(results[1], 0) {
		t.Error("equal fields are kept twice")
	}
	if fields(results[0], 1) == fields(results[1], 1) || object.String(results[0].Objects[1].Fields, "data", "x") != "1" {
		t.Error("different fields are shared")
	}
	if lines := []int{results[0].Objects[0].Origin.Line, results[1].Objects[0].Origin.Line}; !slices.Equal(lines, []int{1, 2}) {
		t.Errorf("lines %v", lines)
	}
}
