package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// protections are told with the first finding of a pair, as its background is.
func (p *printer) protections(f diag.Finding) {
	if slices.Contains(p.told, cmp.Or(f.Pair, f.Title)) {
		return
	}
	list := f.Protections
	if !p.full { // nearly every unit heals itself: that is told to those who ask for everything
		list = slices.DeleteFunc(slices.Clone(list), func(x diag.Protection) bool { return x.Kind == "sync-options" })
	}
	p.entries("no help", protectionWords(list))
}

// protectionWords say of each what is there, where, and why it does not protect.
func protectionWords(list []diag.Protection) []string {
	var out []string
	for _, x := range list {
		text := x.What
		if x.At.File != "" {
			text += " (" + place(x.At) + ")"
		}
		out = append(out, text+": "+x.Why)
	}
	return out
}

// boundaryWords say of each side whose files it is written in, who wrote them, and whose a change would be.
func boundaryWords(story *diag.Story) []string {
	var out []string
	for _, s := range story.Sides {
		text := s.End + ", " + s.Unit + ": " + strings.Join(s.Paths, ", ")
		if s.Owner != "" && s.Whose == "" {
			text += "; owned by " + s.Owner
		}
		if len(s.Writers) > 0 {
			text += "; written in " + lastYear(story.Evidence) + " by " + strings.Join(s.Writers, ", ")
		}
		out = append(out, text)
		if s.Whose != "" {
			out = append(out, s.Whose)
		}
	}
	return out
}
