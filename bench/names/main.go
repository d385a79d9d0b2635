// Command names lists the first-parent commits of a repository with their changed paths, as syncproof does before it looks at
// what they change, and prints how many commits and paths there are. names.sh compares it with git itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"

	"github.com/syncproof/syncproof/internal/source"
)

func main() {
	rev := flag.String("rev", "HEAD", "begin at this `revision`")
	each := flag.Bool("each", false, "ask for each commit by itself instead of in one pass")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: names [-rev REVISION] [-each] REPOSITORY")
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), *rev, *each); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, rev string, each bool) error {
	repo, err := source.Open(ctx, dir, source.Options{})
	if err != nil {
		return err
	}
	defer repo.Close()
	tip, err := repo.Resolve(ctx, rev)
	if err != nil {
		return err
	}
	commits, paths := 0, 0
	if !each {
		err = repo.Names(ctx, tip, math.MaxInt32, func(_ string, p []string) bool {
			commits++
			paths += len(p)
			return true
		})
	} else if commits, paths, err = one(ctx, repo, tip); err != nil {
		return err
	}
	fmt.Println(commits, "commits", paths, "paths")
	return err
}

func one(ctx context.Context, repo *source.Repository, tip source.Commit) (commits, paths int, err error) {
	list, err := repo.FirstParents(ctx, tip, math.MaxInt32)
	if err != nil {
		return 0, 0, err
	}
	for i, c := range list {
		var parent source.Commit
		if i+1 < len(list) {
			parent = list[i+1]
		}
		p, err := repo.Changed(ctx, parent, c)
		if err != nil {
			return 0, 0, err
		}
		paths += len(p)
	}
	return len(list), paths, nil
}
