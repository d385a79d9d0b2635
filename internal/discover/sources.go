package discover

import (
	"fmt"
	"regexp"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// withSources reads spec.sources, or spec.source where that list is empty (argo-cd pkg/apis/application/v1alpha1/types.go
// ApplicationSpec.GetSources).
func (d declared) withSources(spec map[string]any) declared {
	list := object.List(spec, "sources")
	d.listed = len(list) > 0
	if !d.listed {
		if object.Map(spec, "source") == nil {
			return d.refuse(diag.Unparsable, "an Application has no spec.source", "give it a source")
		}
		list = []any{spec["source"]}
	}
	for i, entry := range list {
		where, subject := "spec.source", "the source"
		if d.listed {
			where = fmt.Sprintf("spec.sources[%d]", i)
			subject = where
		}
		fields, ok := entry.(map[string]any)
		if !ok {
			return d.refuse(diag.Unparsable, where+" is no mapping", "correct it")
		}
		s, err := unit.DecodeSource(fields)
		switch {
		case err != nil && d.listed:
			return d.refuse(diag.Unparsable, where+": "+err.Error(), "correct "+where)
		case err != nil:
			return d.refuse(diag.Unparsable, err.Error(), "correct "+where)
		}
		d.Sources = append(d.Sources, s)
		switch {
		case d.listed && s.RepoURL == "":
			return d.refuse(diag.Unparsable, subject+" has no repoURL, which Argo CD refuses", "give it one")
		case s.Path == "" && s.Chart == "" && !d.listed:
			return d.refuse(diag.Unparsable, subject+" has neither a path nor a chart, which Argo CD refuses", "give it one")
		case s.Path == "" && s.Chart == "" && s.Ref == "":
			return d.refuse(diag.Unparsable, subject+" has neither a path nor a chart nor a ref, which Argo CD refuses", "give it one")
		}
	}
	return d.withRefs()
}

// refName is what a ref may look like (argo-cd util/argo/argo.go GetRefSources).
var refName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// withRefs refuses refs as Argo CD does before it looks at any source.
func (d declared) withRefs() declared {
	seen := map[string]bool{}
	for _, s := range d.Sources {
		switch {
		case s.Ref == "":
		case !refName.MatchString(s.Ref):
			return d.refuse(diag.Unparsable, fmt.Sprintf("the ref %q holds other characters than letters, digits, _ and -, which Argo CD refuses", s.Ref),
				"rename the ref")
		case seen[s.Ref]:
			return d.refuse(diag.Unparsable, fmt.Sprintf("two sources have the ref %s, which Argo CD refuses", s.Ref), "rename one of them")
		}
		seen[s.Ref] = true
	}
	return d
}
