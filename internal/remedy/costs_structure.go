package remedy

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

func joiningCosts(s *situation) ([]diag.Cost, price, []string) {
	costs := []diag.Cost{s.keeps()}
	if n := s.beside(); n > 0 {
		costs = append(costs, cost(diag.CostOthers, "%s of %s comes along", counted(n, "other object"), s.fromName()))
	}
	for _, r := range s.apart() {
		costs = append(costs, cost(diag.CostOthers, "%s goes on reading it from another unit, now %s", r.id, s.toName()))
	}
	a, b := s.unit(s.to[0]).Destination, s.unit(s.from[0]).Destination
	if a.Namespace != b.Namespace {
		costs = append(costs, cost(diag.CostPremise, "objects of %s that name no namespace would go to %s instead of %s", s.fromName(), a.Namespace, b.Namespace))
	}
	if s.kargo() {
		costs = append(costs, cost(diag.CostPremise, "Kargo pins one of two sources of one repository only, and Argo CD then refuses both: it has to pin both"))
	}
	return append(append(costs, s.retires(true)...), s.moves()...), free, paths(s.apps(s.to, s.from)...)
}

// kargo tells whether something lets Kargo work on it.
func (s *situation) kargo() bool {
	for _, u := range s.Newest.Units {
		for _, o := range u.Objects {
			for key := range o.Annotations() {
				if strings.HasPrefix(key, "kargo.akuity.io/") {
					return true
				}
			}
		}
	}
	return false
}

func ownWaveCosts(s *situation) ([]diag.Cost, price, []string) {
	var costs []diag.Cost
	p, files := free, []string(nil)
	switch {
	case s.together():
		costs = []diag.Cost{s.keeps()}
	case cannotAddSource(s) == "":
		costs, p, files = joiningCosts(s)
	default:
		costs, p, files = coLocateCosts(s)
	}
	files = append(files, paths(s.provider.Origin)...)
	return append(costs, cost(diag.CostPremise, "an operation of two waves can go on with the list of an earlier partial one, until that is repaired [A6.1]")), p, unique(files)
}

func unique(files []string) []string {
	var out []string
	for _, f := range files {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

func coLocateCosts(s *situation) ([]diag.Cost, price, []string) {
	files := s.source() // the consumer reads it under the name that it has
	if len(s.apart()) > 0 {
		costs := []diag.Cost{s.rewires("write a second copy below %s", s.home())}
		return append(costs, s.copies()...), lasting, unique(paths(s.consumer.Origin)) // two copies in every release
	}
	if s.beside() == 0 {
		files = append(files, paths(s.apps(s.from)...)...)
	}
	costs := []diag.Cost{s.rewires("write below %s", s.home())}
	return append(append(costs, s.retires(false)...), s.moves()...), rewired, unique(files)
}

func mergeCosts(s *situation) ([]diag.Cost, price, []string) {
	files := s.source()
	for _, o := range s.unit(s.from[0]).Objects {
		files = append(files, paths(o.Origin)...)
	}
	costs := []diag.Cost{s.rewires("write below %s", s.home())}
	if n := s.beside(); n > 0 {
		costs = append(costs, cost(diag.CostOthers, "%s of %s comes along", counted(n, "other object"), s.fromName()))
	}
	for _, r := range s.apart() {
		costs = append(costs, cost(diag.CostOthers, "%s goes on reading it from another unit, now %s", r.id, s.toName()))
	}
	return append(append(costs, s.retires(true)...), s.moves()...), rewired, unique(append(files, paths(s.apps(s.from)...)...))
}

func contentNamedCosts(s *situation) ([]diag.Cost, price, []string) {
	costs, p, files := coLocateCosts(s)
	files = append(files, paths(s.consumer.Origin)...)
	if s.together() {
		costs, p, files = []diag.Cost{s.keeps()}, free, append(s.source(), paths(s.consumer.Origin)...)
	}
	limit := "10, the default"
	if n := s.revisionHistory(); n != "" {
		limit = n
	}
	return append(costs,
		cost(diag.CostPremise, "the name has to be written wherever the pods name it, which Kustomize does not do inside annotations [D5.3]"),
		cost(diag.CostPremise, "going back needs the old one: keep as many as the workload can go back to (revisionHistoryLimit %s), or {undo} finds it gone", limit),
	), p, unique(files)
}

func inImageCosts(s *situation) ([]diag.Cost, price, []string) {
	files := append(s.source(), paths(s.consumer.Origin)...)
	for _, r := range s.others {
		o, _ := s.Newest.Object(r.id)
		files = append(files, paths(o.Origin)...)
	}
	costs := []diag.Cost{s.rewires("put it into the image instead, or into an image of its own whose digest it sets")}
	if s.transcoder {
		costs = append(costs, cost(diag.CostPremise, "the proxy has to see the file: an image volume (Kubernetes 1.35, or switched on from 1.33) [D4.10, E5.7]"))
	}
	for _, r := range s.others {
		costs = append(costs, cost(diag.CostOthers, "%s gets the one of its own image as well", r.id))
	}
	if s.beside() == 0 && !s.together() {
		files = append(files, paths(s.apps(s.from)...)...)
		costs = append(costs, s.retires(true)...)
	}
	return costs, rewired, unique(files)
}

func checksumCosts(s *situation) ([]diag.Cost, price, []string) {
	return []diag.Cost{s.keeps()}, free, paths(s.consumer.Origin)
}
