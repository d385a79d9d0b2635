package source

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/source/git"
)

// WriterOptions says what kind of repository [Create] makes.
type WriterOptions struct {
	Bare          bool
	DefaultBranch string // "main" if empty
	Remote        string // URL of the remote "origin"; no remote if empty. Nothing is ever fetched or pushed
}

// Person is an author, committer or tagger.
type Person struct{ Name, Mail string }

// Change is one commit to be written: what it changes against its first parent, who made it and when. Parents
// are named by id or by branch.
type Change struct {
	Branch  string   // short name; the default branch if empty
	From    string   // the first parent; if empty the tip of Branch, and a branch without a tip starts afresh
	Merge   []string // further parents; their content is not merged, it is for Files to say
	Author  Person
	By      Person    // the committer; the author if empty
	When    time.Time // to the second, with its zone
	Message string    // ends in exactly one line feed as stored, whatever stands here

	// Renames go first (old path to new path, files or directories), then what follows, by path. A path may stand in
	// one of the maps only.
	Renames    map[string]string
	Files      map[string][]byte // content by slash path; nil deletes the file or directory, an empty file is []byte{}
	Executable []string          // those of Files that get the executable bit
	Links      map[string]string // symbolic links: path to target
	Submodules map[string]string // gitlinks: path to commit id
}

// Writer writes a small repository through one process of git fast-import. The same calls give the same commit ids on
// every machine: the object format is SHA-1, no configuration of user or system is read, no template is copied, no hook
// is run and nothing is signed.
//
// It is not for concurrent use. After an error every further call returns that error.
type Writer struct {
	bin   string // of git
	dir   string
	opts  WriterOptions
	cmd   *writerCommand // fast-import
	in    io.WriteCloser
	to    *bufio.Writer // in front of in
	from  *bufio.Reader
	last  int            // mark given out last
	marks map[string]int // by id and by branch: fast-import knows its own commits by mark only
	born  bool           // the default branch has a commit
	ended bool           // nobody need wait for the process any more
	err   error
}

