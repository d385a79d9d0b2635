package git

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source/address"
)

type remote struct{ name, url string }

// Remotes gives the URLs of the clone's remotes as [address.Normalize] writes them, sorted and without repetition.
func (r *Repository) Remotes(ctx context.Context) ([]string, error) {
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, one := range remotes {
		urls = append(urls, address.Normalize(one.url))
	}
	slices.Sort(urls)
	return slices.Compact(urls), nil
}

// remotes gives names and URLs as configured; url.*.insteadOf is not applied, since it says how to get there from here.
func (r *Repository) remotes(ctx context.Context) ([]remote, error) {
	answer, err := r.runner.run(ctx, "config", "--null", "--get-regexp", `^remote\..+\.url$`)
	if exitCode(err) == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read remotes: %w", err)
	}
	var all []remote
	for record := range strings.SplitSeq(string(answer), "\x00") {
		key, value, ok := strings.Cut(record, "\n")
		if !ok || value == "" {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url")
		all = append(all, remote{name, value})
	}
	return all, nil
}
