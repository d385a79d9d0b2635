package kustomize

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// Kustomize notes for each resource the file that it was read from, or the kustomization whose generator made it, as a
// path from the directory of the build. It does not note the document in the file or the entry of the generator: that is
// found here by kind and name. The name has changed on the way (prefixes, suffixes, hashes), so of all ways to see a
// declared name inside a built one, that counts which explains the most objects of the same file.

// place is one declaration that a built object may come from.
type place struct {
	file  string
	line  int
	kind  string // "Kind.group"; "" for entries of a generator list, which have one kind
	name  string
	space string // namespace
}

// origins finds declarations in the files of one closure.
type origins struct {
	closure *closure
	docs    map[string][]place // by file, read once
}

func newOrigins(c *closure) *origins {
	return &origins{closure: c, docs: map[string][]place{}}
}

// place fills in where each object is declared. from[i] is what kustomize noted for objects[i]; it may be nil.
func (o *origins) place(objects []object.Object, from []*resource.Origin) {
	groups := map[resource.Origin][]int{} // objects that compete for the same places
	var order []resource.Origin
	for i, origin := range from {
		key := origin.Copy()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		group := groups[key]
		for n, found := range match(objects, group, o.places(key)) {
			at := object.Location{File: found.file, Line: found.line}
			switch {
			case at.File != "":
			case key.Path != "":
				at.File = o.real(key.Path)
			case key.ConfiguredIn != "":
				at.File = o.real(key.ConfiguredIn)
			}
			objects[group[n]].Origin = at
		}
	}
}

// declare fills in where each object is declared when nothing renames or generates: the one document of its kind and
// name. It tells whether all were found; some may be filled in even if not.
func (o *origins) declare(objects []object.Object) bool {
	type key struct{ kind, name string }
	declared := map[key][]place{}
	for _, name := range slices.Sorted(maps.Keys(o.closure.resources)) {
		for _, p := range o.documents(name) {
			k := key{p.kind, p.name}
			declared[k] = append(declared[k], p)
		}
	}
	for i, obj := range objects {
		found := declared[key{kindOf(obj), obj.ID.Name}]
		if len(found) != 1 {
			return false
		}
		objects[i].Origin = object.Location{File: found[0].file, Line: found[0].line}
	}
	return true
}

// renames tells whether objects can have other names than their documents, or no document.
func (c *closure) renames() bool {
	for _, k := range c.byDir {
		s := &k.spec
		if s.NamePrefix != "" || s.NameSuffix != "" ||
			len(s.ConfigMapGenerator)+len(s.SecretGenerator)+len(s.Generators)+len(s.Transformers) > 0 {
			return true
		}
	}
	return false
}

// places gives the declarations that an origin can mean.
func (o *origins) places(origin resource.Origin) []place {
	if origin.Path != "" {
		return o.documents(o.real(origin.Path))
	}
	by, file := origin.ConfiguredBy, o.real(origin.ConfiguredIn)
	k := o.closure.byDir[path.Dir(file)]
	inKustomization := k != nil && k.file == file
	switch {
	case inKustomization && by.Kind == "ConfigMapGenerator" && by.Name == "":
		return k.generators("configMapGenerator")
	case inKustomization && by.Kind == "SecretGenerator" && by.Name == "":
		return k.generators("secretGenerator")
	case inKustomization && by.Name != "":
		if line := k.lines.plugin(by.Kind, by.Name); line > 0 {
			return []place{{file: file, line: line}}
		}
	case origin.ConfiguredIn != "":
		for _, d := range o.documents(file) { // the document that configures the generator is the declaration
			if kind, _, _ := strings.Cut(d.kind, "."); kind == by.Kind && d.name == by.Name {
				return []place{{file: d.file, line: d.line}}
			}
		}
	}
	// A patch that replaced all annotations took kustomize's note away: any resource may be meant.
	var all []place
	for _, name := range slices.Sorted(maps.Keys(o.closure.resources)) {
		all = append(all, o.documents(name)...)
	}
	return all
}

// generators are the entries of a generator list.
func (k *kustomization) generators(field string) []place {
	places := k.lines.entries(field)
	for i := range places {
		places[i].file = k.file
	}
	return places
}

// real gives the name in the tree of a path that kustomize noted.
func (o *origins) real(p string) string {
	p = path.Clean(p)
	if name, ok := o.closure.origins[p]; ok {
		return name
	}
	return path.Join(o.closure.top.dir, p)
}

// documents lists what a file declares; what stands behind an error in it is missing.
func (o *origins) documents(file string) []place {
	if known, ok := o.docs[file]; ok {
		return known
	}
	var places []place
	if content, err := o.closure.files.tree.ReadFile(file); err == nil {
		objects, _ := plain.Documents(file, content)
		for _, d := range objects {
			places = append(places, place{file: file, kind: kindOf(d), name: d.ID.Name, space: d.ID.Namespace, line: d.Origin.Line})
		}
	}
	o.docs[file] = places
	return places
}

func kindOf(o object.Object) string { return o.ID.Kind + "." + o.ID.Group }

// hashed matches a name with the suffix that generators give (api/hasher/hasher.go: ten letters without vowels).
var hashed = regexp.MustCompile(`^(.+)-[bcdfghkmt2456789]{10}$`)

// affix is what was put around a name.
type affix struct{ prefix, suffix string }

// match gives for each object of the group its declaration, the zero place if it cannot be told.
func match(objects []object.Object, group []int, places []place) []place {
	votes := map[affix]int{}
	for _, i := range group {
		seen := map[affix]bool{}
		each(objects[i], places, func(a affix, _ place) { seen[a] = true })
		for a := range seen {
			votes[a]++
		}
	}
	matched := make([]place, len(group))
	for n, i := range group {
		best, found := affix{}, place{}
		space := objects[i].ID.Namespace
		each(objects[i], places, func(a affix, p place) {
			if found.line == 0 || cmp.Or(
				cmp.Compare(votes[a], votes[best]),
				cmp.Compare(best.len(), a.len()),
				cmp.Compare(truth(p.space == space), truth(found.space == space)),
			) > 0 {
				best, found = a, p
			}
		})
		if found.line == 0 {
			found = only(objects[i], places)
		}
		matched[n] = found
	}
	return matched
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (a affix) len() int { return len(a.prefix) + len(a.suffix) }

// each calls f for every way in which a place of the object's kind may have become the object.
func each(o object.Object, places []place, f func(affix, place)) {
	names := []string{o.ID.Name}
	if m := hashed.FindStringSubmatch(o.ID.Name); m != nil {
		names = append(names, m[1])
	}
	for _, p := range places {
		if p.kind != "" && p.kind != kindOf(o) {
			continue
		}
		for _, name := range names {
			if prefix, suffix, ok := strings.Cut(name, p.name); ok && p.name != "" {
				f(affix{prefix, suffix}, p)
			}
		}
	}
}

// only is the one place of the object's kind, or the one place at all: its name or kind was changed by a patch.
func only(o object.Object, places []place) place {
	var same []place
	for _, p := range places {
		if p.kind == "" || p.kind == kindOf(o) {
			same = append(same, p)
		}
	}
	switch {
	case len(same) == 1:
		return same[0]
	case len(same) == 0 && len(places) == 1:
		return places[0]
	}
	return place{}
}
