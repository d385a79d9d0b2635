package syncproof_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the output in README.md")

// TestMain lets this binary be a render worker of the demo that it plays.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "render-worker" {
		os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

var (
	shown = regexp.MustCompile("(?s)(<!-- output of: syncproof ([a-z0-9 -]+) -->\n```text\n)(.*?)(```\n)")
	held  = regexp.MustCompile("(?s)(<!-- as in: ([a-z0-9./-]+) -->\n```text\n)(.*?)(```\n)")
)

// TestReadmeShowsGoldens compares what takes long with the golden file that its own test holds.
func TestReadmeShowsGoldens(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := held.FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("the README shows no golden file")
	}
	for _, b := range blocks {
		want, err := os.ReadFile(string(b[2]))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(want, b[3]) {
			continue
		}
		if !*update {
			t.Errorf("%s is another text now; run go test . -update and read the diff", b[2])
			continue
		}
		text = bytes.Replace(text, b[0], bytes.Join([][]byte{b[1], want, b[4]}, nil), 1)
		if err := os.WriteFile("README.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadmeShowsRealOutput runs the commands whose output the README shows.
func TestReadmeShowsRealOutput(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shown.FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("the README shows no output")
	}
	for _, b := range blocks {
		var stdout, stderr bytes.Buffer
		args := append([]string{"syncproof"}, strings.Fields(string(b[2]))...)
		if code := cli.Main(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr.String())
		}
		if bytes.Equal(stdout.Bytes(), b[3]) {
			continue
		}
		if !*update {
			t.Errorf("%q prints something else now; run go test . -update and read the diff:\n%s", args, stdout.String())
			continue
		}
		text = bytes.Replace(text, b[0], bytes.Join([][]byte{b[1], stdout.Bytes(), b[4]}, nil), 1)
		if err := os.WriteFile("README.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
