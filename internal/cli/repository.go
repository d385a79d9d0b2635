package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
)

// reading holds the flags of every command that reads a repository.
type reading struct {
	config   string
	repos    []string
	rev      string
	worktree bool
	jobs     int
	strict   bool
	quiet    bool
	output   string
}

func (f *reading) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "configuration `FILE` (default: "+config.FileName+" at the top of the repository)")
	flags.StringArrayVar(&f.repos, "repo", nil, "another repository that sources point to, as `URL=DIR`; repeatable")
	flags.StringVar(&f.rev, "rev", "", "revision to read (default HEAD)")
	flags.BoolVar(&f.worktree, "worktree", false, "read the files on disk instead of a commit")
	flags.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "renderings at once")
	flags.BoolVar(&f.strict, "strict", false, "exit 1 when there are gaps")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress on standard error")
	flags.StringVar(&f.output, "output", "", "write to `FILE` instead of standard output")
}

func (f *reading) check() error {
	if f.worktree && f.rev != "" {
		return usagef("--worktree and --rev exclude each other")
	}
	if f.jobs < 1 || f.jobs > 256 {
		return usagef("--jobs must be from 1 to 256")
	}
	return nil
}

// opened is a repository ready to be analysed, and what to close afterwards.
type opened struct {
	input pipeline.Input
	repo  *source.Repository // nil for a directory without Git
	pool  *render.Pool
	ends  []func()
}

// Close ends what was started, the last first.
func (o *opened) Close() {
	for _, end := range slices.Backward(o.ends) {
		end()
	}
}

// open reads flags and arguments into the input of the pipeline. Errors about what the user named are usage errors.
func (f *reading) open(ctx context.Context, args []string) (_ *opened, err error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	o := &opened{}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	repo, err := source.Open(ctx, dir, source.Options{})
	switch {
	case errors.Is(err, source.ErrNotRepository):
		return o, f.openDirectory(ctx, o, dir)
	case err != nil:
		return nil, unreadable(dir, err)
	}
	o.ends = append(o.ends, repo.Close)
	return o, f.openRepository(ctx, o, repo)
}

// unreadable tells a path that the user named wrongly from a failure of ours.
func unreadable(path string, err error) error {
	var named *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("%s does not exist", path)
	case errors.As(err, &named):
		return usagef("%s cannot be read: %w", path, named.Err)
	}
	return err
}

// openDirectory reads a directory that is no Git repository, such as an unpacked archive.
func (f *reading) openDirectory(ctx context.Context, o *opened, dir string) error {
	if f.rev != "" {
		return usagef("%s is no Git repository: it has no revision %q", dir, f.rev)
	}
	top, err := source.OpenDir(ctx, dir, source.Options{})
	if err != nil {
		return unreadable(dir, err)
	}
	conf, err := f.configuration(top)
	if err != nil {
		return err
	}
	tree, err := source.OpenDir(ctx, dir, source.Options{FileSize: conf.Limits.FileSize})
	if err != nil {
		return unreadable(dir, err)
	}
	in := discover.Input{Tree: tree, Config: conf}
	if err := f.rootsExist(in); err != nil {
		return err
	}
	o.input = pipeline.Input{Worktree: true}
	return f.finish(ctx, o, in, dir)
}

func (f *reading) openRepository(ctx context.Context, o *opened, repo *source.Repository) error {
	commit, err := f.commit(ctx, repo)
	if err != nil {
		return err
	}
	if f.worktree && repo.Bare() {
		return usagef("--worktree: a bare repository has none")
	}
	top, err := tree(ctx, repo, commit, !repo.Bare())
	if err != nil && !f.worktree && ctx.Err() == nil {
		top, err = tree(ctx, repo, commit, false) // a broken index is no reason not to read a commit
	}
	if err != nil {
		return err
	}
	in := discover.Input{}
	if in.Config, err = f.configuration(top); err != nil {
		return err
	}
	repo = repo.Limited(in.Config.Limits.FileSize)
	in.Refs = repo
	o.repo = repo
	if in.Tree, err = tree(ctx, repo, commit, f.worktree); err != nil {
		return err
	}
	if err := f.rootsExist(in); err != nil {
		return err
	}
	if in.Remotes, err = repo.Remotes(ctx); err != nil {
		return err
	}
	o.input.Commit, o.input.Worktree = commit, f.worktree
	if o.input.Shallow, err = repo.Shallow(ctx); err != nil {
		return err
	}
	if commit != nil && !f.worktree {
		in.Revision = commit.Hash
		if !repo.Bare() && f.rev == "" {
			dirty, err := repo.Dirty(ctx, *commit)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			o.input.Dirty = dirty || err != nil // what cannot be compared is not known to be equal
		}
	}
	return f.finish(ctx, o, in, repo.Top())
}

// rootsExist refuses a configuration whose roots are not there: a typo must not read as an empty repository. An older
// revision may lack a root that exists today; then it is a gap.
func (f *reading) rootsExist(in discover.Input) error {
	for _, r := range in.Config.Roots {
		if _, err := in.Tree.Stat(path.Clean(r.Source.Path)); errors.Is(err, fs.ErrNotExist) && f.rev == "" {
			return usagef("%s:%d: root path %s does not exist", in.Config.File, r.Line, r.Source.Path)
		}
	}
	return nil
}

