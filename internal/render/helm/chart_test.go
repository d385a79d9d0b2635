package helm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

// tgz packs the files of a txtar archive.
func tgz(t *testing.T, archive string) *fstest.MapFile {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := w.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: out.Bytes()}
}

// sub is a chart with one ConfigMap called <chart>-cm that prints .Values.v.
func sub(dir, name, version string) string {
	return fmt.Sprintf("-- %[1]s/Chart.yaml --\napiVersion: v2\nname: %[2]s\nversion: %[3]s\n-- %[1]s/values.yaml --\nv: %[2]s\n"+
		"-- %[1]s/templates/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Chart.Name }}-cm'}\n"+
		"data: {v: '{{ .Values.v }}', version: {{ .Chart.Version }}}\n", dir, name, version)
}

// parent is a chart without templates that depends on others.
func parent(dependencies string) string {
	return "-- c/Chart.yaml --\napiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n" + dependencies
}

func TestSubcharts(t *testing.T) {
	for _, c := range []struct {
		name  string
		files string
		tgz   map[string]string
		helm  *unit.Helm
		want  []string
	}{
		{
			name:  "directory that nobody declares",
			files: one("a: b") + sub("c/charts/x", "x", "1.0.0"),
			want:  []string{"ConfigMap x-cm @ c/charts/x/templates/cm.yaml", "ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name:  "directory of another name than the chart",
			files: parent("- {name: x, version: 1.x.x, repository: https://example.com}\n") + sub("c/charts/other", "x", "1.0.0"),
			want:  []string{"ConfigMap x-cm @ c/charts/other/templates/cm.yaml"},
		},
		{
			name:  "archive",
			files: parent("- {name: x, version: 1.x.x, repository: https://example.com}\n"),
			tgz:   map[string]string{"c/charts/x-1.0.0.tgz": sub("x", "x", "1.0.0")},
			want:  []string{"ConfigMap x-cm @ c/charts/x-1.0.0.tgz"},
		},
		{
			name:  "link to a directory",
			files: one("a: b") + "-- c/charts/x --\n-> ../../lib/x\n" + sub("lib/x", "x", "1.0.0"),
			want:  []string{"ConfigMap x-cm @ c/charts/x/templates/cm.yaml", "ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name:  "hidden and underscored ones are passed over",
			files: one("a: b") + "-- c/charts/.keep --\n\n-- c/charts/_x/Chart.yaml --\nbroken: [\n",
			want:  []string{"ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name:  "provenance files",
			files: one("a: b") + "-- c/charts/x.tgz.prov --\nsigned\n",
			want:  []string{"ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name: "condition",
			files: parent("- {name: x, version: 1.0.0, repository: '', condition: x.enabled}\n"+
				"- {name: why, version: 1.0.0, repository: '', condition: 'why.start,why.enabled'}\n") +
				sub("c/charts/x", "x", "1.0.0") + sub("c/charts/why", "why", "1.0.0") + "-- c/values.yaml --\nx: {enabled: false}\n",
			want: []string{"ConfigMap why-cm @ c/charts/why/templates/cm.yaml"},
		},
		{
			name: "condition set by a parameter",
			files: parent("- {name: x, version: 1.0.0, repository: '', condition: x.enabled}\n") + sub("c/charts/x", "x", "1.0.0") +
				"-- c/values.yaml --\nx: {enabled: false}\n",
			helm: &unit.Helm{Parameters: []unit.Parameter{{Name: "x.enabled", Value: "true"}}},
			want: []string{"ConfigMap x-cm @ c/charts/x/templates/cm.yaml"},
		},
		{
			name: "tags",
			files: parent("- {name: x, version: 1.0.0, repository: '', tags: [back]}\n"+
				"- {name: why, version: 1.0.0, repository: '', tags: [back, front]}\n") +
				sub("c/charts/x", "x", "1.0.0") + sub("c/charts/why", "why", "1.0.0") + "-- c/values.yaml --\ntags: {back: false, front: true}\n",
			want: []string{"ConfigMap why-cm @ c/charts/why/templates/cm.yaml"},
		},
		{
			name: "one chart under two aliases",
			files: parent("- {name: x, version: 1.0.0, repository: '', alias: left}\n"+
				"- {name: x, version: 1.0.0, repository: '', alias: right}\n") + sub("c/charts/x", "x", "1.0.0"),
			want: []string{"ConfigMap left-cm @ c/charts/x/templates/cm.yaml", "ConfigMap right-cm @ c/charts/x/templates/cm.yaml"},
		},
		{
			name: "two versions of one chart",
			files: parent("- {name: x, version: 1.x.x, repository: 'https://e', alias: old}\n"+
				"- {name: x, version: 2.x.x, repository: 'https://e', alias: new}\n") + sub("c/charts/x2", "x", "2.1.0"),
			tgz:  map[string]string{"c/charts/x-1.1.0.tgz": sub("x", "x", "1.1.0")},
			want: []string{"ConfigMap new-cm @ c/charts/x2/templates/cm.yaml", "ConfigMap old-cm @ c/charts/x-1.1.0.tgz"},
		},
		{
			name: "requirements.yaml of version 1",
			files: strings.Replace(one("a: b"), "apiVersion: v2", "apiVersion: v1", 1) +
				"-- c/requirements.yaml --\ndependencies: [{name: x, version: 1.0.0, repository: 'https://e', condition: no.x}]\n" +
				"-- c/values.yaml --\n\"no\": {x: false}\n" + sub("c/charts/x", "x", "1.0.0"),
			want: []string{"ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name:  "file:// in the repository",
			files: parent("- {name: x, version: ^1, repository: 'file://../lib/x'}\n") + sub("lib/x", "x", "1.4.0") + sub("lib/x/charts/why", "why", "1.0.0"),
			want:  []string{"ConfigMap why-cm @ lib/x/charts/why/templates/cm.yaml", "ConfigMap x-cm @ lib/x/templates/cm.yaml"},
		},
		{
			name: "file:// that is vendored too",
			files: parent("- {name: x, version: ^1, repository: 'file://../lib/x'}\n") + sub("lib/x", "x", "1.4.0") +
				sub("c/charts/x", "x", "1.3.0"),
			want: []string{"ConfigMap x-cm @ c/charts/x/templates/cm.yaml"},
		},
		{
			name: "dependencies of a dependency are not asked for",
			files: parent("- {name: x, version: ^1, repository: 'file://../lib/x'}\n") +
				strings.Replace(sub("lib/x", "x", "1.4.0"), "version: 1.4.0", "version: 1.4.0\ndependencies: [{name: z, version: 1.0.0, repository: 'https://e'}]", 1),
			want: []string{"ConfigMap x-cm @ lib/x/templates/cm.yaml"},
		},
		{
			name: "remote, switched off",
			files: parent("- {name: x, version: 1.0.0, repository: 'https://e', condition: x.enabled}\n") +
				"-- c/values.yaml --\nx: {enabled: false}\n" + strings.SplitAfterN(one("a: b"), "version: 1.2.3\n", 2)[1],
			want: []string{"ConfigMap cm @ c/templates/cm.yaml"},
		},
		{
			name:  "Chart.lock does not matter",
			files: parent("- {name: x, version: 1.0.0, repository: ''}\n") + sub("c/charts/x", "x", "1.0.0") + "-- c/Chart.lock --\ndigest: sha256:other\n",
			want:  []string{"ConfigMap x-cm @ c/charts/x/templates/cm.yaml"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := tree(c.files)
			for name, content := range c.tgz {
				files[name] = tgz(t, content)
			}
			wantLines(t, mustRender(t, files, chartAt("c", c.helm)).Objects, c.want...)
		})
	}
}

func TestSubchartValues(t *testing.T) {
	version1 := strings.Replace(one(`v: {{ .Values.imported }} {{ .Values.x.v }} {{ .Values.global.g }}`), "v2", "v1", 1)
	files := tree(version1 + `
-- c/requirements.yaml --
dependencies:
- name: x
  version: 1.0.0
  repository: ""
  import-values: [{child: exported, parent: .}]
-- c/values.yaml --
global: {g: everywhere}
x: {v: from parent}
-- c/charts/x/Chart.yaml --
{apiVersion: v2, name: x, version: 1.0.0}
-- c/charts/x/values.yaml --
v: own
exported: {imported: from child}
-- c/charts/x/templates/cm.yaml --
{{- if ne (printf "%s %s" .Values.v .Values.global.g) "from parent everywhere" }}{{ fail "values of the subchart" }}{{ end }}
`)
	wantData(t, mustRender(t, files, chartAt("c", nil)), map[string]any{"v": "from child from parent everywhere"})
}

func TestIgnoredFiles(t *testing.T) {
	files := tree(one(`files: {{ range $name, $_ := .Files.Glob "**" }}{{ $name }} {{ end }}`) + `
-- c/.helmignore --
# comments and blanks are fine

*.bak
docs/
/top.txt
templates/off-*.yaml
!*.keep
-- c/templates/off-1.yaml --
{{ fail "ignored" }}
-- c/templates/.hidden.yaml --
{{ fail "hidden" }}
-- c/config/a.txt --
-- c/config/a.bak --
-- c/config/top.txt --
-- c/top.txt --
-- c/docs/x.keep --
-- c/x.keep --
`)
	// A negated rule of Helm ignores whatever it does not match and no rule before it did.
	mustGap(t, files, chartAt("c", nil), diag.PathMissing, "no Chart.yaml in c")
	ignore := files["c/.helmignore"]
	ignore.Data = bytes.ReplaceAll(ignore.Data, []byte("!*.keep\n"), nil)
	wantData(t, mustRender(t, files, chartAt("c", nil)), map[string]any{"files": ".helmignore config/a.txt config/top.txt x.keep"})
	ignore.Data = []byte("**/x\n")
	g := mustGap(t, files, chartAt("c", nil), diag.Unparsable, "double-star (**) syntax is not supported")
	if g.At.File != "c/.helmignore" {
		t.Errorf("at %+v", g.At)
	}
}

func TestFiles(t *testing.T) {
	files := tree(one(
		`get: {{ .Files.Get "conf/a.txt" | trim }}`, `none: {{ .Files.Get "nothing" | quote }}`,
		`{{ (.Files.Glob "conf/*.txt").AsConfig | nindent 2 }}`, `deep: {{ range $n, $_ := .Files.Glob "conf/**/a.txt" }}{{ $n }}{{ end }}`, `bin: {{ .Files.Get "conf/bin" | b64enc }}`,
	) + "-- c/conf/a.txt --\nalpha\n-- c/conf/deep/b.txt --\nbeta\n")
	files["c/conf/bin"] = &fstest.MapFile{Data: []byte{0xfe, 0x00}}
	wantData(t, mustRender(t, files, chartAt("c", nil)), map[string]any{"get": "alpha", "none": "", "a.txt": "alpha\n", "deep": "conf/a.txt", "bin": "/gA="})
}

func TestChartsThatDoNotLoad(t *testing.T) {
	remote := "- {name: x, version: 1.x.x, repository: 'https://user:pw@charts.example.com'}\n"
	for _, c := range []struct {
		name    string
		files   string
		reason  diag.Reason
		message string
	}{
		{"nothing there", "-- x --\n", diag.PathMissing, "chart directory c does not exist"},
		{"no chart", "-- c/values.yaml --\n", diag.PathMissing, "no Chart.yaml in c"},
		{"broken Chart.yaml", "-- c/Chart.yaml --\nname: [\n", diag.RenderFailed, "cannot load Chart.yaml"},
		{"no version", "-- c/Chart.yaml --\napiVersion: v2\nname: c\n", diag.RenderFailed, "chart.metadata.version is required"},
		{"library", strings.Replace(one("a: b"), "name: c\n", "name: c\ntype: library\n", 1), diag.RenderFailed, "does not render library charts"},
		{"format of the future", strings.Replace(one("a: b"), "v2", "v3", 1), diag.Unsupported, `chart apiVersion "v3"`},
		{"broken values", one("a: b") + "-- c/values.yaml --\n- a\n", diag.RenderFailed, "cannot load values.yaml"},
		{"remote dependency", parent(remote), diag.Remote, `dependency "x" 1.x.x of https://charts.example.com is not in charts/`},
		{"remote dependency, switched on", parent(strings.Replace(remote, "}", ", condition: x.enabled}", 1)) + "-- c/values.yaml --\nx: {enabled: true}\n",
			diag.Remote, `dependency "x"`},
		{"remote dependency, its own default unknown", parent(strings.Replace(remote, "}", ", condition: x.enabled}", 1)), diag.Remote, `dependency "x"`},
		{"remote dependency that could decide another's condition",
			parent(strings.Replace(remote, "}", ", condition: x.enabled}", 1)+"- {name: why, version: 1.0.0, repository: '', condition: x.withWhy}\n") +
				"-- c/values.yaml --\nx: {enabled: false}\n" + sub("c/charts/why", "why", "1.0.0"), diag.Remote, `dependency "x"`},
		{"oci dependency", parent("- {name: x, version: 1.0.0, repository: 'oci://registry/x'}\n"), diag.Remote, "oci://registry/x"},
		{"repository by alias", parent("- {name: x, version: 1.0.0, repository: '@stable'}\n"), diag.Remote, "@stable"},
		{"dependency from nowhere", parent("- {name: x, version: 1.0.0, repository: ''}\n"), diag.PathMissing, `dependency "x" has no repository`},
		{"file:// missing", parent("- {name: x, version: 1.0.0, repository: 'file://../x'}\n"), diag.PathMissing, `directory x of dependency "x" does not exist`},
		{"file:// outside", parent("- {name: x, version: 1.0.0, repository: 'file://../../x'}\n"), diag.Escape, "lies outside the repository"},
		{"file:// of the host", parent("- {name: x, version: 1.0.0, repository: 'file:///etc'}\n"), diag.Escape, "lies outside the repository"},
		{"file:// of another version", parent("- {name: x, version: ^2, repository: 'file://../x'}\n") + sub("x", "x", "1.0.0"),
			diag.RenderFailed, "dependency wants x ^2, but x holds x 1.0.0"},
		{"file in charts/", one("a: b") + "-- c/charts/README.md --\n", diag.RenderFailed, "Chart.yaml file is missing"},
		{"two charts of one name", one("a: b") + sub("c/charts/x", "x", "1.0.0") + sub("c/charts/y", "x", "2.0.0"), diag.RenderFailed, "2 charts called x"},
		{"two charts that fit one dependency", parent("- {name: x, version: '>0', repository: ''}\n") + sub("c/charts/x", "x", "1.0.0") +
			sub("c/charts/y", "x", "2.0.0"), diag.RenderFailed, "2 charts called x"},
		{"archive that is none", one("a: b") + "-- c/charts/x.tgz --\ntext\n", diag.RenderFailed, "is no gzip archive"},
		{"archive that is a pointer", one("a: b") + "-- c/charts/x.tgz --\nversion https://git-lfs.github.com/spec/v1\n", diag.ContentMissing, "Git LFS pointer"},
		{"link to its own parent", one("a: b") + "-- c/more --\n-> ../c\n", diag.RenderFailed, "levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustGap(t, tree(c.files), chartAt("c", nil), c.reason, c.message)
		})
	}
	mustGap(t, tree("-- x --\n"), chartAt("../c", nil), diag.Escape, "leaves the repository")
	mustGap(t, tree("-- x --\n"), unit.Request{Source: unit.Source{Chart: "redis", RepoURL: "https://u:p@charts.example.com"}},
		diag.Remote, "chart redis of https://charts.example.com lies behind the network")
}

// bomb packs a chart that unpacks to some MiB: one file of zeros, or as many empty files as make the size. It is a chain of
// gzip members, of which the last is repeated, so that making it takes no time.
func bomb(t *testing.T, mebibytes int, empty bool) *fstest.MapFile {
	t.Helper()
	zip := func(raw []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		if _, err := z.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	var head bytes.Buffer
	w := tar.NewWriter(&head)
	header := func(name string, size int) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(size)}); err != nil {
			t.Fatal(err)
		}
	}
	meta := "{apiVersion: v2, name: x, version: 1.0.0}"
	header("x/Chart.yaml", len(meta))
	if _, err := io.WriteString(w, meta); err != nil {
		t.Fatal(err)
	}
	repeated := make([]byte, 1<<20)
	if empty {
		header("x/empty", 0) // pads Chart.yaml, and is the block that is repeated
		raw := head.Bytes()
		repeated = bytes.Repeat(raw[len(raw)-512:], 1<<20/512)
	} else {
		header("x/zeros", mebibytes<<20)
	}
	return &fstest.MapFile{Data: append(zip(head.Bytes()), bytes.Repeat(zip(repeated), mebibytes)...)}
}

func TestArchiveLimits(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"one large archive":         {"c/charts/x.tgz": bomb(t, 101, false)},
		"countless empty files":     {"c/charts/x.tgz": bomb(t, 101, true)},
		"two archives of one chart": {"c/charts/x.tgz": bomb(t, 60, false), "c/charts/y.tgz": bomb(t, 60, false)},
	} {
		t.Run(name, func(t *testing.T) {
			for f, content := range tree(one("a: b")) {
				files[f] = content
			}
			mustGap(t, files, chartAt("c", nil), diag.RenderFailed, "larger than Helm's limit")
		})
	}
}
