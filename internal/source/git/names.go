package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// Names walks from tip along first parents, the newest first, and hands at most n commits with the paths in which each
// differs from its first parent to visit, which ends the walk by giving false. Paths are those of [Repository.Changed].
//
// It is one pass: git compares the trees of all commits in one process and reads no content. Where the clone lacks a commit or
// a directory the pass ends early, with an error; what was visited before holds.
func (r *Repository) Names(ctx context.Context, tip Commit, n int, visit func(hash string, paths []string) bool) error {
	if err := known(tip); err != nil {
		return err
	}
	if n <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.runner.patience)
	defer cancel() // and with it both processes
	list := r.runner.command(ctx, "rev-list", "--first-parent", "--parents", "-n", strconv.Itoa(n), tip.Hash)
	diff := r.runner.command(ctx, "diff-tree", "--stdin", "--root", "--always", "-r", "-z", "--raw", "--no-abbrev", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
	listErrs, diffErrs := &tail{limit: gitErrors}, &tail{limit: gitErrors}
	list.Stderr, diff.Stderr = listErrs, diffErrs
	hashes, err := list.StdoutPipe()
	if err != nil {
		return err
	}
	feed, err := diff.StdinPipe()
	if err != nil {
		return err
	}
	out, err := diff.StdoutPipe()
	if err != nil {
		return err
	}
	for _, cmd := range []*exec.Cmd{list, diff} {
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("list changed paths: %w", err)
		}
		defer func() { _ = cmd.Wait() }()
	}
	defer cancel() // runs before the waits
	fed := make(chan error, 1)
	go func() { fed <- feedCommits(feed, hashes) }()
	last, stopped, err := eachNamed(out, visit)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("list changed paths: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("list changed paths: %w", err)
	case stopped:
		return nil
	}
	if err := errors.Join(<-fed, list.Wait(), diff.Wait()); err != nil {
		return fmt.Errorf("list changed paths: %w: %s", err, oneLine(listErrs.String()+" "+diffErrs.String()))
	}
	if last.hash != "" {
		last.tell(visit) // not before it is known that git was not cut short in the middle of it
	}
	return nil
}

// feedCommits tells diff-tree what to compare: each commit with its first parent, and no other one.
func feedCommits(to io.WriteCloser, from io.Reader) error {
	defer func() { _ = to.Close() }()
	w := bufio.NewWriter(to)
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		words := strings.Fields(line)
		if _, err := w.WriteString(strings.Join(words[:min(2, len(words))], " ") + "\n"); err != nil {
			return err
		}
	}
}

// longestRecord bounds one record of diff-tree, which is a path at the longest.
const longestRecord = MaxPath * 4

// eachNamed reads records that end with a zero byte: "<commit>", then for each path ":<mode> <mode> <id> <id> <status>" and
// "<path>". The last commit is not visited but given back: it may not be whole. Stopped tells that visit ended it.
func eachNamed(from io.Reader, visit func(string, []string) bool) (last named, stopped bool, err error) {
	records := bufio.NewScanner(from)
	records.Buffer(make([]byte, 64<<10), longestRecord)
	records.Split(toZero)
	for records.Scan() {
		record := records.Text()
		if !strings.HasPrefix(record, ":") {
			if record = strings.TrimSpace(record); !isHash(record) {
				return named{}, false, fmt.Errorf("unexpected answer %.80q of git diff-tree", record)
			}
			if last.hash != "" && !last.tell(visit) {
				return named{}, true, nil
			}
			last = named{hash: record}
			continue
		}
		if !records.Scan() {
			break
		}
		if name := records.Text(); content(strings.Fields(record[1:])) && ValidName(name) {
			last.paths = append(last.paths, name)
		}
	}
	return last, false, records.Err()
}

// named is a commit and the paths that it changes.
type named struct {
	hash  string
	paths []string
}

func (n named) tell(visit func(string, []string) bool) bool {
	slices.Sort(n.paths)
	return visit(n.hash, n.paths)
}

// content tells whether the two sides of a record differ in more than permissions.
func content(words []string) bool {
	return len(words) != 5 || words[2] != words[3] || kindOf(words[0]) != kindOf(words[1])
}

// toZero splits at zero bytes.
func toZero(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
