package cli_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cli"
)

var update = flag.Bool("update", false, "write testdata/demo-fix.txt")

// The tale of the demo from the race to its end, word for word: it is what the README shows.
func TestDemoFix(t *testing.T) {
	if raceEnabled {
		t.Skip("minutes under the race detector: the packages below, stage and patch among them, run under it")
	}
	var out, errs strings.Builder
	if code := cli.Main([]string{"syncproof", "demo", "--fix"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	const golden = "testdata/demo-fix.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the tale changed: go test ./internal/cli -run DemoFix -update writes it, and the difference is read\n%s", out.String())
	}
}
