package discover

import (
	"context"
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover/locate"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// part is one source of a unit, rendered.
type part struct {
	from      locate.Place
	rendering unit.Rendering
}

// wave renders units of one depth, several at a time, and keeps their order.
func (x *expander) wave(ctx context.Context, wave []declared) ([]Delivered, error) {
	type outcome struct {
		parts []part
		gaps  []diag.Gap
	}
	results := make([]outcome, len(wave))
	err := x.parallel(ctx, len(wave), func(ctx context.Context, i int) error {
		if len(wave[i].gaps) > 0 {
			return nil
		}
		var err error
		results[i].parts, results[i].gaps, err = x.parts(ctx, wave[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	var out []Delivered
	for i, u := range wave {
		u.gaps = append(u.gaps, results[i].gaps...)
		if len(u.gaps) > 0 {
			x.undelivered(u, results[i].parts)
			continue
		}
		out = append(out, x.deliver(u.Unit, results[i].parts))
	}
	return out, nil
}

// parts renders the sources of a unit, in their order. With a gap nothing is rendered, and the places that were found are
// all that is known.
func (x *expander) parts(ctx context.Context, u declared) ([]part, []diag.Gap, error) {
	places, gaps, err := x.find.Sources(ctx, u.Sources, u.listed)
	if err != nil {
		return nil, nil, err
	}
	out := make([]part, len(places))
	for i, p := range places {
		out[i].from = p
		if len(gaps) > 0 || u.Sources[i].Lends() {
			continue
		}
		if out[i].rendering, err = x.render.get(ctx, p, x.request(u.Unit, u.Sources[i], p)); err != nil {
			return nil, nil, err
		}
	}
	return out, gaps, nil
}

// request is how Argo CD would render one source of a unit.
func (x *expander) request(u unit.Unit, s unit.Source, from locate.Place) unit.Request {
	req := handRequest(x.in.Config)
	req.ByHand = false
	req.Source = s
	req.Name = u.ID.Name
	req.AppNS = u.ID.Namespace
	req.Project = u.Project
	req.Namespace = u.Destination.Namespace
	req.Revision = from.Revision
	req.Lent = from.Lent
	return req
}

// deliver records what a unit rendered to: the objects of all its sources one after the other, or none of them if one could
// not be rendered. Objects are copied: renderings are shared between roots.
func (x *expander) deliver(u unit.Unit, parts []part) Delivered {
	d := Delivered{Unit: u, Rendered: true}
	for i, p := range parts {
		d.Rendered = d.Rendered && len(p.rendering.Gaps) == 0
		for _, o := range p.rendering.Objects {
			o.Origin.Repository = p.from.Repository
			d.Objects = append(d.Objects, o)
		}
		x.out.notes = append(x.out.notes, p.rendering.Notes...)
		for _, g := range p.rendering.Gaps {
			x.gap(u.ID, x.placed(g, u, u.Sources[i], p.from))
		}
	}
	if !d.Rendered && len(parts) > 1 {
		d.Objects = nil
	}
	if !x.root.whole && u.Kind == unit.Bootstrap {
		d.Objects = slices.DeleteFunc(d.Objects, func(o object.Object) bool { return !yields(o) || !entire(o) })
	}
	x.out.home[u.ID] = shareOf(u, parts)
	x.out.units = append(x.out.units, d)
	return d
}

// placed says where a gap of a rendering is: where no file is to blame, the Application is what names the place.
func (x *expander) placed(g diag.Gap, u unit.Unit, s unit.Source, from locate.Place) diag.Gap {
	if g.At.File != "" && g.At.File != locate.Clean(s.Path) {
		g.At.File, g.At.Repository = from.Real(g.At.File)
		return g
	}
	g.At = u.Origin
	if from.Repository != "" {
		g.Message += fmt.Sprintf(" (%s at %.12s)", from.Repository, from.Revision)
	}
	if u.Kind == unit.Bootstrap && g.Reason == diag.PathMissing {
		g.Close = "correct the root, or read a revision that has it"
	}
	return g
}

// shareOf is what a unit has of the analysed revision, as far as the places of its sources are known.
func shareOf(u unit.Unit, parts []part) share {
	var out share
	for i, p := range parts {
		if !p.from.Analysed || u.Sources[i].Lends() {
			continue
		}
		out.dirs = append(out.dirs, locate.Clean(u.Sources[i].Path))
		for _, o := range p.rendering.Objects {
			out.files = append(out.files, o.Origin.File)
		}
	}
	return out
}

// undelivered records a unit whose objects stay unknown.
func (x *expander) undelivered(u declared, parts []part) {
	for _, g := range u.gaps {
		if g.At.File == "" {
			g.At = u.Origin
		}
		x.gap(u.ID, g)
	}
	x.out.home[u.ID] = shareOf(u.Unit, parts)
	x.out.units = append(x.out.units, Delivered{Unit: u.Unit})
}