// commit is the one to read; nil in a repository without any.
func (f *reading) commit(ctx context.Context, repo *source.Repository) (*source.Commit, error) {
	commit, err := repo.Head(ctx)
	if f.rev != "" {
		commit, err = repo.Resolve(ctx, f.rev)
	}
	switch {
	case errors.Is(err, source.ErrUnknownRevision):
		return nil, usagef("%q is no revision of this repository", f.rev)
	case errors.Is(err, source.ErrNoCommit):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &commit, nil
}

// tree is that of the disk or of a commit; an empty one if there is no commit.
func tree(ctx context.Context, repo *source.Repository, commit *source.Commit, disk bool) (source.Tree, error) {
	switch {
	case disk:
		return repo.WorkTree(ctx)
	case commit == nil:
		return source.Memory(nil), nil
	}
	return repo.Tree(ctx, *commit)
}

// configuration reads --config, or the file at the top of the repository as it lies on disk: it says how to look, so
// today's holds for every revision. A bare repository's is the one of the revision read.
func (f *reading) configuration(top source.Tree) (config.Config, error) {
	name := config.FileName
	var text []byte
	var err error
	if f.config != "" {
		name = f.config
		text, err = os.ReadFile(f.config)
	} else if text, err = top.ReadFile(name); errors.Is(err, fs.ErrNotExist) {
		return config.Default(), nil
	}
	if err != nil {
		return config.Config{}, usagef("configuration: %w", err)
	}
	conf, err := config.Parse(name, text)
	if err != nil {
		return config.Config{}, usageError{err}
	}
	if what := conf.BeyondCeiling(); what != "" && f.config == "" {
		return config.Config{}, usagef("%s: a repository cannot allow itself a %s; name a file of your own with --config", name, what)
	}
	return conf, nil
}

// given opens the other repositories: those of --repo may be any directory that holds one, those of the configuration
// must be Git repositories, since an analysed repository must not make us read arbitrary directories.
func (f *reading) given(ctx context.Context, o *opened, in *discover.Input, top string) error {
	for _, r := range in.Config.Repositories {
		g := discover.Given{URLs: r.URLs}
		if r.Dir != "." {
			dir := filepath.FromSlash(r.Dir)
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(top, dir)
			}
			refs, err := openGiven(ctx, o, in.Config, dir)
			if err != nil {
				return usagef("%s:%d: repository %s: %w", in.Config.File, r.Line, r.Dir, err)
			}
			g.Refs = refs
		}
		in.Given = append(in.Given, g)
	}
	return f.givenByFlag(ctx, o, in)
}

func (f *reading) givenByFlag(ctx context.Context, o *opened, in *discover.Input) error {
	for _, arg := range f.repos {
		i := strings.LastIndex(arg, "=") // a URL may hold the sign, too
		if i < 1 || i == len(arg)-1 {
			return usagef("--repo %q is not URL=DIR", arg)
		}
		url, dir := arg[:i], arg[i+1:]
		refs, err := openGiven(ctx, o, in.Config, dir)
		if err != nil {
			return usagef("--repo %s: %w", arg, err)
		}
		in.Given = append(in.Given, discover.Given{URLs: []string{url}, Refs: refs})
	}
	return nil
}

func openGiven(ctx context.Context, o *opened, conf config.Config, dir string) (*source.Repository, error) {
	repo, err := source.Open(ctx, dir, source.Options{FileSize: conf.Limits.FileSize})
	if err != nil {
		return nil, err
	}
	if !isTop(repo, dir) {
		repo.Close()
		return nil, fmt.Errorf("%s is no git repository, but lies in one", dir)
	}
	o.ends = append(o.ends, repo.Close)
	return repo, nil
}

// isTop tells whether a directory is the repository itself, and not a folder in it: an empty directory of a submodule must
// not stand for the repository around it.
func isTop(repo *source.Repository, dir string) bool {
	top, err := os.Stat(repo.Top())
	if err != nil {
		return false
	}
	for _, candidate := range []string{dir, filepath.Dir(filepath.Clean(dir))} {
		if info, err := os.Stat(candidate); err == nil && os.SameFile(top, info) && (candidate == dir || filepath.Base(dir) == ".git") {
			return true
		}
	}
	return false
}

// finish adds the other repositories and the renderer, which the configuration speaks of.
func (f *reading) finish(ctx context.Context, o *opened, in discover.Input, top string) error {
	if err := f.given(ctx, o, &in, top); err != nil {
		return err
	}
	pool, err := newPool(in.Config.Limits, f.jobs)
	if err != nil {
		return err
	}
	o.ends = append(o.ends, pool.Close)
	o.pool = pool
	in.Memo = memo.New(memo.Options{}) // of this pool alone: it has the key that seals secrets
	in.Renderer, in.Jobs = render.Remember(pool, in.Memo), f.jobs
	o.input.Discover = in
	return nil
}

// sink runs print with the place that output goes to.
func (f *reading) sink(stdout io.Writer, print func(io.Writer) error) (err error) {
	if f.output == "" {
		return print(stdout)
	}
	file, err := os.Create(f.output)
	if err != nil {
		return usagef("--output: %w", err)
	}
	defer func() {
		if e := file.Close(); err == nil && e != nil {
			err = fmt.Errorf("write %s: %w", f.output, e)
		}
	}()
	return print(file)
}
