package pipeline

import (
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
)

func references(s *snapshot.Snapshot) []diag.Reference {
	out := []diag.Reference{}
	for _, r := range s.Graph.References {
		provider, _ := s.Object(r.Provider)
		out = append(out, diag.Reference{
			Consumer:   diag.End{Object: r.Consumer.String(), Unit: unitNames(r.ConsumerUnits, s), At: r.At},
			Provider:   diag.End{Object: r.Provider.String(), Unit: unitNames(r.ProviderUnits, s), At: provider.Origin},
			How:        string(r.How),
			Key:        r.Key,
			Optional:   r.Optional,
			Via:        r.Via,
			Words:      r.Words(),
			Descriptor: dictionary(r.Descriptor),
		})
	}
	return out
}

func dictionary(d *refgraph.Descriptor) *diag.Descriptor {
	if d == nil {
		return nil
	}
	out := &diag.Descriptor{
		Filter:   d.Filter.String(),
		Path:     d.Path,
		Services: append([]string{}, d.Services...),
		Problem:  d.Problem,
	}
	if d.Set == nil {
		return out
	}
	for _, name := range d.Services {
		if s, ok := d.Set.Service(name); ok {
			out.Methods += len(s.Methods)
		}
	}
	return out
}
