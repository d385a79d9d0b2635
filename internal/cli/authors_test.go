package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/cli"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/source"
)

// people are all who have a hand in the repository below, by what must not be printed of them.
var people = []string{
	"Ada Lovelace", "ada@corp.example", "Grace Hopper", "grace@corp.example", "Joan Clarke", "joan@corp.example", "Edith Clarke",
	"edith@corp.example", "@hedy", "carol@corp.example", "Mary Somerville", "hedy/",
}

// named writes a repository in which persons stand everywhere: as authors, as committers, in CODEOWNERS, in subjects, bodies
// and trailers of commits. It ends with a release that can break.
func named(t *testing.T) string {
	t.Helper()
	dir := t.TempDir() + "/m"
	w, err := source.Create(t.Context(), dir, source.WriterOptions{Remote: "https://git.example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ada, grace := source.Person{Name: "Ada Lovelace", Mail: "ada@corp.example"}, source.Person{Name: "Grace Hopper", Mail: "grace@corp.example"}
	deployment := func(image, key string) []byte {
		return fmt.Appendf(nil, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:%s", env: [{name: A, valueFrom: {configMapKeyRef: {name: cc, key: %s}}}]}]}}}}`, image, key)
	}
	config := func(data string) []byte {
		return fmt.Appendf(nil, `{apiVersion: v1, kind: ConfigMap, metadata: {name: cc}, data: {%s}}`, data)
	}
	app := func(name string) string {
		return "---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + ", namespace: argocd}\nspec:\n" +
			"  source: {repoURL: \"https://git.example.com/m\", path: " + name + "}\n  syncPolicy: {automated: {prune: true, selfHeal: true}}\n" +
			"  destination: {server: \"https://kubernetes.default.svc\", namespace: shop}\n"
	}
	trailers := "\n\nGrace Hopper asked for it, see ada@corp.example and @hedy.\n\nSigned-off-by: Ada Lovelace <ada@corp.example>\n" +
		"Co-authored-by: Joan Clarke <joan@corp.example>\nReviewed-by: Edith Clarke <edith@corp.example>"
	owners := "web/ ada@corp.example @hedy\nother/ carol@corp.example @shop/platform\n"
	for i, c := range []source.Change{
		{Author: ada, Message: "start" + trailers, Files: map[string][]byte{
			"apps/apps.yaml": []byte(app("web")), "CODEOWNERS": []byte(owners), "web/d.yaml": deployment("v1", "a"), "web/c.yaml": config(`a: "1"`),
			".mailmap": []byte("Mary Somerville <mary@corp.example> Ada Lovelace <ada@corp.example>\n"),
		}},
		{Author: grace, By: ada, Message: "Merge pull request #7 from hedy/apart" + trailers, Files: map[string][]byte{
			"apps/apps.yaml": []byte(app("web") + app("other")), "web/c.yaml": nil, "other/c.yaml": config(`a: "1"`),
		}},
		{Author: ada, By: source.Person{Name: "GitHub", Mail: "noreply@github.com"}, Message: "Ada Lovelace's release, ask grace@corp.example" + trailers,
			Files: map[string][]byte{"web/d.yaml": deployment("v2", "b"), "other/c.yaml": config(`a: "1", b: "2"`)}},
		{Author: grace, By: ada, Message: "Revert \"Ada Lovelace's release, ask grace@corp.example\"" + trailers,
			Files: map[string][]byte{"web/d.yaml": deployment("v1", "a"), "other/c.yaml": config(`a: "1"`)}},
		{Author: ada, Message: "again, says Grace Hopper" + trailers, Files: map[string][]byte{"web/d.yaml": deployment("v3", "c"), "other/c.yaml": config(`a: "1", c: "2"`)}},
	} {
		c.When = time.Date(2026, 1, 1, 12+i, 0, 0, 0, time.UTC)
		if _, err := w.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestNobodyIsNamedUnasked: no name and no address of anybody is in any format's output, unless --show-authors asks for them.
func TestNobodyIsNamedUnasked(t *testing.T) {
	dir := named(t)
	id := ""
	for _, command := range [][]string{
		{"scan", "--history", "4", "--all", "--verbose"}, {"check", "HEAD~1..HEAD", "--all"}, {"check", "HEAD~4..HEAD", "--each", "--overlap"},
		{"explain", "ID", "--history", "4"}, {"scan", "--all"},
	} {
		for _, format := range report.Formats() {
			for i := range command {
				if command[i] == "ID" {
					command[i] = id
				}
			}
			args := append([]string{"syncproof"}, append(command, "--quiet", "--format", string(format), dir)...)
			out := output(t, args)
			if id == "" {
				id = firstID(t, out)
			}
			for _, p := range people {
				if i := strings.Index(out, p); i >= 0 {
					t.Errorf("%q prints %s: ...%s...", args[1:], p, out[max(0, i-120):min(len(out), i+60)])
				}
			}
			if format == report.Text && out == output(t, append(args, "--show-authors")) {
				t.Errorf("%q prints the same with --show-authors", args[1:])
			}
		}
	}
	out := output(t, []string{"syncproof", "explain", id, "--history", "4", "--quiet", "--show-authors", dir})
	for _, p := range []string{"Mary Somerville", "carol@corp.example", "@hedy", "Joan Clarke"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), p) {
			t.Errorf("--show-authors does not name %s:\n%s", p, out)
		}
	}
}

func firstID(t *testing.T, text string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "RACE" {
			return f[1]
		}
	}
	t.Fatalf("no race:\n%s", text)
	return ""
}

func output(t *testing.T, args []string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &stdout, &stderr); code > 1 {
		t.Fatalf("%q: exit code %d\n%s", args, code, stderr.String())
	}
	return stdout.String()
}
