// Package pipeline runs the stages in order. Start reading here.
//
//	source -> discover <-> render -> refgraph -> snapshot -> hazards -> grouping -> report
//
// In go an opened repository and the list of rules, out comes a report as a plain value. It refuses to print, to open
// anything, and to know a rule by name.
package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// Input is an opened repository and what to do with it.
type Input struct {
	Discover discover.Input
	Commit   *source.Commit // the commit that is read or that the disk grew from; nil if there is none
	Worktree bool           // the disk is read
	Dirty    bool           // the disk differs from the commit that is read
	Shallow  bool
	Rules    []hazard.Rule
	All      bool      // list latent pairs
	Verbose  bool      // list references
	Releases *Releases // nil: no release is looked at
	Names    bool      // name persons: authors, owners, and whom commits name
}

// Run analyses one revision. Errors are failures of ours or a cancelled context; in the latter case the report has what was
// judged before, and says that it is a part, if it was got that far.
func Run(ctx context.Context, in Input) (diag.Report, error) {
	s, err := snapshot.Build(ctx, in.Discover)
	if err != nil {
		return diag.Report{}, err
	}
	latent := group(hazard.Run(in.Rules, s), s)
	r := diag.Report{
		Schema:   diag.SchemaVersion,
		Head:     head(in, s),
		Units:    units(s),
		Findings: []diag.Finding{},
		Gaps:     gaps(in, s),
	}
	var releases judged
	if in.Releases != nil {
		releases, err = judge(ctx, in, s)
		if err != nil && ctx.Err() == nil {
			return diag.Report{}, err
		}
		if err != nil {
			r.Head.Assumptions = append(r.Head.Assumptions, fmt.Sprintf("interrupted: %d of %d releases were judged, the rest is missing",
				releases.steps, len(in.Releases.Steps)))
		}
		r.Findings = releases.findings
	}
	if in.Releases != nil {
		for _, id := range in.Releases.Removed {
			if !s.Has(id.Kind, id.Namespace, id.Name) {
				r.Head.Assumptions = append(r.Head.Assumptions, id.String()+", which is taken to be gone, is not there: that changes nothing")
			}
		}
	}
	r.Counts = counts(s, r, latent)
	r.Counts.Releases, r.Counts.Commits, r.Counts.Verdicts = releases.seen.releases, releases.seen.commits, releases.verdicts
	r.Counts.Partial, r.Counts.PartialBy = releases.seen.partial, releases.seen.by
	if in.All {
		r.Latent = latent
	}
	if in.Verbose || !slices.ContainsFunc(s.Units, isApplication) {
		// Without Applications there are no pairs to tell of; what reads what is all there is to see.
		r.References = references(s)
	}
	if !in.Names {
		discreet(ctx, in, &r)
	}
	return r, err
}

// gaps adds to those of the snapshot what the configuration asks for in vain. The list is never nil.
func gaps(in Input, s *snapshot.Snapshot) []diag.Gap {
	out := append([]diag.Gap{}, s.Gaps...)
	for _, k := range in.Discover.Config.Inert {
		out = append(out, diag.Gap{
			Reason:  diag.ConfigurationInert,
			At:      object.Location{File: in.Discover.Config.File, Line: k.Line},
			Message: k.Name + ": is read and checked, but not used by this version",
			Close:   "take it out, or leave it for a version that uses it",
		})
	}
	return diag.SortGaps(out)
}

func counts(s *snapshot.Snapshot, r diag.Report, latent []diag.Latent) diag.Counts {
	c := diag.Counts{
		Roots:      len(r.Head.Roots),
		Units:      len(r.Units),
		References: len(s.Graph.References),
		Latent:     map[string]int{},
		Findings:   len(r.Findings),
		Gaps:       map[string]int{},
	}
	for _, u := range r.Units {
		c.Objects += u.Objects
	}
	for _, l := range latent {
		c.Latent[l.Kinds]++
	}
	for _, g := range r.Gaps {
		c.Gaps[string(g.Reason)]++
	}
	return c
}

func head(in Input, s *snapshot.Snapshot) diag.Head {
	h := diag.Head{
		Worktree: in.Worktree,
		Dirty:    in.Dirty,
		Shallow:  in.Shallow,
		Roots:    []diag.Root{},
		Branches: s.Branches,
		ThisURLs: append([]string{}, s.URLs...),
	}
	if in.Commit != nil {
		h.Revision, h.Subject = in.Commit.Hash, in.Commit.Subject
		h.Date = in.Commit.When.UTC().Format(time.RFC3339)
	}
	for _, r := range s.Roots {
		from := "guess"
		if r.Configured {
			from = "configuration"
		}
		h.Roots = append(h.Roots, diag.Root{Name: r.Name, Path: r.Path, Kind: string(r.Tool), From: from})
	}
	h.Assumptions = append(assumed(in.Discover.Config), s.Assumptions...)
	return h
}

// assumed says how the cluster is taken to be set up, where Git does not show it.
func assumed(c config.Config) []string {
	out := []string{
		"Argo CD " + c.Controller.ArgoCD + ", " + c.Controller.Trigger + ", tracking by " + c.Controller.TrackingMethod +
			"; Kubernetes " + c.Kubernetes.Version,
	}
	if c.Controller.ApplicationHealth {
		out = append(out, "argocd-cm customises the health of Applications")
	}
	if o := c.Controller.KustomizeBuildOptions; o != "" {
		out = append(out, "kustomize is run with "+o)
	}
	return out
}
