// Command pairbuf writes the table of docs/pair-and-buf.md: what buf breaking and syncproof pair each say of the changes in
// internal/match/pair/testdata/changes.txtar. It needs the command buf; bench/pair-and-buf.sh installs it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
)

const (
	changes = "internal/match/pair/testdata/changes.txtar"
	page    = "docs/pair-and-buf.md"
	begin   = "<!-- table: bench/pair-and-buf.sh writes it -->\n"
	end     = "<!-- end of table -->\n"
)

func main() {
	buf := flag.String("buf", "buf", "the command buf")
	flag.Parse()
	if err := run(context.Background(), *buf); err != nil {
		fmt.Fprintln(os.Stderr, "pairbuf:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, buf string) error {
	archive, err := txtar.ParseFile(changes)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pairbuf")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	table := "| change | buf WIRE | buf WIRE_JSON | breaking | safe_order | if_unused | preferred_order |\n|---|---|---|---|---|---|---|\n"
	for i := 0; i+1 < len(archive.Files); i += 2 {
		row, err := compare(ctx, buf, dir, archive.Files[i], archive.Files[i+1])
		if err != nil {
			return fmt.Errorf("%s: %w", archive.Files[i].Name, err)
		}
		table += row
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return fmt.Errorf("%s has no place for the table", page)
	}
	return os.WriteFile(page, slices.Concat(before, []byte(begin+table+end), after), 0o644)
}

// compare gives the row of one change.
func compare(ctx context.Context, buf, dir string, old, new txtar.File) (string, error) {
	var files [2]string
	var sets [2]*descriptor.Set
	for i, f := range []txtar.File{old, new} {
		raw, err := descriptor.Compile(ctx, []string{"shop.proto"}, func(name string) ([]byte, error) {
			if name == "shop.proto" {
				return f.Data, nil
			}
			return nil, fs.ErrNotExist
		})
		if err != nil {
			return "", err
		}
		if sets[i], err = descriptor.Decode(raw); err != nil {
			return "", err
		}
		files[i] = filepath.Join(dir, fmt.Sprintf("%d.binpb", i))
		if err := os.WriteFile(files[i], raw, 0o600); err != nil {
			return "", err
		}
	}
	var said [2]string
	for i, category := range []string{"WIRE", "WIRE_JSON"} {
		rules, err := breaking(ctx, buf, category, files[0], files[1])
		if err != nil {
			return "", err
		}
		said[i] = "-"
		if len(rules) > 0 {
			said[i] = strings.Join(rules, ", ")
		}
	}
	r := pair.Compare(sets[0], sets[1], pair.Options{})
	title, _, _ := strings.Cut(old.Name, "/")
	verdict := "no"
	if len(r.Breaking) > 0 {
		verdict = "yes"
	}
	preferred := string(r.PreferredOrder)
	if r.Restart {
		preferred += ", restart"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", title, said[0], said[1], verdict, r.SafeOrder, r.SafeOrderIfUnused, preferred), nil
}

// breaking gives the rules that buf finds broken. buf ends with 100 when it finds some.
func breaking(ctx context.Context, buf, category, old, new string) ([]string, error) {
	config := fmt.Sprintf(`{"version":"v2","breaking":{"use":[%q]}}`, category)
	cmd := exec.CommandContext(ctx, buf, "breaking", new, "--against", old, "--config", config, "--error-format", "json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 100) {
		return nil, fmt.Errorf("buf: %w: %s", err, stderr.Bytes())
	}
	var rules []string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var found struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(lines.Bytes(), &found); err != nil {
			return nil, err
		}
		rules = append(rules, found.Type)
	}
	slices.Sort(rules)
	return slices.Compact(rules), nil
}
