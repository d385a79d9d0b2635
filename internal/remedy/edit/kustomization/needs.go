package kustomization

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Need is an entry of a kustomization that fails, or is idle, without an object.
type Need struct {
	In   *File
	List string
	At   int
	Path string // the file of a patch; "" if it is written in the entry
	Sole bool   // a patch that is about nothing else
}

// String names the entry.
func (n Need) String() string { return fmt.Sprintf("%s[%d] of %s", n.List, n.At, n.In.Name) }

// Needs lists what in a kustomization is about an object, which is named as it is written: patches of that name, and what
// takes a value of it.
func Needs(t source.Tree, f *File, o object.Object) []Need {
	var all []Need
	for _, list := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		for i, p := range object.List(f.Fields, list) {
			name, inline := object.String(p, "path"), object.String(p, "patch")
			if text, ok := p.(string); ok && strings.Contains(text, "\n") {
				inline = text
			} else if ok {
				name = text
			}
			n := Need{In: f, List: list, At: i}
			if name != "" {
				n.Path = path.Join(f.Dir(), name)
			}
			if target := object.Map(p, "target"); target != nil {
				n.Sole = object.String(target, "kind") == o.ID.Kind && object.String(target, "name") == o.ID.Name
				if n.Sole {
					all = append(all, n)
				}
				continue
			}
			if patched(t, f, name, inline, o) {
				n.Sole = sole(t, n.Path, inline, o)
				all = append(all, n)
			}
		}
	}
	for _, list := range []string{"replacements", "vars"} {
		for i, r := range object.List(f.Fields, list) {
			from := object.Map(r, "source")
			if list == "vars" {
				from = object.Map(r, "objref")
			}
			if from == nil || object.String(from, "name") == o.ID.Name {
				all = append(all, Need{In: f, List: list, At: i})
			}
		}
	}
	return all
}

// sole tells whether a patch is one document that names an object.
func sole(t source.Tree, file, inline string, o object.Object) bool {
	if file != "" {
		data, err := t.ReadFile(file)
		if err != nil {
			return false
		}
		inline = string(data)
	}
	if strings.Contains(strings.TrimPrefix(inline, "---"), "\n---") {
		return false
	}
	raw, err := yaml.YAMLToJSON([]byte(inline))
	if err != nil {
		return false
	}
	doc, err := object.Decode(raw)
	return err == nil && object.String(doc, "kind") == o.ID.Kind && object.String(doc, "metadata", "name") == o.ID.Name
}
