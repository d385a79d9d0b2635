package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// SourceText is "path@revision" for each source of a unit, with " of URL" behind those that lie elsewhere: "app@main + config@main".
// What only lends its files goes by its ref: "$values@main".
func (s *Snapshot) SourceText(u unit.Unit) string {
	var out []string
	for _, src := range u.Sources {
		text := cmp.Or(src.Chart, src.Path)
		if src.Lends() {
			text = "$" + src.Ref
		}
		if src.TargetRevision != "" {
			text += "@" + src.TargetRevision
		}
		if src.RepoURL != "" && !s.ours(src) {
			text += " of " + src.RepoURL
		}
		out = append(out, text)
	}
	return strings.Join(out, " + ")
}

// Takes tells whether a file of the analysed repository belongs to a source of a unit that follows this branch: it is below
// its path, or one of the files that the unit names.
func (s *Snapshot) Takes(u unit.Unit, file string) bool {
	if slices.ContainsFunc(u.Sources, func(src unit.Source) bool { return s.Follows(src) && src.Holds(file) }) {
		return true
	}
	return slices.ContainsFunc(u.Files(), func(f unit.File) bool { return f.Path == file && s.Follows(u.Sources[f.Source]) })
}

// Follows tells whether a source moves with the commits of the analysed branch.
func (s *Snapshot) Follows(src unit.Source) bool {
	rev := src.TargetRevision
	return (src.RepoURL == "" || s.ours(src)) && (rev == "" || rev == "HEAD" || slices.Contains(s.Branches, rev))
}

func (s *Snapshot) ours(src unit.Source) bool {
	return slices.Contains(s.URLs, source.NormalizeURL(src.RepoURL))
}
