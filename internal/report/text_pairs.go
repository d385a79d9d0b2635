package report

import (
	"cmp"
	"fmt"

	"github.com/syncproof/syncproof/internal/diag"
)

func (p *printer) references(list []diag.Reference) {
	pair := ""
	for i, r := range list {
		if i == 0 {
			p.Line("")
			p.Line("REFERENCES")
		}
		if text := fmt.Sprintf("%s -> %s", withUnit(r.Consumer), withUnit(r.Provider)); text != pair {
			pair = text
			p.Line("  %s", pair)
		}
		p.Wrapped(6, r.Words)
	}
}

func withUnit(e diag.End) string {
	return fmt.Sprintf("%s (%s)", e.Object, cmp.Or(e.Unit, "no rendered unit delivers it"))
}

// most is how many places or names are listed before the rest is counted.
const most = 4

func (p *printer) latent(r diag.Report) {
	for i, g := range byProvider(r.Latent) {
		if i == 0 {
			p.Line("")
			p.Line("LATENT  pairs that must match and that two units deliver%s", unlooked(r))
		}
		if len(g) > most {
			p.fan(g)
			continue
		}
		for _, l := range g {
			p.pair(l)
		}
	}
}

// unlooked says that pairs are latent for want of a release.
func unlooked(r diag.Report) string {
	if r.Counts.Releases+r.Counts.Commits > 0 {
		return ""
	}
	return "; no release was looked at"
}

// byProvider puts pairs of one rule and one provider together, in the order in which each first stands.
func byProvider(list []diag.Latent) [][]diag.Latent {
	var out [][]diag.Latent
	at := map[[3]string]int{}
	for _, l := range list {
		provider := l.Instances[0].Provider
		key := [3]string{l.Rule, provider.Object, provider.Unit}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], l)
	}
	return out
}

// fan is one provider that many consumers read: a line each.
func (p *printer) fan(list []diag.Latent) {
	provider := list[0].Instances[0].Provider
	p.Line("  %s  %d objects of other units read %s", list[0].Rule, len(list), provider.Object)
	p.Line("      %s  %s", provider.Unit, place(provider.At))
	for _, l := range list {
		var units []string
		for _, in := range l.Instances {
			units = append(units, in.Consumer.Unit)
		}
		p.Line("        %s  %s  (%s)", l.ID, l.Instances[0].Consumer.Object, enumerate(units))
	}
}

func (p *printer) pair(l diag.Latent) {
	p.Line("  %s  %s  %s", l.ID, l.Rule, l.Summary)
	for _, in := range l.Instances {
		p.Line("      %s  %s", in.Consumer.Unit, place(in.Consumer.At))
		p.Line("      %s  %s", in.Provider.Unit, place(in.Provider.At))
		for _, link := range in.Links {
			p.Wrapped(8, link)
		}
	}
}
