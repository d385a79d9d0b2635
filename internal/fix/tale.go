package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/demo"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/remedy/stage"
	"github.com/syncproof/syncproof/internal/report/plan"
)

// Open looks at the manifests of the demo over a range of commits, and gives what ends that.
type Open func(ctx context.Context, repos demo.Repositories, history string, wanted func(diag.Finding) bool) (Look, func(), error)

// incident is the pair of the demo.
func incident(f diag.Finding) bool {
	return strings.HasPrefix(f.Title, "Rollout api/api <-> ConfigMap")
}

// Tale takes the incident of the demo to its end: found, explained, remedies judged, the structure changed in stages, scanned again,
// and what is left closed as far as it can be.
func Tale(ctx context.Context, w io.Writer, repos demo.Repositories, open Open) error {
	before, end, err := open(ctx, repos, "200", incident)
	if err != nil {
		return err
	}
	defer end()
	race, ok := newest(before.Report.Findings)
	if !ok {
		return errors.New("the demo does not race")
	}
	fmt.Fprintf(w, "1. What races, how often, and since when\n\n%s\n", plan.Race(race))
	fmt.Fprintf(w, "2. What could be done: over the real releases (in the worst case), and the gravest that is left\n\n%s\n", plan.Table(race.Remedies))
	first, err := before.Plan(ctx, race, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "3. The first of them that is an edit, in stages: %s\n\n%s\n", first.Remedy, plan.Brief(first.Plan))
	next, err := demo.BuildAhead(ctx, repos.Beside("ahead"), ahead(first))
	if err != nil {
		return err
	}
	after, end, err := open(ctx, next, before.at.Hash+"..", incident)
	if err != nil {
		return err
	}
	defer end()
	about := slices.DeleteFunc(slices.Clone(after.Report.Findings), func(f diag.Finding) bool { return !incident(f) })
	fmt.Fprintf(w, "4. The stages as commits, and the releases that follow: scan --history %s..\n\n%s\n", before.at.Hash[:7], plan.Verdicts(about))
	if len(about) == 0 {
		return errors.New("no release follows in the demo")
	}
	second, err := after.Plan(ctx, about[0], "content-named")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "5. For what is left: %s\n\n%s", second.Remedy, plan.Brief(second.Plan))
	if second.End != nil && !slices.ContainsFunc(second.End.Left, func(o diag.Opening) bool { return o.Harm == "skew" || o.Visibility == "silent" }) {
		fmt.Fprintln(w, "\nWith that release no pod serves with what belongs to another one, whatever two unusual steps do. What is left fails where\n"+
			"it can be seen: a pod that does not start, and an Application that is not Synced and Healthy.")
	}
	return nil
}

// ahead are the stages as commits.
func ahead(p stage.Plan) demo.Ahead {
	var out demo.Ahead
	for i, s := range p.Stages {
		message := s.Title + "\n\n" + stage.Message(s, p.Remedy, len(p.Stages))
		out.Commits = append(out.Commits, demo.Commit{Message: message, Files: p.Edits[i].Files})
	}
	return out
}

// newest is the newest race of the incident's pair.
func newest(all []diag.Finding) (diag.Finding, bool) {
	var out diag.Finding
	for _, f := range all {
		if incident(f) && f.Verdict == "race" && f.Now == "" && f.Harm == "skew" && f.Release != nil &&
			(out.Release == nil || f.Release.Commit.Date > out.Release.Commit.Date) {
			out = f
		}
	}
	return out, out.Release != nil
}
