package declared

import (
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/kustomization"
	"github.com/syncproof/syncproof/internal/remedy/edit/listing"
	"github.com/syncproof/syncproof/internal/unit"
)

// Tool is what Argo CD renders a directory with (util/app/discovery).
func (e *Finder) Tool(s unit.Source) unit.Tool {
	switch {
	case s.Helm != nil:
		return unit.HelmTool
	case s.Kustomize != nil:
		return unit.KustomizeTool
	case s.Directory != nil:
		return unit.DirectoryTool
	}
	tool := unit.DirectoryTool
	entries, _ := e.Tree.ReadDir(Clean(s.Path)) // what cannot be read was not rendered
	for _, f := range entries {
		switch {
		case f.IsDir():
		case strings.HasSuffix(f.Name(), "Chart.yaml"):
			tool = unit.HelmTool
		case kustomization.Is(f.Name()):
			tool = unit.KustomizeTool
		}
	}
	return tool
}

// Kin tells whether two units are one Application in several environments. They share files on purpose: what changes in one
// changes in all of them. Two roots are two environments, and so is what Alike says.
func (e *Finder) Kin(a, b unit.ID) bool {
	return a.Namespace == b.Namespace && a.Name == b.Name || slices.ContainsFunc(e.Alike, func(environment []unit.ID) bool {
		i := slices.Index(environment, a)
		return i >= 0 && slices.ContainsFunc(e.Alike, func(other []unit.ID) bool { return i < len(other) && other[i] == b })
	})
}

// Counterpart is the unit that is in the environment of one unit what another one is in its own.
func (e *Finder) Counterpart(of, beside unit.ID) (discover.Delivered, bool) {
	i := slices.IndexFunc(e.Snap.Units, func(u discover.Delivered) bool {
		together := slices.ContainsFunc(e.Alike, func(environment []unit.ID) bool {
			return slices.Contains(environment, u.ID) && slices.Contains(environment, beside)
		})
		return e.Kin(u.ID, of) && (together || u.ID.Root == beside.Root && !e.listed(beside))
	})
	if i < 0 {
		return discover.Delivered{}, false
	}
	return e.Snap.Units[i], true
}

// listed tells whether Alike says which environment a unit is of.
func (e *Finder) listed(id unit.ID) bool {
	return slices.ContainsFunc(e.Alike, func(environment []unit.ID) bool { return slices.Contains(environment, id) })
}

// readers are the units, other than one and its kin, that a change of a file may reach: they declare an object there, or nothing is
// known of what they render and their sources may hold the file. Line is that of one object in the file, 0 for all of it.
func (e *Finder) readers(but unit.ID, file string, line int) []string {
	var names []string
	for _, u := range e.Snap.Units {
		dirs := e.Home(u)
		if e.Kin(u.ID, but) || len(dirs) == 0 {
			continue
		}
		reads := !u.Rendered && slices.ContainsFunc(dirs, func(dir string) bool { return e.reaches(dir, file) })
		for _, o := range u.Objects {
			if o.Origin.Repository != "" || o.Origin.File != file {
				continue
			}
			reads = reads || line == 0 || o.Origin.Line == 0 || o.Origin.Line == line
		}
		switch {
		case reads && !u.Rendered:
			names = append(names, e.Name(u.ID)+" (of which it is not known what it renders)")
		case reads:
			names = append(names, e.Name(u.ID))
		}
	}
	return names
}

// reaches tells whether what is rendered of a directory may need a file.
func (e *Finder) reaches(dir, file string) bool {
	if listing.Within(file, dir) {
		return true
	}
	set := e.Index().Kustomizations
	return slices.ContainsFunc(set.Reached(dir), func(d string) bool {
		return slices.ContainsFunc(set.At(d).Uses(), func(u kustomization.Use) bool { return listing.Within(file, u.Path) })
	})
}

// Sharers are the units, other than one and its kin, that render a directory too, or something that includes it.
func (e *Finder) Sharers(but unit.ID, dir string) []string {
	var names []string
	_, err := e.Tree.Stat(path.Join(dir, "Chart.yaml"))
	chart := err == nil && dir != "."
	for _, u := range e.Snap.Units {
		if e.Kin(u.ID, but) {
			continue
		}
		shares := slices.ContainsFunc(e.Home(u), func(d string) bool {
			return d == dir || slices.Contains(e.Index().Kustomizations.Reached(d), dir)
		})
		shares = shares || slices.ContainsFunc(u.Sources, func(s unit.Source) bool {
			return u.Kind == unit.Application && s.Directory != nil && s.Directory.Recurse && e.IsHome(u, s) && listing.Within(dir, Clean(s.Path))
		})
		shares = shares || slices.ContainsFunc(u.Objects, func(o object.Object) bool { // a chart that is a part of another one
			return chart && o.Origin.Repository == "" && u.Kind == unit.Application && len(e.Home(u)) > 0 && listing.Within(o.Origin.File, dir)
		})
		if shares {
			names = append(names, e.Name(u.ID))
		}
	}
	return names
}

// Deliverer is the unit that delivers another one's Application, and the Application's object.
func (e *Finder) Deliverer(u discover.Delivered) (unit.ID, object.ID, error) {
	byHand := "edit what generates the Application"
	if u.Kind != unit.Application {
		return unit.ID{}, object.ID{}, Refuse(u.Origin, byHand, "%s is no Application of its own but a %s unit", e.Name(u.ID), u.Kind)
	}
	for _, p := range e.Snap.Units {
		if p.ID.Root != u.ID.Root {
			continue
		}
		for _, o := range p.Objects {
			if o.ID.Kind != "Application" || o.ID.Name != u.ID.Name || o.Origin != u.Origin {
				continue
			}
			if o.ID.Namespace == u.ID.Namespace {
				return p.ID, o.ID, nil
			}
		}
	}
	return unit.ID{}, object.ID{}, Refuse(u.Origin, byHand, "the Application %s is generated", e.Name(u.ID))
}
