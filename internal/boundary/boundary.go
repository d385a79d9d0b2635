// Package boundary tells whose files one end of a pair is written in: who reviews them, who wrote them in the last year, and
// what writes them besides people. So it says on which side of the boundary between teams a fix would lie.
//
// In go the paths of a side, the tree that they lie in, and other repositories whose workflows may write there; out come plain
// values and one sentence. It refuses to judge, to name a person unless it is asked to, and to quote what it reads.
package boundary

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/writers"
)

// Repository is another repository whose workflows may write into the analysed one.
type Repository struct {
	Name string // as people know it: a directory, or a URL
	Tree source.Tree
}

// Input is what is looked into.
type Input struct {
	Tip     source.Commit
	Tree    source.Tree     // of Tip
	Log     owners.Log      // nil: who committed is not known
	Remotes []string        // of the clone
	Others  []Repository    // a tree that is there twice counts once
	Objects []object.Object // rendered ones: what changes images by itself is among them
	// Ours tells by its normalised URL whether a repository is the analysed one.
	Ours func(url string) bool
	// Names: persons are named. Otherwise they are counted, and teams and programs named.
	Names bool
}

// Boundary answers for one revision.
type Boundary struct {
	in       Input
	rules    *owners.Rules
	same     owners.Mailmap
	updaters []writers.Updater
}

// New reads what is the same for all sides.
func New(in Input) *Boundary {
	rules, _ := owners.Load(in.Tree, in.Remotes)
	return &Boundary{in: in, rules: rules, same: owners.LoadMailmap(in.Tree), updaters: writers.Updaters(in.Objects)}
}

// Side is one end of a pair.
type Side struct {
	End   string   // "consumer", "provider"
	Unit  string   // short names of the units that deliver it
	Apps  []string // their Applications, "namespace/name"
	Paths []string // that releases change, the most often changed first
}

// MostPaths is how many paths of one side are told.
const MostPaths = 3

// Of tells of one side. Errors are failures of ours or a cancelled context.
func (b *Boundary) Of(ctx context.Context, s Side) (diag.Side, error) {
	// What releases changed once may have gone since.
	if there := slices.DeleteFunc(slices.Clone(s.Paths), func(p string) bool { _, err := b.in.Tree.Stat(p); return err != nil }); len(there) > 0 {
		s.Paths = there
	}
	out := diag.Side{End: s.End, Unit: s.Unit, Paths: s.Paths[:min(len(s.Paths), MostPaths)], Automation: b.automation(s)}
	for _, group := range b.rules.Sides(s.Paths) {
		out.Owners = append(out.Owners, diag.Owned{By: owners.Text(group.Owners, b.in.Names), Paths: group.Paths})
	}
	out.Owner = owned(out.Owners)
	authors, err := b.authors(ctx, s.Paths)
	if err != nil {
		return diag.Side{}, err
	}
	if authors != "" {
		out.Writers = []string{authors}
	}
	out.Whose = b.sentence(out)
	return out, nil
}

// owned says who owns what: "@a", or "@a (x, y) and @b (z)" where not all have the same owners; "" if nobody is named.
func owned(groups []diag.Owned) string {
	var parts []string
	for _, g := range groups {
		switch {
		case g.By == "" && len(groups) == 1:
			return ""
		case len(groups) == 1:
			return g.By
		case g.By == "":
			parts = append(parts, "nobody ("+few(g.Paths)+")")
		default:
			parts = append(parts, g.By+" ("+few(g.Paths)+")")
		}
	}
	return enumerate(parts)
}

// authors are who committed to paths in the last year, and how that came in, in words.
func (b *Boundary) authors(ctx context.Context, paths []string) (string, error) {
	if b.in.Log == nil {
		return "", nil
	}
	commits, _, err := owners.Touching(ctx, b.in.Log, owners.LastYear(b.in.Tip, paths, 1000))
	if err != nil {
		return "", err
	}
	text := owners.Tally(commits, b.same, b.in.Names).Text()
	if how := owners.BroughtBy(commits, b.same).Text(); text != "" && how != "" {
		text += ", " + how
	}
	return text, nil
}

// sentence says whose a change of this side would be; "" if nothing can be said.
func (b *Boundary) sentence(s diag.Side) string {
	var parts []string
	switch {
	case s.Owner != "":
		parts = append(parts, fmt.Sprintf("a change of the %s's side is for %s to review", s.End, s.Owner))
	case len(s.Writers) > 0:
		parts = append(parts, fmt.Sprintf("nobody is named to review a change of the %s's side: those who wrote it are to ask", s.End))
	}
	return strings.Join(append(parts, clauses(s.Automation)...), "; ")
}

func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// few are some of the paths.
func few(paths []string) string {
	text := strings.Join(paths[:min(len(paths), MostPaths)], ", ")
	if more := len(paths) - MostPaths; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Below are the paths below some directories or equal to them, those that change most often first. changed counts their changes.
func Below(changed map[string]int, dirs []string) []string {
	var out []string
	for p := range changed {
		if slices.ContainsFunc(dirs, func(dir string) bool {
			dir = path.Clean(dir)
			return dir == "." || p == dir || strings.HasPrefix(p, dir+"/")
		}) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(changed[b], changed[a]), strings.Compare(a, b)) })
	return out
}
