package boundary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/writers"
)

// automation is what writes the paths of a side besides people: what surely does first.
func (b *Boundary) automation(s Side) []diag.Writing {
	out := b.pipelines(s.Paths)
	for _, u := range b.updaters {
		out = append(out, b.updates(u, s)...)
	}
	bots, _ := writers.Bots(b.in.Tree, s.Paths)
	for _, bot := range bots {
		out = append(out, diag.Writing{By: bot.By, At: bot.At, Path: bot.Path})
	}
	slices.SortStableFunc(out, func(x, y diag.Writing) int { return rank(x) - rank(y) })
	return out
}

func rank(w diag.Writing) int {
	if w.Sure {
		return 0
	}
	return 1
}

// pipelines are the workflows that commit and name a path, of this repository and of the others. Of one repository the surest
// mention of each path counts; where one is sure, what may be one is left out.
func (b *Boundary) pipelines(paths []string) []diag.Writing {
	seen := map[string]bool{}
	var out []diag.Writing
	for _, r := range append([]Repository{{Tree: b.in.Tree}}, b.in.Others...) {
		if id := source.Identity(r.Tree); id != "" {
			if seen[id] {
				continue
			}
			seen[id] = true
		}
		mentions, _ := writers.Workflows(r.Name, r.Tree, paths)
		out = append(out, surest(r.Name, mentions)...)
	}
	return out
}

func surest(repository string, mentions []writers.Mention) []diag.Writing {
	best := map[string]writers.Mention{}
	sure := false
	for _, m := range mentions {
		if !m.Commits { // it only reads, or is started by changes
			continue
		}
		if other, known := best[m.Path]; !known || weight(m) < weight(other) {
			best[m.Path] = m
		}
		sure = sure || isSure(m)
	}
	by := "the pipeline of this repository"
	if repository != "" {
		by = "the pipeline of " + repository
	}
	var out []diag.Writing
	for _, m := range best {
		if sure && !isSure(m) {
			continue
		}
		out = append(out, diag.Writing{By: by, At: m.At, Path: m.Path, Sure: isSure(m)})
	}
	slices.SortFunc(out, func(x, y diag.Writing) int { return cmp.Or(strings.Compare(x.Path, y.Path), x.At.Compare(y.At)) })
	return out
}

// isSure tells whether a mention names the very path.
func isSure(m writers.Mention) bool { return m.Naming <= writers.ByEnd && !m.Variable }

func weight(m writers.Mention) int {
	w := 2 * int(m.Naming)
	if m.Variable {
		w++
	}
	return w
}

// updates is what a controller in the cluster writes of a side.
func (b *Boundary) updates(u writers.Updater, s Side) []diag.Writing {
	if !u.Git {
		if slices.Contains(s.Apps, u.Unit) {
			return []diag.Writing{{By: u.By, At: u.At, Sure: true}}
		}
		return nil
	}
	var out []diag.Writing
	for _, p := range s.Paths {
		if writes, line := u.Writes(b.in.Tree, p, b.in.Ours); writes {
			out = append(out, diag.Writing{By: u.By, At: u.At, Path: p, Sure: u.Unknown == "" && (u.Below == "" || line > 0)})
		}
	}
	return out
}

// mostClauses is how many writers a sentence names.
const mostClauses = 3

// clauses say of each writer what would have to change with the path.
func clauses(list []diag.Writing) []string {
	var order []string
	paths := map[string][]diag.Writing{}
	for _, w := range list {
		key := fmt.Sprint(w.By, w.Sure, w.Path == "")
		if paths[key] == nil {
			order = append(order, key)
		}
		paths[key] = append(paths[key], w)
	}
	var out []string
	for i, key := range order {
		if i == mostClauses {
			out = append(out, fmt.Sprintf("and %d more", len(order)-mostClauses))
			break
		}
		out = append(out, clause(paths[key]))
	}
	return out
}

// clause is about what one writer does, as surely, to one or more paths.
func clause(list []diag.Writing) string {
	first := list[0]
	if first.Path == "" {
		return fmt.Sprintf("%s (%s) changes images of it in the cluster, and not in Git", first.By, place(first.At))
	}
	var paths, places []string
	for _, w := range list {
		if !slices.Contains(paths, w.Path) {
			paths = append(paths, w.Path)
		}
		if at := place(w.At); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	text := fmt.Sprintf("%s (%s) ", first.By, few(places))
	if first.Sure {
		return text + "writes " + few(paths) + ", and would have to write elsewhere if that moves"
	}
	return text + "may write " + few(paths)
}

// place is where something stands, without the repository, which is named before.
func place(l object.Location) string {
	if l.Line == 0 {
		return l.File
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}
