package helm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// objects reads the objects out of rendered texts, in their order. A text that an earlier pass rendered to the same is not
// read again: with two passes that is most of them.
func (r *renderer) objects(texts []text) ([]object.Object, *diag.Gap) {
	var out []object.Object
	for _, t := range texts {
		known, ok := r.parsed[t]
		if !ok {
			var gap *diag.Gap
			if known, gap = r.parse(t); gap != nil {
				return nil, gap
			}
			r.parsed[t] = known
		}
		out = append(out, known...)
	}
	return out, nil
}

func (r *renderer) parse(t text) ([]object.Object, *diag.Gap) {
	docs, gap := t.documents()
	if gap != nil {
		return nil, gap
	}
	var out []object.Object
	for _, doc := range docs {
		fields, gap := t.decode(doc)
		if gap != nil {
			return nil, gap
		}
		if fields == nil || !t.crd && r.droppedByHelm(fields) {
			continue
		}
		for _, item := range expand(fields) {
			if droppedByArgo(item) {
				continue
			}
			o, gap := t.object(item)
			if gap != nil {
				return nil, gap
			}
			out = append(out, o)
		}
	}
	return out, nil
}

// documents splits a text. Templates are split by Helm; files of crds/ go through Helm unchanged and are split by Argo CD,
// as kubectl splits.
func (t text) documents() ([]string, *diag.Gap) {
	if !t.crd {
		return splitTemplate(t.body), nil
	}
	var out []string
	var doc strings.Builder
	for line := range strings.Lines(t.body) {
		rest, separator := strings.CutPrefix(line, "---")
		if !separator {
			doc.WriteString(line)
			continue
		}
		if rest = strings.TrimSpace(rest); rest != "" && !strings.HasPrefix(rest, "#") {
			return nil, t.unparsable("a separator --- is followed by text")
		}
		out = append(out, doc.String())
		doc.Reset()
	}
	return append(out, doc.String()), nil
}

// splitTemplate does what Helm's SplitManifests does (pkg/release/v1/util/manifest.go), which takes the start of any line
// that begins with --- for a separator, goes on right after it, and drops blanks before a document. A test compares them.
func splitTemplate(body string) []string {
	var out []string
	var doc strings.Builder
	end := func() {
		if d := strings.TrimLeftFunc(doc.String(), unicode.IsSpace); d != "" {
			out = append(out, d)
		}
		doc.Reset()
	}
	for line := range strings.Lines(strings.TrimLeftFunc(body, unicode.IsSpace)) {
		if rest, separator := strings.CutPrefix(line, "---"); separator {
			end()
			line = strings.TrimLeft(rest, " \t")
		}
		doc.WriteString(line)
	}
	end()
	return out
}

// decode reads one document as the API server would: YAML 1.1 with the meaning of JSON. Nil means that it is empty. Helm
// ends what it prints with a line end, which a block of text at the end of a document takes for its own.
func (t text) decode(doc string) (map[string]any, *diag.Gap) {
	raw, err := yaml.YAMLToJSON([]byte(doc + "\n"))
	if err != nil {
		return nil, t.unparsable(yamlText(err))
	}
	if string(raw) == "null" {
		return nil, nil
	}
	fields, err := object.Decode(raw)
	if err != nil {
		return nil, t.unparsable("a document is no mapping")
	}
	for _, level := range [][]string{{"metadata"}, {"metadata", "annotations"}} {
		if v := object.Get(fields, level...); v != nil && object.Map(v) == nil {
			return nil, t.unparsable(strings.Join(level, ".") + " is no mapping")
		}
	}
	return fields, nil
}

// expand opens a list, as Argo CD does for any object with an array called items (repository.go GenerateManifests). A list
// of nothing (items: null) is dropped.
func expand(fields map[string]any) []map[string]any {
	items, present := fields["items"]
	if list, ok := items.([]any); ok {
		out := make([]map[string]any, len(list))
		for i, e := range list {
			out[i], _ = e.(map[string]any) // what is no mapping has no kind, and is refused for that
		}
		return out
	}
	if present && items == nil && fields["spec"] == nil && fields["status"] == nil {
		return nil
	}
	return []map[string]any{fields}
}

