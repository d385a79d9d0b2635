package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
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

// identity is what an object is called in ids and when releases are counted, whatever its cluster. The hash that kustomize, or a
// template with sha256sum, puts behind a name is no part of it: the ConfigMap of the next release is the same one with another content.
func identity(id object.ID) string {
	if id.Kind == "ConfigMap" || id.Kind == "Secret" {
		id.Name = contentHash.ReplaceAllString(id.Name, "-#")
		if i := strings.LastIndexByte(id.Name, '-'); digest.MatchString(id.Name[i+1:]) && strings.ContainsAny(id.Name[i+1:], "0123456789") {
			id.Name = id.Name[:i+1] + "#"
		}
	}
	return strings.Join([]string{id.Group, id.Kind, id.Namespace, id.Name}, "/")
}

// contentHash is a hash as kustomize writes it: ten hexadecimal digits with letters in the place of those that could spell a word.
var contentHash = regexp.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// digest is a hash in hexadecimal, or the beginning of one.
var digest = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

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
