package hazards_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/hazards"
)

var update = flag.Bool("update", false, "rewrite docs/hazards.md")

func TestRulesAreValid(t *testing.T) {
	if err := hazard.Validate(hazards.Rules()); err != nil {
		t.Error(err)
	}
}

func TestEveryFolderIsListed(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, r := range hazards.Rules() {
		listed[r.Folder()] = true
	}
	for _, e := range entries {
		if e.IsDir() && !listed[e.Name()] {
			t.Errorf("folder %s is no rule of the list", e.Name())
		}
	}
}

// TestDocs keeps docs/hazards.md equal to the READMEs of the rules, one level deeper.
func TestDocs(t *testing.T) {
	const name = "../../docs/hazards.md"
	var want strings.Builder
	want.WriteString("# Hazards\n\nMade from the READMEs of the rules by `go test ./internal/hazards -update`.\n")
	for _, r := range hazards.Rules() {
		want.WriteString("\n")
		for line := range strings.Lines(r.Doc) {
			if strings.HasPrefix(line, "#") {
				line = "#" + line
			}
			want.WriteString(line)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("%s is stale; run go test ./internal/hazards -update", name)
	}
}