func (t text) object(fields map[string]any) (object.Object, *diag.Gap) {
	for _, field := range []string{"name", "namespace"} { // 123 and n (a boolean) are met in charts without quotes
		if v := object.Get(fields, "metadata", field); v != nil {
			if _, ok := v.(string); !ok {
				return object.Object{}, t.unparsable("metadata." + field + " is no string")
			}
		}
	}
	apiVersion, kind := object.String(fields, "apiVersion"), object.String(fields, "kind")
	name := object.String(fields, "metadata", "name")
	switch {
	case apiVersion == "" || kind == "":
		return object.Object{}, t.unparsable("a document has no apiVersion or no kind")
	case name == "" && object.String(fields, "metadata", "generateName") == "":
		return object.Object{}, t.unparsable(fmt.Sprintf("a %s has no metadata.name", shorten(kind)))
	}
	group, version := object.SplitAPIVersion(apiVersion)
	return object.Object{
		ID: object.ID{
			Group:     object.CanonicalGroup(group, kind),
			Kind:      kind,
			Namespace: object.String(fields, "metadata", "namespace"),
			Name:      name,
		},
		Version: version,
		Fields:  fields,
		Origin:  object.Location{File: t.at.file},
	}, nil
}

func (t text) unparsable(why string) *diag.Gap {
	message := "the chart does not render to manifests: " + why
	if t.at.archived {
		message += " (template " + t.name + ")"
	}
	return &diag.Gap{
		Reason:  diag.Unparsable,
		At:      object.Location{File: t.at.file},
		Message: message,
		Close:   closeTemplate,
	}
}

const (
	helmHook = "helm.sh/hook"
	argoHook = "argocd.argoproj.io/hook"
)

// droppedByHelm tells whether helm template leaves a document out: one with a hook that Helm does not know, and with
// skipTests one with a test hook (pkg/release/v1/util/manifest_sorter.go, pkg/cmd/template.go isTestHook).
func (r *renderer) droppedByHelm(fields map[string]any) bool {
	value, ok := annotation(fields, helmHook)
	if !ok {
		return false
	}
	known := []string{
		"pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade",
		"pre-rollback", "post-rollback", "test", "test-success",
	}
	test := false
	for hook := range strings.SplitSeq(value, ",") {
		hook = strings.ToLower(strings.TrimSpace(hook))
		if !slices.Contains(known, hook) {
			return true
		}
		test = test || strings.HasPrefix(hook, "test")
	}
	return test && r.helm.SkipTests
}

// droppedByArgo tells whether an object is a Helm hook that Argo CD never runs: none of its kinds is one of a sync
// (gitops-engine/pkg/sync/hook/helm/type.go NewType) or of a deletion (controller/hook.go hookTypeAnnotations). An
// annotation of Argo CD's own goes first (gitops-engine/pkg/sync/hook/hook.go Types), and crd-install marks no hook
// (gitops-engine/pkg/sync/hook/helm/hook.go).
func droppedByArgo(fields map[string]any) bool {
	value, ok := annotation(fields, helmHook)
	if _, own := annotation(fields, argoHook); !ok || own || value == "crd-install" {
		return false
	}
	for hook := range strings.SplitSeq(value, ",") {
		switch strings.TrimSpace(hook) {
		case "pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-delete", "post-delete":
			return false
		}
	}
	return true
}

// annotation reads one as Helm does, which takes a number or boolean for a string.
func annotation(fields map[string]any, key string) (string, bool) {
	v, ok := object.Map(fields, "metadata", "annotations")[key]
	if !ok {
		return "", false
	}
	if v == nil {
		return "", true
	}
	return fmt.Sprint(v), true
}
