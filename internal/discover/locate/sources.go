package locate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Sources finds the trees of all sources of an Application, one place for each. A gap loses the whole Application; the
// places are then those that were found, and zero for the others. listed tells that the sources are those of spec.sources,
// where a file can be one of another source. Errors are failures of ours.
func (f *Finder) Sources(ctx context.Context, list []unit.Source, listed bool) ([]Place, []diag.Gap, error) {
	places := make([]Place, len(list))
	var gaps []diag.Gap
	for i, s := range list {
		p, gap, err := f.find(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		if gap != nil {
			gaps = append(gaps, *gap)
			continue
		}
		places[i] = p
	}
	if gap := oneBranch(places); gap != nil {
		gaps = append(gaps, *gap)
	}
	if !listed || len(gaps) > 0 {
		return places, gaps, nil
	}
	lending := slices.Clone(places)
	for i := range list {
		p, gap := lent(list, places, i)
		if gap != nil {
			gaps = append(gaps, *gap)
			continue
		}
		lending[i] = p
	}
	return lending, gaps, nil
}

// oneBranch refuses sources that follow different branches of the analysed repository: only one of them is what is read.
func oneBranch(places []Place) *diag.Gap {
	names := map[string]bool{}
	for _, p := range places {
		if p.branch != "" {
			names[p.branch] = true
		}
	}
	if len(names) < 2 {
		return nil
	}
	return &diag.Gap{
		Reason: diag.Unsupported,
		Message: fmt.Sprintf("its sources follow different branches of this repository (%s), and one revision is read",
			strings.Join(slices.Sorted(maps.Keys(names)), ", ")),
		Close: "let all its sources follow one branch",
	}
}

// lent gives source i its tree, with what other sources lend it, or says why Argo CD refuses to. The rules are those of
// argo-cd reposerver/repository/repository.go runManifestGenAsync: every file that begins with $ names a ref; all refs of
// one repository, and the source itself if it lies there too, are at one revision.
func lent(list []unit.Source, places []Place, i int) (Place, *diag.Gap) {
	p := places[i]
	p.Lent, p.lenders = map[string]string{}, map[string]Place{}
	first := map[string]int{} // the lender that was named first, by repository
	for _, file := range borrowed(list[i].Helm) {
		key, _, _ := strings.Cut(file, "/")
		ref := strings.TrimPrefix(key, "$")
		k := slices.IndexFunc(list, func(s unit.Source) bool { return s.Ref == ref && ref != "" })
		if k < 0 {
			return p, refused(fmt.Sprintf("the file %s begins with a $, as those of other sources do, and no source has the ref %s", file, ref),
				"give a source that ref, or correct the path")
		}
		repository := repositoryName(list[k].RepoURL)
		before, known := first[repository]
		switch {
		case !known:
			first[repository] = k
			if repository == repositoryName(list[i].RepoURL) && !same(p, places[k]) {
				return p, refused(fmt.Sprintf("$%s is at another revision of the repository that its user lies in (%q, not %q)",
					ref, revision(list[k]), revision(list[i])), "give both sources one targetRevision")
			}
		case list[before].TargetRevision != list[k].TargetRevision:
			return p, refused(fmt.Sprintf("$%s and $%s are of one repository, at different revisions (%q and %q)",
				list[before].Ref, ref, revision(list[before]), revision(list[k])), "give both sources one targetRevision")
		}
		p.add(ref, places[k])
	}
	p.seal()
	return p, nil
}

// revision is a targetRevision in words.
func revision(s unit.Source) string { return cmp.Or(s.TargetRevision, "HEAD") }

// refused is the gap of what Argo CD refuses, too.
func refused(what, how string) *diag.Gap {
	return &diag.Gap{Reason: diag.RenderFailed, Message: what + ", which Argo CD refuses", Close: how}
}

// borrowed are the files of a source that may be another one's, in the order in which Argo CD looks at them.
func borrowed(h *unit.Helm) []string {
	if h == nil {
		return nil
	}
	files := slices.Clone(h.ValueFiles)
	for _, p := range h.FileParameters {
		files = append(files, p.Path)
	}
	return slices.DeleteFunc(files, func(file string) bool { return !strings.HasPrefix(file, "$") })
}

// repositoryName is a URL as Argo CD compares them here: one over SSH is not the same as one over HTTPS (argo-cd
// util/git/git.go NormalizeGitURL).
func repositoryName(url string) string {
	scheme, _, found := strings.Cut(strings.ToLower(strings.TrimSpace(url)), "://")
	if !found {
		scheme = "ssh"
	}
	return scheme + " " + source.NormalizeURL(url)
}

// same tells whether two places have the same files.
func same(a, b Place) bool {
	return a.Repository == b.Repository && (a.Key == b.Key || a.Revision != "" && a.Revision == b.Revision)
}
