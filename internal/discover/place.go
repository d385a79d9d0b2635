package discover

import (
	"strings"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/object"
)

// inCluster are the two ways to write "the cluster that Argo CD runs in".
const (
	inClusterServer = "https://kubernetes.default.svc"
	inClusterName   = "in-cluster"
)

// cluster is the key of a destination: equal for two units exactly when Git and the inventory say that they deliver to
// the same cluster. "In cluster" is the cluster that the Application itself is delivered to, whatever the inventory calls
// it; for a root that is one of its own, since overlays of one base are one Argo CD each.
func cluster(written, holder string, inventory []config.Cluster) string {
	written = strings.TrimSuffix(written, "/")
	if written == "" || written == inClusterServer || written == inClusterName {
		return holder
	}
	for _, c := range inventory {
		if written == c.Name || written == strings.TrimSuffix(c.Server, "/") {
			return c.Name
		}
	}
	return written
}

// place gives every object its cluster and namespace. A kind is cluster-scoped if a CustomResourceDefinition among the
// objects says so, or else if it is known to be; an object that names no namespace lands in its unit's. Of an identity that
// a unit has more than once the last document is what Argo CD applies, and what is left (controller/state.go
// NormalizeTargetObjects): a source that comes later replaces objects of an earlier one that way.
func place(units []Delivered) {
	scopes := declaredScopes(units)
	for n := range units {
		u := &units[n]
		last := map[object.ID]int{}
		for i := range u.Objects {
			id := &u.Objects[i].ID
			id.Cluster = u.Destination.Cluster
			scoped, declared := scopes[id.Group+"/"+id.Kind]
			if !declared {
				scoped = object.ClusterScoped(id.Group, id.Kind)
			}
			switch {
			case scoped:
				id.Namespace = ""
			case id.Namespace == "":
				id.Namespace = u.Destination.Namespace
			}
			last[*id] = i
		}
		kept := u.Objects[:0]
		for i, o := range u.Objects {
			if last[o.ID] == i || o.ID.Name == "" { // a name that the API server makes up is another one each time
				kept = append(kept, o)
			}
		}
		u.Objects = kept
	}
}

// declaredScopes reads the CustomResourceDefinitions: true for cluster-scoped kinds. A kind that two definitions declare
// differently counts as namespaced.
func declaredScopes(units []Delivered) map[string]bool {
	scopes := map[string]bool{}
	for _, u := range units {
		for _, o := range u.Objects {
			if o.ID.Kind != "CustomResourceDefinition" {
				continue
			}
			kind := object.String(o.Fields, "spec", "group") + "/" + object.String(o.Fields, "spec", "names", "kind")
			scoped := object.String(o.Fields, "spec", "scope") == "Cluster"
			if before, seen := scopes[kind]; seen {
				scoped = scoped && before
			}
			scopes[kind] = scoped
		}
	}
	return scopes
}
