// Command pairhistory compares each two neighbouring tags of a repository, as syncproof pair does, and prints a line for
// each: the orders, how many routes are affected, and what the comparison took in this process, the first time and at best:
// time on the clock, and time of processors, which other load on the machine does not lengthen. What the tags hold is
// compiled before.
//
// The protos of a tag come from -path, imports from -I PREFIX=DIR and from the Go modules of -modules, in the versions that
// the tag's go.mod names: go mod download has to have been run for them. -self are prefixes by which the repository's files
// import each other.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/source"
)

func main() {
	var h history
	flag.StringVar(&h.repository, "repo", ".", "the repository")
	flag.StringVar(&h.path, "path", ".", "where its protos are")
	flag.Func("self", "a prefix by which its files import each other", appendTo(&h.self))
	flag.Func("I", "where imports are, as PREFIX=DIR", appendTo(&h.imports))
	flag.Func("modules", "a Go module that holds imports, in the version of the tag's go.mod", appendTo(&h.modules))
	flag.StringVar(&h.cache, "modcache", "", "the module cache: go env GOMODCACHE")
	flag.Parse()
	if err := h.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pairhistory:", err)
		os.Exit(1)
	}
}

func appendTo(list *[]string) func(string) error {
	return func(s string) error {
		*list = append(*list, s)
		return nil
	}
}

// history says where the releases are.
type history struct {
	repository, path, cache string
	self, imports, modules  []string
}

func (h history) run(ctx context.Context, tags []string) error {
	r, err := source.Open(ctx, h.repository, source.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	var old *descriptor.Set
	var clock, cpu []time.Duration
	for i, tag := range tags {
		set, err := h.compile(ctx, r, tag)
		if err != nil {
			return fmt.Errorf("%s: %w", tag, err)
		}
		if i > 0 {
			t := compare(tags[i-1], tag, old, set)
			clock, cpu = append(clock, t.clock), append(cpu, t.cpu)
		}
		old = set
	}
	for name, times := range map[string][]time.Duration{"on the clock": clock, "of processors": cpu} {
		slices.Sort(times)
		if n := len(times); n > 0 {
			fmt.Printf("%d pairs, at best %s: median %s, nine of ten %s, most %s\n", n, name, ms(times[n/2]), ms(times[n*9/10]), ms(times[n-1]))
		}
	}
	return nil
}

// spent is what a comparison took.
type spent struct{ clock, cpu time.Duration }

// cpu is what this process has used so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const runs = 5

func compare(from, to string, old, new *descriptor.Set) spent {
	var first, best spent
	var result pair.Result
	for i := range runs {
		start, used := time.Now(), cpu()
		result = pair.Compare(old, new, pair.Options{})
		t := spent{time.Since(start), cpu() - used}
		if i == 0 {
			first, best = t, t
		}
		best = spent{min(best.clock, t.clock), min(best.cpu, t.cpu)}
	}
	affected, methods := 0, 0
	for _, r := range result.Routes {
		if len(r.Fields) > 0 {
			affected++
		}
	}
	for _, s := range new.Services {
		methods += len(s.Methods)
	}
	fmt.Printf("%-10s %-10s %3d methods %3d of %3d routes  %-16s %-16s %-16s restart %-5t first %s (%s) best %s (%s)\n", from, to, methods, affected, len(result.Routes),
		result.SafeOrder, result.SafeOrderIfUnused, result.PreferredOrder, result.Restart, ms(first.clock), ms(first.cpu), ms(best.clock), ms(best.cpu))
	return best
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// compile gives the protos of a tag.
func (h history) compile(ctx context.Context, r *source.Repository, tag string) (*descriptor.Set, error) {
	commit, err := r.Resolve(ctx, tag)
	if err != nil {
		return nil, err
	}
	tree, err := r.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	imports, err := h.importsOf(tree)
	if err != nil {
		return nil, err
	}
	var files []string
	err = fs.WalkDir(tree, h.path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".proto") {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	self := h.selfName(tree, files)
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = path.Join(self, f)
		if self == "" {
			names[i] = strings.TrimPrefix(f, h.path+"/")
		}
	}
	raw, err := descriptor.Compile(ctx, names, func(name string) ([]byte, error) {
		if own, ok := strings.CutPrefix(name, self+"/"); ok && self != "" {
			return tree.ReadFile(own)
		}
		if text, err := tree.ReadFile(path.Join(h.path, name)); err == nil {
			return text, nil
		}
		for prefix, dir := range imports {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(rest))); err == nil {
					return text, nil
				}
			}
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		return nil, err
	}
	return descriptor.Decode(raw)
}

// selfName is the prefix that the files use of those that -self names.
func (h history) selfName(tree source.Tree, files []string) string {
	for _, prefix := range h.self {
		for _, f := range files {
			if text, err := tree.ReadFile(f); err == nil && strings.Contains(string(text), `import "`+prefix+`/`) {
				return prefix
			}
		}
	}
	return ""
}

// importsOf gives directories by the prefix of what they hold.
func (h history) importsOf(tree source.Tree) (map[string]string, error) {
	out := map[string]string{}
	for _, flag := range h.imports {
		prefix, dir, ok := strings.Cut(flag, "=")
		if !ok {
			return nil, fmt.Errorf("-I %s: PREFIX=DIR expected", flag)
		}
		if prefix != "" {
			prefix += "/"
		}
		out[prefix] = dir
	}
	if len(h.modules) == 0 {
		return out, nil
	}
	mod, err := tree.ReadFile("go.mod")
	if err != nil {
		return nil, err
	}
	for _, m := range h.modules {
		line := regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + regexp.QuoteMeta(m) + ` (?:=> \S+ )?(v\S+)`)
		found := line.FindAllStringSubmatch(string(mod), -1)
		if len(found) == 0 {
			return nil, fmt.Errorf("go.mod does not name %s", m)
		}
		version := found[len(found)-1][1] // a replacement stands last
		dir := filepath.Join(h.cache, filepath.FromSlash(m)+"@"+version)
		out[m+"/"] = dir
	}
	return out, nil
}
