package fix

import (
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// Pick is the finding that an id means: its own, or that of its pair, of which the gravest is told.
func Pick(findings []diag.Finding, latent []diag.Latent, id string) (diag.Finding, error) {
	var found []diag.Finding
	for _, f := range findings {
		if strings.HasPrefix(f.ID, id) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		for _, f := range findings {
			if strings.HasPrefix(f.Pair, id) {
				return f, nil
			}
		}
		for _, l := range latent {
			if strings.HasPrefix(l.ID, id) {
				return diag.Finding{}, refuse("%s: no release that was judged has a finding about it (a filter is judged with the workload whose proxy it configures); --history N looks further back", l.Summary)
			}
		}
		return diag.Finding{}, refuse("no finding of the releases that were judged has the id %s; --history N looks further back", id)
	case 1:
		return found[0], nil
	}
	return diag.Finding{}, refuse("%d findings have an id that begins with %s: say more of it", len(found), id)
}
