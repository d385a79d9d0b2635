package kustomization

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Changes says what a kustomization would change of an object that came into it now; "" if nothing. Its components count.
func (s *Set) Changes(t source.Tree, f *File, o object.Object) string {
	return s.changes(t, f, o, map[string]bool{})
}

func (s *Set) changes(t source.Tree, f *File, o object.Object, seen map[string]bool) string {
	if seen[f.Name] {
		return ""
	}
	seen[f.Name] = true
	if ns := object.String(f.Fields, "namespace"); ns != "" && moves(ns, o) {
		return fmt.Sprintf("namespace: %s of %s", ns, f.Name)
	}
	for _, key := range []string{"namePrefix", "nameSuffix"} {
		if object.String(f.Fields, key) != "" {
			return fmt.Sprintf("%s of %s", key, f.Name)
		}
	}
	for _, key := range []string{"transformers", "replacements", "vars", "helmCharts", "helmChartInflationGenerator", "buildMetadata"} {
		if len(object.List(f.Fields, key)) > 0 {
			return fmt.Sprintf("%s: of %s, whose effect is not told from text", key, f.Name)
		}
	}
	if what := labelled(f, o); what != "" {
		return what
	}
	if what := Counted(f, o); what != "" {
		return what
	}
	if what := s.Patches(t, f, o); what != "" {
		return what
	}
	for _, u := range f.Uses() {
		if u.List != "components" {
			continue
		}
		c := s.files[u.Path]
		if c == nil {
			return fmt.Sprintf("the component %s of %s, which cannot be read", u.Path, f.Name)
		}
		if what := s.changes(t, c, o, seen); what != "" {
			return what
		}
	}
	return ""
}

// moves tells whether "namespace: ns" may change an object: it renames a Namespace, and writes into the subjects of bindings
// and the services of webhooks as well (kustomize api/filters/namespace).
func moves(ns string, o object.Object) bool {
	for _, s := range object.List(o.Fields, "subjects") {
		if object.String(s, "kind") == "ServiceAccount" && object.String(s, "namespace") != ns {
			return true
		}
	}
	if o.ID.Namespace != "" {
		return o.ID.Namespace != ns
	}
	switch o.ID.Kind {
	case "ClusterRole", "ClusterRoleBinding", "StorageClass", "PriorityClass", "IngressClass", "RuntimeClass":
		return false
	case "Namespace":
		return o.ID.Name != ns
	}
	return true
}

// labelled says which labels and annotations for all objects an object lacks. On anything but configuration labels go to
// selectors and templates as well, which is not followed.
func labelled(f *File, o object.Object) string {
	simple := o.ID.IsConfig()
	maps := []struct {
		key    string
		want   map[string]any
		have   map[string]string
		simple bool
	}{
		{"commonLabels", object.Map(f.Fields, "commonLabels"), o.Labels(), simple},
		{"commonAnnotations", object.Map(f.Fields, "commonAnnotations"), o.Annotations(), simple},
	}
	for _, l := range object.List(f.Fields, "labels") {
		deep := object.Bool(l, "includeSelectors") || object.Bool(l, "includeTemplates") || object.Get(l, "fields") != nil
		maps = append(maps, maps[0])
		m := &maps[len(maps)-1]
		m.key, m.want, m.simple = "labels", object.Map(l, "pairs"), simple || !deep
	}
	for _, m := range maps {
		for k, v := range m.want {
			if !m.simple || m.have[k] != fmt.Sprint(v) {
				return fmt.Sprintf("%s of %s", m.key, f.Name)
			}
		}
	}
	return ""
}

// Counted says which images or replicas a kustomization sets on an object; "" if none.
func Counted(f *File, o object.Object) string {
	if len(object.List(f.Fields, "images")) > 0 && hasImage(o.Fields) {
		return fmt.Sprintf("images: of %s", f.Name)
	}
	for _, r := range object.List(f.Fields, "replicas") {
		if object.String(r, "name") == o.ID.Name {
			return fmt.Sprintf("replicas: of %s", f.Name)
		}
	}
	return ""
}

func hasImage(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["image"].(string); ok {
			return true
		}
		for _, e := range v {
			if hasImage(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if hasImage(e) {
				return true
			}
		}
	}
	return false
}

// Patches says which patch of a kustomization may be about an object; "" if none.
func (s *Set) Patches(t source.Tree, f *File, o object.Object) string {
	for _, list := range []string{"patches", "patchesJson6902"} {
		for i, p := range object.List(f.Fields, list) {
			where := fmt.Sprintf("%s[%d] of %s", list, i, f.Name)
			if target := object.Map(p, "target"); target != nil {
				if targets(target, o) {
					return where
				}
				continue
			}
			if patched(t, f, object.String(p, "path"), object.String(p, "patch"), o) {
				return where
			}
		}
	}
	for i, p := range object.List(f.Fields, "patchesStrategicMerge") {
		text, _ := p.(string)
		name, inline := text, ""
		if strings.Contains(text, "\n") {
			name, inline = "", text
		}
		if patched(t, f, name, inline, o) {
			return fmt.Sprintf("patchesStrategicMerge[%d] of %s", i, f.Name)
		}
	}
	return ""
}

// targets tells whether a selector may choose an object. Kustomize anchors its patterns.
func targets(target map[string]any, o object.Object) bool {
	for _, key := range []struct{ field, have string }{{"kind", o.ID.Kind}, {"name", o.ID.Name}, {"namespace", o.ID.Namespace}, {"group", o.ID.Group}} {
		want := object.String(target, key.field)
		if want == "" || key.have == "" {
			continue
		}
		if p, err := regexp.Compile("^(?:" + want + ")$"); err == nil && !p.MatchString(key.have) {
			return false
		}
	}
	return true
}

var (
	kindLine = regexp.MustCompile(`\bkind"?:\s*["']?([^\s"',}]+)`)
	nameLine = regexp.MustCompile(`\bname"?:\s*["']?([^\s"',}]+)`)
)

// patched tells whether a patch without a target may be about an object: it names the kind and the name somewhere. A name
// that a prefix was put on counts.
func patched(t source.Tree, f *File, name, inline string, o object.Object) bool {
	if name != "" {
		data, err := t.ReadFile(path.Join(f.Dir(), name))
		if err != nil {
			return true
		}
		inline = string(data)
	}
	return has(kindLine, inline, func(s string) bool { return s == o.ID.Kind }) &&
		has(nameLine, inline, func(s string) bool { return strings.Contains(o.ID.Name, s) })
}

func has(p *regexp.Regexp, text string, accept func(string) bool) bool {
	for _, m := range p.FindAllStringSubmatch(text, -1) {
		if accept(m[1]) {
			return true
		}
	}
	return false
}
