package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// Step is one release to judge: its commits r0..rk, two or three. r0 is what was delivered before.
type Step struct{ Commits []source.Commit }

// Releases are the releases to judge, and what that needs besides a snapshot.
type Releases struct {
	Repository history.Repository
	Steps      []Step // oldest first
	// Others opens the repository that a declaration of what an image serves names. Nil if there are none.
	Others func(ctx context.Context, dir string) (history.Revisions, error)
	// Story: findings say why their pairs are as they are. Removed are consumers that are taken to be gone in that.
	Story   bool
	Removed []object.ID
	// Remedies tells which findings are told what could be done about them, of those with a story. Nil: none.
	Remedies func(diag.Finding) bool
	// Only are the names of the remedies that are judged. Nil: all.
	Only []string
	// Judged is told of each pair whose remedies were judged. Nil: nobody.
	Judged func(remedy.Input, []diag.Remedy)
	// Window is how far apart two commits may be that are judged as delivered together as well; 0 is never.
	Window time.Duration
	// Structure: pairs that the first commit of a step does not split are findings of their own.
	Structure bool
	// Progress is told before each step how many are done. Nil: nobody.
	Progress func(done, all int)
}

// judging is the state of one run over releases.
type judging struct {
	in        Input
	snapshots *snapshots
	history   *history.History
	solver    proof.Solver
	matcher   match.Matcher
	found     []found
	seen      tally
	last      map[string]int             // the newest in found of a pair, by its id
	together  []found                    // pairs in two releases at once, see window
	brought   map[string]aftermath.Parts // by the commits of a release
	// unseen are pairs that could not be judged, since a unit could not be rendered.
	unseen []diag.Finding
	// structural are findings about the structure that a release brings.
	structural []diag.Finding
	failed     error                  // of a question about history, which has no error of its own
	known      map[string]cone.Served // see serves
}

// judged is what judging releases gave.
type judged struct {
	findings []diag.Finding
	verdicts map[string]int
	seen     tally
	steps    int // that were judged
}

// judge proves every pair of every step; head is the revision that is read. What it found before an error counts.
func judge(ctx context.Context, in Input, head *snapshot.Snapshot) (judged, error) {
	j := &judging{in: in, snapshots: newSnapshots(in), last: map[string]int{}, known: map[string]cone.Served{}, brought: map[string]aftermath.Parts{}}
	j.solver.Bounds = proof.Bounds{Unusual: in.Discover.Config.Limits.UnusualSteps, States: in.Discover.Config.Limits.States}
	j.history = history.New(history.Input{
		Repository: in.Releases.Repository, Snapshots: j.snapshots.at, Others: in.Releases.Others,
	})
	var err error
	done := 0
	for i, s := range in.Releases.Steps {
		if in.Releases.Progress != nil {
			in.Releases.Progress(i, len(in.Releases.Steps))
		}
		if err = ctx.Err(); err == nil {
			err = j.step(ctx, i, s)
		}
		if err != nil {
			break
		}
		done++
	}
	out := judged{j.findings(), j.verdicts(), j.seen, done}
	if in.Releases.Story {
		j.outdated(out.findings, head)
	}
	if err == nil && in.Releases.Story {
		err = j.tell(ctx, out.findings)
		slices.SortFunc(out.findings, diag.Finding.Compare) // by what was just told, too
	}
	if err == nil {
		err = j.name(ctx, out.findings)
	}
	if err == nil {
		err = j.protect(ctx, out.findings)
	}
	if err == nil && in.Releases.Story {
		err = j.feed(ctx, out.findings)
	}
	if err == nil && in.Releases.Remedies != nil {
		err = j.remedies(ctx, out.findings, head)
	}
	return out, err
}

// step proves the pairs of one release.
func (j *judging) step(ctx context.Context, at int, s Step) error {
	snaps, revisions, err := j.look(ctx, s)
	if err != nil {
		return err
	}
	last := len(snaps) - 1
	changes := last > 1 || j.seen.count(snaps[0], snaps[last])
	if !changes && !j.in.Releases.Structure {
		return nil
	}
	r := cone.NewRelease(revisions, snaps)
	if j.in.Releases.Structure {
		j.structural = append(j.structural, j.structures(r, snaps, revisions)...)
	}
	if !changes {
		return nil
	}
	from := len(j.found)
	for _, c := range j.candidates(snaps) {
		if why := r.Unseen(endsOf(c)); why != "" {
			j.unseen = append(j.unseen, j.undecided(c, why, revisions, snaps))
			continue
		}
		f, ok, err := j.solve(ctx, r, c, s, snaps)
		if err != nil {
			return err
		}
		if ok {
			f.at = at
			f.reads = r.Reads(endsOf(c))
			j.found = join(j.found, from, f)
		}
	}
	if last > 1 || j.in.Releases.Window == 0 {
		return nil
	}
	return j.windows(ctx, from)
}

// join adds a judged pair to those of its step, which begin at from. Where a provider has another name at each revision, as one whose
// name tells its content, it is a candidate under each of them: the pair is told once, under the name that stays.
func join(all []found, from int, f found) []found {
	for i := from; i < len(all); i++ {
		if all[i].candidate.Consumer.Object != f.candidate.Consumer.Object || !slices.Equal(all[i].reads, f.reads) {
			continue
		}
		if f.candidate.Provider.Object == f.reads[len(f.reads)-1] {
			all[i] = f
		}
		return all
	}
	return append(all, f)
}