// Create makes a repository in dir, which may exist if it is empty, and starts to write into it. The process lives until
// Finish or Close; the end of ctx ends it too. Errors carry what git wrote to its standard error.
func Create(ctx context.Context, dir string, o WriterOptions) (*Writer, error) {
	if o.DefaultBranch == "" {
		o.DefaultBranch = "main"
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("create repository: %w", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("create repository: %s is not empty", dir)
	}
	bin, err := git.Find("")
	if err != nil {
		return nil, fmt.Errorf("create repository: %w", err)
	}
	w := &Writer{bin: bin, dir: dir, opts: o, marks: map[string]int{}}
	if err := w.initialise(ctx); err != nil {
		return nil, fmt.Errorf("create repository %s: %w", dir, err)
	}
	if err := w.start(ctx); err != nil {
		return nil, fmt.Errorf("create repository %s: %w", dir, err)
	}
	return w, nil
}

func (w *Writer) initialise(ctx context.Context) error {
	args := []string{"init", "--quiet", "--template=", "--object-format=sha1", "--initial-branch=" + w.opts.DefaultBranch}
	if w.opts.Bare {
		args = append(args, "--bare")
	}
	if err := newWriterCommand(ctx, w.bin, append(args, "--", w.dir)...).run(); err != nil {
		return err
	}
	if w.opts.Remote == "" {
		return nil
	}
	return w.git(ctx, "remote", "add", "--", "origin", w.opts.Remote).run()
}

func (w *Writer) start(ctx context.Context) error {
	w.cmd = w.git(ctx, "fast-import", "--quiet", "--done", "--date-format=raw")
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.in, w.to, w.from = in, bufio.NewWriter(in), bufio.NewReader(out)
	return w.cmd.Start()
}

// Commit writes one commit and returns its id.
func (w *Writer) Commit(c Change) (string, error) {
	if w.err != nil {
		return "", w.err
	}
	if c.Branch == "" {
		c.Branch = w.opts.DefaultBranch
	}
	if err := c.check(); err != nil {
		return "", w.fail(fmt.Errorf("commit on %s: %w", c.Branch, err))
	}
	w.last++
	c.From = w.named(c.From)
	c.Merge = slices.Clone(c.Merge)
	for i, id := range c.Merge {
		c.Merge[i] = w.named(id)
	}
	c.encode(w.to, w.last)
	fmt.Fprintf(w.to, "get-mark :%d\n", w.last)
	if err := w.to.Flush(); err != nil {
		return "", w.died(err)
	}
	line, err := w.from.ReadString('\n')
	if err != nil {
		return "", w.died(err)
	}
	id := strings.TrimSpace(line)
	w.marks[id], w.marks[c.Branch] = w.last, w.last
	w.born = w.born || c.Branch == w.opts.DefaultBranch
	return id, nil
}

// named gives the name that fast-import knows a commit by.
func (w *Writer) named(commit string) string {
	if mark, ok := w.marks[commit]; ok {
		return fmt.Sprintf(":%d", mark)
	}
	return commit
}

// Tag names a commit, given by id or by branch. With a message the tag is an annotated one, made by the given person at the given
// time; without one it is a plain name, and both are ignored.
func (w *Writer) Tag(name, at string, by Person, when time.Time, message string) error {
	if w.err != nil {
		return w.err
	}
	if err := errors.Join(checkWord("tag", name), checkWord("commit", at), by.check()); err != nil {
		return w.fail(fmt.Errorf("tag %s: %w", name, err))
	}
	if message == "" {
		fmt.Fprintf(w.to, "reset refs/tags/%s\nfrom %s\n\n", name, w.named(at))
	} else {
		fmt.Fprintf(w.to, "tag %s\nfrom %s\ntagger %s\n", name, w.named(at), signature(by, when))
		writeData(w.to, []byte(endLine(message)))
	}
	if err := w.to.Flush(); err != nil {
		return w.died(err)
	}
	return nil
}

// Finish writes out everything and, unless the repository is bare, checks out the default branch if it has a commit.
func (w *Writer) Finish(ctx context.Context) error {
	if w.err != nil || ctx.Err() != nil {
		return cmp.Or(w.err, ctx.Err())
	}
	fmt.Fprint(w.to, "done\n")
	if err := w.to.Flush(); err != nil {
		return w.died(err)
	}
	w.in.Close()
	w.ended = true
	if err := w.cmd.Wait(); err != nil {
		return w.fail(w.cmd.explain(err))
	}
	w.err = errors.New("the repository is finished")
	if w.opts.Bare || !w.born {
		return nil
	}
	return w.git(ctx, "reset", "--quiet", "--hard").run()
}

// Close ends the process if Finish did not. It may be called more than once; what was written before is lost if Finish
// was not called.
func (w *Writer) Close() {
	if w.ended {
		return
	}
	w.ended = true
	w.in.Close() // without "done" fast-import gives up by itself
	_ = w.cmd.Wait()
	if w.err == nil {
		w.err = errors.New("the writer is closed")
	}
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return err
}

// died is for a process that went away: its own words say more than the broken pipe.
func (w *Writer) died(cause error) error {
	w.in.Close()
	w.ended = true
	if err := w.cmd.Wait(); err != nil {
		cause = err
	}
	return w.fail(w.cmd.explain(cause))
}

// check refuses what would be another command in the stream, and what no tree can hold. Names of branches are left to git.
func (c Change) check() error {
	errs := []error{checkWord("branch", c.Branch), c.Author.check(), c.By.check()}
	for _, id := range slices.Concat([]string{c.From}, c.Merge) {
		if id != "" {
			errs = append(errs, checkWord("commit", id))
		}
	}
	seen := map[string]bool{}
	paths := slices.Concat(byPath(c.Files), byPath(c.Links), byPath(c.Submodules))
	for _, p := range paths {
		if seen[p] {
			errs = append(errs, fmt.Errorf("path %q stands twice", p))
		}
		seen[p] = true
	}
	for _, from := range byPath(c.Renames) {
		paths = append(paths, from, c.Renames[from])
	}
	for _, p := range paths {
		if p == "" || p == "." || path.IsAbs(p) || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") ||
			strings.ContainsRune(p, 0) {
			errs = append(errs, fmt.Errorf("path %q is none of a tree", p))
		}
	}
	for _, p := range c.Executable {
		if c.Files[p] == nil {
			errs = append(errs, fmt.Errorf("executable %q is none of the files", p))
		}
	}
	return errors.Join(errs...)
}

func (p Person) check() error {
	if strings.ContainsAny(p.Name+p.Mail, "<>\n\x00") {
		return fmt.Errorf("person %q <%q> holds a character that no identity can", p.Name, p.Mail)
	}
	return nil
}

func checkWord(what, s string) error {
	if s == "" || strings.ContainsAny(s, " \n\x00") {
		return fmt.Errorf("%s %q is empty or holds a blank", what, s)
	}
	return nil
}

// encode writes the commit in the language of fast-import: renames, deletions, then content, each by path, since a file
// may take the place of a directory that goes.
func (c Change) encode(to *bufio.Writer, mark int) {
	who, by := signature(c.Author, c.When), signature(cmp.Or(c.By, c.Author), c.When)
	fmt.Fprintf(to, "commit refs/heads/%s\nmark :%d\nauthor %s\ncommitter %s\n", c.Branch, mark, who, by)
	writeData(to, []byte(endLine(c.Message)))
	if c.From != "" {
		fmt.Fprintf(to, "from %s\n", c.From)
	}
	for _, id := range c.Merge {
		fmt.Fprintf(to, "merge %s\n", id)
	}
	for _, from := range byPath(c.Renames) {
		fmt.Fprintf(to, "R %s %s\n", quotePath(from), quotePath(c.Renames[from]))
	}
	for _, p := range byPath(c.Files) {
		if c.Files[p] == nil {
			fmt.Fprintf(to, "D %s\n", quotePath(p))
		}
	}
	for _, p := range byPath(c.Files) {
		if content := c.Files[p]; content != nil {
			mode := "100644"
			if slices.Contains(c.Executable, p) {
				mode = "100755"
			}
			fmt.Fprintf(to, "M %s inline %s\n", mode, quotePath(p))
			writeData(to, content)
		}
	}
	for _, p := range byPath(c.Links) {
		fmt.Fprintf(to, "M 120000 inline %s\n", quotePath(p))
		writeData(to, []byte(c.Links[p]))
	}
	for _, p := range byPath(c.Submodules) {
		fmt.Fprintf(to, "M 160000 %s %s\n", c.Submodules[p], quotePath(p))
	}
	fmt.Fprint(to, "\n")
}

func writeData(to *bufio.Writer, content []byte) {
	fmt.Fprintf(to, "data %d\n", len(content))
	to.Write(content)
	to.WriteByte('\n')
}

func signature(p Person, when time.Time) string {
	return fmt.Sprintf("%s <%s> %d %s", p.Name, p.Mail, when.Unix(), when.Format("-0700"))
}

func endLine(message string) string { return strings.TrimRight(message, "\n") + "\n" }

// quotePath writes a path as fast-import reads it: between quotes, with every byte that could end it escaped.
func quotePath(p string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		switch c := p[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// byPath gives the paths of a map in the order in which they are written.
func byPath[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// git is a git command in the repository.
func (w *Writer) git(ctx context.Context, args ...string) *writerCommand {
	cmd := newWriterCommand(ctx, w.bin, args...)
	cmd.Dir = w.dir
	cmd.Env = append(cmd.Env, "GIT_DIR="+map[bool]string{true: ".", false: ".git"}[w.opts.Bare])
	return cmd
}
