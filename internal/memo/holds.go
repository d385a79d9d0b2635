package memo

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
)

// holds tells whether a tree answers everything as the recorded one did. Of a commit no content is read whose digest is
// known.
func holds(x source.Trace, t source.Tree) bool {
	again := source.Record(t)
	for _, l := range x.Links {
		_, _ = fs.ReadLink(again, l.Path)
	}
	if !slices.Equal(again.Trace().Links, x.Links) {
		return false
	}
	for _, f := range x.Files {
		_, _ = again.Digest(f.Path)
	}
	if !slices.Equal(again.Trace().Files, x.Files) {
		return false
	}
	for _, s := range x.Stats {
		_, _ = again.Stat(s.Path)
	}
	for _, l := range x.Lists {
		_, _ = again.ReadDir(l.Path)
	}
	for _, name := range x.Missing {
		_, _ = again.Stat(name)
	}
	// A link that was none before shows here too. It would show in real paths and in descriptions of links.
	now := again.Trace()
	return slices.Equal(now.Stats, x.Stats) && slices.Equal(now.Lists, x.Lists) && slices.Equal(now.Links, x.Links) &&
		slices.Equal(now.Missing, x.Missing) && lasting(x)
}

// lasting tells whether the same tree would give the same answers later.
func lasting(x source.Trace) bool {
	return !slices.ContainsFunc(slices.Concat(x.Files, x.Lists, x.Stats, x.Links), func(s source.Seen) bool {
		return s.Digest == source.Unstable
	})
}

// touched tells whether one of these differences can change an answer. If none can, the trace holds after them if it held
// before. It errs on the side of true: names that lead through links are not followed here.
func touched(x source.Trace, differences []source.Difference) bool {
	if len(x.Links) > 0 {
		return len(differences) > 0
	}
	return slices.ContainsFunc(differences, func(d source.Difference) bool { return touchedBy(x, d) })
}

func touchedBy(x source.Trace, d source.Difference) bool {
	if d.Content {
		return has(x.Files, d.Path) || has(x.Stats, d.Path)
	}
	if has(x.Lists, path.Dir(d.Path)) || below(x.Missing, d.Path, strings.Compare) {
		return true
	}
	return slices.ContainsFunc([][]source.Seen{x.Files, x.Lists, x.Stats}, func(kind []source.Seen) bool {
		return below(kind, d.Path, byPath)
	})
}

func byPath(s source.Seen, name string) int { return strings.Compare(s.Path, name) }

func has(list []source.Seen, name string) bool {
	_, found := slices.BinarySearchFunc(list, name, byPath)
	return found
}

// below tells whether a sorted list has a name or one below it.
func below[E any](list []E, name string, compare func(E, string) int) bool {
	if _, found := slices.BinarySearchFunc(list, name, compare); found {
		return true
	}
	// What is below stands between these two: '0' follows '/'.
	from, _ := slices.BinarySearchFunc(list, name+"/", compare)
	to, _ := slices.BinarySearchFunc(list, name+"0", compare)
	return from < to
}
