package stage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/patch"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
)

// describe fills in what a stage changes, and in words what was proved.
func (p *planner) describe(s *diag.PlanStage, st step, e Edit, before, after *built, number int) {
	s.Number, s.Title, s.Why, s.Wait = number, st.title, st.why, st.wait
	owners := map[string][]string{}
	var order []string
	for _, c := range patch.Changes(e.Before, e.Files, e.From) {
		f := diag.PlanFile{Path: c.Path, From: c.From, Kind: string(c.Kind), Added: c.Added, Deleted: c.Deleted, Binary: c.Binary}
		if p.Pair.File != nil {
			f.Owner, _ = p.Pair.File(c.Path)
			if f.Owner == "" && c.From != "" {
				f.Owner, _ = p.Pair.File(c.From)
			}
		}
		if owners[f.Owner] == nil {
			order = append(order, f.Owner)
		}
		owners[f.Owner] = append(owners[f.Owner], c.Path)
		s.Files = append(s.Files, f)
	}
	for _, owner := range order {
		if owner != "" {
			s.Review = append(s.Review, owner+" ("+strings.Join(owners[owner], ", ")+")")
		}
	}
	s.Renders = p.renders(e, before, after)
	s.Proved = p.proved(s)
}

// renders says what becomes of what is rendered, from the snapshots themselves.
func (p *planner) renders(e Edit, before, after *built) string {
	var parts []string
	same := 0
	for _, u := range after.snap.Units {
		was, there := find(before.snap, u.ID)
		if !there {
			was = discover.Delivered{}
		}
		for _, o := range u.Objects {
			i := slices.IndexFunc(was.Objects, func(x object.Object) bool { return x.ID == o.ID })
			switch {
			case i < 0:
				parts = appendNew(parts, fmt.Sprintf("%s renders %s", p.name(u.ID), o.ID))
			case law.Differs(was.Objects[i], o) != "":
				fields := differences(was.Objects[i].Fields, o.Fields)
				parts = appendNew(parts, fmt.Sprintf("%s of %s changes at %s", o.ID, p.name(u.ID), strings.Join(fields, ", ")))
			default:
				same++
			}
		}
	}
	for _, u := range before.snap.Units {
		now, stays := find(after.snap, u.ID)
		if !stays {
			parts = append(parts, p.name(u.ID)+" is no more")
			continue
		}
		for _, o := range u.Objects {
			if !slices.ContainsFunc(now.Objects, func(x object.Object) bool { return x.ID == o.ID }) {
				parts = appendNew(parts, fmt.Sprintf("%s renders %s no more", p.name(u.ID), o.ID))
			}
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing else than before"}
	}
	text := fmt.Sprintf("%s; %d objects as before", strings.Join(parts, "; "), same)
	if len(e.unseen) > 0 {
		text += ", not seen: " + strings.Join(e.unseen, ", ")
	}
	return text
}

// differences are the fields in which two documents differ, as short as they can be said.
func differences(a, b map[string]any) []string {
	var out []string
	keys := map[string]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		x, y := a[k], b[k]
		if fmt.Sprint(x) == fmt.Sprint(y) {
			continue
		}
		mx, okx := x.(map[string]any)
		my, oky := y.(map[string]any)
		if okx && oky {
			for _, rest := range differences(mx, my) {
				out = append(out, k+"."+rest)
			}
			continue
		}
		out = append(out, k)
	}
	return out
}

// proved says what the proof of a stage came to.
func (p *planner) proved(s *diag.PlanStage) string {
	switch {
	case s.Pairs == 0:
		return "no pair sees it: no object changes that another one reads, and none changes its unit"
	case s.Verdict == "fragile":
		return "no order of ordinary steps deletes, doubles or mixes anything; what is left needs unusual steps"
	}
	return "no order deletes, doubles or mixes anything, with up to " + fmt.Sprint(p.solver.Bounds.Unusual) + " unusual steps"
}
