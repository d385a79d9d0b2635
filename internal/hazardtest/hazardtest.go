// Package hazardtest runs the scenarios of a rule. Only tests import it.
//
// A scenario is a txtar archive in the rule's testdata: its comment tells the story, files below repo/ are the
// repository. What the rule must say stands in the input, on the line that it must blame:
//
//	# want "regexp"   a candidate whose consumer is declared on this line
//	# gap "regexp"    a gap at this line
//
// Both kinds match "unit: text". Everything that is reported must be wanted, and everything wanted must be reported.
// Gaps without a line of YAML to stand on are listed in a file named gaps, one regexp a line, as "file: text".
package hazardtest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/source"
)

var update = flag.Bool("update", false, "rewrite the generated parts of READMEs")

// Run runs every scenario in testdata of the calling package, and checks that the rule's folder is complete.
func Run(t *testing.T, r hazard.Rule) {
	t.Helper()
	if err := hazard.Validate([]hazard.Rule{r}); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	complete(t, r, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			scenario(t, r, a)
		})
	}
}

// complete asks for the scenarios that every rule has: one that is found, one that looks alike and is silent, one that
// cannot be decided.
func complete(t *testing.T, r hazard.Rule, files []string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(dir) != r.Folder() {
		t.Errorf("rule %s lives in folder %s, want %s", r.ID, filepath.Base(dir), r.Folder())
	}
	for _, prefix := range []string{"minimal", "nearmiss-", "gap-"} {
		if !slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(filepath.Base(f), prefix) }) {
			t.Errorf("no scenario %s*.txtar", prefix)
		}
	}
}

// expectation is one comment of a scenario.
type expectation struct {
	file    string
	line    int // 0: any
	gap     bool
	pattern *regexp.Regexp
	met     bool
}

func (e expectation) String() string {
	kind := "want"
	if e.gap {
		kind = "gap"
	}
	return fmt.Sprintf("%s:%d: %s %q", e.file, e.line, kind, e.pattern)
}

func scenario(t *testing.T, r hazard.Rule, a *txtar.Archive) {
	t.Helper()
	if len(bytes.TrimSpace(a.Comment)) == 0 {
		t.Error("the scenario tells no story: its comment is empty")
	}
	files, expected := read(t, a)
	got := analyse(t, r, files)
	if again := analyse(t, r, files); text(t, got) != text(t, again) {
		t.Errorf("two runs differ:\n%s\n---\n%s", text(t, got), text(t, again))
	}
	for _, l := range got.Latent {
		for _, in := range l.Instances {
			meet(t, expected, false, in.Consumer.At.File, in.Consumer.At.Line,
				fmt.Sprintf("%s: %s (%s)", in.Consumer.Unit, l.Summary, in.Provider.Unit))
		}
	}
	for _, g := range got.Gaps {
		meet(t, expected, true, g.At.File, g.At.Line, fmt.Sprintf("%s: %s", g.Unit, g.Message))
	}
	for _, e := range expected {
		if !e.met {
			t.Errorf("nothing said for %s", e)
		}
	}
	if t.Failed() {
		t.Logf("report:\n%s", text(t, got))
	}
	if strings.HasSuffix(t.Name(), "/minimal") {
		example(t, got)
	}
}

func meet(t *testing.T, expected []*expectation, gap bool, file string, line int, message string) {
	t.Helper()
	for _, e := range expected {
		if e.gap == gap && e.file == file && (e.line == 0 || e.line == line) && e.pattern.MatchString(message) {
			e.met = true
			return
		}
	}
	t.Errorf("%s:%d: unexpected (gap: %v): %s", file, line, gap, message)
}

var comment = regexp.MustCompile(`# (want|gap) ("(?:[^"\\]|\\.)*")`)

// read splits an archive into the repository and what is expected of it.
func read(t *testing.T, a *txtar.Archive) (map[string][]byte, []*expectation) {
	t.Helper()
	files := map[string][]byte{}
	var expected []*expectation
	for _, f := range a.Files {
		name, inside := strings.CutPrefix(f.Name, "repo/")
		switch {
		case inside:
			files[name] = f.Data
		case f.Name == "gaps":
			expected = append(expected, listed(t, f.Data)...)
			continue
		default:
			t.Fatalf("section %s: only repo/... and gaps have a meaning", f.Name)
		}
		for i, line := range strings.Split(string(f.Data), "\n") {
			for _, m := range comment.FindAllStringSubmatch(line, -1) {
				expected = append(expected, &expectation{file: name, line: i + 1, gap: m[1] == "gap", pattern: compile(t, m[2])})
			}
		}
	}
	return files, expected
}

func listed(t *testing.T, data []byte) []*expectation {
	t.Helper()
	var out []*expectation
	for line := range strings.Lines(string(data)) {
		file, pattern, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("gaps: %q is not \"file: regexp\"", line)
		}
		out = append(out, &expectation{file: file, gap: true, pattern: compile(t, strconv.Quote(pattern))})
	}
	return out
}

func compile(t *testing.T, quoted string) *regexp.Regexp {
	t.Helper()
	s, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatalf("%s: %v", quoted, err)
	}
	re, err := regexp.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

func analyse(t *testing.T, r hazard.Rule, files map[string][]byte) diag.Report {
	t.Helper()
	conf := config.Default()
	if text, ok := files[config.FileName]; ok {
		var err error
		if conf, err = config.Parse(config.FileName, text); err != nil {
			t.Fatal(err)
		}
	}
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	defer pool.Close()
	got, err := pipeline.Run(context.Background(), pipeline.Input{
		Discover: discover.Input{Tree: source.Memory(files), Config: conf, Renderer: pool, Jobs: 2},
		Worktree: true,
		Rules:    []hazard.Rule{r},
		All:      true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func text(t *testing.T, r diag.Report) string {
	t.Helper()
	var out strings.Builder
	if err := report.Write(&out, report.Text, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// example compares the output in the README with what the minimal scenario prints: documentation cannot rot.
func example(t *testing.T, r diag.Report) {
	t.Helper()
	const name = "README.md"
	readme, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const open, shut = "```text\n", "```\n"
	before, rest, ok := strings.Cut(string(readme), open)
	_, after, closed := strings.Cut(rest, shut)
	if !ok || !closed {
		t.Fatalf("%s has no ```text block for the example", name)
	}
	_, latent, _ := strings.Cut(text(t, r), "LATENT")
	want := before + open + "LATENT" + latent + shut + after
	if want == string(readme) {
		return
	}
	if !*update {
		t.Errorf("%s: the example differs from what the minimal scenario prints; run go test with -update and read the diff", name)
		return
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
