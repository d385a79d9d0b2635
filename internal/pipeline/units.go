package pipeline

import (
	"context"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

func units(s *snapshot.Snapshot) []diag.Unit {
	out := []diag.Unit{}
	for _, u := range s.Units {
		out = append(out, diag.Unit{
			Name:      s.Names[u.ID],
			Kind:      string(u.Kind),
			Root:      u.ID.Root,
			Namespace: u.Destination.Namespace,
			Cluster:   clusterName(u.Destination.Cluster, s),
			Source:    s.SourceText(u.Unit),
			Parent:    s.Names[u.Parent],
			Automated: u.Policy.Automated,
			Prune:     u.Policy.Prune,
			SelfHeal:  u.Policy.SelfHeal,
			Objects:   len(u.Objects),
			Rendered:  u.Rendered,
			At:        u.Origin,
		})
	}
	return out
}

func isApplication(u discover.Delivered) bool { return u.Kind != unit.Bootstrap }

// clusterName drops the root of an in-cluster destination where there is only one root.
func clusterName(key string, s *snapshot.Snapshot) string {
	if len(s.Roots) == 1 && key == unit.InCluster(s.Roots[0].Name) {
		return "in-cluster"
	}
	return key
}

// Rendered is one object with the short name of its unit.
type Rendered struct {
	Unit   string
	Object object.Object
}

// Public is the object as it would be applied, with secrets redacted and its namespace filled in.
func (r Rendered) Public() map[string]any {
	fields := object.Public(r.Object.Fields).(map[string]any)
	metadata, ok := fields["metadata"].(map[string]any)
	switch {
	case !ok:
	case r.Object.ID.Namespace == "":
		delete(metadata, "namespace")
	default:
		metadata["namespace"] = r.Object.ID.Namespace
	}
	return fields
}

// Renderings is what would be applied, and what could not be rendered.
type Renderings struct {
	Objects []Rendered // by unit, in the order of its renderer
	Names   []string   // of all units
	Gaps    []diag.Gap
}

// Render renders every unit of one revision.
func Render(ctx context.Context, in Input) (Renderings, error) {
	found, err := discover.Run(ctx, in.Discover)
	if err != nil {
		return Renderings{}, err
	}
	out := Renderings{Gaps: found.Gaps}
	for _, u := range found.Units {
		out.Names = append(out.Names, found.Names[u.ID])
		for _, o := range u.Objects {
			out.Objects = append(out.Objects, Rendered{Unit: found.Names[u.ID], Object: o})
		}
	}
	return out, nil
}
