package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// group joins candidates of one shape: the same pair over clusters and environments is one entry with a list.
func group(candidates []hazard.Candidate, s *snapshot.Snapshot) []diag.Latent {
	out := []diag.Latent{}
	at := map[string]int{}
	for _, c := range candidates {
		id := shape(c)
		i, seen := at[id]
		if !seen {
			i = len(out)
			at[id] = i
			out = append(out, diag.Latent{
				ID:      id,
				Rule:    c.Rule,
				Kinds:   c.Consumer.Object.Kind + " -> " + c.Provider.Object.Kind,
				Summary: c.Summary,
			})
		}
		out[i].Instances = append(out[i].Instances, diag.Instance{
			Consumer: end(c.Consumer, s),
			Provider: end(c.Provider, s),
			Links:    c.Links,
		})
	}
	slices.SortFunc(out, func(a, b diag.Latent) int {
		return cmp.Or(strings.Compare(a.Rule, b.Rule), strings.Compare(a.Summary, b.Summary), strings.Compare(a.ID, b.ID))
	})
	return out
}

// shape is the stable ID of a candidate: the first 8 hex digits of a hash over its rule and both identities without
// their clusters.
func shape(c hazard.Candidate) string {
	return hashed(c.Rule, identity(c.Consumer.Object), identity(c.Provider.Object))
}

// hashed is an id: the first 8 hex digits of a hash over parts.
func hashed(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
}

func identity(id object.ID) string {
	return strings.Join([]string{id.Group, id.Kind, id.Namespace, id.Name}, "/")
}

func end(e hazard.End, s *snapshot.Snapshot) diag.End {
	return diag.End{Object: e.Object.String(), Unit: unitNames(e.Units, s), At: e.At}
}

func unitNames(ids []unit.ID, s *snapshot.Snapshot) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.Names[id]
	}
	return strings.Join(names, ", ")
}
