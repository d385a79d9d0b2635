package remedy

import (
	"slices"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// migration says what of the newest release that replaces something would have gone into which release, if changes only added. It
// is nil if no release does, or if what its images serve is not known.
func (s *situation) migration() *diag.Migration {
	for _, rel := range slices.Backward(s.Releases) {
		before, after := rel.api(0), rel.api(len(rel.Snapshots)-1)
		if before.set == nil || after.set == nil || before.set.Digest() == after.set.Digest() {
			continue
		}
		steps := pair.Compare(before.set, after.set, pair.Options{
			Config: after.config, OldServices: before.services, NewServices: after.services, Server: transcode.GoServer,
		}).Migration
		if len(steps) < 2 {
			continue
		}
		r := rel.Revisions[len(rel.Revisions)-1]
		out := &diag.Migration{Of: diag.Commit{Commit: r.Hash, Short: r.Short, Subject: r.Subject, Date: r.Date}}
		for _, step := range steps {
			out.Steps = append(out.Steps, diag.MigrationStep{Name: step.Name, What: step.What, When: step.When})
		}
		return out
	}
	return nil
}

// api is what the consumer's image serves at a revision, and the transcoder before it.
type api struct {
	set      *descriptor.Set
	services []string
	config   descriptor.Transcoder
}

func (r Release) api(i int) api {
	ref := reading(r.Snapshots[i], r)
	o, ok := r.Snapshots[i].Object(r.Ends.Consumer)
	serves := r.Setting(r.Ends).Serves
	if ref == nil || ref.Config == nil || !ok || serves == nil {
		return api{}
	}
	return api{serves(o, i).Set, ref.Services, *ref.Config}
}

// reading is how the consumer's proxy reads the provider, nil if it does not.
func reading(s *snapshot.Snapshot, r Release) *refgraph.Descriptor {
	for _, ref := range s.Graph.References {
		if ref.Consumer == r.Ends.Consumer && ref.Provider == r.Ends.Provider && ref.Descriptor != nil {
			return ref.Descriptor
		}
	}
	return nil
}