// look is what the commits of a step hold, and how they are told of.
func (j *judging) look(ctx context.Context, s Step) ([]*snapshot.Snapshot, []cone.Revision, error) {
	revisions := make([]cone.Revision, len(s.Commits))
	snaps := make([]*snapshot.Snapshot, len(s.Commits))
	for i, c := range s.Commits {
		var err error
		if snaps[i], err = j.snapshots.at(ctx, c); err != nil {
			return nil, nil, err
		}
		revisions[i] = cone.Revision{Hash: c.Hash, Short: short(c.Hash), Subject: c.Subject, Date: aftermath.Date(c)}
	}
	for i := len(snaps) - 2; i >= 0; i-- {
		snaps[i] = snaps[i].Follow(snaps[i+1])
	}
	return snaps, revisions, nil
}

// solve judges one pair of a release. It is false if the release does not touch the pair.
func (j *judging) solve(ctx context.Context, r *cone.Release, c hazard.Candidate, s Step, snaps []*snapshot.Snapshot) (found, bool, error) {
	p, ok := cone.Build(r, endsOf(c), j.setting(ctx, c, s, snaps))
	if j.failed != nil || !ok {
		return found{}, false, j.failed
	}
	solved, err := j.solver.Solve(ctx, p)
	if err != nil {
		return found{}, false, err
	}
	f := found{step: s, candidate: c, solved: solved, snapshot: snaps[len(snaps)-1], names: snaps}
	if err := proof.Replay(r, &solved); err != nil {
		f.replay = err.Error()
	}
	return f, true, nil
}

func endsOf(c hazard.Candidate) cone.Ends {
	return cone.Ends{Consumer: c.Consumer.Object, Provider: c.Provider.Object}
}

// short is a commit id as people read it.
func short(hash string) string { return hash[:min(len(hash), 7)] }

// candidates are what the rules name at any revision of a release, each pair once, and what the configuration declares.
// Where a workload's proxy is told what to load by a filter, the workload's pair speaks for the filter's.
func (j *judging) candidates(snaps []*snapshot.Snapshot) []hazard.Candidate {
	var out []hazard.Candidate
	at := map[cone.Ends]int{}
	for _, s := range snaps {
		named := append(hazard.Run(j.in.Rules, s), j.declared(s)...)
		for _, c := range named {
			ends := endsOf(c)
			if covered(s, ends) {
				continue
			}
			if i, seen := at[ends]; seen {
				out[i] = c // as the newest revision shows it
				continue
			}
			at[ends] = len(out)
			out = append(out, c)
		}
	}
	return out
}

// covered tells whether a pair is a part of another one: a filter with the file that it names, or a workload with the filter
// of its proxy.
func covered(s *snapshot.Snapshot, ends cone.Ends) bool {
	for _, ref := range s.Graph.References {
		if ref.Descriptor == nil || ref.Consumer.Kind == "EnvoyFilter" || ref.Provider.Kind == "EnvoyFilter" {
			continue
		}
		filter := ref.Descriptor.Filter
		if ends.Consumer == filter && ends.Provider == ref.Provider || ends.Consumer == ref.Consumer && ends.Provider == filter {
			return true
		}
	}
	return false
}

// setting is what the proof is told of the controller, and of what images serve.
func (j *judging) setting(ctx context.Context, c hazard.Candidate, s Step, snaps []*snapshot.Snapshot) cone.Setting {
	set := cone.Setting{Controller: controller(j.in.Discover.Config), Matcher: &j.matcher}
	pair := j.pairOf(c)
	set.Serves = func(consumer object.Object, i int) cone.Served {
		q := history.Query{From: s.Commits[i], Consumer: c.Consumer.Object, Provider: c.Provider.Object}
		want := ""
		if pair != nil {
			want, q.Key = pair.Image, pair.Provider.Key
			q.Declared = (*history.Declaration)(pair.Serves)
		}
		before := object.Object{}
		if i > 0 {
			before, _ = snaps[i-1].Object(consumer.ID)
		}
		_, q.Images = history.Serving(before, consumer, want)
		if len(q.Images) == 0 {
			return cone.Served{Why: fmt.Sprintf("%s: no image of its own is known", consumer.ID)}
		}
		return j.serves(ctx, q)
	}
	return set
}

// serves asks what images serve, each question once: remedies ask it of every release again.
func (j *judging) serves(ctx context.Context, q history.Query) cone.Served {
	key := fmt.Sprint(q.From.Hash, q.Consumer, q.Provider, q.Key, q.Images, q.Declared)
	if known, ok := j.known[key]; ok {
		return known
	}
	served, err := j.history.Serves(ctx, q)
	if err != nil {
		j.failed = errors.Join(j.failed, err)
		return cone.Served{}
	}
	j.known[key] = cone.Served{Set: served.Set, Why: served.Why}
	return j.known[key]
}

// snapshots builds those of commits, and keeps the last ones.
type snapshots struct {
	in    Input
	kept  map[string]*snapshot.Snapshot
	order []string // least recently used first
}

// keptSnapshots bounds memory: a release needs two or three, what an image serves some more.
const keptSnapshots = 24

func newSnapshots(in Input) *snapshots {
	return &snapshots{in: in, kept: map[string]*snapshot.Snapshot{}}
}

// at is the snapshot of a commit.
func (s *snapshots) at(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error) {
	if snap, ok := s.kept[c.Hash]; ok {
		s.order = append(slices.DeleteFunc(s.order, func(h string) bool { return h == c.Hash }), c.Hash)
		return snap, nil
	}
	tree, err := s.in.Releases.Repository.Tree(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", short(c.Hash), err)
	}
	in := s.in.Discover
	in.Tree, in.Revision = tree, c.Hash
	snap, err := snapshot.Build(ctx, in)
	if err != nil {
		return nil, err
	}
	s.kept[c.Hash] = snap
	s.order = append(s.order, c.Hash)
	if len(s.order) > keptSnapshots {
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	return snap, nil
}
