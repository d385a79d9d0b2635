package remedy

import (
	"cmp"
	"context"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/schedule"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// gravity orders verdicts by what they mean for a remedy: that nothing is known is worse than a harm that needs unusual steps.
var gravity = []proof.Verdict{proof.Broken, proof.Race, proof.Exposed, proof.Undecided, proof.Fragile, proof.Safe}

func worse(a, b proof.Verdict) proof.Verdict {
	if slices.Index(gravity, a) < slices.Index(gravity, b) {
		return a
	}
	return b
}

// judge runs the proof on what remedies make of releases.
type judge struct {
	*situation
	ctx    context.Context
	solver proof.Solver
	drawn  map[drawing]drawn
	built  map[building]built
	worst  Release // synthetic, at the newest revision: both ends change
	before map[object.ID]proof.Verdict
}

// drawing is what an intent is applied to.
type drawing struct {
	intent string
	from   *snapshot.Snapshot
	ends   cone.Ends
	to     unit.ID
}

// building is a consumer in a release under an intent.
type building struct {
	intent   string
	release  string // id of its newest commit
	consumer object.ID
}

// built is its problem; false if there is nothing that it sees.
type built struct {
	problem cone.Problem
	ok      bool
}

// drawn is what comes of it.
type drawn struct {
	snapshot *snapshot.Snapshot
	ends     cone.Ends
}

// judged is a remedy with what the order of remedies goes by.
type judged struct {
	diag.Remedy
	price     price
	files     int
	real      proof.Verdict
	worst     proof.Verdict
	elsewhere proof.Verdict // the gravest of the other readers
}

func newJudge(ctx context.Context, s *situation) *judge {
	bounds := s.Bounds
	bounds.Plain = true
	return &judge{situation: s, ctx: ctx, solver: proof.Solver{Bounds: bounds}, drawn: map[drawing]drawn{}, built: map[building]built{}, worst: s.changed(), before: map[object.ID]proof.Verdict{}}
}

// outcome is what the proof says of releases, put together.
type outcome struct {
	verdict     proof.Verdict
	by          map[string]int
	unavoidable int
	breaking    int
	left        []diag.Opening
}

// readBase judges the other readers as they are.
func (j *judge) readBase() error {
	for _, r := range j.others {
		out, err := j.over(j.Releases, remedy{}, r.id)
		if err != nil {
			return err
		}
		j.before[r.id] = out.verdict
	}
	return nil
}

// judge judges one remedy.
func (j *judge) judge(r remedy) (judged, error) {
	x := judged{Remedy: diag.Remedy{Name: r.name, What: r.what(j.situation), Level: r.level, Left: []diag.Opening{}, LeftWorst: []diag.Opening{}}}
	if r.refused != nil {
		x.Refused = r.refused(j.situation)
	}
	x.Costs, x.price, x.files = costsOf(j.situation, r)
	if x.Refused != "" {
		x.Costs = []diag.Cost{}
		return x, nil
	}
	real, err := j.over(j.Releases, r, j.Ends.Consumer)
	if err != nil {
		return x, err
	}
	worst, err := j.over([]Release{j.worst}, r, j.Ends.Consumer)
	if err != nil {
		return x, err
	}
	x.real, x.worst, x.elsewhere = real.verdict, worst.verdict, proof.Safe
	x.Releases, x.Verdict, x.By = len(j.Releases), string(real.verdict), real.by
	x.Unavoidable, x.Breaking, x.Left, x.LeftWorst = real.unavoidable, real.breaking, real.left, worst.left
	if worst.by[untouched] == 0 {
		x.WorstCase = string(worst.verdict)
	}
	if r.steps != nil {
		x.Migration = r.steps(j.situation)
	}
	if err := j.reversed(r, &x); err != nil {
		return x, err
	}
	for _, other := range j.others {
		out := outcome{verdict: j.before[other.id]}
		if r.intent != nil || r.forAll {
			if out, err = j.over(j.Releases, r, other.id); err != nil {
				return x, err
			}
		}
		x.elsewhere = worse(x.elsewhere, out.verdict)
		x.Others = append(x.Others, diag.OtherReader{
			Consumer: other.id.String(), Unit: words(j.names(other.units)),
			Today: string(j.before[other.id]), Verdict: string(out.verdict),
		})
	}
	return x, nil
}

// reversed says what comes of the other order.
func (j *judge) reversed(r remedy, x *judged) error {
	if r.reverse == nil {
		return nil
	}
	back := remedy{name: r.name, schedule: r.reverse}
	real, err := j.over(j.Releases, back, j.Ends.Consumer)
	if err != nil {
		return err
	}
	worst, err := j.over([]Release{j.worst}, back, j.Ends.Consumer)
	if err != nil {
		return err
	}
	x.Costs = append(x.Costs, cost(diag.CostPremise, "the other way round, %s first, it is %s, in the worst case %s", j.toName(), real.verdict, worst.verdict))
	return nil
}

// untouched counts the releases that a consumer sees nothing of. They are safe.
const untouched = "untouched"

// over judges a consumer in releases under a remedy. Other readers than the pair's own are judged by the name of their own pair.
func (j *judge) over(releases []Release, r remedy, consumer object.ID) (outcome, error) {
	out := outcome{verdict: proof.Safe, by: map[string]int{}, left: []diag.Opening{}}
	for _, rel := range releases {
		problems, ok := j.problems(rel, r, consumer)
		if !ok {
			if len(releases) == 1 {
				out.by[untouched]++
			}
			out.by[string(proof.Safe)]++
			continue
		}
		verdict, unavoidable := proof.Safe, false
		for _, p := range problems {
			solved, err := j.solver.Solve(j.ctx, p)
			if err != nil {
				return out, err
			}
			verdict = worse(verdict, solved.Verdict)
			unavoidable = unavoidable || solved.Unavoidable
			out.left = merge(out.left, solved.Openings)
		}
		if unavoidable {
			out.unavoidable++
		}
		if m := problems[0].Match; m != nil && len(m.Breaking) > 0 {
			out.breaking++
		}
		out.by[string(verdict)]++
		out.verdict = worse(out.verdict, verdict)
	}
	slices.SortStableFunc(out.left, gravest)
	return out, nil
}

// problems are the Cases that a remedy makes of a release for a consumer; false if there is nothing that it sees.
func (j *judge) problems(rel Release, r remedy, consumer object.ID) ([]cone.Problem, bool) {
	key := building{release: rel.Revisions[len(rel.Revisions)-1].Hash, consumer: consumer}
	if r.intent != nil {
		key.intent = cmp.Or(r.as, r.name)
	}
	b, known := j.built[key]
	if !known {
		b.problem, b.ok = j.problem(rel, r, key.intent, consumer)
		j.built[key] = b
	}
	switch {
	case !b.ok:
		return nil, false
	case r.schedule == nil:
		return []cone.Problem{b.problem}, true
	}
	return r.schedule(b.problem), true
}

// problem is that of a release with what an intent makes of its revisions.
func (j *judge) problem(rel Release, r remedy, intent string, consumer object.ID) (cone.Problem, bool) {
	ends, own := rel.Ends, consumer == j.Ends.Consumer
	if !own {
		ends.Consumer = consumer
		ends.Consumer.Cluster = rel.Ends.Consumer.Cluster
	}
	setting, snapshots := rel.Setting(ends), rel.Snapshots
	if r.intent != nil {
		var now cone.Ends
		if snapshots, now = j.draw(rel, r, intent); own {
			ends = now
		}
	}
	p, ok := cone.Build(cone.NewRelease(rel.Revisions, snapshots), ends, setting)
	if ok && rel.Revisions[0].Hash == synthetic {
		p = schedule.Incompatible(p)
	}
	return p, ok
}

// draw applies an intent to all revisions of a release. The pair is called as it is at the newest that has it.
func (j *judge) draw(rel Release, r remedy, intent string) ([]*snapshot.Snapshot, cone.Ends) {
	var out []*snapshot.Snapshot
	ends := rel.Ends
	target := deliverer(rel)
	for _, s := range rel.Snapshots {
		key := drawing{intent, s, rel.Ends, target}
		d, known := j.drawn[key]
		if !known {
			at := site{draft: newDraft(s), ends: rel.Ends}
			at.to = at.unit(target)
			d = drawn{ends: rel.Ends}
			if _, there := at.get(rel.Ends.Provider); there && at.to >= 0 {
				d.ends = r.intent(j.situation, at)
			}
			d.snapshot = at.snapshot()
			j.drawn[key] = d
		}
		out, ends = append(out, d.snapshot), d.ends
	}
	return out, ends
}

// deliverer is the unit that delivers the consumer, at the newest revision of a release that has it.
func deliverer(rel Release) unit.ID {
	for _, s := range slices.Backward(rel.Snapshots) {
		if units := deliverers(s, rel.Ends.Consumer); len(units) > 0 {
			return units[0]
		}
	}
	return unit.ID{}
}

// merge adds openings: each set of unusual steps once for a harm, with the gravest that it opens.
func merge(all []diag.Opening, more []proof.Opening) []diag.Opening {
	for _, o := range more {
		one := diag.Opening{Needs: []string{}, Harm: string(o.Harm), Persistence: string(o.Persistence), Visibility: string(o.Visibility), Maybe: o.Maybe}
		for _, k := range o.Set {
			one.Needs = append(one.Needs, kindName(k))
		}
		i := slices.IndexFunc(all, func(x diag.Opening) bool {
			return slices.Equal(x.Needs, one.Needs) && x.Harm == one.Harm && x.Maybe == one.Maybe
		})
		switch {
		case i < 0:
			all = append(all, one)
		case slices.Compare(grade(one), grade(all[i])) < 0:
			all[i] = one
		}
	}
	return all
}

// kindName is what reports call a kind of unusual step.
func kindName(k delivery.Unusual) string {
	if k == delivery.Churn {
		return "churn or scale"
	}
	return k.String()
}

// grade is how grave an opening is, the gravest least.
func grade(o diag.Opening) []int {
	return []int{
		slices.Index([]string{"skew", "absent", "blocked"}, o.Harm),
		slices.Index([]string{"sticky", "recurring", "transient"}, o.Persistence),
		slices.Index([]string{"silent", "visible"}, o.Visibility),
	}
}

// gravest is the order in which openings are told.
func gravest(a, b diag.Opening) int {
	if n := len(a.Needs) - len(b.Needs); n != 0 {
		return n
	}
	if n := slices.Compare(grade(a), grade(b)); n != 0 {
		return n
	}
	return slices.Compare(a.Needs, b.Needs)
}
