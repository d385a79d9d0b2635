package locate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Settle decides which URLs mean the analysed repository: those of the configuration and of the clone's remotes. When they
// tell for none of the sources that the candidates yield, it is the URL that most of them use, provided that most of the
// paths they name exist here: a mirror, a fork or an unpacked archive is analysed at once. What had to be assumed is
// returned, as a sentence, or "".
func (f *Finder) Settle(sources []unit.Source) string {
	f.home = map[string]bool{}
	for _, u := range f.in.Remotes {
		f.home[source.NormalizeURL(u)] = true
	}
	for _, g := range f.in.Given {
		if g.Refs != nil {
			continue
		}
		for _, u := range g.URLs {
			f.home[source.NormalizeURL(u)] = true
		}
	}
	delete(f.home, "")
	votes := map[string]int{} // paths that exist here less those that do not
	spelled := map[string]string{}
	for _, s := range sources {
		if s.Chart != "" || s.RepoURL == "" {
			continue
		}
		url := source.NormalizeURL(s.RepoURL)
		if f.home[url] {
			return ""
		}
		if s.Lends() { // the top of a repository, which is everywhere
			continue
		}
		if _, err := f.in.Tree.Stat(Clean(s.Path)); err == nil {
			votes[url]++
		} else {
			votes[url]--
		}
		spelled[url] = cmp.Or(spelled[url], s.RepoURL)
	}
	best := ""
	for _, url := range slices.Sorted(maps.Keys(votes)) {
		if !f.given(url) && votes[url] > 0 && (best == "" || votes[url] > votes[best]) {
			best = url
		}
	}
	if best == "" {
		return ""
	}
	f.home[best] = true
	return fmt.Sprintf("%s is taken to be this repository: no Application uses a remote of this clone, and the paths of this one exist here",
		spelled[best])
}

func (f *Finder) given(url string) bool {
	for _, g := range f.in.Given {
		for _, u := range g.URLs {
			if source.NormalizeURL(u) == url {
				return true
			}
		}
	}
	return false
}
