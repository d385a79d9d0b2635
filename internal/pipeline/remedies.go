package pipeline

import (
	"context"
	"io/fs"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// remedies adds to findings that are asked for what could be done about their pairs, as these stand at the revision that is
// read. A pair that shows in several findings is judged once.
func (j *judging) remedies(ctx context.Context, findings []diag.Finding, head *snapshot.Snapshot) error {
	judged := map[cone.Ends][]diag.Remedy{}
	for i := range findings {
		f := &findings[i]
		x, ok := j.headOf(*f)
		if !ok || f.Story == nil || !j.in.Releases.Remedies(*f) {
			continue
		}
		ends, ok := endsAt(head, x)
		if !ok {
			continue // the pair is none any more
		}
		if _, done := judged[ends]; !done {
			in := j.aboutPair(ctx, x, ends, f.Story, head)
			list, err := remedy.Judge(ctx, in)
			if err != nil {
				return err
			}
			if j.failed != nil {
				return j.failed
			}
			judged[ends] = list
			if j.in.Releases.Judged != nil {
				j.in.Releases.Judged(in, list)
			}
		}
		f.Remedies = judged[ends]
	}
	return nil
}

// endsAt is a pair as it is called at a revision; false if it is none there.
func endsAt(head *snapshot.Snapshot, f found) (cone.Ends, bool) {
	consumers, providers := alike(head, f.candidate.Consumer.Object), alike(head, f.candidate.Provider.Object)
	for _, ref := range head.Graph.References {
		if slices.Contains(consumers, ref.Consumer) && slices.Contains(providers, ref.Provider) {
			return cone.Ends{Consumer: ref.Consumer, Provider: ref.Provider}, true
		}
	}
	return cone.Ends{}, false
}

// aboutPair is what remedies are judged on: of a pair that stands in several places, each release counts once, where it is
// gravest.
func (j *judging) aboutPair(ctx context.Context, head found, ends cone.Ends, story *diag.Story, now *snapshot.Snapshot) remedy.Input {
	in := remedy.Input{
		Newest: now, Ends: ends, Removed: j.in.Releases.Removed, Only: j.in.Releases.Only, Bounds: j.solver.Bounds, Sides: story.Sides, Cause: story.Cause,
		File: j.reviewed(),
	}
	var all []found
	for _, x := range j.found {
		if samePair(x, head) {
			all = append(all, x)
		}
	}
	for _, x := range touches(all) {
		if x.solved.Verdict == proof.Undecided {
			continue // nothing is known of it, whatever is done
		}
		in.Releases = append(in.Releases, remedy.Release{
			Ends: endsOf(x.candidate), Revisions: x.solved.Names.Revisions, Snapshots: x.names,
			Setting: func(e cone.Ends) cone.Setting {
				c := hazard.Candidate{Consumer: hazard.End{Object: e.Consumer}, Provider: hazard.End{Object: e.Provider}}
				return j.setting(ctx, c, x.step, x.names)
			},
		})
	}
	return in
}

// reviewed says of files of the revision that is read who reviews them, and whether they are there.
func (j *judging) reviewed() func(path string) (string, bool) {
	tree := j.in.Discover.Tree
	rules, _ := owners.Load(tree, j.in.Discover.Remotes)
	return func(path string) (string, bool) {
		_, err := fs.Stat(tree, path)
		return rules.Of(path).Text(j.in.Names), err == nil
	}
}
