package remedy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// costsOf are what a remedy costs, what it goes on costing, and how many files of the repository change for it.
func costsOf(s *situation, r remedy) ([]diag.Cost, price, int) {
	costs, price, files := r.costs(s)
	if text := s.filesText(files); text != "" {
		costs = append([]diag.Cost{{Kind: diag.CostFiles, Text: text}}, costs...)
	}
	return costs, price, len(files)
}

func cost(kind, format string, args ...any) diag.Cost {
	return diag.Cost{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// filesText says how many files change, by who reviews them.
func (s *situation) filesText(files []string) string {
	by := map[string][]string{}
	var owners []string
	for _, f := range files {
		owner := ""
		if s.File != nil {
			owner, _ = s.File(f)
		}
		if by[owner] == nil {
			owners = append(owners, owner)
		}
		by[owner] = append(by[owner], f)
	}
	var out []string
	for _, owner := range owners {
		text := counted(len(by[owner]), "file")
		if owner != "" {
			text += " of " + owner
		}
		out = append(out, text+" ("+listed(by[owner])+")")
	}
	return strings.Join(out, ", ")
}

// listed are names, cut where there are many.
func listed(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most-1], ", ") + fmt.Sprintf(" and %d more", len(names)-most+1)
	}
	return strings.Join(names, ", ")
}

// paths are files without those of other repositories and those that are not known, each once.
func paths(at ...object.Location) []string {
	var out []string
	for _, l := range at {
		if l.File != "" && l.Repository == "" && !slices.Contains(out, l.File) {
			out = append(out, l.File)
		}
	}
	return out
}

// unit finds one at the newest revision.
func (s *situation) unit(id unit.ID) discover.Delivered {
	for _, u := range s.Newest.Units {
		if u.ID == id {
			return u
		}
	}
	return discover.Delivered{}
}

// apps are where the Applications of units are declared.
func (s *situation) apps(of ...[]unit.ID) []object.Location {
	var out []object.Location
	for _, id := range slices.Concat(of...) {
		out = append(out, s.unit(id).Origin)
	}
	return out
}

// side is what is known of one end's files.
func (s *situation) side(end string) diag.Side {
	for _, x := range s.Sides {
		if x.End == end {
			return x
		}
	}
	return diag.Side{}
}

// source are the files that the provider is made of: what declares it, and what releases write of it.
func (s *situation) source() []string {
	out := paths(s.provider.Origin)
	side := s.side("provider")
	for _, p := range append(written(side), side.Paths...) {
		if !slices.Contains(out, p) && s.exists(p) {
			out = append(out, p)
		}
	}
	return out
}

func (s *situation) exists(path string) bool {
	if s.File == nil {
		return false
	}
	_, there := s.File(path)
	return there
}

// written are the files of a side that something writes by itself.
func written(side diag.Side) []string {
	var out []string
	for _, w := range side.Automation {
		if w.Path != "" && !slices.Contains(out, w.Path) {
			out = append(out, w.Path)
		}
	}
	return out
}

// released is what a release writes of the provider: what is known to be written by itself, else what changes most often.
func (s *situation) released() string {
	side := s.side("provider")
	if list := written(side); len(list) > 0 {
		return list[0]
	}
	for _, p := range side.Paths {
		if s.exists(p) {
			return p
		}
	}
	return s.provider.Origin.File
}

// pipeline names what writes the provider at a release, with the place where that is set up.
func (s *situation) pipeline() string {
	list := s.side("provider").Automation
	if len(list) == 0 {
		return "whoever releases"
	}
	w := list[0]
	at := w.At.File
	if w.At.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, w.At.Line)
	}
	return cmp.Or(w.By, "a pipeline") + parenthesis(at)
}

func parenthesis(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// keeps says that releases go on as they are.
func (s *situation) keeps() diag.Cost {
	return cost(diag.CostKept, "%s goes on writing %s", s.pipeline(), s.released())
}

// rewires says that a release has to write elsewhere.
func (s *situation) rewires(format string, args ...any) diag.Cost {
	return cost(diag.CostFlow, "%s writes %s, and has to "+format, append([]any{s.pipeline(), s.released()}, args...)...)
}

// beside is the number of objects that the provider's units deliver besides it.
func (s *situation) beside() int {
	n := 0
	for _, id := range s.from {
		for _, o := range s.unit(id).Objects {
			if o.ID != s.Ends.Provider {
				n++
			}
		}
	}
	return n
}

// retires says what becomes of the provider's unit.
func (s *situation) retires(all bool) []diag.Cost {
	if s.together() || !all && s.beside() > 0 {
		return nil
	}
	return []diag.Cost{cost(diag.CostPremise, "%s is left with nothing and has to go, as a step of its own that does not take the object along", s.fromName())}
}

// moves says that the change is a release with a race of its own.
func (s *situation) moves() []diag.Cost {
	if s.together() {
		return nil
	}
	return []diag.Cost{cost(diag.CostPremise, "getting there moves %s between units: that needs stages, or it is deleted on the way", s.providerName())}
}

// copies says what a copy for one reader means while others read the shared one.
func (s *situation) copies() []diag.Cost {
	apart := s.apart()
	if len(apart) == 0 {
		return nil
	}
	var names []string
	for _, r := range apart {
		names = append(names, r.id.String())
	}
	text := fmt.Sprintf("%s still need the shared one: each release writes a second copy", words(names))
	if len(apart) == 1 {
		text = fmt.Sprintf("%s still needs the shared one: each release writes a second copy", words(names))
	}
	if s.Cause != nil {
		drifted := 0
		for _, c := range s.Cause.Copies {
			drifted = max(drifted, c.Drifted)
		}
		if drifted > 0 {
			text += fmt.Sprintf("; when there were copies, they differed after %s, which is why they were made one", counted(drifted, "commit"))
		}
	}
	return []diag.Cost{{Kind: diag.CostOthers, Text: text}}
}

// home is where the source of the consumer's unit lies.
func (s *situation) home() string {
	for _, src := range s.unit(s.to[0]).Sources {
		if src.Path != "" {
			return src.Path
		}
	}
	return "its source"
}
