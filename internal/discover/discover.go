// Package discover finds the delivery units of a repository: where reading starts, which Applications the roots yield,
// and what each of them delivers.
//
// In goes a tree and the configuration, out come units with their objects, each in its cluster and namespace, the roots
// that were taken, what was assumed on the way, and gaps. Finding units needs rendering, since Applications render
// Applications: the two run to a fixpoint. It refuses to judge what it finds, and to read anything but trees.
package discover

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover/locate"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Input is what a run needs.
type Input struct {
	Tree     source.Tree // the analysed revision
	Revision string      // its full commit id; "" when the disk is read
	Refs     Refs        // resolves names of the analysed repository; nil when it is no Git repository
	Remotes  []string    // URLs that the clone itself calls its remotes
	Given    []Given     // other repositories on disk
	Config   config.Config
	Renderer render.Renderer // to replay many revisions, one that remembers: [render.Remember]
	Memo     *memo.Memo      // what was read at other revisions; nil: nothing
	Jobs     int             // renderings at once; at least 1
}

// Refs resolves names in one repository. [source.Repository] does.
type Refs = locate.Refs

// Given is another repository on disk and the URLs that mean it. With no Refs, URLs are further names of the analysed
// repository itself.
type Given = locate.Given

// Result is what was found. Slices are sorted.
type Result struct {
	Units    []Delivered
	Names    map[unit.ID]string // short names of the units
	Roots    []Root
	URLs     []string // repoURLs, normalised, that were taken as the analysed repository
	Branches []string // targetRevisions that were taken as the analysed revision
	// Assumptions are sentences about what Git could not tell.
	Assumptions []string
	Gaps        []diag.Gap
}

// Delivered is a unit and what it delivers. Rendered is false when a gap says why there are no objects.
type Delivered struct {
	unit.Unit
	Objects  []object.Object
	Rendered bool
}

// Root is a place where reading started.
type Root struct {
	Name       string
	Path       string
	Tool       unit.Tool
	Configured bool // named by the configuration, not guessed
}

// Run finds the units of a repository. Errors are failures of ours or a cancelled context; everything about the
// repository is a gap.
func Run(ctx context.Context, in Input) (Result, error) {
	d := &discovery{
		in:      in,
		reading: newReading(cmp.Or(in.Memo, memo.New(memo.Options{}))),
		render:  newRenderings(in.Renderer),
		find: locate.New(locate.Input{
			Tree: in.Tree, Revision: in.Revision, Refs: in.Refs, Remotes: in.Remotes, Given: in.Given,
		}),
		missed: map[string]bool{},
	}
	roots, err := d.roots(ctx)
	if err != nil {
		return Result{}, err
	}
	var all []expansion
	for _, r := range roots {
		e, err := d.expand(ctx, r)
		if err != nil {
			return Result{}, err
		}
		all = append(all, e)
	}
	return d.result(roots, all), nil
}

// discovery is the state of one run.
type discovery struct {
	in          Input
	reading     reading
	render      *renderings
	find        *locate.Finder
	assumptions []string
	gaps        []diag.Gap      // those that belong to no unit
	missed      map[string]bool // names that have a gap because they cannot be read
}

// result puts the expansions of all roots together: clusters and namespaces, short names, order.
func (d *discovery) result(roots []root, all []expansion) Result {
	res := Result{Assumptions: d.assumptions, Gaps: d.gaps}
	var gaps []unitGap
	for _, e := range all {
		res.Units = append(res.Units, e.units...)
		gaps = append(gaps, e.gaps...)
		for _, sentence := range e.notes {
			if !slices.Contains(res.Assumptions, sentence) {
				res.Assumptions = append(res.Assumptions, sentence)
			}
		}
	}
	slices.SortFunc(res.Units, func(a, b Delivered) int { return a.ID.Compare(b.ID) })
	place(res.Units)
	res.Gaps = append(res.Gaps, flux(res.Units)...)
	ids := make([]unit.ID, len(res.Units))
	for i, u := range res.Units {
		ids[i] = u.ID
	}
	res.Names = unit.ShortNames(ids)
	for _, g := range gaps {
		g.gap.Unit = res.Names[g.unit]
		res.Gaps = append(res.Gaps, g.gap)
	}
	res.Gaps = diag.SortGaps(res.Gaps)
	for _, r := range roots {
		res.Roots = append(res.Roots, Root{Name: r.name, Path: r.path(), Tool: r.tool, Configured: r.configured})
	}
	slices.SortFunc(res.Roots, func(a, b Root) int { return strings.Compare(a.Name, b.Name) })
	res.URLs = d.find.URLs()
	res.Branches = d.find.Branches()
	return res
}

// settle decides which URLs mean the analysed repository, by the sources that candidates yield.
func (d *discovery) settle(sources []unit.Source) { d.assume(d.find.Settle(sources)) }

// assume notes something that Git did not say.
func (d *discovery) assume(sentence string) {
	if sentence != "" {
		d.assumptions = append(d.assumptions, sentence)
	}
}
