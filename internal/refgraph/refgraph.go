// Package refgraph finds who reads whom: from rendered objects to references, each with HOW the consumer reads the
// provider, the key, and the field that says so.
//
// In go all objects of all units of one snapshot; out come references and gaps, sorted. References never cross clusters.
// A provider that no unit renders is still referred to: its reference has no provider units. The package refuses to say
// whether two versions fit: it decodes a descriptor and says what is in it, no more.
//
// # Gap or stated problem
//
// What cannot be seen is a gap: a selector that no rendered pod template fits (the workload may be delivered from
// elsewhere), a file that no mounted ConfigMap holds (it may be in the image), a volume that is filled at run time, data
// of a Secret, an object that no unit renders, and content that is not what its place says (JSON, YAML, base64, a
// descriptor set). What was seen and contradicts itself is a fact about the repository and stands on the reference, as
// [Descriptor.Problem]: a key that the ConfigMap lacks, a descriptor set that a proxy refuses, a listed service that the
// set lacks. A problem that comes from a gap is stated in both places.
package refgraph

import (
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Rendered is one object and the unit that renders it. Its ID has the cluster filled in.
type Rendered struct {
	Object object.Object
	Unit   unit.ID
}

// Graph is what [Build] found.
type Graph struct {
	References []Reference
	Gaps       []diag.Gap
}

// How says when a consumer takes over what its provider holds.
type How string

// The ways of reading.
const (
	Start How = "start" // when a pod or container starts, and kept
	Live  How = "live"  // follows the provider while running
	Apply How = "apply" // to be accepted
	Exist How = "exist" // has to be there; nothing of its content is read
)

// Reference says that one object reads another one. Equal references of one workload, from several containers or units,
// are one.
type Reference struct {
	Consumer      object.ID
	ConsumerUnits []unit.ID // the units whose rendering has the reference, sorted
	Provider      object.ID
	ProviderUnits []unit.ID // sorted; empty if no unit renders the provider
	How           How
	Key           string // of a ConfigMap or Secret; "" for all of it, or for other kinds
	Optional      bool   // the consumer starts without it
	// Via is the field of the consumer that makes the reference, "spec.template.spec.containers[1].envFrom[0].configMapRef"
	// (Kubernetes' notation; annotations as metadata.annotations[name]). Where other objects lie on the way, they stand
	// before it, with " -> " between.
	Via        string
	At         object.Location // where the consumer is declared
	Descriptor *Descriptor     // only for what a gRPC-JSON transcoder reads
}

// Descriptor is what is known of the dictionary that a proxy loads for a transcoder filter. Nobody changes it.
type Descriptor struct {
	Filter   object.ID              // what configures the filter: an EnvoyFilter, or the ConfigMap of a proxy
	Path     string                 // file that the proxy opens, absolute; "" when the set is inline
	Services []string               // as the filter lists them
	Config   *descriptor.Transcoder // the filter's options
	Set      *descriptor.Set        // nil if it could not be decoded: Problem says why
	Problem  string                 // what does not fit, in one line; "" if the set was decoded and has all services
}

// Build finds the references among the objects of one snapshot. Objects are taken as they are, in any order; only if one
// unit renders an identity twice, the later one counts, as it does for Argo CD (RepeatedResourceWarning). Nothing is
// changed.
func Build(objects []Rendered) Graph { return BuildWith(objects, nil) }

// BuildWith is Build for one of several snapshots that share what was decoded.
func BuildWith(objects []Rendered, sets *Sets) Graph {
	b := newBuilder(objects)
	b.sets = sets
	for _, t := range b.templates {
		b.containerReferences(t)
		b.volumeReferences(t)
		b.bootstrapReferences(t)
	}
	for _, id := range b.ids {
		for _, r := range b.objects[id] {
			b.serviceReferences(r)
			b.envoyFilterReferences(r)
		}
	}
	return Graph{References: merge(b.refs), Gaps: diag.SortGaps(b.gaps)}
}

// merge sorts references and joins those that differ in the consumer's units only.
func merge(refs []Reference) []Reference {
	slices.SortStableFunc(refs, Reference.compare)
	var out []Reference
	for _, r := range refs {
		if n := len(out) - 1; n >= 0 && out[n].compare(r) == 0 {
			out[n].ConsumerUnits = append(out[n].ConsumerUnits, r.ConsumerUnits...)
			continue
		}
		out = append(out, r)
	}
	for i := range out {
		slices.SortFunc(out[i].ConsumerUnits, unit.ID.Compare)
		out[i].ConsumerUnits = slices.Compact(out[i].ConsumerUnits)
	}
	return out
}
